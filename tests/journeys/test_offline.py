"""Without a connection: a page that says so in the reader's language, and forms that lose nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.conftest import somebody
from tests.journeys.test_two_people import begin
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser

LED_BY = """async (language) => {
  const led = () => navigator.serviceWorker.controller?.scriptURL.endsWith(`=${language}`);
  while (!led()) await new Promise((kept) => setTimeout(kept, 50));
}"""
"""Waits until the page is led by the worker of a language."""


def test_a_player_who_loses_the_connection_is_told_so_and_loses_nothing(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Nadia") as nadia, somebody(browser, stack, "Otto") as otto:
        game = begin(nadia, otto, "1 day")
        nadia.go(game)
        tab = nadia.page
        tab.evaluate(LED_BY, "en")
        kept = tab.evaluate(
            "caches.keys().then(async ([one]) => (await (await caches.open(one)).keys()).map((r) => new URL(r.url).pathname))"
        )
        assert [path for path in kept if not path.startswith("/static/games/")] == ["/offline/en/"]

        tab.get_by_label("Write to the others at the table").fill("I am on a train.")
        tab.context.set_offline(True)
        nadia.press("Send")
        expect(tab.locator("#unsent")).to_contain_text("What you wrote is still here")
        assert tab.url.endswith(game)
        expect(tab.get_by_label("Write to the others at the table")).to_have_value("I am on a train.")
        tab.context.set_offline(False)
        nadia.press("Send")
        expect(tab.locator(".said")).to_contain_text("I am on a train.")

        tab.context.set_offline(True)
        nadia.go("/my/")
        expect(tab.get_by_role("heading", name="No connection")).to_be_visible()
        assert "Nadia" not in tab.content()
        tab.context.set_offline(False)
        tab.get_by_role("link", name="Try again").click()
        expect(tab.get_by_role("heading", name="My games")).to_be_visible()
        assert tab.url.endswith("/my/")

        tab.get_by_label("Language").select_option("tr")
        tab.get_by_role("button", name="Change").click()
        tab.evaluate(LED_BY, "tr")
        tab.context.set_offline(True)
        nadia.go(game)
        expect(tab.get_by_role("heading", name="Bağlantı yok")).to_be_visible()


def test_without_scripts_nothing_is_kept(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Pia", scripts=False) as pia:
        pia.go("/")
        assert not pia.page.context.service_workers
        expect(pia.page.locator("#unsent")).to_be_hidden()
