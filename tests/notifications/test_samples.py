"""Samples: every letter that the site can write is to be looked at, and looking leaves nothing behind."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core import mail
from django.test import Client

from accounts.models import Player
from accounts.samples import TEMPLATES
from games import samples as games
from notifications import samples, sources
from tests.factories import PlayerFactory

ACCOUNT_LETTERS = ("account/email", "accounts/letters")


def rows() -> dict[type, set[Any]]:
    """What is in the database, whatever the migrations put there included."""
    return {model: set(model._default_manager.values_list("pk", flat=True)) for model in apps.get_models()}


def pages(html: str, language: str) -> list[str]:
    return re.findall(rf'href="(/mailbox/sample_{language}_[^"]+)"', html)


def test_every_kind_of_letter_has_a_sample() -> None:
    sampled = {source: set(told.values()) for source, told in samples.every().items()}
    assert sampled == {source: set(sources.find(source).kinds) for source in sampled}
    assert set().union(*sampled.values()) == {kind for source in sources.every() for kind in source.kinds}


def test_every_template_of_a_letter_about_an_account_has_a_sample() -> None:
    folder = settings.BASE_DIR / "templates"
    found = {str(path.relative_to(folder)) for where in ACCOUNT_LETTERS for path in (folder / where).glob("*_subject.txt")}
    assert found == {f"{template}_subject.txt" for template in TEMPLATES.values()}


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.locking
@pytest.mark.django_db(transaction=True)
def test_all_samples_are_there_in_my_language_and_leave_nothing_behind(language: str) -> None:
    ContentType.objects.clear_cache()
    before = rows()
    subjects = set()
    for source, told in samples.every().items():
        for name in told:
            message = message_from_bytes(samples.written(source, name, language), policy=policy.default)
            html = message.get_body(("html",))
            assert html is not None
            assert f'<html lang="{language}"' in html.get_content(), (source, name)
            assert message["To"].endswith("@samples.example.org"), (source, name)
            subjects.add(message["Subject"])
    assert len(subjects) > 15
    assert rows() == before
    assert mail.outbox == []


@pytest.mark.django_db(transaction=True)
def test_a_sample_is_brought_about_although_luck_ended_its_first_game(monkeypatch: pytest.MonkeyPatch) -> None:
    comes, unlucky = games._comes_to_alice, [True]

    def comes_late(*about: Any, **asked: Any) -> bool:
        return comes(*about, **asked) and not (unlucky and unlucky.pop())

    monkeypatch.setattr(games, "_comes_to_alice", comes_late)
    assert samples.written("games", "rainbow-answer", "ru")


@pytest.mark.django_db(transaction=True)
def test_the_mailbox_shows_a_sample_like_any_letter() -> None:
    client = Client()
    listed = pages(client.get("/mailbox/samples/").content.decode(), "ru")
    assert len(listed) == sum(map(len, samples.every().values()))
    assert "/mailbox/sample_ru_games_over/" in listed
    shown = client.get("/mailbox/sample_ru_games_over/").content.decode()
    assert 'src="/mailbox/sample_ru_games_over/html/"' in shown
    assert "alice@samples.example.org" in shown
    html = client.get("/mailbox/sample_ru_games_over/html/")
    assert '<html lang="ru"' in html.content.decode()
    assert "sandbox" in html["Content-Security-Policy"]
    assert b"[Ruleset" in client.get("/mailbox/sample_ru_games_over/files/1/").content


@pytest.mark.django_db(transaction=True)
def test_a_player_who_has_the_name_of_somebody_in_the_samples_is_in_nobody_s_way() -> None:
    PlayerFactory.create(display_name="Alice")
    PlayerFactory.create(display_name="BOB")
    assert b"Alice 2" in samples.written("games", "turn", "en")
    assert Player.objects.count() == 2


@pytest.mark.parametrize(
    "name", ["sample_", "sample_en_games", "sample_xx_games_over", "sample_en_games_nothing", "sample_en_x_over"]
)
def test_there_is_no_sample_of_another_name(name: str, client: Client, db: None) -> None:
    assert client.get(f"/mailbox/{name}/").status_code == 404
