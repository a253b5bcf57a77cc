"""Rulings: who may make them, what they do to game, log, letters and audit, and that they can be reversed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.models import AuditEntry, Player, Reason
from games import selectors
from games.models import Game
from games.rules import record as records
from games.rules import registry, replay
from games.services import adjudicate, moves
from games.services.errors import (
    BadTerms,
    GameIsOver,
    KeyReused,
    NotAllowed,
    StalePosition,
    TimeIsOver,
)
from notifications.models import Letter
from tests.factories import PlayerFactory, play
from tests.games.court import agreed, ended_by_time, rule, sent, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("charlie_rules")]

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


# -- rulings -------------------------------------------------------------------------------------------------------------


def test_a_deadline_is_extended_and_everybody_reads_why(game: Game, alice: Player, bob: Player, charlie: Player) -> None:
    sent()
    Player.objects.filter(pk__in=(alice.pk, bob.pk)).update(time_zone="Europe/Istanbul")
    before = game.deadline
    assert before is not None
    rule(adjudicate.extend_deadline, game, charlie, seconds=7200, reason="The site was slow.")
    assert game.deadline == before + 2 * HOUR
    told = sent()
    assert {letter["To"] for letter in told} == {alice.email, bob.email}
    for letter in told:
        for kind in ("plain", "html"):
            assert "gave 2 hours more for this turn" in text(letter, kind)
            assert "The reason: The site was slow." in text(letter, kind)
            assert f"{game.deadline:%Y-%m-%d %H:%M} UTC" in text(letter, kind)
            assert f"{game.deadline + 3 * HOUR:%H:%M}" in text(letter, kind)
    assert agreed()


def test_R12_no_letter_tells_of_more_time_for_a_turn_that_is_over(
    game: Game, alice: Player, bob: Player, charlie: Player
) -> None:
    sent()
    rule(adjudicate.extend_deadline, game, charlie, seconds=7200)
    play(game, "1")
    assert [(letter["To"], "it is your turn" in text(letter)) for letter in sent()] == [(bob.email, True)]


def test_letters_tell_no_ruling_that_was_undone_and_what_was_played_before_it(game: Game, alice: Player, charlie: Player) -> None:
    ended_by_time(game)
    rule(adjudicate.take_back, game, charlie, number=game.head)
    rule(adjudicate.adjudicate, game, charlie, verdict="win:1")
    sent()
    rule(adjudicate.take_back, game, charlie, number=game.head)
    [told] = [text(letter) for letter in sent() if letter["To"] == alice.email]
    assert "took back the end of the game" in told
    assert "Bob played 1." in told
    assert "time ran out" not in told
    assert "wins" not in told


@pytest.mark.parametrize(
    ("verdict", "result", "termination", "points"),
    [
        ("win:0", "1-0", "adjudication", [2, 0]),
        ("win:1", "0-1", "adjudication", [0, 2]),
        ("draw", "1/2-1/2", "adjudication", [1, 1]),
        ("annul", "*", "annulled", [None, None]),
    ],
)
def test_a_game_is_adjudicated(
    game: Game, charlie: Player, verdict: str, result: str, termination: str, points: list[int | None]
) -> None:
    rule(adjudicate.adjudicate, game, charlie, verdict=verdict)
    assert (game.result, game.termination, game.deadline, game.to_move) == (result, termination, None, None)
    assert list(game.seat_set.values_list("points", flat=True)) == points
    assert agreed()


def test_F40_a_ruling_has_its_reason_in_log_letters_audit_page_and_record(game: Game, alice: Player, charlie: Player) -> None:
    sent()
    rule(adjudicate.adjudicate, game, charlie, verdict="win:0", reason="  Stalling,\nthree\u202e times. ")
    reason = "Stalling, three times."
    entry = game.entries.get(kind="adjudicate")
    assert entry.reason is not None
    assert (entry.reason.text, entry.via) == (reason, "moderator")
    [audited] = AuditEntry.objects.filter(subject="game", subject_id=game.pk)
    assert (audited.act, audited.actor, audited.detail, audited.reason) == ("adjudicate", charlie, "win:0", entry.reason)
    told = sent()
    assert len(told) == 2
    assert all("Alice won (by a moderator's ruling)." in text(one) and reason in text(one) for one in told)
    assert not Letter.objects.filter(kind="over").exists()
    seen = selectors.game_page(game.pk, alice)
    assert seen is not None
    assert (seen.log[-1].text, seen.log[-1].reason) == ("decided that Alice wins", reason)
    assert f"<adjudicate win 1> {{{reason}}}" in (selectors.record_of(game.pk, None) or "")
    Reason.objects.update(text="")
    seen = selectors.game_page(game.pk, alice)
    assert seen is not None
    assert seen.log[-1].reason == ""


@pytest.mark.parametrize("end", ["time", "ruling"])
def test_F40_an_end_is_taken_back_with_its_effects(game: Game, alice: Player, bob: Player, charlie: Player, end: str) -> None:
    position = game.position
    if end == "time":
        ended_by_time(game)
    else:
        rule(adjudicate.adjudicate, game, charlie, verdict="win:1")
    sent()
    now = timezone.now() + 5 * DAY
    with time_machine.travel(now, tick=False):
        rule(adjudicate.take_back, game, charlie, number=game.head, reason="Not bob's fault")
    assert (game.position, game.result, game.ended_at, game.to_move) == (position, "*", None, 0)
    assert game.deadline == now + DAY
    assert set(game.seat_set.values_list("points", "score")) == {(None, None)}
    with time_machine.travel(now, tick=False):
        told = sent()
        assert {letter["To"] for letter in told} == {alice.email, bob.email}
        assert ["It is your turn." in text(letter) for letter in told] == [letter["To"] == alice.email for letter in told]
        assert all("Not bob's fault" in text(letter) for letter in told)
        play(game, "2")
    assert agreed()


def test_a_record_with_a_correction_replays(game: Game, charlie: Player) -> None:
    ended_by_time(game)
    rule(adjudicate.take_back, game, charlie, number=game.head)
    play(game, "2")
    rule(adjudicate.adjudicate, game, charlie, verdict="draw")
    text = selectors.record_of(game.pk, None)
    assert text is not None
    [record] = records.read(text, registry.get)
    assert replay.differences(registry.get("mangala"), record) == []


def test_the_letter_of_an_end_that_was_taken_back_is_dropped(game: Game, charlie: Player) -> None:
    ended_by_time(game)
    rule(adjudicate.take_back, game, charlie, number=game.head)
    told = sent()
    assert len(told) == 2
    assert set(Letter.objects.filter(kind="over").values_list("state", flat=True)) == {"dropped"}
    rule(adjudicate.adjudicate, game, charlie, verdict="draw")
    rule(adjudicate.take_back, game, charlie, number=game.head)
    assert len(sent()) == 2
    assert set(Letter.objects.filter(kind="adjudicated").values_list("state", flat=True)) == {"dropped"}


def test_taking_back_the_same_end_again_changes_nothing(game: Game, charlie: Player) -> None:
    ended_by_time(game)
    number = game.head
    rule(adjudicate.take_back, game, charlie, number=number)
    assert rule(adjudicate.take_back, game, charlie, number=number).same
    assert game.entries.filter(kind="correct").count() == 1
    assert AuditEntry.objects.filter(act="take_back").count() == 1


def test_another_end_cannot_be_taken_back(game: Game, charlie: Player) -> None:
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    game.refresh_from_db()
    with pytest.raises(NotAllowed, match="Only a time forfeit or an adjudication"):
        rule(adjudicate.take_back, game, charlie, number=game.head)
    with pytest.raises(StalePosition):
        rule(adjudicate.take_back, game, charlie, number=3)


# -- who, and when -------------------------------------------------------------------------------------------------------


RULINGS: list[tuple[Any, dict[str, Any]]] = [
    (adjudicate.extend_deadline, {"seconds": 60}),
    (adjudicate.adjudicate, {"verdict": "draw"}),
    (adjudicate.take_back, {"number": 4}),
]


@pytest.mark.parametrize(("act", "given"), RULINGS)
def test_S14_nobody_rules_on_a_game_he_plays_in(game: Game, bob: Player, act: Any, given: dict[str, Any]) -> None:
    bob.is_superuser = True
    bob.save()
    with pytest.raises(NotAllowed, match="You play in this game"):
        rule(act, game, bob, **given)
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(("act", "given"), RULINGS)
def test_somebody_without_the_right_rules_on_nothing(game: Game, act: Any, given: dict[str, Any]) -> None:
    with pytest.raises(NotAllowed):
        rule(act, game, PlayerFactory.create(is_staff=True), **given)
    assert not Reason.objects.exists()


@pytest.mark.parametrize("reason", ["", "  \n", "\u202e", "x" * 1001])
@pytest.mark.parametrize(("act", "given"), RULINGS)
def test_a_ruling_needs_a_reason(game: Game, charlie: Player, act: Any, given: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadTerms):
        rule(act, game, charlie, reason=reason, **given)


@pytest.mark.parametrize("verdict", ["", "win", "win:2", "win:-1", "win:x", "lose:0", "win:" + "9" * 5000])
def test_another_verdict_is_refused(game: Game, charlie: Player, verdict: str) -> None:
    with pytest.raises(BadTerms, match="Nobody can rule so"):
        rule(adjudicate.adjudicate, game, charlie, verdict=verdict)


@pytest.mark.parametrize("seconds", [0, -1, 30 * 86400 + 1])
def test_an_impossible_gift_is_refused(game: Game, charlie: Player, seconds: int) -> None:
    with pytest.raises(BadTerms):
        rule(adjudicate.extend_deadline, game, charlie, seconds=seconds)


@pytest.mark.parametrize(("act", "given"), RULINGS[:2])
def test_C8_a_ruling_on_a_position_that_is_gone_is_refused(game: Game, charlie: Player, act: Any, given: dict[str, Any]) -> None:
    seen = game.head
    play(game, "2")
    with pytest.raises(StalePosition, match="look again"):
        rule(act, game, charlie, head=seen, **given)


@pytest.mark.parametrize(("act", "given"), RULINGS[:2])
def test_a_ruling_after_the_end_or_after_the_deadline_is_refused(
    game: Game, charlie: Player, act: Any, given: dict[str, Any]
) -> None:
    assert game.deadline is not None
    with time_machine.travel(game.deadline, tick=False), pytest.raises(TimeIsOver):
        rule(act, game, charlie, **given)
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    with pytest.raises(GameIsOver):
        rule(act, game, charlie, **given)


def test_C17_the_form_of_a_ruling_sent_twice_is_one_ruling(game: Game, charlie: Player) -> None:
    given = {"seconds": 60, "head": game.head, "key": "k"}
    rule(adjudicate.extend_deadline, game, charlie, **given)
    assert rule(adjudicate.extend_deadline, game, charlie, **given).same
    assert AuditEntry.objects.count() == game.entries.filter(kind="clock").count() == 1
    with pytest.raises(KeyReused):
        rule(adjudicate.extend_deadline, game, charlie, **{**given, "seconds": 61})


def test_S5_a_hostile_name_is_inert_in_a_letter_about_a_ruling(game: Game, charlie: Player, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(display_name="\u202eecilA\nBcc: all@example.org")
    rule(adjudicate.extend_deadline, game, charlie, seconds=60)
    letters = sent()
    assert letters
    assert all(letter["Bcc"] is None and "\u202e" not in text(letter) + text(letter, "html") for letter in letters)
