"""A page that follows the game: the opponent's moves come by themselves, old presses do nothing, arrow keys step through."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.journeys.conftest import Person, somebody
from tests.journeys.test_two_people import begin, choose
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser


def free(player: Person) -> None:
    """The table takes presses again."""
    expect(player.page.locator("#table:not([aria-busy])")).to_be_visible()


def test_a_page_follows_the_opponent_without_reload_and_is_stepped_through_by_keys(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Ida") as ida, somebody(browser, stack, "Jon") as jon:
        wrong: list[str] = []
        for player in (ida, jon):
            player.page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
            player.page.on("pageerror", lambda problem: wrong.append(str(problem)))
        game = begin(ida, jon, "2 minutes")
        expect(ida.page.locator("#news")).to_have_text("The game begins.", timeout=10_000)
        assert ida.page.get_by_role("link", name="To the game").get_attribute("href") == game
        jon.go(game)
        jon.page.evaluate("window.sameDocument = true")
        expect(jon.page).to_have_title(re.compile("^Ida is to move · "))
        expect(jon.page.locator("#table .left")).to_have_text(re.compile(r"1 minute \d+ seconds left"))

        choose(ida, game, "1")
        expect(jon.page).to_have_title(re.compile("^Your turn · "), timeout=10_000)
        expect(jon.page.locator("#news")).to_contain_text("Ida played 1.")
        free(jon)
        jon.page.locator('.picture [data-place="N5"]').click()
        expect(jon.page.get_by_role("heading", name="Play 5?")).to_be_focused()
        expect(jon.page.locator("#effects")).to_contain_text("you capture 2 stones")
        jon.press("Play 5")
        assert "You played 5." in jon.says()
        assert jon.page.url.endswith(game), "the address is that of the game again"
        assert jon.page.evaluate("window.sameDocument") is True, "the page was never loaded again"
        jon.finds_nothing_wrong()
        jon.fits()

        expect(ida.page).to_have_title(re.compile("^Your turn · "), timeout=10_000)
        free(ida)
        for key, heading, number in (
            ("ArrowLeft", "After move 1 of 2", 3),
            ("ArrowLeft", "The beginning of the game", 2),
            ("ArrowRight", "After move 1 of 2", 3),
            ("ArrowRight", "After move 2 of 2", 4),
            ("Home", "The beginning of the game", 2),
        ):
            ida.page.keyboard.press(key)
            expect(ida.page.get_by_role("heading", name=heading)).to_be_visible()
            assert ida.page.url.endswith(f"{game}{number}/")
        ida.page.keyboard.press("End")
        expect(ida.page.get_by_role("heading", name="Choose your move")).to_be_visible()
        ida.page.go_back()
        expect(ida.page.get_by_role("heading", name="The beginning of the game")).to_be_visible()

        ida.go(game)
        ida.press("Propose a draw")
        expect(ida.page.get_by_text("Your proposal is made.")).to_be_visible()
        jon.go(game)
        jon.press("Refuse")
        expect(ida.page.locator("#table > p", has_text="Jon: refused.")).to_be_visible(timeout=10_000)
        expect(ida.page.get_by_text("Your proposal is made.")).to_have_count(0)
        assert wrong == []


def test_a_press_that_was_meant_for_an_old_position_does_nothing(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Kim") as kim, somebody(browser, stack, "Leo") as leo:
        game = begin(kim, leo, "1 day")
        kim.go(game)
        tab = kim.page
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        tab.route(re.compile(r".*\?move="), hold)
        tab.locator('.picture [data-place="S1"]').click()
        expect(tab.locator("#table[aria-busy=true]")).to_be_visible()
        tab.locator('.choices a[data-place="S2"]').dispatch_event("click")
        tab.keyboard.press("ArrowLeft")
        tab.wait_for_timeout(300)
        assert len(held) == 1, "a press while the answer is on its way is none"

        # Meanwhile both play on elsewhere: what was chosen belongs to a position that is gone.
        other = Person(tab.context.new_page(), kim.url, "Kim")
        choose(other, game, "1")
        choose(leo, game, "1")
        held[0].continue_()
        expect(tab.locator("#table")).to_contain_text("This was meant for another position.")
        assert "Play 1?" not in kim.says()
        free(kim)
        tab.unroute_all()

        # A tab that hears no news still shows a preview when its position is gone.
        tab.route("**", lambda route: route.abort() if "if-none-match" in route.request.headers else route.continue_())
        tab.locator('.picture [data-place="S3"]').click()
        free(kim)
        choose(other, game, "2")
        choose(leo, game, "2")
        tab.get_by_role("button", name="Play 3").click()
        expect(tab.locator("#table")).to_contain_text("This was meant for another position.")
        kim.go(game)
        assert tab.locator(".log a").all_inner_texts() == ["1", "1", "2", "2"]
