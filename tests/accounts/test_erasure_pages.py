"""The page on which somebody deletes the account: it says what happens, wants to know who he is, and has one button."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from tests.accounts.visitors import logged_in, proves_it_is_me, somebody
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db

ADDRESS = "/accounts/delete/"


@pytest.fixture
def zoe(db: None) -> Player:
    return somebody("Zoe")


def has_asked(player: Player) -> bool:
    """Whether the player has asked to be forgotten."""
    return Player.objects.filter(pk=player.pk).exclude(leaving_at=None).exists()


def test_I_delete_my_account_by_one_button(zoe: Player) -> None:
    browser = logged_in(zoe)
    proves_it_is_me(browser)
    shown = browser.get(ADDRESS).content.decode()
    assert "Your running games are resigned" in shown
    assert reverse("accounts:export") in shown
    assert not has_asked(zoe), "looking changes nothing"
    answer = browser.post(ADDRESS, follow=True)
    assert answer.redirect_chain[-1][0] == reverse("games:home")
    assert "Your account is closed" in answer.content.decode()
    assert has_asked(zoe)
    assert "_auth_user_id" not in browser.session


def test_whoever_has_not_just_proved_who_he_is_is_asked_and_then_it_is_done(zoe: Player) -> None:
    browser = logged_in(zoe)
    answer = browser.post(ADDRESS)
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert not has_asked(zoe)
    browser.post(answer["Location"], {"password": "a guess", "next": ADDRESS})
    assert not has_asked(zoe)
    answer = browser.post(answer["Location"], {"password": PASSWORD, "next": ADDRESS}, follow=True)
    assert answer.redirect_chain[-1][0] == reverse("games:home")
    assert has_asked(zoe)
    assert "_auth_user_id" not in browser.session


def test_a_visitor_logs_in_first() -> None:
    answer = Client().post(ADDRESS)
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))


def test_it_ends_the_sessions_of_every_browser(zoe: Player) -> None:
    one, other = logged_in(zoe), logged_in(zoe)
    proves_it_is_me(one)
    one.post(ADDRESS)
    for browser in (one, other):
        assert browser.get(reverse("games:mine")).status_code == 302
    assert "_auth_user_id" not in logged_in(zoe).session, "nor does anybody come in again"


def test_the_last_administrator_reads_why_on_the_page() -> None:
    chief = somebody("Mo", is_superuser=True)
    browser = logged_in(chief)
    proves_it_is_me(browser)
    answer = browser.post(ADDRESS)
    assert answer.status_code == 409
    assert "You are the only administrator." in answer.content.decode()
    assert not has_asked(chief)
