"""Prepares the data of the stack: translations, tables, static files, and a check that all is well."""

from __future__ import annotations

import sys
from io import StringIO

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import Error, connection

from config import messages


def main() -> int:
    """Exit status 1, with the reason in plain words, when the server must not start."""
    try:
        messages.compile_all()
        print("Translations are compiled", flush=True)
        django.setup()
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        call_command("check", databases=["default"], stdout=StringIO())
        print(f"Database is ready: {connection.vendor}", flush=True)
        call_command("collectstatic", verbosity=0, interactive=False)
        print("Static files are ready", flush=True)
    except (ImproperlyConfigured, CommandError, Error) as problem:
        print(str(problem).strip(), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
