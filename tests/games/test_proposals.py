"""Proposals: offered, answered, and what becomes of them."""

from __future__ import annotations

import pytest

from games.models import Game
from games.rules.ruleset import AnyRuleset
from games.services import moves, proposals
from games.services.check import differences
from games.services.errors import GameIsOver, NotAllowed, ProposalClosed
from tests.factories import GameFactory, PlayerFactory, play

pytestmark = pytest.mark.django_db


def propose(game: Game, seat: int, kind: str = "draw") -> int:
    proposals.propose(game=game.pk, seat=seat, kind=kind, via="web", key=f"p{seat}{game.entries.count()}")
    return int(game.entries.last().number)  # type: ignore[union-attr]


def states(game: Game) -> list[str]:
    return list(game.proposals.values_list("state", flat=True))


def test_an_agreed_draw_ends_the_game() -> None:
    game = GameFactory.create(plies="1 1")
    number = propose(game, 0)
    proposals.agree(game=game.pk, seat=1, number=number, via="web", key="a")
    game.refresh_from_db()
    assert (game.termination, game.result, states(game)) == ("agreement", "1/2-1/2", ["agreed"])


def test_a_refused_or_withdrawn_offer_changes_nothing_and_may_be_made_again() -> None:
    game = GameFactory.create(plies="1 1")
    proposals.refuse(game=game.pk, seat=1, number=propose(game, 0), via="web", key="a")
    proposals.withdraw(game=game.pk, seat=0, number=propose(game, 0), via="web", key="b")
    propose(game, 0)
    assert states(game) == ["refused", "withdrawn", "open"]
    assert [found for _, found in differences()] == [[]]


def test_an_offer_lives_through_the_offerers_move_and_lapses_by_the_recipients() -> None:
    game = GameFactory.create(plies="1 1")
    propose(game, 0)
    play(game, "2")
    assert states(game) == ["open"]
    play(game, "2")
    assert states(game) == ["lapsed"]


def test_C6_when_both_offer_it_is_one_agreed_draw() -> None:
    game = GameFactory.create(plies="1 1")
    propose(game, 0)
    propose(game, 1)
    game.refresh_from_db()
    assert (game.result, states(game)) == ("1/2-1/2", ["agreed"])


def test_an_answer_is_for_who_was_asked() -> None:
    game = GameFactory.create(plies="1 1")
    number = propose(game, 0)
    for act in (proposals.agree, proposals.refuse):
        with pytest.raises(NotAllowed):
            act(game=game.pk, seat=0, number=number, via="web", key=act.__name__)
    with pytest.raises(NotAllowed):
        proposals.withdraw(game=game.pk, seat=1, number=number, via="web", key="w")
    assert propose(game, 0) == number
    with pytest.raises(NotAllowed):
        propose(game, 1, "divide")


def test_nothing_is_proposed_after_the_end() -> None:
    game = GameFactory.create(plies="1 1")
    propose(game, 0)
    moves.resign(game=game.pk, seat=1, via="web", key="r")
    assert states(game) == ["lapsed"]
    with pytest.raises(GameIsOver):
        propose(game, 0)


def test_at_a_larger_table_all_the_others_must_agree_and_moves_decline_nothing(toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(4), ruleset="toy")
    number = propose(game, 2, "stop")
    play(game, "pass")
    for seat in (0, 1, 3):
        game.refresh_from_db()
        assert game.ended_at is None
        proposals.agree(game=game.pk, seat=seat, number=number, via="web", key=f"a{seat}")
    game.refresh_from_db()
    assert (game.termination, game.result) == ("agreement", "1/2-1/2-1/2-1/2")


def test_a_seat_that_left_is_asked_no_more_and_the_others_play_on(toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="toy")
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    game.refresh_from_db()
    assert (game.ended_at, game.to_move) == (None, 1)
    number = propose(game, 1, "stop")
    proposals.agree(game=game.pk, seat=2, number=number, via="web", key="a")
    game.refresh_from_db()
    assert game.termination == "agreement"
    assert [found for _, found in differences()] == [[]]


def test_an_answer_that_comes_too_late_is_told_so_and_the_same_one_again_is_a_success() -> None:
    game = GameFactory.create(plies="1 1")
    number = propose(game, 0)
    assert [proposals.refuse(game=game.pk, seat=1, number=number, via="web", key=key).same for key in "ab"] == [False, True]
    with pytest.raises(ProposalClosed):
        proposals.agree(game=game.pk, seat=1, number=number, via="web", key="c")
    with pytest.raises(ProposalClosed):
        proposals.withdraw(game=game.pk, seat=0, number=number, via="web", key="d")


def test_one_refusal_at_a_larger_table_is_enough(toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="toy")
    number = propose(game, 0, "stop")
    proposals.agree(game=game.pk, seat=1, number=number, via="web", key="a")
    assert states(game) == ["open"]
    proposals.refuse(game=game.pk, seat=2, number=number, via="web", key="r")
    assert states(game) == ["refused"]
    assert [found for _, found in differences()] == [[]]


def test_an_agreement_lets_the_other_proposals_lapse(toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(3), ruleset="toy")
    first = propose(game, 0, "stop")
    proposals.agree(game=game.pk, seat=1, number=first, via="web", key="a")
    second = propose(game, 1, "stop")
    for seat, number in ((2, second), (0, second)):
        proposals.agree(game=game.pk, seat=seat, number=number, via="web", key=f"a{seat}")
    assert states(game) == ["lapsed", "agreed"]
    assert [found for _, found in differences()] == [[]]
