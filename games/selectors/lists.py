"""Lists: a player's games, open challenges."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from accounts.models import Player
from accounts.names import name_key
from games import timing
from games.models import Acceptance, Challenge, Game, Seat
from games.rules import registry
from games.selectors.words import duration, ending, options_in_words
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
    """A challenge in a list or on its page; `may` is what the viewer may do now: accept, decline, withdraw, leave."""

    pk: int
    ruleset: str
    title: str
    options: tuple[tuple[str, str], ...]
    challenger: str
    opponent: str
    seats: int
    taken: tuple[str, ...]
    reflection: str
    begins: str
    public: bool
    state: str
    state_title: str
    game: int | None
    created_at: datetime
    may: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class MyGames:
    """A player's games: `waiting` for him, soonest deadline first; the other running ones; finished; the challenges that wait
    for his answer, and those that he made or takes part in."""

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
    concerned = Q(opponent=player) | Q(challenger=player) | Q(acceptances__player=player) | Q(rematch_of__seat__player=player)
    challenges = _lines(Challenge.objects.open().filter(concerned).distinct().order_by("-created_at"), player)
    return MyGames(
        waiting=tuple(line for line in lines if line.my_turn),
        running=tuple(line for line in lines if not line.my_turn),
        finished=tuple(_line(game, player, now) for game in finished),
        received=tuple(one for one in challenges if "decline" in one.may),
        made=tuple(one for one in challenges if "decline" not in one.may),
    )


def _line(game: Any, player: Player, now: datetime) -> GameLine:
    seats: list[Seat] = game.seated
    mine = next(seat.number for seat in seats if seat.player_id == player.pk)
    return GameLine(
        pk=game.pk,
        title=say(registry.get(game.ruleset).facts.title),
        opponents=", ".join(seat.player.name for seat in seats if seat.number != mine),
        my_turn=game.to_move == mine,
        turn=game.turn,
        deadline=game.deadline,
        left=duration(timing.left(game.deadline, now)) if game.deadline else "",
        ending=ending(game, [seat.player.name for seat in seats]),
        ended_at=game.ended_at,
    )


def open_challenges(*, most: int = 100) -> list[ChallengeLine]:
    """The challenges that anyone may accept, the newest first."""
    return _lines(Challenge.objects.open().to_anyone().order_by("-created_at")[:most], None)


def challenge(pk: int, viewer: Player | None) -> ChallengeLine | None:
    """One challenge; one to a named player, or to the players of a game, is only for them."""
    whole = Challenge.objects.filter(pk=pk)
    asked = Q(pk__in=Challenge.objects.to_anyone())
    if viewer is not None:
        asked |= Q(opponent=viewer) | Q(challenger=viewer) | Q(rematch_of__seat__player=viewer)
    return next(iter(_lines(whole.filter(asked).distinct(), viewer)), None)


def _lines(challenges: QuerySet[Challenge], viewer: Player | None) -> list[ChallengeLine]:
    taken = Prefetch("acceptances", Acceptance.objects.select_related("player"))
    again = Exists(Seat.objects.filter(game=OuterRef("rematch_of"), player=viewer))
    whole = challenges.select_related("challenger", "opponent", "game").prefetch_related(taken).annotate(asked_again=again)
    return [_challenge_line(one, viewer) for one in whole]


def _challenge_line(one: Any, viewer: Player | None) -> ChallengeLine:
    facts = registry.get(one.ruleset).facts
    players = [acceptance.player for acceptance in one.acceptances.all()]
    return ChallengeLine(
        pk=one.pk,
        ruleset=one.ruleset,
        title=say(facts.title),
        options=options_in_words(facts, one.options),
        challenger=one.challenger.name,
        opponent=one.opponent.name if one.opponent else "",
        seats=one.seats,
        taken=tuple(player.name for player in players),
        reflection=duration(timedelta(seconds=one.reflection)),
        begins=one.get_begins_display(),
        public=one.public,
        state=one.state,
        state_title=one.get_state_display(),
        game=one.game.pk if hasattr(one, "game") else None,
        created_at=one.created_at,
        may=_may(one, viewer, players),
    )


def _may(one: Any, viewer: Player | None, taken: list[Player]) -> frozenset[str]:
    if viewer is None or one.state != Challenge.State.OPEN:
        return frozenset()
    if viewer == one.challenger:
        return frozenset({"withdraw"})
    if viewer in taken:
        return frozenset({"leave"})
    if viewer == one.opponent or one.asked_again:
        return frozenset({"accept", "decline"})
    return frozenset({"accept"}) if one.opponent is None and one.rematch_of_id is None else frozenset()


def player_named(name: str) -> Player | None:
    """The active player whose display name looks like this, in whatever case it is written."""
    return Player.objects.filter(name_key=name_key(name), is_active=True).first()


def seat_of(game_id: int, player: Player) -> int | None:
    """The seat that the player has in the game."""
    return Seat.objects.filter(game=game_id, player=player).values_list("number", flat=True).first()
