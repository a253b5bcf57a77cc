"""The waiting room of a challenge for more than two, by its owner's hand: who is invited, and whether it begins early."""

from __future__ import annotations

from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Player
from accounts.selectors import addresses_of
from games import selectors
from games.models import Acceptance, Challenge
from games.rules import registry
from games.rules.phrase import phrase
from games.services import waiting
from games.services.errors import BadTerms, ChallengeClosed, Gone, NotAllowed

MOST_INVITED: Final = 40
"""So many addresses are invited to one table at most: who does not come makes room for another."""


def begin_early(*, challenge_id: int, player: Player) -> Challenge:
    """Starts the game with those who have joined, if they are enough. Again: the same game. Raises Gone, NotAllowed,
    ChallengeClosed."""
    with transaction.atomic(durable=True):
        challenge = _own(challenge_id, player)
        if challenge.state == Challenge.State.STARTED:
            return challenge
        now = timezone.now()
        _require_open(challenge)
        joined = list(challenge.acceptances.all())
        present = waiting.locked_players(waiting.seated_players(challenge))
        if not selectors.may_play(present[player.pk]):
            raise NotAllowed(waiting.CANNOT_PLAY)
        if len(joined) < registry.get(challenge.ruleset).facts.seats[0]:
            raise NotAllowed(phrase("There are not enough players yet."))
        waiting.begin(challenge, waiting.holders(joined, present), now, by=player)
        return challenge


def invite(*, challenge_id: int, player: Player, address: str) -> Challenge:
    """Sends an invitation to one more address. The same address again: nothing new. Whether it is a player's, or takes
    invitations, makes no difference here. Raises Gone, NotAllowed, BadTerms, ChallengeClosed."""
    address = address.strip().lower()
    if address in [own.lower() for own in addresses_of(player)]:
        raise BadTerms(phrase("You cannot challenge yourself."))
    try:
        with transaction.atomic(durable=True):
            challenge = _own(challenge_id, player)
            _require_open(challenge)
            if challenge.invitations.filter(address=address).exists():
                return challenge
            if not selectors.may_play(waiting.locked_players([player.pk])[player.pk]):
                raise NotAllowed(waiting.CANNOT_PLAY)
            if challenge.invitations.count() >= MOST_INVITED:
                raise NotAllowed(phrase("You have invited many to this game. Please wait for their answers."))
            waiting.require_new(player, address)
            waiting.invite(challenge, address, language=player.language)
            return challenge
    except IntegrityError as clash:
        raise ChallengeClosed from clash


def add_computer(*, challenge_id: int, player: Player, level: int) -> Challenge:
    """Gives a seat to a computer of a level; if it was the last one, the game begins. Raises Gone, NotAllowed,
    ChallengeClosed."""
    try:
        with transaction.atomic(durable=True):
            challenge, now = _own(challenge_id, player), timezone.now()
            _require_open(challenge)
            taken = list(challenge.acceptances.all())
            present = waiting.locked_players(waiting.seated_players(challenge))
            if not selectors.may_play(present[player.pk]):
                raise NotAllowed(waiting.CANNOT_PLAY)
            place = waiting.free_place(challenge, taken)
            taken.append(Acceptance.objects.create(challenge=challenge, engine=level, place=place, at=now))
            if len(taken) == challenge.seats:
                waiting.begin(challenge, waiting.holders(taken, present), now, by=player)
            return challenge
    except IntegrityError as clash:
        raise ChallengeClosed from clash


def send_computer_away(*, challenge_id: int, player: Player) -> bool:
    """Takes the seat of the computer that came last; whether there was one. Raises Gone, ChallengeClosed."""
    with transaction.atomic(durable=True):
        challenge = _own(challenge_id, player)
        _require_open(challenge)
        last = challenge.acceptances.filter(engine__isnull=False).order_by("place").last()
        if last is not None:
            last.delete()
        return last is not None


def _own(challenge_id: int, player: Player) -> Challenge:
    """The player's challenge for more than two, locked. Raises Gone."""
    challenge = waiting.locked(challenge_id)
    if challenge.challenger_id != player.pk or (challenge.seats == 2 and challenge.state != Challenge.State.STARTED):
        raise Gone
    return challenge


def _require_open(challenge: Challenge) -> None:
    if challenge.state != Challenge.State.OPEN or timezone.now() >= challenge.stands_until:
        raise ChallengeClosed
