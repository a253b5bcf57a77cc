"""What becomes of a challenge, by letter: accepted and begun, about to expire, offered again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Player
from accounts.services import blocks
from games.models import Challenge
from games.models.challenge import REMINDED, STANDS
from games.rules.ruleset import AnyRuleset
from games.services import adjudicate, expiry, invitation, moves, pulse
from games.services import challenge as challenges
from tests.factories import ChallengeFactory, GameFactory, ModeratorFactory, PlayerFactory, deserted, play
from tests.games.court import rule, sent, text
from tests.games.postbag import invite

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


def accept(made: Challenge, player: Player) -> Challenge:
    return challenges.accept_challenge(challenge_id=made.pk, player=player)


# -- accepted ------------------------------------------------------------------------------------------------------------


def test_the_challenger_who_waits_for_the_others_move_hears_that_the_game_has_begun(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob, begins="opponent")
    sent()
    game = accept(made, bob).game
    news = {letter["To"]: letter for letter in sent()}
    assert set(news) == {alice.email, bob.email}
    for kind in ("plain", "html"):
        said = text(news[alice.email], kind)
        assert "Bob has accepted your challenge: the game has begun." in said
        assert "You are North. Bob is to move." in said
        assert f"http://localhost:8000/games/{game.pk}/" in said
    assert news[alice.email]["Subject"] == f"Mangala no. {game.pk} against Bob"
    assert "Bob, it is your turn." in text(news[bob.email])
    assert "The game has begun." in text(news[bob.email])
    assert sent() == []


def test_at_a_table_without_titles_a_seat_is_told_by_number(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob, ruleset="rainbow", seats=2, begins="lot")
    sent()
    game = accept(made, bob).game
    seats = {seat.player.email: seat.number for seat in game.seat_set.select_related("player") if seat.player is not None}
    for letter in sent():
        for kind in ("plain", "html"):
            assert f"You have seat {seats[letter['To']] + 1} of 2." in text(letter, kind)


def test_the_challenger_who_begins_hears_it_with_the_letter_of_the_turn_and_no_other(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob, begins="challenger")
    sent()
    accept(made, bob)
    [letter] = sent()
    assert letter["To"] == alice.email
    for kind in ("plain", "html"):
        assert "Alice, it is your turn." in text(letter, kind)
        assert "Bob has accepted your challenge: the game has begun." in text(letter, kind)


def test_later_turns_do_not_tell_it_again(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1")
    assert "game has begun" in text(sent()[0])
    play(game, "1")
    [letter] = sent()
    assert letter["To"] == alice.email
    assert "game has begun" not in text(letter)


def test_whoever_is_to_move_before_the_letter_went_gets_that_of_the_turn_alone(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob, begins="opponent")
    play(accept(made, bob).game, "1")
    [letter] = sent()
    assert letter["To"] == alice.email
    assert "Alice, it is your turn." in text(letter)
    assert "Bob has accepted your challenge: the game has begun." in text(letter)


def test_an_accepted_invitation_is_told_as_well(alice: Player, bob: Player) -> None:
    made = invite(alice)
    Challenge.objects.filter(pk=made.pk).update(begins="opponent")
    sent()
    invitation.accept_invitation(invitation_id=made.invitations.get().pk, player=bob)
    [letter] = [one for one in sent() if one["To"] == alice.email]
    assert "Bob has accepted your challenge" in text(letter)


def test_at_a_larger_table_all_who_waited_hear_that_it_is_full(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(4)
    GameFactory.create(players=players, ruleset="toy")
    news = {letter["To"]: text(letter) for letter in sent()}
    assert set(news) == {players[0].email, players[1].email, players[2].email}
    assert all("All seats are taken: the game has begun." in said for said in news.values())
    assert "it is your turn" in news[players[0].email]


def test_a_game_that_was_called_off_before_the_letter_went_has_not_begun(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob, begins="opponent")
    moves.abort_game(game=accept(made, bob).game.pk, seat=0, key="a")
    assert all("has begun" not in text(letter) for letter in sent())


# -- about to expire -----------------------------------------------------------------------------------------------------


def remind_at(moment: timedelta, made: Challenge) -> int:
    """What the reminder does when the challenge has stood so long. It was made a while ago, that its letters may go now."""
    if timezone.now() - made.created_at < STANDS - REMINDED:
        made.created_at -= STANDS - REMINDED + timedelta(hours=1)
        made.save(update_fields=["created_at"])
    return expiry.remind(made.created_at + moment)


def test_who_still_has_to_answer_is_reminded_once_two_days_before_the_end(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob)
    sent()
    assert remind_at(STANDS - REMINDED - SECOND, made) == 0
    assert remind_at(STANDS - REMINDED, made) == 1
    [letter] = sent()
    assert letter["To"] == bob.email
    assert letter["Subject"] == "A challenge waits for your answer: Mangala"
    for kind in ("plain", "html"):
        assert "Bob, the challenge by Alice still waits for your answer." in text(letter, kind)
        assert f"http://localhost:8000/challenges/{made.pk}/" in text(letter, kind)
    assert remind_at(STANDS - REMINDED + SECOND, made) == 0
    pulse.beat("reminded", made.created_at)
    remind_at(STANDS - REMINDED + 2 * SECOND, made)
    assert sent() == []


def test_who_answered_is_not_reminded(alice: Player, bob: Player, charlie: Player) -> None:
    for other in (bob, charlie):
        made = ChallengeFactory.create(challenger=alice, opponent=other)
        end = challenges.decline_challenge if other == charlie else challenges.accept_challenge
        end(challenge_id=made.pk, player=other)
    assert remind_at(STANDS - REMINDED, made) == 0


def test_who_answered_before_the_reminder_went_does_not_get_it(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob)
    sent()
    remind_at(STANDS - REMINDED, made)
    challenges.decline_challenge(challenge_id=made.pk, player=bob)
    assert [letter["To"] for letter in sent()] == [alice.email]


def test_nobody_is_reminded_of_an_open_challenge_or_at_a_strangers_address(alice: Player) -> None:
    ChallengeFactory.create(challenger=alice)
    assert remind_at(STANDS - REMINDED, invite(alice)) == 0


def test_nobody_is_reminded_by_somebody_they_blocked(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob)
    sent()
    blocks.block(player=bob, other=alice)
    remind_at(STANDS - REMINDED, made)
    assert sent() == []


def test_of_a_rematch_those_are_reminded_who_have_not_answered(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(3)
    game = deserted(*players)
    made = challenges.offer_rematch(game_id=game.pk, player=players[0])
    accept(made, players[1])
    sent()
    assert remind_at(STANDS - REMINDED, made) == 1
    assert [letter["To"] for letter in sent()] == [players[2].email]


# -- a rematch -----------------------------------------------------------------------------------------------------------


def test_a_rematch_is_mailed_as_one_and_leads_back_to_the_game_before(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    sent()
    made = challenges.offer_rematch(game_id=game.pk, player=alice)
    [letter] = sent()
    assert letter["To"] == bob.email
    assert letter["Subject"] == "Alice offers you a rematch: Mangala"
    for kind in ("plain", "html"):
        said = text(letter, kind)
        assert "Bob, Alice offers you a rematch." in said
        assert f"http://localhost:8000/games/{game.pk}/" in said
        assert f"http://localhost:8000/challenges/{made.pk}/" in said
    started = challenges.offer_rematch(game_id=game.pk, player=bob).game
    assert [seat.player for seat in started.seat_set.order_by("number")] == [bob, alice]
    news = {one["To"]: text(one) for one in sent()}
    assert "Bob has accepted your challenge: the game has begun." in news[alice.email]


def test_an_annulled_game_may_be_played_again(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    rule(adjudicate.adjudicate, game, ModeratorFactory.create(), verdict="annul")
    assert challenges.offer_rematch(game_id=game.pk, player=alice).state == Challenge.State.OPEN
