"""The original stages of Bloxorz, where the folder that has them is present."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from string import ascii_letters
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
STAGES = ROOT.parent / "shared" / "data" / "bloxorz_levels.yaml"
OPTIMAL_SUM = 1999


@cache
def stages() -> dict[int, dict[str, Any]]:
    """The original stages by their numbers, where the folder that has them is present."""
    if not STAGES.exists():
        pytest.skip(f"the original stages are not here: {STAGES}")
    return {stage["id"]: stage for stage in yaml.safe_load(STAGES.read_text(encoding="utf-8"))["levels"]}


def as_level(stage: dict[str, Any]) -> dict[str, Any]:
    """An original stage as a level of the file: its own letter for each bridge, switch and splitter."""
    rows = [list(row.translate(str.maketrans(".#SG", "0119"))) for row in stage["rows"]]
    letters = iter(ascii_letters)
    level: dict[str, Any] = {"start": stage["start"][0], "bridges": {}, "switches": {}, "splitters": {}}
    named: dict[str, str] = {}
    for name, bridge in stage.get("bridges", {}).items():
        named[name] = next(letters)
        level["bridges"][named[name]] = bridge["present"]
        for row, col in bridge["cells"]:
            assert rows[row][col] in "=-"
            rows[row][col] = named[name]
    for switch in stage.get("switches", []):
        row, col = switch["at"]
        assert rows[row][col] in "ox"
        rows[row][col] = next(letters)
        made: dict[str, Any] = {"kind": switch["kind"]}
        for what, name in switch["do"]:
            made.setdefault(what, []).append(named[name])
        level["switches"][rows[row][col]] = made
    for splitter in stage.get("splitters", []):
        row, col = splitter["at"]
        assert rows[row][col] == "("
        rows[row][col] = next(letters)
        level["splitters"][rows[row][col]] = splitter["to"]
    return level | {"board": ["".join(row) for row in rows]}
