"""What holds in any game of Mangala, and the words that tell a ply."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from games.rules.catalogue.mangala.play import MangalaPosition
from games.rules.phrase import in_english
from games.rules.sowing import PLACES, pit_place, store_place
from tests.rules.boards import MANGALA, board


def told(position: MangalaPosition, move: str) -> list[str]:
    return [in_english(event.said) for event in MANGALA.events(position, move)]


def a_game(seed: int, end: str) -> list[tuple[MangalaPosition, str]]:
    random = Random(seed)
    position, played = MANGALA.start({"end": end}, 2), []
    while MANGALA.has_move(position):
        move = random.choice(list(MANGALA.legal_moves(position)))
        played.append((position, move))
        position = MANGALA.play(position, move)
    played.append((position, ""))
    return played


games = st.builds(a_game, st.integers(0, 10**9), st.sampled_from(["first25", "playout"]))


@given(games)
def test_no_stone_is_lost_and_no_position_comes_again(game: list[tuple[MangalaPosition, str]]) -> None:
    assert {sum(position.holes) for position, _ in game} == {48}
    boards = [(position.holes, position.mover) for position, _ in game[:-1]]
    assert len(set(boards)) == len(boards)


@given(st.integers(0, 10**9))
def test_both_ways_to_end_have_the_same_winner(seed: int) -> None:
    early, late, random = MANGALA.start({"end": "first25"}, 2), MANGALA.start({"end": "playout"}, 2), Random(seed)
    while MANGALA.has_move(late):
        move = random.choice(list(MANGALA.legal_moves(late)))
        if MANGALA.has_move(early):
            early = MANGALA.play(early, move)
        late = MANGALA.play(late, move)
    ends = [MANGALA.outcome(position) for position in (early, late)]
    assert ends[0] is not None
    assert ends[1] is not None
    assert ends[0].points == ends[1].points


def turned(position: MangalaPosition) -> MangalaPosition:
    return position._replace(holes=(*position.holes[7:], *position.holes[:7]), mover=1 - position.mover)


@given(games)
def test_F42_each_side_plays_and_sees_what_the_other_would_in_his_place(game: list[tuple[MangalaPosition, str]]) -> None:
    for position, move in game:
        south = MANGALA.diagram(MANGALA.view(position, 0))
        north = MANGALA.diagram(MANGALA.view(turned(position), 1))
        assert south == north.translate(str.maketrans("NS", "SN"))
        if move:
            assert MANGALA.play(turned(position), move) == turned(MANGALA.play(position, move))


@given(games)
def test_what_is_told_of_a_ply_is_what_it_does(game: list[tuple[MangalaPosition, str]]) -> None:
    for position, move in game[:-1]:
        stones = dict(zip(PLACES, position.holes, strict=True))
        own = store_place(position.mover)
        for event in MANGALA.events(position, move):
            match event.kind:
                case "sown":
                    stones[pit_place(position.mover, int(move))] = 0
                    for place in event.places:
                        stones[place] += 1
                case "captured_even" | "captured_facing":
                    assert event.count == sum(stones[place] for place in event.places)
                    stones |= dict.fromkeys(event.places, 0)
                    stones[own] += event.count
                case "swept":
                    stones |= {place: 0 for place in stones if not place.startswith("store")}
                    stones[event.places[0]] += event.count
                case "moves_again":
                    assert MANGALA.to_move(MANGALA.play(position, move)) == position.mover
                case "over":
                    assert MANGALA.to_move(MANGALA.play(position, move)) is None
        assert tuple(stones.values()) == MANGALA.play(position, move).holes


def test_F42_the_sweep_is_part_of_the_last_ply_and_of_its_words() -> None:
    before = board("20  0 0 0 0 0 2\n0 0 0 0 0 1  20", end="playout")
    assert told(before, "6") == [
        "South sows one stone from pit 6; it falls in the store.",
        "A side is empty: South takes the last 2 stones.",
        "The game is over, 23 to 20.",
    ]


def test_whoever_chooses_a_move_is_told_in_short_what_it_would_do() -> None:
    def short(position: MangalaPosition, move: str) -> list[str]:
        return [in_english(event.to_mover) for event in MANGALA.events(position, move) if event.to_mover]

    assert short(MANGALA.start({}, 2), "4") == ["last stone in your store", "you move again"]
    even = short(board("0  4 4 4 4 3 1\n4 4 4 4 4 4  4"), "6")
    assert even == ["last stone in your opponent's pit 2", "you capture 4 stones"]
    facing = short(board("5  4 0 4 4 1 3\n1 0 4 4 1 0  9", "S"), "5")
    assert facing == ["last stone in your pit 6", "you capture 4 stones with the facing pit"]
    swept = board("20  0 0 0 0 0 2\n0 0 0 0 0 1  20", end="playout")
    assert short(swept, "6")[1:] == ["a side is empty and you take the last 2 stones", "you win, 23 to 20"]
    emptied = board("20  3 0 0 0 0 1\n1 0 0 0 0 0  22", "N", end="playout")
    assert short(emptied, "6")[1:] == [
        "you capture 2 stones",
        "a side is empty and your opponent takes the last 2 stones",
        "you lose, 23 to 24",
    ]


def test_words_name_the_seat_so_that_either_player_may_read_them() -> None:
    before = board("0  4 4 4 4 3 1\n4 4 4 4 4 4  4")
    assert told(before, "6") == [
        "South sows 4 stones from pit 6; the last one falls in pit 2 on the other side.",
        "The pit is even: South captures 4 stones.",
    ]
    assert told(board("5  4 0 4 4 1 0\n1 0 4 4 1 0  9", "N"), "2") == [
        "North sows one stone from pit 2; it falls in pit 3 on the same side.",
    ]
    assert told(MANGALA.start({}, 2), "4") == [
        "South sows 4 stones from pit 4; the last one falls in the store.",
        "South moves again.",
    ]
    assert told(board("5  4 0 4 4 1 3\n1 0 4 4 1 0  9", "S"), "5")[1:] == [
        "The pit was empty: South captures 4 stones with the facing pit.",
    ]
