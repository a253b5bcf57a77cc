"""Rulings on what is no longer there: players who left for good, rules that were taken away."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from accounts.models import AuditEntry, Player, Reason
from accounts.services import erasure
from config import desk
from games.models import Game
from games.rules.ruleset import AnyRuleset
from games.services import adjudicate, moves
from games.services.errors import NotAllowed
from tests.factories import GameFactory, ModeratorFactory
from tests.games.visits import of, page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("charlie_rules")]


@pytest.fixture(autouse=True)
def _with_a_second_factor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody here has shown one (S7 is tested with the desk itself)."""
    monkeypatch.setattr(desk, "second_factor_used", lambda _request: True)


def annulled(game: Game, by: Player) -> Game:
    game.refresh_from_db()
    adjudicate.adjudicate(game=game.pk, by=by, verdict="annul", reason="Because.", head=game.head, key=uuid4().hex)
    game.refresh_from_db()
    return game


def take_back(game: Game, by: Player) -> None:
    adjudicate.take_back(game=game.pk, by=by, number=game.head, reason="A mistake.", key=uuid4().hex)
    game.refresh_from_db()


# -- players who left ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("erased", [True, False])
def test_the_end_of_a_game_stays_when_one_who_would_play_on_has_left(
    alice: Player, bob: Player, charlie: Player, erased: bool
) -> None:
    game = annulled(GameFactory.create(players=[alice, bob]), charlie)
    erasure.ask_erasure(player=alice)
    if erased:
        erasure.erase(player_id=alice.pk)
    with pytest.raises(NotAllowed) as refused:
        take_back(game, charlie)
    assert "has left for good" in str(refused.value.said)
    game.refresh_from_db()
    assert game.termination == "annulled"
    assert not Reason.objects.filter(text="A mistake.").exists()
    assert not AuditEntry.objects.filter(act="take_back").exists()


def test_who_resigned_before_and_then_left_keeps_no_end_of_a_larger_table(
    alice: Player, bob: Player, charlie: Player, toy: AnyRuleset
) -> None:
    game = GameFactory.create(players=[alice, bob, ModeratorFactory.create()], ruleset="toy")
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    annulled(game, charlie)
    erasure.ask_erasure(player=alice)
    erasure.erase(player_id=alice.pk)
    take_back(game, charlie)
    assert game.ended_at is None


def test_a_player_is_not_offered_to_report_when_nobody_is_left(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    link = reverse("games:report_game", args=[game.pk])
    assert link in page(of(bob), "game", game.pk)
    erasure.ask_erasure(player=alice)
    assert of(bob).get(link).status_code == 404
    assert link not in page(of(bob), "game", game.pk)
    erasure.erase(player_id=alice.pk)
    assert link not in page(of(bob), "game", game.pk)


# -- rules that were taken away --------------------------------------------------------------------------------------------


@pytest.fixture
def orphan(alice: Player, bob: Player) -> Game:
    """A running game of a ruleset that is installed no more."""
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    Game.objects.filter(pk=game.pk).update(ruleset="chaturanga")
    game.refresh_from_db()
    return game


def test_a_game_without_rules_can_be_read_on_the_desk(orphan: Game, charlie: Player) -> None:
    client = of(charlie)
    listed = client.get(reverse("admin:games_game_changelist"))
    assert "chaturanga (its rules are not installed)" in listed.content.decode()
    shown = client.get(reverse("admin:games_game_change", args=[orphan.pk]))
    assert "chaturanga (its rules are not installed)" in shown.content.decode()
    assert shown.context["acts"] == []
    assert reverse("games:game", args=[orphan.pk]) not in shown.content.decode()


@pytest.mark.parametrize(("name", "given"), [("extend", {"hours": 1}), ("adjudicate", {"verdict": "draw"}), ("take-back", {})])
def test_nobody_rules_on_a_game_without_rules(orphan: Game, charlie: Player, name: str, given: dict[str, Any]) -> None:
    client = of(charlie)
    address = reverse(f"admin:games_game_{name}", args=[orphan.pk])
    asked = client.get(address)
    assert (asked.status_code, "not possible here now" in asked.content.decode()) == (200, True)
    answer = client.post(address, {"head": orphan.head, "key": "k", "reason": "Because.", **given})
    assert (answer.status_code, "its rules are not installed" in answer.content.decode()) == (409, True)
    assert not AuditEntry.objects.exists()


def test_N25_of_a_game_without_rules_nobody_knows_what_is_hidden(orphan: Game, alice: Player, charlie: Player) -> None:
    client = of(charlie)
    address = reverse("admin:games_game_change", args=[orphan.pk])
    assert "on the page" in client.get(address).content.decode()
    orphan.seat_set.filter(player=alice).update(player=charlie)
    assert "on the page" not in client.get(address).content.decode()
