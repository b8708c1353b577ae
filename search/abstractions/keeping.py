"""Tables on disk, by what they were made of: every process that asks for the same maps the same file into its memory.

The name of a file is a digest of the rows, the goal, what of the start matters, and the text of the program. The file
begins with a digest of all that follows, so that one that was damaged is made again. Where nothing can be kept, nothing
is, and the oldest files go when all together become too large.

To work that name out takes longer than many searches, so that a small file for each level tells it (`known`): its own
name is a digest of the level, which decides the rows. It also tells how the large file looked when it was last looked
through (`search.cache.seen`): if it looks the same, that need not be done again.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.outcomes import Unsupported
from models.task import Task
from models.terms import Term, parts_first
from models.values import plain as shown
from search.abstractions.derived import Derived, Starts, Sums, Table, starts_like
from search.cache import HOUR, TICK, cache_folder, mark, program, seen, write_whole

if TYPE_CHECKING:
    from search.abstractions.images import Image
    from search.abstractions.ranking import Bytes, Ranking
    from search.proofs.transitions import Transition

PROGRAM = ("models", "search/abstractions", "search/compiler", "search/kernels", "search/proofs", "search/spaces",
           "search/machine.py")  # fmt: skip
MOST_BYTES = 1 << 31  # of all files together
DIGEST = 32  # bytes of SHA-256, for which processors have instructions, at the beginning of a file
BLOCK = 64  # what tables begin at a multiple of
LARGE = 1 << 20  # entries of a table that is kept alone for a while
Kept = tuple[Sums, str]  # the sums, and why they may be made
UNREADABLE = (OSError, ValueError, LookupError, TypeError)


class Digest:
    """Of terms and what else can be printed; equal terms are told once, by the number of their first mention."""

    def __init__(self, *first: object) -> None:
        self._text = hashlib.blake2b(digest_size=20)
        self._numbers: dict[Term, int] = {}
        self.add(program(PROGRAM), *first)

    def add(self, *parts: object) -> None:
        self._text.update(repr([self._told(part) for part in parts]).encode())

    def _told(self, part: object) -> object:
        if isinstance(part, list | tuple):
            return [self._told(each) for each in part]
        return self._number(part) if isinstance(part, Term) else part

    def _number(self, term: Term) -> str:
        for part in parts_first(term, self._numbers):
            own = [plain(getattr(part, each.name), self._numbers) for each in fields(part)]
            self._numbers[part] = len(self._numbers)
            self._text.update(repr((type(part).__name__, own)).encode())
        return f"#{self._numbers[term]}"

    @property
    def name(self) -> str:
        return self._text.hexdigest()


def key_of(task: Task, rows: Iterable[Transition], unit: int, start: object) -> str:
    """What all tables of a task are made of; `start` is what of the start they depend on."""
    names = [(each.name, list(map(str, map(shown, each.domain)))) for each in task.variables]
    digest = Digest(unit, start, names)
    for row in rows:
        digest.add(list(row.after.items()), row.cost, row.guard)
    digest.add(task.goal, task.always)
    return digest.name


def key_of_image(image: Image, ranking: Ranking) -> str:
    """What one table is made of."""
    digest = Digest(ranking.weights, ranking.digits, ranking.filler, ranking.apart)
    for schema in image.task.schemas:
        digest.add([len(each.domain) for each in schema.choices])
        for row in schema.rows:
            digest.add(row.guard, [(each.target, each.value) for each in row.phases[0].assignments], row.cost)
    digest.add(image.task.goal)
    return digest.name


def plain(value: object, numbers: dict[Term, int]) -> object:
    """A field of a term, with the numbers of its parts."""
    if isinstance(value, Term):
        return f"#{numbers[value]}"
    return [plain(each, numbers) for each in value] if isinstance(value, tuple) else value


def recalled(key: str, make: Callable[[], Kept], whole: Callable[[], bool]) -> Kept:
    """What is on disk, else what is made now; that is kept if it is the `whole` that others would make too."""
    path = _path(key)
    with suppress(*UNREADABLE):
        found = read(path)
        mark(path)
        return found
    made = make()
    if whole():
        with suppress(OSError):
            keep(path, made)
    return made


def known(task: Task, values: Sequence[Sequence[int]], in_passing: bool) -> Derived | None:
    """What was derived of a task before, if that is on disk: not even its rows are looked at. Unsupported: nothing."""
    if not task.fingerprint:
        return None
    with suppress(*UNREADABLE):
        path = _path_of_level(task, values, in_passing)
        _, told = _head(mapped(path))
        if "nothing" in told:
            mark(path)
            raise Unsupported(told["nothing"])
        path = _path(told["tables"])
        whole = bool(told["seen"]) and told["seen"] == seen(path) and time.time() - path.stat().st_mtime < HOUR
        sums, why = read(path, whole)
        starts = starts_like(task.start, told["known"], tuple(told["places"]), values, sums)
        if not whole:
            mark(path)
            remember(task, values, in_passing, told_of(told["tables"], starts))
        return Derived(sums, why, starts)
    return None


def told_of(key: str, starts: Starts) -> dict[str, object]:
    """Of the tables of that key, which were looked through just now."""
    try:
        look = seen(_path(key))
    except OSError:
        look = ""
    return {"tables": key, "known": list(starts.known), "places": starts.places, "seen": look}


def remember(task: Task, values: Sequence[Sequence[int]], in_passing: bool, told: Mapping[str, object]) -> None:
    """That this is what is derived of a task."""
    with suppress(OSError):
        if task.fingerprint:
            write(_path_of_level(task, values, in_passing), [_headed(told)])


def _path(key: str) -> Path:
    return cache_folder() / f"tables-{key}.bin"


def _path_of_level(task: Task, values: Sequence[Sequence[int]], in_passing: bool) -> Path:
    """The fingerprint tells the task but for where it begins, and, where that is too deep to be told, the puzzle, which
    with the program's text decides it."""
    variables = [(each.name, len(each.domain), each.start) for each in task.variables]
    parts = task.fingerprint, task.metric, task.weights, len(task.rows), variables, values, in_passing
    return cache_folder() / f"tables-{Digest(*parts).name}.task"


class Parts:
    """Large tables on disk until all are made: what a run that was stopped has made is not lost."""

    def __init__(self) -> None:
        self._paths: list[Path] = []

    def recalled(self, image: Image, ranking: Ranking, make: Callable[[], Bytes]) -> Bytes:
        """The entries of a table, from the disk if they are there."""
        if ranking.size < LARGE:
            return make()
        path = cache_folder() / f"tables-{key_of_image(image, ranking)}.part"
        self._paths.append(path)
        with suppress(OSError, ValueError):
            import numpy as np

            found: Bytes = np.frombuffer(mapped(path), np.uint8, ranking.size, DIGEST)
            return found
        far = make()
        with suppress(OSError):
            write(path, [far.tobytes()])
        return far

    def done(self) -> None:
        """All are in one file now."""
        for path in self._paths:
            with suppress(OSError):
                path.unlink(missing_ok=True)


def keep(path: Path, made: Kept) -> None:
    """All tables in one file."""
    sums, why = made
    arrays = list({id(table.far): table.far for group in sums for table in group}.values())
    places = {id(far): number for number, far in enumerate(arrays)}
    told = [
        [(places[id(t.far)], t.weights, t.unit, t.states, t.pattern, t.ends, t.most) for t in group] for group in sums
    ]
    head = _headed({"why": why, "sizes": [len(far) for far in arrays], "sums": told})
    write(path, [padded(head, DIGEST), *(padded(far.tobytes(), 0) for far in arrays)])
    if any(len(far) >= LARGE for far in arrays):
        time.sleep(TICK / 1e9)  # so that it is told how the file looks, which spares others to look through it


def write(path: Path, parts: Sequence[bytes]) -> None:
    """A file with the digest of what is in it, never half of it, and room for it."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    path.parent.mkdir(parents=True, exist_ok=True)
    make_room(path.parent, DIGEST + sum(map(len, parts)))
    write_whole(path, digest.digest(), *parts)


def padded(data: bytes, before: int) -> bytes:
    return data + bytes(-(before + len(data)) % BLOCK)


def make_room(folder: Path, size: int) -> None:
    """The files that nobody has used for longest go."""
    files = [path for kind in ("bin", "part", "task") for path in folder.glob(f"tables-*.{kind}")]
    files.sort(key=lambda path: path.stat().st_mtime)
    left = sum(path.stat().st_size for path in files) + size
    for path in files:
        if left > MOST_BYTES:
            left -= path.stat().st_size
            path.unlink(missing_ok=True)


def mapped(path: Path, whole: bool = False) -> mmap.mmap:
    """ValueError where the file is not as it was written; `whole`: it is known to be. What is written into the memory
    stays there, and nobody does that; but only what might be written to tells its address."""
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    with memoryview(data) as view:
        if not whole and hashlib.sha256(view[DIGEST:]).digest() != view[:DIGEST]:
            raise ValueError("damaged")
    return data


def _headed(told: object) -> bytes:
    head = json.dumps(told).encode()
    return len(head).to_bytes(8, "little") + head


def _head(data: mmap.mmap) -> tuple[int, Any]:
    """Where it ends, and what it says."""
    end = DIGEST + 8 + int.from_bytes(data[DIGEST : DIGEST + 8], "little")
    return end, json.loads(data[DIGEST + 8 : end])


def read(path: Path, whole: bool = False) -> Kept:
    data = mapped(path, whole)
    end, head = _head(data)
    arrays, start, view = [], end + -end % BLOCK, memoryview(data)
    for size in head["sizes"]:
        arrays.append(view[start : start + size])
        start += size + -size % BLOCK
    return [[_table(arrays, *each) for each in group] for group in head["sums"]], head["why"]


def _table(arrays: list[Any], place: int, weights: list[list[int]], unit: int, states: int, told: list[str],
           ends: int, most: int) -> Table:  # fmt: skip
    return Table(arrays[place], tuple(map(tuple, weights)), unit, states, tuple(told), ends=ends, most=most)
