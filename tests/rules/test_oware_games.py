"""What holds in any game of Oware."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from games.rules.catalogue.oware.play import GRAND_SLAMS, OwarePosition
from games.rules.position import MoveRefused
from games.rules.sowing import MOVES, PLACES, pit_place, store_place
from tests.rules.boards import OWARE


def a_game(seed: int, grand_slam: str) -> list[tuple[OwarePosition, str]]:
    random = Random(seed)
    position, played = OWARE.start({"grand_slam": grand_slam}, 2), []
    while OWARE.has_move(position):
        move = random.choice(list(OWARE.legal_moves(position)))
        played.append((position, move))
        position = OWARE.play(position, move)
    return [*played, (position, "")]


games = st.builds(a_game, st.integers(0, 10**9), st.sampled_from(GRAND_SLAMS))


@given(games)
def test_no_stone_is_lost_and_the_scores_add_up(game: list[tuple[OwarePosition, str]]) -> None:
    for position, _ in game:
        assert sum(position.holes) + position.half == 48
    end, _ = game[-1]
    outcome = OWARE.outcome(end)
    assert outcome is not None
    assert sum(outcome.scores) == 48 or outcome.termination == "over24"


@given(games)
def test_no_position_comes_a_third_time(game: list[tuple[OwarePosition, str]]) -> None:
    boards = [(position.holes, position.mover) for position, _ in game[:-1]]
    assert max(map(boards.count, boards)) < 3


@given(games)
def test_after_every_ply_that_does_not_end_the_game_both_sides_can_go_on(game: list[tuple[OwarePosition, str]]) -> None:
    for position, move in game[:-1]:
        assert any(position.holes[:6]) or any(position.holes[7:13])
        after = OWARE.play(position, move)
        other = 7 * after.mover if after.termination else 7 * (1 - after.mover)
        assert after.termination or any(after.holes[7 - other : 13 - other])


def turned(position: OwarePosition) -> OwarePosition:
    def swapped(holes: tuple[int, ...] | bytes) -> tuple[int, ...]:
        return (*holes[7:], *holes[:7])

    seen = tuple(bytes(swapped(one)) for one in position.seen)
    return position._replace(holes=swapped(position.holes), mover=1 - position.mover, seen=seen)


@given(games)
def test_F42_each_side_plays_and_sees_what_the_other_would_instead(game: list[tuple[OwarePosition, str]]) -> None:
    for position, move in game:
        south = OWARE.diagram(OWARE.view(position, 0))
        north = OWARE.diagram(OWARE.view(turned(position), 1))
        assert south == north.translate(str.maketrans("NS", "SN"))
        if move:
            assert OWARE.play(turned(position), move) == turned(OWARE.play(position, move))


@given(games)
def test_what_is_told_of_a_ply_is_what_it_does(game: list[tuple[OwarePosition, str]]) -> None:
    for position, move in game[:-1]:
        stones: dict[str, float] = dict(zip(PLACES, position.holes, strict=True))
        for event in OWARE.events(position, move):
            match event.kind:
                case "sown":
                    stones[pit_place(position.mover, int(move))] = 0
                    for place in event.places:
                        stones[place] += 1
                case "captured":
                    assert event.count == sum(stones[place] for place in event.places)
                    stones |= dict.fromkeys(event.places, 0)
                    stones[store_place(position.mover)] += event.count
                case "swept":
                    stones |= {place: 0 for place in stones if not place.startswith("store")}
                    for place in event.places:
                        stones[place] += event.count / len(event.places)
                case "over":
                    assert OWARE.to_move(OWARE.play(position, move)) is None
        after = OWARE.play(position, move)
        halves = {store_place(seat): after.half / 2 for seat in (0, 1)}
        assert stones == {place: held + halves.get(place, 0) for place, held in zip(PLACES, after.holes, strict=True)}


@given(games)
def test_what_is_not_listed_is_refused(game: list[tuple[OwarePosition, str]]) -> None:
    for position, _ in game:
        listed = set(OWARE.legal_moves(position))
        for move in MOVES:
            try:
                OWARE.play(position, move)
            except MoveRefused:
                assert move not in listed
            else:
                assert move in listed
