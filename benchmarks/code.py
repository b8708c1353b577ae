"""What grounding and machine code cost, for every level of the built-in puzzles: `python -m benchmarks.code`.

Seconds are CPU of this process: `ground`, from the puzzle to the task, `code`, from there to functions that a search
can call (rows prepared, text printed, LLVM). `lines` is the text that LLVM is given. The dearest level of each puzzle
is told; reading the file is not in it.
"""

from __future__ import annotations

import argparse
import fnmatch
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.report import Record, machine_lines, table
from models.document import read_document
from models.grounding import ground
from models.loader import load_text
from search.machine import Machine

PUZZLES = Path(__file__).resolve().parents[1] / "puzzles"
MOST_SECONDS = 5.0  # that a level should take, both together


def measured(path: Path) -> Iterator[Record]:
    """A record for each level."""
    text = path.read_text(encoding="utf-8")
    for level in read_document(text, str(path)).levels:
        puzzle = load_text(text, str(path), str(level))
        began = time.process_time()
        task = ground(puzzle)
        grounded = time.process_time()
        machine = Machine(task)
        assert machine.expand
        ended = time.process_time()
        yield {
            "puzzle": path.stem,
            "level": str(level),
            "ground s": round(grounded - began, 3),
            "code s": round(ended - grounded, 3),
            "lines": machine.lines,
            "words": machine.words,
        }


def seconds(record: Record) -> float:
    return float(record["ground s"]) + float(record["code s"])


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.code", description=__doc__)
    parser.add_argument("--only", default="*", help="names of puzzles, as a pattern")
    only = parser.parse_args(argv).only
    paths = [path for path in sorted(PUZZLES.glob("*.yaml")) if fnmatch.fnmatch(path.stem, only)]
    if not paths:
        print(f"no puzzle is named {only!r}", file=sys.stderr)
        return 2
    worst = [max(measured(path), key=seconds) for path in paths]
    print("\n".join(machine_lines([])) + "\n")
    print(table("The level of each puzzle that takes longest", sorted(worst, key=seconds, reverse=True)))
    late = [str(record["puzzle"]) for record in worst if seconds(record) > MOST_SECONDS]
    print(f"above {MOST_SECONDS:g} s: {', '.join(late) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
