"""Files of states: written whole or not at all, never changed, and read only where each byte is as it was written.

A file is a row of frames; a frame is three words (states in it, words that follow, a checksum of both and of what
follows) and packed states. A run has the candidates that one task has made, as extents: packed states of a partition.
Checksums begin with the key of the walk, so a file of another puzzle is noticed too. What has been read is given out
only when its checksum is right: machine code may rely on its states.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import numpy as np

from search.algorithms.layered import Damaged

if TYPE_CHECKING:
    from search.kernels.driver import Words
    from search.kernels.packing import Packer

FRAME = 1 << 16  # states of a frame, at most
HEAD = 3  # words of a frame before its states


class StateFile(NamedTuple):
    """A file of states whose hashes lie in a range."""

    name: str  # in the site's folder
    size: int
    check: int  # of the heads of its frames
    states: int
    low: int
    high: int


class Extent(NamedTuple):
    """Candidates of one partition of `parts`, in a run, or where there is no name in the memory of this process."""

    name: str
    part: int
    parts: int
    at: int  # bytes before them
    states: int
    check: int
    packed: int  # words
    cost: int = 0  # of the step that leads to them, and their estimate, where these tell buckets
    h: int = 0


class Site(NamedTuple):
    """Where a walk has its files, and what all of its tasks have in common."""

    folder: str
    key: str
    words: int  # of a state
    buffer: int  # bytes of candidates that a process may hold
    stays: bool = True  # else nothing need have reached the disk

    @property
    def seed(self) -> int:
        """What checksums begin with."""
        return zlib.crc32(self.key.encode())

    def path(self, name: str) -> Path:
        return Path(self.folder) / name


def checksum(states: Words, seed: int) -> int:
    from search.kernels.packing import digest

    return int(digest(states, np.uint64(seed)))


class FileWriter:
    """A file that is being written."""

    def __init__(self, file: Any, seed: int) -> None:
        self._file, self._seed, self.size, self.check = file, seed, 0, seed

    def frame(self, packed: Words, states: int) -> None:
        head = np.array([states, len(packed), 0], np.uint64)
        head[2] = checksum(packed, zlib.crc32(head[:2].data, self._seed))
        self.check = zlib.crc32(head.data, self.check)
        self._put(head)
        self._put(packed)

    def extent(self, packed: Words) -> tuple[int, int]:
        """Where it begins, and its checksum."""
        at = self.size
        self._put(packed)
        return at, checksum(packed, self._seed)

    def _put(self, array: Words) -> None:
        self._file.write(array.data)
        self.size += array.nbytes


@contextmanager
def written(site: Site, name: str, lasting: bool = True) -> Iterator[FileWriter]:
    """A file under that name, once all of it has reached the disk; nothing where anything goes wrong. One that is not
    to last need not reach it."""
    path = site.path(name)
    draft = path.with_suffix(".draft")
    try:
        with draft.open("wb") as file:
            yield FileWriter(file, site.seed)
            file.flush()
            if lasting and site.stays:
                os.fsync(file.fileno())
        draft.rename(path)
    finally:
        draft.unlink(missing_ok=True)


def new_name(folder: str, kind: str) -> str:
    """One that nothing has: a task that is done again disturbs nobody."""
    return f"{folder}/{uuid4().hex[:16]}.{kind}"


def write_states(site: Site, folder: str, states: Words, packer: Packer, low: int, high: int) -> StateFile:
    """The states as a file of this folder; their array is used up."""
    name, count = new_name(folder, "states"), len(states) // site.words
    with written(site, name) as writer:
        for packed, number in packer.ordered(states, FRAME):
            writer.frame(packed, number)
    return StateFile(name, writer.size, writer.check, count, low, high)


def require_size(site: Site, file: StateFile) -> None:
    """Damaged: it is not there, or has another size."""
    _opened(site, file).close()


def _opened(site: Site, file: StateFile) -> BufferedReader:
    try:
        source = open(f"{site.folder}/{file.name}", "rb")  # noqa: SIM115 (paths of pathlib take longer than small files)
    except OSError:
        raise Damaged(f"{file.name} is missing") from None
    size = os.fstat(source.fileno()).st_size
    if size != file.size:
        source.close()
        raise Damaged(f"{file.name} has {size:,} bytes instead of {file.size:,}")
    return source


def frames(site: Site, file: StateFile, packer: Packer) -> Iterator[Words]:
    """The states, some at a time; Damaged: they are not what was written."""
    for packed, number in packed_frames(site, file, packer):
        yield packer.unpacked(packed, number)


def packed_frames(site: Site, file: StateFile, packer: Packer) -> Iterator[tuple[Words, int]]:
    """Packed states, and how many they are."""
    check = site.seed
    try:
        with _opened(site, file) as source:
            left = packer.read(source, file.size // 8)
        while len(left):
            head, packed, left = _frame(site, left)
            check = zlib.crc32(head.data, check)
            yield packed, int(head[0])
    except (OSError, ValueError) as why:
        raise Damaged(f"{file.name} cannot be read: {why}") from None
    if check != file.check:
        raise Damaged(f"{file.name} is not the file that was written")


def _frame(site: Site, left: Words) -> tuple[Words, Words, Words]:
    """The first one's head, what it has packed, and what is after it; ValueError: it is not whole."""
    head = left[:HEAD]
    if len(head) < HEAD or head[0] > FRAME or head[1] > len(left) - HEAD:
        raise ValueError("a frame is not whole")
    end = HEAD + int(head[1])
    packed = left[HEAD:end]
    if checksum(packed, zlib.crc32(head[:2].data, site.seed)) != head[2]:
        raise ValueError("a checksum is wrong")
    return head, packed, left[end:]


def candidates(site: Site, extent: Extent, packer: Packer) -> Words:
    """Those of an extent in a run; Damaged as above."""
    try:
        with site.path(extent.name).open("rb") as source:
            source.seek(extent.at)
            packed = packer.read(source, extent.packed)
    except (OSError, ValueError) as why:
        raise Damaged(f"{extent.name} cannot be read: {why}") from None
    if checksum(packed, site.seed) != extent.check:
        raise Damaged(f"{extent.name} is not what was written")
    return packer.unpacked(packed, extent.states)
