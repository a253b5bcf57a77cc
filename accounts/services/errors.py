"""Why a service of accounts refuses: each with words for the player. Nothing was changed."""

from __future__ import annotations

from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Refused(Exception):
    """The base of all refusals; `said` is what the player is told, `status` the HTTP status that fits."""

    status: ClassVar[int] = 400
    reason: ClassVar[str | Promise] = _("That is not possible.")

    def __init__(self, said: str | Promise | None = None) -> None:
        self.said = said or self.reason
        super().__init__(str(self.said))


class Gone(Refused):
    """There is no such player or report (any more)."""

    status = 404
    reason = _("This does not exist any more.")


class NotAllowed(Refused):
    """Somebody else may do this."""

    status = 403
    reason = _("You may not do this.")


class LastAdministrator(Refused):
    """Nobody would be left who can give rights to others."""

    status = 409
    reason = _("You are the only administrator. Give somebody else that right before you go.")
