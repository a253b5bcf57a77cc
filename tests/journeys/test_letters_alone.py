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
from tests.journeys.test_two_people import played
from tests.rules.references import REFERENCE
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser

GAME = "mangala_first25-015"
"""Ten turns, in four of which somebody moves again."""


def reference_game() -> dict[str, Any]:
    lines = (REFERENCE / "mangala_first25.jsonl").read_text().splitlines()
    return next(game for game in map(json.loads, lines) if game["id"] == GAME)


def newest_letter(person: Person) -> str:
    """Its path; empty if there is none yet."""
    person.go(f"/mailbox/?to={person.name.lower()}")
    newest = person.page.locator(".cards a").first
    return str(newest.get_attribute("href")) if newest.count() else ""


def opens_next_letter(person: Person, last: str = "") -> str:
    """Waits for a letter after the last one, and opens it; its path."""
    for _ in range(100):
        if (path := newest_letter(person)) not in ("", last):
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


@pytest.mark.parametrize("last", [3, pytest.param(None, marks=pytest.mark.soak)])
def test_two_people_play_a_game_to_its_end_from_their_letters_alone(browser: Browser, stack: Stack, last: int | None) -> None:
    """The `last` turns of it, or the whole."""
    game = reference_game()
    turns = [
        (seat, [ply for _seat, ply in plies])
        for seat, plies in groupby(zip(game["movers"], game["moves"], strict=True), itemgetter(0))
    ]
    begun, turns = (turns[:-last], turns[-last:]) if last else ([], turns)
    names = ("Xenia", "Yuri")
    with (
        somebody(browser, stack, names[0], width=360, scripts=False) as xenia,
        somebody(browser, stack, names[1]) as yuri,
    ):
        played(stack, " ".join(ply for _seat, plies in begun for ply in plies), *names)
        # A letter of an earlier turn may have gone before the next one was played.
        read = {"S": newest_letter(xenia), "N": newest_letter(yuri)} | {turns[0][0]: ""}
        for person in (xenia, yuri):
            person.page.context.clear_cookies()

        for seat, plies in turns:
            mover = {"S": xenia, "N": yuri}[seat]
            read[seat] = opens_next_letter(mover, read[seat])
            assert f"{mover.name}, it is your turn." in mover.says()
            plays_by_letter(mover, plies)

        for seat, person in (("S", xenia), ("N", yuri)):
            letter = opens_next_letter(person, read[seat])
            assert f"{person.name}, the game is over.\nYuri won" in person.says()
            kept = person.page.request.get(f"{stack.url}{letter}files/1/").text()
            [told] = record.read(kept, registry.get)
            assert [entry.text for entry in told.entries if entry.kind == MOVE] == game["moves"]
            assert is_a_stranger(person)


def test_L1_a_scanner_opens_all_links_of_a_letter_twice_and_the_press_of_its_reader_still_works(
    browser: Browser, stack: Stack
) -> None:
    robot = Robot(stack, browser)
    with somebody(browser, stack, "Hilda") as hilda, somebody(browser, stack, "Ned", width=360, scripts=False) as ned:
        hilda.asks_to_join()
        robot.scans(hilda)
        hilda.confirms()
        played(stack, "1", "Hilda", "Ned")
        robot.scans(hilda)
        ned.page.context.clear_cookies()
        opens_next_letter(ned)
        plays_by_letter(ned, ["1"])
        assert is_a_stranger(ned)


# Minutes of scanning: every letter of two people who meet, play, propose, and end it.
@pytest.mark.soak
def test_L1_L2_L3_a_scanner_opens_every_link_of_every_letter_twice_and_the_press_of_its_reader_still_works(
    browser: Browser, stack: Stack
) -> None:
    robot = Robot(stack, browser)
    with somebody(browser, stack, "Hugo") as hugo, somebody(browser, stack, "Wanda", width=360, scripts=False) as wanda:
        hugo.asks_to_join()
        robot.scans(hugo, wanda)
        hugo.confirms()

        invite(hugo, "wanda@example.org")
        robot.scans(hugo, wanda)
        open_invitation(wanda)
        wanda.press("Accept with a new account")
        wanda.page.get_by_label("Display name").fill("Wanda")
        wanda.page.get_by_label("Password", exact=False).first.fill(PASSWORD)
        wanda.page.get_by_label("Password (again)").fill(PASSWORD)
        wanda.press("Sign up")
        robot.scans(hugo, wanda)
        wanda.confirms()
        wanda.press("Accept as Wanda")

        robot.scans(hugo, wanda)
        opens_next_letter(hugo)
        follows(hugo, hugo.page.locator(".plain a[href*='/games/']").first.inner_text())
        game = hugo.page.url
        hugo.press("Propose a draw")
        robot.scans(hugo, wanda)
        wanda.page.context.clear_cookies()
        opens_next_letter(wanda)
        follows(wanda, "&answer=refuse")
        wanda.press("Refuse")
        assert "You refused." in wanda.says()

        for person in (hugo, wanda):
            robot.scans(hugo, wanda)
            opens_next_letter(person)
            plays_by_letter(person, ["1"])
        assert is_a_stranger(wanda)

        hugo.page.goto(game)
        hugo.press("Resign")
        hugo.press("Yes, resign")
        robot.scans(hugo, wanda, at_least=3)
        opens_next_letter(wanda)
        assert "Wanda, the game is over." in wanda.says()
