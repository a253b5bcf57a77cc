"""Who may keep what: pages, pages of one's own, files with hashed names; and how much a page weighs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games.models import Game
from tests.factories import PASSWORD, GameFactory, MessageFactory
from tests.games.visits import of
from tests.house.test_policy import OPEN_PAGES, OWN_PAGES

pytestmark = pytest.mark.django_db

BASE = Path(__file__).resolve().parents[2]
HEAVIEST = 60_000
ELSEWHERE = re.compile(
    r"""(?:src|href|action|poster|data)\s*=\s*["']?\s*(?:https?:)?//|url\(\s*["']?(?:https?:)?//|@import""", re.IGNORECASE
)
KNOWN = re.compile(r"http://localhost:8000/|http://www\.w3\.org/")


def kept(response: Any) -> set[str]:
    return {one.strip() for one in response.headers["Cache-Control"].split(",")}


def varies(response: Any) -> set[str]:
    return {one.strip() for one in response.headers["Vary"].split(",")}


@pytest.fixture
def reference_game(alice: Player, bob: Player) -> Game:
    """A whole reference game but for its last ply: as long a page as a game of Mangala has."""
    told = json.loads((BASE / "tests/rules/reference/mangala_first25.jsonl").read_text().splitlines()[0])
    game: Game = GameFactory.create(players=[alice, bob], plies=" ".join(told["moves"][:-1]))
    for number in range(5):
        MessageFactory.create(game=game, seat=number % 2, text=f"message {number}")
    return game


@pytest.mark.parametrize("page", OWN_PAGES)
def test_a_page_of_ones_own_is_kept_by_nobody(alice: Player, page: str) -> None:
    response = of(alice).get(reverse(page))
    assert {"private", "no-store"} <= kept(response)
    assert "ETag" not in response.headers


@pytest.mark.parametrize("page", ["games:home", "games:challenges", "rules"])
def test_whatever_is_shown_to_who_is_logged_in_is_kept_by_nobody(alice: Player, page: str) -> None:
    path = reverse("games:rules", args=["mangala"]) if page == "rules" else reverse(page)
    assert {"private", "no-store"} <= kept(of(alice).get(path))


@pytest.mark.parametrize("page", OPEN_PAGES)
def test_a_page_for_everybody_is_kept_by_no_cache_on_the_way(page: str) -> None:
    response = Client().get(reverse(page))
    assert "private" in kept(response)
    assert {"no-cache", "no-store"} & kept(response)
    assert {"Accept-Language", "Cookie"} <= varies(response)


def test_a_game_page_is_kept_by_nobody(alice: Player, reference_game: Game) -> None:
    for client in (of(alice), Client()):
        assert {"private", "no-store"} <= kept(client.get(reverse("games:game", args=[reference_game.pk])))


def test_an_answer_to_a_button_is_kept_by_nobody(alice: Player, reference_game: Game) -> None:
    for path in (reverse("games:note", args=[reference_game.pk]), reverse("set_language")):
        assert "no-store" in kept(of(alice).post(path))


def test_the_rules_are_kept_for_five_minutes_by_language_and_cookies() -> None:
    response = Client().get(reverse("games:rules", args=["mangala"]))
    assert kept(response) == {"private", "max-age=300"}
    assert {"Accept-Language", "Cookie"} <= varies(response)


def test_a_page_that_told_something_once_is_not_kept() -> None:
    client = Client()
    words = {"password1": PASSWORD, "password2": PASSWORD}
    client.post(reverse("account_signup"), {"email": "dan@example.org", "display_name": "Dan", **words})
    response = client.get(reverse("games:rules", args=["mangala"]))
    assert 'class="messages"' in response.content.decode()
    assert "max-age=300" not in kept(response)


@pytest.mark.parametrize("name", ["games:home", "rules"])
def test_a_page_that_has_not_changed_is_not_sent_again(name: str) -> None:
    path = reverse("games:rules", args=["mangala"]) if name == "rules" else reverse(name)
    client = Client()
    client.get(path)
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
    assert "Content-Security-Policy" not in again.headers, "the page keeps the policy with its nonce"
    assert client.get(path, headers={"If-None-Match": 'W/"another"'}).status_code == 200


def test_another_language_or_another_secret_behind_the_forms_is_another_page() -> None:
    client, path = Client(), reverse("games:rules", args=["mangala"])
    client.get(path)
    etag = client.get(path).headers["ETag"]
    assert client.get(path, headers={"If-None-Match": etag, "Accept-Language": "ru"}).status_code == 200
    client.cookies.clear()
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 200


def test_a_page_that_is_not_there_has_no_etag() -> None:
    response = Client().get("/nothing/")
    assert response.status_code == 404
    assert "private" in kept(response)
    assert "ETag" not in response.headers


def test_a_game_page_with_its_board_weighs_less_than_60_kB(alice: Player, bob: Player, reference_game: Game) -> None:
    for player in (alice, bob):
        response = of(player).get(reverse("games:game", args=[reference_game.pk]))
        assert b"<svg" in response.content
        assert len(response.content) < HEAVIEST


def test_no_page_asks_another_site_for_anything(alice: Player, reference_game: Game) -> None:
    paths = [reverse(page) for page in (*OPEN_PAGES, "games:mine", "games:challenge_new", "accounts:settings")]
    paths += [reverse("games:rules", args=["mangala"]), reverse("games:game", args=[reference_game.pk])]
    for client in (of(alice), Client()):
        for path in paths:
            said = KNOWN.sub("", client.get(path, follow=True).content.decode())
            assert not ELSEWHERE.search(said), path


@pytest.mark.parametrize("path", sorted((BASE / "games/static").rglob("*.*")), ids=lambda path: path.name)
def test_no_file_of_the_pages_asks_another_site_for_anything(path: Path) -> None:
    assert not ELSEWHERE.search(KNOWN.sub("", path.read_text(encoding="utf-8")))


def test_a_file_with_a_hashed_name_is_kept_for_a_year_and_any_other_for_a_minute(tmp_path: Path) -> None:
    ask = """
import json, django
django.setup()
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.test import Client
call_command("collectstatic", verbosity=0, interactive=False)
hashed = staticfiles_storage.url("games/site.css")
answers = [Client().get(path, headers={"Accept-Encoding": "gzip"}) for path in (hashed, "/static/games/site.css")]
print(json.dumps([hashed, *[{name: one.headers.get(name) for name in ("Cache-Control", "Content-Encoding")} for one in answers]]))
"""
    environment = {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings", "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", ask], cwd=BASE, env=environment, capture_output=True, text=True, check=True)
    name, hashed, plain = json.loads(done.stdout.splitlines()[-1])
    assert re.fullmatch(r"/static/games/site\.[0-9a-f]{12}\.css", name)
    assert "immutable" in hashed["Cache-Control"]
    assert int(re.search(r"max-age=(\d+)", hashed["Cache-Control"])[1]) >= 365 * 86_400  # type: ignore[index]
    assert hashed["Content-Encoding"] == "gzip"
    assert plain["Cache-Control"] == "max-age=60, public"
