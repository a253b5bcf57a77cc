"""Sprouts to its end: one draws with a finger on a small screen, from pictures; the other with the keyboard, from words."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.journeys.conftest import Person, somebody
from tests.journeys.test_letters_alone import opens_next_letter
from tests.journeys.test_ways_to_play import Keyboard
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser

DRAWN = "document.activeElement.querySelector('.drawn') && document.activeElement.querySelector('strong').innerText"


def begin(by: Person, other: Person) -> str:
    """A game of three spots; its path."""
    by.go(f"/challenges/new/?game=sprouts&opponent={other.name}")
    by.page.get_by_label("How many spots at the start").select_option("3")
    by.page.get_by_label("I do").check()
    by.press("Challenge")
    other.go("/my/")
    other.page.locator("main a", has_text="Sprouts:").first.click()
    other.press("Accept")
    other.page.wait_for_url("**/games/*/")
    return other.page.url.removeprefix(other.url)


def tap(person: Person, spot: int) -> None:
    """Taps a spot of the picture."""
    person.page.locator(f'.picture [data-place="{spot}"]').first.tap()


def asked(person: Person, question: str) -> None:
    person.page.get_by_role("heading", name=question).wait_for()
    person.page.locator("#table[aria-busy=true]").wait_for(state="detached")


def plays(person: Person, move: str) -> None:
    person.page.locator("#table[aria-busy=true]").wait_for(state="detached")
    person.press(f"Play {move}")
    person.page.get_by_text(f"You played {move}.").first.wait_for()


def choose(keyboard: Keyboard, move: str) -> None:
    """Tabs to the picture of a move, and chooses it."""
    for _ in range(60):
        keyboard.keys.press("Tab")
        if keyboard.person.page.evaluate(DRAWN) == f"{move}:":
            keyboard.person.page.locator("#table[aria-busy=true]").wait_for(state="detached")
            keyboard.keys.press("Enter")
            return
    raise AssertionError(f"no key leads to the picture of {move}")


def test_two_play_sprouts_to_the_end_one_by_touch_from_pictures_one_by_keyboard_and_from_a_letter(
    browser: Browser, stack: Stack
) -> None:
    with (
        somebody(browser, stack, "Tara", width=360, touch=True) as tara,
        somebody(browser, stack, "Ulla") as ulla,
    ):
        game = begin(tara, ulla)
        keyboard = Keyboard(ulla)

        tara.go(game)
        tap(tara, 1)
        asked(tara, "To which spot does the line from 1 go?")
        tap(tara, 1)
        asked(tara, "How does the loop at 1 go?")
        assert tara.page.locator(".choices .drawn").count() == 2
        tara.page.locator(".choices .drawn").first.tap()
        asked(tara, "Play 1(4)1?")
        tap(tara, 2)
        assert tara.page.get_by_role("group", name="Which spots does the line part").get_by_label("2").is_checked()
        tara.page.get_by_role("button", name="Look ahead").first.tap()
        asked(tara, "Play 1(4)1[2]?")
        tara.fits()
        tara.finds_nothing_wrong()
        plays(tara, "1(4)1[2]")

        ulla.go(game)
        keyboard.open("The board in words")
        words = ulla.page.inner_text("#in-words")
        assert "With three lives: spots 2, 3. With one life: spots 1, 4." in words
        assert "Region 1: round it 1, 4; spot 2 alone. Region 2: round it 1, 4; spot 3 alone." in words
        keyboard.write("Or type it", "1(5)4")
        keyboard.keys.press("Enter")
        asked(ulla, "“1(5)4” can be drawn in several ways: choose one of them.")
        assert ulla.page.locator(".choices .drawn").count() == 4
        assert len({*ulla.page.locator(".choices .drawn desc").all_text_contents()}) == 4
        ulla.finds_nothing_wrong()
        choose(keyboard, "1(5)4#1")
        asked(ulla, "Play 1(5)4#1?")
        keyboard.enter("Play 1(5)4#1")

        tara.go(game)
        tap(tara, 2)
        asked(tara, "To which spot does the line from 2 go?")
        tap(tara, 2)
        asked(tara, "Play 2(6)2?")
        letter = opens_next_letter(ulla)
        tara.page.bring_to_front()
        plays(tara, "2(6)2")

        opens_next_letter(ulla, letter)
        keyboard.enter(ulla.page.locator(".plain a[href*='/rights/']").last.inner_text())
        assert "/rights/" in ulla.page.url
        ulla.finds_nothing_wrong()
        keyboard.enter("from spot 3")
        ulla.page.get_by_role("heading", name="To which spot does the line from 3 go?").wait_for()
        keyboard.enter("a loop, back to spot 3")
        keyboard.enter("Play 3(7)3")
        assert "You played 3(7)3." in ulla.says()

        tara.go(game)
        tap(tara, 2)
        asked(tara, "To which spot does the line from 2 go?")
        tap(tara, 6)
        asked(tara, "How does the line from 2 to 6 go?")
        tara.fits()
        drawn = tara.page.locator(".choices .drawn")
        assert drawn.count() == 2
        drawn.first.tap()
        asked(tara, "Play 2(8)6#1?")
        plays(tara, "2(8)6#1")

        ulla.go(game)
        keyboard.enter("from spot 3")
        keyboard.enter("from spot 3 to spot 7")
        choose(keyboard, "3(9)7#2")
        asked(ulla, "Play 3(9)7#2?")
        keyboard.enter("Play 3(9)7#2")
        assert "Ulla won (no line can be drawn)." in ulla.says()
        assert "In 7 regions no line can be drawn. The game is over." in ulla.says()
