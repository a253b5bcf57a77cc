"""The tables of letters: the outbox, what is held back, what players want of it, and what addresses put up with."""

from notifications.models.bounce import Bounce
from notifications.models.hold import Hold
from notifications.models.letter import Letter, LetterQuerySet
from notifications.models.preference import Preference
from notifications.models.refusal import Refusal

__all__ = ["Bounce", "Hold", "Letter", "LetterQuerySet", "Preference", "Refusal"]
