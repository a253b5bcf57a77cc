"""Accounts: names, sign-up by a confirmed address, settings."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from accounts.names import name_key, validate_display_name
from tests.accounts.post import delivered, link
from tests.factories import PASSWORD, EmailAddressFactory, PlayerFactory

pytestmark = pytest.mark.django_db

FORM = {"email": "zoe@example.org", "display_name": "Zoë", "password1": PASSWORD, "password2": PASSWORD}


@pytest.mark.parametrize(
    "name",
    [
        "Alice",
        "Ömer",
        "Ёжик",
        "A. B.",
        "x2",
        "Иван Smith",
        "李小龙",
        "Nguyễn",
        "Σωκράτης",
        "さくらサクラ桜",
        "김철수",
        "Əli",
        "محمد",
        "ნინო",
    ],
)
def test_names_of_people_are_allowed(name: str) -> None:
    validate_display_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a",
        "x" * 41,
        "a  b",
        " a",
        "a\nb",
        "a\u202eb",
        "a\u200bb",
        "a\u3164",
        "http://x.org",
        "www.x",
        "x.com",
        "x．com",
        "a@b",
        "--",
    ],
)
def test_S5_names_that_hide_reverse_or_advertise_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        validate_display_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "сайт.рф",
        "Аlice",
        "Pαul",
        "Z\u0300\u0300\u0300algo",
        "ɑlice",
        "ɡreg",
        "Alꓲce",
        "Bօb",
        "ꓮꓡꓲꓚꓰ",
        "ᎪᏞᏆᏟᎬ",
        "=?utf-8?q?x=0A?=",
        "ﾞﾞ",
        "\u0958" * 40,
    ],
)
def test_S5_names_in_other_writing_are_held_to_the_same(name: str) -> None:
    with pytest.raises(ValidationError):
        validate_display_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "aLICE"),
        ("Alice", "Аlice"),
        ("Alice", "AIice"),
        ("Alice", "Al ice."),
        ("Zoë", "Zoe"),
        ("Bob", "B0b"),
        ("СОР", "COP"),
        ("ΑΝΝΑ", "ANNA"),
        ("ΤΟΝΥ", "tony"),
        ("Νίκος", "νίκος"),
        ("Bernard", "Bemard"),
        ("İnci", "ınci"),
        ("Ёжик", "ежик"),
    ],
)
def test_names_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), [("Alice", "Alicia"), ("Иван", "Игорь"), ("李小龙", "李小明")])
def test_names_that_look_different_differ(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_the_longest_name_still_has_a_key_that_fits() -> None:
    player = PlayerFactory.create(display_name="ﷺ" * 40)
    player.refresh_from_db()
    assert len(player.name_key) == Player._meta.get_field("name_key").max_length


def test_somebody_signs_up_confirms_by_a_button_and_is_logged_in() -> None:
    client = Client(headers={"accept-language": "tr"})
    client.post(reverse("account_signup"), {**FORM, "time_zone": "Europe/Istanbul"})
    player = Player.objects.get(email="zoe@example.org")
    assert (player.display_name, player.language, player.time_zone) == ("Zoë", "tr", "Europe/Istanbul")
    [letter] = delivered()
    scanner = Client()
    scanner.get(link(letter))
    scanner.head(link(letter))
    assert not client.login(email=player.email, password="wrong")
    assert client.get(reverse("games:mine")).status_code == 302, "L1: opening the link confirms nothing"
    client.post(link(letter))
    assert client.get(reverse("games:mine")).status_code == 200


def test_after_sign_up_the_page_says_what_to_do_and_in_development_where_the_letter_is() -> None:
    html = Client().post(reverse("account_signup"), FORM, follow=True).content.decode()
    assert "Follow the link in it" in html
    assert f'href="{reverse("mailbox:index")}">To the mailbox' in html


@pytest.mark.parametrize(
    "change",
    [
        {"display_name": "ALICE"},
        {"display_name": "www.alice.org"},
        {"email": "no"},
        {"password2": "x"},
        {"password1": "123", "password2": "123"},
    ],
)
def test_a_sign_up_that_cannot_be_comes_back_with_the_reason(change: dict[str, str]) -> None:
    PlayerFactory.create(display_name="Alice")
    response = Client().post(reverse("account_signup"), {**FORM, **change})
    assert response.status_code == 200
    assert "errorlist" in response.content.decode()
    assert not Player.objects.filter(email="zoe@example.org").exists()


def test_a_zone_that_is_none_counts_as_utc() -> None:
    Client().post(reverse("account_signup"), {**FORM, "time_zone": "Mars/Olympus"})
    assert Player.objects.get().time_zone == "UTC"


def test_a_player_logs_in_by_address_in_any_case() -> None:
    player = EmailAddressFactory.create(user__email="bob@example.org").user
    client = Client()
    response = client.post(reverse("account_login"), {"login": "BOB@example.org", "password": PASSWORD})
    assert response.status_code == 302
    assert client.session["_auth_user_id"] == str(player.pk)


def settings_of(player: Player, **change: str) -> Any:
    client = Client()
    client.force_login(player)
    form = {"display_name": player.display_name, "language": player.language, "time_zone": player.time_zone}
    return client.post(reverse("accounts:settings"), {**form, **change})


def test_settings_are_kept_and_bad_ones_refused(alice: Player) -> None:
    kept = settings_of(alice, display_name="Алиса", language="ru", time_zone="Asia/Almaty")
    assert kept.status_code == 302
    for bad in ({"language": "xx"}, {"time_zone": "Nowhere"}, {"display_name": "www.alice.org"}, {"display_name": ""}):
        assert "errorlist" in settings_of(alice, **bad).content.decode()
    alice.refresh_from_db()
    assert (alice.display_name, alice.language, alice.time_zone) == ("Алиса", "ru", "Asia/Almaty")


def test_a_player_may_respell_the_name_but_not_take_one_that_looks_like_anothers(alice: Player, bob: Player) -> None:
    assert settings_of(alice, display_name="ALICE").status_code == 302
    assert "looks like it" in settings_of(alice, display_name="B0B").content.decode()
    alice.refresh_from_db()
    assert alice.name == "ALICE"


def test_of_two_who_change_to_one_name_in_the_same_moment_one_is_told(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.forms.settings.refuse_look_alike", lambda *_, **__: None)
    assert "looks like it" in settings_of(alice, display_name="Bob").content.decode()


def test_the_settings_lead_to_everything_that_can_be_changed(alice: Player) -> None:
    client = Client()
    client.force_login(alice)
    html = client.get(reverse("accounts:settings")).content.decode()
    for name in ("account_email", "account_change_password", "mfa_index", "usersessions_list"):
        assert f'href="{reverse(name)}"' in html


def test_an_administrator_is_made_by_the_command_line() -> None:
    admin = Player.objects.create_superuser("Root@Example.org", PASSWORD, display_name="Root")
    assert (admin.email, admin.is_staff, admin.is_superuser) == ("root@example.org", True, True)
    assert Player.objects.get_by_natural_key("ROOT@example.org") == admin


def test_nobody_learns_from_a_sign_up_or_a_reset_who_has_an_account() -> None:
    EmailAddressFactory.create(user__email="zoe@example.org", user__display_name="Somebody")
    known = Client().post(reverse("account_signup"), FORM)
    unknown = Client().post(reverse("account_signup"), {**FORM, "email": "new@example.org"})
    assert (known.status_code, known.headers["location"]) == (unknown.status_code, unknown.headers["location"])
    known = Client().post(reverse("account_reset_password"), {"email": "zoe@example.org"})
    unknown = Client().post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    assert (known.status_code, known.headers["location"]) == (unknown.status_code, unknown.headers["location"])


def test_of_two_who_take_a_name_in_the_same_moment_one_is_asked_again(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.forms.SignupForm.clean_display_name", lambda form: form.cleaned_data["display_name"])
    response = Client().post(reverse("account_signup"), {**FORM, "display_name": "ALICE"}, follow=True)
    assert "Another player has just taken this name" in response.content.decode()
    assert not Player.objects.filter(email="zoe@example.org").exists()


@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_reset_password", "account_reset_password_done"])
def test_the_pages_of_accounts_wear_the_clothes_of_the_site(name: str) -> None:
    html = Client().get(reverse(name)).content.decode()
    assert '<main id="content"' in html
    assert html.count("<h1") == 1


def test_a_zone_that_this_machine_does_not_know_counts_as_utc(alice: Player) -> None:
    alice.time_zone = "Mars/Olympus"
    assert str(alice.zone) == "UTC"


@pytest.mark.parametrize("sent", ["9" * 5000, "[" * 100_000, "{}", "[]", "null", '{"id": 1}', '{"rawId": "a"}', "\x00"])
def test_whatever_is_sent_in_place_of_a_passkey_is_only_refused(sent: str) -> None:
    answer = Client().post(reverse("mfa_login_webauthn"), {"credential": sent}, follow=True)
    assert answer.status_code == 200
    assert not answer.wsgi_request.user.is_authenticated
