"""The tables of letters: the outbox, and the addresses that want none."""

from notifications.models.letter import Letter, LetterQuerySet
from notifications.models.refusal import Refusal

__all__ = ["Letter", "LetterQuerySet", "Refusal"]
