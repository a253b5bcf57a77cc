"""Endgame tables: true by exhaustive play and by an independent proof over the rules, made in pieces, checked, used."""

from __future__ import annotations

from collections.abc import Iterator
from errno import ENOSPC
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from games.engines import choice, sowing
from games.engines.budget import Budget
from games.engines.sowing import endgames, ranks
from games.engines.sowing.ranks import offset
from games.rules import registry
from games.rules.evaluation import WON
from games.rules.position import BadPosition
from games.selectors import tables as made
from games.services import tables
from tests.engines.boards import GAMES, NAMES, evaluation
from tests.engines.uncompiled import uncompiled

STONES = 3


@pytest.fixture
def data(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


def table_of(variant: int, stones: int, module: Any = endgames) -> Any:
    """A table in memory."""
    values = np.zeros(offset(stones + 1), np.int8) if module is endgames else [0] * offset(stones + 1)
    for more in range(1, stones + 1):
        while module.improve(variant, more, values, *endgames.first_board(more), ranks.boards(more))[0]:
            pass
    return values


def spread(stones: int, pits: int = 12) -> Iterator[tuple[int, ...]]:
    if pits == 1:
        yield (stones,)
        return
    for first in range(stones + 1):
        for rest in spread(stones - first, pits - 1):
            yield (first, *rest)


def positions(name: str, options: dict[str, str], stones: int) -> Iterator[Any]:
    """All positions with so many stones in the pits and none in the stores, South to move."""
    for pits in spread(stones):
        board = {"south_pits": list(pits[:6]), "north_pits": list(pits[6:]), "south_store": 0, "north_store": 0, "turn": "S"}
        try:
            yield registry.get(name).load({**board, **options})
        except BadPosition:
            continue


def value_in(values: Any, name: str, position: Any) -> int:
    board = sowing.board(evaluation(name).holes(position), position.mover)
    return int(values[ranks.rank(board.own, board.other, sum(position.holes[:6]) + sum(position.holes[7:13]))])


class TooFar(Exception):
    """More positions than a test can look at."""


def played_out(ruleset: Any, position: Any, alpha: int, beta: int, left: list[int]) -> int:
    """By how many half stones South ends ahead, by the rules alone: every line to its end, boards that come thrice included."""
    left[0] -= 1
    if left[0] < 0:
        raise TooFar
    if position.termination:
        south, north = ruleset.scores(position)
        return int(2 * (south - north))
    best = -99 if position.mover == 0 else 99
    for move in ruleset.legal_moves(position):
        value = played_out(ruleset, ruleset.play(position, move), alpha, beta, left)
        if position.mover == 0:
            best, alpha = max(best, value), max(alpha, value)
        else:
            best, beta = min(best, value), min(beta, value)
        if alpha >= beta:
            break
    return best


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_a_table_says_what_comes_of_every_line_played_to_its_end(game: tuple[str, dict[str, str]]) -> None:
    name, options = game
    ruleset = registry.get(name)
    values = table_of(evaluation(name).variant(ruleset.start(options, 2)), STONES)
    looked_at = 0
    for stones in (1, 2, 3):
        for position in positions(name, options, stones):
            try:
                truth = played_out(ruleset, position, -2 * stones, 2 * stones, [60])
            except TooFar:
                continue
            assert 2 * value_in(values, name, position) == truth, position
            looked_at += 1
    assert looked_at > 120


@pytest.mark.parametrize("game", GAMES[2:], ids=NAMES[2:])
def test_what_is_not_even_is_proved_by_a_finite_way_and_nothing_more_is(game: tuple[str, dict[str, str]]) -> None:
    """For each margin on its own: the boards from which the seat to move can force it, and those where it is forced on it,
    grow from the captures back until no more follow. Nothing but the rules decides what follows what."""
    name, options = game
    ruleset = registry.get(name)
    values = table_of(evaluation(name).variant(ruleset.start(options, 2)), STONES)
    plies: dict[Any, list[tuple[int, Any]]] = {}
    for position in positions(name, options, STONES):
        plies[key_of(position)] = [followed(ruleset, position, move, values) for move in ruleset.legal_moves(position)]
    proved = dict.fromkeys(plies, 0)
    for margin in range(1, STONES + 1):
        wins: set[Any] = set()
        losses: set[Any] = set()
        grew = True
        while grew:
            before = len(wins) + len(losses)
            for key, after in plies.items():
                if any(below in losses if below else gain >= margin for gain, below in after):
                    wins.add(key)
                elif all(below in wins if below else gain <= -margin for gain, below in after):
                    losses.add(key)
            grew = len(wins) + len(losses) > before
        proved |= dict.fromkeys(wins, margin) | dict.fromkeys(losses, -margin)
    assert {key_of(one): value_in(values, name, one) for one in positions(name, options, STONES)} == proved


def key_of(position: Any) -> tuple[int, ...]:
    """The pits as the seat to move sees them."""
    sides = position.holes[:6], position.holes[7:13]
    return (*sides[position.mover], *sides[1 - position.mover])


def followed(ruleset: Any, position: Any, move: str, values: Any) -> tuple[int, Any]:
    """What a ply of South's gains for good, the smaller table included; or the board with as many stones that follows it."""
    after = ruleset.play(position, move)
    south, north = ruleset.scores(after)
    gain = int(south - north)
    if after.termination:
        return gain, None
    if gain == 0:
        return 0, key_of(after)
    return gain - value_in(values, "oware", after), None


@pytest.mark.parametrize("variant", range(5))
def test_both_ways_to_make_a_table_make_the_same(variant: int) -> None:
    assert list(table_of(variant, 3)) == table_of(variant, 3, uncompiled("endgames"))


def test_boards_are_numbered_without_gaps() -> None:
    for stones in range(5):
        board = endgames.first_board(stones)
        for number in range(ranks.boards(stones)):
            assert ranks.rank(*board, stones) == offset(stones) + number
            board = endgames.following(*board)


def test_alice_makes_tables_in_two_goes(data: Path) -> None:
    assert told("tables", "oware", "3")[-2].startswith(" 3 stones, 364 boards")
    first = made.values("oware-no_capture").read_bytes()
    assert [line[:9] for line in told("tables", "oware", "4")[:-1]] == [" 4 stones"]
    assert made.values("oware-no_capture").read_bytes()[: len(first)] == first
    assert told("tables", "oware", "4") == [f"Every board with at most 4 stones is in {made.values('oware-no_capture')}."]


def test_a_table_that_was_broken_off_half_way_goes_on(data: Path) -> None:
    told("tables", "oware", "4")
    whole = made.values("oware-no_capture").read_bytes()
    made.values("oware-no_capture").unlink()
    made.contents("oware-no_capture").unlink()
    for at, _ in enumerate(tables.make(variant=3, stones=4)):
        if at == 40:
            break
    told("tables", "oware", "4")
    assert made.values("oware-no_capture").read_bytes() == whole


def test_a_damaged_table_is_used_as_far_as_it_is_whole_and_made_anew(data: Path) -> None:
    told("tables", "oware", "4")
    path = made.values("oware-no_capture")
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + b"\x7f")
    table = made.opened().of(3)
    assert table is not None
    assert table[1] == 3
    told("tables", "oware", "4")
    assert path.read_bytes() == whole


def test_what_rests_on_a_damaged_part_is_no_place_to_go_on_from(data: Path) -> None:
    told("tables", "oware", "5")
    path = made.values("oware-no_capture")
    whole = path.read_bytes()
    path.write_bytes(whole[: offset(2)] + b"\x7f" * (len(whole) - offset(2)))
    told("tables", "oware", "3")
    told("tables", "oware", "5")
    assert path.read_bytes() == whole


@pytest.mark.parametrize("listed", [None, "[", "{}", "[1, 2, 3]", '["' + "0" * 64 + '"]'])
def test_without_its_list_a_table_is_made_anew(data: Path, listed: str | None) -> None:
    told("tables", "oware", "3")
    path, content = made.values("oware-no_capture"), made.contents("oware-no_capture")
    whole = path.read_bytes()
    path.write_bytes(b"\x7f" * len(whole))
    content.unlink()
    if listed is not None:
        content.write_text(listed)
    assert made.opened().of(3) is None
    told("tables", "oware", "3")
    assert path.read_bytes() == whole


@pytest.mark.parametrize("size", [0, 1, 100])
def test_a_table_that_was_cut_off_is_used_as_far_as_it_goes_and_made_anew(data: Path, size: int) -> None:
    told("tables", "oware", "4")
    path = made.values("oware-no_capture")
    whole = path.read_bytes()
    path.write_bytes(whole[:size])
    found = made.opened().of(3)
    assert found is None or len(found[0]) <= size
    told("tables", "oware", "4")
    assert path.read_bytes() == whole


def test_who_reads_a_damaged_table_is_not_cut_off_while_it_is_made_anew(data: Path) -> None:
    told("tables", "oware", "4")
    path = made.values("oware-no_capture")
    read = np.memmap(path, dtype=np.int8, mode="c")
    before = bytes(read[: offset(5) - 1])
    path.write_bytes(path.read_bytes()[:-1] + b"\x7f")
    told("tables", "oware", "4")
    assert bytes(read[: offset(5) - 1]) == before


def test_two_do_not_make_the_same_tables_at_once(data: Path) -> None:
    making = tables.make(variant=3, stones=4)
    next(making)
    with pytest.raises(CommandError, match="somebody else"):
        told("tables", "oware", "4")
    assert list(making)
    told("tables", "oware", "4")


def test_a_full_disk_is_told_and_play_goes_on_without_tables(data: Path) -> None:
    full = OSError(ENOSPC, "No space left on device")
    with patch("games.services.tables.os.posix_fallocate", side_effect=full), pytest.raises(CommandError, match="No space"):
        told("tables", "oware", "4")
    assert made.opened().of(3) is None


def test_a_place_that_takes_no_file_is_told_and_play_goes_on_without_tables(data: Path) -> None:
    (data / "tables").write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        told("tables", "oware", "4")
    assert made.opened().of(3) is None
    with patch.object(Path, "stat", side_effect=PermissionError):
        assert made.opened().of(3) is None


@pytest.mark.parametrize(
    "arguments",
    [("bridgit", "3"), ("chess", "3"), ("oware", "0"), ("oware", "99"), ("oware", "3", "--option", "grand_slam=never")],
)
def test_what_has_no_tables_is_refused(data: Path, arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        told("tables", *arguments)
    assert not (data / "tables").exists()


def test_analysis_is_exact_where_a_table_reaches(data: Path) -> None:
    assert made.opened().of(3) is None
    told("tables", "oware", "3")
    ruleset = registry.get("oware")
    board = {
        "south_pits": [1, 0, 0, 0, 1, 0],
        "north_pits": [1, 0, 0, 0, 0, 0],
        "south_store": 23,
        "north_store": 22,
        "turn": "S",
    }
    position = ruleset.load(board)
    found = choice.analyse(ruleset, position, budget=Budget(2_000), tables=made.opened())
    assert found.exact
    assert (found.value > 0) == (value_in(made.opened().of(3)[0], "oware", position) > -1)  # type: ignore[index]
    assert abs(found.value) in (0, *range(WON - 2_000, WON))


def told(*arguments: str) -> list[str]:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue().splitlines()
