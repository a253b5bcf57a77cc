"""The reference data: the copies beside this file, or the whole of it in the folder that REFERENCE_DIR names."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from games.rules import registry

REFERENCE = Path(os.environ.get("REFERENCE_DIR", Path(__file__).parent / "reference"))


def played_here(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cases of games that the catalogue holds."""
    return [case for case in cases if case["game"] in registry.names()]


VARIANTS = {"A": "forbidden", "B": "no_capture", "C": "takes_all"}


def options_of(case: dict[str, Any]) -> dict[str, str]:
    """The options of a case or table: its `options` but for what the rules fix, or what its `variant` stands for."""
    if "variant" not in case:
        return dict(case["options"])
    variant = case["variant"]
    return {"grand_slam": VARIANTS[variant]} if variant in VARIANTS else {"end": variant}


def hand_cases() -> list[dict[str, Any]]:
    """Single moves and lists of legal moves worked out by hand."""
    return played_here([json.loads(line) for line in (REFERENCE / "hand_cases.jsonl").read_text().splitlines()])


def perft_tables() -> list[dict[str, Any]]:
    """Positions with the numbers of sequences of plies, by depth."""
    return played_here(json.loads((REFERENCE / "perft.json").read_text()))
