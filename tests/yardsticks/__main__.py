"""`python -m tests.yardsticks [perft] [plain [GAMES]] [openings [POSITIONS]]`: all of them, or those that are named."""

from __future__ import annotations

import os
import sys

import django


def main(arguments: list[str]) -> None:
    """Raises SystemExit for what is no part."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from tests.yardsticks import openings, perft, plain

    parts = {"perft": perft.measure, "plain": plain.measure, "openings": openings.measure}
    named = [one for one in arguments if not one.isdigit()] or list(parts)
    for name in named:
        if name not in parts:
            raise SystemExit(f"no part is called {name!r}; there are {', '.join(parts)}")
        after = arguments[arguments.index(name) + 1 :][:1] if name in arguments else []
        parts[name](*(int(one) for one in after if one.isdigit()))


if __name__ == "__main__":
    main(sys.argv[1:])
