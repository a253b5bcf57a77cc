"""Rainbow: the reference games, every case of an offer, leaving and time, what is refused and why."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from games.rules import entry as kinds
from games.rules.catalogue.rainbow.play import SILENT, RainbowPosition, in_order
from games.rules.entry import Entry
from games.rules.phrase import in_english
from games.rules.position import CHANCE, BadPosition, IllegalMove, InvalidNotation, Outcome
from games.rules.replay import BrokenLog, begin, differences, play_record, step
from games.rules.standing import Standing, must_answer
from tests.rules.drops import ALICE, BOB, CHARLIE, RAINBOW, after, table
from tests.rules.references import REFERENCE

LINES = (REFERENCE / "rainbow.jsonl").read_text().splitlines()


def why(position: RainbowPosition, move: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        RAINBOW.play(position, move)
    return in_english(refused.value.said)


# -- the reference games ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{json.loads(line)['players']} players")
def test_reference_games_are_played_without_a_difference(line: str) -> None:
    reference = RAINBOW.dialects["reference"]
    game = reference.read(line)
    assert differences(RAINBOW, game) == []
    outcome = play_record(RAINBOW, game).outcome
    assert isinstance(outcome, Outcome)
    assert outcome.termination == "rainbow_complete"
    again, wanted = json.loads(reference.write(game)), json.loads(line)
    assert in_order(again["rain"]) == in_order(wanted["rain"])
    same = ("players", "deal", "first", "events", "final")
    assert [again[name] for name in same] == [wanted[name] for name in same], "what was forced and what spilled included"


# -- a turn ----------------------------------------------------------------------------------------------------------


def test_exactly_one_drop_of_the_next_colour_may_be_sent_and_then_nothing_may_be_offered_or_passed() -> None:
    position = table("RGGV", "OOYY")
    assert list(RAINBOW.legal_moves(position)) == ["send"]
    assert (
        why(position, "offer G")
        == why(position, "pass")
        == ("While you can send a drop to your rainbow you may neither offer nor pass.")
    )
    sent = after(position, "send")
    assert (sent.hands[ALICE], sent.rainbows, RAINBOW.to_move(sent)) == ("GGV", (1, 0), BOB)


def test_two_drops_of_the_next_colour_cannot_be_sent() -> None:
    position = table("RRGV", "OOYY")
    assert list(RAINBOW.legal_moves(position)) == ["offer R", "offer G", "offer V", "pass"]
    assert why(position, "send") == "You can send a red drop only while it is your only one of that colour."
    assert why(table("GV", "OY"), "send") == "Your rainbow takes only a red drop now, and you hold none."
    assert why(position, "send G") == "Your rainbow takes only a red drop now."


def test_three_of_four_drops_are_poured_as_often_as_one_likes_and_the_turn_goes_on() -> None:
    position = table("RRRRGGGG", "OOYY", "BB")
    once = after(position, "pour R")
    assert (once.hands[ALICE], RAINBOW.to_move(once), RAINBOW.turn(once)) == ("RGGGG", ALICE, RAINBOW.turn(position))
    assert list(RAINBOW.legal_moves(once)) == ["send", "pour G"]
    assert after(once, "pour G").hands[ALICE] == "RG"
    assert why(once, "pour R") == "To pour you need at least four drops of one colour."


def test_the_seventh_drop_wins() -> None:
    assert RAINBOW.outcome(after(table("BGG", "OOYY", rainbows=(5, 0)), "send")) is None
    won = after(table("VGG", "OOYY", rainbows=(6, 2)), "send")
    outcome = RAINBOW.outcome(won)
    assert outcome is not None
    assert (outcome.termination, [*map(int, outcome.points)], [*map(int, outcome.scores)]) == ("rainbow_complete", [1, 0], [7, 2])
    assert RAINBOW.to_move(won) is None


# -- an offer --------------------------------------------------------------------------------------------------------


def test_who_accepts_gets_the_drop_and_the_turn() -> None:
    asked = after(table("GG", "OOYY", "BB"), "offer G")
    assert (RAINBOW.to_move(asked), RAINBOW.turn(asked)) == (BOB, 2)
    assert list(RAINBOW.legal_moves(asked)) == ["accept", "refuse"]
    taken = after(asked, "accept")
    assert (taken.hands, RAINBOW.to_move(taken), RAINBOW.turn(taken)) == (("G", "OOYYG", "BB"), BOB, 3)


def test_who_refuses_has_the_turn_and_the_other_draws() -> None:
    refused = after(table("GG", "OOYY", "BB"), "offer G", "refuse")
    assert RAINBOW.to_move(refused) == CHANCE
    assert sum(weight for _colour, weight in RAINBOW.chance(refused)) == len(refused.rain)
    drawn = after(refused, "V")
    assert (drawn.hands[ALICE], RAINBOW.to_move(drawn), RAINBOW.turn(drawn)) == ("GGV", BOB, 3)


def test_a_drop_for_who_holds_ten_spills_even_where_the_giver_holds_ten() -> None:
    for mine in ("GG", "YYGGCCBBVV"):
        spilled = after(table(mine, "OOYYOOYYBB", "BB"), "offer G")
        assert (spilled.hands[ALICE], len(spilled.hands[BOB]), RAINBOW.to_move(spilled)) == (mine.replace("G", "", 1), 10, BOB)
        assert spilled.rain.count("G") == table(mine, "OOYYOOYYBB", "BB").rain.count("G") + 1


def test_nobody_is_asked_where_the_rain_is_empty_or_the_giver_holds_ten() -> None:
    for position in (table("GG", "OOYY", rain=""), table("YYGGCCBBVV", "OOYY")):
        forced = after(position, "offer G")
        assert (forced.hands[BOB], RAINBOW.to_move(forced)) == ("OOYYG", BOB)


def test_only_who_is_asked_may_answer_and_only_with_an_answer() -> None:
    asked = after(table("GG", "OOYY"), "offer G")
    assert why(asked, "pass") == "A drop is offered to you: accept it or refuse it."
    assert why(table("GG", "OOYY"), "accept") == "No drop is offered to you."
    assert why(table("GG", "OOYY"), "offer V") == "You cannot offer a violet drop: you hold none."


# -- time, leaving, agreements -----------------------------------------------------------------------------------------


def test_D8_time_costs_the_turn_even_where_passing_is_not_allowed_and_an_answer_refuses() -> None:
    late = RAINBOW.time_out(table("RG", "OOYY"))
    assert isinstance(late, RainbowPosition)
    assert (late.hands[ALICE], RAINBOW.to_move(late), late.silent) == ("RG", BOB, (1, 0))
    refused = RAINBOW.time_out(after(table("GG", "OOYY"), "offer G"))
    assert isinstance(refused, RainbowPosition)
    assert (RAINBOW.to_move(refused), refused.silent) == (CHANCE, (0, 1))


def test_D8_any_of_four_may_run_out_of_time_and_the_others_play_on() -> None:
    position: Any = table("GG", "OO", "YY", "VV")
    for _turn in range(12):
        position = RAINBOW.time_out(position)
    assert RAINBOW.outcome(position) is None
    assert RAINBOW.removable(position) == (0, 1, 2, 3)
    assert RAINBOW.removable(after(position, "pass")) == (1, 2, 3), "who acts is silent no longer"


def test_the_drops_of_who_leaves_are_in_the_rain_and_their_seat_is_skipped() -> None:
    position = table("GG", "OO", "YY", rainbows=(1, 2, 0))
    left: Any = RAINBOW.leave(position, BOB)
    assert (left.hands, left.rainbows, RAINBOW.to_move(left)) == (("GG", "", "YY"), (1, 2, 0), ALICE)
    assert len(left.rain) == len(position.rain) + 2
    assert RAINBOW.to_move(after(left, "pass")) == CHARLIE


def test_an_offer_of_who_leaves_is_void_and_its_receiver_has_the_turn() -> None:
    left: Any = RAINBOW.leave(after(table("GG", "OO", "YY"), "offer G"), ALICE)
    assert (left.offer, left.hands, RAINBOW.to_move(left)) == ("", ("", "OO", "YY"), BOB)


def test_an_offer_to_who_leaves_stays_with_its_giver_and_the_next_has_the_turn() -> None:
    left: Any = RAINBOW.leave(after(table("GG", "OO", "YY"), "offer G"), BOB)
    assert (left.offer, left.hands, RAINBOW.to_move(left)) == ("", ("GG", "", "YY"), CHARLIE)


def test_the_last_one_left_wins() -> None:
    left: Any = RAINBOW.leave(RAINBOW.leave(table("GG", "OO", "YY"), ALICE), CHARLIE)  # type: ignore[arg-type]
    outcome = RAINBOW.outcome(left)
    assert outcome is not None
    assert (outcome.termination, [*map(int, outcome.points)]) == ("resignation", [0, 1, 0])


def silent_bob(seats: int, silent: int = SILENT) -> Standing[RainbowPosition]:
    """A table whose last deal is over; Bob let so many turns running pass."""
    standing = begin(RAINBOW, {}, seats)
    while RAINBOW.to_move(standing.position) == CHANCE:
        [outcome, *_others] = RAINBOW.chance(standing.position)
        standing = step(RAINBOW, standing, Entry(standing.number + 1, kinds.CHANCE_FELL, None, outcome[0]))
    return replace(standing, position=standing.position._replace(silent=(0, silent, *(0,) * (seats - 2))))


def said(standing: Standing[RainbowPosition], kind: str, seat: int, text: str) -> Standing[RainbowPosition]:
    return step(RAINBOW, standing, Entry(standing.number + 1, kind, seat, text))


def test_who_was_silent_for_three_turns_is_removed_when_all_the_others_agree() -> None:
    table = silent_bob(4)
    asked = said(table, kinds.PROPOSE, ALICE, "remove 1")
    assert must_answer(asked, asked.proposals[0]) == {2, 3}
    waiting = said(asked, kinds.AGREE, CHARLIE, str(asked.number))
    removed = said(waiting, kinds.AGREE, 3, str(asked.number))
    assert (removed.left, removed.position.out, removed.position.hands[BOB], removed.proposals) == (frozenset({1}), (1,), "", ())
    assert removed.outcome is None


def test_of_two_the_other_goes_on_alone_and_wins() -> None:
    removed = said(silent_bob(2), kinds.PROPOSE, ALICE, "remove 1")
    assert removed.outcome is not None
    assert [*map(int, removed.outcome.points)] == [1, 0]


def test_nobody_is_removed_who_is_not_silent_and_nobody_removes_themselves() -> None:
    for laid, seat, asked in (
        (silent_bob(4, silent=2), ALICE, "remove 1"),
        (silent_bob(4), BOB, "remove 1"),
        (silent_bob(4), ALICE, "remove 2"),
        (silent_bob(4), ALICE, "remove 01"),
    ):
        with pytest.raises(BrokenLog, match="cannot be proposed"):
            said(laid, kinds.PROPOSE, seat, asked)


def test_a_removal_lapses_when_its_target_acts() -> None:
    asked = said(silent_bob(4), kinds.PROPOSE, ALICE, "remove 1")
    heard: Any = replace(asked, position=asked.position._replace(mover=BOB, hands=("GG", "OO", "YY", "VV")))
    assert said(heard, kinds.MOVE, BOB, "pass").proposals == ()
    late = step(RAINBOW, heard, Entry(heard.number + 1, kinds.TIMEOUT, BOB))
    assert late.proposals == asked.proposals


# -- what is typed -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("offer G", "offer G"),
        ("OFFER g", "offer G"),
        ("offer green", "offer G"),
        ("предложить З", "offer G"),
        ("предложить зелёную", "offer G"),
        ("teklif yeşil", "offer G"),
        ("offer С", "offer B"),
        ("offer C", "offer C"),
        ("предложить голубую", "offer C"),
        ("offer light blue", "offer C"),
        ("пас", "pass"),
        (" pass ", "pass"),
    ],
)
def test_moves_are_typed_in_letters_and_words_of_three_languages(typed: str, move: str) -> None:
    assert RAINBOW.canonical(table("GCB", "OO"), typed) == move


@pytest.mark.parametrize("typed", ["", "G", "offer", "offer X", "accept G", "pour", "pass G", "give G", "offer G G", "3"])
def test_what_is_no_move_is_told_to_be_none(typed: str) -> None:
    refusal = IllegalMove if typed == "G" else InvalidNotation
    with pytest.raises(refusal):
        RAINBOW.play(table("GCB", "OO"), typed)


@pytest.mark.parametrize(
    "wrong",
    [
        {"hands": ["R"] * 2},
        {"hands": ["X", ""]},
        {"mover": 5},
        {"offer": "R"},
        {"rainbows": [0]},
        {"out": [0, 1]},
        {"out": [1]},
        {"drawing": True, "mover": None},
        {"turn": 0},
        {"silent": [0]},
    ],
    ids=str,
)
def test_what_no_game_comes_to_is_no_position(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadPosition):
        RAINBOW.load({**RAINBOW.dump(table("GG", "OO")), **wrong})
