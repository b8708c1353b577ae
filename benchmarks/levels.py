"""The levels that are measured: built-in ones, and others that are read from a folder of published collections."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class Absent(Exception):
    """Something that a comparison needs is not there; the message says what."""


@dataclass(frozen=True)
class Level:
    """A puzzle's name, one of its levels (None: the first), and data that replace the level's, as `--set` has them."""

    puzzle: str
    level: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def arguments(self) -> list[str]:
        """As the command line wants them."""
        chosen = ["--level", self.level] if self.level else []
        return [self.puzzle, *chosen, *(f"--set={name}={value}" for name, value in self.settings.items())]


FIFTEEN_SOLVED = Level("n_puzzle", "seed-15", {"start": ",".join(map(str, [*range(1, 16), 0]))})


def entry(data: Path, file: str, key: str, number: int, **also: str) -> dict[str, Any]:
    """One level of a collection."""
    path = data / file
    if not path.is_file():
        raise Absent(f"there is no {file} in {data} (--data)")
    entries: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))[key]
    wanted = {"n": number, **also}
    return next(found for found in entries if all(found.get(name) == value for name, value in wanted.items()))


def rush_hour(data: Path, card: int) -> Level:
    found = entry(data, "rush_hour.json", "boards", card, set="classic40")
    rows = [found["board"][at : at + 6] for at in range(0, 36, 6)]
    return Level("rush_hour", settings={"board": json.dumps(rows), "target": found["target"], "reach": "1"})


def microban(data: Path, number: int) -> Level:
    rows: list[str] = entry(data, "sokoban_microban.json", "levels", number)["rows"]
    width = max(map(len, rows))
    return Level("sokoban", settings={"board": json.dumps([row.ljust(width, "#") for row in rows])})


def korf(data: Path, number: int) -> Level:
    """His goal has the gap first, ours has it last: the board is turned by half a turn and the tiles are renamed."""
    start = entry(data, "korf_15puzzle_100.json", "instances", number)["start"]
    return Level("n_puzzle", "seed-15", {"start": ",".join(map(str, turned(start)))})


def turned(start: list[int]) -> list[int]:
    return [len(start) - tile if tile else 0 for tile in reversed(start)]
