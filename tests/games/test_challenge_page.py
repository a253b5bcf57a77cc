"""The page of a challenge that waits: it follows what becomes of it, and hands out nothing that is known already."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games.models import Challenge, Game
from games.services import challenge as challenges
from tests.factories import ChallengeFactory
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db


def asked(client: Client, one: Challenge, seen: str = "") -> Any:
    """What the script of the page gets that has seen this ETag."""
    headers = {"HX-Request": "true"} | ({"If-None-Match": seen} if seen else {})
    return client.get(reverse("games:challenge", args=[one.pk]), headers=headers)


def test_nothing_comes_while_nothing_has_happened(alice: Player) -> None:
    one, client = ChallengeFactory.create(challenger=alice), of(alice)
    first = asked(client, one)
    assert first.content.decode().count('id="challenge"') == 1
    assert "<body" not in first.content.decode()
    again = asked(client, one, first["ETag"])
    assert (again.status_code, again.content) == (304, b"")


def test_who_waits_sees_that_the_game_began_and_comes_there_by_a_link(alice: Player, bob: Player) -> None:
    one, client = ChallengeFactory.create(challenger=alice), of(alice)
    shown = page(client, "challenge", one.pk)
    assert 'data-every="5"' in shown
    assert "anyone" in shown
    seen = asked(client, one)["ETag"]
    challenges.accept_challenge(challenge_id=one.pk, player=bob)
    news = asked(client, one, seen).content.decode()
    assert "The game begins." in news
    assert f'href="{reverse("games:game", args=[Game.objects.get().pk])}"' in news
    assert "<dd><bdi>Bob</bdi></dd>" in news, "whoever accepted what anyone might"
    assert "data-every" not in news, "there is nothing more to wait for"


def test_who_waits_sees_that_the_other_declined(alice: Player, bob: Player) -> None:
    one, client = ChallengeFactory.create(challenger=alice, opponent=bob), of(alice)
    seen = asked(client, one)["ETag"]
    challenges.decline_challenge(challenge_id=one.pk, player=bob)
    news = asked(client, one, seen)
    assert news.status_code == 200
    assert "Withdraw" not in news.content.decode()


def test_another_language_is_another_page(alice: Player) -> None:
    one, client = ChallengeFactory.create(challenger=alice), of(alice)
    seen = asked(client, one)["ETag"]
    client.cookies["django_language"] = "tr"
    assert asked(client, one, seen).status_code == 200


def test_a_form_sent_before_with_another_choice_may_be_sent_again(alice: Player) -> None:
    """Back in the browser brings the old form, another choice is made in it: that is told, and not for ever in the way."""
    client, url = of(alice), f"{reverse('games:challenge_new')}?game=mangala"
    sent = {"option_end": "first25", "reflection": "86400", "begins": "opponent", "opponent": "", "computer": "1", "key": "k"}
    for where, first, then in (
        (url, sent, {**sent, "computer": "2"}),
        (reverse("games:computer"), {"game": "oware", "level": "1", "key": "l"}, {"game": "oware", "level": "2", "key": "l"}),
    ):
        assert client.post(where, first).status_code == 302
        refused = client.post(where, then)
        told = refused.content.decode()
        assert refused.status_code == 409
        assert "You have sent this form before" in told
        assert "present position" not in told
        key = told.partition('name="key" value="')[2].partition('"')[0]
        assert client.post(where, {**then, "key": key}).status_code == 302
    assert Game.objects.count() == 4
