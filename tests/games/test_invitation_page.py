"""The page that the link of an invitation opens: who may do what there, and what others find."""

from __future__ import annotations

import logging
import re
from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.services import blocks
from config.logs import Masked
from games.models import Challenge, Game
from games.services import challenge as challenges
from games.services import invitation as invitations
from games.services.errors import Gone, NotAllowed
from notifications import addresses
from notifications.models import Refusal
from tests.factories import EmailAddressFactory
from tests.games.postbag import DAN, invite, link, path_in, sent, text
from tests.games.visits import body, of, page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_guesses_yet() -> None:
    cache.clear()


def press(client: Client, path: str, act: str, status: int = 200) -> str:
    response = client.post(path, {"act": act})
    assert response.status_code == status, response.content.decode()
    return body(response)


def test_L1_L3_looking_changes_nothing_sets_no_cookie_and_opens_no_session(alice: Player) -> None:
    path = link(alice)
    for _ in range(2):
        client = Client()
        for ask in (client.get, client.head):
            response = ask(path)
            assert response.status_code == 200
            assert not response.cookies
            assert "no-store" in response["Cache-Control"]
            assert response["Referrer-Policy"] == "same-origin"
        assert client.options(path).status_code == 405
    shown = Client().get(path).content.decode()
    assert "Alice invites you to a game: Mangala" in shown
    assert "http" not in re.sub(r'href="/[^"]*"', "", shown).replace("https", "http").replace("http-equiv", "")
    assert Challenge.objects.get().state == Challenge.State.OPEN


def test_a_player_who_has_logged_in_accepts_as_himself_and_L4_twice_is_once(alice: Player, bob: Player) -> None:
    path, client = link(alice), of(bob)
    assert "Accept as Bob" in client.get(path).content.decode()
    answers = {client.post(path, {"act": "accept"})["Location"] for _ in range(2)}
    game = Game.objects.get()
    assert answers == {reverse("games:game", args=[game.pk])}
    assert [seat.player for seat in game.seat_set.all()] == [alice, bob]
    assert "You accepted this invitation." in client.get(path).content.decode()


def test_a_forwarded_link_is_good_for_one_player(alice: Player, bob: Player, charlie: Player) -> None:
    path = link(alice)
    of(bob).post(path, {"act": "accept"})
    assert "was accepted" in of(charlie).get(path).content.decode()
    assert "no longer open" in press(of(charlie), path, "accept", status=409)
    assert Game.objects.count() == 1


def test_L7_the_challenger_is_told_that_it_is_his_own(alice: Player) -> None:
    path = link(alice)
    assert "This is your own invitation" in of(alice).get(path).content.decode()
    press(of(alice), path, "accept", status=403)
    press(of(alice), path, "decline", status=403)
    press(of(alice), path, "refuse", status=403)
    assert Challenge.objects.get().state == Challenge.State.OPEN
    assert not Refusal.objects.exists()


def test_F40_a_no_is_told_to_the_challenger_once(alice: Player) -> None:
    path = link(alice)
    answers = {press(Client(), path, "decline") for _ in range(2)}
    assert len(answers) == 1
    assert "was declined" in answers.pop()
    [letter] = sent()
    assert letter["To"] == alice.email
    assert f"your challenge was declined by {DAN}" in text(letter)
    assert addresses.is_refused(DAN) is False


def test_one_press_refuses_for_good(alice: Player, bob: Player) -> None:
    path = link(alice)
    assert len({press(Client(), path, "refuse") for _ in range(2)}) == 1
    assert "Nobody will invite this address again." in Client().get(path).content.decode()
    assert Refusal.objects.get().address == DAN
    assert [one["To"] for one in sent()] == [alice.email]
    invite(bob, "Dan@example.org")
    assert sent() == []


def test_who_said_no_may_still_refuse_for_good(alice: Player) -> None:
    path = link(alice)
    assert "Never invite this address again" in press(Client(), path, "decline")
    press(Client(), path, "refuse")
    assert addresses.is_refused(DAN)


@pytest.mark.parametrize("act", ["accept", "", "withdraw", "x" * 5000])
def test_a_press_that_makes_no_sense_says_so(alice: Player, act: str) -> None:
    assert "Please press one of the buttons." in press(Client(), link(alice), act, status=400)


def test_L12_an_invitation_that_was_taken_back_is_a_friendly_page(alice: Player, bob: Player) -> None:
    path = link(alice)
    challenges.withdraw_all(player=alice)
    assert "was taken back" in Client().get(path).content.decode()
    assert "no longer open" in press(Client(), path, "decline", status=409)
    assert "no longer open" in press(of(bob), path, "accept", status=409)
    press(Client(), path, "refuse", status=409)
    press(Client(), path, "sign up")
    assert not Refusal.objects.exists()


def test_S2_unknown_and_expired_tokens_look_the_same(alice: Player) -> None:
    path = link(alice)
    unknown = Client().get(reverse("games:invitation", args=["0" * 40]))
    assert unknown.status_code == 404
    for token in ("x", "0" * 5000, "%00", "ё"):
        assert body(Client().get(f"/invitations/{token}/")) == body(unknown)
    with time_machine.travel(timezone.now() + timedelta(days=14)):
        expired = Client().get(path)
        assert (expired.status_code, body(expired)) == (404, body(unknown))
        for act in ("accept", "decline", "refuse", "sign up"):
            assert press(Client(), path, act, status=404) == body(unknown)
    assert Challenge.objects.get().state == Challenge.State.OPEN


def test_S2_guessing_is_limited_by_whatever_method(alice: Player) -> None:
    path = link(alice)
    codes = []
    for number in range(20):
        guess = reverse("games:invitation", args=[f"{number:040x}"])
        codes += [Client().get(guess).status_code, Client().post(guess, {"act": "decline"}).status_code]
    assert codes == [404] * 30 + [429] * 10
    assert Client().get(path).status_code == 429, "while he has to wait, a right token looks like a wrong one"


def test_S1_a_token_opens_its_own_challenge_alone(alice: Player, bob: Player) -> None:
    to_dan, to_eve = link(alice), link(bob, "eve@example.org")
    press(Client(), to_dan, "decline")
    assert "Bob invites you" in Client().get(to_eve).content.decode()
    assert Challenge.objects.get(challenger=bob).state == Challenge.State.OPEN


def test_blocked_and_suspended_players_are_told_and_take_no_seat(alice: Player, bob: Player, charlie: Player) -> None:
    path = link(alice)
    blocks.block(player=bob, other=alice)
    Player.objects.filter(pk=charlie.pk).update(suspended_at=timezone.now())
    assert "You cannot play with this player." in of(bob).get(path).content.decode()
    assert "suspended" in of(charlie).get(path).content.decode()
    press(of(bob), path, "accept", status=403)
    press(of(charlie), path, "accept", status=403)
    assert not Game.objects.exists()


def test_the_service_knows_no_invitation_that_is_not_there(alice: Player) -> None:
    with pytest.raises(Gone):
        invitations.decline_invitation(invitation_id=12345)
    made = invite(alice)
    with pytest.raises(NotAllowed):
        invitations.accept_invitation(invitation_id=made.invitations.get().pk, player=alice)


def test_L9_no_token_comes_into_a_log(alice: Player) -> None:
    token = link(alice).split("/")[2]
    line = Masked("%(levelname)s %(message)s")
    try:
        raise ValueError(token)
    except ValueError as problem:
        told = logging.LogRecord(
            "django.request", logging.WARNING, __file__, 1, "Not Found: %s", (f"/invitations/{token}/",),
            (ValueError, problem, problem.__traceback__),
        )  # fmt: skip
    assert token not in line.format(told)
    assert "Not Found: /invitations/…/" in line.format(told)
    assert "config.logs.Masked" in str(settings.LOGGING["formatters"])


# -- by way of an account ------------------------------------------------------------------------------------------------


def sign_up(client: Client, place: str, email: str) -> None:
    form = {
        "email": email, "display_name": "Dan", "password1": "correct horse battery", "password2": "correct horse battery",
    }  # fmt: skip
    response = client.post(place, form)
    assert response.status_code == 302, response.content.decode()


def test_a_stranger_signs_up_confirms_the_address_and_takes_the_seat(alice: Player) -> None:
    path, client = link(alice), Client()
    to_sign_up = client.post(path, {"act": "sign up"})["Location"]
    assert to_sign_up.startswith(reverse("account_signup"))
    assert f'value="{DAN}"' in client.get(to_sign_up).content.decode()
    assert path.split("/")[2] not in str(dict(client.session))
    sign_up(client, to_sign_up, DAN)
    dan = Player.objects.get(email=DAN)
    assert not EmailAddress.objects.get(user=dan).verified
    [letter] = [one for one in sent() if "onfirm" in one["Subject"]]
    assert client.post(path_in(letter)).status_code == 302
    assert "Accept as Dan" in page(client, "invitations")
    taken = client.post(reverse("games:invitations"), follow=True)
    assert "The game begins." in taken.content.decode()
    assert Game.objects.get().seat_set.filter(player=dan).exists()
    page(client, "invitations", status=404)


def test_the_link_speaks_every_language_without_a_cookie(alice: Player) -> None:
    path, client = link(alice), Client()
    assert 'href="?language=ru" lang="ru"' in client.get(path).content.decode()
    told = client.get(f"{path}?language=ru")
    assert 'lang="ru"' in told.content.decode()
    assert not told.cookies
    assert client.get(f"{path}?language=xx").status_code == 200


def test_who_does_not_want_now_puts_the_invitation_aside(alice: Player, bob: Player) -> None:
    path, client = link(alice), of(bob)
    client.logout()
    client.post(path, {"act": "log in"})
    client.force_login(bob)
    assert "while it stands" in client.post(reverse("games:invitations"), {"act": "later"}, follow=True).content.decode()
    assert "An invitation waits" not in page(client, "mine")
    assert not Game.objects.exists()


def test_another_site_cannot_begin_a_session_with_a_link_of_its_own(alice: Player) -> None:
    path, client = link(alice), Client()
    for way in ("sign up", "log in"):
        told = client.post(path, {"act": way}, headers={"sec-fetch-site": "cross-site"})
        assert "Accept with a new account" in told.content.decode()
        assert not told.cookies


def test_a_player_logs_in_on_the_way(alice: Player, bob: Player) -> None:
    EmailAddressFactory.create(user=bob)
    path, client = link(alice), Client()
    to_log_in = client.post(path, {"act": "log in"})["Location"]
    response = client.post(to_log_in, {"login": bob.email, "password": "correct horse battery"})
    assert response["Location"] == reverse("games:invitations")
    assert "An invitation waits for your answer" in page(client, "mine")
    client.post(reverse("games:invitations"))
    assert Game.objects.get().seat_set.filter(player=bob).exists()


def test_the_invitation_is_still_there_after_another_address_was_confirmed(alice: Player) -> None:
    path, client = link(alice), Client()
    client.post(path, {"act": "log in"})
    sign_up(client, reverse("account_signup"), "other@example.org")
    [letter] = sent()
    assert letter["To"] == "other@example.org"
    assert client.post(path_in(letter)).status_code == 302
    assert "An invitation waits for your answer" in page(client, "mine")
    client.post(reverse("games:invitations"))
    assert Game.objects.get().seat_set.filter(player__email="other@example.org").exists()


def test_looking_at_the_remembered_invitation_takes_no_seat_and_a_late_press_is_told(alice: Player, bob: Player) -> None:
    path, client = link(alice), Client()
    client.post(path, {"act": "log in"})
    assert client.get(reverse("games:invitations")).status_code == 302
    client.force_login(bob)
    page(client, "invitations")
    assert not Game.objects.exists()
    challenges.withdraw_all(player=alice)
    assert "no longer open" in page(client, "invitations")
    assert client.post(reverse("games:invitations")).status_code == 409
    page(of(bob), "invitations", status=404)


def test_the_remembered_page_wants_a_form_of_our_own(alice: Player, bob: Player) -> None:
    client = Client(enforce_csrf_checks=True)
    path = link(alice)
    assert client.post(path, {"act": "log in"}).status_code == 302
    client.force_login(bob)
    assert client.post(reverse("games:invitations")).status_code == 403
