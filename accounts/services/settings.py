"""Changes what a player chose for oneself."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from accounts.models import Player
from notifications import preferences
from notifications.preferences import Wishes


class NameTaken(Exception):
    """Another player took the name, or one that looks like it, in the same moment."""


def change_language(*, player_id: int, language: str) -> None:
    """From now on pages and letters speak this language to the player."""
    Player.objects.filter(pk=player_id).update(language=language)


def change_settings(*, player_id: int, display_name: str, language: str, time_zone: str) -> Player:
    """The player with the new settings. Raises NameTaken."""
    try:
        with transaction.atomic():
            player = Player.objects.select_for_update().get(pk=player_id)
            player.display_name, player.language, player.time_zone = display_name, language, time_zone
            player.save(update_fields=["display_name", "name_key", "language", "time_zone"])
            preferences.move_to(player_id=player_id, zone=player.zone)
    except IntegrityError as taken:
        raise NameTaken from taken
    return player


def change_letters(*, player: Player, wishes: Wishes) -> None:
    """From now on letters come to the player so. Raises IntegrityError for what cannot be chosen."""
    preferences.change(player_id=player.pk, zone=player.zone, wishes=wishes)
