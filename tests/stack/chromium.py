"""The machine's Chromium."""

from __future__ import annotations

import os
import shutil
from typing import Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")


def program() -> str | None:
    """Where it is: as CHROMIUM says, else on PATH."""
    return os.environ.get("CHROMIUM") or next((where for name in NAMES if (where := shutil.which(name))), None)
