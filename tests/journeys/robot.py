"""A scanner: it opens every address of every letter before the reader does, with and without JavaScript at the same time."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape
from time import monotonic, sleep
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from playwright.sync_api import Browser

from tests.journeys.conftest import Person
from tests.stack.whole import DATABASE, Stack

METHODS: Final = ("GET", "HEAD", "OPTIONS")
ADDRESS: Final = re.compile(r"https?://[^\s\"'<>]+")
SESSION: Final = "sessionid"
RESTLESS: Final = {"cache", "games_pulse"}
"""Tables that change all the time: rate limits, signs of life."""
STILL: Final = 1.5
"""Seconds in which both sweeps pass."""

Rows = dict[str, set[tuple[Any, ...]]]


class Robot:
    """Knows which letters of a stack it has scanned."""

    def __init__(self, stack: Stack, browser: Browser) -> None:
        self._stack = stack
        self._browser = browser
        self._scanned = {path.name for path in self._letters()}

    def scans(self, *others: Person, at_least: int = 1) -> None:
        """Waits until new letters are there and none is on its way, and opens all that they link to; nothing changes.

        The others close their pages meanwhile: a page that is open notes what its player has seen of the game.
        """
        self._wait_for_letters(at_least)
        for other in others:
            other.page.goto("about:blank")
        before = self._when_still()
        new = [path for path in self._letters() if path.name not in self._scanned]
        self._scanned |= {path.name for path in new}
        asked = sorted({address for path in new for address in _addresses(path.read_bytes())})
        assert asked
        assert all(address.startswith(f"{self._stack.url}/") for address in asked)
        requests = [Request(address, method=method) for address in asked for method in METHODS]
        with ThreadPoolExecutor(6) as machines:
            answers = machines.map(_open, requests)
            self._with_scripts(asked)
        for address, status, cookies in answers:
            assert status < 500, address
            assert not any(cookie.startswith(SESSION) for cookie in cookies), address
        after = self._rows()
        assert _changed(before, after) == {}

    def _with_scripts(self, asked: list[str]) -> None:
        scanner = self._browser.new_context()
        window = scanner.new_page()
        for address in asked:
            window.goto(address, wait_until="load")
        assert SESSION not in {cookie.get("name") for cookie in scanner.cookies()}
        scanner.close()

    def _letters(self) -> list[Any]:
        return sorted((self._stack.data / "mailbox").glob("*.eml"))

    def _wait_for_letters(self, at_least: int) -> None:
        """Until so many are new and all that are owed are sent."""
        until = monotonic() + 30
        while len(self._letters()) - len(self._scanned) < at_least or self._owed():
            assert monotonic() < until, "the letters do not come"
            sleep(0.1)

    def _when_still(self) -> Rows:
        """What is in the database once that stays the same through a tick of everything that ticks. A letter may be there before
        the press that it tells of is answered, and its session kept."""
        until = monotonic() + 30
        before, after = Rows(), self._rows()
        while before != after:
            assert monotonic() < until, _changed(before, after)
            sleep(STILL)
            before, after = after, self._rows()
        return after

    def _owed(self) -> int:
        with self._read() as database:
            [[count]] = database.execute("SELECT count(*) FROM notifications_letter WHERE due_at IS NOT NULL")
        return int(count)

    def _rows(self) -> Rows:
        """Everything that is in the database, at one moment."""
        with self._read() as database:
            database.execute("BEGIN")
            names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {name: {*database.execute(f'SELECT * FROM "{name}"')} for name in names if name not in RESTLESS}

    def _read(self) -> closing[sqlite3.Connection]:
        return closing(sqlite3.connect(f"file:{self._stack.data / DATABASE}?mode=ro", uri=True))


def _changed(before: Rows, after: Rows) -> Rows:
    """The rows that are only in one of the two, by the names of their tables."""
    return {name: found for name in {*before, *after} if (found := before.get(name, set()) ^ after.get(name, set()))}


def _addresses(mime: bytes) -> Iterator[str]:
    """Those of its headers, its text and its HTML."""
    message = message_from_bytes(mime, policy=policy.default)
    assert isinstance(message, EmailMessage)
    bodies = [message.get_body((kind,)) for kind in ("plain", "html")]
    said = [str(message["List-Unsubscribe"] or ""), *(str(body.get_content()) for body in bodies if body)]
    yield from (unescape(address) for one in said for address in ADDRESS.findall(one))


def _open(request: Request) -> tuple[str, int, list[str]]:
    """The address, the status that it leads to, the cookies that this sets."""
    try:
        with urlopen(request, timeout=30) as answer:
            return request.full_url, answer.status, answer.headers.get_all("Set-Cookie") or []
    except HTTPError as refused:
        with refused:
            return request.full_url, refused.code, refused.headers.get_all("Set-Cookie") or []
