"""A newcomer: plays the computer from the front page without an account, signs up, and keeps the game; then looks back at one."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.conftest import somebody
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser


def test_a_newcomer_plays_at_once_signs_up_and_keeps_the_game(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Newt", width=360) as newt:
        newt.go("/")
        newt.press("Play now")
        game = newt.page.url
        expect(newt.page.locator("#state")).to_contain_text("It is your turn.")
        newt.page.locator("#table a[data-place]").first.click()
        newt.page.get_by_role("button", name="Play").click()
        answered = newt.page.locator(".log li").nth(1)
        answered.wait_for(timeout=90_000)  # the computer answers by itself; what it thinks with may have to be compiled first
        newt.fits()
        newt.signs_up()
        expect(newt.page.locator("main")).to_contain_text("The game that you played as a guest is yours.")
        newt.page.goto(game)
        newt.page.locator("#table").wait_for()
        assert "You play as a guest" not in newt.says()
        newt.press("Resign")
        newt.press("Yes, resign")
        newt.page.get_by_role("link", name="Analysis").click()
        newt.press("Analyse this game")
        newt.page.get_by_role("heading", name="Move by move").wait_for(timeout=90_000)  # it comes by itself, too
        newt.page.locator(".plies a").first.click()
        newt.page.locator("#table a[data-place]").first.click()
        assert "Take the last try back" in newt.says()
        newt.finds_nothing_wrong()
