"""A seed that is lost: the game that committed to it is annulled and says so, nothing is thrown again, and operators are told."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from games import tasks
from games.models import Freeze, Game, Secret
from games.rules import record as records
from games.rules import registry
from games.rules.replay import differences
from games.rules.ruleset import AnyRuleset
from games.services import adjudicate, check, reflection
from tests.factories import GameFactory, ModeratorFactory, PlayerFactory, players_of
from tests.games.postbag import sent, text
from tests.games.test_luck import finish, kinds, last, offer, page, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(toy: AnyRuleset) -> Game:
    """A game of three with hidden cards, in which chance falls by a seed."""
    game: Game = GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="toy", begins="lot", options={"rounds": 1})
    return game


def test_a_game_whose_seed_is_lost_is_annulled_when_somebody_acts_and_says_why(table: Game) -> None:
    offer(table)
    Secret.objects.all().delete()
    sent()
    mover = players_of(table)[1]
    client = Client()
    client.force_login(mover)
    table.refresh_from_db()
    form = {"key": uuid4().hex, "position": table.position_number, "move": "refuse"}
    assert client.post(f"/games/{table.pk}/move/", form).status_code == 302
    table.refresh_from_db()
    assert (table.termination, table.result) == ("seed_lost", "*")
    assert kinds(table)[-3:] == ["move", "adjudicate", "reveal"]
    assert last(table, "reveal") == "lost"
    assert "The service: annulled the game: the seed by which chance falls was lost" in re.sub(
        r"<[^>]+>", "", page(table, mover, "")
    )
    assert "Not all that fell can be checked: a seed was lost." in page(table)
    assert [found for _game, found in check.differences()] == [["the seed of entry 4 is lost: what fell by it cannot be checked"]]
    told = sent()
    assert len({one["To"] for one in told}) == len(told) == 3
    assert all("the seed by which chance falls was lost" in " ".join(text(one).split()) for one in told)
    [read] = records.read(record(table), registry.get)
    assert differences(registry.get("toy"), read) == ["the seed of entry 1 is lost: what fell by it cannot be checked"]


def test_a_game_whose_seed_is_lost_ends_with_its_time_and_a_moderator_may_let_it_go_on(table: Game) -> None:
    Secret.objects.all().delete()
    assert table.deadline is not None
    assert reflection.run_out(game_id=table.pk, now=table.deadline + timedelta(seconds=1))
    table.refresh_from_db()
    assert table.termination == "seed_lost"
    adjudicate.take_back(game=table.pk, by=ModeratorFactory.create(), number=table.head, reason="So.", key="a")
    assert kinds(table)[-3:] == ["reveal", "correct", "commit"]
    table.refresh_from_db()
    finish(table)
    assert len(last(table, "reveal")) == 64
    assert "lost: what fell by it cannot be checked" in page(table)


def test_one_lost_seed_of_two_is_named_and_the_other_shown(table: Game) -> None:
    Freeze.objects.create(at=timezone.now(), mark=timezone.now(), known=timezone.now() - timedelta(days=1))
    offer(table)
    Secret.objects.order_by("number").first().delete()  # type: ignore[union-attr]
    kept = Secret.objects.get().seed
    moderator = ModeratorFactory.create()
    table.refresh_from_db()
    adjudicate.adjudicate(game=table.pk, by=moderator, verdict="draw", reason="So.", head=table.head, key="a")
    table.refresh_from_db()
    assert table.termination == "adjudication"
    assert last(table, "reveal") == f"lost {kept}"


def test_the_daily_check_names_games_that_have_lost_a_seed(table: Game, client: Client, caplog: pytest.LogCaptureFixture) -> None:
    tasks.check_notices()
    assert client.get("/healthz").json()["seedless"] == 0
    Secret.objects.all().delete()
    tasks.check_notices()
    assert f"1 games have lost a seed and end with the next turn: [{table.pk}]" in caplog.text
    assert client.get("/healthz").json()["seedless"] == 1
