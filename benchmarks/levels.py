"""The levels that are measured: built-in ones, and others that are read from a folder of published collections."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_letters
from typing import Any

import yaml


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


def levels_of(puzzle: str) -> Iterator[Level]:
    """All levels of a built-in puzzle."""
    from models.document import read_document
    from puzzlewright.files.library import find

    text, source = find(puzzle)
    return (Level(puzzle, str(name)) for name in read_document(text, source).levels)


FIFTEEN_SOLVED = Level("n_puzzle", "seed-15", {"start": ",".join(map(str, [*range(1, 16), 0]))})


def collection(data: Path, file: str) -> dict[str, Any]:
    """The content of a file, JSON or YAML."""
    path = data / file
    if not path.is_file():
        raise Absent(f"there is no {file} in {data} (--data)")
    text = path.read_text("utf-8")
    found: dict[str, Any] = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    return found


def entry(data: Path, file: str, key: str, number: int, **also: str) -> dict[str, Any]:
    """One level of a collection."""
    entries: list[dict[str, Any]] = collection(data, file)[key]
    wanted = {"n": number, **also}
    return next(found for found in entries if all(found.get(name) == value for name, value in wanted.items()))


def rush_hour(data: Path, card: int, reach: int = 1) -> Level:
    """A standard card, in steps or, with reach 5, in slides of any length."""
    return cars(entry(data, "rush_hour.json", "boards", card, set="classic40"), reach)


def cars(found: Mapping[str, Any], reach: int = 1) -> Level:
    """A board of six by six, its rows one after the other."""
    rows = [found["board"][at : at + 6] for at in range(0, 36, 6)]
    return Level("rush_hour", settings={"board": json.dumps(rows), "target": found["target"], "reach": str(reach)})


def microban(data: Path, number: int) -> Level:
    rows: list[str] = entry(data, "sokoban_microban.json", "levels", number)["rows"]
    width = max(map(len, rows))
    return Level("sokoban", settings={"board": json.dumps([row.ljust(width, "#") for row in rows])})


def bloxorz(data: Path, number: int) -> Level:
    """A published stage; each of its bridges, switches and splitters gets a letter of its own."""
    stage = collection(data, "bloxorz_levels.yaml")["levels"][number - 1]
    rows = [list(row.translate(str.maketrans(".#SG", "0119"))) for row in stage["rows"]]
    letters = iter(ascii_letters)

    def mark(cells: Iterable[Sequence[int]]) -> str:
        letter = next(letters)
        for row, column in cells:
            rows[row][column] = letter
        return letter

    named = {name: mark(bridge["cells"]) for name, bridge in stage.get("bridges", {}).items()}
    switches = {mark([switch["at"]]): switch for switch in stage.get("switches", [])}
    found = {
        "start": stage["start"][0],
        "bridges": {named[name]: bridge["present"] for name, bridge in stage.get("bridges", {}).items()},
        "switches": {letter: _switch(switch, named) for letter, switch in switches.items()},
        "splitters": {mark([splitter["at"]]): splitter["to"] for splitter in stage.get("splitters", [])},
        "board": ["".join(row) for row in rows],
    }
    return Level("bloxorz", settings={name: json.dumps(value) for name, value in found.items()})


def _switch(switch: Mapping[str, Any], named: Mapping[str, str]) -> dict[str, Any]:
    done: dict[str, Any] = {"kind": switch["kind"]}
    for what, bridge in switch["do"]:
        done.setdefault(what, []).append(named[bridge])
    return done


def korf(data: Path, number: int) -> Level:
    """His goal has the gap first, ours has it last: the board is turned by half a turn and the tiles are renamed."""
    start = entry(data, "korf_15puzzle_100.json", "instances", number)["start"]
    return Level("n_puzzle", "seed-15", {"start": ",".join(map(str, turned(start)))})


def turned(start: list[int]) -> list[int]:
    return [len(start) - tile if tile else 0 for tile in reversed(start)]
