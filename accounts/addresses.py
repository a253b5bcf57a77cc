"""E-mail addresses: which ones we write to."""

from __future__ import annotations

import re
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _

_ENCODED: Final = "=?"
"""The beginning of an encoded word (RFC 2047): some programs would read another address out of it."""
_PLAIN: Final = re.compile(r"[!#-'*-\[\]-~]+")
"""What may stand before the @: printable ASCII without spaces, quotation marks, brackets and backslashes."""


def validate_address(address: str) -> None:
    """Raises ValidationError for what is no address, and for one that is allowed by RFC 5322 but could be read as something
    else in the header of a letter: quoted, encoded, with letters beyond ASCII or signs that cannot be printed."""
    validate_email(address)
    local, _at, domain = address.rpartition("@")
    if not _PLAIN.fullmatch(local) or _ENCODED in address or not domain.isprintable():
        raise ValidationError(_("Before the @ of an address there may be plain Latin letters, digits and signs only."))
