"""Fills the database that the environment names with the scene, and prints its pages as JSON."""

from __future__ import annotations

import json

import django
from django.conf import settings

if __name__ == "__main__":
    # Nobody guesses these passwords.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    django.setup()
    from tests.screenshots import scene

    print(json.dumps(scene.made()))
