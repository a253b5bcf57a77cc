"""The sowing core as it runs where numba is not installed, beside the compiled one."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from types import ModuleType

PACKAGE = "games.engines.sowing"


@cache
def uncompiled(name: str = "") -> ModuleType:
    """A module of the core, imported anew while there is no numba; all of them belong together."""
    return _whole()[f"{PACKAGE}.{name}" if name else PACKAGE]


@cache
def _whole() -> dict[str, ModuleType]:
    import games.engines
    import games.engines.sowing

    def taken_out() -> dict[str, ModuleType]:
        return {name: sys.modules.pop(name) for name in list(sys.modules) if name == PACKAGE or name.startswith(f"{PACKAGE}.")}

    compiled, numba = taken_out(), {name: sys.modules[name] for name in ("numba",) if name in sys.modules}
    sys.modules["numba"] = None  # type: ignore[assignment]
    try:
        for name in ("compiled", "core", "alphabeta", "search", "ranks", "endgames"):
            import_module(f"{PACKAGE}.{name}")
    finally:
        plain = taken_out()
        del sys.modules["numba"]
        sys.modules.update(compiled | numba)
        games.engines.sowing = compiled[PACKAGE]
    return plain
