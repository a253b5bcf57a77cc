"""Bridg-It at the table: many moves in groups, the swap, boards too large for a small screen, and the end."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any
from urllib.parse import unquote

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from config import desk
from games.models import Challenge, Game
from games.rules import record as records
from games.rules import registry
from games.rules.replay import differences
from games.services.check import differences as differences_of_all
from tests.factories import GameFactory, ModeratorFactory
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db

LARGEST = 60_000
"""Bytes of a page."""


def a_game(*players: Player, n: int = 5, swap: bool = True, plies: str = "") -> Game:
    return GameFactory.create(ruleset="bridgit", options={"n": n, "swap": swap}, players=list(players), plies=plies)


def groups(shown: str) -> dict[str, list[str]]:
    """The moves under each heading of a page; those that stand apart under an empty one."""
    listed = shown.partition('<div class="groups"')[2].partition("</div>")[0]
    found: dict[str, list[str]] = {}
    for title, moves in re.findall(r"(?:<summary>([^<]*)</summary>\s*)?<ul(.*?)</ul>", listed, re.DOTALL):
        found[title] = [unquote(move) for move in re.findall(r'\?move=([^"]+)"', moves)]
    return found


def test_a_challenge_chooses_size_and_swap(alice: Player) -> None:
    shown = page(of(alice), "challenge_new", game="bridgit")
    assert re.findall(r'<option value="(\d+)"[^>]*>\d+ × ', shown) == [str(size) for size in range(2, 13)]
    assert '<option value="5" selected>5 × 5</option>' in shown
    terms = {"option_n": "12", "option_swap": "False", "reflection": "120", "begins": "lot", "key": "k", "opponent": ""}
    of(alice).post("/challenges/new/?game=bridgit", terms)
    made = Challenge.objects.get()
    assert (made.ruleset, made.options) == ("bridgit", {"n": 12, "swap": False})


@pytest.mark.parametrize(
    ("n", "columns", "moves"), [(3, "bcdef", 17), (5, "bcdefghij", 49), (12, "bcdefghijklmnopqrstuvwx", 287)]
)
def test_many_moves_are_listed_by_their_columns(alice: Player, bob: Player, n: int, columns: str, moves: int) -> None:
    game = a_game(alice, bob, n=n)
    listed = groups(page(of(alice), "game", game.pk))
    assert {f"Column {letter}" for letter in columns} <= {*listed}
    assert all(move.startswith(title[-1]) for title, found in listed.items() for move in found)
    assert sum(map(len, listed.values())) == moves
    assert "joins" not in page(of(alice), "game", game.pk).partition('<div class="groups"')[2].partition("</div>")[0]


def test_a_few_moves_stand_together_with_what_they_would_do(alice: Player, bob: Player) -> None:
    shown = page(of(alice), "game", a_game(alice, bob, n=2).pk)
    assert [*groups(shown)] == [""]
    assert "<strong>b2:</strong> you join b1 and b3<" in shown
    assert "<details name" not in shown


def test_what_many_moves_would_do_is_not_even_asked(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    game, asked = a_game(alice, bob, n=12), list[str]()
    ruleset = registry.get("bridgit")
    tell = type(ruleset).events

    def events(self: Any, position: Any, text: str) -> Any:
        asked.append(text)
        return tell(self, position, text)

    monkeypatch.setattr(type(ruleset), "events", events)
    page(of(alice), "game", game.pk)
    assert asked == []


def test_the_page_of_the_largest_board_is_not_too_heavy(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, n=12, plies="n14 m13")
    for move in ("", "l12"):
        assert len(page(of(alice), "game", game.pk, move=move).encode()) < LARGEST


def test_a_board_with_narrow_places_is_shown_larger_than_a_small_screen(alice: Player, bob: Player) -> None:
    for n, wide in ((5, False), (7, False), (8, True), (12, True)):
        game = a_game(alice, bob, n=n)
        for move in ("", "d4"):
            assert ('class="scroller" tabindex="0"' in page(of(alice), "game", game.pk, move=move)) is wide


def test_the_swap_stands_apart_with_what_it_would_do_and_is_played_like_any_move(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, plies="f4")
    shown = page(of(bob), "game", game.pk)
    assert groups(shown)[""] == ["swap"]
    told = "you take the line over, it lies at d6 then"
    assert told in shown
    assert 'data-place="swap"' not in shown
    assert shown.count('data-place="d6">d6</a>') == 1, "pressing the point draws a line there"
    looks = page(of(bob), "game", game.pk, move="SWAP")
    assert "Play swap?" in looks
    assert told in looks
    press(of(bob), "move", game, move="swap")
    assert "swap" not in groups(page(of(alice), "game", game.pk)).get("", [])
    game.refresh_from_db()
    assert (game.turn, game.to_move) == (3, 0)


def test_the_last_line_has_a_ring_on_the_page_and_on_every_step(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, plies="f4 e5")
    ring = '<circle cx="{}" cy="{}" r="24.8" fill="none" stroke="#ffd24a"'
    assert ring.format(236, 316) in page(of(alice), "game", game.pk)
    assert ring.format(276, 356) in page(of(alice), "step", game.pk, 3)
    assert ring.format(276, 276) in page(of(alice), "game", game.pk, move="f6"), "what is looked at"


@pytest.mark.parametrize("typed", ["f4", "F4", "f3-f5", "f5 f3"])
def test_a_line_may_be_typed_by_its_middle_or_by_its_dots(alice: Player, bob: Player, typed: str) -> None:
    game = a_game(alice, bob)
    looks = page(of(alice), "game", game.pk, move=typed)
    assert "Play f4?" in looks
    assert "f4: you join f3 and f5." in looks
    assert "Joined: f4." in looks, "the board after it"


def test_a_move_that_cannot_be_stays_in_the_field_with_the_reason(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, plies="f4")
    for typed, told in (("f4", "A line runs through f4 already."), ("f5", "f5 is a dot"), ("?", "is no move")):
        shown = page(of(bob), "game", game.pk, move=typed)
        assert told in shown
        assert f'name="move" value="{typed}"' in shown


def test_the_end_is_told_marked_and_kept(alice: Player, bob: Player) -> None:
    game = a_game(alice, bob, n=2, swap=False, plies="d4 b4 c3 b2 d2")
    assert (game.termination, game.result) == ("connected", "1-0")
    shown = page(of(bob), "game", game.pk)
    assert "Alice won (two opposite sides are joined)." in shown
    assert re.search(r"Joined from side to side: [^.]*d2, d4", shown)
    assert re.search(r'<path d="M\S+ \S+L[^"]+M[^"]+" stroke="#ffd24a" stroke-width="26"', shown), "the winning line has an edge"
    text = re.search(r"<pre[^>]*>(.*?)</pre>", shown, re.DOTALL)
    assert text is not None
    assert "|" in text[1]
    assert "    abcde" in text[1]
    [record] = records.read(page(Client(), "record", game.pk), registry.get)
    assert [one.text for one in record.entries if one.kind == "move"] == ["d4", "b4", "c3", "b2", "d2"]
    assert differences(registry.get("bridgit"), record) == []
    assert [found for _, found in differences_of_all()] == [[]]
    assert "That joins both sides" in page(Client(), "step", game.pk, game.position_number)


def test_the_small_board_stands_beside_others_in_lists(alice: Player, bob: Player) -> None:
    a_game(alice, bob, plies="f4 e5")
    GameFactory.create(players=[alice, bob])
    for shown in (page(of(alice), "mine"), page(Client(), "watch"), page(Client(), "player", alice.pk)):
        assert "Bridg-It no." in shown
        assert "Mangala no." in shown
        assert "1 to 1 lines</title>" in shown


def test_the_desk_sees_the_board(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "second_factor_used", lambda _request: True)
    game = a_game(alice, bob, n=3, plies="d4 c3")
    shown = of(ModeratorFactory.create()).get(reverse("admin:games_game_change", args=[game.pk])).content.decode()
    assert "  5  O O O" in shown
    assert "Bridg-It" in shown


def test_sequences_of_lines_are_counted() -> None:
    told = StringIO()
    call_command("perft", "bridgit", "2", "--option", "n=2", "--option", "swap=no", stdout=told)
    assert told.getvalue().splitlines() == ["depth 1: 7 (ended 0)", "depth 2: 44 (ended 0)"]


@pytest.mark.parametrize("language", ["en", "ru", "tr"])
def test_the_rules_are_shown_with_their_boards(language: str) -> None:
    shown = Client().get("/rules/bridgit/", headers={"accept-language": language}).content.decode()
    assert shown.count("<svg") >= 4
    assert "board:" not in shown
