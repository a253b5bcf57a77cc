"""Challenges: terms, acceptances, the one game that comes of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Player
from accounts.services import blocks
from games import selectors
from games.models import Challenge, Game
from games.rules.ruleset import AnyRuleset
from games.selectors import ChallengeLine
from games.services import challenge, moves
from games.services.errors import BadTerms, ChallengeClosed, Gone, KeyReused, NotAllowed
from games.services.terms import Terms
from tests.factories import ChallengeFactory, GameFactory, PlayerFactory, RawGameFactory, SeatFactory, deserted, players_of

pytestmark = pytest.mark.django_db


def names(game: Game) -> list[str]:
    return [player.display_name for player in players_of(game)]


def test_the_last_acceptance_starts_the_game_with_joins_in_its_log(alice: Player, bob: Player) -> None:
    open_one = ChallengeFactory.create(challenger=alice)
    started = challenge.accept_challenge(challenge_id=open_one.pk, player=bob)
    assert started.state == Challenge.State.STARTED
    assert names(started.game) == ["Alice", "Bob"]
    assert [(one.kind, one.seat, one.text) for one in started.game.entries.all()] == [
        ("join", 0, str(alice.pk)),
        ("join", 1, str(bob.pk)),
    ]
    assert started.game.deadline == started.game.created_at + timedelta(days=3)


@pytest.mark.parametrize(("begins", "first"), [("challenger", "Alice"), ("opponent", "Bob")])
def test_who_begins_sits_south(alice: Player, bob: Player, begins: str, first: str) -> None:
    assert names(GameFactory.create(players=[alice, bob], begins=begins))[0] == first


def test_the_lot_lets_either_begin(alice: Player, bob: Player) -> None:
    assert {names(GameFactory.create(players=[alice, bob], begins="lot"))[0] for _ in range(40)} == {"Alice", "Bob"}


def test_accepting_twice_is_one_acceptance(alice: Player, bob: Player) -> None:
    open_one = ChallengeFactory.create(challenger=alice)
    games = {challenge.accept_challenge(challenge_id=open_one.pk, player=bob).game.pk for _ in range(2)}
    assert len(games) == 1


def test_a_seat_is_taken_once(alice: Player, bob: Player, charlie: Player) -> None:
    open_one = ChallengeFactory.create(challenger=alice)
    challenge.accept_challenge(challenge_id=open_one.pk, player=bob)
    with pytest.raises(ChallengeClosed):
        challenge.accept_challenge(challenge_id=open_one.pk, player=charlie)
    assert Game.objects.count() == 1


def test_nobody_plays_himself(alice: Player) -> None:
    open_one = ChallengeFactory.create(challenger=alice)
    with pytest.raises(NotAllowed):
        challenge.accept_challenge(challenge_id=open_one.pk, player=alice)


def test_a_challenge_to_one_player_is_for_him_alone(alice: Player, bob: Player, charlie: Player) -> None:
    to_bob = ChallengeFactory.create(challenger=alice, opponent=bob)
    with pytest.raises(Gone):
        challenge.accept_challenge(challenge_id=to_bob.pk, player=charlie)
    with pytest.raises(Gone):
        challenge.decline_challenge(challenge_id=to_bob.pk, player=charlie)
    challenge.decline_challenge(challenge_id=to_bob.pk, player=bob)
    with pytest.raises(ChallengeClosed):
        challenge.accept_challenge(challenge_id=to_bob.pk, player=bob)


def test_who_made_it_may_withdraw_it(alice: Player, bob: Player) -> None:
    open_one = ChallengeFactory.create(challenger=alice)
    with pytest.raises(Gone):
        challenge.withdraw_challenge(challenge_id=open_one.pk, player=bob)
    challenge.withdraw_challenge(challenge_id=open_one.pk, player=alice)
    assert challenge.withdraw_challenge(challenge_id=open_one.pk, player=alice).state == Challenge.State.WITHDRAWN
    with pytest.raises(ChallengeClosed):
        challenge.accept_challenge(challenge_id=open_one.pk, player=bob)


def test_the_same_form_key_is_the_same_challenge_unless_the_terms_differ(alice: Player, bob: Player) -> None:
    terms = Terms("mangala", timedelta(days=1), {})
    made = {challenge.open_challenge(challenger=alice, terms=terms, key="k").pk for _ in range(2)}
    assert len(made) == 1
    with pytest.raises(KeyReused):
        challenge.open_challenge(challenger=alice, terms=terms, opponent=bob, key="k")
    with pytest.raises(KeyReused):
        challenge.open_challenge(challenger=alice, terms=replace(terms, public=False), key="k")
    assert challenge.open_challenge(challenger=bob, terms=terms, key="k").pk not in made


@pytest.mark.parametrize(
    "terms",
    [
        Terms("chess", timedelta(days=1), {}),
        Terms("mangala", timedelta(seconds=119), {}),
        Terms("mangala", timedelta(days=30, seconds=1), {}),
        Terms("mangala", timedelta(days=1), {"end": "never"}),
        Terms("mangala", timedelta(days=1), {"stones": 4}),
        Terms("toy", timedelta(days=1), {"rounds": 20}, seats=3),
        Terms("toy", timedelta(days=1), {}, seats=5),
        Terms("mangala", timedelta(days=1), {}, seats=3),
        Terms("mangala", timedelta(days=1), {}, begins="me"),
    ],
)
def test_terms_that_no_game_could_follow_or_no_form_offers_are_refused(alice: Player, toy: AnyRuleset, terms: Terms) -> None:
    with pytest.raises(BadTerms):
        challenge.open_challenge(challenger=alice, terms=terms, key="k")


GONE = [{"is_active": False}, {"suspended_at": "now"}, {"leaving_at": "now"}, {"leaving_at": "now", "erased_at": "now"}]


def lose(player: Player, how: dict[str, Any]) -> None:
    Player.objects.filter(pk=player.pk).update(
        **{name: timezone.now() if value == "now" else value for name, value in how.items()}
    )


@pytest.mark.parametrize("how", GONE)
def test_F41_who_may_not_play_and_who_is_blocked_cannot_be_challenged_in_the_same_words(
    alice: Player, bob: Player, charlie: Player, how: dict[str, Any]
) -> None:
    lose(bob, how)
    blocks.block(player=charlie, other=alice)
    told = set()
    for opponent in (bob, charlie):
        with pytest.raises(BadTerms) as refused:
            ChallengeFactory.create(challenger=alice, opponent=opponent)
        told.add(str(refused.value))
    with pytest.raises(BadTerms) as refused:
        ChallengeFactory.create(challenger=charlie, opponent=alice)
    assert told | {str(refused.value)} == {"This player cannot be challenged."}


@pytest.mark.parametrize("how", GONE)
def test_F41_a_challenge_of_who_may_not_play_is_gone(alice: Player, bob: Player, how: dict[str, Any]) -> None:
    open_one = ChallengeFactory.create(challenger=alice)
    named = ChallengeFactory.create(challenger=alice, opponent=bob)
    lose(alice, how)
    for one in (open_one, named):
        with pytest.raises(ChallengeClosed):
            challenge.accept_challenge(challenge_id=one.pk, player=bob)
    assert selectors.open_challenges(bob) == selectors.open_challenges() == []
    assert selectors.challenge(open_one.pk, bob) is None
    assert selectors.my_games(bob).received == ()


def test_a_suspended_player_neither_challenges_nor_accepts(alice: Player, bob: Player) -> None:
    open_one = ChallengeFactory.create(challenger=alice)
    named = ChallengeFactory.create(challenger=alice, opponent=bob)
    lose(bob, {"suspended_at": "now"})
    with pytest.raises(NotAllowed):
        ChallengeFactory.create(challenger=bob)
    for one in (open_one, named):
        with pytest.raises(NotAllowed):
            challenge.accept_challenge(challenge_id=one.pk, player=bob)
    assert "accept" not in told_to(named, Player.objects.get(pk=bob.pk)).may


@pytest.mark.parametrize("who_blocks", ["alice", "bob"])
def test_people_apart_are_not_offered_each_others_challenges(alice: Player, bob: Player, who_blocks: str) -> None:
    open_one = ChallengeFactory.create(challenger=alice)
    named = ChallengeFactory.create(challenger=alice, opponent=bob)
    blocker, blocked = (alice, bob) if who_blocks == "alice" else (bob, alice)
    blocks.block(player=blocker, other=blocked)
    assert [one.pk for one in selectors.open_challenges()] == [open_one.pk]
    assert selectors.open_challenges(bob) == []
    assert selectors.challenge(open_one.pk, bob) is None
    assert told_to(named, bob).may == {"decline"}
    for one in (open_one, named):
        with pytest.raises(NotAllowed):
            challenge.accept_challenge(challenge_id=one.pk, player=bob)


def told_to(one: Challenge, viewer: Player) -> ChallengeLine:
    line = selectors.challenge(one.pk, viewer)
    assert line is not None
    return line


def test_people_apart_have_no_rematch(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    blocks.block(player=alice, other=bob)
    for player in (alice, bob):
        with pytest.raises(NotAllowed, match="cannot be challenged"):
            challenge.offer_rematch(game_id=game.pk, player=player)


def test_nobody_sits_down_with_somebody_who_blocked_him(toy: AnyRuleset, alice: Player, bob: Player, charlie: Player) -> None:
    open_one = ChallengeFactory.create(challenger=alice, ruleset="toy", seats=4)
    challenge.accept_challenge(challenge_id=open_one.pk, player=bob)
    blocks.block(player=bob, other=charlie)
    with pytest.raises(NotAllowed):
        challenge.accept_challenge(challenge_id=open_one.pk, player=charlie)


def test_whoever_stops_playing_leaves_nothing_that_waits(toy: AnyRuleset, alice: Player, bob: Player, charlie: Player) -> None:
    own = ChallengeFactory.create(challenger=alice)
    received = ChallengeFactory.create(challenger=bob, opponent=alice)
    table = ChallengeFactory.create(challenger=charlie, ruleset="toy", seats=3)
    challenge.accept_challenge(challenge_id=table.pk, player=alice)
    old = GameFactory.create(players=[alice, bob], plies="1 1")
    moves.resign(game=old.pk, seat=0, via="web", key="r")
    rematch = challenge.offer_rematch(game_id=old.pk, player=bob)
    others = ChallengeFactory.create(challenger=bob, opponent=charlie)
    lose(alice, {"suspended_at": "now"})
    for _ in range(2):
        challenge.withdraw_all(player=alice)
    states = {one.pk: one.state for one in Challenge.objects.all()}
    assert (states[own.pk], states[received.pk], states[rematch.pk]) == ("withdrawn", "declined", "declined")
    assert (states[table.pk], states[others.pk]) == ("open", "open")
    assert [one.player for one in table.acceptances.all()] == [charlie]


def test_a_rematch_exchanges_the_seats_and_the_others_press_accepts_it(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    with pytest.raises(NotAllowed):
        challenge.offer_rematch(game_id=game.pk, player=alice)
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    offered = challenge.offer_rematch(game_id=game.pk, player=alice)
    assert challenge.offer_rematch(game_id=game.pk, player=alice) == offered
    started = challenge.offer_rematch(game_id=game.pk, player=bob)
    assert started == offered
    assert names(started.game) == ["Bob", "Alice"]
    with pytest.raises(Gone):
        challenge.offer_rematch(game_id=game.pk, player=PlayerFactory.create())


def test_a_game_for_four_starts_with_the_fourth(toy: AnyRuleset) -> None:
    game = GameFactory.create(players=PlayerFactory.create_batch(4), ruleset="toy")
    kinds = [one.kind for one in game.entries.all()]
    assert kinds == ["join"] * 4 + ["commit"] + ["chance"] * 8
    assert (game.to_move, game.turn_number) == (0, 13)


def test_a_challenge_to_one_player_has_two_seats(alice: Player, bob: Player, toy: AnyRuleset) -> None:
    with pytest.raises(BadTerms):
        ChallengeFactory.create(challenger=alice, opponent=bob, ruleset="toy", seats=3)


def test_nobody_challenges_himself(alice: Player) -> None:
    with pytest.raises(BadTerms):
        ChallengeFactory.create(challenger=alice, opponent=alice)


def test_who_accepted_may_take_it_back_before_the_game(alice: Player, bob: Player, charlie: Player, toy: AnyRuleset) -> None:
    wanted = ChallengeFactory.create(challenger=alice, ruleset="toy", seats=3)
    challenge.accept_challenge(challenge_id=wanted.pk, player=bob)
    challenge.withdraw_challenge(challenge_id=wanted.pk, player=bob)
    for player in (charlie, bob):
        started = challenge.accept_challenge(challenge_id=wanted.pk, player=player)
    assert names(started.game) == ["Alice", "Charlie", "Bob"]
    with pytest.raises(ChallengeClosed):
        challenge.withdraw_challenge(challenge_id=wanted.pk, player=bob)


@pytest.mark.parametrize(("begins", "via"), [("lot", "house"), ("challenger", "web")])
def test_the_log_says_whether_the_lot_decided(begins: str, via: str) -> None:
    game = GameFactory.create(begins=begins)
    assert set(game.entries.values_list("via", flat=True)) == {via}


def test_a_rematch_may_be_declined_and_offered_again(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    moves.abort_game(game=game.pk, seat=0, key="a")
    offered = challenge.offer_rematch(game_id=game.pk, player=alice)
    with pytest.raises(Gone):
        challenge.accept_challenge(challenge_id=offered.pk, player=charlie)
    challenge.decline_challenge(challenge_id=offered.pk, player=bob)
    again = challenge.offer_rematch(game_id=game.pk, player=bob)
    assert again != offered
    assert challenge.offer_rematch(game_id=game.pk, player=alice).game.pk > game.pk


def test_a_rematch_of_four_is_for_its_players_and_turns_the_seats_by_one(toy: AnyRuleset, charlie: Player) -> None:
    players = PlayerFactory.create_batch(4)
    game = deserted(*players)
    offered = challenge.offer_rematch(game_id=game.pk, player=players[2])
    assert not Challenge.objects.to_anyone().filter(pk=offered.pk).exists()
    for refused in (challenge.accept_challenge, challenge.decline_challenge):
        with pytest.raises(Gone):
            refused(challenge_id=offered.pk, player=charlie)
    for player in (players[0], players[3], players[1]):
        accepted = challenge.offer_rematch(game_id=game.pk, player=player)
    assert names(accepted.game) == [one.display_name for one in (*players[1:], players[0])]


def test_there_is_no_rematch_of_nothing(alice: Player) -> None:
    with pytest.raises(Gone):
        challenge.offer_rematch(game_id=12345, player=alice)
    with pytest.raises(Gone):
        challenge.accept_challenge(challenge_id=12345, player=alice)


@pytest.mark.locking
def test_a_seat_twice_and_two_games_of_a_challenge_are_impossible_by_constraint() -> None:
    game = GameFactory.create()
    player = game.seat_set.get(number=0).player
    with pytest.raises(IntegrityError), transaction.atomic():
        SeatFactory.create(game=game, number=2, player=player)
    with pytest.raises(IntegrityError), transaction.atomic():
        SeatFactory.create(game=game, number=1, player=PlayerFactory.create())
    with pytest.raises(IntegrityError), transaction.atomic():
        RawGameFactory.create(challenge=game.challenge)
