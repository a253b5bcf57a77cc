"""What the desk lets itself be asked: what its pages offer, nothing that they keep closed, and odd questions politely refused."""

from __future__ import annotations

import html
import os
import re
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.filters import FieldListFilter
from django.urls import reverse

from accounts.models import Player
from accounts.services import audit, suspension
from config import desk
from games.models import Game
from games.selectors import board_of
from tests.factories import (
    ChallengeFactory,
    GameFactory,
    LetterFactory,
    LogEntryFactory,
    ModeratorFactory,
    PlayerFactory,
    ReportFactory,
)
from tests.games.visits import of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("charlie_rules")]

OURS = [model for model in admin.site._registry if model._meta.app_label in ("games", "accounts", "notifications")]


@pytest.fixture(autouse=True)
def _with_a_second_factor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody here has shown one (S7 is tested with the desk itself)."""
    monkeypatch.setattr(desk, "second_factor_used", lambda _request: True)


def changelist(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


@pytest.mark.parametrize(
    "asked",
    [
        "accounts_player password__startswith=md5",
        "accounts_player password=x",
        "accounts_player groups__name__startswith=M",
        "accounts_player last_login__year=2026",
        "accounts_player email__startswith=a",
        "accounts_player emailaddress__email=a",
        "accounts_player usersession__session_key__startswith=a",
        "accounts_report reported__password__startswith=md5",
        "accounts_report reporter__password__startswith=md5",
        "accounts_report text__contains=a",
        "accounts_auditentry actor__password__startswith=md5",
        "notifications_letter mime__regex=a",
        "notifications_letter mime__gte=A",
        "notifications_letter about__token=a",
        "notifications_letter recipient__password__startswith=md5",
        "games_game position__icontains=4",
        "games_game standing__icontains=4",
        "games_game entries__text=4",
        "games_game seat__player__password__startswith=md5",
        "games_challenge invitation__token_digest__startswith=a",
        "games_challenge key__startswith=a",
        "games_invitation token_digest__startswith=a",
        "games_invitation challenge__key__startswith=a",
    ],
)
def test_S7_what_the_desk_does_not_show_cannot_be_asked_for_either(game: Game, asked: str) -> None:
    name, _, query = asked.partition(" ")
    for somebody in (ModeratorFactory.create(), PlayerFactory.create(is_staff=True, is_superuser=True)):
        assert of(somebody).get(f"{reverse(f'admin:{name}_changelist')}?{query}").status_code == 400


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_filter_that_a_page_offers_works(model: Any, game: Game, charlie: Player) -> None:
    ChallengeFactory.create(challenger=game.seat_set.get(number=0).player)
    LetterFactory.create(state="failed", due_at=None)
    ReportFactory.create(reporter=charlie, reported=game.seat_set.get(number=0).player)
    audit.record(actor=charlie, act="suspend", subject="player", subject_id=1)
    client = of(PlayerFactory.create(is_staff=True, is_superuser=True))
    shown = client.get(changelist(model))
    offered = {link.replace("&amp;", "&") for link in re.findall(r'href="(\?[^"]+)"', shown.content.decode())}
    assert len(offered) > 2 or not admin.site._registry[model].list_filter
    for link in offered:
        assert client.get(f"{changelist(model)}{link}").status_code == 200, link
    for spec in shown.context["cl"].filter_specs:
        if isinstance(spec, FieldListFilter):
            for parameter in spec.expected_parameters():
                answer = client.get(changelist(model), {parameter or "": "1"})
                assert answer.status_code in (200, 302), parameter


def test_one_players_games_reports_and_rulings_are_a_link_away(game: Game, bob: Player, charlie: Player) -> None:
    client = of(charlie)
    ReportFactory.create(reporter=game.seat_set.get(number=0).player, reported=bob)
    audit.record(actor=charlie, act="suspend", subject="player", subject_id=bob.pk)
    shown = client.get(reverse("admin:accounts_player_change", args=[bob.pk]))
    for title, address in shown.context["links"]:
        listed = client.get(address)
        assert (listed.status_code, listed.context["cl"].result_count) == (200, 1), title


SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
ODD = ["", "x", "\x00", "-1", "9" * 19, "9" * 5000, "٣"]


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_odd_questions_break_nothing(model: Any, game: Game, charlie: Player) -> None:
    client = of(PlayerFactory.create(is_staff=True, is_superuser=True))
    names = {"q", "o", "p", "all", "_popup", "_to_field", "_facets", "e", "no_such_field", "no__such__field", "id__in", "pk"}
    for spec in client.get(changelist(model)).context["cl"].filter_specs:
        names |= {str(one) for one in spec.expected_parameters()}
    names |= {"at__year", "subject_id", "subject", "seat__player", "reported"}
    for place, name in enumerate(sorted(names)):
        # A name gets other values in the list of another model; all of them in the long run.
        for value in ODD if SOAK else [ODD[(place + OURS.index(model) + step) % len(ODD)] for step in (0, 2, 5)]:
            answer = client.get(changelist(model), {name: value})
            assert answer.status_code in (200, 302, 400), (name, value)
    for month in ("0", "12", "13"):
        for year in ("1", "9999", "10000"):
            answer = client.get(changelist(model), {"at__year": year, "at__month": month, "at__day": "31"})
            assert answer.status_code in (200, 302, 400), (year, month)


@pytest.mark.parametrize("wanted", ODD)
def test_odd_numbers_of_rows_break_nothing(wanted: str, charlie: Player) -> None:
    client = of(charlie)
    for model in OURS:
        for page in (f"{changelist(model)}{wanted}/change/", f"{changelist(model)}{wanted}/suspend/"):
            assert client.get(page).status_code in (302, 403, 404), page


def test_who_rules_sees_players_terms_and_board_of_a_private_game(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1", public=False)
    shown = of(charlie).get(reverse("admin:games_game_change", args=[game.pk])).content.decode()
    assert "Alice (South)" in shown
    assert "Bob (North)" in shown
    assert "3 days" in shown
    assert board_of(game) in html.unescape(shown)
    assert len(board_of(game).splitlines()) > 2


def test_a_game_whose_log_is_broken_is_shown_without_a_board(game: Game, charlie: Player) -> None:
    LogEntryFactory.create(game=game, number=game.head + 1, seat=0, text="no such move")
    shown = of(charlie).get(reverse("admin:games_game_change", args=[game.pk]))
    assert (shown.status_code, board_of(game)) == (200, "")


def test_the_pages_of_the_desk_lead_to_no_history_that_does_not_exist(game: Game, charlie: Player) -> None:
    assert "historylink" not in of(charlie).get(reverse("admin:games_game_change", args=[game.pk])).content.decode()


@pytest.mark.parametrize(("chosen", "found"), [("yes", True), ("no", False)])
def test_suspended_players_are_found_by_a_plain_word(bob: Player, charlie: Player, chosen: str, found: bool) -> None:
    suspension.suspend(player_id=bob.pk, by=charlie, reason="Threats.")
    listed = of(charlie).get(changelist(Player), {"suspended": chosen}).context["cl"].result_list
    assert (bob in listed, charlie in listed) == (found, not found)
