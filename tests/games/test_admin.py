"""The desk of those who rule: what they see, what they may do, and that nothing goes past the services."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import AuditEntry, Player, Reason, Report
from accounts.services import audit
from config import desk
from games.models import Game, LogEntry
from games.rules.ruleset import AnyRuleset
from games.services import adjudicate, moves, reflection
from notifications import addresses
from notifications.models import Letter, Refusal
from tests.factories import GameFactory, LetterFactory, ModeratorFactory, PlayerFactory, ReportFactory, play
from tests.games.court import rule
from tests.games.visits import of
from tests.rules.boards import MANGALA

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("charlie_rules")]


@pytest.fixture(autouse=True)
def _with_a_second_factor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody here has shown one (S7 is tested with the desk itself)."""
    monkeypatch.setattr(desk, "second_factor_used", lambda _request: True)


def page(client: Client, name: str, *args: Any, status: int = 200, **query: Any) -> str:
    response = client.get(reverse(f"admin:{name}", args=args), query)
    assert response.status_code == status
    return response.content.decode()


def act(client: Client, name: str, one: Any, status: int = 200, **given: Any) -> str:
    """Opens the form of an act and sends it, filled in."""
    address = reverse(f"admin:{name}", args=[one.pk])
    shown = client.get(address)
    begun = {} if shown.status_code != 200 else dict(shown.context["form"].initial)
    response = client.post(address, {**begun, **given}, follow=True)
    assert response.status_code == status, response.content.decode()
    return response.content.decode()


# -- games ---------------------------------------------------------------------------------------------------------------


def test_a_moderator_finds_a_game_by_number_and_by_player_and_reads_its_log(game: Game, charlie: Player) -> None:
    client = of(charlie)
    other = GameFactory.create()
    for asked in (str(game.pk), "alice", "bob@example.org"):
        found = page(client, "games_game_changelist", q=asked)
        assert "Alice – Bob" in found
        assert f"/admin/games/game/{other.pk}/change/" not in found
    shown = page(client, "games_game_change", game.pk)
    assert reverse("games:game", args=[game.pk]) in shown
    assert "on the page" in shown
    assert 'name="_save"' not in shown


def test_what_cannot_be_asked_for_is_told_on_a_page_in_the_language_of_the_desk(charlie: Player) -> None:
    client = of(charlie)
    client.cookies["django_language"] = "ru"
    told = page(client, "games_game_changelist", status=400, seat__player__password="x")
    assert "Здесь это не имеет смысла" in told
    assert 'lang="ru"' in told


@pytest.mark.parametrize("state", ["running", "paused", "over"])
def test_games_are_listed_by_state(game: Game, bob: Player, charlie: Player, state: str) -> None:
    if state == "paused":
        adjudicate.pause_games(player=bob)
    elif state == "over":
        assert game.deadline is not None
        reflection.run_out(game_id=game.pk, now=game.deadline)
    for asked in ("running", "paused", "over"):
        assert ("Alice – Bob" in page(of(charlie), "games_game_changelist", state=asked)) == (asked == state)


def test_a_page_of_the_desk_costs_the_same_whatever_it_shows(game: Game, charlie: Player) -> None:
    client = of(charlie)
    costs = []
    for _ in range(3):
        with CaptureQueriesContext(connection) as captured:
            page(client, "games_game_change", game.pk)
            page(client, "games_game_changelist")
            page(client, "accounts_auditentry_changelist")
            page(client, "notifications_letter_changelist")
        costs.append(len(captured))
        for _ply in range(4):
            game.refresh_from_db()
            play(game, next(MANGALA.legal_moves(MANGALA.load(game.position))))
        game.refresh_from_db()
        adjudicate.extend_deadline(game=game.pk, by=charlie, seconds=60, reason="Why not", head=game.head, key=f"k{game.head}")
        GameFactory.create_batch(3)
    # The first visit also learns the numbers of the tables.
    assert costs[1] == costs[2]


def test_F40_a_moderator_extends_adjudicates_and_takes_back(game: Game, charlie: Player) -> None:
    client = of(charlie)
    before = game.deadline
    assert before is not None
    assert "Done: Extend the deadline." in act(client, "games_game_extend", game, hours=2, reason="The site was slow.")
    game.refresh_from_db()
    assert game.deadline == before + timedelta(hours=2)
    assert "Done: Adjudicate." in act(client, "games_game_adjudicate", game, verdict="win:1", reason="Stalling.")
    game.refresh_from_db()
    assert (game.result, game.termination) == ("0-1", "adjudication")
    assert "Stalling." in page(client, "games_game_change", game.pk)
    assert "Done: Take the end back." in act(client, "games_game_take-back", game, reason="Wrong player.")
    game.refresh_from_db()
    assert game.ended_at is None
    assert list(AuditEntry.objects.values_list("act", flat=True)) == ["take_back", "adjudicate", "extend_deadline"]
    assert AuditEntry.objects.filter(actor=charlie, subject="game", subject_id=game.pk).exclude(reason=None).count() == 3


def test_a_GET_of_a_ruling_changes_nothing(game: Game, charlie: Player) -> None:
    for name in ("extend", "adjudicate", "take-back"):
        page(of(charlie), f"games_game_{name}", game.pk)
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("extend", {"hours": 2}),
        ("extend", {"hours": 0, "reason": "x"}),
        ("extend", {"hours": "9" * 5000, "reason": "x"}),
        ("adjudicate", {"reason": "x"}),
        ("adjudicate", {"verdict": "win:2", "reason": "x"}),
        ("adjudicate", {"verdict": "draw", "reason": " "}),
        ("adjudicate", {"verdict": "draw", "reason": "x", "head": "first"}),
        ("adjudicate", {"verdict": "draw", "reason": "x\x00"}),
        ("take-back", {"reason": "x" * 1001}),
    ],
)
def test_a_form_that_says_too_little_or_nonsense_is_shown_again(
    game: Game, charlie: Player, name: str, given: dict[str, Any]
) -> None:
    act(of(charlie), f"games_game_{name}", game, status=400, **given)
    game.refresh_from_db()
    assert (game.ended_at, Reason.objects.count()) == (None, 0)


def test_C8_a_form_that_was_open_while_somebody_moved_is_refused(game: Game, charlie: Player) -> None:
    given = {"head": game.head, "key": "k", "verdict": "draw", "reason": "Because."}
    play(game, "2")
    assert "look again before you rule" in act(of(charlie), "games_game_adjudicate", game, status=409, **given)


def test_S14_a_moderator_who_plays_sees_no_button_and_is_refused(charlie: Player, bob: Player) -> None:
    game = GameFactory.create(players=[charlie, bob], plies="1 1")
    client = of(charlie)
    assert reverse("admin:games_game_adjudicate", args=[game.pk]) not in page(client, "games_game_change", game.pk)
    given = {"head": game.head, "key": "k", "verdict": "win:0", "reason": "Mine."}
    assert "You play in this game" in act(client, "games_game_adjudicate", game, status=403, **given)


def test_N25_a_moderator_who_plays_a_hidden_game_reads_no_cards_here(toy: AnyRuleset, charlie: Player, bob: Player) -> None:
    game = GameFactory.create(players=[charlie, bob], ruleset="toy")
    assert "on the page" not in page(of(charlie), "games_game_change", game.pk)
    assert "by the house" not in page(of(charlie), "games_game_change", game.pk)
    assert "by the house" in page(of(ModeratorFactory.create()), "games_game_change", game.pk)


def test_N25_whoever_rules_reads_of_a_running_hidden_game_what_a_spectator_does(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], ruleset="rainbow", begins="lot")
    drawn = [entry.text for entry in LogEntry.objects.filter(game=game, kind="chance") if not entry.text.startswith("seat")]
    assert drawn

    def said() -> list[str]:
        shown = page(of(ModeratorFactory.create()), "games_game_change", game.pk)
        return [text.strip() for text in re.findall(r'class="field-said">\s*<p>(.*?)</p>', shown, re.DOTALL)]

    assert set(drawn).isdisjoint(said())
    moves.resign(game=game.pk, seat=0, via="web", key="k")
    assert set(drawn) <= set(said())


def test_N25_a_seed_that_an_end_revealed_is_not_shown_when_that_end_was_taken_back(
    alice: Player, bob: Player, charlie: Player
) -> None:
    game = GameFactory.create(players=[alice, bob], ruleset="rainbow", begins="lot")
    rule(adjudicate.adjudicate, game, charlie, verdict="draw")
    revealed = LogEntry.objects.get(game=game, kind="reveal").text
    assert revealed in page(of(charlie), "games_game_change", game.pk)
    rule(adjudicate.take_back, game, charlie, number=game.head)
    assert revealed not in page(of(charlie), "games_game_change", game.pk)


def test_who_ends_a_hidden_game_is_warned_that_nobody_forgets_an_open_hand(toy: AnyRuleset, game: Game) -> None:
    client = of(ModeratorFactory.create())
    hidden = GameFactory.create(ruleset="toy")
    assert "The end opens what is hidden." in page(client, "games_game_adjudicate", hidden.pk)
    assert "The end opens what is hidden." not in page(client, "games_game_adjudicate", game.pk)


# -- players, reports, reasons ---------------------------------------------------------------------------------------------


def test_a_player_is_suspended_and_restored_with_reasons(game: Game, bob: Player, charlie: Player) -> None:
    client = of(charlie)
    assert "Bob" in page(client, "accounts_player_changelist", q="bob")
    act(client, "accounts_player_suspend", bob, reason="Insults.")
    bob.refresh_from_db()
    game.refresh_from_db()
    assert (bob.is_suspended, game.deadline) == (True, None)
    act(client, "accounts_player_restore", bob, reason="Said sorry.")
    bob.refresh_from_db()
    game.refresh_from_db()
    assert not bob.is_suspended
    assert game.deadline is not None
    assert list(AuditEntry.objects.values_list("act", flat=True)) == ["restore", "suspend"]


def test_who_comes_too_late_is_told_that_nothing_was_left_to_do(bob: Player, charlie: Player) -> None:
    client = of(charlie)
    assert "Done: Suspend." in act(client, "accounts_player_suspend", bob, reason="Insults.")
    assert "There was nothing left to do: Suspend." in act(client, "accounts_player_suspend", bob, reason="Spam.")
    assert [one.reason.text for one in AuditEntry.objects.all() if one.reason] == ["Insults."]


def test_nobody_suspends_himself_or_an_administrator(charlie: Player) -> None:
    root = PlayerFactory.create(is_superuser=True)
    for one in (charlie, root):
        act(of(charlie), "accounts_player_suspend", one, status=403, reason="x")
        one.refresh_from_db()
        assert not one.is_suspended


def test_the_desk_shows_no_password(bob: Player, charlie: Player) -> None:
    assert bob.password not in page(of(charlie), "accounts_player_change", bob.pk)


def test_an_administrator_erases_on_request_and_a_moderator_does_not(bob: Player, charlie: Player) -> None:
    assert reverse("admin:accounts_player_erase", args=[bob.pk]) not in page(of(charlie), "accounts_player_change", bob.pk)
    act(of(charlie), "accounts_player_erase", bob, status=403, reason="Asked by letter.")
    root = PlayerFactory.create(is_staff=True, is_superuser=True)
    act(of(root), "accounts_player_erase", bob, reason="Asked by letter.")
    bob.refresh_from_db()
    assert bob.leaving_at is not None
    assert AuditEntry.objects.get().act == "erase"


def test_an_administrator_appoints_and_dismisses_moderators(bob: Player, charlie: Player) -> None:
    act(of(charlie), "accounts_player_appoint", bob, status=403, reason="Friend.")
    root = PlayerFactory.create(is_staff=True, is_superuser=True)
    act(of(root), "accounts_player_appoint", bob, reason="Fair.")
    assert Player.objects.get(pk=bob.pk).has_perm("games.rule_games")
    act(of(root), "accounts_player_dismiss", bob, reason="Gone fishing.")
    assert not Player.objects.get(pk=bob.pk).has_perm("games.rule_games")
    assert list(AuditEntry.objects.values_list("act", flat=True)) == ["dismiss", "appoint"]


def test_reports_wait_in_a_queue_open_ones_first_and_are_closed_with_a_reason(game: Game, bob: Player, charlie: Player) -> None:
    alice = game.seat_set.get(number=0).player
    closed = ReportFactory.create(reporter=bob, reported=alice)
    report = ReportFactory.create(reporter=alice, reported=bob, game=game.pk)
    client = of(charlie)
    act(client, "accounts_report_close", closed, reason="Nothing in it.")
    listed = page(client, "accounts_report_changelist")
    assert listed.index(f"/report/{report.pk}/") < listed.index(f"/report/{closed.pk}/")
    shown = page(client, "accounts_report_change", report.pk)
    assert reverse("admin:games_game_change", args=[game.pk]) in shown
    assert reverse("admin:accounts_player_change", args=[bob.pk]) in shown
    act(client, "accounts_report_close", report, reason="Warned.")
    assert Report.objects.get(pk=report.pk).closed_by == charlie


def test_nobody_reads_what_is_reported_about_himself(bob: Player, charlie: Player) -> None:
    report = ReportFactory.create(reporter=bob, reported=charlie)
    client = of(charlie)
    assert f"/report/{report.pk}/" not in page(client, "accounts_report_changelist")
    assert client.get(reverse("admin:accounts_report_change", args=[report.pk])).status_code == 302
    act(client, "accounts_report_close", report, status=404, reason="Nothing.")


def test_the_words_of_a_reason_can_be_taken_away(game: Game, charlie: Player) -> None:
    adjudicate.adjudicate(game=game.pk, by=charlie, verdict="draw", reason="Bob said so.", head=game.head, key="k")
    [reason] = Reason.objects.all()
    root = PlayerFactory.create(is_staff=True, is_superuser=True)
    act(of(root), "accounts_reason_empty", reason)
    assert Reason.objects.get().text == ""
    assert AuditEntry.objects.filter(act="empty_reason").exists()
    assert game.entries.get(kind="adjudicate").reason == reason


# -- letters -----------------------------------------------------------------------------------------------------------------


def test_the_outbox_shows_state_and_reason_but_neither_text_nor_tokens(charlie: Player, bob: Player) -> None:
    letter = LetterFactory.create(
        recipient=bob, state="failed", due_at=None, reason="550 no such user", mime=b"the secret link", about={"token": "t0ken"}
    )
    for shown in (
        page(of(charlie), "notifications_letter_changelist", state="failed"),
        page(of(charlie), "notifications_letter_change", letter.pk),
    ):
        assert "550 no such user" in shown
        assert "Bob" in shown
        assert "secret" not in shown
        assert "t0ken" not in shown


def test_a_letter_that_failed_is_tried_again(game: Game, charlie: Player) -> None:
    letter = Letter.objects.get(kind="turn", about__position_number=game.turn_number)
    Letter.objects.filter(pk=letter.pk).update(state="failed", due_at=None, attempts=11, reason="550 full")
    act(of(charlie), "notifications_letter_again", letter)
    letter.refresh_from_db()
    assert (letter.state, letter.attempts, letter.reason, bool(letter.mime)) == ("queued", 0, "", True)
    assert AuditEntry.objects.get().subject_id == letter.pk
    assert "it has not failed" in act(of(charlie), "notifications_letter_again", letter, status=409)


def test_why_a_letter_did_not_go_is_told_in_the_language_of_the_desk(game: Game, charlie: Player) -> None:
    letter = Letter.objects.get(kind="turn", about__position_number=game.turn_number)
    client = of(charlie)
    client.cookies["django_language"] = "ru"
    assert "отправка этого письма не сорвалась" in act(client, "notifications_letter_again", letter, status=409)
    Letter.objects.filter(pk=letter.pk).update(state="dropped", due_at=None, reason="it is no longer wanted")
    assert "оно уже не нужно" in page(client, "notifications_letter_changelist")
    Letter.objects.filter(pk=letter.pk).update(state="failed", reason="")
    assert "Project-Id-Version" not in page(client, "notifications_letter_change", letter.pk)


def test_a_letter_that_nobody_wants_any_more_is_not_tried_again(game: Game, charlie: Player) -> None:
    letter = Letter.objects.get(kind="turn", about__position_number=game.turn_number)
    Letter.objects.filter(pk=letter.pk).update(state="failed", due_at=None)
    play(game, "2")
    assert "it is no longer wanted" in act(of(charlie), "notifications_letter_again", letter, status=409)
    letter.refresh_from_db()
    assert letter.state == "failed"


def test_a_letter_whose_words_are_gone_is_not_tried_again(charlie: Player) -> None:
    letter = LetterFactory.create(
        source="accounts", kind="notice", recipient=None, address="dora@example.org", state="failed", due_at=None
    )
    assert "it cannot be written again" in act(of(charlie), "notifications_letter_again", letter, status=409)


def test_a_refusal_is_lifted_when_its_owner_asks(charlie: Player) -> None:
    addresses.refuse("dora@example.org")
    refusal = Refusal.objects.get()
    act(of(charlie), "notifications_refusal_allow", refusal)
    assert not Refusal.objects.exists()
    assert AuditEntry.objects.get().act == "allow_invitations"


# -- nothing goes past the services --------------------------------------------------------------------------------------------

OURS = [model for model in admin.site._registry if model._meta.app_label in ("games", "accounts", "notifications")]


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_S10_not_even_an_administrator_adds_changes_or_deletes_rows(model: Any, game: Game, bob: Player) -> None:
    root = PlayerFactory.create(is_staff=True, is_superuser=True)
    audit.record(actor=root, act="adjudicate", subject="game", subject_id=game.pk, reason=audit.give_reason("Why."))
    ReportFactory.create(reporter=bob, reported=PlayerFactory.create())
    addresses.refuse("dora@example.org")
    client, name = of(root), f"{model._meta.app_label}_{model._meta.model_name}"
    page(client, f"{name}_changelist")
    assert client.get(reverse(f"admin:{name}_add")).status_code == 403
    one = model.objects.order_by("pk").first()
    if one is not None:
        shown = page(client, f"{name}_change", one.pk)
        assert 'name="_save"' not in shown
        assert client.post(reverse(f"admin:{name}_change", args=[one.pk]), {}).status_code == 403
        assert client.post(reverse(f"admin:{name}_delete", args=[one.pk]), {"post": "yes"}).status_code == 403
        chosen = {"action": "delete_selected", "_selected_action": [one.pk], "post": "yes"}
        client.post(reverse(f"admin:{name}_changelist"), chosen)
        assert model.objects.filter(pk=one.pk).exists()


def test_what_guards_accounts_is_not_on_the_desk() -> None:
    labels = {model._meta.label for model in admin.site._registry}
    assert labels & {"mfa.Authenticator", "account.EmailAddress", "usersessions.UserSession"} == set()
    assert LogEntry not in admin.site._registry


@pytest.mark.parametrize("staff", [True, False])
def test_who_has_no_rights_sees_nothing_of_the_desk(game: Game, staff: bool) -> None:
    client = of(PlayerFactory.create(is_staff=staff))
    for name in ("games_game_change", "games_game_adjudicate"):
        assert client.get(reverse(f"admin:{name}", args=[game.pk])).status_code in (302, 403)
        assert client.post(reverse(f"admin:{name}", args=[game.pk]), {"verdict": "draw"}).status_code in (302, 403)


def by_orm(entry: AuditEntry) -> None:
    entry.act = "nothing"
    entry.save()


def by_queryset(entry: AuditEntry) -> None:
    AuditEntry.objects.filter(pk=entry.pk).delete()


def by_sql(entry: AuditEntry) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_auditentry SET act = 'nothing' WHERE id = %s", [entry.pk])


def by_sql_deletion(entry: AuditEntry) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_auditentry")


@pytest.mark.locking
@pytest.mark.parametrize("change", [by_orm, by_queryset, by_sql, by_sql_deletion], ids=lambda one: one.__name__)
def test_S10_the_audit_log_can_be_neither_changed_nor_deleted(charlie: Player, change: Callable[[AuditEntry], None]) -> None:
    audit.record(actor=charlie, act="adjudicate", subject="game", subject_id=1)
    entry = AuditEntry.objects.get()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        change(entry)
    assert AuditEntry.objects.get().act == "adjudicate"
