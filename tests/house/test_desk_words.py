"""The words of the administrators' desk: every label is said in the reader's language, and so is what was done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.utils import label_for_field
from django.test import RequestFactory
from django.urls import reverse
from django.utils import translation

from accounts.models import AuditEntry, Player
from accounts.services import audit
from config import desk as administrators
from games.models import Game
from games.services import moves
from tests.factories import GameFactory, ModeratorFactory, PlayerFactory
from tests.games.visits import of

pytestmark = pytest.mark.django_db

DESKS = list(admin.site._registry.values())
EVERYWHERE = {"ID"}
"""What is the same in every language."""


def ids(value: Any) -> str:
    return value.opts.label_lower if isinstance(value, admin.ModelAdmin) else str(value)


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    return GameFactory.create(players=[alice, bob])


def labels(desk: Any, game: Game) -> Iterator[tuple[str, str]]:
    """What the list, its filters, the page of a row and the tables on it call things: place and label."""
    request = RequestFactory().get("/")
    request.user = PlayerFactory.create(is_staff=True, is_superuser=True)
    row = game if desk.model is Game else None
    yield "one", desk.opts.verbose_name
    yield "all", desk.opts.verbose_name_plural
    yield "app", desk.opts.app_config.verbose_name
    for inline in [desk, *desk.get_inline_instances(request, row)]:
        model = inline.model
        yield f"{model.__name__}, title", getattr(inline, "verbose_name_plural", "") or model._meta.verbose_name_plural
        for name in {*getattr(inline, "list_display", ()), *inline.get_fields(request, row)}:
            yield f"{model.__name__}.{name}", str(label_for_field(name, model, inline))
    for spec in desk.get_changelist_instance(request).get_filters(request)[0]:
        yield "filter", spec.title


@pytest.mark.parametrize("desk", DESKS, ids=ids)
@pytest.mark.parametrize("language", ["ru", "tr"])
def test_no_label_of_the_desk_is_left_in_english(desk: Any, language: str, game: Game) -> None:
    with translation.override("en"):
        english = {place: str(label) for place, label in labels(desk, game)}
    with translation.override(language):
        said = {place: str(label) for place, label in labels(desk, game)}
    assert said.keys() == english.keys()
    assert {place: label for place, label in said.items() if label == english[place] and label not in EVERYWHERE} == {}


@pytest.mark.parametrize("desk", DESKS, ids=ids)
def test_nobody_adds_changes_or_deletes_a_row_past_the_services(desk: Any) -> None:
    request = RequestFactory().get("/")
    request.user = PlayerFactory.create(is_staff=True, is_superuser=True)
    assert desk.has_view_permission(request)
    assert not any((desk.has_add_permission(request), desk.has_change_permission(request), desk.has_delete_permission(request)))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("adjudication", "game")),
        ("ru", ("решение по партии", "партия")),
        ("tr", ("oyunun karara bağlanması", "oyun")),
    ],
)
def test_a_moderator_reads_in_words_what_was_done(
    monkeypatch: pytest.MonkeyPatch, game: Game, language: str, told: tuple[str, str]
) -> None:
    monkeypatch.setattr(administrators, "second_factor_used", lambda _request: True)
    charlie = ModeratorFactory.create(language=language)
    audit.record(actor=charlie, act="adjudicate", subject="game", subject_id=game.pk)
    client = of(charlie)
    listed = client.get(reverse("admin:accounts_auditentry_changelist")).content.decode()
    read = client.get(reverse("admin:accounts_auditentry_change", args=[AuditEntry.objects.get().pk])).content.decode()
    for page in (listed, read):
        assert all(f">{word}<" in page for word in told)
        assert "adjudicate" not in page.replace("act__exact=adjudicate", "")


@pytest.mark.parametrize(("act", "subject"), [("shrug", "game"), ("adjudicate", "weather")])
def test_nothing_enters_the_audit_log_that_it_has_no_words_for(act: str, subject: str) -> None:
    with pytest.raises(ValueError, match="is not a valid"):
        audit.record(actor=None, act=act, subject=subject, subject_id=1)
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(
    ("language", "why", "title"),
    [("en", "resignation", "Mangala"), ("ru", "сдача соперника", "Мангала"), ("tr", "terk", "Mangala")],
)
def test_the_ways_to_end_and_the_games_are_named_in_lists_and_filters(
    monkeypatch: pytest.MonkeyPatch, game: Game, language: str, why: str, title: str
) -> None:
    monkeypatch.setattr(administrators, "second_factor_used", lambda _request: True)
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    GameFactory.create(ruleset="oware")
    client = of(ModeratorFactory.create(language=language))
    listed = client.get(reverse("admin:games_game_changelist"))
    assert f'<td class="field-why">{why}</td>' in listed.content.decode()
    offered = [one["display"] for spec in listed.context["cl"].filter_specs[1:] for one in spec.choices(listed.context["cl"])]
    assert {why, title} <= {str(one) for one in offered}
    assert not {"mangala", "oware"} & set(offered)
    assert f">{why}<" in client.get(reverse("admin:games_game_change", args=[game.pk])).content.decode()
