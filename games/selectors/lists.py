"""Lists: a player's games, open challenges."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from accounts.models import Player
from games import timing
from games.models import Acceptance, Challenge, Game, Seat
from games.rules import registry
from games.rules.phrase import phrase
from games.selectors.words import duration, ending
from games.speech import say

FINISHED_SHOWN = 50


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list, as one of its players sees it."""

    pk: int
    title: str
    opponents: str
    my_turn: bool
    turn: int
    deadline: datetime | None
    left: str
    ending: str
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class ChallengeLine:
    """A challenge in a list or on its page."""

    pk: int
    title: str
    options: tuple[tuple[str, str], ...]
    challenger: str
    challenger_id: int
    opponent: str
    opponent_id: int | None
    seats: int
    taken: tuple[str, ...]
    taken_ids: frozenset[int]
    reflection: str
    begins: str
    public: bool
    state: str
    state_title: str
    game: int | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class MyGames:
    """A player's games: `waiting` for him, soonest deadline first; the other running ones; finished; challenges."""

    waiting: tuple[GameLine, ...]
    running: tuple[GameLine, ...]
    finished: tuple[GameLine, ...]
    received: tuple[ChallengeLine, ...]
    made: tuple[ChallengeLine, ...]


def my_games(player: Player) -> MyGames:
    """Everything of a player, in a number of queries that does not grow."""
    seats = Prefetch("seat_set", Seat.objects.select_related("player"), to_attr="seated")
    running = list(Game.objects.running().of(player).prefetch_related(seats).order_by("deadline"))
    finished = Game.objects.ended().of(player).prefetch_related(seats).order_by("-ended_at")[:FINISHED_SHOWN]
    now = timezone.now()
    lines = [_line(game, player, now) for game in running]
    challenges = _challenges(Q(opponent=player) | Q(challenger=player) | Q(acceptances__player=player))
    return MyGames(
        waiting=tuple(line for line in lines if line.my_turn),
        running=tuple(line for line in lines if not line.my_turn),
        finished=tuple(_line(game, player, now) for game in finished),
        received=tuple(one for one in challenges if one.opponent_id == player.pk),
        made=tuple(one for one in challenges if one.opponent_id != player.pk),
    )


def _line(game: Any, player: Player, now: datetime) -> GameLine:
    seats: list[Seat] = game.seated
    mine = next(seat.number for seat in seats if seat.player_id == player.pk)
    return GameLine(
        pk=game.pk,
        title=say(registry.get(game.ruleset).facts.title),
        opponents=", ".join(seat.player.display_name for seat in seats if seat.number != mine),
        my_turn=game.to_move == mine,
        turn=game.turn,
        deadline=game.deadline,
        left=duration(timing.left(game.deadline, now)) if game.deadline else "",
        ending=ending(game, [seat.player.display_name for seat in seats]),
        ended_at=game.ended_at,
    )


def open_challenges() -> list[ChallengeLine]:
    """The challenges that anyone may accept, the newest first."""
    return _lines(Challenge.objects.open().to_anyone().order_by("-created_at")[:100])


def challenge(pk: int, viewer: Player | None) -> ChallengeLine | None:
    """One challenge; one to a named player is only for the two."""
    found = _lines(Challenge.objects.filter(pk=pk))
    if not found:
        return None
    private_to = (found[0].challenger_id, found[0].opponent_id) if found[0].opponent_id else ()
    return found[0] if not private_to or (viewer is not None and viewer.pk in private_to) else None


def _challenges(which: Q) -> list[ChallengeLine]:
    return _lines(Challenge.objects.open().filter(which).distinct().order_by("-created_at"))


def _lines(challenges: QuerySet[Challenge]) -> list[ChallengeLine]:
    taken = Prefetch("acceptances", Acceptance.objects.select_related("player"))
    whole = challenges.select_related("challenger", "opponent", "game").prefetch_related(taken)
    return [_challenge_line(one) for one in whole]


def _challenge_line(one: Challenge) -> ChallengeLine:
    facts = registry.get(one.ruleset).facts
    players = [acceptance.player for acceptance in one.acceptances.all()]
    return ChallengeLine(
        pk=one.pk,
        title=say(facts.title),
        options=tuple(
            (say(option.title), say(dict(option.offered).get(one.options.get(option.name, option.default), phrase("other"))))
            for option in facts.options
        ),
        challenger=one.challenger.display_name,
        challenger_id=one.challenger_id,
        opponent=one.opponent.display_name if one.opponent else "",
        opponent_id=one.opponent_id,
        seats=one.seats,
        taken=tuple(player.display_name for player in players),
        taken_ids=frozenset(player.pk for player in players),
        reflection=duration(timedelta(seconds=one.reflection)),
        begins=one.get_begins_display(),
        public=one.public,
        state=one.state,
        state_title=one.get_state_display(),
        game=one.game.pk if hasattr(one, "game") else None,
        created_at=one.created_at,
    )


def player_named(name: str) -> Player | None:
    """The active player of this display name, in whatever case it is written."""
    return Player.objects.filter(display_name__iexact=name.strip(), is_active=True).first()


def seat_of(game_id: int, player: Player) -> int | None:
    """The seat that the player has in the game."""
    return Seat.objects.filter(game=game_id, player=player).values_list("number", flat=True).first()
