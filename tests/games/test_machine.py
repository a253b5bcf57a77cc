"""Whatever happens in whatever order: the log stays a legal game, its projection true, and everybody gets his letters.

Hypothesis plays a game through the services: moves, several plies, wrong and repeated submissions, proposals, leaving, time
that passes, sweeps of two workers, letters that go out, clocks that jump, a broker that is away, a cache that is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from email import message_from_bytes
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from games.models import Game
from games.rules.ruleset import AnyRuleset
from games.services import adjudicate, moves, proposals
from games.services.errors import KeyReused, TakenBack
from games.services.log import Answer
from games.services.reflection import Ticks
from notifications import delivery
from notifications.models import Letter
from tests.games.watched import Watched

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.locking]

GAMES = settings(max_examples=settings().max_examples // 3)
"""A whole game takes as long as many examples of anything else."""
picks = st.integers(0, 999)


class Service(Watched):
    """All that may happen to a game."""

    # -- what players do ---------------------------------------------------------------------------------------------

    @precondition(Watched.running)
    @rule(pick=picks, plies=st.integers(1, 3))
    def play(self, pick: int, plies: int) -> None:
        """The seat to move sends one ply, or as many of its turn as it wants."""
        position, seat = self.playing_by.load(self.game.position), self.game.to_move
        turn, chosen = self.playing_by.turn(position), list[str]()
        while len(chosen) < (plies if self.playing_by.facts.joiner else 1):
            if self.playing_by.to_move(position) != seat or self.playing_by.turn(position) != turn:
                break
            legal = list(self.playing_by.legal_moves(position))
            chosen.append(legal[pick % len(legal)])
            position = self.playing_by.play(position, chosen[-1])
        assert seat is not None
        in_time = self.in_time()
        answer = self.submit(self.playing_by.join(chosen), seat, self.game.position_number)
        assert (answer is not None) == (in_time and not self.paused())
        assert answer is None or answer.moved == tuple(chosen)

    @precondition(Watched.running)
    @rule(pick=picks, behind=st.integers(1, 5))
    def play_late(self, pick: int, behind: int) -> None:
        """A move meant for an older position is what was played there, or nothing."""
        seat, head = pick % self.seats, self.game.head
        legal = list(self.playing_by.legal_moves(self.playing_by.load(self.game.position)))
        answer = self.submit(legal[pick % len(legal)], seat, self.game.position_number - behind)
        assert answer is None or answer.same
        assert self.game.head == head

    @precondition(lambda self: self.sent)
    @rule(pick=picks, fresh_key=st.booleans())
    def repeat(self, pick: int, fresh_key: bool) -> None:
        """A double click, a second delivery, another tab: the same submission again is a success that changes nothing."""
        submission, first, _plies = self.sent[pick % len(self.sent)]
        head = self.game.head
        with self.clock():
            again = moves.play_move(**submission | ({"key": uuid4().hex} if fresh_key else {}))
        self.game.refresh_from_db()
        assert (again.moved, again.same, self.game.head) == (first.moved, True, head)

    @precondition(lambda self: self.undone)
    @rule(pick=picks, fresh_key=st.booleans())
    def repeat_what_was_taken_back(self, pick: int, fresh_key: bool) -> None:
        """It is told so, whatever was played since, and nothing is played."""
        submission, head = self.undone[pick % len(self.undone)], self.game.head
        with self.clock(), pytest.raises(TakenBack):
            moves.play_move(**submission | ({"key": uuid4().hex} if fresh_key else {}))
        self.game.refresh_from_db()
        assert self.game.head == head

    @precondition(lambda self: self.sent)
    @rule(pick=picks)
    def reuse_a_key(self, pick: int) -> None:
        submission, _answer, _plies = self.sent[pick % len(self.sent)]
        with self.clock(), pytest.raises(KeyReused):
            moves.play_move(**submission | {"text": "something else"})

    @rule(seat=picks, kind=st.sampled_from(["draw", "stop", "takeback"]))
    def propose(self, seat: int, kind: str) -> None:
        self.attempt(lambda: proposals.propose(game=self.game.pk, seat=seat % self.seats, kind=kind, via="web", key=uuid4().hex))

    @rule(seat=picks, pick=picks, act=st.sampled_from([proposals.agree, proposals.refuse, proposals.withdraw]))
    def answer(self, seat: int, pick: int, act: Callable[..., Answer]) -> None:
        offered = [row.number for row in self.game.proposals.all()] or [1]
        number = offered[-1 - pick % len(offered)]
        self.attempt(lambda: act(game=self.game.pk, seat=seat % self.seats, number=number, via="web", key=uuid4().hex))

    @rule(seat=picks)
    def take_back(self, seat: int) -> None:
        """A seat asks for its last turn, and all the others agree at once: it is to move again, in time, and nothing else."""
        seat, plies = seat % self.seats, self.game.plies
        asked: dict[str, Any] = {"game": self.game.pk, "seat": seat, "kind": "takeback", "via": "web"}
        if self.attempt(lambda: proposals.propose(**asked, key=uuid4().hex)) is None:
            return
        number = self.game.proposals.get(kind="takeback", seat=seat, state="open").number
        for other in {*range(self.seats)} - {seat}:
            given = {"game": self.game.pk, "seat": other, "number": number, "via": "web", "key": uuid4().hex}
            self.attempt(partial(proposals.agree, **given))
        assert self.game.to_move == seat
        assert self.game.plies < plies
        assert self.game.turn_number == self.game.position_number == self.game.head
        assert self.in_time()

    @rule(pick=picks)
    def leave(self, pick: int) -> None:
        """Now and then somebody resigns or calls the game off."""
        act: Callable[..., Answer] = moves.resign if pick % 2 else moves.abort_game
        if pick < 100:
            self.attempt(lambda: act(game=self.game.pk, seat=pick % self.seats, via="web", key=uuid4().hex))

    # -- what those do who rule -------------------------------------------------------------------------------------

    def rule_on(self, act: Callable[..., Answer], **given: Any) -> None:
        self.attempt(lambda: act(game=self.game.pk, by=self.moderator, reason="Because.", key=uuid4().hex, **given))

    @rule(seconds=st.integers(1, 90_000))
    def give_time(self, seconds: int) -> None:
        self.rule_on(adjudicate.extend_deadline, seconds=seconds, head=self.game.head)

    @rule(pick=picks)
    def adjudicate(self, pick: int) -> None:
        """Now and then."""
        verdict = ("draw", "annul", "win:0", "win:1")[pick % 4]
        if pick < 150:
            self.rule_on(adjudicate.adjudicate, verdict=verdict, head=self.game.head)

    @precondition(lambda self: not self.running())
    @rule()
    def take_back_the_end(self) -> None:
        self.rule_on(adjudicate.take_back, number=self.game.head)

    @rule(pick=picks, again=st.booleans())
    def suspend_or_restore(self, pick: int, again: bool) -> None:
        player = self.players[pick % self.seats]
        player.suspended_at = None if player.suspended_at else self.now
        player.save(update_fields=["suspended_at"])
        act = adjudicate.pause_games if player.suspended_at else adjudicate.resume_games
        for _ in range(1 + again):
            self.attempt(lambda: act(player=player))

    # -- what happens around them ------------------------------------------------------------------------------------

    @rule(span=st.sampled_from([timedelta(seconds=30), timedelta(hours=7), timedelta(hours=23, minutes=59), timedelta(days=1)]))
    def a_while_passes(self, span: timedelta) -> None:
        self.time_passes(span)

    @rule(workers=st.lists(st.sampled_from([0, 1]), min_size=1, max_size=4), web=st.booleans())
    def sweep(self, workers: list[int], web: bool) -> None:
        """Ticks of one or both workers. While no web process lives they end nothing."""
        overdue, head = not self.in_time(seconds=len(workers)), self.game.head
        for worker in workers:
            self.tick(self.workers[worker], web=web)
        assert self.game.head == head or (web and overdue)

    @precondition(Watched.running)
    @rule()
    def a_worker_restarts(self) -> None:
        """Its second tick ends what was due at its first (D3), and nothing else."""
        fresh, head = Ticks(), self.game.head
        self.tick(fresh)
        overdue = not self.in_time()
        assert self.game.head == head
        self.tick(fresh)
        assert (self.game.head != head) == overdue
        self.workers = (self.workers[1], fresh)

    @precondition(Watched.running)
    @rule(ahead=st.booleans())
    def the_clock_is_wrong_for_a_tick(self, ahead: bool) -> None:
        """D16: a year ahead or back, then right again. It costs nobody a game, though the web server believes it, too."""
        head, year, warned = self.game.head, timedelta(days=365), self.warnings().count()
        for worker in self.workers:
            self.tick(worker, wrong=year if ahead else -year)
        assert self.warnings().count() == warned
        for worker in (*self.workers, *self.workers):
            self.tick(worker)
        assert self.game.head == head

    @rule(workers=st.integers(1, 3))
    def the_post_goes(self, workers: int) -> None:
        """However many workers look at the outbox, and however often: each letter goes out once."""
        with self.clock():
            for _ in range(workers):
                delivery.deliver_waiting()
        ids = [message_from_bytes(message.message().as_bytes())["Message-ID"] for message in mail.outbox]
        assert len(ids) == len({*ids}) == Letter.objects.filter(state=Letter.State.SENT, message_id__in=ids).count()

    @rule(broker=st.booleans())
    def redis_comes_and_goes(self, broker: bool) -> None:
        self.broker = broker

    @rule()
    def cache_is_lost(self) -> None:
        Game.objects.filter(pk=self.game.pk).update(standing={})


class MangalaService(Service):
    ruleset, seats = "mangala", 2


class ToyService(Service):
    ruleset, seats = "toy", 4


class OpenToyService(Service):
    ruleset, seats = "open_toy", 3


def test_two_play_mangala_through_everything_that_may_happen() -> None:
    run_state_machine_as_test(MangalaService, settings=GAMES)


def test_four_play_with_hidden_hands_chance_answers_out_of_turn_and_time_outs(toy: AnyRuleset) -> None:
    run_state_machine_as_test(ToyService, settings=GAMES)


def test_three_play_with_open_hands_where_turns_may_be_taken_back_until_a_card_falls(open_toy: AnyRuleset) -> None:
    run_state_machine_as_test(OpenToyService, settings=GAMES)
