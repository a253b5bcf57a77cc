"""Challenges: terms that wait for players; the last acceptance starts the one game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Player
from games import timing
from games.models import Acceptance, Challenge, Game, LogEntry, Seat
from games.rules import entry as kinds
from games.rules import registry
from games.rules.entry import OptionValue
from games.rules.phrase import phrase
from games.rules.position import BadOptions
from games.rules.ruleset import complete
from games.services.chance import lot
from games.services.errors import BadTerms, ChallengeClosed, Gone, KeyReused, NotAllowed
from games.services.log import OpenLog
from games.services.projection import read


@dataclass(frozen=True, slots=True)
class Terms:
    """What a challenge offers; `begins` is one of Challenge.Begins."""

    ruleset: str
    reflection: timedelta
    options: Mapping[str, OptionValue]
    seats: int = 2
    begins: str = Challenge.Begins.LOT
    public: bool = True


def open_challenge(*, challenger: Player, terms: Terms, opponent: Player | None = None, key: str) -> Challenge:
    """Offers a game to anyone, or to one player. The same form key and terms again: the same challenge.

    Raises BadTerms, KeyReused.
    """
    options = _checked(terms)
    if opponent is not None:
        if terms.seats != 2:
            raise BadTerms(phrase("A challenge to one player is a game of two."))
        if opponent == challenger:
            raise BadTerms(phrase("You cannot challenge yourself."))
        if not opponent.is_active:
            raise BadTerms(phrase("This player cannot be challenged."))
    try:
        return _open(challenger, terms, options, opponent, key)
    except IntegrityError:
        made = Challenge.objects.get(challenger=challenger, key=key)
    if _terms_of(made) != replace(terms, options=options) or made.opponent_id != (opponent and opponent.pk):
        raise KeyReused
    return made


def _checked(terms: Terms) -> dict[str, OptionValue]:
    try:
        ruleset = registry.get(terms.ruleset)
        options = complete(ruleset.facts, terms.options)
        ruleset.start(options, terms.seats)
    except registry.UnknownRuleset:
        raise BadTerms(phrase("There is no such game.")) from None
    except BadOptions as bad:
        raise BadTerms(bad.said) from bad
    for option in ruleset.facts.options:
        if options[option.name] not in [value for value, _title in option.offered]:
            raise BadTerms(phrase("%(option)s: this choice is not offered.", option=option.title))
    if not ruleset.facts.seats[0] <= terms.seats <= ruleset.facts.seats[1]:
        raise BadTerms(phrase("This game is not played by so many."))
    if not timing.SHORTEST <= terms.reflection <= timing.LONGEST:
        raise BadTerms(phrase("The reflection time is from 2 minutes to 30 days a turn."))
    if terms.begins not in Challenge.Begins.values:
        raise BadTerms(phrase("Say who begins."))
    return options


def _terms_of(made: Challenge | Game, begins: str = Challenge.Begins.LOT) -> Terms:
    return Terms(
        ruleset=made.ruleset,
        options=made.options,
        seats=made.seats,
        reflection=timedelta(seconds=made.reflection),
        begins=made.begins if isinstance(made, Challenge) else begins,
        public=made.public,
    )


def _open(
    challenger: Player,
    terms: Terms,
    options: Mapping[str, OptionValue],
    opponent: Player | None,
    key: str,
    rematch_of: Game | None = None,
) -> Challenge:
    """Raises IntegrityError when the key was used before, or the rematch is offered already."""
    now = timezone.now()
    with transaction.atomic(durable=True):
        challenge = Challenge.objects.create(
            challenger=challenger,
            opponent=opponent,
            ruleset=terms.ruleset,
            ruleset_version=registry.get(terms.ruleset).facts.version,
            options=dict(options),
            seats=terms.seats,
            reflection=int(terms.reflection.total_seconds()),
            begins=terms.begins,
            public=terms.public,
            key=key,
            rematch_of=rematch_of,
            created_at=now,
        )
        Acceptance.objects.create(challenge=challenge, player=challenger, place=0, at=now)
        return challenge


def accept_challenge(*, challenge_id: int, player: Player) -> Challenge:
    """Takes a seat; the last one starts the game (`challenge.game`). Again by the same player: the same challenge.

    Raises Gone, NotAllowed, ChallengeClosed.
    """
    try:
        with transaction.atomic(durable=True):
            challenge = _locked(challenge_id)
            taken = {one.place: one.player for one in challenge.acceptances.select_related("player")}
            if player == challenge.challenger:
                raise NotAllowed(phrase("This is your own challenge: somebody else has to accept it."))
            if player in taken.values():
                return challenge
            if not _is_asked(challenge, player):
                raise Gone
            # A challenge of somebody who has left the service is gone (F41).
            if challenge.state != Challenge.State.OPEN or not challenge.challenger.is_active:
                raise ChallengeClosed
            now = timezone.now()
            place = min(set(range(challenge.seats)) - taken.keys())
            Acceptance.objects.create(challenge=challenge, player=player, place=place, at=now)
            taken[place] = player
            if len(taken) == challenge.seats:
                _start(challenge, [taken[place] for place in sorted(taken)], now)
            return challenge
    except IntegrityError as clash:
        raise ChallengeClosed from clash


def decline_challenge(*, challenge_id: int, player: Player) -> Challenge:
    """The named opponent says no (of a rematch: any other player of the game). Raises Gone, ChallengeClosed."""
    with transaction.atomic(durable=True):
        challenge = _locked(challenge_id)
        to_anyone = challenge.opponent_id is None and challenge.rematch_of_id is None
        if to_anyone or player == challenge.challenger or not _is_asked(challenge, player):
            raise Gone
        return _close(challenge, Challenge.State.DECLINED)


def withdraw_challenge(*, challenge_id: int, player: Player) -> Challenge:
    """The challenger takes it back; another who has accepted takes back his acceptance. Raises Gone, ChallengeClosed."""
    with transaction.atomic(durable=True):
        challenge = _locked(challenge_id)
        if player == challenge.challenger:
            return _close(challenge, Challenge.State.WITHDRAWN)
        acceptance = challenge.acceptances.filter(player=player)
        if not acceptance:
            raise Gone
        if challenge.state != Challenge.State.OPEN:
            raise ChallengeClosed
        acceptance.delete()
        return challenge


def offer_rematch(*, game_id: int, player: Player) -> Challenge:
    """The same terms again with seats exchanged (for more than two: turned by one). When another player of the game has
    offered it already, accepts that. Raises Gone, NotAllowed, ChallengeClosed."""
    game = Game.objects.filter(pk=game_id).first()
    if game is None:
        raise Gone
    seated = _turned(game)
    if player not in seated:
        raise Gone
    if game.ended_at is None:
        raise NotAllowed(phrase("A rematch is possible when the game is over."))
    begins = Challenge.Begins.CHALLENGER if seated[0] == player else Challenge.Begins.OPPONENT
    opponent = next(one for one in seated if one != player) if game.seats == 2 else None
    offered = game.rematches.filter(state__in=(Challenge.State.OPEN, Challenge.State.STARTED)).first()
    if offered is None:
        try:
            return _open(player, _terms_of(game, begins), game.options, opponent, f"rematch:{uuid4().hex}", game)
        except IntegrityError:
            # Somebody else pressed at the same moment: one rematch of a game is a constraint.
            offered = game.rematches.filter(state__in=(Challenge.State.OPEN, Challenge.State.STARTED)).first()
    if offered is None:
        raise ChallengeClosed
    if offered.challenger == player:
        return offered
    return accept_challenge(challenge_id=offered.pk, player=player)


def _locked(challenge_id: int) -> Challenge:
    challenge = Challenge.objects.select_for_update(no_key=True).filter(pk=challenge_id).first()
    if challenge is None:
        raise Gone
    return challenge


def _is_asked(challenge: Challenge, player: Player) -> bool:
    if challenge.opponent_id is not None:
        return challenge.opponent_id == player.pk
    if challenge.rematch_of_id is not None:
        return Seat.objects.filter(game=challenge.rematch_of_id, player=player).exists()
    return True


def _close(challenge: Challenge, state: Challenge.State) -> Challenge:
    if challenge.state != state:
        if challenge.state != Challenge.State.OPEN:
            raise ChallengeClosed
        challenge.state, challenge.closed_at = state, timezone.now()
        challenge.save(update_fields=["state", "closed_at"])
    return challenge


def _start(challenge: Challenge, players: list[Player], now: datetime) -> None:
    game = Game.objects.create(
        challenge=challenge,
        ruleset=challenge.ruleset,
        ruleset_version=challenge.ruleset_version,
        options=challenge.options,
        seats=challenge.seats,
        reflection=challenge.reflection,
        public=challenge.public,
        created_at=now,
    )
    seated = _seated(challenge, players)
    Seat.objects.bulk_create(Seat(game=game, number=number, player=player) for number, player in enumerate(seated))
    log = OpenLog(game, read(registry.get(game.ruleset), game, ()), now)
    via = LogEntry.Via.HOUSE if challenge.begins == Challenge.Begins.LOT else LogEntry.Via.WEB
    for number, player in enumerate(seated):
        log.append(kinds.JOIN, seat=number, text=str(player.pk), via=via)
    log.write()
    challenge.state, challenge.closed_at = Challenge.State.STARTED, now
    challenge.save(update_fields=["state", "closed_at"])


def _seated(challenge: Challenge, players: list[Player]) -> list[Player]:
    """The players by seat: exchanged in a rematch, by lot, or with challenger or (first) opponent in front."""
    if challenge.rematch_of is not None:
        return _turned(challenge.rematch_of)
    if challenge.begins == Challenge.Begins.LOT:
        return lot(players)
    if challenge.begins == Challenge.Begins.OPPONENT:
        return [*players[1:], players[0]]
    return players


def _turned(game: Game) -> list[Player]:
    """The players by seat in a rematch: who sat second begins."""
    first, *others = [seat.player for seat in game.seat_set.select_related("player")]
    return [*others, first]
