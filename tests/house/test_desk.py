"""The administrators' desk: nobody sits there without a second factor (S7)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import Player
from tests.accounts.post import delivered, text
from tests.accounts.visitors import code, logged_in, proves_it_is_me, recovery_codes, somebody, with_app

pytestmark = pytest.mark.django_db

DESK = "/admin/"


@pytest.fixture
def moderator() -> Player:
    return somebody("Moderator", is_staff=True, is_superuser=True)


def second_step(client: Client, given: str) -> Any:
    return client.post(reverse("mfa_authenticate"), {"code": given})


def sits(client: Client) -> bool:
    return client.get(DESK).status_code == 200


def test_S7_a_stranger_is_led_to_the_login_of_the_site_and_back() -> None:
    answer = Client().get(f"{DESK}accounts/player/", follow=True)
    assert answer.redirect_chain[-1][0].startswith(reverse("account_login"))
    assert "next=/admin/accounts/player/" in answer.redirect_chain[-1][0].replace("%2F", "/")


def test_S7_the_password_alone_never_opens_the_desk(moderator: Player) -> None:
    client = logged_in(moderator)
    answer = client.get(DESK, follow=True)
    assert answer.redirect_chain[-1][0] == reverse("mfa_index")
    assert "asks for a second factor" in answer.content.decode()
    assert not sits(client)


def test_S7_a_second_factor_at_login_opens_it(moderator: Player) -> None:
    with_app(moderator)
    client = logged_in(moderator)
    assert not sits(client), "the password was only the first step"
    second_step(client, "000000")
    assert not sits(client)
    second_step(client, code())
    assert sits(client)


def test_S7_a_recovery_code_opens_it_once(moderator: Player) -> None:
    with_app(moderator)
    [spent, *_] = recovery_codes(moderator)
    for opens in (True, False):
        client = logged_in(moderator)
        second_step(client, spent)
        assert sits(client) is opens


def test_S7_one_who_set_it_up_in_this_session_uses_it_first(moderator: Player) -> None:
    client = logged_in(moderator)
    with_app(moderator)
    answer = client.get(f"{DESK}accounts/player/", follow=True)
    assert answer.redirect_chain[-1][0].startswith(reverse("mfa_reauthenticate"))
    client.post(answer.redirect_chain[-1][0], {"code": code()})
    assert sits(client)


def test_S7_a_second_factor_that_was_removed_or_used_long_ago_counts_no_longer(moderator: Player) -> None:
    with_app(moderator)
    client = logged_in(moderator)
    second_step(client, code())
    with time_machine.travel(timezone.now() + timedelta(hours=13), tick=False):
        assert not sits(client)
    assert sits(client)
    Authenticator.objects.filter(user=moderator).delete()
    assert not sits(client)


@pytest.mark.parametrize("change", [{"is_staff": False}, {"is_active": False}, {"suspended_at": timezone.now()}])
def test_S7_who_is_no_longer_trusted_is_out_at_once(moderator: Player, change: dict[str, Any]) -> None:
    with_app(moderator)
    client = logged_in(moderator)
    second_step(client, code())
    assert sits(client)
    Player.objects.filter(pk=moderator.pk).update(**change)
    assert not sits(client)
    assert client.get(DESK, follow=True).status_code in (200, 403)


def test_S7_a_player_who_is_no_moderator_is_refused_even_with_a_second_factor() -> None:
    bob = somebody("Bob")
    with_app(bob)
    client = logged_in(bob)
    second_step(client, code())
    assert client.get(DESK, follow=True).status_code == 403


def test_S7_brute_force_is_limited_at_both_steps(moderator: Player) -> None:
    with_app(moderator)
    client = logged_in(moderator)
    for _ in range(12):
        second_step(client, "000000")
    second_step(client, code())
    assert not sits(client), "even the right code comes too late"
    for _ in range(12):
        logged_in(moderator, "wrong horse battery")
    late = Client().post(reverse("account_login"), {"login": moderator.email, "password": "wrong horse battery"})
    assert "Too many failed login attempts" in late.content.decode() or late.status_code == 429


def test_the_desk_changes_passwords_where_everybody_does(moderator: Player) -> None:
    with_app(moderator)
    client = logged_in(moderator)
    second_step(client, code())
    assert client.get(reverse("admin:password_change")).headers["location"] == reverse("account_change_password")


def test_the_way_back_from_the_login_stays_on_this_site(moderator: Player) -> None:
    with_app(moderator)
    client = logged_in(moderator)
    second_step(client, code())
    for asked in ("https://evil.example/", "//evil.example", ""):
        assert client.get(reverse("admin:login"), {"next": asked}).headers["location"] == DESK
    assert client.get(reverse("admin:login"), {"next": "/admin/accounts/"}).headers["location"] == "/admin/accounts/"


def test_the_secret_of_a_second_factor_cannot_be_read_from_the_database(moderator: Player, settings: Any) -> None:
    with_app(moderator)
    app = Authenticator.objects.get(user=moderator, type=Authenticator.Type.TOTP)
    assert "JBSWY3DP" not in app.data["secret"]
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new secret", [settings.SECRET_KEY]
    assert app.wrap().validate_code(code()), "L13: it outlives the change of the secret key"


def test_a_player_sets_up_an_app_by_the_pages_and_is_told(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    client = logged_in(somebody("Bob"))
    proves_it_is_me(client)
    html = client.get(reverse("mfa_activate_totp")).content.decode()
    assert "data:image/svg" in html
    secret = client.session["mfa.totp.secret"]
    now = next(iter(totp.yield_hotp_counters_from_time()))
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("mfa_activate_totp"), {"code": totp.format_hotp_value(totp.hotp_value(secret, now))})
    assert Authenticator.objects.filter(type=Authenticator.Type.TOTP).exists()
    assert any("Authenticator app activated" in text(letter) for letter in delivered("bob@example.org"))
