"""Invitations: what whoever holds the link of the letter may do. The link, checked by the caller, is the authority."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Player
from games.models import Challenge, Invitation
from games.services import waiting
from games.services.errors import ChallengeClosed, Gone
from notifications import addresses


def accept_invitation(*, invitation_id: int, player: Player) -> Challenge:
    """The player takes the seat, and the game starts (`challenge.game`). Again by the same player: the same game (L4).

    Raises Gone, NotAllowed (own, suspended, blocked), ChallengeClosed.
    """
    try:
        with transaction.atomic(durable=True):
            challenge = waiting.locked(_invitation(invitation_id).challenge_id)
            waiting.take_seat(challenge, player, timezone.now(), asked=True)
            return challenge
    except IntegrityError as clash:
        raise ChallengeClosed from clash


def decline_invitation(*, invitation_id: int) -> Challenge:
    """Says no; the challenger is told, of one of several in the room alone. Again: the same. Raises Gone, ChallengeClosed."""
    with transaction.atomic(durable=True):
        return _decline(_invitation(invitation_id))


def refuse_invitation(*, invitation_id: int) -> Challenge:
    """Says no, and nobody invites the address again. Possible after a simple no as well. Raises Gone, ChallengeClosed."""
    with transaction.atomic(durable=True):
        invitation = _invitation(invitation_id)
        challenge = _decline(invitation)
        addresses.refuse(invitation.address)
        return challenge


def _decline(invitation: Invitation) -> Challenge:
    """To a larger table the others may come all the same."""
    challenge, now = waiting.locked(invitation.challenge_id), timezone.now()
    if challenge.seats == 2:
        waiting.decline(challenge, now, by=None)
    elif invitation.declined_at is None:
        if challenge.state != Challenge.State.OPEN or now >= challenge.stands_until:
            raise ChallengeClosed
        Invitation.objects.filter(pk=invitation.pk).update(declined_at=now)
        waiting.begin_if_all_came(challenge, now, by=None)
    return challenge


def _invitation(invitation_id: int) -> Invitation:
    invitation = Invitation.objects.filter(pk=invitation_id).first()
    if invitation is None:
        raise Gone
    return invitation
