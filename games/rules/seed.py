"""A seed: 32 secret bytes from which everything random of one game follows, so that whoever gets to know them can check it.

The seed is chosen when the game begins, and only its fingerprint is shown. With `game` the number of the game:

    fingerprint = SHA-256("perepiska 1 GAME " followed by the seed)
    block       = HMAC-SHA256(key: the seed, message: "perepiska 1 GAME WHAT NUMBER ATTEMPT"), a number of 256 bits, big-endian
    ticket      = block modulo N, from 0 to N - 1

All texts are ASCII, all numbers decimal. ATTEMPT counts from 0; a block from which not every ticket would be equally likely, one
of the last 2^256 modulo N, is thrown away, and the next attempt made. A seed never makes two things fall by one message.

A draw: WHAT is `draw`, NUMBER counts the draws by this seed from 1, N is the sum of the weights. The outcomes lie side by side
in the order in which the rules name them, each as wide as its weight; the one that covers the ticket falls.

A lot: WHAT is `lot`; for NUMBER from the last place down to 1 (places count from 0), with N = NUMBER + 1, the thing in place
NUMBER changes places with the one in the place of the ticket (Fisher and Yates).
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")

BYTES: Final = 32
FINGERPRINT: Final = re.compile(r"[0-9a-f]{64}")
_BLOCKS: Final = 1 << 256


class Seed:
    """Shows itself nowhere: `revealed` alone gives the secret away."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) != BYTES:
            raise ValueError(f"a seed has {BYTES} bytes")
        self._key = key

    @classmethod
    def from_text(cls, text: str) -> Seed:
        """Inverse of `revealed`. Raises ValueError."""
        if not FINGERPRINT.fullmatch(text):
            raise ValueError(f"a seed is written in {2 * BYTES} digits from 0 to f")
        return cls(bytes.fromhex(text))

    def __repr__(self) -> str:
        return "<a seed>"

    def revealed(self) -> str:
        """The secret in 64 hexadecimal digits."""
        return self._key.hex()

    def fingerprint(self, game: int) -> str:
        """What the game page shows before the seed is revealed: 64 hexadecimal digits."""
        return hashlib.sha256(f"perepiska 1 {game} ".encode() + self._key).hexdigest()

    def ticket(self, game: int, what: str, number: int, tickets: int) -> int:
        """A number from 0 to `tickets` - 1, each equally likely. Raises ValueError when there is none."""
        if not 0 < tickets <= _BLOCKS:
            raise ValueError("there is nothing to draw from")
        fair = _BLOCKS - _BLOCKS % tickets
        attempt = 0
        while (block := self._block(f"perepiska 1 {game} {what} {number} {attempt}")) >= fair:
            attempt += 1
        return block % tickets

    def _block(self, message: str) -> int:
        return int.from_bytes(hmac.digest(self._key, message.encode(), "sha256"), "big")

    def draw(self, game: int, number: int, outcomes: Sequence[tuple[str, int]]) -> str:
        """The outcome of draw `number`, each as likely as its whole weight says. Raises ValueError when none has a weight."""
        return covering(self.ticket(game, "draw", number, sum(weight for _, weight in outcomes)), outcomes)

    def lot(self, game: int, things: Sequence[T]) -> list[T]:
        """The things in an order that the lot decides."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.ticket(game, "lot", last, last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def covering(ticket: int, outcomes: Sequence[tuple[str, int]]) -> str:
    """The outcome that covers the ticket. Raises ValueError for a ticket beyond them all."""
    for outcome, weight in outcomes:
        ticket -= weight
        if ticket < 0:
            return outcome
    raise ValueError("there is no such ticket")
