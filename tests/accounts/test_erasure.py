"""Erasure: somebody leaves for good, his games end, his name is gone everywhere, the games of others stay whole (S11)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from typing import Any, NoReturn

import pytest
import time_machine
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import hooks
from accounts.models import AuditEntry, Block, Player, Reason, Report
from accounts.services import erasure, export, reports, suspension
from accounts.services.errors import Gone, LastAdministrator
from accounts.tasks import erase as erase_task
from games import selectors
from games.models import Challenge, Game, Invitation
from games.rules.ruleset import AnyRuleset
from games.services import adjudicate, leaving, moves, reflection
from games.services.check import differences
from games.services.errors import BadTerms
from games.services.reflection import Ticks
from notifications import delivery
from notifications.models import Letter
from tests.factories import (
    PASSWORD,
    BlockFactory,
    ChallengeFactory,
    EmailAddressFactory,
    GameFactory,
    LetterFactory,
    PlayerFactory,
    PulseFactory,
    ReportFactory,
    play,
)
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db

NAME, ADDRESSES = "Zenobia", ["zenobia@example.org", "z.secret@example.com"]


@pytest.fixture
def zenobia(db: None) -> Player:
    """Somebody with a name and addresses that no other text holds."""
    player: Player = PlayerFactory.create(display_name=NAME, email=ADDRESSES[0], language="tr", time_zone="Asia/Tokyo")
    EmailAddressFactory.create(user=player)
    EmailAddressFactory.create(user=player, email=ADDRESSES[1], primary=False)
    return player


@pytest.fixture
def moderator(db: None) -> Player:
    return PlayerFactory.create(display_name="Mo", is_staff=True, is_superuser=True)


def leave(player: Player) -> None:
    """He asks, and a worker does it."""
    erasure.ask_erasure(player=player)
    erase_task(player.pk)


def whole_database() -> Iterator[tuple[str, str]]:
    """Every row of every table as text; letters and sessions as they read when they are decoded."""
    for model in apps.get_models():
        for row in model._default_manager.all():
            yield model.__name__, repr({field.name: field.value_from_object(row) for field in model._meta.concrete_fields})
    for letter in Letter.objects.exclude(mime=b""):
        message = message_from_bytes(bytes(letter.mime), policy=policy.default)
        texts = [part.get_content() for part in message.walk() if not part.is_multipart()]
        yield "Letter", f"{message.items()} {texts}"
    for session in Session.objects.all():
        yield "Session", json.dumps(session.get_decoded())


def traces(*words: str) -> list[tuple[str, str]]:
    """Where the database still holds one of the words."""
    sought = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    return [(table, text) for table, text in whole_database() if sought.search(text)]


def full_life(zenobia: Player, bob: Player, moderator: Player) -> dict[str, Game]:
    """Everything that may hold her name or address, and a game of each kind."""
    games = {
        "finished": GameFactory.create(players=[zenobia, bob], plies="4-6 3 1"),
        "running": GameFactory.create(players=[zenobia, bob], plies="1 1"),
        "private": GameFactory.create(players=[bob, zenobia], public=False),
    }
    moves.resign(game=games["finished"].pk, seat=1, via="web", key="r")
    ruled = GameFactory.create(players=[zenobia, bob])
    why = f"Bob and {NAME} agreed on {NAME}'s terms."
    adjudicate.adjudicate(game=ruled.pk, by=moderator, verdict="draw", reason=why, head=ruled.head, key="a")
    of(zenobia)
    half_way = Client()
    half_way.post(reverse("account_login"), {"login": ADDRESSES[0], "password": "wrong"})
    ChallengeFactory.create(challenger=zenobia)
    ChallengeFactory.create(challenger=zenobia, opponent=bob)
    ChallengeFactory.create(challenger=bob, opponent=zenobia)
    ChallengeFactory.create(challenger=zenobia, address="stranger@example.org")
    ChallengeFactory.create(challenger=moderator, address=ADDRESSES[1].title())
    BlockFactory.create(player=zenobia, other=moderator)
    BlockFactory.create(player=bob, other=zenobia)
    ReportFactory.create(reporter=zenobia, reported=bob, text=f"Bob insulted {NAME}")
    about_her = ReportFactory.create(reporter=bob, reported=zenobia, text=f"{NAME} insulted me")
    reports.close_report(report_id=about_her.pk, by=moderator, reason=f"{NAME} was joking")
    suspension.suspend(player_id=zenobia.pk, by=moderator, reason=f"{NAME} was not joking")
    suspension.restore(player_id=zenobia.pk, by=moderator, reason=f"{NAME} has apologised")
    LogEntry.objects.create(
        user=moderator, content_type=ContentType.objects.get_for_model(Player), object_id=str(zenobia.pk),
        object_repr=NAME, action_flag=CHANGE, change_message=f"changed {NAME}",
    )  # fmt: skip
    LetterFactory.create(recipient=zenobia, state="sent", due_at=None, reason=f"250 {ADDRESSES[0]} ok", key="sent to her")
    LetterFactory.create(recipient=None, address=ADDRESSES[1].upper(), state="failed", due_at=None, key="to a bare address")
    return games


def letters_wait(*readers: Player) -> None:
    """Their letters are written, but the mail server does not take them yet."""
    for letter in Letter.objects.filter(recipient__in=readers, state=Letter.State.QUEUED):
        mime = b"Subject: =?utf-8?b?WmVub2JpYQ==?=\nContent-Type: text/plain; charset=utf-8\n\nZenobia has moved.\n"
        Letter.objects.filter(pk=letter.pk).update(state=Letter.State.WAITING, attempts=1, mime=mime)


def test_S11_name_and_addresses_are_gone_everywhere(zenobia: Player, bob: Player, moderator: Player) -> None:
    full_life(zenobia, bob, moderator)
    letters_wait(zenobia, bob)
    assert {table for table, _ in traces(NAME, *ADDRESSES)} >= {
        "Player",
        "EmailAddress",
        "Letter",
        "Report",
        "Reason",
        "LogEntry",
    }
    leave(zenobia)
    assert [table for table, _ in traces(*ADDRESSES, NAME)] == ["Letter", "Letter"], "the farewell letter, as row and as text"
    delivery.deliver_waiting()
    erasure.erase_waiting()
    assert traces(NAME, *ADDRESSES) == []


def test_S11_a_finished_game_stays_whole_for_the_opponent(zenobia: Player, bob: Player, moderator: Player) -> None:
    games = full_life(zenobia, bob, moderator)
    before = selectors.record_of(games["finished"].pk, bob)
    assert before is not None
    leave(zenobia)
    assert selectors.record_of(games["finished"].pk, bob) == before.replace(NAME, "a former player")
    assert [found for _, found in differences() if found] == []
    shown = page(of(bob), "game", games["finished"].pk)
    assert "a former player" in shown
    assert NAME not in shown + page(of(bob), "mine") + page(of(bob), "player", bob.pk)
    assert NAME.encode() not in export.export_of(bob)


def test_S11_running_games_are_resigned_and_the_opponents_told(zenobia: Player, bob: Player, moderator: Player) -> None:
    games = full_life(zenobia, bob, moderator)
    leave(zenobia)
    for name in ("running", "private"):
        games[name].refresh_from_db()
        assert games[name].termination == "resignation"
        seat = games[name].seat_set.get(player=bob)
        assert seat.points == 2
        assert Letter.objects.filter(kind="over", recipient=bob, about__game=games[name].pk, due_at__isnull=False).exists()
    mail.outbox.clear()
    delivery.deliver_waiting()
    told = [one for one in mail.outbox if one.to == [bob.email]]
    assert len(told) >= 2


def test_what_waits_for_an_answer_ends(zenobia: Player, bob: Player, moderator: Player) -> None:
    full_life(zenobia, bob, moderator)
    leave(zenobia)
    assert list(Challenge.objects.open().values_list("challenger", flat=True)) == [moderator.pk], "to an address of hers"
    assert not Invitation.objects.exclude(address="").exists()


def test_blocks_go_and_reports_lose_their_text(zenobia: Player, bob: Player, moderator: Player) -> None:
    ReportFactory.create(reporter=moderator, reported=zenobia)
    full_life(zenobia, bob, moderator)
    leave(zenobia)
    assert not Block.objects.exists()
    assert set(Report.objects.values_list("text", flat=True)) == {""}
    assert not Report.objects.filter(reported=zenobia, state=Report.State.OPEN).exists(), "nobody is left to rule on"
    assert Report.objects.filter(reporter=zenobia, state=Report.State.OPEN).exists()
    assert AuditEntry.objects.filter(actor=None, act="close_report").count() == 1


def test_the_row_stays_emptied_without_any_right(zenobia: Player, moderator: Player) -> None:
    Player.objects.filter(pk=zenobia.pk).update(is_staff=True, is_superuser=True)
    leave(zenobia)
    zenobia.refresh_from_db()
    assert (zenobia.display_name, zenobia.name, zenobia.language, zenobia.time_zone) == ("", "a former player", "en", "UTC")
    assert zenobia.erased_at is not None
    assert not any([zenobia.is_active, zenobia.is_staff, zenobia.is_superuser, zenobia.has_usable_password()])
    newcomer = PlayerFactory.create(display_name=NAME, email=ADDRESSES[0])
    assert newcomer.name_key != zenobia.name_key


def test_letters_to_her_that_wait_are_dropped(zenobia: Player, bob: Player) -> None:
    game = GameFactory.create(players=[bob, zenobia])
    play(game, "1")
    assert Letter.objects.filter(recipient=zenobia, kind="turn", due_at__isnull=False).exists()
    leave(zenobia)
    assert set(Letter.objects.filter(recipient=zenobia).values_list("state", flat=True)) == {"dropped"}


def test_a_farewell_goes_to_the_old_address_in_her_language(zenobia: Player) -> None:
    leave(zenobia)
    delivery.deliver_waiting()
    (letter,) = mail.outbox
    assert letter.to == [ADDRESSES[0]]
    assert Letter.objects.get(key=f"farewell:{zenobia.pk}").state == Letter.State.SENT


def test_once_asked_the_account_is_closed_before_any_worker_comes(zenobia: Player, bob: Player) -> None:
    browser = of(zenobia)
    erasure.ask_erasure(player=zenobia)
    assert browser.get(reverse("games:mine")).status_code == 302
    assert not Client().login(email=ADDRESSES[0], password=PASSWORD)
    assert page(Client(), "player", zenobia.pk, status=404)
    with pytest.raises(BadTerms):
        ChallengeFactory.create(challenger=bob, opponent=zenobia)


def test_asking_twice_is_asking_once(zenobia: Player) -> None:
    erasure.ask_erasure(player=zenobia)
    asked = Player.objects.get(pk=zenobia.pk).leaving_at
    erasure.ask_erasure(player=zenobia)
    assert Player.objects.get(pk=zenobia.pk).leaving_at == asked
    erasure.erase(player_id=zenobia.pk)
    with pytest.raises(Gone):
        erasure.ask_erasure(player=zenobia)


def test_nobody_is_erased_who_did_not_ask(zenobia: Player) -> None:
    assert not erasure.erase(player_id=zenobia.pk)
    assert not erasure.erase(player_id=10**9)
    assert erasure.erase_waiting() == 0
    zenobia.refresh_from_db()
    assert zenobia.name == NAME


class Interrupted(Exception):
    """The worker dies here."""


@pytest.mark.parametrize("where", ["second game", "before the row", "in the last transaction"])
def test_S11_interrupted_in_the_middle_and_run_again_gives_the_same(
    zenobia: Player, bob: Player, moderator: Player, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    games = full_life(zenobia, bob, moderator)
    erasure.ask_erasure(player=zenobia)

    def die(*_: Any, **__: Any) -> NoReturn:
        raise Interrupted

    with monkeypatch.context() as patch:
        if where == "second game":
            resigned = leaving._resigned
            calls: list[int] = []

            def once(game: int, seat: int) -> bool:
                calls.append(game)
                return resigned(game, seat) if len(calls) == 1 else die()

            patch.setattr(leaving, "_resigned", once)
        elif where == "before the row":
            patch.setattr(erasure, "_end_sessions", die)
        else:
            patch.setattr(erasure, "_empty", die)
        with pytest.raises(Interrupted):
            erasure.erase(player_id=zenobia.pk)
        assert erasure.erase_waiting() == 0, "logged, and tried again later"
    zenobia.refresh_from_db()
    assert zenobia.erased_at is None
    assert zenobia.name == NAME, "all of the row or nothing"
    assert erasure.erase_waiting() == 1
    assert erasure.erase_waiting() == 0
    delivery.deliver_waiting()
    erasure.erase_waiting()
    assert traces(NAME, *ADDRESSES) == []
    for name in ("running", "private"):
        assert games[name].entries.filter(kind="resign").count() == 1
    assert Letter.objects.filter(key__startswith="farewell").count() == 1


def test_a_game_whose_time_is_over_is_run_out_first(zenobia: Player, bob: Player) -> None:
    late = GameFactory.create(players=[bob, zenobia], plies="1 1", reflection=timedelta(days=1))
    other = GameFactory.create(players=[bob, zenobia], plies="1 1", reflection=timedelta(days=7))
    with time_machine.travel(timezone.now() + timedelta(days=2), tick=False) as clock:
        leave(zenobia)
        zenobia.refresh_from_db()
        other.refresh_from_db()
        assert other.termination == "resignation", "the others do not wait"
        assert zenobia.erased_at is None
        assert erasure.erase_waiting() == 0, "the sweep alone knows whether time runs"
        memory = Ticks()
        for second in range(2):
            PulseFactory.create(at=timezone.now())
            reflection.sweep(now=timezone.now(), monotonic=float(second), memory=memory)
            clock.shift(1)
        assert erasure.erase_waiting() == 1
    late.refresh_from_db()
    assert late.termination == "time_forfeit"
    assert late.seat_set.get(player=zenobia).points == 2, "she left, but his time was over before"


def test_a_ruling_keeps_its_reason_without_the_name(zenobia: Player, bob: Player, moderator: Player) -> None:
    full_life(zenobia, bob, moderator)
    leave(zenobia)
    assert Reason.objects.filter(text="Bob and … agreed on …'s terms.").exists()


def test_who_is_suspended_may_leave_and_the_paused_games_end(zenobia: Player, bob: Player, moderator: Player) -> None:
    game = GameFactory.create(players=[bob, zenobia], plies="1 1")
    suspension.suspend(player_id=zenobia.pk, by=moderator, reason="Threats.")
    leave(zenobia)
    game.refresh_from_db()
    assert (game.termination, game.result) == ("resignation", "1-0")
    zenobia.refresh_from_db()
    assert (zenobia.suspended_at, zenobia.suspension) == (None, None)
    assert not Reason.objects.filter(text="Threats.").exists()


def test_a_table_of_three_plays_on_without_who_left(zenobia: Player, bob: Player, charlie: Player, toy: AnyRuleset) -> None:
    game = GameFactory.create(players=[bob, zenobia, charlie], ruleset="toy")
    leave(zenobia)
    game.refresh_from_db()
    assert game.ended_at is None
    play(game, "pass")
    game.refresh_from_db()
    assert game.to_move == 2
    assert "a former player" in page(of(bob), "game", game.pk)
    assert [found for _, found in differences() if found] == []


def test_the_last_administrator_cannot_go(moderator: Player, zenobia: Player) -> None:
    with pytest.raises(LastAdministrator):
        erasure.ask_erasure(player=moderator)
    moderator.refresh_from_db()
    assert moderator.is_active
    PlayerFactory.create(is_superuser=True, suspended_at=timezone.now())
    with pytest.raises(LastAdministrator):
        erasure.ask_erasure(player=moderator)
    PlayerFactory.create(is_superuser=True)
    leave(moderator)
    moderator.refresh_from_db()
    assert moderator.erased_at is not None


def test_an_app_that_fails_keeps_nobody_else_waiting(zenobia: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    for player in (zenobia, bob):
        erasure.ask_erasure(player=player)
    (games,) = hooks.concerned()
    before = type(games).before_erasure

    def fails(self: Any, player: Player) -> None:
        if player == zenobia:
            raise Interrupted
        before(self, player)

    monkeypatch.setattr(type(games), "before_erasure", fails)
    assert erasure.erase_waiting() == 1
    assert Player.objects.get(pk=bob.pk).erased_at is not None
