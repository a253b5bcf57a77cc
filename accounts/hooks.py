"""What accounts must ask of higher apps: each declares its part here when it is ready."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from accounts.models import Player


class NotYet(Exception):
    """What was asked has to wait for something else, and is to be asked again later."""


class Concerned(Protocol):
    """An app that knows more of a player than his account. Every call may come again after it was interrupted."""

    def before_erasure(self, player: Player) -> None:
        """Ends what the player takes part in; he is about to be forgotten. Each act is a transaction of its own. Raises
        NotYet."""

    def part_of_export(self, player: Player) -> Mapping[str, Any]:
        """What it keeps of the player: files by name, each JSON data or a text; no data of others, no tokens."""

    def credentials_changed(self, player: Player) -> None:
        """His password or address changed: open rights of his are void."""

    def suspended(self, player: Player) -> None:
        """He may not play for now."""

    def restored(self, player: Player) -> None:
        """He may play again."""

    def untold(self) -> Collection[int]:
        """The ids of players for whom one of the last two was interrupted."""

    def are_parties(self, one: Player, other: Player) -> bool:
        """Whether one of them would gain by ruling on the other."""


_concerned: dict[str, Concerned] = {}


def register(name: str, app: Concerned) -> None:
    """Makes an app known; the same name again replaces it."""
    _concerned[name] = app


def concerned() -> tuple[Concerned, ...]:
    """Every app that declared its part, in the order of declaration."""
    return tuple(_concerned.values())


_kept_at_logout: set[str] = set()


def keep_at_logout(name: str) -> None:
    """Has what a session keeps by this name outlive a logout: it is the browser's, not the player's."""
    _kept_at_logout.add(name)


def kept_at_logout() -> frozenset[str]:
    """The names that were told so."""
    return frozenset(_kept_at_logout)
