"""Prepares the data of the stack: translations, tables, static files, and a check that all is well."""

from __future__ import annotations

import sys
from io import StringIO

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from config import messages


def main() -> int:
    """Exit status 1, with the reason in plain words, when the server must not start."""
    try:
        messages.compile_all()
        django.setup()
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        call_command("check", databases=["default"], stdout=StringIO())
    except (ImproperlyConfigured, CommandError) as problem:
        print(problem, file=sys.stderr)
        return 1
    print("Translations, database and static files are ready", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
