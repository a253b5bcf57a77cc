"""The tables of letters: the outbox, what players want of it, and the addresses that want no invitations."""

from notifications.models.letter import Letter, LetterQuerySet
from notifications.models.preference import Preference
from notifications.models.refusal import Refusal

__all__ = ["Letter", "LetterQuerySet", "Preference", "Refusal"]
