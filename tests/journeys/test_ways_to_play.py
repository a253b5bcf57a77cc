"""Three ways to play: by keyboard alone, by touch on a small screen, without JavaScript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from tests.factories import PASSWORD
from tests.journeys.conftest import Person, somebody
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser

FOCUSED = """() => {
  const one = document.activeElement;
  const label = one.labels?.length ? one.labels[0].innerText : one.getAttribute("aria-label");
  return (label ?? one.innerText ?? "").replace(/[:\\s]+$/, "").trim();
}"""
SEEN = """() => {
  const one = document.activeElement, style = getComputedStyle(one);
  return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
}"""


class Keyboard:
    """Somebody who has no mouse: reaches everything with Tab, and sees where he is."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.keys = person.page.keyboard

    def reach(self, words: str) -> None:
        """Tabs forward to what is called so."""
        for _ in range(120):
            self.keys.press("Tab")
            if self.person.page.evaluate(FOCUSED) == words:
                assert self.person.page.evaluate(SEEN), f"the focus on {words!r} is not to be seen"
                return
        raise AssertionError(f"no key leads to {words!r} on {self.person.page.url}")

    def write(self, words: str, text: str) -> None:
        self.reach(words)
        self.keys.type(text)

    def open(self, words: str) -> None:
        """Presses what is called so, as soon as presses count: right after the table changed it takes none."""
        self.reach(words)
        self.person.page.locator("#table[aria-busy=true]").wait_for(state="detached")
        self.keys.press("Enter")

    def enter(self, words: str) -> None:
        """Presses the link or the button, and waits until what comes next has taken its place."""
        self.person.page.evaluate("(document.querySelector('#table') ?? document.body).dataset.pressed = ''")
        self.open(words)
        self.person.page.locator("[data-pressed]").wait_for(state="detached")
        self.person.page.wait_for_load_state()


def challenge(by: Person, opponent: str) -> None:
    by.go(f"/challenges/new/?opponent={opponent}")
    by.page.get_by_label("I do").check()
    by.press("Challenge")


def accept(by: Person) -> str:
    """Accepts the challenge that waits; the path of the game."""
    by.go("/my/")
    by.page.locator("main a", has_text="Mangala:").first.click()
    by.press("Accept")
    by.page.wait_for_url("**/games/*/")
    return by.page.url.removeprefix(by.url)


def plays(person: Person, game: str, move: str) -> None:
    person.go(f"{game}?move={move}")
    person.press(f"Play {move}")
    person.page.get_by_text(f"You played {move}.").first.wait_for()


def test_by_keyboard_alone_I_sign_up_challenge_move_write_and_resign(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Mary") as mary, somebody(browser, stack, "Nick") as nick:
        keyboard = Keyboard(mary)
        mary.go("/")
        keyboard.reach("Skip to the content")
        keyboard.enter("Sign up")
        mary.go("/accounts/signup/")
        for label, text in (("E-mail address", "mary@example.org"), ("Display name", "Mary")):
            keyboard.write(label, text)
        for label in ("Password", "Password (again)"):
            keyboard.write(label, PASSWORD)
        keyboard.keys.press("Enter")
        mary.page.wait_for_url("**/confirm-email/**")
        keyboard.enter(mary.letter("Please confirm").inner_text().strip())
        address = mary.page.locator(".plain a").inner_text()
        keyboard.enter(address)
        keyboard.enter("Yes, it is mine")

        keyboard.enter("New challenge")
        keyboard.reach("the lot decides")
        keyboard.keys.press("ArrowDown")
        keyboard.write("Opponent", "Nick")
        keyboard.enter("Challenge")
        game = accept(nick)

        mary.go(game)
        first = mary.page.locator(".choices a").first.inner_text().strip()
        keyboard.enter(first)
        mary.page.get_by_role("heading", name="Play 1?").wait_for()
        keyboard.open("Add a message")
        keyboard.write("Message to the others at the table", "Good luck")
        keyboard.enter("Play 1")
        mary.page.get_by_text("You played 1.").first.wait_for()
        mary.finds_nothing_wrong()
        plays(nick, game, "2")

        mary.go(game)
        keyboard.write("Or type it", "2")
        keyboard.keys.press("Enter")
        mary.page.get_by_role("heading", name="Play 2?").wait_for()
        keyboard.enter("Play 2")
        mary.page.get_by_text("You played 2.").first.wait_for()
        keyboard.write("Write to the others at the table", "Well played")
        keyboard.enter("Send")
        mary.page.get_by_text("Your message is sent.").first.wait_for()
        assert "Well played" in mary.says()
        keyboard.enter("Resign")
        keyboard.enter("Yes, resign")
        mary.page.get_by_text("Nick won (resignation).").first.wait_for()
        nick.go(game)
        assert "Good luck" in nick.says()


def test_by_touch_at_360_px_I_tap_the_board_and_everything_else(browser: Browser, stack: Stack) -> None:
    with (
        somebody(browser, stack, "Olga", width=360, touch=True) as olga,
        somebody(browser, stack, "Paul") as paul,
    ):
        challenge(olga, "Paul")
        game = accept(paul)

        def tap(words: str, role: str = "button") -> None:
            found = olga.page.locator("main").get_by_role(role, name=words, exact=True)  # type: ignore[arg-type]
            box = found.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 24, f"{words!r} is too small for a finger"
            found.tap()

        olga.go("/my/")
        olga.fits()
        olga.go(game)
        olga.fits()
        olga.page.locator('.picture [data-place="S1"]').first.tap()
        olga.page.get_by_role("heading", name="Play 1?").wait_for()
        olga.fits()
        olga.page.get_by_text("Add a message").tap()
        olga.page.get_by_label("Message to the others at the table").fill("Sent from a telephone " + "w" * 300)
        olga.fits()
        olga.finds_nothing_wrong()
        tap("Play 1")
        olga.page.get_by_text("You played 1.").first.wait_for()
        olga.fits()
        plays(paul, game, "1")
        olga.go(game)
        olga.page.get_by_text("My notes").tap()
        olga.page.get_by_label("Only you see what you write here.").fill("He answers at once.")
        tap("Save")
        olga.page.get_by_text("Your note is saved.").first.wait_for()
        olga.fits()
        tap("Propose a draw")
        olga.page.get_by_text("Your proposal is made.").first.wait_for()
        paul.go(game)
        assert "He answers" not in paul.says()
        paul.press("Agree")
        olga.go(game)
        assert "A draw (by agreement)." in olga.says()
        olga.fits()


def test_without_javascript_I_move_write_note_and_step_back(browser: Browser, stack: Stack) -> None:
    with (
        somebody(browser, stack, "Rosa", scripts=False) as rosa,
        somebody(browser, stack, "Sven", scripts=False) as sven,
    ):
        challenge(rosa, "Sven")
        game = accept(sven)
        rosa.go(game)
        rosa.page.locator(".choices a").first.click()
        rosa.page.get_by_text("Add a message").click()
        rosa.page.get_by_label("Message to the others at the table").fill("No scripts here\n<b>none</b>")
        rosa.press("Play 1")
        assert "You played 1." in rosa.says()
        assert "<b>none</b>" in rosa.says()

        sven.go(game)
        assert "No scripts here" in sven.says()
        sven.page.get_by_label("Or type it").fill("nonsense")
        sven.press("Look ahead")
        assert "is not a pit" in sven.says()
        sven.page.get_by_label("Or type it").fill("2")
        sven.press("Look ahead")
        sven.press("Play 2")
        sven.page.get_by_label("Write to the others at the table").fill("Here neither")
        sven.press("Send")
        assert "Your message is sent." in sven.says()

        rosa.go(game)
        assert "Here neither" in rosa.says()
        rosa.page.get_by_text("My notes").click()
        rosa.page.get_by_label("Only you see what you write here.").fill("Takes pit 2 first.")
        rosa.press("Save")
        assert "Your note is saved." in rosa.says()
        assert rosa.page.get_by_label("Only you see what you write here.").input_value() == "Takes pit 2 first."
        rosa.page.get_by_role("link", name="Back", exact=True).click()
        rosa.page.wait_for_url(re.compile(rf"{game}\d+/$"))
        rosa.page.get_by_role("link", name="Now", exact=True).click()
        rosa.page.get_by_role("link", name="Report this message by Sven").click()
        assert "> Here neither" in rosa.page.get_by_label("What happened?").input_value()
        sven.go(game)
        sven.press("Resign")
        sven.press("Yes, resign")
        assert "Rosa won (resignation)." in sven.says()
