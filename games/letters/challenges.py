"""Letters about a challenge: an invitation, a challenge by name, that it was accepted or declined, that it expires or did."""

from __future__ import annotations

from typing import Any, Final

from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.selectors import are_apart
from games import selectors
from games.letters import links
from games.letters.table import context_of, written
from games.models import Challenge, Game, Invitation, LogEntry
from games.rules import entry as kinds
from games.selectors import ChallengeLine
from notifications import addresses
from notifications.message import one_line
from notifications.sources import Rendered, Waiting

SOURCE: Final = "challenges"
INVITATION: Final = "invitation"
CHALLENGE: Final = "challenge"
ACCEPTED: Final = "accepted"
DECLINED: Final = "declined"
EXPIRING: Final = "expiring"
EXPIRED: Final = "expired"
ENOUGH: Final = "enough"
WITHDRAWN: Final = "withdrawn"
BETWEEN: Final = f"\n\n{'-' * 40}\n\n"


class ChallengeLetters:
    """`invitation` to a bare address, `challenge` and later `expiring` to a player who is asked by name, `declined` to the
    challenger, `expired` to all concerned. `enough` tells the challenger that a larger table may begin early, `withdrawn` those
    who had a seat that nothing comes of it. `accepted` tells those who had a seat that the game has begun; the letter of the
    turn tells it to whoever begins."""

    kinds = (INVITATION, CHALLENGE, ACCEPTED, DECLINED, EXPIRING, EXPIRED, ENOUGH, WITHDRAWN)

    def still_wanted(self, letter: Waiting) -> bool:
        """While the challenge is as the letter says, and nobody who reads it wants nothing from who sent it."""
        challenge = Challenge.objects.select_related("challenger").filter(pk=letter.about["challenge"]).first()
        if challenge is None:
            return False
        if letter.kind == ACCEPTED:
            return _waits_at_the_table(letter)
        reader = letter.recipient
        told = {
            DECLINED: Challenge.State.DECLINED,
            EXPIRED: Challenge.State.EXPIRED,
            WITHDRAWN: Challenge.State.WITHDRAWN,
            ENOUGH: Challenge.State.OPEN,
        }
        if letter.kind in told:
            stands = challenge.state == told[letter.kind]
            return stands and (reader is not None or _was_invited(letter))
        stands = challenge.state == Challenge.State.OPEN and timezone.now() < challenge.stands_until
        if not stands or not selectors.may_play(challenge.challenger):
            return False
        if not isinstance(reader, Player):
            return _takes_invitations(letter)
        answered = challenge.acceptances.filter(player=reader).exists() or challenge.declined_by.filter(pk=reader.pk).exists()
        return not answered and selectors.may_play(reader) and not are_apart(reader, challenge.challenger)

    def render(self, letter: Waiting) -> Rendered:
        """In the reader's language and zone; to somebody who is no player, in the challenger's language and in English."""
        reader = letter.recipient if isinstance(letter.recipient, Player) else None
        if letter.kind == ACCEPTED:
            return written(letter, ACCEPTED, context_of)
        if reader is not None:
            link = links.challenge(letter.about["challenge"])
            return _written(letter, reader, [reader.language], link)
        invitation = _invitation_of(letter)
        if invitation is None:
            raise LookupError(f"{letter.key} is about an invitation that does not exist")
        owner = selectors.owner_of(invitation.address)
        languages = [owner.language] if owner else list(dict.fromkeys((invitation.language, "en")))
        link = ""
        if letter.kind == INVITATION:
            link = links.invitation(Invitation.objects.all().mint(invitation.pk))
        return _written(letter, owner, languages, link)


def _waits_at_the_table(letter: Waiting) -> bool:
    """Whether the game goes on, and the reader neither is nor was to move: another letter told that."""
    about, reader = letter.about, letter.recipient
    games = Game.objects.running().filter(
        pk=about["game"], seat__number=about["seat"], seat__player=reader.pk if reader else None
    )
    acted = LogEntry.objects.filter(game=about["game"], seat=about["seat"]).exclude(kind=kinds.JOIN)
    return games.exclude(to_move=about["seat"]).exists() and not acted.exists()


def _invitation_of(letter: Waiting) -> Invitation | None:
    """The invitation that the letter is about; before there could be several, it was not named."""
    invitations = Invitation.objects.filter(challenge=letter.about["challenge"]).select_related("challenge__challenger")
    named = letter.about.get("invitation")
    return (invitations.filter(pk=named) if named else invitations).first()


def _takes_invitations(letter: Waiting) -> bool:
    """Whether the invited address wants letters, as far as we know: it has not declined, is not refused, not of a player who is
    kept apart."""
    invitation = _invitation_of(letter)
    if invitation is None or invitation.declined_at is not None or addresses.is_refused(invitation.address):
        return False
    owner, challenge = selectors.owner_of(invitation.address), invitation.challenge
    if owner is not None and challenge.acceptances.filter(player=owner).exists():
        return False
    return owner is None or (selectors.may_play(owner) and not are_apart(owner, challenge.challenger))


def _was_invited(letter: Waiting) -> bool:
    """Whether an invitation went out, to an address that still takes them."""
    invitation = _invitation_of(letter)
    return invitation is not None and invitation.token_digest != "" and _takes_invitations(letter)


def _written(letter: Waiting, reader: Player | None, languages: list[str], link: str) -> Rendered:
    subjects, texts, bodies = [], [], []
    for language in languages:
        with translation.override(language), timezone.override(reader.zone if reader else "UTC"):
            context = _context(letter, link)
            subjects.append(_subject(letter.kind, context))
            texts.append(render_to_string(f"games/letters/{letter.kind}.txt", context).strip())
            bodies.append((language, render_to_string(f"games/letters/{letter.kind}.html", context)))
    page = {"page": {"title": subjects[0]}, "language": languages[0], "bodies": bodies}
    foot = "\n"
    with translation.override(languages[0]):
        # Whoever is written to under a bare address has nothing to choose there, or may not know of the account.
        if letter.recipient is not None:
            page["letters_url"] = links.letters()
            foot = render_to_string(links.FOOT, page)
        html = render_to_string("games/letters/bodies.html", page)
    return Rendered(subject=" / ".join(subjects), text=BETWEEN.join(texts) + foot, html=html)


def _context(letter: Waiting, link: str) -> dict[str, Any]:
    reader = letter.recipient if isinstance(letter.recipient, Player) else None
    challenge = selectors.challenge_told(letter.about["challenge"], reader)
    if challenge is None:
        raise LookupError(f"{letter.key} is about a challenge that does not exist")
    return {
        "challenge": challenge,
        "who": one_line(challenge.challenger),
        "reader": one_line(reader.name) if reader else "",
        "opponent": one_line(_who_declined(letter) or challenge.opponent or challenge.address),
        "link": link,
        "game_before": links.game(challenge.rematch_of) if challenge.rematch_of is not None else "",
    }


def _who_declined(letter: Waiting) -> str:
    by = letter.about.get("by")
    return Player.objects.get(pk=by).name if by else ""


def _subject(kind: str, context: dict[str, Any]) -> str:
    challenge: ChallengeLine = context["challenge"]
    told = {"who": context["who"], "title": challenge.title}
    subjects = {
        INVITATION: _("%(who)s invites you to a game: %(title)s"),
        CHALLENGE: _("%(who)s offers you a rematch: %(title)s")
        if challenge.rematch_of
        else _("%(who)s challenges you: %(title)s"),
        DECLINED: _("Your challenge was declined: %(title)s"),
        EXPIRING: _("A challenge waits for your answer: %(title)s"),
        EXPIRED: _("A challenge has expired: %(title)s"),
        ENOUGH: _("You may begin: %(title)s"),
        WITHDRAWN: _("A game was called off before it began: %(title)s"),
    }
    return subjects[kind] % told
