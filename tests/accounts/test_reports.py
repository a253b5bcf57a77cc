"""Reports: players ask those who rule to look at something."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, Player, Report
from accounts.services import reports
from accounts.services.errors import Gone, NotAllowed
from tests.factories import GameFactory, PlayerFactory, ReportFactory
from tests.games.visits import of

pytestmark = pytest.mark.django_db

SENT = {"about": "stalling", "text": "Not a move for weeks."}


def test_a_report_of_a_player_waits_for_those_who_rule(alice: Player, bob: Player) -> None:
    answer = of(alice).post(reverse("games:report_player", args=[bob.pk]), SENT, follow=True)
    assert answer.redirect_chain[-1][0] == reverse("games:player", args=[bob.pk])
    assert "Thank you." in answer.content.decode()
    report = Report.objects.get()
    assert (report.reporter, report.reported, report.game, report.state) == (alice, bob, None, "open")
    assert (report.about, report.text) == ("stalling", "Not a move for weeks.")


def test_in_a_game_of_two_the_other_is_meant(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], public=False)
    of(bob).post(reverse("games:report_game", args=[game.pk]), SENT)
    assert (Report.objects.get().reported, Report.objects.get().game) == (alice, game.pk)


def test_a_spectator_chooses_which_player(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    address = reverse("games:report_game", args=[game.pk])
    shown = of(charlie).get(address).content.decode()
    assert "Alice" in shown
    assert "Bob" in shown
    answer = of(charlie).post(address, SENT)
    assert (answer.status_code, Report.objects.count()) == (400, 0), "he chose nobody"
    of(charlie).post(address, {**SENT, "reported": bob.pk})
    assert Report.objects.get().reported == bob


def test_nobody_outside_the_game_can_be_chosen(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    stranger = PlayerFactory.create()
    for chosen in (stranger.pk, charlie.pk, "x", 10**30):
        answer = of(charlie).post(reverse("games:report_game", args=[game.pk]), {**SENT, "reported": chosen})
        assert answer.status_code == 400
    assert not Report.objects.exists()


def test_a_private_game_is_reported_by_its_players_alone(alice: Player, bob: Player, charlie: Player) -> None:
    game = GameFactory.create(players=[alice, bob], public=False)
    address = reverse("games:report_game", args=[game.pk])
    assert of(charlie).get(address).status_code == 404
    assert of(charlie).post(address, {**SENT, "reported": bob.pk}).status_code == 404
    assert of(alice).get(address).status_code == 200


@pytest.mark.parametrize("wrong", [{"about": ""}, {"about": "nonsense"}, {"text": " "}, {"text": "x" * 2001}, {"text": "\0"}])
def test_a_report_that_says_nothing_is_sent_back(alice: Player, bob: Player, wrong: dict[str, str]) -> None:
    answer = of(alice).post(reverse("games:report_player", args=[bob.pk]), {**SENT, **wrong})
    assert answer.status_code == 400
    assert not Report.objects.exists()


def test_a_report_about_an_open_one_adds_what_is_new(alice: Player, bob: Player, charlie: Player) -> None:
    first = ReportFactory.create(reporter=alice, reported=bob, text="He shouts.")
    again = ReportFactory.create(reporter=alice, reported=bob, text="He shouts.")
    more = ReportFactory.create(reporter=alice, reported=bob, text="He still does.")
    assert first == again == more
    assert Report.objects.get().text == "He shouts.\n\nHe still does."
    assert ReportFactory.create(reporter=charlie, reported=bob) != first
    assert ReportFactory.create(reporter=alice, reported=bob, about="name") != first
    assert ReportFactory.create(reporter=alice, reported=bob, game=7) != first


def test_after_it_is_closed_the_same_is_a_new_report(alice: Player, bob: Player, charlie: Player) -> None:
    first = ReportFactory.create(reporter=alice, reported=bob)
    reports.close_report(report_id=first.pk, by=charlie, reason="warned")
    assert ReportFactory.create(reporter=alice, reported=bob) != first


def test_closing_says_who_and_why_in_the_audit_log_once(alice: Player, bob: Player, charlie: Player) -> None:
    report = ReportFactory.create(reporter=alice, reported=bob)
    for _ in range(2):
        reports.close_report(report_id=report.pk, by=charlie, reason="He was warned.")
    report.refresh_from_db()
    assert (report.state, report.closed_by) == ("closed", charlie)
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.act, entry.subject, entry.subject_id) == (charlie, "close_report", "report", report.pk)
    assert str(entry.reason) == "He was warned."


def test_S14_nobody_closes_a_report_of_his_own_or_about_himself(alice: Player, bob: Player) -> None:
    report = ReportFactory.create(reporter=alice, reported=bob)
    for concerned in (alice, bob):
        with pytest.raises(NotAllowed):
            reports.close_report(report_id=report.pk, by=concerned, reason="nothing happened")
    with pytest.raises(Gone):
        reports.close_report(report_id=10**9, by=alice, reason="?")
    assert not AuditEntry.objects.exists()


def test_nobody_reports_himself(alice: Player) -> None:
    with pytest.raises(NotAllowed):
        reports.file_report(reporter=alice, reported=alice, about="conduct", text="I shouted.")
    assert of(alice).get(reverse("games:report_player", args=[alice.pk])).status_code == 404


def test_a_visitor_logs_in_first(alice: Player) -> None:
    answer = Client().post(reverse("games:report_player", args=[alice.pk]), SENT)
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))
    assert not Report.objects.exists()


def test_looking_at_the_form_changes_nothing(alice: Player, bob: Player) -> None:
    assert of(alice).get(reverse("games:report_player", args=[bob.pk]), SENT).status_code == 200
    assert not Report.objects.exists()


def test_too_many_reports_are_refused_politely(alice: Player) -> None:
    others = PlayerFactory.create_batch(11)
    browser = of(alice)
    answers = [browser.post(reverse("games:report_player", args=[other.pk]), SENT) for other in others]
    assert [one.status_code for one in answers] == [302] * 10 + [429]
    assert "You have sent many reports." in answers[-1].content.decode()
    assert "Not a move for weeks." in answers[-1].content.decode(), "what was written is not lost"
    assert Report.objects.count() == 10


def test_S5_what_a_report_says_is_shown_as_text(alice: Player) -> None:
    sly = PlayerFactory.create(display_name="<b>Sly</b>")
    shown = of(alice).get(reverse("games:report_player", args=[sly.pk])).content.decode()
    assert "<b>Sly" not in shown
    assert "&lt;b&gt;Sly" in shown
