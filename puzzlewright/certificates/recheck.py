"""Re-check a proof that a formula has no model. Standard library only; this file needs nothing beside it.

    python3 recheck.py problem.cnf proof.lrat      a formula in DIMACS, a proof in LRAT
    python3 recheck.py DIR                         a certificate: the digests of its files, then its proofs

Each line of an LRAT proof (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, Efficient certified RAT verification,
2017) gives a clause and the clauses to derive it from by unit propagation: with all its literals false, each clause
named leaves just one literal that can be true, and the last one leaves none. The empty clause must be derived. Steps
that only keep the formula satisfiable (RAT) are refused, as is everything that is not written as it should be.

Exit code 0: accepted. 1: refused, with the reason. 2: a file is missing or the command is wrong.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

NAME = re.compile(rb"[1-9][0-9]{0,15}")  # of a clause
CLAUSE = re.compile(rb"(?:-?[1-9][0-9]{0,15} )*0(?: [1-9][0-9]{0,15})* 0")  # literals, 0, names of clauses, 0
DELETED = re.compile(rb"d(?: [1-9][0-9]{0,15})* 0")
NUMBERS = re.compile(rb"\s*(?:(?:0|-?[1-9][0-9]{0,15})(?:\s+|$))*")
HEADER = re.compile(rb"p cnf (0|[1-9][0-9]{0,15}) (0|[1-9][0-9]{0,15})\s*")
CLOCK = 1000  # lines between two looks at the clock


class Refused(Exception):
    """Why a formula, a proof or a certificate is not accepted."""


class Accepted(NamedTuple):
    variables: int
    clauses: int  # of the formula
    lines: int  # of the proof
    derived: int  # clauses that the proof adds


def read_formula(path: Path) -> tuple[int, dict[int, tuple[int, ...]]]:
    """(number of variables, clause number -> literals) of a DIMACS file."""
    header: tuple[int, int] | None = None
    clauses: dict[int, tuple[int, ...]] = {}
    literals: list[int] = []
    for number, line in _lines(path):
        where = f"{path.name}, line {number}"
        if line.startswith(b"c"):
            continue
        if line.startswith(b"p"):
            found = HEADER.fullmatch(line)
            if header is not None or found is None:
                raise Refused(f"{where}: there is one header, `p cnf VARIABLES CLAUSES`")
            header = int(found[1]), int(found[2])
            continue
        if header is None or not NUMBERS.fullmatch(line):
            raise Refused(f"{where}: {'whole numbers are' if header else 'the header `p cnf ...` is'} expected here")
        for literal in map(int, line.split()):
            if abs(literal) > header[0]:
                raise Refused(f"{where}: the formula has no variable {abs(literal)}")
            if literal:
                literals.append(literal)
            else:
                clauses[len(clauses) + 1] = tuple(dict.fromkeys(literals))
                literals = []
    if header is None or literals:
        raise Refused(f"{path.name}: {'the last clause has no end' if literals else 'there is no header'}")
    if len(clauses) != header[1]:
        raise Refused(f"{path.name}: the header tells of {header[1]} clauses, there are {len(clauses)}")
    return header[0], clauses


def check(formula: Path, proof: Path, deadline: float | None = None) -> Accepted:
    """Refused where the proof is wrong; TimeoutError at the deadline, a time of `time.perf_counter`."""
    variables, clauses = read_formula(formula)
    given = last = len(clauses)
    number = derived = 0
    proven = False
    for number, line in _lines(proof):
        if deadline is not None and number % CLOCK == 0 and time.perf_counter() > deadline:
            raise TimeoutError
        try:
            identifier, rest = _identified(line)
            if rest.startswith(b"d"):
                _delete(clauses, rest)
                continue
            if identifier <= last:
                raise Refused(f"clause {identifier} comes after clause {last}")
            literals, hints = _parts(rest)
            _derive(clauses, variables, literals, hints)
        except Refused as reason:
            raise Refused(f"{proof.name}, line {number}: {reason}") from None
        clauses[identifier] = literals
        last, derived, proven = identifier, derived + 1, proven or not literals
    if not proven:
        raise Refused(f"{proof.name}: the empty clause is not derived in its {number} lines")
    return Accepted(variables, given, number, derived)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, counted from 1; a last line without an end was cut off."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                raise Refused(f"{path.name}, line {number}: the end of the line is missing")
            yield number, line.rstrip(b"\r\n")


def _identified(line: bytes) -> tuple[int, bytes]:
    """(number, the rest) of a line of a proof."""
    identifier, _, rest = line.partition(b" ")
    if not NAME.fullmatch(identifier):
        raise Refused("a line begins with the number of a clause")
    return int(identifier), rest


def _parts(text: bytes) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(literals, clause numbers) of `LITERAL ... 0 NUMBER ... 0`."""
    if not CLAUSE.fullmatch(text):
        rat = (
            " (a negative one is a RAT step, which is not accepted)"
            if b"-" in (b" " + text).partition(b" 0 ")[2]
            else ""
        )
        raise Refused(f"expected are literals, 0, numbers of clauses, 0{rat}")
    numbers = tuple(map(int, text.split()))
    middle = numbers.index(0)
    return numbers[:middle], numbers[middle + 1 : -1]


def _delete(clauses: dict[int, tuple[int, ...]], text: bytes) -> None:
    if not DELETED.fullmatch(text):
        raise Refused("expected are d, numbers of clauses, 0")
    for name in map(int, text[1:].split()[:-1]):
        if clauses.pop(name, None) is None:
            raise Refused(f"there is no clause {name} to delete")


def _derive(
    clauses: dict[int, tuple[int, ...]], variables: int, literals: tuple[int, ...], hints: tuple[int, ...]
) -> None:
    """Refused unless unit propagation through just these clauses, in this order, ends in a contradiction."""
    false = set(literals)
    if len(false) < len(literals) or any(-each in false for each in literals):
        raise Refused("the clause has a variable twice")
    if any(abs(each) > variables for each in literals):
        raise Refused("the clause has a variable that the formula lacks")
    for place, hint in enumerate(hints, 1):
        if hint not in clauses:
            raise Refused(f"there is no clause {hint}")
        left = [each for each in clauses[hint] if each not in false]
        if not left:
            if place < len(hints):
                raise Refused(f"clause {hint} is a contradiction already, but {len(hints) - place} more are named")
            return
        if len(left) > 1 or -left[0] in false:
            raise Refused(f"clause {hint} is no unit clause here")
        false.add(-left[0])
    raise Refused("the clauses named lead to no contradiction")


# -- certificates ------------------------------------------------------------------------------------------------------


def check_digests(folder: Path) -> list[str]:
    """The names in the manifest of a certificate; Refused where a file is another, missing or too many."""
    try:
        digests = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["sha256"]
        names = sorted(digests.keys())
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Refused("manifest.json tells no digests") from None
    for name in names:
        if Path(name).name != name or not (folder / name).is_file():
            raise Refused(f"{name} is missing")
        if digest(folder / name) != digests[name]:
            raise Refused(f"{name} is not the file that the manifest tells of: its SHA-256 digest differs")
    others = sorted({path.name for path in folder.iterdir()} - {*names, "manifest.json"})
    if others:
        raise Refused(f"the manifest does not tell of {', '.join(others)}")
    return names


def proofs(folder: Path, names: list[str]) -> list[tuple[Path, Path]]:
    """Each formula of a certificate, with its proof."""
    found = [(folder / "problem.cnf", folder / "proof.lrat")] if "problem.cnf" in names else [
        (folder / name, folder / f"{name[:-4]}.lrat") for name in names if name.endswith(".cnf")]  # fmt: skip
    if not found:
        raise Refused("there is no formula in it: only `puzzlewright verify` can check this certificate")
    return found


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main(words: list[str]) -> int:
    try:
        if len(words) == 1:
            folder = Path(words[0])
            names = check_digests(folder)
            print(f"{len(names)} files have the digests that the manifest tells")
            pairs = proofs(folder, names)
        elif len(words) == 2:
            pairs = [(Path(words[0]), Path(words[1]))]
        else:
            print(__doc__)
            return 2
        for formula, proof in pairs:
            found = check(formula, proof)
            print(f"ACCEPTED: {formula.name if len(pairs) > 1 else 'the formula'} has no model ", end="")
            sizes = f"{found.clauses:,} clauses over {found.variables:,} variables, {found.lines:,} lines of proof"
            print(f"({sizes})")
    except Refused as reason:
        print(f"REFUSED: {reason}")
        return 1
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
