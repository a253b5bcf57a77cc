"""What games do when accounts say that a player leaves, is suspended or restored, or wants a copy of his data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from accounts.models import Player
from accounts.selectors import proven_addresses_of
from games import selectors
from games.services import adjudicate, challenge, leaving, rights


class GamePeople:
    """The part of games in what `accounts.hooks` asks."""

    def before_erasure(self, player: Player) -> None:
        """Closes what waits, resigns what runs, empties what names him. Raises NotYet while the time of a game of his is over."""
        challenge.withdraw_all(player=player)
        leaving.resign_everywhere(player=player)
        leaving.forget(player=player, addresses=proven_addresses_of(player))

    def part_of_export(self, player: Player) -> Mapping[str, Any]:
        """`games.json`, `challenges.json`, `messages.json`, `notes.json` and a record of each game, in which opponents have no
        name; of what was written the player's own part."""
        records = {f"games/{game}.game": text for game, text in selectors.records_of(player)}
        return {
            "games.json": selectors.games_of(player),
            "challenges.json": selectors.challenges_by(player),
            "messages.json": selectors.messages_by(player),
            "notes.json": selectors.notes_of(player),
            **records,
        }

    def credentials_changed(self, player: Player) -> None:
        """The links in his letters are dead."""
        rights.make_void(player=player)

    def suspended(self, player: Player) -> None:
        """The links in his letters are dead, his games pause, his challenges are withdrawn."""
        rights.make_void(player=player)
        adjudicate.pause_games(player=player)
        challenge.withdraw_all(player=player)

    def restored(self, player: Player) -> None:
        """His games go on."""
        adjudicate.resume_games(player=player)

    def untold(self) -> Collection[int]:
        """Whose games still run though he is suspended, or are still paused though he is not."""
        return selectors.untold()

    def are_parties(self, one: Player, other: Player) -> bool:
        """Whether they play with each other now."""
        return selectors.play_together(one, other)
