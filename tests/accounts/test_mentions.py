"""Mentions: who leaves is named nowhere any more, not even where people wrote about others (S11)."""

from __future__ import annotations

import pytest

from accounts.models import Player, Reason, Report
from accounts.services import audit, erasure, suspension
from tests.factories import ModeratorFactory, PlayerFactory, ReportFactory

pytestmark = pytest.mark.django_db


def leave(player: Player) -> None:
    erasure.ask_erasure(player=player)
    assert erasure.erase(player_id=player.pk)


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("Alice", "Alice, ALICE and alice's cat", "…, … and …'s cat"),
        ("Анна", "Дал Анне ещё минуту, Анну прервали", "Дал … ещё минуту, … прервали"),
        ("Игорь", "У Игоря и с Игорем", "У … и с …"),
        ("Анна Петрова", "Анне  Петровой и Анны Петровы", "… и …"),
        ("Ayşe", "Ayşe'nin hamlesi, Ayşeye", "…'nin hamlesi, …"),
        ("Al", "Al also said: all for al.", "… also said: all for …."),
        ("Ян", "Ян ждал янтарь", "… ждал янтарь"),
        ("Bob", "Bobby is not Bob", "Bobby is not …"),
        ("Émile", "E\u0301mile wrote", "… wrote"),
        ("a.b-c", "axb-c, a.b-c", "axb-c, …"),
        ("Olga 1", "Olga 12 and Olga 1", "Olga 12 and …"),
    ],
)
def test_S11_a_name_is_found_with_its_endings_and_not_inside_other_words(name: str, text: str, left: str) -> None:
    player = PlayerFactory.create(display_name=name)
    reason = audit.give_reason(text)
    leave(player)
    reason.refresh_from_db()
    assert reason.text == left


def test_S11_what_was_written_about_others_names_nobody_who_left(alice: Player, bob: Player, charlie: Player) -> None:
    suspension.suspend(player_id=bob.pk, by=ModeratorFactory.create(), reason="Insulted Alice in a letter.")
    report = ReportFactory.create(reporter=bob, reported=charlie, text="Charlie plays worse than Alice.")
    other = audit.give_reason("Nobody is named here.")
    leave(alice)
    bob.refresh_from_db()
    assert str(bob.suspension) == "Insulted … in a letter."
    assert Report.objects.get(pk=report.pk).text == "Charlie plays worse than …."
    assert Reason.objects.get(pk=other.pk).text == "Nobody is named here."
