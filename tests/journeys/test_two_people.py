"""Two people sign up, play a whole reference game in their browsers, and let another one end by time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.journeys.conftest import Person, somebody
from tests.stack.whole import BASE, Stack

pytestmark = pytest.mark.browser

LINES = (Path(__file__).parents[1] / "rules/reference/mangala_first25.jsonl").read_text().splitlines()
GAME = next(game for game in map(json.loads, LINES) if game["id"] == "mangala_first25-040")
"""Thirteen turns, in four of which somebody moves again."""


def challenge(by: Person, reflection: str, opponent: str = "") -> str:
    by.go("/challenges/new/")
    by.page.get_by_role("textbox", name="Opponent").fill(opponent)
    by.page.get_by_label("Time for each turn").select_option(label=reflection)
    by.page.get_by_label("I do").check()
    by.press("Challenge")
    return by.page.url.removeprefix(by.url)


def begin(first: Person, second: Person, reflection: str) -> str:
    """A game of the two that the first one begins: its path."""
    path = challenge(first, reflection)
    second.go(path)
    second.press("Accept")
    return second.page.url.removeprefix(second.url)


def played(stack: Stack, plies: str, *names: str, ago: int = 0, reflection: int = 259_200) -> str:
    """The path of a game that two players began some seconds ago, the first of them with the first ply."""
    return stack.told_by("tests.journeys.past", str(ago), str(reflection), plies, *names).strip()


def choose(player: Person, game: str, move: str) -> None:
    player.go(game)
    player.page.locator(f'.choices a[href$="?move={move}"]').click()
    player.press(f"Play {move}")
    assert f"You played {move}." in player.says()


def click_on_the_board(player: Person, game: str, move: str) -> None:
    player.go(game)
    told = player.page.locator("#in-words").text_content() or ""
    side = "S" if "The board from the side of South." in told else "N"
    player.page.locator(f'.picture [data-place="{side}{move}"]').click()
    player.press(f"Play {move}")
    assert f"You played {move}." in player.says()


def type_in(player: Person, game: str, moves: str) -> None:
    player.go(game)
    player.page.get_by_label("Or type it").fill(moves)
    player.page.get_by_label("Or type it").press("Enter")
    player.press(f"Play {moves}")
    assert f"You played {moves.replace('-', ', ')}." in player.says()


def turns() -> list[tuple[int, list[str]]]:
    """The reference game by turns: the seat, and the plies it makes before the other must decide."""
    found: list[tuple[int, list[str]]] = []
    for move, mover in zip(GAME["moves"], GAME["movers"], strict=True):
        seat = "SN".index(mover)
        if found and found[-1][0] == seat:
            found[-1][1].append(move)
        else:
            found.append((seat, [move]))
    return found


def test_two_people_play_a_whole_game_and_a_second_one_ends_by_time(browser: Browser, stack: Stack, tmp_path: Path) -> None:
    with (
        somebody(browser, stack, "Alice") as alice,
        somebody(browser, stack, "Bob", width=360) as bob,
        somebody(browser, stack, "Alice", scripts=False) as alice_without_scripts,
    ):
        alice.signs_up()
        bob.signs_up()
        lost = played(stack, "1 1", "Alice", "Bob", ago=75, reflection=120)
        alice.go(lost)
        assert "seconds left" in alice.says()
        game = begin(alice, bob, "3 days")
        alice_without_scripts.page.context.add_cookies(alice.page.context.cookies())  # type: ignore[arg-type]

        for number, (seat, plies) in enumerate(turns()):
            if number == 2:
                choose(alice_without_scripts, game, plies[0])
                rest = plies[1:]
            elif len(plies) > 1:
                type_in((alice, bob)[seat], game, "-".join(plies))
                rest = []
            else:
                rest = plies
            for ply in rest:
                (click_on_the_board if number == 4 else choose)((alice, bob)[seat], game, ply)
            if number == 1:
                for player in (alice, bob):
                    for page in (game, f"{game}?move=1", f"{game}?move=9"):
                        player.go(page)
                        player.fits()

        alice.go(game)
        assert "Alice won (a store holds more than 24 stones)." in alice.says()
        assert "South: Alice (27) – North: Bob (3)" in alice.says()

        with alice.page.expect_download() as download:
            alice.page.get_by_role("link", name="Download the record").click()
        download.value.save_as(tmp_path / "one.game")
        replay = [sys.executable, "manage.py", "replay", str(tmp_path / "one.game")]
        done = subprocess.run(replay, cwd=BASE, capture_output=True, text=True, check=False)
        assert done.stdout.splitlines()[-1] == "1 games, 0 mismatches"

        alice.go(lost)
        alice.page.get_by_text("Bob won (time ran out).").first.wait_for(timeout=30_000)
        for player in (alice, bob):
            for path, the_end_and_turns in ((lost, 1), (game, 2)):
                player.letters(f"no. {path.strip('/').split('/')[-1]} against", at_least=the_end_and_turns)
            player.page.locator(".cards a").first.click()
            assert "the game is over" in player.says()


def test_two_people_at_360_px_without_scripts_play_agree_resign_and_play_again(browser: Browser, stack: Stack) -> None:
    with (
        somebody(browser, stack, "Grace", width=360, scripts=False) as grace,
        somebody(browser, stack, "Frank", width=360, scripts=False) as frank,
    ):
        grace.signs_up()
        challenge(grace, "1 day", opponent="frank")
        frank.go("/my/")
        frank.page.get_by_role("link", name="Mangala: Grace – Frank").click()
        frank.fits()
        frank.press("Accept")
        game = frank.page.url.removeprefix(frank.url)

        choose(grace, game, "4")
        assert "Choose your move" in grace.says(), "an extra move"
        grace.page.get_by_label("Or type it").fill("seven")
        grace.press("Look ahead")
        assert "“seven” is not a pit" in grace.says()
        assert grace.page.get_by_label("Or type it").input_value() == "seven"
        type_in(grace, game, "6")
        choose(frank, game, "2")

        grace.go(game)
        grace.press("Propose a draw")
        frank.go(game)
        assert "Grace proposes a draw." in frank.says()
        frank.press("Refuse")
        grace.go(game)
        grace.fits()
        grace.press("Resign")
        grace.press("Yes, resign")
        assert "Frank won (resignation)." in grace.says()

        grace.press("Rematch")
        frank.go(game)
        frank.press("Accept the rematch")
        assert "South: Frank" in frank.says(), "seats are exchanged"
        frank.press("Call the game off")
        frank.press("Yes, call it off")
        assert "No result (called off)." in frank.says()


def test_every_page_on_the_way_fits_into_360_px(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Carol", width=360) as carol:
        for path in ("/", "/challenges/", "/rules/mangala/", "/accounts/signup/", "/accounts/login/", "/mailbox/", "/nothing/"):
            carol.go(path)
            carol.fits()
        carol.signs_up()
        for path in ("/my/", "/challenges/new/", "/accounts/settings/"):
            carol.go(path)
            carol.fits()


def test_a_stranger_without_scripts_signs_up_and_reads_russian(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Ella", scripts=False) as ella:
        ella.signs_up()
        ella.go("/accounts/settings/")
        ella.page.locator("#id_language").select_option("ru")
        ella.page.locator("#id_time_zone").select_option("Asia/Yekaterinburg")
        ella.press("Save")
        assert "Настройки сохранены." in ella.says()
        ella.go("/my/")
        assert "Мои партии" in ella.says()
