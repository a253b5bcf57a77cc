"""Where numba keeps what it has compiled for the engines, so that a process starts in a moment."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

_SOURCES: Final = Path(__file__).resolve().parent.parent / "games" / "engines" / "sowing"


def kept_in(folder: Path) -> str:
    """The place below this folder that belongs to the sources as they are: numba looks only at the file of a function, not at
    the files of those that it calls."""
    digest = hashlib.sha256()
    for source in sorted(_SOURCES.glob("*.py")):
        digest.update(source.read_bytes())
    return str(folder / "compiled" / digest.hexdigest()[:16])
