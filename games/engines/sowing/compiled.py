"""Compiles functions by numba where it is installed; elsewhere the same source runs as it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar, cast

try:
    import numba
    import numpy as np
except ImportError:
    COMPILES: bool = False
else:
    COMPILES = True

F = TypeVar("F", bound=Callable[..., Any])

Ints = Any
"""A flat array of 64-bit integers: of numpy where functions are compiled, else a list, which is quicker to read uncompiled."""

Bytes = Any
"""A flat array of signed bytes, as endgame tables are; may be mapped from a file."""

WORD: Final = (1 << 63) - 1
"""Products are cut to this many bits: compiled ones wrap at 64, uncompiled ones do not."""


def compiled(function: F) -> F:
    """The function as machine code, made at its first call and kept where NUMBA_CACHE_DIR says, if it says so."""
    if not COMPILES:
        return function
    made: Any = numba.njit(cache=bool(getattr(numba.config, "CACHE_DIR", "")), nogil=True, boundscheck=False)(function)
    return cast("F", made)


def ints(values: Iterable[int]) -> Ints:
    """A flat array of these integers."""
    return np.array(list(values), dtype=np.int64) if COMPILES else list(values)


def zeros(count: int) -> Ints:
    """A flat array of as many zeros."""
    return np.zeros(count, dtype=np.int64) if COMPILES else [0] * count


def no_bytes() -> Bytes:
    """An empty array of signed bytes."""
    return np.zeros(0, dtype=np.int8) if COMPILES else []
