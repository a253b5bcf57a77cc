"""What pages allow a browser to do: the content security policy, headers and cookies."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from tests.accounts.visitors import code, logged_in, proves_it_is_me, somebody, with_app
from tests.factories import GameFactory
from tests.house.test_settings import PRODUCTION, setting

BASE = Path(__file__).resolve().parents[2]
SCRIPT = re.compile(r"<script([^>]*)>")
OPEN_PAGES = ["games:home", "games:challenges", "account_login", "account_signup", "account_reset_password", "mailbox:index"]
OWN_PAGES = [
    "games:mine",
    "games:challenge_new",
    "accounts:settings",
    "account_email",
    "account_change_password",
    "account_logout",
    "account_reauthenticate",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_add_webauthn",
    "mfa_list_webauthn",
    "usersessions_list",
]


def policy(response: Any) -> dict[str, list[str]]:
    directives = (part.split() for part in response.headers["Content-Security-Policy"].split(";"))
    return {name: sources for name, *sources in directives}


def keeps_its_own_rules(response: Any) -> None:
    """Nothing in the page needs what its policy forbids."""
    html, rules = response.content.decode(), policy(response)
    assert "'unsafe-inline'" not in rules["script-src"] + rules["style-src"]
    assert not re.search(r"<[^>]+\s(on\w+|style)\s*=", html), "handlers and styles in attributes"
    assert "<style" not in html
    for attributes in SCRIPT.findall(html):
        runs_not = 'type="application/json"' in attributes
        nonce = re.search(r'nonce="([^"]+)"', attributes)
        assert runs_not or re.search(r'src="/[^/]', attributes), attributes
        assert nonce is None or f"'nonce-{nonce[1]}'" in rules["script-src"]


@pytest.mark.django_db
@pytest.mark.parametrize("page", OPEN_PAGES)
def test_a_page_for_everybody_keeps_the_policy(page: str) -> None:
    response = Client().get(reverse(page))
    assert response.status_code == 200
    keeps_its_own_rules(response)


@pytest.mark.django_db
@pytest.mark.parametrize("page", OWN_PAGES)
def test_a_page_of_ones_own_keeps_the_policy(page: str) -> None:
    client = logged_in(somebody("Bob"))
    if page != "account_reauthenticate":
        proves_it_is_me(client)
    response = client.get(reverse(page))
    assert response.status_code == 200
    keeps_its_own_rules(response)


@pytest.mark.django_db
def test_the_codes_for_emergencies_and_the_page_of_a_key_keep_the_policy() -> None:
    bob = somebody("Bob")
    with_app(bob)
    client = logged_in(bob)
    keeps_its_own_rules(client.get(reverse("mfa_authenticate")))
    client.post(reverse("mfa_authenticate"), {"code": code()})
    client.post(reverse("mfa_reauthenticate"), {"code": code(again=True)})
    response = client.get(reverse("mfa_view_recovery_codes"))
    assert response.status_code == 200
    keeps_its_own_rules(response)


@pytest.mark.django_db
def test_a_game_with_its_picture_keeps_the_policy(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    response = Client().get(reverse("games:game", args=[game.pk]))
    assert "<svg" in response.content.decode()
    keeps_its_own_rules(response)


@pytest.mark.django_db
def test_the_desk_keeps_the_policy() -> None:
    moderator = somebody("Moderator", is_staff=True, is_superuser=True)
    with_app(moderator)
    client = logged_in(moderator)
    client.post(reverse("mfa_authenticate"), {"code": code()})
    lists = [f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist" for model in admin.site._registry]
    for page in ["admin:index", *lists]:
        response = client.get(reverse(page))
        assert response.status_code == 200, page
        keeps_its_own_rules(response)


@pytest.mark.django_db
def test_each_answer_has_a_nonce_of_its_own() -> None:
    first, second = (policy(Client().get(reverse("games:home")))["script-src"] for _ in range(2))
    assert first != second
    assert any(source.startswith("'nonce-") for source in first)


@pytest.mark.django_db
def test_a_page_is_framed_by_nobody_and_tells_other_sites_nothing() -> None:
    response = Client().get(reverse("games:home"))
    assert policy(response)["frame-ancestors"] == ["'none'"]
    assert policy(response)["default-src"] == ["'none'"]
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", sorted((BASE / "templates").rglob("*.html")), ids=lambda path: path.name)
def test_no_template_of_a_page_holds_handlers_styles_or_scripts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<[^>]+\son\w+\s*=", text)
    assert "javascript:" not in text
    if not {"letters", "email"} & {folder.name for folder in path.parents}:
        assert not re.search(r"<[^>]+\sstyle\s*=|<style", text), "pages are dressed by site.css; only letters bring their own"
    for attributes in SCRIPT.findall(text):
        assert "src=" in attributes or 'type="application/json"' in attributes


@pytest.mark.django_db
def test_cookies_are_out_of_reach_of_scripts_and_other_sites() -> None:
    client = logged_in(somebody("Bob"))
    client.post(reverse("set_language"), {"language": "tr"})
    client.get(reverse("account_login"))
    assert {"sessionid", "csrftoken", "django_language"} <= set(client.cookies)
    for cookie in client.cookies.values():
        assert (bool(cookie["httponly"]), cookie["samesite"]) == (True, "Lax"), cookie.key


def test_cookies_of_an_encrypted_site_go_over_no_other() -> None:
    secure = "settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.LANGUAGE_COOKIE_SECURE"
    assert setting(secure, **PRODUCTION) == "True True True"
