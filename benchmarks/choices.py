"""What `auto` takes beside each search that it may choose: `python -m benchmarks.choices`.

Seconds are CPU of a whole process, the least of some runs in turn, after one that is not counted, so that code and
tables are kept: `blind` is breadth-first search, `declared` A* with the first proven heuristic of the file, `derived`
A* with tables, `two ways` bidirectional search. `ratio` is `auto` over the best. Levels are told where `auto` has tried
more than its first choice.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.levels import levels_of
from benchmarks.processes import Failed, run
from benchmarks.report import Record, machine_lines, table
from puzzlewright.solving.choosing import EARLY

PUZZLES = Path(__file__).resolve().parents[1] / "puzzles"
ANY_END = range(256)
CHOICES = {
    "blind": ("--backend", "bfs"),
    "declared": ("--backend", "astar"),
    "derived": ("--backend", "astar", "--heuristic", "derived"),
    "two ways": ("--backend", "bidirectional"),
    "auto": (),
}


def measured(level: Sequence[str], choice: Sequence[str], limit: float) -> Record:
    """A run's CPU seconds, outcome and states."""
    command = [sys.executable, "-m", "puzzlewright", "solve", *level, *choice, "--time-limit", str(limit), "--json"]
    ended = run(command, 3 * limit, good=ANY_END)
    said = json.loads(ended.text)
    expanded = said["statistics"].get("expanded") or 0
    return {"cpu": ended.cpu, "outcome": said["outcome"], "notes": said["notes"], "expanded": expanded}


def rows(only: str, limit: float, runs: int) -> Iterator[Record]:
    for path in sorted(PUZZLES.glob("*.yaml")):
        for level in levels_of(path.stem):
            name = f"{path.stem} {level.level}"
            if fnmatch.fnmatch(name, only):
                yield from compared(name, level.arguments, limit, runs)


def compared(name: str, level: Sequence[str], limit: float, runs: int) -> Iterator[Record]:
    try:
        if not tries_others(measured(level, (), limit)):
            return
        turns = [{words: measured(level, choice, limit) for words, choice in CHOICES.items()} for _ in range(1 + runs)]
        found = {words: min((turn[words] for turn in turns[1:]), key=lambda each: each["cpu"]) for words in CHOICES}
    except Failed as reason:
        print(f"{name}: {reason}", file=sys.stderr)
        return
    told = {words: told_of(each) for words, each in found.items()}
    best = min(each["cpu"] for words, each in found.items() if words != "auto" and is_decided(each))
    yield {"level": name, **told, "ratio": found["auto"]["cpu"] / best}


def tries_others(record: Record) -> bool:
    return bool(record["expanded"] > EARLY) or sum(note.startswith("auto: ") for note in record["notes"]) > 1


def is_decided(record: Record) -> bool:
    return record["outcome"] in ("optimal", "unsolvable")


def told_of(record: Record) -> object:
    return round(record["cpu"], 2) if is_decided(record) else record["outcome"]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.choices", description=__doc__)
    parser.add_argument("--only", default="*", help="puzzle and level, as a pattern")
    parser.add_argument("--limit", type=float, default=60, help="seconds of a run")
    parser.add_argument("--runs", type=int, default=2, help="of each choice, after the first one")
    given = parser.parse_args(argv)
    print("\n".join(machine_lines([])) + "\n")
    print(table("Every search by itself, and auto", list(rows(given.only, given.limit, given.runs))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
