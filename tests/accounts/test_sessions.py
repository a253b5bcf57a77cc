"""Who asks: read with prepared statements, and the same as Django's own reading."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.sessions import PlayerBackend, SessionStore
from tests.accounts.visitors import somebody
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


def knows(client: Client) -> bool:
    """Whether the site knows who this is."""
    return client.get(reverse("games:mine")).status_code == 200


def test_a_session_is_somebody_until_it_ends_is_deleted_or_its_player_may_not_come(alice: Player) -> None:
    client = Client()
    assert not knows(client)
    client.force_login(alice)
    assert knows(client)
    with time_machine.travel(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE + 1), tick=False):
        assert not knows(client)
    client.force_login(alice)
    Player.objects.filter(pk=alice.pk).update(is_active=False)
    assert not knows(client)
    Player.objects.filter(pk=alice.pk).update(is_active=True)
    assert knows(client)
    Session.objects.all().delete()
    assert not knows(client)


def test_S5_a_new_password_ends_the_session(alice: Player) -> None:
    client = Client()
    client.force_login(alice)
    alice.set_password("another long password")
    alice.save()
    assert not knows(client)


@pytest.mark.parametrize("key", ["", "x" * 32, "x" * 5000, "ы" * 32, "'; --" * 10])
def test_S5_a_key_that_nobody_has_is_forgotten(key: str) -> None:
    session = SessionStore(key)
    assert not session.items()
    assert session.session_key is None


def test_a_player_is_read_with_everything_of_their_row(alice: Player) -> None:
    read = PlayerBackend().get_user(alice.pk)
    assert read is not None
    fields = [field.attname for field in Player._meta.concrete_fields]
    fresh = Player.objects.get(pk=alice.pk)
    assert [getattr(read, name) for name in fields] == [getattr(fresh, name) for name in fields]
    assert not read.get_deferred_fields()
    assert PlayerBackend().get_user(alice.pk + 1000) is None


def test_what_was_asked_before_a_login_and_is_answered_after_it_logs_nobody_out() -> None:
    """A browser sends a request (its service worker, a page that follows a game) with the cookie that a login replaces."""
    client = Client()
    client.post(reverse("games:computer"), {"game": "mangala", "level": "2", "key": "k"})
    before = client.cookies[settings.SESSION_COOKIE_NAME].value
    client.post(reverse("account_login"), {"login": somebody("Dora").email, "password": PASSWORD})
    assert knows(client)
    late = Client()
    late.cookies[settings.SESSION_COOKIE_NAME] = before
    for path in (reverse("worker"), reverse("games:mine"), "/"):
        assert settings.SESSION_COOKIE_NAME not in late.get(path).cookies


def test_a_logout_takes_the_cookie_away(alice: Player) -> None:
    client = Client()
    client.force_login(alice)
    assert client.post(reverse("account_logout")).cookies[settings.SESSION_COOKIE_NAME].value == ""
