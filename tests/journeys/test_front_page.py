"""The front page: games step by themselves until they are paused, stand still for those who want that, and need no script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.conftest import somebody
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser

AT_FIRST = "6. South: 2."
MANGALA = "#mangala"


def test_the_game_on_the_front_page_steps_by_itself_and_can_be_paused(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Vera") as alice:
        alice.go("/")
        board = alice.page.locator(MANGALA)
        words = board.locator("[data-words]")
        expect(words).not_to_contain_text(AT_FIRST)
        board.get_by_role("button", name="Pause").click()
        paused = words.inner_text()
        alice.page.wait_for_timeout(3_000)
        assert words.inner_text() == paused
        board.get_by_role("link", name="Next").click()
        expect(words).not_to_have_text(paused)
        board.get_by_role("link", name="Back").click()
        expect(words).to_have_text(paused)
        board.get_by_role("button", name="Play").click()
        expect(words).not_to_have_text(paused)
        alice.finds_nothing_wrong()


def test_it_stands_still_for_those_who_want_no_motion(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Viola", width=360) as alice:
        alice.page.emulate_media(reduced_motion="reduce")
        alice.go("/")
        alice.page.wait_for_timeout(3_000)
        assert AT_FIRST in alice.says()
        board = alice.page.locator(MANGALA)
        board.get_by_role("button", name="Play").click()
        expect(board.locator("[data-words]")).not_to_contain_text(AT_FIRST)
        alice.fits()


def test_without_scripts_links_lead_through_the_game(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Victor", scripts=False) as alice:
        alice.go("/")
        assert AT_FIRST in alice.says()
        alice.page.locator(MANGALA).get_by_role("link", name="Next").click()
        assert "7. North: 1." in alice.says()


def test_nothing_shifts_while_pages_load(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Vlad", width=360) as alice:
        for path in ("/", "/games/", "/rules/mangala/"):
            alice.go(path)
            shifted = alice.page.evaluate(
                """new Promise(done => {
                    let sum = 0;
                    const observer = new PerformanceObserver(list => { for (const one of list.getEntries()) sum += one.value; });
                    observer.observe({type: "layout-shift", buffered: true});
                    setTimeout(() => done(sum), 500);
                })"""
            )
            assert shifted < 0.01, path
            alice.fits()
