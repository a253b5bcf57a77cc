"""Moderators: who is appointed or dismissed learns it by a letter, with the reason."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings

from accounts.models import AuditEntry, Player
from accounts.services import moderators
from accounts.services.errors import NotAllowed, Refused
from tests.accounts.post import delivered, text
from tests.factories import ModeratorFactory, PlayerFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(db: None) -> Player:
    """An administrator."""
    return PlayerFactory.create(is_staff=True, is_superuser=True)


def told(player: Player) -> str:
    [letter] = delivered(player.email)
    return f"{letter['Subject']}\n{text(letter)}"


def test_who_is_appointed_reads_why_and_where_the_desk_is(bob: Player, root: Player) -> None:
    moderators.appoint(player_id=bob.pk, by=root, reason="Fair in\nevery dispute.")
    said = told(bob)
    assert said.startswith("You are a moderator now")
    assert "The reason: Fair in every dispute." in said
    assert f"{settings.SITE_URL}/admin/" in said
    assert f"{settings.SITE_URL}/accounts/2fa/" in said


def test_who_is_dismissed_reads_why(root: Player) -> None:
    charlie = ModeratorFactory.create()
    moderators.dismiss(player_id=charlie.pk, by=root, reason="Gone fishing.")
    said = told(charlie)
    assert said.startswith("You are no moderator any more")
    assert "The reason: Gone fishing." in said
    assert "/admin/" not in said


def test_the_letter_is_in_the_language_of_who_is_appointed(bob: Player, root: Player) -> None:
    Player.objects.filter(pk=bob.pk).update(language="tr")
    moderators.appoint(player_id=bob.pk, by=root, reason="Adil.")
    assert told(bob).startswith("Artık moderatörsünüz")


@pytest.mark.parametrize("act", [moderators.appoint, moderators.dismiss])
def test_what_changes_nothing_is_told_to_nobody(act: Callable[..., None], root: Player) -> None:
    one = ModeratorFactory.create() if act is moderators.appoint else PlayerFactory.create()
    act(player_id=one.pk, by=root, reason="Again.")
    assert delivered(one.email) == []
    assert not AuditEntry.objects.exists()


def test_nobody_is_appointed_without_a_reason_or_by_a_moderator(bob: Player, root: Player) -> None:
    with pytest.raises(Refused, match="Give a reason"):
        moderators.appoint(player_id=bob.pk, by=root, reason=" \u200b ")
    with pytest.raises(NotAllowed):
        moderators.appoint(player_id=bob.pk, by=ModeratorFactory.create(), reason="Friend.")
    bob.refresh_from_db()
    assert not bob.is_staff
    assert delivered(bob.email) == []
