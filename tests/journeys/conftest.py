"""The running stack and a real browser."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Request, sync_playwright

from tests.factories import PASSWORD
from tests.stack import whole
from tests.stack.whole import Stack

# Playwright's own loop runs in this thread; nothing here touches the database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
Theme = Literal["light", "dark"]
PLAYERS: Final = (
    "Frank Gleb Ida Ivy Jack Jon Kim Kira Lars Leo Mina Nadia Ned Nick Oleg Olga Otto Paul Rosa Sven Tara Ulla Xenia Yuri Yvonne "
    "Zoran"
)
"""Those who are logged in when they come: signing up takes a while, and has journeys of its own."""
FAULTS: Final[dict[str, object]] = {"resultTypes": ["violations"]}
BY_CONTRAST: Final = {**FAULTS, "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
IN_THE_DARK: Final = {**FAULTS, "runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""Of a page that was looked at in the light only the colours are other ones."""


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with whole.running(tmp_path_factory.mktemp("stack")) as stack:
        stack.sessions = json.loads(stack.told_by("tests.journeys.people", *PLAYERS.split()))
        yield stack


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"))
        yield browser
        browser.close()


@dataclass
class Person:
    """Somebody with a browser window, who presses with a mouse or touches it."""

    page: Page
    url: str
    name: str
    touches: bool = False

    def go(self, path: str) -> None:
        self.page.goto(f"{self.url}{path}")

    def says(self) -> str:
        """What the page says once the answer to the last press is there."""
        self.page.locator("#table[aria-busy=true]").wait_for(state="detached")
        return self.page.inner_text("main")

    def press(self, words: str) -> None:
        button = self.page.locator("main").get_by_role("button", name=words, exact=True)
        if not self.touches:
            button.click()
            return
        # A click waits for the page that it asks for, a tap does not.
        with self.page.expect_request(_is_asked_for) as asked:
            button.tap()
        asked.value.response()

    def signs_up(self) -> None:
        self.asks_to_join()
        self.confirms()
        assert "My games" in self.says()

    def asks_to_join(self) -> None:
        self.go("/accounts/signup/")
        self.page.get_by_label("E-mail address").fill(f"{self.name.lower()}@example.org")
        self.page.get_by_label("Display name").fill(self.name)
        self.page.get_by_label("Password", exact=False).first.fill(PASSWORD)
        self.page.get_by_label("Password (again)").fill(PASSWORD)
        self.press("Sign up")

    def confirms(self) -> None:
        self.letter("Please confirm").click()
        self.page.locator(".plain a").click()
        self.press("Yes, it is mine")

    def letter(self, subject: str) -> Locator:
        """The newest letter with these words in its subject, in the mailbox that is open then."""
        found = self.page.get_by_role("link", name=subject)
        for _ in range(40):  # it is on its way
            self.go(f"/mailbox/?to={self.name.lower()}")
            if found.count():
                break
            self.page.wait_for_timeout(500)
        return found.first

    def fits(self) -> None:
        """Nothing is wider than the window."""
        window = self.page.viewport_size
        assert window is not None
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= window["width"], f"{self.page.url} is {wide} px wide"

    def letters(self, about: str = "", at_least: int = 0) -> list[str]:
        """The subjects of the letters with these words in theirs, newest first, once so many have come; some are on their way."""
        for _ in range(60):
            self.go(f"/mailbox/?to={self.name.lower()}")
            found = [one for one in self.page.locator(".cards a").all_inner_texts() if about in one]
            if len(found) >= at_least:
                return found
            self.page.wait_for_timeout(500)
        raise AssertionError(f"{len(found)} of {at_least} letters about {about!r} came to {self.name}")

    def finds_nothing_wrong(self) -> None:
        """axe, WCAG 2.2 AA, in light and dark."""
        assert not [*self.faults("light"), *self.faults("dark", IN_THE_DARK)]
        self.page.emulate_media(reduced_motion="no-preference")

    def faults(self, theme: Theme, options: dict[str, object] = BY_CONTRAST) -> list[str]:
        """What axe finds; colours do not glide from one to the other meanwhile."""
        self.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found = Axe().run(self.page, options=options)
        return [f"{self.page.url} ({theme}): {found.generate_report()}"] if found.response["violations"] else []


def _is_asked_for(request: Request) -> bool:
    """By a press: no picture, and no page that asks by itself whether there are news."""
    return request.resource_type in ("document", "xhr", "fetch") and "if-none-match" not in request.headers


@contextmanager
def somebody(
    browser: Browser, stack: Stack, name: str, *, width: int = 1280, scripts: bool = True, touch: bool = False
) -> Iterator[Person]:
    """A person with a window of a width, with or without JavaScript, with a mouse or a telephone; logged in if a player."""
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        java_script_enabled=scripts,
        has_touch=touch,
        is_mobile=touch,
        locale="en-GB",
        timezone_id="Europe/Istanbul",
    )
    context.set_default_timeout(15_000)
    if session := stack.sessions.get(name):
        context.add_cookies([{"name": "sessionid", "value": session, "url": stack.url}])
    yield Person(context.new_page(), stack.url, name, touch)
    context.close()
