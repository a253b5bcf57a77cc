"""What a browser keeps for the time without a connection: one page that knows nothing of its reader, and its worker."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.cache import get_max_age

from accounts.models import Player
from tests.games.visits import of
from tests.house.test_policy import keeps_its_own_rules, policy

pytestmark = pytest.mark.django_db


def worker(client: Client, language: str) -> Any:
    return client.get(reverse("worker"), {"language": language})


def kept(response: Any) -> list[str]:
    found = re.search(r"^const KEPT = (\[.*\]);$", response.content.decode(), re.MULTILINE)
    assert found is not None
    urls: list[str] = json.loads(found[1])
    return urls


@pytest.mark.parametrize(("language", "said"), [("en", "No connection"), ("ru", "Нет связи"), ("tr", "Bağlantı yok")])
def test_the_offline_page_speaks_the_language_of_its_address(language: str, said: str) -> None:
    response = Client(headers={"Accept-Language": "tr"}).get(reverse("offline", args=[language]))
    assert response.status_code == 200
    assert f'<html lang="{language}">' in response.content.decode()
    assert f"<h1>{said}</h1>" in response.content.decode()
    keeps_its_own_rules(response)


def test_the_offline_page_knows_nothing_of_its_reader(alice: Player) -> None:
    path = reverse("offline", args=["en"])
    mine = of(alice).get(path)
    assert mine.content == Client().get(path).content
    assert alice.name not in mine.content.decode()
    assert "csrfmiddlewaretoken" not in mine.content.decode()


def test_the_worker_stands_at_the_root_and_keeps_nothing_but_the_page_and_its_files() -> None:
    response = worker(Client(), "ru")
    assert reverse("worker") == "/worker.js", "what it answers for is below its own address"
    assert response.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert get_max_age(response) == 3600
    assert "no-store" not in response.headers["Cache-Control"]
    assert policy(response)["connect-src"] == ["'self'"]
    page, *files = kept(response)
    assert page == reverse("offline", args=["ru"])
    assert all(file.startswith("/static/games/") for file in files)
    drawn = Client().get(page).content.decode()
    assert set(re.findall(r'(?:src|href)="(/static/[^"]+)"', drawn)) == set(files)


def test_the_worker_is_the_same_for_everybody_and_another_one_for_each_language(alice: Player) -> None:
    assert worker(Client(), "en").content == worker(of(alice), "en").content
    assert len({worker(Client(), language).content for language in ("en", "ru", "tr")}) == 3


@pytest.mark.parametrize("language", ["", "xx", "en-gb", "../en", "e" * 5_000, "\x00"])
def test_a_language_that_there_is_not_has_no_worker(language: str) -> None:
    assert worker(Client(), language).status_code == 404


def test_a_language_that_there_is_not_has_no_page() -> None:
    assert Client().get("/offline/xx/").status_code == 404
