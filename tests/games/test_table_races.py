"""Two at once at a larger table and where chance falls, in real processes: one draw, one last seat, and the log agrees."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from games.models import Challenge, Game, Secret
from games.rules import registry
from games.rules.catalogue.rainbow.play import SILENT
from games.services import challenge, proposals, reflection
from tests.factories import ChallengeFactory, GameFactory, PlayerFactory, play
from tests.games.races import RUNS, Racers, agreed, move

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.locking]


def offered() -> Game:
    """A game of Rainbow for three in which the second is asked whether they take a drop: a refusal draws one."""
    game: Game = GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="rainbow")
    while True:
        assert game.position is not None
        spare = next((move for move in legal(game) if move.startswith("offer")), None)
        if spare is not None:
            play(game, spare)
            game.refresh_from_db()
            return game
        play(game, legal(game)[0])
        game.refresh_from_db()


def legal(game: Game) -> list[str]:
    ruleset = registry.get(game.ruleset)
    return list(ruleset.legal_moves(ruleset.load(game.position)))


def draws(game: Game) -> int:
    return game.entries.filter(kind="chance").count()


def test_a_refusal_pressed_four_times_at_once_draws_once(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = offered()
        before, seat = draws(game), game.to_move
        assert seat is not None
        assert racers.race(*(move(game, "refuse", f"k{one}", seat) for one in range(4))) == ["done"] * 4
        assert draws(game) == before + 1
        assert game.entries.filter(kind="move", text="refuse").count() == 1
    assert agreed()


def test_C4_a_refusal_against_the_deadline_draws_once(racers: Racers) -> None:
    for _ in range(RUNS // 2):
        game = offered()
        assert game.deadline is not None
        before, seat = draws(game), game.to_move
        assert seat is not None
        out = {"do": "run_out", "game": game.pk, "now": game.deadline.isoformat()}
        racers.race(move(game, "refuse", "a", seat), out, move(game, "refuse", "b", seat), out)
        assert draws(game) == before + 1
    assert agreed()


def test_two_ends_at_once_reveal_the_seed_once(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = GameFactory.create(players=PlayerFactory.create_batch(2), ruleset="rainbow")
        told = racers.race(*({"do": "resign", "game": game.pk, "seat": seat, "key": f"k{seat}"} for seat in (0, 1)))
        assert Counter(told) == {"done": 1, "GameIsOver": 1}
        assert game.entries.filter(kind="reveal").count() == 1
        assert not Secret.objects.filter(game=game).exists()
    assert agreed()


def silent() -> tuple[Game, int]:
    """A game of Rainbow for three in which the seat to move has let three turns pass running; and that seat."""
    game: Game = GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="rainbow")
    target = game.to_move
    assert target is not None
    while (game.position is not None and game.position["silent"][target] < SILENT) or game.to_move != target:
        if game.to_move == target:
            assert game.deadline is not None
            assert reflection.run_out(game_id=game.pk, now=game.deadline + timedelta(seconds=1))
        else:
            moves = legal(game)
            play(game, next((move for move in moves if move in ("pass", "refuse")), moves[0]))
        game.refresh_from_db()
    return game, target


def test_who_was_silent_acts_or_is_removed_not_both(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game, target = silent()
        asks, agrees = (seat for seat in range(3) if seat != target)
        proposals.propose(game=game.pk, seat=asks, kind=f"remove {target}", via="web", key="a")
        game.refresh_from_db()
        agree = {"do": "agree", "game": game.pk, "seat": agrees, "number": game.head}
        act = move(game, legal(game)[0], "c", target)
        told = racers.race({**agree, "key": "b"}, act, {**agree, "key": "d"}, {**act, "key": "e"})
        assert (told[:2], told[2:]) in (
            (["done", "StalePosition"], ["done", "StalePosition"]),
            (["ProposalClosed", "done"], ["ProposalClosed", "done"]),
        )
        game.refresh_from_db()
        assert game.position is not None
        assert game.position["out"] == ([target] if told[0] == "done" else [])
    assert agreed()


def room(seats: int, joined: int) -> Challenge:
    made: Challenge = ChallengeFactory.create(ruleset="rainbow", seats=seats, begins="lot")
    for player in PlayerFactory.create_batch(joined):
        challenge.accept_challenge(challenge_id=made.pk, player=player)
    return made


def accept(made: Challenge) -> dict[str, Any]:
    return {"do": "accept", "challenge": made.pk, "player": PlayerFactory.create().pk}


def test_four_who_want_the_last_seat_at_once_are_one_game_of_exactly_five(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        made = room(5, 3)
        assert Counter(racers.race(*(accept(made) for _ in range(4)))) == {"done": 1, "ChallengeClosed": 3}
        assert made.acceptances.count() == 5
        assert Game.objects.get(challenge=made).seat_set.count() == 5
    assert agreed()


def test_who_joins_while_the_owner_begins_is_in_the_game_or_is_told_that_it_has_begun(racers: Racers) -> None:
    for _ in range(RUNS // 2):
        made = room(6, 2)
        begin = {"do": "begin", "challenge": made.pk, "player": made.challenger_id}
        told = racers.race(begin, accept(made), begin, accept(made))
        game = Game.objects.get(challenge=made)
        assert told[0] == told[2] == "done"
        assert game.seats == game.seat_set.count() == made.acceptances.count() == 3 + told.count("done") - 2
    assert agreed()


def test_who_leaves_while_the_owner_begins_is_in_the_game_or_out_of_it(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        made = room(6, 3)
        _owner, *joined = made.acceptances.order_by("place").values_list("player", flat=True)
        begin = {"do": "begin", "challenge": made.pk, "player": made.challenger_id}
        told = racers.race(begin, *({**begin, "do": "withdraw", "player": player} for player in joined[:2]))
        assert told[0] == "done"
        seated = set(Game.objects.get(challenge=made).seat_set.values_list("player", flat=True))
        assert [player in seated for player in joined[:2]] == [answer == "ChallengeClosed" for answer in told[1:]]
    assert agreed()


def test_a_room_begins_or_is_called_off_not_both(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        made = room(6, 2)
        begin = {"do": "begin", "challenge": made.pk, "player": made.challenger_id}
        told = racers.race(begin, {**begin, "do": "withdraw"})
        assert Counter(told) == {"done": 1, "ChallengeClosed": 1}
        assert Game.objects.filter(challenge=made).exists() is (told[0] == "done")
