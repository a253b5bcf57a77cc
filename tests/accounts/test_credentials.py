"""Passwords, addresses and sessions: what a change of one does to the others."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import hooks
from accounts.models import Player
from tests.accounts.post import delivered, link, text
from tests.accounts.visitors import logged_in, proves_it_is_me, somebody
from tests.factories import PASSWORD, EmailAddressFactory

pytestmark = pytest.mark.django_db

NEW = "another long horse"


class Games:
    """A higher app that counts whose credentials changed."""

    def __init__(self) -> None:
        self.told: list[Player] = []

    def credentials_changed(self, player: Player) -> None:
        self.told.append(player)


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Games:
    games = Games()
    monkeypatch.setattr(hooks, "_concerned", {"games": games})
    return games


def is_in(client: Client) -> bool:
    return client.get(reverse("games:mine")).status_code == 200


def change_password(client: Client) -> None:
    client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})


def addresses(client: Client, action: str, address: str) -> Any:
    return client.post(reverse("account_email"), {f"action_{action}": "", "email": address})


def reset_password(player: Player) -> None:
    client = Client()
    client.post(reverse("account_reset_password"), {"email": player.email})
    form = client.get(link(delivered(player.email)[-1]), follow=True)
    client.post(form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW})


def test_S13_a_changed_password_ends_the_other_sessions_and_the_owner_is_told(games: Games) -> None:
    bob = somebody("Bob")
    here, elsewhere = logged_in(bob), logged_in(bob)
    change_password(here)
    assert (is_in(here), is_in(elsewhere)) == (True, False)
    assert games.told == [bob]
    assert "If it was not, somebody else is in your account" in " ".join(text(delivered("bob@example.org")[-1]).split())
    assert is_in(logged_in(bob, NEW))


def test_S13_a_forgotten_password_is_set_anew_by_the_letter_and_every_session_ends(games: Games) -> None:
    bob = somebody("Bob")
    elsewhere = logged_in(bob)
    reset_password(bob)
    assert not is_in(elsewhere)
    assert games.told == [bob]
    assert is_in(logged_in(bob, NEW))


def test_S13_a_changed_password_voids_the_link_that_would_have_set_another() -> None:
    bob = somebody("Bob")
    Client().post(reverse("account_reset_password"), {"email": bob.email})
    asked = link(delivered("bob@example.org")[-1])
    change_password(logged_in(bob))
    assert "no longer good" in Client().get(asked, follow=True).content.decode()


def test_S13_a_changed_address_ends_the_other_sessions_and_the_old_address_is_told(games: Games) -> None:
    bob = somebody("Bob")
    EmailAddressFactory.create(user=bob, email="new@example.org", primary=False)
    here, elsewhere = logged_in(bob), logged_in(bob)
    proves_it_is_me(here)
    addresses(here, "primary", "new@example.org")
    bob.refresh_from_db()
    assert bob.email == "new@example.org", "the player's address follows the primary one"
    assert (is_in(here), is_in(elsewhere)) == (True, False)
    assert games.told == [bob]
    [told] = delivered("bob@example.org")
    assert "now go to new@example.org, no longer to bob@example.org" in text(told)


def test_S13_a_removed_address_is_told_itself_and_no_longer_logs_in(games: Games) -> None:
    bob = somebody("Bob")
    EmailAddressFactory.create(user=bob, email="old@example.org", primary=False)
    here = logged_in(bob)
    proves_it_is_me(here)
    addresses(here, "remove", "old@example.org")
    for told in ("old@example.org", "bob@example.org"):
        [letter] = delivered(told)
        assert "The address old@example.org no longer belongs to the account." in text(letter)
    Client().post(reverse("account_reset_password"), {"email": "old@example.org"})
    assert "has no account" in text(delivered("old@example.org")[-1])
    assert games.told == [bob]


def test_S13_a_removed_address_voids_the_link_that_was_sent_to_it() -> None:
    bob = somebody("Bob")
    EmailAddressFactory.create(user=bob, email="old@example.org", primary=False)
    Client().post(reverse("account_reset_password"), {"email": "old@example.org"})
    asked = link(delivered("old@example.org")[-1])
    here = logged_in(bob)
    proves_it_is_me(here)
    addresses(here, "remove", "old@example.org")
    assert "no longer good" in Client().get(asked, follow=True).content.decode()


def test_a_new_address_counts_once_its_owner_confirms_it_and_the_primary_one_is_told() -> None:
    bob = somebody("Bob")
    here = logged_in(bob)
    proves_it_is_me(here)
    addresses(here, "add", "new@example.org")
    [asked] = delivered("new@example.org")
    assert delivered("bob@example.org") == []
    here.post(link(asked))
    assert EmailAddress.objects.get(email="new@example.org").verified
    [told] = delivered("bob@example.org")
    assert "The address new@example.org now belongs to the account" in text(told)
    bob.refresh_from_db()
    assert bob.email == "bob@example.org"


def test_S6_adding_an_address_that_is_anothers_tells_the_page_nothing() -> None:
    bob, alice = somebody("Bob"), somebody("Alice")
    here = logged_in(bob)
    proves_it_is_me(here)
    answers = [addresses(here, "add", address) for address in (alice.email, "free@example.org")]
    assert len({(answer.status_code, answer.headers["location"]) for answer in answers}) == 1


@pytest.mark.parametrize("page", ["account_email", "account_change_password", "mfa_activate_totp", "mfa_add_webauthn"])
def test_dangerous_pages_ask_again_who_is_there(page: str) -> None:
    bob = somebody("Bob")
    answer = logged_in(bob).get(reverse(page))
    if page in ("account_email", "account_change_password"):
        assert answer.status_code == 200, "one may look; the change itself asks"
    else:
        assert reverse("account_reauthenticate") in answer.headers["location"]


def test_nobody_collects_addresses_without_end() -> None:
    bob = somebody("Bob")
    for number in range(4):
        EmailAddressFactory.create(user=bob, email=f"bob{number}@example.org", primary=False)
    here = logged_in(bob)
    proves_it_is_me(here)
    addresses(here, "add", "one.more@example.org")
    assert not EmailAddress.objects.filter(email="one.more@example.org").exists()


def test_a_mailed_code_logs_in_and_a_guessed_one_does_not() -> None:
    bob = somebody("Bob")
    for good in (False, True):
        client = Client()
        client.post(reverse("account_request_login_code"), {"email": bob.email})
        lines = text(delivered("bob@example.org")[-1]).split()
        code = next(line for line in lines if len(line) == 9 and line[4] == "-")
        client.post(reverse("account_confirm_login_code"), {"code": code if good else "AAAA-AAAA"})
        assert is_in(client) is good


def test_a_player_sees_the_sessions_and_ends_the_others() -> None:
    bob = somebody("Bob")
    here = logged_in(bob, headers={"user-agent": "Phone <1>"})
    elsewhere = logged_in(bob, headers={"user-agent": "Laptop"})
    html = here.get(reverse("usersessions_list")).content.decode()
    assert "Phone &lt;1&gt;" in html
    assert "Laptop" in html
    here.post(reverse("usersessions_list"))
    assert (is_in(here), is_in(elsewhere)) == (True, False)


def test_looking_at_pages_writes_nothing_about_the_session() -> None:
    here = logged_in(somebody("Bob"))
    with CaptureQueriesContext(connection) as asked:
        here.get(reverse("accounts:settings"))
    assert not [query["sql"] for query in asked if not query["sql"].startswith("SELECT")]


@pytest.mark.parametrize("kept", [True, False])
def test_L13_a_link_from_before_the_secret_changed_works_while_the_old_one_is_kept_or_says_so_plainly(
    kept: bool, settings: Any
) -> None:
    bob = somebody("Bob")
    EmailAddressFactory.create(user=bob, email="new@example.org", primary=False, verified=False)
    here = logged_in(bob)
    proves_it_is_me(here)
    addresses(here, "send", "new@example.org")
    Client().post(reverse("account_reset_password"), {"email": bob.email})
    confirm, reset = (link(delivered(address)[-1]) for address in ("new@example.org", "bob@example.org"))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new secret", [settings.SECRET_KEY] if kept else []
    pages = [Client().get(path, follow=True) for path in (confirm, reset)]
    assert [page.status_code for page in pages] == [200, 200]
    said = " ".join(page.content.decode() for page in pages)
    assert ("This link has run out" in said) is not kept
    assert ("no longer good" in said) is not kept
