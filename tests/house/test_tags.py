"""What templates remember: nothing of one reader, language or time zone comes to another."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from django.template import Context, Template, TemplateSyntaxError
from django.urls import NoReverseMatch, reverse
from django.utils import timezone, translation
from django.utils.safestring import mark_safe

from games.selectors import Turn

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


LINE = Template("{% remembered game=7 turn=turn joiner=joiner step=step %}{% include 'games/turn.html' %}{% endremembered %}")
GREETING = Template("{% remembered name=name %}{{ name.told }}: {% anew %}{{ secret }}{% endanew %}.{% endremembered %}")


def shown(text: str | Template, **values: object) -> str:
    return (text if isinstance(text, Template) else Template(text)).render(Context(values))


def line(who: str = "Alice", **values: object) -> str:
    """A line of the log with two plies."""
    turn = Turn(1, who, "4-6", NOON, plies=((3, "4"), (4, "6")))
    return shown(LINE, turn=turn, **({"joiner": "-", "step": None} | values))


@dataclass(frozen=True)
class Name:
    """A name that notes when it is told."""

    name: str
    times: list[str] = field(default_factory=list, compare=False)

    @property
    def told(self) -> str:
        self.times.append(self.name)
        return self.name


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
    part = Template("{% remembered name=name %}{{ name }}{{ secret }}{% endremembered %}")
    assert shown(part, name="Alice", secret="hers") == shown(part, name="Alice") == "Alice"


def test_a_part_is_made_once_and_what_is_marked_is_made_each_time() -> None:
    alice, again = Name("Alice"), Name("Alice")
    assert shown(GREETING, name=alice, secret=1) == "Alice: 1."
    assert shown(GREETING, name=again, secret="<2>") == "Alice: &lt;2&gt;."
    assert shown(GREETING, name=Name("Bob"), secret=3) == "Bob: 3."
    assert (alice.times, again.times) == (["Alice"], [])


def test_what_is_marked_stays_open_in_a_part_within_a_part() -> None:
    whole = Template(
        "{% remembered name=name %}<{% remembered name=name %}{{ name }}{% anew %}{{ secret }}{% endanew %}{% endremembered %}>"
        "{% endremembered %}"
    )
    assert [shown(whole, name="Alice", secret=number) for number in (1, 2)] == ["<Alice1>", "<Alice2>"]


def test_what_is_marked_is_like_any_other_where_nothing_is_kept() -> None:
    assert shown("{% anew %}{{ secret }}{% endanew %}", secret=1) == "1"


@pytest.mark.parametrize("part", ["{% remembered name %}", "{% remembered name=name %}{% block one %}{% endblock %}"])
def test_a_part_takes_values_by_name_and_has_no_blocks(part: str) -> None:
    with pytest.raises(TemplateSyntaxError):
        Template(part + "{% endremembered %}")


def test_S5_a_token_that_would_be_kept_is_refused() -> None:
    with pytest.raises(TemplateSyntaxError):
        shown("{% remembered name=1 %}{% csrf_token %}{% endremembered %}")
    assert shown("{% remembered name=1 %}{% anew %}{% csrf_token %}{% endanew %}{% endremembered %}") == ""


def test_addresses_are_those_of_django() -> None:
    assert shown("{% url 'games:game' 5 %}{% url 'games:game' pk=5 %}") == 2 * reverse("games:game", args=[5])
    assert shown("{% url 'games:game' number as here %}{{ here }}", number=6) == reverse("games:game", args=[6])
    assert shown("{% url 'nowhere' as here %}[{{ here }}]") == "[]"
    with pytest.raises(NoReverseMatch):
        shown("{% url 'nowhere' %}")
