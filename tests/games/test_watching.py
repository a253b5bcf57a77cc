"""What anybody may look at: the game of the front page, public games; and one's own finished games."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from accounts.models import Player
from games.rules import registry
from games.rules.ruleset import AnyRuleset
from games.selectors import lists, watching
from games.selectors.words import seat_title
from games.services import moves
from games.views.guides import MARKDOWN
from tests.factories import GameFactory
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db


def ended(*players: Player, public: bool = True) -> int:
    game = GameFactory.create(players=list(players), plies="1 1", public=public)
    moves.resign(game=game.pk, seat=0, via="web", key=uuid4().hex)
    return int(game.pk)


def listed(shown: str) -> list[int]:
    """The games of a list, in its order."""
    return [int(pk) for pk in re.findall(r'class="title" href="/games/(\d+)/"', shown)]


def test_the_front_page_shows_a_board_of_each_game_that_links_lead_through() -> None:
    shown = page(Client(), "home")
    assert shown.count("data-showcase=") == len(registry.names()) >= 3
    assert "6. South: 2." in shown
    assert 'href="?game=mangala&amp;step=5#mangala"' in shown
    assert 'href="?game=bridgit&amp;step=7#bridgit"' in shown
    turned = page(Client(), "home", game="bridgit", step="0")
    assert turned.count("The game begins.") == 1
    assert "6. South: 2." in turned
    assert 'href="?game=mangala&amp;step=0#mangala"' in page(Client(), "home", step="9999")


def test_the_front_page_is_not_too_heavy() -> None:
    assert len(page(Client(), "home").encode()) < 60_000


@pytest.mark.parametrize("step", ["-1", "x", "99999999999999999999", "²", ""])
def test_a_moment_that_does_not_exist_is_the_usual_one(step: str) -> None:
    assert "6. South: 2." in page(Client(), "home", step=step)
    assert "6. South: 2." in page(Client(), "home", game="chess", step="1")


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("language", ["en", "ru", "tr"])
def test_the_script_of_the_front_page_gets_every_moment_in_the_readers_language(name: str, language: str) -> None:
    response = Client().get(reverse("games:showcase", args=[name]), headers={"accept-language": language})
    steps = response.json()["steps"]
    last = re.search(rf'id="{name}"[^>]* data-last="(\d+)"', page(Client(), "home"))
    assert last
    assert len(steps) == int(last[1]) + 1
    with translation.override(language):
        assert any(seat_title(registry.get(name), 0) in step["words"] for step in steps[1:4])
    assert {"Accept-Language", "Cookie"} <= set(response.headers["Vary"].split(", "))


def test_a_game_without_a_bundled_record_has_no_board_there(toy: AnyRuleset) -> None:
    assert "/showcase/toy/" not in page(Client(), "home")
    for name in ("toy", "chess"):
        page(Client(), "showcase", name, status=404)


def test_all_rules_are_found_on_one_page(alice: Player) -> None:
    shown = page(Client(), "rules_index")
    for name in registry.names():
        assert f'href="/rules/{name}/"' in shown
    assert "Mangala is a Turkish game for two." in shown
    assert 'href="/rules/" aria-current="page"' in shown
    assert 'href="/rules/"' in page(of(alice), "mine")


def test_only_public_games_may_be_watched_and_the_latest_come_first(alice: Player, bob: Player) -> None:
    games = [GameFactory.create(players=[alice, bob]).pk for _ in range(2)]
    GameFactory.create(players=[alice, bob], public=False)
    over = ended(alice, bob)
    ended(alice, bob, public=False)
    for client in (Client(), of(alice)):
        assert listed(page(client, "watch")) == games[::-1]
        assert listed(page(client, "watch_finished")) == [over]
    assert "Bob won (resignation)." in page(Client(), "watch_finished")


def test_without_games_the_pages_say_so(alice: Player) -> None:
    assert "No public game is played just now." in page(Client(), "watch")
    assert "No public game is finished yet." in page(Client(), "watch_finished")
    assert "No game is finished yet." in page(of(alice), "finished")
    page(Client(), "finished", status=302)


def test_lists_of_games_turn_pages(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "ON_A_PAGE", 2)
    monkeypatch.setattr(lists, "FINISHED_ON_A_PAGE", 2)
    monkeypatch.setattr(lists, "FINISHED_SHOWN", 1)
    games = [ended(alice, bob) for _ in range(3)][::-1]
    for name in ("watch_finished", "finished"):
        assert listed(page(of(alice), name)) == games[:2]
        assert listed(page(of(alice), name, page="2")) == listed(page(of(alice), name, page="77")) == games[2:]
        assert listed(page(of(alice), name, page="x")) == games[:2]
    assert listed(page(of(alice), "mine")) == games[:1]
    assert "All finished games" in page(of(alice), "mine")


def test_small_boards_are_seen_from_the_own_side(alice: Player, bob: Player) -> None:
    GameFactory.create(players=[alice, bob], plies="4-6")
    assert ">South 2, North 0</title>" in page(of(alice), "mine")
    assert ">North 0, South 2</title>" in page(of(bob), "mine")
    assert ">South 2, North 0</title>" in page(Client(), "watch")


def test_N25_a_game_without_a_miniature_is_listed_without_one(alice: Player, bob: Player, toy: AnyRuleset) -> None:
    game = GameFactory.create(players=[alice, bob], ruleset=toy.facts.name)
    assert listed(page(Client(), "watch")) == [game.pk]
    assert "<svg" not in page(Client(), "watch")


@pytest.mark.parametrize("language", ["en", "ru", "tr"])
def test_the_rules_show_every_board_drawn_with_its_words_and_folded_as_text(language: str) -> None:
    shown = Client().get(reverse("games:rules", args=["mangala"]), headers={"accept-language": language}).content.decode()
    assert shown.count('<span class="drawn"><svg') == shown.count('<span class="caption">') == 9
    assert shown.count('<pre tabindex="0">') == shown.count("<details>") == 5
    assert "board:" not in shown


def test_a_picture_that_is_no_board_is_its_words_alone() -> None:
    assert MARKDOWN.render("![a <b>](https://example.org/x.png)") == "<p>a &lt;b&gt;</p>\n"


def test_ids_on_a_page_of_many_boards_are_there_once(alice: Player, bob: Player) -> None:
    GameFactory.create_batch(3, players=[alice, bob])
    for shown in (page(of(alice), "mine"), page(Client(), "watch"), page(Client(), "rules", "mangala")):
        ids = re.findall(r'\sid="([^"]+)"', shown)
        assert len(ids) == len(set(ids))


def test_lists_cost_the_same_whatever_their_length(alice: Player, bob: Player) -> None:
    client, costs = of(alice), []
    for _ in range(2):
        for _ in range(4):
            ended(alice, bob)
            GameFactory.create(players=[alice, bob])
        for name in ("watch", "watch_finished", "finished", "mine"):
            with CaptureQueriesContext(connection) as captured:
                page(client, name)
            costs.append(len(captured))
    assert costs[:4] == costs[4:]
    assert max(costs) <= 8


@pytest.mark.locking
@pytest.mark.parametrize(("finished", "index"), [(True, "finished_to_watch"), (False, "running_to_watch")])
def test_games_to_watch_are_found_by_an_index_however_many_were_played(finished: bool, index: str) -> None:
    plan = watching.ordered_games(finished=finished)[: watching.ON_A_PAGE]
    if connection.vendor != "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
    assert index in plan.explain()
