"""The clauses that a line of an LRAT proof names, without those that are true already when their turn comes.

CP-SAT (OR-Tools 9.15) names some clauses twice, or one whose only open literal has just become true. Such a clause
derives nothing, and a strict checker refuses it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from encoders.clausal import Clause

CLOCK = 1000  # lines between two looks at the clock


def tidy(clauses: Sequence[Clause], proof: Path, deadline: float) -> None:
    """Rewrite the proof of these clauses; TimeoutError at the deadline, a time of `time.perf_counter`."""
    known = dict(enumerate(clauses, 1))
    draft = proof.with_name(proof.name + ".tidy")
    odd = "surrogateescape"  # what is no ASCII stays
    with (
        proof.open(encoding="ascii", errors=odd) as lines,
        draft.open("w", encoding="ascii", errors=odd, newline="\n") as out,
    ):
        for number, line in enumerate(lines):
            if number % CLOCK == 0 and time.perf_counter() > deadline:
                raise TimeoutError
            out.write(_tidied(line, known))
    draft.replace(proof)


def _tidied(line: str, known: dict[int, Clause]) -> str:
    """A line that is none, where a disk was full for instance, stays as it is, for a checker to refuse."""
    try:
        return _without_needless(line, known)
    except (ValueError, IndexError):
        return line


def _without_needless(line: str, known: dict[int, Clause]) -> str:
    name, *words = line.split()
    if words[0] == "d":
        for word in words[1:-1]:
            known.pop(int(word), None)
        return line
    numbers = list(map(int, words))
    middle = numbers.index(0)
    literals, named = numbers[:middle], numbers[middle + 1 : -1]
    needed = _needed(literals, named, known)
    known[int(name)] = tuple(literals)
    return " ".join(map(str, (name, *literals, 0, *needed, 0))) + "\n"


def _needed(literals: Iterable[int], named: Iterable[int], known: Mapping[int, Clause]) -> list[int]:
    """Up to the contradiction; what cannot be made sense of stays, for a checker to refuse."""
    false, needed = set(literals), list[int]()
    for name in named:
        left = [each for each in known.get(name, (0,)) if each not in false]
        if any(-each in false for each in left):
            continue
        needed.append(name)
        if not left:
            break
        false.add(-left[0])
    return needed
