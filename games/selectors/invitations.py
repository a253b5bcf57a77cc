"""Invitations: whose an address is, and what the holder of a link sees."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.selectors import are_apart
from games.models import Challenge, Invitation
from games.selectors.challenges import ChallengeLine, challenge_told, may_play
from notifications import addresses


@dataclass(frozen=True, slots=True)
class InvitationPage:
    """An invitation as the holder of its link sees it; `may` is what he may do: accept, decline, refuse.

    `hindrance` says why he may not accept one that is open; `accepted` whether he is the one who did; `refused` whether the
    address wants no more of them, `declined` whether somebody said no for it.
    """

    pk: int
    challenge: ChallengeLine
    own: bool
    accepted: bool
    refused: bool
    declined: bool
    hindrance: str
    may: frozenset[str]


def invitation_with(token: str, viewer: Player | None) -> InvitationPage | None:
    """The invitation of this token. None when there is none or it has expired: the two look the same (S2)."""
    return _page(Invitation.objects.with_token(token), viewer)


def invitation(pk: int, viewer: Player | None) -> InvitationPage | None:
    """The invitation of this id, for somebody who showed its token before. None as above."""
    return _page(Invitation.objects.filter(pk=pk), viewer)


def _page(found: QuerySet[Invitation], viewer: Player | None) -> InvitationPage | None:
    one = found.select_related("challenge__challenger").first()
    if one is None:
        return None
    open_one = one.challenge.state == Challenge.State.OPEN
    if one.challenge.state == Challenge.State.EXPIRED or (open_one and timezone.now() >= one.challenge.stands_until):
        return None
    line = challenge_told(one.challenge_id, viewer)
    if line is None:
        return None
    own, stands = viewer == one.challenge.challenger, open_one and may_play(one.challenge.challenger)
    refused = addresses.is_refused(one.address)
    hindrance = _hindrance(one.challenge, viewer) if stands else ""
    may = set()
    accepted = viewer is not None and one.challenge.acceptances.filter(player=viewer).exists()
    declined = one.declined_at is not None or one.challenge.state == Challenge.State.DECLINED
    if stands and not own and not accepted and not declined:
        may = {"decline", "refuse"} if hindrance else {"accept", "decline", "refuse"}
    elif declined and not own and not refused:
        may = {"refuse"}
    return InvitationPage(
        pk=one.pk,
        challenge=line,
        own=own,
        accepted=accepted,
        refused=refused,
        declined=declined,
        hindrance=hindrance,
        may=frozenset(may),
    )


def _hindrance(challenge: Challenge, viewer: Player | None) -> str:
    if viewer is None:
        return ""
    if viewer == challenge.challenger:
        return _("This is your own invitation: somebody else has to accept it.")
    if not may_play(viewer):
        return _("Your account is suspended or being closed: you may look at games, but not start one.")
    return _("You cannot play with this player.") if are_apart(viewer, challenge.challenger) else ""


def address_of(invitation_id: int) -> str:
    """The address that was invited."""
    return Invitation.objects.values_list("address", flat=True).get(pk=invitation_id)


def owner_of(address: str) -> Player | None:
    """The player who has confirmed this address as his."""
    confirmed = Q(emailaddress__email__iexact=address, emailaddress__verified=True)
    return Player.objects.filter(confirmed).first()
