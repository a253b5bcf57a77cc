"""A scanner with JavaScript opens every link of a letter before its reader, who then plays without any on a small screen."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser

from accounts.models import Player
from games.letters import links
from games.models import Submission
from tests.factories import GameFactory, right
from tests.games.holding import plies
from tests.journeys.conftest import Person, browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

__all__ = ["browser"]


def test_L2_a_scanner_that_runs_scripts_changes_nothing_and_the_reader_plays_the_turn(
    browser: Browser, live_server: object, alice: Player, bob: Player
) -> None:
    cache.clear()
    game = GameFactory.create(players=[alice, bob])
    token, url = right(game), str(live_server)
    whole = [links.page(token), *(links.move(token, game.position_number, str(pit)) for pit in range(1, 7))]
    asked = [one.replace("http://localhost:8000", url) for one in whole]

    scanner = browser.new_context()
    windows = [scanner.new_page() for _ in asked * 2]
    for window, link in zip(windows, asked * 2, strict=True):
        window.goto(link, wait_until="commit")
    for window in windows:
        window.wait_for_load_state("load")
        assert "It is your turn." in window.inner_text("main")
    assert scanner.cookies() == []
    scanner.close()
    assert plies(game) == []
    assert not Submission.objects.exists()

    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 800})
    reader = Person(context.new_page(), url, "Alice")
    reader.page.goto(asked[4])
    reader.press("Play 4")
    assert "It is still your turn." in reader.says()
    reader.page.get_by_label("Or type it").fill("6")
    reader.page.get_by_label("Or type it").press("Enter")
    reader.press("Play 6")
    assert "You played 4-6." in reader.says()
    assert "Bob is to move." in reader.says()
    reader.page.goto(asked[1])
    assert "already played" in reader.says()
    assert context.cookies() == []
    context.close()
    assert plies(game) == [("4", "link"), ("6", "link")]
