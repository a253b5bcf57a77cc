"""Leaving letters by the link in one (L14): one click without cookies, a form to look at, and nothing else is granted."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from notifications import addresses, delivery, leaving, preferences, topics
from notifications.models import Preference
from notifications.topics import Manner, Pace, Topic
from tests.factories import LetterFactory, PreferenceFactory
from tests.notifications.conftest import Source
from tests.notifications.postoffice import PostOffice

pytestmark = pytest.mark.django_db

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def link(told: str) -> str:
    return leaving.link(told).removeprefix("http://localhost:8000")


def paces(player: Player) -> set[str]:
    """The topics of which the player gets nothing."""
    return {topic for topic, pace in preferences.wishes_of(player.pk).paces.items() if pace == Pace.NONE}


def test_L14_one_click_leaves_one_kind_without_cookies_and_opens_no_session(bob: Player) -> None:
    browser = Client(enforce_csrf_checks=True)
    answer = browser.post(link(f"challenges:{bob.pk}"), ONE_CLICK)
    assert answer.status_code == 200
    assert not answer.cookies
    assert paces(bob) == {"challenges"}


@pytest.mark.parametrize("charset", ["ISO-8859-1", "us-ascii", "no-such-thing"])
def test_L14_one_click_leaves_in_whatever_charset_a_mail_program_says_it_speaks(bob: Player, charset: str) -> None:
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    answer = Client().generic("POST", link(f"turns:{bob.pk}"), b"List-Unsubscribe=One-Click", content_type=kind)
    assert answer.status_code == 200
    assert paces(bob) == {"turns"}


def test_L14_looking_changes_nothing_and_shows_a_button(bob: Player) -> None:
    path = link(f"turns:{bob.pk}")
    for ask in (Client().head, Client().get, Client().get):
        answer = ask(path)
        assert answer.status_code == 200
        assert not answer.cookies
        assert answer["Referrer-Policy"] == "no-referrer"
    assert paces(bob) == set()
    assert '<form method="post"><button>' in answer.content.decode()
    assert "It is my turn" in answer.content.decode()


def test_L14_the_button_says_that_it_is_done_however_often_it_is_pressed(bob: Player) -> None:
    for _ in range(2):
        said = Client().post(link(f"turns:{bob.pk}")).content.decode()
        assert "You get no more letters of this kind: It is my turn." in said
        assert reverse("accounts:letters") in said
    assert paces(bob) == {"turns"}


def test_leaving_the_daily_letter_leaves_what_it_gathers_and_nothing_else(bob: Player) -> None:
    PreferenceFactory.create(player=bob, turns=Pace.DAILY, ends=Pace.DAILY)
    Client().post(link(f"daily:{bob.pk}"), ONE_CLICK)
    assert paces(bob) == {"turns", "ends"}
    assert Preference.objects.get(player=bob).digest_at is None


def test_a_bare_address_leaves_invitations(db: None) -> None:
    said = Client().post(link("invitations:Dan@example.org"), ONE_CLICK).content.decode()
    assert "No more invitations will be sent to this address." in said
    assert addresses.is_refused("dan@example.org")


def test_a_link_that_was_cut_or_forged_says_so_and_does_nothing(bob: Player) -> None:
    path = link(f"turns:{bob.pk}")
    for wrong in (path[:-3] + "/", path.replace("leave/", "leave/00"), reverse("letters:leave", args=["x"]), link("x").upper()):
        for answer in (Client().get(wrong), Client().post(wrong, ONE_CLICK)):
            assert answer.status_code == 404
    assert "Nothing was changed." in Client().get(path[:-3] + "/").content.decode()
    assert paces(bob) == set()


def test_L12_the_link_of_an_account_that_is_gone_does_nothing(bob: Player) -> None:
    bob.is_active = False
    bob.save()
    assert Client().post(link(f"turns:{bob.pk}"), ONE_CLICK).status_code == 404
    assert paces(bob) == set()


def test_L13_an_old_link_holds_after_the_key_was_changed(bob: Player, settings: Any) -> None:
    path = link(f"turns:{bob.pk}")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert Client().post(path, ONE_CLICK).status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert Client().get(path).status_code == 404


def test_mail_programs_are_told_how_to_leave(
    bob: Player, source: Source, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(topics, "_manners", {})
    topics.file("test", {"test": Manner(Topic.ENDS)})
    assert delivery.deliver(LetterFactory.create(recipient=bob).key)
    assert delivery.deliver(LetterFactory.create(recipient=None, address="dan@example.org").key)
    to_bob, to_dan = office.letters
    for letter in (to_bob, to_dan):
        assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    told = re.fullmatch(r"<http://localhost:8000(/letters/leave/[0-9a-f]+/)>", "".join(to_bob["List-Unsubscribe"].split()))
    assert told is not None
    assert told[1] == link(f"ends:{bob.pk}")
    Client().post(told[1], ONE_CLICK)
    assert paces(bob) == {"ends"}
