"""The shelf of kept texts: bounded, and what was asked for longest ago goes first."""

from __future__ import annotations

from config.shelf import Shelf


def test_what_was_kept_is_found_by_an_equal_key() -> None:
    shelf = Shelf(10)
    shelf.keep((1, "a"), "text")
    assert shelf.find((1, "a")) == "text"
    assert shelf.find((1, "b")) is None


def test_what_was_asked_for_longest_ago_makes_room() -> None:
    shelf = Shelf(10)
    shelf.keep("one", "11111")
    shelf.keep("two", "22222")
    shelf.find("one")
    shelf.keep("three", "333")
    assert (shelf.find("one"), shelf.find("two"), shelf.find("three")) == ("11111", None, "333")
    assert shelf.size == 8


def test_a_text_that_is_kept_anew_counts_once_and_one_too_large_not_at_all() -> None:
    shelf = Shelf(10)
    for _ in range(5):
        shelf.keep("one", "1234")
    assert shelf.size == 4
    shelf.keep("two", "x" * 11)
    assert (shelf.size, shelf.find("two")) == (0, None)


def test_a_cleared_shelf_is_empty() -> None:
    shelf = Shelf(10)
    shelf.keep("one", "1234")
    shelf.clear()
    assert (shelf.size, shelf.find("one")) == (0, None)
