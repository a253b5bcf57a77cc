"""Letters about accounts: through the outbox, in the reader's language, the same whether an address is known or not."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from notifications import delivery
from notifications.models import Letter
from tests.accounts.post import delivered, link, text
from tests.accounts.visitors import somebody
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db

SIGN_UP = {"email": "zoe@example.org", "display_name": "Zoë", "password1": PASSWORD, "password2": PASSWORD}


def test_R6_a_mail_server_that_is_away_loses_no_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise ConnectionRefusedError

    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.backends.locmem.EmailBackend.open", away, raising=False)
        assert Client().post(reverse("account_signup"), SIGN_UP).status_code == 302
        assert delivery.deliver_waiting() == 0
    delivery.server.try_at = 0.0
    [letter] = delivered("zoe@example.org")
    assert "/accounts/confirm-email/" in text(letter)


def test_a_link_is_forgotten_once_the_mail_server_has_it() -> None:
    Client().post(reverse("account_signup"), SIGN_UP)
    assert b"confirm-email" in bytes(Letter.objects.get().mime)
    delivered()
    [letter] = Letter.objects.all()
    assert (letter.state, bytes(letter.mime)) == (Letter.State.SENT, b"")


@pytest.mark.parametrize(("page", "goes"), [("account_request_login_code", False), ("account_reset_password", True)])
def test_a_code_that_has_run_out_is_not_sent_while_a_link_still_is(page: str, goes: bool) -> None:
    bob = somebody("Bob")
    Client().post(reverse(page), {"email": bob.email})
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        assert bool(delivered()) is goes
    [letter] = Letter.objects.all()
    assert letter.state == (Letter.State.SENT if goes else Letter.State.DROPPED)
    assert bytes(letter.mime) == b""


def test_a_reset_link_of_yesterday_is_not_sent() -> None:
    bob = somebody("Bob")
    Client().post(reverse("account_reset_password"), {"email": bob.email})
    with time_machine.travel(timezone.now() + timedelta(hours=25), tick=False):
        assert delivered() == []


@pytest.mark.parametrize(
    ("page", "form"),
    [
        ("account_signup", SIGN_UP),
        ("account_reset_password", {}),
        ("account_request_login_code", {}),
        ("account_login", {"password": "wrong horse battery"}),
    ],
)
def test_S6_a_known_and_an_unknown_address_get_the_same_answer_for_the_same_work(
    page: str, form: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody("Known")
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(hasher: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(hasher, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)

    def asked(address: str) -> tuple[Any, ...]:
        hashed.clear()
        before = Letter.objects.count()
        answer = Client().post(reverse(page), {**form, "email": address, "login": address})
        said = answer.content.decode().replace(address, "")
        errors = said[said.find("errorlist") :][:200] if "errorlist" in said else ""
        return answer.status_code, answer.headers.get("location"), errors, len(hashed), Letter.objects.count() - before

    assert asked("known@example.org") == asked("nobody@example.org")


def test_S6_whoever_owns_the_address_is_told_what_was_tried() -> None:
    somebody("Known")
    Client().post(reverse("account_signup"), {**SIGN_UP, "email": "known@example.org"})
    Client().post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    assert "has an account already" in text(delivered("known@example.org")[0])
    assert "has no account" in text(delivered("nobody@example.org")[0])


def test_a_letter_is_in_the_language_of_its_reader_not_of_who_asked() -> None:
    bob = somebody("Bob", language="tr")
    Client(headers={"accept-language": "en"}).post(reverse("account_reset_password"), {"email": bob.email})
    [letter] = delivered()
    assert 'lang="tr"' in text(letter, "html")


def test_a_stranger_is_written_to_in_the_language_of_the_page() -> None:
    Client(headers={"accept-language": "ru"}).post(reverse("account_signup"), SIGN_UP)
    assert 'lang="ru"' in text(delivered()[0], "html")


def test_every_letter_says_who_writes_and_comes_as_text_and_html() -> None:
    Client().post(reverse("account_signup"), SIGN_UP)
    [letter] = delivered()
    for kind in ("plain", "html"):
        assert "Perepiska" in text(letter, kind)
        assert link(letter) in text(letter, kind)
    assert "Zoë" in text(letter)
    assert "not you" in text(letter)


def test_L1_a_letter_leads_to_this_site_whatever_host_was_asked(settings: Any) -> None:
    settings.SITE_URL, settings.ALLOWED_HOSTS = "https://perepiska.example", ["*"]
    bob, evil = somebody("Bob"), {"host": "evil.example"}
    Client().post(reverse("account_signup"), SIGN_UP, headers=evil)
    Client().post(reverse("account_signup"), {**SIGN_UP, "display_name": "Yves", "email": bob.email}, headers=evil)
    Client().post(reverse("account_reset_password"), {"email": bob.email}, headers=evil)
    Client().post(reverse("account_reset_password"), {"email": "nobody@example.org"}, headers=evil)
    letters = delivered()
    assert len(letters) == 4
    for letter in letters:
        assert "https://perepiska.example/accounts/" in text(letter)
        assert "evil" not in text(letter) + text(letter, "html")


def test_S5_a_name_is_inert_in_the_letter() -> None:
    Client().post(reverse("account_signup"), {**SIGN_UP, "display_name": "<b>{{ 1 }}</b>"})
    assert Player.objects.get().name == "<b>{{ 1 }}</b>"
    [letter] = delivered()
    assert "&lt;b&gt;{{ 1 }}&lt;/b&gt;" in text(letter, "html")
