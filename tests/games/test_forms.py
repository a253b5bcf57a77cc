"""The challenge form: its fields follow from the facts of the ruleset, and what it gives are terms."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.models import Player
from games import timing
from games.forms import ChallengeForm, new_key
from games.rules.ruleset import AnyRuleset
from games.services.terms import Terms
from tests.factories import PlayerFactory
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db

FILLED = {"option_end": "playout", "reflection": "120", "begins": "lot", "public": "on", "key": "k", "opponent": ""}


def form(challenger: Player, ruleset: str = "mangala", **change: str) -> ChallengeForm:
    return ChallengeForm({**FILLED, **change}, ruleset=ruleset, challenger=challenger)


def test_what_is_filled_in_becomes_terms(alice: Player) -> None:
    filled = form(alice)
    assert filled.is_valid(), filled.errors
    assert filled.terms() == Terms(
        ruleset="mangala", options={"end": "playout"}, seats=2, reflection=timedelta(minutes=2), begins="lot", public=True
    )


def test_a_game_of_two_does_not_ask_how_many_play(alice: Player) -> None:
    assert "seats" not in form(alice).fields


def test_a_ruleset_of_other_sizes_and_options_brings_its_own_fields(alice: Player, toy: AnyRuleset) -> None:
    filled = form(alice, "toy", option_rounds="3", seats="4")
    assert filled.is_valid(), filled.errors
    assert (filled.terms().seats, filled.terms().options) == (4, {"rounds": 3})
    for seats in ("1", "5", "", "two"):
        assert "seats" in form(alice, "toy", option_rounds="3", seats=seats).errors


def test_time_for_each_turn_goes_from_two_minutes_to_thirty_days(alice: Player) -> None:
    lengths = [timedelta(seconds=int(seconds)) for seconds, _title in ChallengeForm(ruleset="mangala", challenger=alice).lengths]
    assert (lengths[0], lengths[-1]) == (timing.SHORTEST, timing.LONGEST)
    assert lengths == sorted(lengths)


def test_an_opponent_is_named_in_any_case(alice: Player) -> None:
    masha = PlayerFactory.create(display_name="Мария Ивановна")
    named = form(alice, opponent=" мария ивановна ")
    assert named.is_valid(), named.errors
    assert named.cleaned_data["opponent"] == masha


@pytest.mark.parametrize(("name", "told"), [("Nobody", "no player of this name"), ("aLICE", "cannot challenge yourself")])
def test_an_opponent_who_cannot_be_is_refused(alice: Player, name: str, told: str) -> None:
    assert told in str(form(alice, opponent=name).errors["opponent"])


@pytest.mark.parametrize("address", ["dan@example.org", " Dan@Example.ORG "])
def test_what_has_an_at_sign_is_an_address(alice: Player, address: str) -> None:
    filled = form(alice, opponent=address)
    assert filled.is_valid(), filled.errors
    assert (filled.cleaned_data["opponent"], filled.cleaned_data["address"]) == (None, "dan@example.org")


@pytest.mark.parametrize(
    "address", ["@", "dan@", "a@b@c.de", "dan@example.org\r\nBcc: all@example.org", f"{'a' * 64}@{'b.' * 120}org"]
)
def test_a_bad_address_is_told_at_its_field(alice: Player, address: str) -> None:
    assert "opponent" in form(alice, opponent=address).errors


def test_each_form_has_a_key_of_its_own(alice: Player) -> None:
    assert new_key() != new_key()
    assert ChallengeForm(ruleset="mangala", challenger=alice)["key"].value() != form(alice)["key"].value()
    assert "key" in form(alice, key="").errors


def test_radio_buttons_are_grouped_under_a_legend(alice: Player) -> None:
    html = ChallengeForm(ruleset="mangala", challenger=alice).as_div()
    assert html.count("<fieldset") == html.count("<legend") == 2


def test_another_game_is_chosen_by_a_link_and_keeps_what_was_filled_in(alice: Player) -> None:
    client = of(alice)
    shown = page(client, "challenge_new", opponent="Bob")
    assert 'id="kind-mangala" href="?game=mangala&amp;opponent=Bob" aria-current="true"' in shown
    assert 'href="?game=bridgit&amp;opponent=Bob"' in shown
    assert 'action="/challenges/new/?game=bridgit"' in page(client, "challenge_new", game="bridgit")
    filled = {"game": "oware", "opponent": "Bob", "reflection": "120", "begins": "challenger"}
    answer = client.get(reverse("games:challenge_new"), filled, headers={"HX-Request": "true"})
    part = answer.content.decode()
    assert answer.headers["HX-Replace-Url"] == "/challenges/new/?game=oware"
    assert "HX-Request" in answer.headers["Vary"]
    assert part.lstrip().startswith('<div id="challenge"')
    assert "option_grand_slam" in part
    assert 'value="Bob"' in part
    assert '<option value="120" selected>' in part
    assert re.search(r'value="challenger"[^>]* checked', part)
    assert not re.search(r'name="public"[^>]* checked', part), "the box was not ticked"
