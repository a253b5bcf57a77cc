"""Bridg-It by two fingers on small screens, and a move of Oware that is typed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.journeys.conftest import Person, somebody
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser

BESIDE = 9  # pixels from the middle of a place: nobody hits it exactly


def challenge(by: Person, opponent: str, game: str, size: str = "") -> None:
    """Fills the name in first: choosing the game leaves it there."""
    by.go("/challenges/new/")
    by.page.get_by_role("textbox", name="Opponent").fill(opponent)
    by.page.get_by_label("I do").check()
    by.page.get_by_role("link", name=game, exact=True).tap()
    by.page.get_by_role("heading", name=f"New challenge: {game}").wait_for()
    by.fits()
    if size:
        by.page.get_by_label("The size of the board").select_option(size)
    by.press("Challenge")
    by.page.get_by_text("Your challenge is open.").wait_for()


def accept(by: Person, game: str) -> str:
    """The path of the game."""
    by.go("/my/")
    by.page.locator("main a", has_text=f"{game}:").first.tap()
    by.press("Accept")
    by.page.wait_for_url("**/games/*/")
    return by.page.url.removeprefix(by.url)


def draws(person: Person, game: str, move: str) -> None:
    """Taps beside the middle of a line, and confirms it."""
    person.go(game)
    person.fits()
    box = person.page.locator(f'.picture [data-place="{move}"]').bounding_box()
    assert box is not None
    person.page.touchscreen.tap(box["x"] + box["width"] / 2 + BESIDE, box["y"] + box["height"] / 2 - BESIDE)
    person.page.get_by_role("heading", name=f"Play {move}?").wait_for()
    person.fits()
    person.press(f"Play {move}")
    person.page.get_by_text(f"You played {move}.").first.wait_for()


def test_two_people_play_bridgit_by_touch_and_begin_a_game_of_oware(browser: Browser, stack: Stack) -> None:
    with (
        somebody(browser, stack, "Yvonne", width=360, touch=True) as yvonne,
        somebody(browser, stack, "Zoran", width=360, touch=True) as zoran,
    ):
        challenge(yvonne, "Zoran", "Bridg-It", "3")
        game = accept(zoran, "Bridg-It")
        yvonne.go(game)
        yvonne.page.get_by_text("Column d").tap()
        link = yvonne.page.get_by_role("link", name="d4", exact=True)
        box = link.bounding_box()
        assert box is not None
        assert box["height"] >= 44, "large enough for a finger"
        yvonne.finds_nothing_wrong()
        draws(yvonne, game, "d4")
        zoran.go(game)
        assert "you take the line over" in zoran.page.get_by_role("link", name="swap").inner_text()
        for player, move in ((zoran, "f4"), (yvonne, "d2"), (zoran, "e5"), (yvonne, "d6")):
            draws(player, game, move)
        assert "Yvonne won (two opposite sides are joined)." in yvonne.says()

        challenge(zoran, "Yvonne", "Oware")
        game = accept(yvonne, "Oware")
        zoran.go(game)
        zoran.page.get_by_label("Or type it").fill("3")
        zoran.press("Look ahead")
        zoran.page.get_by_role("heading", name="Play 3?").wait_for()
        zoran.press("Play 3")
        zoran.page.get_by_text("You played 3.").first.wait_for()
