"""Every kind of page in a browser: nothing that hinders anybody, in both themes; and none is forgotten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from itertools import cycle
from typing import Final

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from playwright.sync_api import Browser

from tests.journeys.conftest import Theme, somebody
from tests.screenshots.page import Page, fill, visit
from tests.stack import whole
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser

BUTTON: Final = "a button, it answers with a page that is here"
DATA: Final = "no page: data, a file, a script"
DJANGO: Final = "of Django's desk: like those that are here, or closed"
ELSEWHERE: Final = "leads to another page, for whoever has a password"
KEYS: Final = "needs a passkey, which the journeys of accounts have"
OURS: Final = "allauth's own, at whose address a page of ours goes before it"
NOT_HERE: Final = {
    "account_confirm_email": OURS,
    "account_confirm_reauthentication_code": "the same form as that of account_confirm_login_code",
    "account_email": OURS,
    "account_set_password": ELSEWHERE,
    "accounts:letters_again": BUTTON,
    "admin:*": DJANGO,
    "games:accept": BUTTON,
    "games:add_computer": BUTTON,
    "games:analyse": BUTTON,
    "games:answer": BUTTON,
    "games:begin": BUTTON,
    "games:block": BUTTON,
    "games:decline": BUTTON,
    "games:note": BUTTON,
    "games:propose": BUTTON,
    "games:record": DATA,
    "games:rematch": BUTTON,
    "games:say": BUTTON,
    "games:send_computer_away": BUTTON,
    "games:showcase": DATA,
    "games:unblock": BUTTON,
    "games:withdraw": BUTTON,
    "healthz": DATA,
    "mailbox:file": DATA,
    "mailbox:html": "the frame in the page of a letter",
    "mfa_download_recovery_codes": DATA,
    "mfa_edit_webauthn": KEYS,
    "mfa_login_webauthn": DATA,
    "mfa_reauthenticate_webauthn": KEYS,
    "mfa_remove_webauthn": KEYS,
    "set_language": BUTTON,
    "worker": DATA,
}
"""Names of addresses that are not visited, and why."""


LOOKS: Final[list[tuple[Theme, int]]] = [("light", 1280), ("dark", 360), ("light", 360), ("dark", 1280)]


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """One of its own: the people of the pictures have the names of those who come in other journeys."""
    with whole.running(tmp_path_factory.mktemp("pages")) as stack:
        yield stack


@pytest.fixture(scope="module")
def pages(stack: Stack) -> list[Page]:
    return fill(stack)


def named(resolver: URLResolver, above: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield above + (pattern.name or "")
        else:
            yield from named(pattern, above + (f"{pattern.namespace}:" if pattern.namespace else ""))


def kind(page: Page) -> str:
    """What answers with it."""
    if page.status == 404:
        return str(page.status)
    path = page.sent[0] if page.sent else page.path.partition("?")[0]
    return resolve(path).view_name


def test_every_named_address_is_visited_or_has_a_reason(pages: list[Page]) -> None:
    visited = {kind(page) for page in pages if page.status != 404}
    known = {name for name in named(get_resolver()) if not name.endswith(":") and name}
    excepted = {name for name in known if any(fnmatch(name, pattern) for pattern in NOT_HERE)}
    assert not known - visited - excepted, "new: give it a page in tests/screenshots/scene.py"
    assert not {name for name in NOT_HERE if "*" not in name} - (known - visited), "visited, or gone"


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_nothing_on_any_page_hinders_anybody(browser: Browser, stack: Stack, pages: list[Page], every: bool) -> None:
    """Each page in another theme and width than the one before, and of those of a kind every other one; `every` page in all of
    them takes six times as long."""
    faults, met = [], Counter[str]()
    with somebody(browser, stack, "Walter") as walter:
        for page, look in zip(pages, cycle(LOOKS), strict=False):
            faults.append(visit(walter.page, stack, page, "en"))
            met[kind(page)] += 1
            if met[kind(page)] % 2 == 0 and not every:
                continue
            for theme, width in LOOKS if every else [look]:
                # Django's desk is made for wide windows: in small ones its tables scroll, and take no focus.
                wide = max(width, 1280) if page.path.startswith("/admin/") else width
                walter.page.set_viewport_size({"width": wide, "height": 800})
                faults += walter.faults(theme)
    assert not any(faults), "\n".join(filter(None, faults))
