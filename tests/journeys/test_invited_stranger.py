"""A stranger is invited by letter, joins without scripts on a small screen, and plays; another refuses for good."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.factories import PASSWORD
from tests.journeys.conftest import Person, somebody
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser


def invite(by: Person, address: str) -> None:
    by.go(f"/challenges/new/?opponent={address}")
    assert by.page.get_by_role("textbox", name="Opponent").input_value() == address
    by.page.get_by_label("I do").check()
    by.press("Challenge")


def open_invitation(by: Person) -> str:
    """Follows the link in the letter, as soon as that has come; the path it leads to."""
    letter = by.page.get_by_role("link", name="invites you to a game")
    for _ in range(20):
        by.go(f"/mailbox/?to={by.name.lower()}")
        if letter.count():
            break
        by.page.wait_for_timeout(500)
    letter.first.click()
    by.page.locator(".plain a").click()
    assert "invites you to a game: Mangala" in by.says()
    return by.page.url.removeprefix(by.url)


def test_an_invited_stranger_signs_up_on_the_way_and_plays(browser: Browser, stack: Stack) -> None:
    with (
        somebody(browser, stack, "Ivy") as ivy,
        somebody(browser, stack, "Henry", width=360, scripts=False) as henry,
    ):
        invite(ivy, "henry@example.org")
        assert "Your invitation is on its way." in ivy.says()
        ivy.go("/my/")
        assert "henry@example.org" in ivy.says()

        path = open_invitation(henry)
        henry.page.context.clear_cookies()
        henry.go(path)
        assert henry.page.context.cookies() == []
        henry.fits()
        henry.press("Accept with a new account")
        assert henry.page.get_by_label("E-mail address").input_value() == "henry@example.org"
        henry.page.get_by_label("Display name").fill("Henry")
        henry.page.get_by_label("Password", exact=False).first.fill(PASSWORD)
        henry.page.get_by_label("Password (again)").fill(PASSWORD)
        henry.press("Sign up")
        henry.confirms()
        assert "Ivy invites you to a game: Mangala" in henry.says()
        henry.fits()
        henry.press("Accept as Henry")
        assert "The game begins." in henry.says()
        henry.go(path)
        assert "You accepted this invitation." in henry.says()

        ivy.go("/my/")
        assert "against Henry" in ivy.says()


def test_a_stranger_refuses_for_good_with_one_press_and_the_challenger_is_told(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Jack") as jack, somebody(browser, stack, "Kate", width=360) as kate:
        invite(jack, "kate@example.org")
        path = open_invitation(kate)
        kate.press("Never invite this address again")
        assert "Nobody will invite this address again." in kate.says()
        kate.finds_nothing_wrong()
        kate.go(f"{path[:-5]}/")
        assert "No such invitation" in kate.says()

        invite(jack, "kate@example.org")
        assert "Your invitation is on its way." in jack.says()
        jack.letters("Your challenge was declined: Mangala", at_least=1)
        assert len(kate.letters("invites you", at_least=1)) == 1
