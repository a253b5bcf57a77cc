"""The pages of an account: what they offer does something, and none of them is a dead end."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.templatetags.browsers import browser
from tests.accounts.post import delivered, link
from tests.accounts.visitors import logged_in, proves_it_is_me, somebody, with_app
from tests.factories import PASSWORD, EmailAddressFactory

pytestmark = pytest.mark.django_db

LOG_IN = 'href="/accounts/login/"'


@pytest.fixture
def bob(db: None) -> Client:
    """Bob's browser; he has just shown that it is him."""
    here = logged_in(somebody("Bob"))
    proves_it_is_me(here)
    return here


def seen(client: Client, name: str, *args: Any) -> str:
    return client.get(reverse(name, args=args), follow=True).content.decode()


def test_an_only_address_has_no_buttons_and_others_have_those_that_do_something(bob: Client) -> None:
    html = seen(bob, "account_email")
    assert not any(f"action_{act}" in html for act in ("primary", "send", "remove"))
    player = somebody("Alice")
    EmailAddressFactory.create(user=player, email="second@example.org", primary=False)
    html = seen(logged_in(player), "account_email")
    assert [html.count(f"action_{act}") for act in ("primary", "send", "remove")] == [1, 0, 1]
    EmailAddressFactory.create(user=player, email="third@example.org", primary=False, verified=False)
    html = seen(logged_in(player), "account_email")
    assert [html.count(f"action_{act}") for act in ("primary", "send", "remove")] == [1, 1, 2]


@pytest.mark.parametrize("act", ["primary", "send"])
def test_what_is_done_already_brings_no_letter(bob: Client, act: str) -> None:
    answer = bob.post(reverse("account_email"), {f"action_{act}": "", "email": "Bob@example.org"})
    assert answer.headers["location"] == reverse("account_email")
    assert delivered() == []


def confirmation() -> tuple[Client, str]:
    """The browser in which Zoë signed up, and the link that she was sent."""
    client = Client()
    form = {"email": "zoe@example.org", "display_name": "Zoë", "password1": PASSWORD, "password2": PASSWORD}
    client.post(reverse("account_signup"), form)
    return client, link(delivered("zoe@example.org")[-1])


def test_a_link_that_was_used_says_that_the_address_is_confirmed_and_leads_to_the_login() -> None:
    client, path = confirmation()
    client.post(path)
    for visit in (Client().get, Client().post):
        answer = visit(path)
        html = answer.content.decode()
        assert answer.status_code == 200
        assert "This address is confirmed already" in html
        assert LOG_IN in html
    assert 'href="/accounts/email/"' in client.get(path).content.decode()


@pytest.mark.parametrize("damage", [lambda path: path[:-3] + "/", lambda _path: "/accounts/confirm-email/nonsense/"])
def test_a_damaged_link_says_so_and_leads_to_the_login_and_to_a_code(damage: Any) -> None:
    client, path = confirmation()
    html = Client().get(damage(path)).content.decode()
    assert "This link has run out or is not complete" in html
    assert LOG_IN in html
    assert f'href="{reverse("account_request_login_code")}"' in html
    client.post(path)
    assert 'href="/accounts/email/"' in client.get(damage(path)).content.decode()


def test_a_used_reset_link_says_so_in_our_words_and_a_changed_password_leads_to_the_login() -> None:
    bob = somebody("Bob")
    Client().post(reverse("account_reset_password"), {"email": bob.email})
    path = link(delivered(bob.email)[-1])
    client = Client()
    form = client.get(path, follow=True).redirect_chain[-1][0]
    new = "another long horse"
    done = client.post(form, {"password1": new, "password2": new}, follow=True).content.decode()
    assert "Your password was changed" in done
    assert f'<a class="button" {LOG_IN}' in done
    again = Client().get(path, follow=True).content.decode()
    assert "Bad Token" not in again
    assert "This link is no longer good" in again
    assert f'<a class="button" href="{reverse("account_reset_password")}"' in again


def test_a_closed_account_is_called_so_and_the_page_leads_on() -> None:
    html = seen(Client(), "account_inactive")
    assert "This account is closed" in html
    assert f'<a class="button quiet" {LOG_IN}' in html


@pytest.mark.parametrize("name", ["account_reset_password", "account_reset_password_done"])
def test_nobody_is_told_to_contact_anybody(name: str) -> None:
    assert "ontact us" not in seen(Client(), name)


@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_reset_password", "account_request_login_code"])
def test_an_e_mail_address_is_spelled_the_same_everywhere(name: str) -> None:
    html = seen(Client(), name)
    assert "E-mail address" in html
    assert "Email" not in html.replace('type="email"', "")


def test_the_code_page_says_how_long_the_code_is_good_as_the_letter_does() -> None:
    bob = somebody("Bob")
    html = Client().post(reverse("account_request_login_code"), {"email": bob.email}, follow=True).content.decode()
    assert "good for a quarter of an hour" in html


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36", "Chrome, Windows"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit Version/18.0 Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", "Chrome, Android"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("x" * 200, "x" * 40),
        ("", ""),
    ],
)
def test_a_browser_is_called_what_people_call_it(said: str, shown: str) -> None:
    assert browser(said) == shown


def test_the_button_of_the_sessions_says_that_it_ends_the_others_and_is_there_only_if_there_are_any() -> None:
    bob = somebody("Bob")
    here = logged_in(bob)
    assert "You are logged in nowhere else." in seen(here, "usersessions_list")
    logged_in(bob)
    assert "<button>Log out everywhere else</button>" in seen(here, "usersessions_list")


def test_the_tick_that_makes_a_passkey_comes_before_its_label_and_its_help_after(bob: Client) -> None:
    html = seen(bob, "mfa_add_webauthn")
    places = [html.index(part) for part in ('type="checkbox"', "Use it as a passkey", "A passkey logs you in alone")]
    assert places == sorted(places)


def test_the_secret_of_an_app_is_text_that_can_be_read_as_a_whole(bob: Client) -> None:
    page = bob.get(reverse("mfa_activate_totp"))
    assert f'class="secret">{page.context["form"].secret}</output>' in page.content.decode()


def test_recovery_codes_are_to_be_kept_safe() -> None:
    bob = somebody("Bob")
    here = logged_in(bob)
    proves_it_is_me(here)
    with_app(bob)
    assert "Keep them somewhere safe" in seen(here, "mfa_view_recovery_codes")


def test_a_security_key_is_offered_at_login_to_those_who_have_one_and_a_recovery_code_to_all() -> None:
    bob = somebody("Bob")
    with_app(bob)
    html = seen(logged_in(bob), "mfa_authenticate")
    assert "or one of your recovery codes" in html
    assert "security key" not in html


def test_each_language_of_the_settings_has_its_own_name(bob: Client) -> None:
    html = seen(bob, "accounts:settings").split("<footer>")[0]
    assert all(f">{name}</option>" in html for name in ("English", "Русский", "Türkçe"))
