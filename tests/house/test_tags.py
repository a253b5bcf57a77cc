"""What templates remember: nothing of one reader, language or time zone comes to another."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.urls import NoReverseMatch, reverse
from django.utils import timezone, translation
from django.utils.safestring import mark_safe

from games.selectors import Turn

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def shown(text: str, **values: object) -> str:
    return Template(text).render(Context(values))


def line(who: str = "Alice", **values: object) -> str:
    """A line of the log with two plies."""
    turn = Turn(1, who, "4-6", NOON, plies=((3, "4"), (4, "6")))
    told = {"joiner": "-", "step": None} | values
    return shown('{% remembered "games/turn.html" game=7 turn=turn joiner=joiner step=step %}', turn=turn, **told)


def test_a_part_made_of_other_values_is_another() -> None:
    assert "Alice" in line("Alice")
    assert "Bob" in line("Bob")
    assert "aria-current" in line(step=3)
    assert "aria-current" not in line(step=None)


def test_times_are_in_the_zone_and_the_language_of_each_reader() -> None:
    english = line()
    assert "12:00" in english
    with timezone.override("Europe/Istanbul"):
        assert "15:00" in line()
    with translation.override("ru"):
        assert line() != english
    assert line() == english


def test_S5_a_safe_text_does_not_make_an_equal_one_safe() -> None:
    assert "<i>-</i>" in line(joiner=mark_safe("<i>-</i>"))
    assert "&lt;i&gt;-&lt;/i&gt;" in line(joiner="<i>-</i>")


def test_a_part_knows_nothing_of_the_page_around_it() -> None:
    part = '{% remembered "games/turn.html" game=7 turn=turn %}'
    turn = Turn(1, "Alice", "4", NOON, plies=((3, "4"),))
    assert shown(part, turn=turn, step=3) == shown(part, turn=turn)


def test_addresses_are_those_of_django() -> None:
    assert shown("{% url 'games:game' 5 %}{% url 'games:game' pk=5 %}") == 2 * reverse("games:game", args=[5])
    assert shown("{% url 'games:game' number as here %}{{ here }}", number=6) == reverse("games:game", args=[6])
    assert shown("{% url 'nowhere' as here %}[{{ here }}]") == "[]"
    with pytest.raises(NoReverseMatch):
        shown("{% url 'nowhere' %}")
