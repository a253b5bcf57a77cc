"""Rulings: who may make them, what they do to game, log, letters and audit, and that they can be reversed."""

from __future__ import annotations

from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, Player, Reason
from games import selectors
from games.models import Game
from games.rules import record as records
from games.rules import registry, replay
from games.rules.ruleset import AnyRuleset
from games.services import adjudicate, check, log, moves, proposals, reflection
from games.services.errors import (
    BadTerms,
    GameIsOver,
    GamePaused,
    KeyReused,
    NotAllowed,
    Refused,
    StalePosition,
    TimeIsOver,
)
from notifications import delivery
from notifications.models import Letter
from tests.factories import GameFactory, ModeratorFactory, PlayerFactory, play
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def charlie(db: None) -> Player:
    """A moderator."""
    return ModeratorFactory.create(email="charlie@example.org", display_name="Charlie")


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    """Alice is to move, both have completed a turn."""
    return GameFactory.create(players=[alice, bob], plies="1 1", reflection=DAY)


def rule(act: Any, game: Game, by: Player, **given: Any) -> log.Answer:
    """A ruling on the game as it stands."""
    game.refresh_from_db()
    told = {"reason": "Because.", "key": uuid4().hex, **given}
    if act is not adjudicate.take_back:
        told.setdefault("head", game.head)
    answer: log.Answer = act(game=game.pk, by=by, **told)
    game.refresh_from_db()
    return answer


def ended_by_time(game: Game) -> None:
    game.refresh_from_db()
    assert game.deadline is not None
    assert reflection.run_out(game_id=game.pk, now=game.deadline)
    game.refresh_from_db()


def sent() -> list[EmailMessage]:
    mail.outbox.clear()
    delivery.deliver_waiting()
    return [message_from_bytes(one.message().as_bytes(), policy=policy.default) for one in mail.outbox]


def text(message: EmailMessage, kind: str = "plain") -> str:
    body = message.get_body((kind,))
    assert body is not None
    return " ".join(str(body.get_content()).split())


def agreed() -> bool:
    return all(not found for _, found in check.differences())


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


# -- pauses --------------------------------------------------------------------------------------------------------------


def test_the_games_of_a_suspended_player_pause_and_go_on_with_the_time_that_was_left(
    game: Game, alice: Player, bob: Player
) -> None:
    other = GameFactory.create(plies="1 1")
    began = game.deadline
    assert began is not None
    sent()
    with time_machine.travel(began - HOUR, tick=False):
        assert (adjudicate.pause_games(player=bob), adjudicate.pause_games(player=bob)) == (1, 0)
        told = sent()
        assert {letter["To"] for letter in told} == {alice.email, bob.email}
        assert all("until Bob may play again" in text(letter) for letter in told)
    game.refresh_from_db()
    assert (game.deadline, game.to_move) == (None, 0)
    with time_machine.travel(began + 9 * DAY, tick=False):
        assert not reflection.run_out(game_id=game.pk, now=began + 9 * DAY)
        assert (adjudicate.resume_games(player=bob), adjudicate.resume_games(player=bob)) == (1, 0)
        game.refresh_from_db()
        assert game.deadline == began + 9 * DAY + HOUR
        told = sent()
        assert ["It is your turn." in text(letter) for letter in told] == [letter["To"] == alice.email for letter in told]
    assert game.entries.filter(kind="clock").count() == 2
    other.refresh_from_db()
    assert other.entries.filter(kind="clock").count() == 0
    assert agreed()


def test_a_broken_game_keeps_no_other_from_its_pause(alice: Player, caplog: pytest.LogCaptureFixture) -> None:
    broken, sound = GameFactory.create_batch(2, players=[alice, PlayerFactory.create()])
    Game.objects.filter(pk=broken.pk).update(ruleset="gone")
    assert adjudicate.pause_games(player=alice) == 1
    assert sound.entries.filter(kind="clock").count() == 1
    assert f"game {broken.pk} could neither be paused nor go on" in caplog.text


def test_a_paused_game_takes_no_moves_and_no_talk_but_may_be_left(game: Game, alice: Player, bob: Player) -> None:
    adjudicate.pause_games(player=bob)
    with pytest.raises(GamePaused):
        play(game, "2")
    with pytest.raises(GamePaused):
        proposals.propose(game=game.pk, seat=1, kind="draw", via="web", key="p")
    seen = selectors.game_page(game.pk, alice)
    assert seen is not None
    assert (seen.paused, seen.my_turn, seen.choices, seen.may_propose, seen.may_resign) == (("Bob",), False, (), (), True)
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    game.refresh_from_db()
    assert game.result == "0-1"
    assert agreed()


def test_the_page_of_a_paused_game_says_so_and_offers_no_moves(game: Game, alice: Player, bob: Player) -> None:
    adjudicate.pause_games(player=bob)
    for shown in (page(of(alice), "game", game.pk), page(Client(), "game", game.pk)):
        assert "The game is paused" in shown
        assert "It goes on when Bob may play again." in shown
        assert "paused the game until Bob may play again" in shown
        assert "?move=" not in shown
    assert "Turn 3, paused" in page(of(alice), "mine")
    assert "This game is paused." in press(of(alice), "move", game, status=409, move="2")


def test_a_reason_is_inert_on_the_page_and_in_the_letter(game: Game, alice: Player, charlie: Player) -> None:
    sent()
    rule(adjudicate.extend_deadline, game, charlie, seconds=60, reason="<script>{{ 1 }}</script>")
    assert "(&lt;script&gt;{{ 1 }}&lt;/script&gt;)" in page(of(alice), "game", game.pk)
    assert all("&lt;script&gt;" in text(letter, "html") for letter in sent())


def test_a_paused_game_waits_for_nobody_in_the_lists(game: Game, alice: Player, bob: Player) -> None:
    adjudicate.pause_games(player=bob)
    mine = selectors.my_games(alice)
    assert (mine.waiting, [line.pk for line in mine.running]) == ((), [game.pk])


def test_a_turn_letter_does_not_go_out_in_a_pause_nor_beside_the_letter_that_ends_it(game: Game, bob: Player) -> None:
    adjudicate.pause_games(player=bob)
    adjudicate.resume_games(player=bob)
    assert len(sent()) == 2
    assert set(Letter.objects.filter(state="sent").values_list("kind", flat=True)) == {"resumed"}


def test_only_the_suspended_player_reads_why(game: Game, alice: Player, bob: Player) -> None:
    sent()
    bob.suspended_at, bob.suspension = timezone.now(), Reason.objects.create(text="Insults.", at=timezone.now())
    bob.save()
    adjudicate.pause_games(player=bob)
    assert {letter["To"]: "Insults." in text(letter) for letter in sent()} == {alice.email: False, bob.email: True}


def test_time_that_was_over_before_a_pause_stays_over(game: Game, alice: Player) -> None:
    assert game.deadline is not None
    with time_machine.travel(game.deadline, tick=False):
        adjudicate.pause_games(player=alice)
    game.refresh_from_db()
    assert (game.termination, game.result) == ("time_forfeit", "0-1")


def test_an_end_taken_back_while_a_player_is_suspended_leaves_the_game_paused(game: Game, bob: Player, charlie: Player) -> None:
    bob.suspended_at = timezone.now()
    bob.save()
    adjudicate.pause_games(player=bob)
    rule(adjudicate.adjudicate, game, charlie, verdict="win:0")
    rule(adjudicate.take_back, game, charlie, number=game.head)
    assert (game.ended_at, game.deadline) == (None, None)
    adjudicate.resume_games(player=bob)
    game.refresh_from_db()
    assert game.deadline is not None
    play(game, "2")
    assert agreed()


def test_a_pause_at_a_larger_table_ends_when_its_player_leaves_and_everybody_hears_it(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(3)
    game = GameFactory.create(players=players, ruleset="toy")
    sent()
    adjudicate.pause_games(player=players[2])
    sent()
    moves.resign(game=game.pk, seat=2, via="web", key="r")
    told = sent()
    assert {letter["To"] for letter in told} == {one.email for one in players}
    assert ["It is your turn." in text(letter) for letter in told] == [letter["To"] == players[0].email for letter in told]
    assert agreed()


def test_D6_flag_and_display_agree_right_after_a_gift_and_a_pause(
    game: Game, alice: Player, bob: Player, charlie: Player
) -> None:
    rule(adjudicate.extend_deadline, game, charlie, seconds=3600)
    adjudicate.pause_games(player=bob)
    with time_machine.travel(timezone.now() + 3 * DAY, tick=False):
        adjudicate.resume_games(player=bob)
    game.refresh_from_db()
    over = game.deadline
    assert over is not None
    for moment, left in ((over - timedelta(seconds=1), "1 minute"), (over - 12 * HOUR, "12 hours")):
        with time_machine.travel(moment, tick=False):
            seen = selectors.game_page(game.pk, alice)
            assert seen is not None
            assert (seen.deadline, seen.left) == (over, left)
            assert not reflection.run_out(game_id=game.pk, now=moment)
    with time_machine.travel(over, tick=False):
        with pytest.raises(TimeIsOver):
            play(game, "2")
        assert reflection.run_out(game_id=game.pk, now=over)


def test_every_refusal_changes_nothing(game: Game, bob: Player) -> None:
    head = game.head
    with pytest.raises(Refused):
        rule(adjudicate.adjudicate, game, bob, verdict="win:1")
    assert (game.head, Reason.objects.count(), Letter.objects.filter(source="rulings").count()) == (head, 0, 0)
