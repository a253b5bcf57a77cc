"""Letters about proposals: an offer is mailed to whoever must answer, the answer to whoever offered, and no letter too many."""

from __future__ import annotations

from email.message import EmailMessage
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.models import Player
from games.letters.proposals import ProposalLetters
from games.models import Game, Right
from games.rules.ruleset import AnyRuleset
from games.services import adjudicate, moves, proposals
from games.services.errors import ProposedOften
from games.services.proposals import OFTEN
from notifications.models import Letter
from notifications.sources import Waiting
from tests.factories import GameFactory, PlayerFactory, play
from tests.games.court import sent, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    """Alice is to move; both have moved, and their letters are gone."""
    made = GameFactory.create(players=[alice, bob], plies="1 1")
    sent()
    return made


def propose(game: Game, seat: int, kind: str = "draw") -> int:
    return proposals.propose(game=game.pk, seat=seat, kind=kind, via="web", key=uuid4().hex).head


def answer(game: Game, act: str, seat: int, number: int) -> None:
    getattr(proposals, act)(game=game.pk, seat=seat, number=number, via="web", key=uuid4().hex)


def recipients(letters: list[EmailMessage]) -> list[str]:
    return sorted(letter["To"] for letter in letters)


def test_N23_an_offer_is_mailed_to_whoever_must_answer_it(game: Game, bob: Player) -> None:
    number = propose(game, 0)
    [letter] = sent()
    assert letter["To"] == bob.email
    assert letter["Subject"] == f"Mangala no. {game.pk} against Alice"
    for kind in ("plain", "html"):
        said = text(letter, kind)
        assert "Bob, Alice proposes a draw." in said
        assert "until you move: that refuses it, too" in said
        for given in ("agree", "refuse"):
            assert f"at={number}" in said
            assert f"answer={given}" in said
    assert sent() == []


def test_N23_its_links_carry_a_right_to_answer_this_proposal_and_nothing_else(game: Game, bob: Player) -> None:
    number = propose(game, 0)
    [letter] = sent()
    [right] = Right.objects.filter(player=bob, purpose=Right.Purpose.ANSWER)
    assert (right.game_id, right.seat, right.turn_number) == (game.pk, 1, number)
    token = text(letter).split("/rights/")[1].split("/")[0]
    assert list(Right.objects.with_token(token)) == [right]


def test_N23_a_refusal_is_mailed_to_whoever_offered(game: Game, alice: Player) -> None:
    number = propose(game, 0)
    sent()
    answer(game, "refuse", 1, number)
    [letter] = sent()
    assert letter["To"] == alice.email
    for kind in ("plain", "html"):
        assert "Alice, Bob refused your proposal: a draw." in text(letter, kind)
        assert "The game goes on." in text(letter, kind)


def test_N23_an_agreement_that_ends_the_game_is_told_by_the_letter_of_the_end(game: Game, alice: Player, bob: Player) -> None:
    number = propose(game, 0)
    sent()
    answer(game, "agree", 1, number)
    assert recipients(sent()) == [alice.email, bob.email]
    assert not Letter.objects.filter(kind="answer").exists()


def test_N23_an_offer_that_was_taken_back_makes_no_letter(game: Game) -> None:
    number = propose(game, 0)
    sent()
    answer(game, "withdraw", 0, number)
    assert sent() == []


@pytest.mark.parametrize("act", ["agree", "refuse", "withdraw", "move", "resign"])
def test_N23_an_offer_that_no_longer_waits_is_not_mailed(game: Game, bob: Player, act: str) -> None:
    play(game, "2")
    sent()
    number = propose(game, 0)
    match act:
        case "move":
            play(game, "2")
        case "resign":
            moves.resign(game=game.pk, seat=0, via="web", key="r")
        case _:
            answer(game, act, 0 if act == "withdraw" else 1, number)
    assert all("proposes a draw" not in text(letter) for letter in sent())
    assert Letter.objects.get(kind="proposal").state == Letter.State.DROPPED


def test_N23_an_offer_that_lapsed_because_the_other_moved_is_told_with_that_move(game: Game, alice: Player) -> None:
    propose(game, 0)
    play(game, "2")
    sent()
    play(game, "2")
    [letter] = sent()
    assert letter["To"] == alice.email
    for kind in ("plain", "html"):
        assert "The proposal by Alice lapsed: a draw." in text(letter, kind)


def test_a_refusal_that_waited_until_the_readers_turn_is_left_to_the_letter_of_the_turn(game: Game, alice: Player) -> None:
    play(game, "2")
    number = propose(game, 0)
    sent()
    answer(game, "refuse", 1, number)
    play(game, "2")
    [letter] = sent()
    assert letter["To"] == alice.email
    assert "Bob: refused." in text(letter)
    assert Letter.objects.get(kind="answer").state == Letter.State.DROPPED


def test_whoever_saw_the_refusal_and_went_on_gets_no_letter_about_it(game: Game) -> None:
    number = propose(game, 0)
    sent()
    answer(game, "refuse", 1, number)
    play(game, "2")
    assert Letter.objects.filter(kind="answer").count() == 1
    assert all("refused your proposal" not in text(letter) for letter in sent())


def test_N23_whoever_offers_again_and_again_fills_neither_mailbox_nor_log_and_every_offer_is_mailed(game: Game) -> None:
    for _ in range(OFTEN):
        answer(game, "withdraw", 0, propose(game, 0))
    with pytest.raises(ProposedOften):
        propose(game, 0)
    propose(game, 0, "takeback")
    assert Letter.objects.filter(kind="proposal").count() == OFTEN + 1
    play(game, "2")
    play(game, "2")
    propose(game, 0)
    assert Letter.objects.filter(kind="proposal").count() == OFTEN + 2


def test_C6_whoever_has_offered_often_enough_agrees_to_the_same_offer_of_the_other(game: Game) -> None:
    for _ in range(OFTEN):
        answer(game, "withdraw", 0, propose(game, 0))
    propose(game, 1)
    propose(game, 0)
    game.refresh_from_db()
    assert game.termination == "agreement"


def test_C6_when_both_offer_it_the_second_offer_is_an_agreement_and_no_letter(game: Game) -> None:
    propose(game, 0)
    propose(game, 1)
    assert Letter.objects.filter(kind="proposal").count() == 1
    assert not Letter.objects.filter(kind="answer").exists()


def test_at_a_larger_table_all_the_others_are_asked_and_one_refusal_is_told_to_whoever_offered(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(4)
    game = GameFactory.create(players=players, ruleset="toy")
    sent()
    number = propose(game, 2, "stop")
    told = sent()
    assert recipients(told) == sorted(players[seat].email for seat in (0, 1, 3))
    assert all("to stop the game" in text(letter) for letter in told)
    assert all("moves change nothing about it" in text(letter) for letter in told)
    answer(game, "agree", 0, number)
    assert sent() == []
    answer(game, "refuse", 3, number)
    [letter] = sent()
    assert letter["To"] == players[2].email
    assert f"{players[3]} refused your proposal: to stop the game." in text(letter)


def test_N23_a_refusal_is_told_to_whoever_offered_although_the_turn_has_passed_to_somebody_else(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(4)
    game = GameFactory.create(players=players, ruleset="toy")
    number = propose(game, 3, "stop")
    answer(game, "refuse", 1, number)
    play(game, "pass")
    game.refresh_from_db()
    assert game.to_move == 1
    assert f"{players[1]} refused your proposal: to stop the game." in " ".join(
        text(letter) for letter in sent() if letter["To"] == players[3].email
    )


def test_at_a_larger_table_whoever_has_agreed_is_asked_no_more(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(3)
    game = GameFactory.create(players=players, ruleset="toy")
    sent()
    number = propose(game, 2, "stop")
    answer(game, "agree", 0, number)
    assert recipients(sent()) == [players[1].email]


def test_an_offer_made_before_a_pause_is_mailed_all_the_same(game: Game, alice: Player, bob: Player) -> None:
    propose(game, 0)
    adjudicate.pause_games(player=alice)
    assert "Bob, Alice proposes a draw." in " ".join(text(letter) for letter in sent() if letter["To"] == bob.email)


@pytest.mark.parametrize("name", ["a\r\nBcc: all@example.org", "<img src=x>", "{{ 7|add:7 }}", "\u202elana", "%(who)s %s"])
def test_S5_a_hostile_name_is_inert_in_them(game: Game, alice: Player, name: str) -> None:
    Player.objects.filter(pk=alice.pk).update(display_name=name)
    number = propose(game, 0)
    [offer] = sent()
    answer(game, "refuse", 1, number)
    [refusal] = sent()
    for letter in (offer, refusal):
        assert letter["Bcc"] is None
        assert "<img src=x" not in text(letter, "html")
        assert "\u202e" not in text(letter) + text(letter, "html")


def test_a_letter_about_nothing_is_not_wanted(alice: Player) -> None:
    for kind in ProposalLetters.kinds:
        about = {"game": 0, "seat": 0, "number": 1, "proposal": 1}
        assert not ProposalLetters().still_wanted(Waiting("key", kind, about, alice, timezone.now()))


def test_a_takeback_is_asked_for_and_refused_by_letter_and_granted_by_that_of_the_turn(
    game: Game, alice: Player, bob: Player
) -> None:
    play(game, "2")
    sent()
    number = propose(game, 0, "takeback")
    [offer] = sent()
    assert offer["To"] == bob.email
    assert "Bob, Alice proposes to take their last turn back" in text(offer)
    assert "until somebody moves" in text(offer)
    answer(game, "refuse", 1, number)
    [refusal] = sent()
    assert "Alice, Bob refused your proposal: to take your last turn back." in text(refusal)
    number = propose(game, 0, "takeback")
    sent()
    answer(game, "agree", 1, number)
    [turn] = sent()
    assert turn["To"] == alice.email
    assert "Alice, it is your turn." in text(turn)
    assert not Letter.objects.filter(kind="answer", about__number__gt=number).exists()
