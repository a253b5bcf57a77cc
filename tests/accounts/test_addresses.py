"""Addresses: those that a header could misread are refused wherever one is typed."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts.addresses import validate_address
from notifications.models import Letter
from tests.accounts.visitors import logged_in, proves_it_is_me, somebody
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db

TREACHEROUS = [
    '"\x0bSubject:\\ Hi\x0bX:y"@evil.org',
    '"a\x0bb"@evil.org',
    '"x, victim@other.com"@example.org',
    "=?utf-8?q?victim=40other.com=3e?=@example.org",
    "Ёжик@example.org",
]


@pytest.mark.parametrize("address", ["alice@example.org", "o'neill+games.2@mail.example.org", "a=b@example.org", "a@пример.рф"])
def test_addresses_of_people_are_taken(address: str) -> None:
    validate_address(address)


@pytest.mark.parametrize("address", [*TREACHEROUS, "", "no", "a b@example.org", "a@b@example.org", "a@example.org\n"])
def test_addresses_that_a_header_could_misread_are_refused(address: str) -> None:
    with pytest.raises(ValidationError):
        validate_address(address)


@pytest.mark.parametrize("page", ["account_signup", "account_reset_password", "account_request_login_code", "account_email"])
@pytest.mark.parametrize("address", TREACHEROUS)
def test_no_page_of_accounts_writes_to_an_address_that_a_header_could_misread(page: str, address: str) -> None:
    client = Client()
    if page == "account_email":
        client = logged_in(somebody("Bob"))
        proves_it_is_me(client)
    form = {"email": address, "display_name": "Zoë", "password1": PASSWORD, "password2": PASSWORD, "action_add": ""}
    answer = client.post(reverse(page), form)
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert not Letter.objects.exists()


@pytest.mark.parametrize("address", TREACHEROUS)
def test_nobody_is_invited_at_an_address_that_a_header_could_misread(address: str) -> None:
    client: Any = logged_in(somebody("Bob"))
    answer = client.post(reverse("games:challenge_new"), {"opponent": address, "reflection": 86400, "begins": "lot", "key": "k"})
    assert answer.status_code == 400
    assert "opponent" in answer.context["form"].errors
    assert not Letter.objects.exists()


@pytest.mark.parametrize("address", ["\x00", "bob@example.org\x00", "x" * 10_000, ""])
@pytest.mark.parametrize("action", ["action_primary", "action_send", "action_remove"])
def test_what_no_database_can_hold_is_no_address_of_mine(action: str, address: str) -> None:
    client = logged_in(somebody("Bob"))
    proves_it_is_me(client)
    answer = client.post(reverse("account_email"), {"email": address, action: ""}, follow=True)
    assert answer.status_code == 200
    assert not Letter.objects.exists()
