"""The return path: the address that mail servers send reports to (RFC 5321), one of its own for each letter.

It is `local+token@domain` of RETURN_PATH. The token names the letter and is signed together with the address that the letter
goes to, so it tells as well whether that is still the reader's. It is lower-case hexadecimal, whatever a mail server makes of
the case, and allows nothing: whoever knows it can only say that a letter did not arrive.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

SALT: Final = "letters.return"
NUMBER: Final = 12
SIGNATURE: Final = 20
TOKEN: Final = re.compile(rf"\+([0-9a-f]{{{NUMBER}}})([0-9a-f]{{{SIGNATURE}}})(?![0-9a-f])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Token:
    """The number of a letter, and a signature that is yet to be verified."""

    letter: int
    signature: str

    def is_of(self, address: str) -> bool:
        """Whether we sent that letter to this address."""
        secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
        return any(constant_time_compare(self.signature, _signature(self.letter, address, secret)) for secret in secrets)


def of(letter: int, address: str) -> str:
    """The return path of a letter to this address; without RETURN_PATH the sender of all letters."""
    if not settings.RETURN_PATH:
        return str(settings.DEFAULT_FROM_EMAIL)
    local, _at, domain = settings.RETURN_PATH.rpartition("@")
    return f"{local}+{letter:0{NUMBER}x}{_signature(letter, address, settings.SECRET_KEY)}@{domain}"


def find(text: str) -> list[Token]:
    """The tokens in a text, whatever others put around them: tags, marks of forwarders, capital letters."""
    # A number of twelve digits fits into every database's.
    return [Token(int(number, 16), signature.lower()) for number, signature in TOKEN.findall(text)]


def _signature(letter: int, address: str, secret: str) -> str:
    return salted_hmac(SALT, f"{letter}:{address.lower()}", secret=secret, algorithm="sha256").hexdigest()[:SIGNATURE]
