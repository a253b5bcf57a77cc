"""The page on which a player chooses letters, and the visit that ends the silence after one."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from notifications.preferences import Wishes, wishes_of
from notifications.topics import Pace
from tests.accounts.test_export import data
from tests.accounts.visitors import somebody
from tests.factories import PreferenceFactory
from tests.games.visits import of

pytestmark = pytest.mark.django_db

PAGE = "/accounts/letters/"


def chosen(**other: str) -> dict[str, Any]:
    """The form as it stands for somebody who chose nothing, with other choices."""
    return {**Wishes().paces, "quiet_from": "", "quiet_until": "", "digest_hour": "8", **other}


def test_a_stranger_is_asked_to_log_in(db: None) -> None:
    assert Client().get(PAGE)["Location"].startswith(reverse("account_login"))


def test_I_see_what_I_get_and_choose_something_else(alice: Player) -> None:
    browser = of(alice)
    said = browser.get(PAGE).content.decode()
    assert said.count("<select") == 9, "five topics, three hours, the language in the footer"
    assert 'aria-current="page">Letters</a>' in said
    answer = browser.post(PAGE, chosen(turns="once", warnings="none", quiet_from="22", quiet_until="7"), follow=True)
    assert "Your settings are saved." in answer.content.decode()
    told = wishes_of(alice.pk)
    assert (told.paces["turns"], told.paces["warnings"], told.paces["ends"]) == (Pace.ONCE, Pace.NONE, Pace.EACH)
    assert (told.quiet_from, told.quiet_until, told.digest_hour) == (22, 7, 8)
    assert '<option value="once" selected>' in browser.get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"quiet_from": "22"}, "Give both hours, or none."),
        ({"quiet_until": "7"}, "Give both hours, or none."),
        ({"quiet_from": "7", "quiet_until": "7"}, "cannot begin and end at the same hour"),
        ({"quiet_from": "22", "quiet_until": "9", "turns": "daily"}, "This is in your quiet hours."),
        ({"warnings": "daily"}, "Select a valid choice"),
        ({"quiet_from": "24", "quiet_until": "7"}, "Select a valid choice"),
        ({"digest_hour": "x"}, "Select a valid choice"),
        ({"turns": "\x00"}, "Select a valid choice"),
    ],
)
def test_what_makes_no_sense_is_refused_beside_its_field(alice: Player, given: dict[str, str], told: str) -> None:
    answer = of(alice).post(PAGE, chosen(**given))
    assert answer.status_code == 400
    assert told in answer.content.decode()
    assert wishes_of(alice.pk) == Wishes()


def test_hours_are_told_with_their_zone(alice: Player) -> None:
    alice.time_zone = "America/New_York"
    alice.save()
    assert "America/New York" in of(alice).get(PAGE).content.decode()


def test_a_new_zone_moves_the_daily_letter(alice: Player) -> None:
    before = PreferenceFactory.create(player=alice, turns=Pace.DAILY)
    settings = {"display_name": alice.display_name, "language": "en", "time_zone": "Asia/Kolkata"}
    of(alice).post(reverse("accounts:settings"), settings)
    moved = before.digest_at
    before.refresh_from_db()
    assert before.digest_at != moved
    assert before.digest_at is not None
    assert (before.digest_at.hour, before.digest_at.minute) == (2, 30)


def test_S12_my_choice_is_in_my_data() -> None:
    zenobia = somebody("Zenobia")
    PreferenceFactory.create(player=zenobia, turns=Pace.NONE, quiet_from=22, quiet_until=7)
    told = data(of(zenobia).post(reverse("accounts:export")).content, "player.json")["letters"]
    assert (told["paces"]["turns"], told["quiet_from"], told["quiet_until"]) == ("none", 22, 7)


# -- visits --------------------------------------------------------------------------------------------------------------


def silent(player: Player) -> bool:
    player.refresh_from_db()
    return player.told_at is not None


@pytest.fixture
def told(alice: Player) -> Player:
    """Alice, to whom a letter went that waits for a visit."""
    alice.told_at = timezone.now()
    alice.save()
    return alice


def test_N18_any_page_that_I_see_is_a_visit(told: Player) -> None:
    of(told).get(reverse("games:challenges"))
    assert not silent(told)


def test_what_a_browser_fetches_in_advance_and_HEAD_are_no_visits(told: Player) -> None:
    browser = of(told)
    browser.head(reverse("games:home"))
    browser.get(reverse("games:home"), headers={"sec-purpose": "prefetch;prerender"})
    browser.get(reverse("games:home"), headers={"purpose": "prefetch"})
    Client().get(reverse("games:home"))
    assert silent(told)


def test_a_visit_is_written_once_for_a_letter(told: Player) -> None:
    browser = of(told)
    browser.get(reverse("games:home"))
    with CaptureQueriesContext(connection) as captured:
        browser.get(reverse("games:home"))
    assert not [one["sql"] for one in captured if one["sql"].startswith("UPDATE")]
