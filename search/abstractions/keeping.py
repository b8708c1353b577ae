"""Tables on disk, by what they were made of: every process that asks for the same maps the same file into its memory.

The name of a file is a digest of the rows, the goal, what of the start matters, and the text of the program. The file
begins with a digest of all that follows, so that one that was damaged is made again. Where nothing can be kept, nothing
is, and the oldest files go when all together become too large.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from models.task import Task
from models.terms import Term, parts_first
from models.values import plain as shown
from search.abstractions.reading import Sums
from search.abstractions.tables import Table
from search.cache import cache_folder
from search.proofs.transitions import Transition

PROGRAM = ("models", "search/abstractions", "search/compiler", "search/kernels", "search/proofs", "search/spaces",
           "search/machine.py")  # fmt: skip
MOST_BYTES = 1 << 31  # of all files together
DIGEST = 32  # bytes of it, at the beginning of a file
BLOCK = 64  # what tables begin at a multiple of
Kept = tuple[Sums, str]  # the sums, and why they may be made


def key_of(task: Task, rows: Iterable[Transition], unit: int, start: object) -> str:
    """What tables are made of; `start` is what of the start they depend on."""
    text = hashlib.blake2b(digest_size=20)
    numbers: dict[Term, int] = {}

    def told(term: Term) -> int:
        for part in parts_first(term, numbers):
            numbers[part] = len(numbers)
            own = [plain(getattr(part, each.name), numbers) for each in fields(part)]
            text.update(repr((type(part).__name__, own)).encode())
        return numbers[term]

    names = [(each.name, list(map(str, map(shown, each.domain)))) for each in task.variables]
    text.update(repr((program(), unit, start, names)).encode())
    for row in rows:
        after = [(told(old), told(new)) for old, new in row.after.items()]
        text.update(repr((after, told(row.cost), [told(part) for part in row.guard])).encode())
    text.update(repr((told(task.goal), told(task.always))).encode())
    return text.hexdigest()


def plain(value: object, numbers: dict[Term, int]) -> object:
    """A field of a term, with the numbers of its parts."""
    if isinstance(value, Term):
        return f"#{numbers[value]}"
    return [plain(each, numbers) for each in value] if isinstance(value, tuple) else value


@cache
def program() -> str:
    """A digest of the program's own text, as far as tables depend on it."""
    root, text = Path(__file__).resolve().parents[2], hashlib.blake2b(digest_size=16)
    for part in PROGRAM:
        path = root / part
        for each in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            text.update(each.read_bytes())
    return text.hexdigest()


def recalled(key: str, make: Callable[[], Kept]) -> Kept:
    """What is on disk, else what is made now."""
    path = cache_folder() / f"tables-{key}.bin"
    with suppress(OSError, ValueError, LookupError, TypeError):
        found = read(path)
        os.utime(path)
        return found
    made = make()
    with suppress(OSError):
        keep(path, made)
    return made


def keep(path: Path, made: Kept) -> None:
    """Write a file, never half of it, and make room for it."""
    sums, why = made
    arrays = list({id(table.far): table.far for group in sums for table in group}.values())
    places = {id(far): number for number, far in enumerate(arrays)}
    told = [[(places[id(t.far)], t.weights, t.unit, t.states, t.pattern) for t in group] for group in sums]
    head = json.dumps({"why": why, "sizes": [len(far) for far in arrays], "sums": told}).encode()
    parts = [padded(len(head).to_bytes(8, "little") + head, DIGEST), *(padded(far.tobytes(), 0) for far in arrays)]
    digest = hashlib.blake2b(digest_size=DIGEST)
    for part in parts:
        digest.update(part)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    with draft.open("wb") as file:
        file.writelines([digest.digest(), *parts])
    make_room(path.parent, draft.stat().st_size)
    draft.replace(path)


def padded(data: bytes, before: int) -> bytes:
    return data + bytes(-(before + len(data)) % BLOCK)


def make_room(folder: Path, size: int) -> None:
    """The files that nobody has used for longest go."""
    files = sorted(folder.glob("tables-*.bin"), key=lambda path: path.stat().st_mtime)
    left = sum(path.stat().st_size for path in files) + size
    for path in files:
        if left > MOST_BYTES:
            left -= path.stat().st_size
            path.unlink(missing_ok=True)


def read(path: Path) -> Kept:
    """The file, mapped; ValueError where it is not as it was written."""
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    view = memoryview(data)
    if hashlib.blake2b(view[DIGEST:], digest_size=DIGEST).digest() != view[:DIGEST]:
        raise ValueError("damaged")
    end = DIGEST + 8 + int.from_bytes(view[DIGEST : DIGEST + 8], "little")
    head = json.loads(bytes(view[DIGEST + 8 : end]))
    arrays, start = [], end + -end % BLOCK
    for size in head["sizes"]:
        arrays.append(np.frombuffer(data, np.uint8, size, start))
        start += size + -size % BLOCK
    return [[_table(arrays, *each) for each in group] for group in head["sums"]], head["why"]


def _table(arrays: list[Any], place: int, weights: list[list[int]], unit: int, states: int, told: list[str]) -> Table:
    return Table(arrays[place], tuple(map(tuple, weights)), unit, states, tuple(told))
