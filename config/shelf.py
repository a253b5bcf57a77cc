"""A shelf for texts that are costly to make: as many as fit, by what they were made of."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Final


class Shelf:
    """Keeps at most so many characters; what was asked for longest ago goes first. Threads may share it."""

    def __init__(self, characters: int) -> None:
        self.characters: Final = characters
        self.size = 0
        self._texts: OrderedDict[Hashable, str] = OrderedDict()
        self._one_at_a_time = Lock()

    def find(self, key: Hashable) -> str | None:
        """The text that was kept under an equal key."""
        with self._one_at_a_time:
            if (text := self._texts.get(key)) is not None:
                self._texts.move_to_end(key)
            return text

    def keep(self, key: Hashable, text: str) -> None:
        """Keeps a text, and lets go of others where there is no room."""
        with self._one_at_a_time:
            self.size += len(text) - len(self._texts.pop(key, ""))
            self._texts[key] = text
            while self.size > self.characters:
                self.size -= len(self._texts.popitem(last=False)[1])

    def clear(self) -> None:
        """Keeps nothing any more."""
        with self._one_at_a_time:
            self._texts.clear()
            self.size = 0
