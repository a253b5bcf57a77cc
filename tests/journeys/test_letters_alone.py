"""Played from letters: a whole game by two people who never log in for it, and what a scanner opens before its reader does."""

from __future__ import annotations

import json
from itertools import groupby
from operator import itemgetter
from typing import Any

import pytest
from playwright.sync_api import Browser

from games.rules import record, registry
from games.rules.entry import MOVE
from tests.factories import PASSWORD
from tests.journeys.conftest import Person, somebody
from tests.journeys.robot import SESSION, Robot
from tests.journeys.test_invited_stranger import invite, open_invitation
from tests.rules.references import REFERENCE
from tests.stack.whole import Stack

# Minutes of scanning and playing; the same is asked of the services in tests/games.
pytestmark = [pytest.mark.browser, pytest.mark.soak]

GAME = "mangala_first25-015"
"""Ten turns, in four of which somebody moves again."""


def reference_game() -> dict[str, Any]:
    lines = (REFERENCE / "mangala_first25.jsonl").read_text().splitlines()
    return next(game for game in map(json.loads, lines) if game["id"] == GAME)


def opens_next_letter(person: Person, last: str = "") -> str:
    """Waits for a letter after the last one, and opens it; its path."""
    newest = person.page.locator(".cards a").first
    for _ in range(100):
        person.go(f"/mailbox/?to={person.name.lower()}")
        if newest.count() and (path := str(newest.get_attribute("href"))) != last:
            person.go(path)
            return path
        person.page.wait_for_timeout(200)
    raise AssertionError(f"no new letter to {person.name}")


def follows(person: Person, ending: str) -> None:
    """Follows the link of the letter whose address ends so."""
    person.page.locator(f".plain a[href$='{ending}']").first.click()


def plays_by_letter(person: Person, turn: list[str]) -> None:
    """All plies of a turn: the first one by the link in the open letter, the others on the page behind it."""
    follows(person, f"&move={turn[0]}")
    person.press(f"Play {turn[0]}")
    for ply in turn[1:]:
        assert "It is still your turn." in person.says()
        person.page.locator(f".choices a[href$='&move={ply}']").click()
        person.press(f"Play {ply}")
    assert f"You played {'-'.join(turn)}." in person.says()


def is_a_stranger(person: Person) -> bool:
    return SESSION not in {cookie.get("name") for cookie in person.page.context.cookies()}


def test_two_people_play_a_whole_game_from_their_letters_alone(browser: Browser, stack: Stack) -> None:
    game = reference_game()
    with (
        somebody(browser, stack, "Xenia", width=360, scripts=False) as xenia,
        somebody(browser, stack, "Yuri") as yuri,
    ):
        for person in (xenia, yuri):
            person.signs_up()
        read = {"S": opens_next_letter(xenia), "N": opens_next_letter(yuri)}
        invite(xenia, "Yuri")
        read["N"] = opens_next_letter(yuri, read["N"])
        yuri.page.locator(".plain a").first.click()
        yuri.press("Accept")
        yuri.page.wait_for_url("**/games/*/")
        for person in (xenia, yuri):
            person.page.context.clear_cookies()

        plies = zip(game["movers"], game["moves"], strict=True)
        for seat, turn in groupby(plies, key=itemgetter(0)):
            mover = {"S": xenia, "N": yuri}[seat]
            read[seat] = opens_next_letter(mover, read[seat])
            assert f"{mover.name}, it is your turn." in mover.says()
            plays_by_letter(mover, [ply for _seat, ply in turn])

        for seat, person in (("S", xenia), ("N", yuri)):
            letter = opens_next_letter(person, read[seat])
            assert f"{person.name}, the game is over.\nYuri won" in person.says()
            kept = person.page.request.get(f"{stack.url}{letter}files/1/").text()
            [played] = record.read(kept, registry.get)
            assert [entry.text for entry in played.entries if entry.kind == MOVE] == game["moves"]
            assert is_a_stranger(person)


def test_L1_L2_L3_a_scanner_opens_every_link_of_every_letter_twice_and_the_press_of_its_reader_still_works(
    browser: Browser, stack: Stack
) -> None:
    robot = Robot(stack, browser)
    with somebody(browser, stack, "Hugo") as hugo, somebody(browser, stack, "Wanda", width=360, scripts=False) as wanda:
        hugo.asks_to_join()
        robot.scans()
        hugo.confirms()

        invite(hugo, "wanda@example.org")
        robot.scans()
        open_invitation(wanda)
        wanda.press("Accept with a new account")
        wanda.page.get_by_label("Display name").fill("Wanda")
        wanda.page.get_by_label("Password", exact=False).first.fill(PASSWORD)
        wanda.page.get_by_label("Password (again)").fill(PASSWORD)
        wanda.press("Sign up")
        robot.scans()
        wanda.confirms()
        wanda.press("Accept as Wanda")

        robot.scans()
        opens_next_letter(hugo)
        follows(hugo, hugo.page.locator(".plain a[href*='/games/']").first.inner_text())
        game = hugo.page.url
        hugo.press("Propose a draw")
        robot.scans()
        wanda.page.context.clear_cookies()
        opens_next_letter(wanda)
        follows(wanda, "&answer=refuse")
        wanda.press("Refuse")
        assert "You refused." in wanda.says()

        for person in (hugo, wanda):
            robot.scans()
            opens_next_letter(person)
            plays_by_letter(person, ["1"])
        assert is_a_stranger(wanda)

        hugo.page.goto(game)
        hugo.press("Resign")
        hugo.press("Yes, resign")
        robot.scans(at_least=3)
        opens_next_letter(wanda)
        assert "Wanda, the game is over." in wanda.says()
