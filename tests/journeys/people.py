"""People who have an account before their journey begins: `python -m tests.journeys.people NAME ...` prints their sessions."""

from __future__ import annotations

import json
import sys

import django
from django.conf import settings


def made(*names: str) -> dict[str, str]:
    """A session by each name, of a player who logged in."""
    from django.test import Client

    from tests.accounts.visitors import somebody

    sessions = {}
    for name in names:
        client = Client(SERVER_NAME="localhost")
        client.force_login(somebody(name))
        sessions[name] = client.cookies["sessionid"].value
    return sessions


if __name__ == "__main__":
    # Nobody guesses these passwords.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    django.setup()
    print(json.dumps(made(*sys.argv[1:])))
