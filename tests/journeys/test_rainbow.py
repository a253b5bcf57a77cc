"""Five play Rainbow: one opens the room and plays with the mouse, one by touch, one without scripts, one by keyboard and from
the text alone, one from letters without ever logging in."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser

from tests.journeys.conftest import Person, somebody
from tests.journeys.test_letters_alone import is_a_stranger, newest_letter
from tests.journeys.test_ways_to_play import Keyboard
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser


def possible(person: Person) -> list[str]:
    """The moves that the open page or letter has links for."""
    links = person.page.locator("main a[href*='move=']")
    return [parse_qs(urlsplit(link.get_attribute("href") or "").query)["move"][0] for link in links.all()]


def with_the_mouse(person: Person, game: str) -> None:
    person.go(game)
    move = possible(person)[0]
    person.page.locator("main a[href*='move=']").first.click()
    person.press(f"Play {move}")
    person.page.get_by_role("button", name=f"Play {move}", exact=True).wait_for(state="detached")


def by_touch(person: Person, game: str) -> None:
    """Taps a drop on the picture where the move has one, else its line; both are large enough for a finger."""
    person.go(game)
    move = possible(person)[0]
    line = person.page.locator(".choices a").first
    drop = person.page.locator(f'.picture [data-place="{line.get_attribute("data-place")}"]').first
    for target, least in ((line, 44), (drop, 24)):
        if box := target.bounding_box() if target.count() else None:
            assert min(box["width"], box["height"]) >= least, (move, box)
    # Of several drops of a colour the first one.
    drop.tap(position={"x": 17, "y": 17}) if drop.count() else line.tap()
    person.page.get_by_role("heading", name=f"Play {move}?").wait_for()
    person.fits()
    person.press(f"Play {move}")
    person.page.get_by_role("button", name=f"Play {move}", exact=True).wait_for(state="detached")


def steps_back_by_touch(person: Person, game: str) -> None:
    """After the end every step shows all hands."""
    person.go(game)
    words = person.page.locator("#in-words")
    for step in range(3):
        person.page.get_by_role("link", name="Back", exact=True).tap()
        person.page.get_by_role("heading", name=re.compile("After move|The beginning")).wait_for()
        person.says()
        if step == 0:
            words.locator("summary").tap()
        said = words.inner_text()
        assert all(re.search(rf"{other}: \d+ \w+", said) for other in ("Kira", "Mina", "Oleg", "Gleb")), said
        assert "In the rain: " in said


def by_keyboard_and_text(person: Person, game: str) -> None:
    """Reads what the page says, never the picture, and types what it offers."""
    person.go(game)
    keyboard, words = Keyboard(person), person.page.locator("#in-words")
    if words.get_attribute("open") is None:
        keyboard.reach("The board in words")
        keyboard.keys.press("Enter")
    said = words.inner_text()
    assert re.search(r"You hold \d+ drops?: \d (red|orange|yellow|green|light blue|blue|violet)", said)
    assert "The rain holds" in said
    assert all(f"{other} holds" in said or f"{other} has" in said for other in ("Kira", "Lars", "Oleg", "Gleb"))
    move = next(
        line.partition(":")[0] for line in person.says().splitlines() if re.match(r"(send|offer \w|accept|pour \w)\b", line)
    )
    keyboard.write("Or type it", move)
    keyboard.keys.press("Enter")
    person.page.get_by_role("heading", name=f"Play {move}?").wait_for()
    keyboard.enter(f"Play {move}")
    person.page.get_by_role("button", name=f"Play {move}", exact=True).wait_for(state="detached")


class FromLetters:
    """Who acts by the links of letters, the last of which was `read`."""

    def __init__(self) -> None:
        self.read = ""

    def follows(self, person: Person, link: str) -> None:
        """Waits for a new letter with such a link, and follows that."""
        found = person.page.locator(f".plain a[href*='{link}']")
        for _ in range(100):
            path = newest_letter(person)
            if path not in ("", self.read):
                person.go(path)
                if found.count():
                    self.read = path
                    found.first.click()
                    return
            person.page.wait_for_timeout(200)
        raise AssertionError(f"no letter to {person.name} leads to {link} after {self.read}: {person.letters()}")

    def __call__(self, person: Person, _game: str) -> None:
        self.follows(person, "move=")
        play = person.page.get_by_role("button", name="Play ")
        move = play.inner_text().removeprefix("Play ")
        play.click()
        assert f"You played {move.split()[0]}" in person.says()  # a used link tells no colour


def to_move(watcher: Person, game: str) -> str:
    watcher.go(game)
    state = watcher.page.inner_text("#state")
    found = re.match(r"(\w+) is to move", state)
    return found[1] if found else watcher.name


def test_five_play_rainbow_each_in_their_own_way(browser: Browser, stack: Stack) -> None:
    with (
        somebody(browser, stack, "Kira") as kira,
        somebody(browser, stack, "Lars", width=360, touch=True) as lars,
        somebody(browser, stack, "Mina") as mina,
        somebody(browser, stack, "Oleg", width=360, scripts=False) as oleg,
        somebody(browser, stack, "Gleb", scripts=False) as gleb,
    ):
        kira.go("/challenges/new/?game=rainbow")
        kira.page.get_by_label("Anyone may join").uncheck()
        kira.press("Challenge")
        room = kira.page.get_by_label("Whoever opens this link may join:").input_value().removeprefix(stack.url)
        for number, guest in enumerate((lars, mina, oleg, gleb), 2):
            guest.go(room)
            guest.press("Accept")
            if number < 5:
                kira.page.locator("#challenge").get_by_text(f"({number}/5)").wait_for()
        kira.page.get_by_text("The game begins.").first.wait_for()
        kira.page.get_by_role("link", name="To the game").click()
        kira.page.wait_for_url("**/games/*/")
        game = kira.page.url.removeprefix(stack.url)
        oleg.page.context.clear_cookies()
        letters = FromLetters()

        ways: dict[str, tuple[Person, Callable[[Person, str], None]]] = {
            "Kira": (kira, with_the_mouse),
            "Lars": (lars, by_touch),
            "Mina": (mina, by_keyboard_and_text),
            "Oleg": (oleg, letters),
            "Gleb": (gleb, with_the_mouse),
        }
        moved: list[str] = []
        while len({*moved}) < len(ways):
            moved.append(to_move(kira, game))
            person, plays = ways[moved[-1]]
            plays(person, game)
            assert len(moved) < 20, moved
        lars.go(game)
        lars.fits()
        mina.go(game)
        mina.finds_nothing_wrong()

        kira.go(game)
        kira.press("Propose to stop the game")
        kira.page.get_by_text("Take it back").wait_for()
        for person in (lars, mina, gleb):
            person.go(game)
            person.press("Agree")
            person.page.get_by_role("button", name="Agree", exact=True).wait_for(state="detached")
        letters.follows(oleg, "answer=agree")
        oleg.press("Agree")
        assert is_a_stranger(oleg)

        steps_back_by_touch(lars, game)
        gleb.go(game)
        assert "A draw (by agreement)." in gleb.says()
        assert "Oleg is dealt: " in gleb.says()
        gleb.page.get_by_role("link", name="Check the luck").click()
        assert "Checked: all that fell is what the seed makes fall." in gleb.says()
        assert "The seats are as the lot of the seed has them." in gleb.says()
