"""Limits: how often one player, and one network address, may do what others have to put up with."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.core import context
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from accounts.limits import limited
from accounts.models import Player
from notifications.models import Letter
from tests.accounts.visitors import somebody
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


def ask(player: Any, address: str = "192.0.2.1", method: str = "POST") -> bool:
    request = RequestFactory().generic(method, "/", REMOTE_ADDR=address)
    request.user = player
    with context.request_context(request):
        return limited(request, "report")


def test_a_player_may_report_ten_times_an_hour_wherever_from(alice: Player, bob: Player) -> None:
    assert [ask(alice, f"192.0.2.{number}") for number in range(11)] == [False] * 10 + [True]
    assert not ask(bob)


def test_one_address_with_many_players_is_limited_too(alice: Player, bob: Player, charlie: Player, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"report": "10/h/user,2/h/ip"}
    assert [ask(player) for player in (alice, bob, charlie)] == [False, False, True]
    assert not ask(charlie, "192.0.2.2")


def test_looking_is_not_counted(alice: Player) -> None:
    assert not any(ask(alice, method="GET") for _ in range(20))
    assert not ask(alice)


def test_an_action_without_a_rate_and_a_stranger_are_mistakes_of_ours(alice: Player) -> None:
    request = RequestFactory().post("/")
    request.user = alice
    with pytest.raises(KeyError):
        limited(request, "typo")  # type: ignore[arg-type]
    with pytest.raises(ImproperlyConfigured):
        ask(AnonymousUser())


def wrong_login(address: str, forged: str = "") -> Any:
    headers = {"x-forwarded-for": forged} if forged else {}
    form = {"login": address, "password": "wrong horse battery"}
    return Client(headers=headers).post(reverse("account_login"), form)


def too_many(answer: Any) -> bool:
    return answer.status_code == 429 or "Too many failed login attempts" in answer.content.decode()


def test_S8_a_forged_forwarded_address_does_not_lift_the_limit() -> None:
    answers = [wrong_login(f"somebody{number}@example.org", f"198.51.100.{number}") for number in range(12)]
    assert not too_many(answers[0])
    assert too_many(answers[-1])


def test_S8_behind_one_proxy_what_it_wrote_counts_and_what_the_client_forged_does_not(settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    forged = [wrong_login(f"somebody{number}@example.org", f"203.0.113.{number}, 198.51.100.7") for number in range(12)]
    assert too_many(forged[-1])
    assert not too_many(wrong_login("other@example.org", "198.51.100.7, 198.51.100.8"))


def test_the_password_of_one_account_is_not_guessed_from_many_addresses() -> None:
    bob = somebody("Bob")
    answers = []
    for number in range(6):
        client = Client(REMOTE_ADDR=f"198.51.100.{number}")
        answers.append(client.post(reverse("account_login"), {"login": bob.email, "password": "wrong horse battery"}))
    assert too_many(answers[-1])
    assert too_many(Client().post(reverse("account_login"), {"login": bob.email, "password": PASSWORD}))


@pytest.mark.parametrize("page", ["account_signup", "account_reset_password", "account_request_login_code"])
def test_sign_up_reset_and_codes_are_limited_and_the_page_says_so(page: str) -> None:
    for number in range(21):
        form = {
            "email": f"zoe{number}@example.org",
            "display_name": f"Zoe {number}",
            "password1": PASSWORD,
            "password2": PASSWORD,
        }
        answer = Client().post(reverse(page), form)
    assert "Too m" in answer.content.decode()


@pytest.mark.parametrize("page", ["account_reset_password", "account_request_login_code"])
def test_nobodys_mailbox_is_flooded_by_those_who_type_the_address(page: str) -> None:
    bob = somebody("Bob")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for number in range(30):
            clock.shift(timedelta(minutes=1))
            Client(REMOTE_ADDR=f"198.51.100.{number}").post(reverse(page), {"email": bob.email})
    assert Letter.objects.count() == 10
