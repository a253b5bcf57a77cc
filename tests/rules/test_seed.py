"""Seeds: what falls by one, how evenly, and that it never shows itself."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from hmac import digest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.seed import Seed, covering

SEED = Seed(bytes(range(32)))
seeds = st.binary(min_size=32, max_size=32).map(Seed)


def test_the_fingerprint_and_a_ticket_are_what_anybody_calculates_by_the_description() -> None:
    key = bytes(range(32))
    assert SEED.fingerprint(17) == sha256(b"perepiska 1 17 " + key).hexdigest()
    block = int.from_bytes(digest(key, b"perepiska 1 17 draw 3 0", "sha256"), "big")
    assert SEED.ticket(17, "draw", 3, 63) == block % 63


def test_what_falls_never_changes_for_games_that_were_played() -> None:
    assert SEED.fingerprint(1) == "289dbbc182e8b81653713beb4cc5df52a47f2eae0418f33ef88c071177726d80"
    assert [SEED.ticket(1, "draw", number, 6) for number in range(1, 9)] == [4, 1, 0, 5, 1, 0, 5, 0]
    assert "".join(SEED.lot(1, "ABCDE")) == "ACEDB"


def test_a_block_that_would_favour_some_tickets_is_passed_over() -> None:
    """With 2^255 + 1 tickets nearly half of all blocks are."""
    tickets = (1 << 255) + 1
    passed = 0
    for number in range(60):
        ticket = SEED.ticket(1, "draw", number, tickets)
        first = int.from_bytes(digest(bytes(range(32)), f"perepiska 1 1 draw {number} 0".encode(), "sha256"), "big")
        assert 0 <= ticket < tickets
        passed += first >= tickets
        assert (ticket == first) == (first < tickets)
    assert 15 < passed < 45


def test_outcomes_fall_as_often_as_their_weights_say() -> None:
    outcomes = [("R", 1), ("O", 0), ("Y", 2), ("G", 3)]
    fell = Counter(SEED.draw(1, number, outcomes) for number in range(1, 6001))
    assert fell["O"] == 0
    for outcome, weight in outcomes:
        assert abs(fell[outcome] - 1000 * weight) < 150


def test_each_order_of_three_is_as_likely_as_any_other() -> None:
    orders = Counter("".join(Seed(number.to_bytes(32, "big")).lot(1, "ABC")) for number in range(3000))
    assert len(orders) == 6
    assert all(abs(times - 500) < 100 for times in orders.values())


@given(seeds, st.integers(1, 10**18), st.integers(1, 500), st.lists(st.integers(0, 50), min_size=1, max_size=8))
def test_what_falls_is_one_of_the_outcomes_that_have_a_weight(seed: Seed, game: int, number: int, weights: list[int]) -> None:
    outcomes = [(str(place), weight) for place, weight in enumerate(weights)]
    if not any(weights):
        with pytest.raises(ValueError, match="nothing to draw"):
            seed.draw(game, number, outcomes)
    else:
        assert dict(outcomes)[seed.draw(game, number, outcomes)] > 0


def test_games_draws_and_lots_of_one_seed_have_nothing_to_do_with_each_other() -> None:
    asked = [(1, "draw", 1), (1, "draw", 2), (2, "draw", 1), (1, "lot", 1), (11, "draw", 1), (1, "draw", 11)]
    assert len({SEED.ticket(*one, 1 << 200) for one in asked}) == len(asked)


def test_no_text_of_a_seed_tells_it() -> None:
    for text in (repr(SEED), str(SEED), f"{SEED}", repr([SEED]), repr({"seed": SEED})):
        assert SEED.revealed()[:8] not in text
        assert repr(bytes(range(32)))[2:12] not in text


def test_a_seed_that_was_revealed_is_read_back() -> None:
    assert Seed.from_text(SEED.revealed()).fingerprint(5) == SEED.fingerprint(5)


@pytest.mark.parametrize("text", ["", "00", "0" * 63, "0" * 65, "0" * 63 + "g", "A" * 64, " " + "0" * 63, "0" * 64 + "\n"])
def test_what_is_no_seed_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="64 digits"):
        Seed.from_text(text)


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33)])
def test_a_seed_has_256_bits(key: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Seed(key)


def test_a_ticket_beyond_all_outcomes_is_none() -> None:
    with pytest.raises(ValueError, match="no such ticket"):
        covering(3, [("R", 1), ("O", 2)])
