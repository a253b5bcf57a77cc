"""Menus on a narrow screen, and parts of a page that open: by a finger, by keys, remembered."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.conftest import somebody
from tests.journeys.test_two_people import begin
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser


def test_a_narrow_menu_opens_without_scripts_by_a_finger_and_by_keys(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Wim", width=360, scripts=False, touch=True) as wim:
        wim.go("/rules/")
        opens = wim.page.get_by_role("button", name="Menu")
        watch = wim.page.get_by_role("link", name="Watch", exact=True)
        expect(watch).to_be_hidden()
        header = wim.page.locator("body > header").bounding_box()
        assert header is not None
        assert header["height"] < 80, "the menu is one row"
        wim.fits()

        opens.focus()
        wim.page.keyboard.press("Enter")
        wim.page.keyboard.press("Tab")
        expect(watch).to_be_focused()
        wim.page.keyboard.press("Escape")
        expect(watch).to_be_hidden()
        expect(opens).to_be_focused()

        opens.tap()
        watch.tap()
        expect(wim.page.get_by_role("heading", name="Public games")).to_be_visible()


def test_the_board_stays_told_in_words_for_who_opened_it(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Xia") as xia, somebody(browser, stack, "Yan") as yan:
        for player in (xia, yan):
            player.signs_up()
        game = begin(xia, yan, "1 day")
        yan.go(game)
        words = yan.page.locator("#in-words")
        expect(words.locator("p")).to_be_hidden()
        words.get_by_role("heading", name="The board in words").click()
        expect(words.locator("p")).to_be_visible()
        expect(words.locator("p")).to_contain_text("Your pits 1 to 6 hold 4, 4, 4, 4, 4 and 4.")
        yan.page.wait_for_function("document.cookie.includes('words=open')")
        yan.go(game)
        expect(words.locator("p")).to_be_visible()
