"""Two at once, in real processes: whatever comes first, there is one outcome and the log agrees."""

from __future__ import annotations

import signal
from collections import Counter
from datetime import timedelta

import pytest

from accounts.models import AuditEntry
from games.models import Game
from games.services import moves, proposals
from tests.factories import ChallengeFactory, GameFactory, ModeratorFactory, PlayerFactory, play
from tests.games.races import RUNS, Racers, agreed, move

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.locking]


def test_C1_the_same_move_four_times_at_once_is_one_entry_and_four_successes(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = GameFactory.create()
        assert racers.race(*(move(game, "4-6", f"k{number}") for number in range(4))) == ["done"] * 4
        assert game.entries.filter(kind="move").count() == 2
    assert agreed()


def test_R1_one_form_delivered_twenty_times_four_at_once_is_one_entry(racers: Racers) -> None:
    for _ in range(RUNS // 16):
        game = GameFactory.create()
        for _ in range(5):
            assert racers.race(*(move(game, "1", "the same key") for _ in range(4))) == ["done"] * 4
        assert game.entries.filter(kind="move").count() == 1


def test_C3_the_same_move_from_the_page_and_from_a_letter_at_once_is_one_entry_and_two_successes(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = GameFactory.create()
        told = racers.race(move(game, "4-6", "page") | {"via": "web"}, move(game, "4-6", "letter") | {"via": "link"})
        assert told == ["done", "done"]
        assert len({entry.via for entry in game.entries.filter(kind="move")}) == 1
        told = racers.race(move(game, "1", "page 2") | {"via": "web"}, move(game, "2", "letter 2") | {"via": "link"})
        assert told == ["StalePosition", "StalePosition"]
    assert agreed()


def test_C16_one_key_with_other_moves_at_once_leaves_one_and_refuses_the_others(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = GameFactory.create()
        told = racers.race(*(move(game, text, "the same key") for text in ("1", "2", "3", "5")))
        assert Counter(told) == {"done": 1, "KeyReused": 3}
        assert game.entries.filter(kind="move").count() == 1


def test_R2_a_process_killed_before_its_commit_leaves_nothing_and_blocks_nobody(racers: Racers) -> None:
    game = GameFactory.create()
    doomed = Racers(1)
    assert doomed.race(move(game, "1", "k") | {"do": "move and die"}) == [""]
    assert doomed.process.wait() == -signal.SIGKILL
    doomed.close()
    assert game.entries.filter(kind="move").count() == 0
    assert racers.race(move(game, "1", "k")) == ["done"]
    assert agreed()


def test_D9_a_deadline_met_by_four_workers_is_one_transition(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = GameFactory.create(plies="1 1", reflection=timedelta(days=1))
        assert game.deadline is not None
        out = {"do": "run_out", "game": game.pk, "now": game.deadline.isoformat()}
        assert Counter(racers.race(out, out, out, out)) == {"done": 1, "nothing": 3}
    assert agreed()


def test_C2_different_moves_at_once_leave_one_and_tell_the_others(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = GameFactory.create()
        told = racers.race(*(move(game, text, text) for text in ("1", "2", "3", "5")))
        assert Counter(told) == {"done": 1, "StalePosition": 3}
        assert game.entries.filter(kind="move").count() == 1
    assert agreed()


def test_C4_a_move_against_a_time_out_has_one_outcome(racers: Racers) -> None:
    game_over = Counter[str]()
    for _ in range(RUNS):
        game = GameFactory.create(plies="1 1", reflection=timedelta(days=1))
        assert game.deadline is not None
        out = {"do": "run_out", "game": game.pk, "now": game.deadline.isoformat()}
        told = racers.race(move(game, "2", "m"), out, out)
        game.refresh_from_db()
        game_over[game.termination] += 1
        expected = ["done", "nothing", "nothing"] if not game.termination else ["GameIsOver", "done", "nothing"]
        assert sorted(told) == expected
        assert game.entries.filter(number__gt=4).count() == 1
    assert set(game_over) <= {"", "time_forfeit"}
    assert RUNS < 1000 or len(game_over) == 2, "a race that one side always wins shows nothing"
    assert agreed()


def test_C6_an_offer_against_a_move_waits_or_has_lapsed(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = GameFactory.create(plies="1 1")
        offer = {"do": "propose", "game": game.pk, "seat": 1, "kind": "draw", "key": "p"}
        assert racers.race(move(game, "2", "m"), offer) == ["done", "done"]
        [proposal] = game.proposals.all()
        kinds = list(game.entries.filter(number__gt=4).values_list("kind", flat=True))
        assert (kinds, proposal.state) in ((["move", "propose"], "open"), (["propose", "move"], "lapsed"))
    assert agreed()


def test_C8_an_adjudication_against_a_move_has_one_outcome(racers: Racers) -> None:
    moderator = ModeratorFactory.create()
    for _ in range(RUNS):
        game = GameFactory.create(plies="1 1")
        ruling = {"do": "adjudicate", "game": game.pk, "by": moderator.pk, "verdict": "win:1", "head": game.head, "key": "a"}
        told = racers.race(ruling, move(game, "2", "m"), {**ruling, "key": "b", "verdict": "draw"})
        game.refresh_from_db()
        if game.termination:
            assert told[1] == "GameIsOver"
            assert Counter(told) in ({"done": 1, "GameIsOver": 1, "StalePosition": 1}, {"done": 1, "GameIsOver": 2})
        else:
            assert told == ["StalePosition", "done", "StalePosition"]
        assert game.entries.filter(number__gt=4).count() == 1
        assert AuditEntry.objects.filter(subject_id=game.pk).count() == bool(game.termination)
    assert agreed()


def test_a_suspension_against_a_move_pauses_the_game_before_or_after_it(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = GameFactory.create(plies="1 1")
        player = game.seat_set.get(number=0).player_id
        pause = {"do": "pause", "player": player}
        told = racers.race(move(game, "2", "m"), pause, pause)
        game.refresh_from_db()
        assert told in (["done", "done", "done"], ["GamePaused", "done", "done"])
        assert (game.deadline, game.ended_at) == (None, None)
        assert game.entries.filter(kind="clock").count() == 1
    assert agreed()


def test_C6_two_offers_at_once_are_one_agreed_draw(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = GameFactory.create(plies="1 1")
        offers = [{"do": "propose", "game": game.pk, "seat": seat, "kind": "draw", "key": f"p{seat}"} for seat in (0, 1)]
        assert racers.race(*offers) == ["done", "done"]
        game.refresh_from_db()
        assert (game.termination, game.result) == ("agreement", "1/2-1/2")
    assert agreed()


def test_a_takeback_that_is_agreed_to_against_a_move_has_one_outcome(racers: Racers) -> None:
    """Bob agrees while Alice plays on, or plays on in another tab himself: what comes first stands, the other is told."""
    for number in range(RUNS):
        mover = number % 2
        game = GameFactory.create(plies="1 1" if mover == 0 else "1")
        asked = asks_back(game, 0)
        agree = {"do": "agree", "game": game.pk, "seat": 1, "number": asked}
        told = racers.race(move(game, "2", "m", mover), {**agree, "key": "a"}, {**agree, "key": "b"})
        game.refresh_from_db()
        [proposal] = game.proposals.all()
        if proposal.state == "agreed":
            assert told == ["StalePosition", "done", "done"]
            assert (game.plies, game.to_move, game.position_number) == (0, 0, asked + 1)
        else:
            assert told == ["done", "ProposalClosed", "ProposalClosed"]
            assert proposal.state == "lapsed"
        assert game.head == asked + 1
    assert agreed()


def test_C6_when_both_ask_for_their_turns_and_both_agree_at_once_one_goes_back(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = GameFactory.create(plies="1 1")
        asks = [{"do": "propose", "game": game.pk, "seat": seat, "kind": "takeback", "key": f"p{seat}"} for seat in (0, 1)]
        assert racers.race(*asks) == ["done", "done"]
        offers = game.proposals.values_list("number", "seat")
        answers = [{"do": "agree", "game": game.pk, "seat": 1 - seat, "number": one, "key": f"a{seat}"} for one, seat in offers]
        assert sorted(racers.race(*answers)) == ["ProposalClosed", "done"]
        game.refresh_from_db()
        assert sorted(game.proposals.values_list("state", flat=True)) == ["agreed", "lapsed"]
        assert game.plies in (0, 1)
        assert game.to_move == game.plies
    assert agreed()


def asks_back(game: Game, seat: int) -> int:
    """The number of the entry in which the seat asks for its last turn."""
    asked = proposals.propose(game=game.pk, seat=seat, kind="takeback", via="web", key="ask")
    return asked.head


def test_C7_when_both_resign_at_once_one_loses_and_the_other_is_told(racers: Racers) -> None:
    for _ in range(RUNS // 4):
        game = GameFactory.create(plies="1 1")
        told = racers.race(*({"do": "resign", "game": game.pk, "seat": seat, "key": f"r{seat}"} for seat in (0, 1)))
        assert sorted(told) == ["GameIsOver", "done"]
    assert agreed()


def test_a_seat_taken_by_four_at_once_is_one_game(racers: Racers) -> None:
    for _ in range(RUNS // 8):
        wanted = ChallengeFactory.create()
        players = PlayerFactory.create_batch(4)
        told = racers.race(*({"do": "accept", "challenge": wanted.pk, "player": one.pk} for one in players))
        assert Counter(told) == {"done": 1, "ChallengeClosed": 3}
        assert Game.objects.filter(challenge=wanted).count() == 1


def test_a_rematch_pressed_by_both_at_once_is_one_game(racers: Racers) -> None:
    for _ in range(RUNS // 8):
        game = GameFactory.create()
        moves.abort_game(game=game.pk, seat=0, key="a")
        players = game.seat_set.values_list("player_id", flat=True)
        assert racers.race(*({"do": "rematch", "game": game.pk, "player": player} for player in players)) == ["done", "done"]
        [rematch] = game.rematches.all()
        assert rematch.game.entries.count() == 2


def test_a_challenge_form_sent_four_times_at_once_is_one_challenge(racers: Racers) -> None:
    for number in range(RUNS // 8):
        alice = PlayerFactory.create()
        acts = [{"do": "open", "player": alice.pk, "key": f"k{number}", "days": days} for days in (3, 3, 3, 5)]
        told = racers.race(*acts)
        assert Counter(told) in ({"done": 3, "KeyReused": 1}, {"done": 1, "KeyReused": 3})
        assert alice.challenges_made.count() == 1


def test_C15_four_processes_play_four_games_and_no_database_is_locked(racers: Racers) -> None:
    games = [GameFactory.create() for _ in range(4)]
    for ply in range(RUNS):
        for game in games:
            game.refresh_from_db()
        if any(game.to_move is None for game in games):
            break
        acts = [move(game, _first(game), f"k{ply}", game.to_move or 0) for game in games]
        assert racers.race(*acts) == ["done"] * 4
    assert agreed()


def _first(game: Game) -> str:
    assert game.position is not None
    pits = game.position["south_pits" if game.to_move == 0 else "north_pits"]
    return str(next(pit for pit in range(1, 7) if pits[pit - 1]))


def test_one_letter_is_sent_once_by_four_workers(racers: Racers) -> None:
    for _ in range(RUNS // 8):
        game = GameFactory.create()
        play(game, "1")
        game.refresh_from_db()
        key = f"turn:{game.pk}:{game.position_number}:{game.seat_set.get(number=1).player_id}"
        told = racers.race(*({"do": "deliver", "key": key} for _ in range(4)))
        assert Counter(told) == {"done": 1, "nothing": 3}
