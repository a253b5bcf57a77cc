"""A game under watch: its players, a clock that may be wrong, two workers, a broker; and what is true of it after every step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, ClassVar
from unittest.mock import patch
from uuid import uuid4

import time_machine
from django.core import mail
from django.test import override_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant

from accounts.models import Player
from games import timing
from games.models import Game, Pulse, Secret
from games.rules import registry
from games.rules.ruleset import AnyRuleset
from games.services import check, moves, projection, pulse, reflection
from games.services.errors import Refused
from games.services.log import Answer
from games.services.reflection import Ticks
from notifications import sources
from notifications.models import Letter, LetterQuerySet
from notifications.sources import Waiting
from tests.factories import GameFactory, ModeratorFactory, PlayerFactory
from tests.games.owed import Expected

START = datetime(2026, 1, 1, tzinfo=UTC)
ABSENT = "redis+socket:///nowhere/redis.sock"


class Watched(RuleBasedStateMachine):
    """A game of `seats` players, with the wall clock and the two workers that watch over it."""

    ruleset: ClassVar[str]
    seats: ClassVar[int]

    def __init__(self) -> None:
        super().__init__()
        self.now = START
        self.monotonic = 0.0
        self.workers = (Ticks(), Ticks())
        self.broker = True
        self.sent: list[tuple[dict[str, Any], Answer, int]] = []
        self.undone: list[dict[str, Any]] = []
        self.looked_at: object = None

    @initialize(luck=st.integers(0, 2**32))
    def begin(self, luck: int) -> None:
        self.luck = Random(luck)
        mail.outbox.clear()
        Pulse.objects.all().delete()
        Secret.objects.all().delete()  # one luck may come in two games
        with self.clock():
            self.players: list[Player] = PlayerFactory.create_batch(self.seats)
            self.moderator = ModeratorFactory.create()
            self.game: Game = GameFactory.create(players=self.players, ruleset=self.ruleset, reflection=timedelta(days=1))
        self.playing_by: AnyRuleset = registry.get(self.ruleset)

    @contextmanager
    def clock(self, wrong: timedelta = timedelta()) -> Iterator[None]:
        with (
            time_machine.travel(self.now + wrong, tick=False),
            patch("games.services.chance.token_bytes", self.luck.randbytes),
            override_settings(**({} if self.broker else {"REDIS_URL": ABSENT})),
        ):
            yield

    def attempt(self, act: Callable[[], object]) -> object | None:
        """The answer, or None for a refusal, which must have changed nothing."""
        head = self.game.head
        try:
            with self.clock():
                return act()
        except Refused:
            self.game.refresh_from_db()
            assert self.game.head == head
            return None
        finally:
            self.game.refresh_from_db()
            self.undone += [submission for submission, _answer, plies in self.sent if plies > self.game.plies]
            self.sent = [one for one in self.sent if one[2] <= self.game.plies]

    def submit(self, text: str, seat: int, position_number: int) -> Answer | None:
        submission: dict[str, Any] = {
            "game": self.game.pk,
            "seat": seat,
            "text": text,
            "position_number": position_number,
            "via": "web",
            "key": uuid4().hex,
        }
        answer = self.attempt(lambda: moves.play_move(**submission))
        if isinstance(answer, Answer):
            if not answer.same:
                self.sent.append((submission, answer, self.game.plies))
            return answer
        return None

    def paused(self) -> bool:
        return self.running() and self.game.deadline is None

    def running(self) -> bool:
        return self.game.ended_at is None

    def in_time(self, *, seconds: int = 0) -> bool:
        return self.game.deadline is None or self.now + timedelta(seconds=seconds) < self.game.deadline

    def time_passes(self, span: timedelta) -> None:
        self.now += span
        self.monotonic += span.total_seconds()

    def tick(self, worker: Ticks, *, web: bool = True, wrong: timedelta = timedelta()) -> None:
        """A second passes, a worker looks at a clock that may be wrong."""
        self.time_passes(timedelta(seconds=1))
        seen = self.now + wrong
        pulse.beat("web", seen if web else seen - timedelta(hours=1))
        with self.clock(wrong):
            reflection.sweep(now=seen, monotonic=self.monotonic, memory=worker)
        self.game.refresh_from_db()

    def warnings(self) -> LetterQuerySet:
        return Letter.objects.filter(kind="warning", about__game=self.game.pk)

    def is_warned(self) -> bool:
        """Whether a warning takes the place of the letter of the turn."""
        deadline = self.game.deadline.isoformat() if self.game.deadline else "none"
        return self.warnings().filter(about__deadline=deadline).exclude(state__in=["dropped", "failed"]).exists()

    def wanted(self, letters: Iterable[Letter]) -> set[str]:
        told = [(one.source, Waiting(one.key, one.kind, one.about, one.recipient, one.created_at)) for one in letters]
        with self.clock():
            return {letter.key for source, letter in told if sources.find(source).still_wanted(letter)}

    # -- what is always true -----------------------------------------------------------------------------------------

    def kept(self) -> object:
        """All that the database holds of the game."""
        letters = Letter.objects.filter(about__game=self.game.pk).order_by("pk").values_list("key", "state")
        parts = (self.game.seat_set, self.game.proposals, self.game.entries)
        rows = [list(part.order_by("pk").values_list()) for part in parts]
        return {**self.game.__dict__, "_state": None}, rows, list(letters)

    @invariant()
    def what_has_changed_is_as_it_should_be(self) -> None:
        """Half of all steps change nothing: then what was read before it still holds."""
        self.game.refresh_from_db()
        if self.looked_at != (kept := self.kept()):
            self.looked_at = kept
            self.the_log_is_a_legal_game_and_the_projection_its_fold()
            self.one_deadline_runs_and_none_after_the_end()
            self.everything_that_happens_has_its_letter_and_only_what_stands_is_wanted()

    def the_log_is_a_legal_game_and_the_projection_its_fold(self) -> None:
        lost = not self.game.standing
        found = check.disagreements(self.playing_by, self.game)
        assert [one for one in found if not (lost and one.startswith("standing is {}"))] == []

    def one_deadline_runs_and_none_after_the_end(self) -> None:
        assert (self.game.to_move is None) == (self.game.ended_at is not None)
        standing = projection.read(self.playing_by, self.game, projection.entries_of(self.game)).standing
        assert (self.game.deadline is None) == (self.game.to_move is None or bool(standing.paused))

    def everything_that_happens_has_its_letter_and_only_what_stands_is_wanted(self) -> None:
        seats = dict(self.game.seat_set.values_list("number", "player_id"))
        expected = Expected(self.game.pk, seats)
        course = projection.read(self.playing_by, self.game, ())
        for entry in projection.entries_of(self.game):
            before = course.standing
            course.take(self.playing_by, entry)
            expected.hear(entry, before, course.standing, self.playing_by.to_move(course.standing.position))
        about = Letter.objects.filter(about__game=self.game.pk).exclude(key__startswith="challenge:").exclude(kind="warning")
        letters = list(about.select_related("recipient"))
        assert {letter.key for letter in letters} == expected.owed
        if self.is_warned():
            expected.turn = set()
        assert expected.wanted == self.wanted(letters)
        assert all(letter.recipient_id == seats[letter.about["seat"]] for letter in letters)

    @invariant()
    def a_warning_comes_in_the_last_fifth_of_a_deadline_and_is_wanted_while_that_stands(self) -> None:
        for letter in self.warnings().select_related("recipient"):
            deadline = datetime.fromisoformat(letter.about["deadline"])
            warn_at = timing.warning(deadline, timedelta(seconds=self.game.reflection))
            assert warn_at is not None
            assert letter.created_at >= warn_at
            stands = (self.game.deadline, self.game.to_move) == (deadline, letter.about["seat"])
            assert bool(self.wanted([letter])) == (stands and self.now < deadline)
