"""Letters that bounce: the player is told on every page and has a way out, the opponent is told in outline."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import SESSION_KEY
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.services.export import _account
from notifications import bounces, delivery, forgetting
from notifications.models import Bounce, Letter
from tests.accounts.post import delivered, text
from tests.accounts.visitors import logged_in, somebody
from tests.factories import BounceFactory, GameFactory, LetterFactory, play
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db

BANNER = "Letters to your address bounce"


def letters_page(client: Client) -> str:
    return client.get(reverse("accounts:letters")).content.decode()


@pytest.mark.parametrize("name", ["home", "mine", "challenges"])
def test_M20_the_player_is_told_on_every_page_and_nobody_else(name: str, alice: Player, bob: Player) -> None:
    BounceFactory.create(address=bob.email)
    assert BANNER in page(of(bob), name)
    assert BANNER not in page(of(alice), name)
    assert BANNER not in Client().get(reverse(f"games:{name}"), follow=True).content.decode()


def test_my_games_say_so_whether_there_are_any_or_not(alice: Player, bob: Player) -> None:
    GameFactory.create(players=[alice, bob])
    for told in (False, True):
        assert (BANNER in page(of(bob), "mine")) is told
        assert BANNER not in page(of(alice), "mine")
        if not told:
            BounceFactory.create(address=bob.email)


def test_M20_on_the_page_of_a_game_the_opponent_sees_it_in_outline(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    BounceFactory.create(address=bob.email, reason="550 5.1.1 no such user")
    hers, his = page(of(alice), "game", game.pk), page(of(bob), "game", game.pk)
    assert "Letters to Bob bounce" in hers
    assert BANNER not in hers
    assert bob.email not in hers
    assert "no such user" not in hers
    assert BANNER in his
    assert "Letters to Bob" not in his
    for other in (of(charlie), Client()):
        watched = page(other, "game", game.pk)
        assert "bounce" not in watched
    bounces.works(bob.email)
    assert "bounce" not in page(of(alice), "game", game.pk)


def test_a_finished_game_says_nothing_of_letters(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    BounceFactory.create(address=bob.email)
    of(alice).post(reverse("games:resign", args=[game.pk]), {"key": "k", "sure": "1"})
    game.refresh_from_db()
    assert game.ended_at is not None
    assert "Letters to Bob" not in page(of(alice), "game", game.pk)


def test_the_page_of_letters_says_since_when_what_was_missed_and_what_to_do(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    assert "bounce" not in letters_page(of(bob))
    BounceFactory.create(address=bob.email)
    play(game, "1")
    delivery.deliver_waiting()
    assert {one.reason for one in Letter.objects.filter(recipient=bob)} == {bounces.BOUNCES}
    told = letters_page(of(bob))
    assert "1 letter about your games did not reach you" in told
    assert f"<bdi>{bob.email}</bdi>" in told
    assert reverse("account_email") in told
    assert mail.outbox == []


def test_who_says_that_the_address_works_gets_a_letter_and_what_was_missed(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    BounceFactory.create(address=bob.email, returned=True)
    play(game, "1")
    delivery.deliver_waiting()
    answer = of(bob).post(reverse("accounts:letters_again"), follow=True)
    assert "A letter is on its way" in answer.content.decode()
    proof, turn = sorted(delivered(bob.email), key=lambda letter: "Mangala" in str(letter["Subject"]))
    assert proof["Subject"] == "Letters reach you again"
    assert "you asked us to try again" in " ".join(text(proof).split())
    assert "Mangala" in turn["Subject"]
    assert BANNER not in page(of(bob), "mine")


def test_the_button_does_nothing_where_nothing_bounces_nor_by_GET(bob: Player) -> None:
    client = of(bob)
    assert client.post(reverse("accounts:letters_again"), follow=True).status_code == 200
    assert Letter.objects.count() == 0
    BounceFactory.create(address=bob.email)
    client.get(reverse("accounts:letters_again"))
    assert Bounce.objects.count() == 1
    assert Client().post(reverse("accounts:letters_again")).status_code == 302


def test_the_button_may_be_pressed_five_times_an_hour(bob: Player) -> None:
    client = of(bob)
    for _ in range(5):
        BounceFactory.create(address=bob.email)
        client.post(reverse("accounts:letters_again"))
    BounceFactory.create(address=bob.email)
    answer = client.post(reverse("accounts:letters_again"), follow=True)
    assert "You have tried often" in answer.content.decode()
    assert Bounce.objects.exists()


def test_a_code_that_came_by_letter_proves_the_address(client: Client) -> None:
    dora = somebody("Dora")
    BounceFactory.create(address=dora.email, returned=True)
    client.post(reverse("account_request_login_code"), {"email": dora.email})
    [letter] = delivered(dora.email)
    code = re.search(r"^[0-9A-Z]{3,}-?[0-9A-Z]{3,}$", text(letter), re.MULTILINE)
    assert code is not None
    client.post(reverse("account_confirm_login_code"), {"code": code[0]})
    assert client.session.get(SESSION_KEY) == str(dora.pk)
    assert not Bounce.objects.exists()


def test_a_password_proves_nothing() -> None:
    dora = somebody("Dora")
    BounceFactory.create(address=dora.email)
    assert logged_in(dora).session.get(SESSION_KEY) == str(dora.pk)
    assert Bounce.objects.exists()


def test_the_owner_of_a_second_address_is_told_beside_it_that_letters_there_bounce() -> None:
    dora, told = somebody("Dora"), "Letters to this address bounce."
    client = logged_in(dora)
    EmailAddress.objects.create(user=dora, email="second@example.org", verified=False)
    assert told not in client.get(reverse("account_email")).content.decode()
    BounceFactory.create(address="second@example.org", reason="550 5.1.1 no such user")
    shown = client.get(reverse("account_email")).content.decode()
    assert shown.count(told) == 1
    assert told in shown.partition("second@example.org")[2].partition("</li>")[0]
    assert BANNER not in shown, "letters about games arrive"


def test_the_copy_of_my_data_says_since_when(bob: Player) -> None:
    assert _account(bob)["letters_bounce_since"] is None
    mark = BounceFactory.create(address=bob.email, since=timezone.now() - timedelta(days=2))
    assert _account(bob)["letters_bounce_since"] == mark.since


def test_who_is_forgotten_leaves_no_mark(bob: Player) -> None:
    BounceFactory.create(address=bob.email)
    LetterFactory.create(recipient=bob)
    forgetting.forget(player_id=bob.pk, name=bob.display_name, addresses=[bob.email], farewell="", unrepeatable="accounts")
    assert not Bounce.objects.exists()
