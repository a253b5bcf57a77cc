"""Suspension: a player may read, but not play."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import hooks
from accounts.models import AuditEntry, Player
from accounts.services import suspension
from accounts.services.errors import Gone, NotAllowed, Refused
from accounts.tasks import finish_suspensions
from config import desk
from games import selectors
from games.models import Challenge, Game
from games.rules.ruleset import AnyRuleset
from games.services import moves
from games.services.errors import Refused as GameRefused
from tests.accounts.post import delivered, text
from tests.factories import ChallengeFactory, GameFactory, ModeratorFactory, PlayerFactory, play
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db


@pytest.fixture
def moderator(db: None) -> Player:
    return PlayerFactory.create(display_name="Mo", is_staff=True)


def runs(game: Game) -> bool:
    """Whether somebody's time runs in the game."""
    game.refresh_from_db()
    return game.deadline is not None


def test_a_suspension_says_who_and_why_in_the_audit_log(alice: Player, moderator: Player) -> None:
    suspended = suspension.suspend(player_id=alice.pk, by=moderator, reason="Threats.")
    assert suspended.is_suspended
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.act, entry.subject, entry.subject_id) == (moderator, "suspend", "player", alice.pk)
    assert entry.reason == suspended.suspension
    suspension.restore(player_id=alice.pk, by=moderator, reason="Apologised.")
    assert list(AuditEntry.objects.order_by("pk").values_list("act", "reason__text")) == [
        ("suspend", "Threats."),
        ("restore", "Apologised."),
    ]
    alice.refresh_from_db()
    assert not alice.is_suspended


def test_suspending_twice_is_one_suspension_with_the_first_reason(alice: Player, moderator: Player) -> None:
    first = suspension.suspend(player_id=alice.pk, by=moderator, reason="Threats.")
    again = suspension.suspend(player_id=alice.pk, by=moderator, reason="Spam.")
    assert again.suspended_at == first.suspended_at
    assert str(again.suspension) == "Threats."
    assert AuditEntry.objects.count() == 1
    for _ in range(2):
        suspension.restore(player_id=alice.pk, by=moderator, reason="Apologised.")
    assert AuditEntry.objects.count() == 2


def test_games_pause_and_challenges_are_withdrawn(alice: Player, bob: Player, moderator: Player) -> None:
    game = GameFactory.create(players=[bob, alice])
    ChallengeFactory.create(challenger=alice)
    suspension.suspend(player_id=alice.pk, by=moderator, reason="Threats.")
    assert not runs(game)
    assert not Challenge.objects.open().exists()
    with pytest.raises(GameRefused):
        play(game, "1")
    suspension.restore(player_id=alice.pk, by=moderator, reason="Apologised.")
    assert runs(game)
    play(game, "1")


def test_what_was_interrupted_is_finished_by_pressing_again(
    alice: Player, bob: Player, moderator: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GameFactory.create(players=[alice, bob])
    (games,) = hooks.concerned()

    def dies(*_: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as patch:
        patch.setattr(type(games), "suspended", dies)
        with pytest.raises(ConnectionError):
            suspension.suspend(player_id=alice.pk, by=moderator, reason="Threats.")
    assert runs(game)
    suspension.suspend(player_id=alice.pk, by=moderator, reason="Threats.")
    assert not runs(game)
    assert AuditEntry.objects.count() == 1


def interrupted(rule: Any, player: Player, by: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process dies once the player is suspended or restored, before the games are told."""

    def dies(_player: Player) -> NoReturn:
        raise ConnectionError

    with monkeypatch.context() as patch:
        patch.setattr(suspension, "_tell", dies)
        with pytest.raises(ConnectionError):
            rule(player_id=player.pk, by=by, reason="Threats.")


def test_what_was_interrupted_is_finished_within_a_minute(
    alice: Player, bob: Player, charlie: Player, moderator: Player, toy: AnyRuleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GameFactory.create(players=[alice, bob])
    others = GameFactory.create(players=[charlie, bob])
    left = GameFactory.create(players=[bob, alice, charlie], ruleset="toy")
    moves.resign(game=left.pk, seat=1, via="web", key="r")
    ChallengeFactory.create(challenger=alice)
    ChallengeFactory.create(challenger=bob, opponent=alice)
    kept = ChallengeFactory.create(challenger=bob)
    interrupted(suspension.suspend, alice, moderator, monkeypatch)
    assert (runs(game), Challenge.objects.open().count()) == (True, 3)
    finish_suspensions()
    assert (runs(game), runs(others), runs(left)) == (False, True, True)
    assert list(Challenge.objects.open()) == [kept]
    assert selectors.untold() == set()
    interrupted(suspension.restore, alice, moderator, monkeypatch)
    assert not runs(game)
    finish_suspensions()
    assert runs(game)


def test_a_minute_in_which_nothing_was_interrupted_opens_no_game(alice: Player, bob: Player, moderator: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    suspension.suspend(player_id=alice.pk, by=moderator, reason="Threats.")
    game.refresh_from_db()
    with CaptureQueriesContext(connection) as captured:
        finish_suspensions()
    assert len(captured) == 2
    assert Game.objects.get(pk=game.pk).head == game.head


def test_one_who_cannot_be_told_keeps_nobody_else_waiting(
    alice: Player, bob: Player, charlie: Player, moderator: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    for player in (alice, bob):
        ChallengeFactory.create(challenger=player)
        interrupted(suspension.suspend, player, moderator, monkeypatch)
    (games,) = hooks.concerned()
    suspended = type(games).suspended

    def fails(self: hooks.Concerned, player: Player) -> None:
        if player == alice:
            raise ConnectionError
        suspended(games, player)

    monkeypatch.setattr(type(games), "suspended", fails)
    finish_suspensions()
    assert selectors.untold() == {alice.pk}


def test_an_interrupted_suspension_can_be_pressed_again_on_the_desk(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "second_factor_used", lambda _request: True)
    moderator = ModeratorFactory.create()
    game = GameFactory.create(players=[alice, bob])
    interrupted(suspension.suspend, alice, moderator, monkeypatch)
    address = reverse("admin:accounts_player_suspend", args=[alice.pk])
    assert '<form method="post">' in of(moderator).get(address).content.decode()
    of(moderator).post(address, {"reason": "Threats."})
    assert not runs(game)
    assert "not possible here now" in of(moderator).get(address).content.decode()


def test_S14_nobody_rules_on_an_opponent_in_a_running_game(
    alice: Player, moderator: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "second_factor_used", lambda _request: True)
    chief = PlayerFactory.create(is_staff=True, is_superuser=True)
    game = GameFactory.create(players=[chief, alice])
    address = reverse("admin:accounts_player_suspend", args=[alice.pk])
    assert "not possible here now" in of(chief).get(address).content.decode()
    assert of(chief).post(address, {"reason": "Threats."}).status_code == 403
    assert runs(game)
    suspension.suspend(player_id=alice.pk, by=moderator, reason="Threats.")
    with pytest.raises(NotAllowed, match="You play with them"):
        suspension.restore(player_id=alice.pk, by=chief, reason="Come back.")
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    assert not suspension.restore(player_id=alice.pk, by=chief, reason="Come back.").is_suspended


def test_a_reason_is_one_visible_line(alice: Player, moderator: Player) -> None:
    with pytest.raises(Refused):
        suspension.suspend(player_id=alice.pk, by=moderator, reason="\u200b\u202e")
    suspended = suspension.suspend(player_id=alice.pk, by=moderator, reason="Threats\u202e in\na letter.")
    assert str(suspended.suspension) == "Threats in a letter."


def test_restored_while_the_games_are_still_told_of_the_suspension_ends_restored(
    alice: Player, bob: Player, moderator: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GameFactory.create(players=[alice, bob])
    (games,) = hooks.concerned()
    pause = type(games).suspended

    def restored_meanwhile(self: hooks.Concerned, player: Player) -> None:
        Player.objects.filter(pk=player.pk).update(suspended_at=None, suspension=None)
        pause(games, player)

    monkeypatch.setattr(type(games), "suspended", restored_meanwhile)
    assert not suspension.suspend(player_id=alice.pk, by=moderator, reason="Threats.").is_suspended
    assert runs(game)


def test_nobody_rules_on_himself_on_an_administrator_or_on_who_is_gone(alice: Player, moderator: Player) -> None:
    chief = PlayerFactory.create(is_staff=True, is_superuser=True)
    for somebody in (moderator, chief):
        with pytest.raises(NotAllowed):
            suspension.suspend(player_id=somebody.pk, by=moderator, reason="Why not?")
    suspension.suspend(player_id=moderator.pk, by=chief, reason="That is why.")
    Player.objects.filter(pk=alice.pk).update(leaving_at=alice.date_joined)
    for gone in (alice.pk, 10**9):
        with pytest.raises(Gone):
            suspension.suspend(player_id=gone, by=chief, reason="Late.")


@pytest.mark.parametrize("rule", [suspension.suspend, suspension.restore])
def test_F40_there_is_no_ruling_without_a_reason(alice: Player, moderator: Player, rule: object) -> None:
    assert callable(rule)
    with pytest.raises(Refused):
        rule(player_id=alice.pk, by=moderator, reason=" ")
    assert not AuditEntry.objects.exists()


def test_the_suspended_player_reads_why_on_every_page(alice: Player, bob: Player, moderator: Player) -> None:
    suspension.suspend(player_id=alice.pk, by=moderator, reason="Threats & <b>shouting</b>.")
    for name in ("home", "mine", "challenges"):
        shown = page(of(alice), name)
        assert "Your account is suspended" in shown
        assert "Threats &amp; &lt;b&gt;shouting&lt;/b&gt;." in shown
        assert "suspended" not in page(of(bob), name)
        assert "suspended" not in page(of(bob), "player", alice.pk)
    assert "suspended" not in page(Client(), "home")


def test_the_banner_costs_a_query_only_whom_it_is_for(alice: Player, moderator: Player) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            of_alice.get(reverse("games:challenges"))
        return len(captured)

    of_alice = of(alice)
    free = cost()
    suspension.suspend(player_id=alice.pk, by=moderator, reason="Threats.")
    assert cost() == free + 1


def test_the_player_hears_of_suspension_and_restoration_by_one_letter_each(alice: Player, moderator: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(language="ru")
    for _ in range(2):
        suspension.suspend(player_id=alice.pk, by=moderator, reason="Spam in challenges.")
    suspension.restore(player_id=alice.pk, by=moderator, reason="Promised to stop.")
    suspended, restored = delivered(alice.email)
    for letter, reason in ((suspended, "Spam in challenges."), (restored, "Promised to stop.")):
        assert reason in text(letter)
        assert "Здравствуйте" in text(letter)
