"""Which layers are finished: a file of lines, each a layer with its files, added when all of these are on the disk.

The first line is the key of the walk. A line ends with its checksum: one that was cut off is a layer that was not
finished. Files that no line names are of no use, and go. Where states are found by buckets a line is a bucket. A line
may also say that open layers are settled, or that they were dropped: whoever goes on knows what was known.
"""

from __future__ import annotations

import json
import os
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Generic, NamedTuple, TypeVar

from search.algorithms.layered import Damaged, Unusable
from search.layers.files import Extent, Site, StateFile, require_size

NAME = "layers.json"
OPEN = "open"  # in the line of a layer that is to be settled
REPLACED = "replaced"  # the line of layers that take the place of open ones
SETTLED: dict[str, object] = {"settled": True}
DROPPED: dict[str, object] = {"dropped": True}


class Layer(NamedTuple):
    """The states at one distance from the start."""

    states: int
    goals: int
    generated: int  # successors of the layer before
    written: int  # bytes, with the candidates
    files: tuple[StateFile, ...]


class Batch(NamedTuple):
    """States of one g and h that were found together, and the candidates that they lead to."""

    g: int
    h: int
    steps: int  # of a path to one of them, at most
    states: int
    generated: int  # successors of these
    dead: int  # of them, that were left out as dead ends
    falls: int  # of them, to which the estimate falls by more than the step costs
    written: int  # bytes, with the candidates
    files: tuple[StateFile, ...]
    extents: tuple[Extent, ...]


Line = TypeVar("Line", Layer, Batch)


def kept(line: Layer | Batch) -> int:
    """Bytes of its states."""
    return sum(file.size for file in line.files)


def across(line: Layer | Batch, low: int, high: int) -> tuple[StateFile, ...]:
    """The files that may have states of a hash range: theirs follow one another."""
    first = bisect_right(line.files, low, key=lambda file: file.high)
    last = bisect_left(line.files, high, key=lambda file: file.low)
    return line.files[first:last]


def between(lines: Sequence[Layer | Batch], low: int, high: int) -> tuple[StateFile, ...]:
    """The same of several lines."""
    return tuple(file for line in lines for file in across(line, low, high))


class Manifest(Generic[Line]):
    """The finished layers of a folder."""

    def __init__(self, site: Site, resume: bool, kind: type[Line]) -> None:
        """Unusable, Damaged; OSError where there can be no such folder. To be swept by who knows the runs."""
        self.site = site
        self.layers: list[Line] = []
        self.settled = self.dropped = 0  # of the layers so many are settled; so often the others were dropped
        self._kind: type[Line] = kind
        self.runs: Collection[str] = ()  # files of candidates that are still to be looked at
        self._path = Path(site.folder) / NAME
        Path(site.folder).mkdir(parents=True, exist_ok=True)
        if not self._path.exists() and any(Path(site.folder).iterdir()):
            raise Unusable(f"{site.folder} is not empty")
        self._lock = _locked(self._path)
        try:
            self._read_or_begin(resume)
        except BaseException:
            self._lock.close()
            raise
        self._last = _names(self.layers[-1]) if self.layers else set[str]()

    def commit(self, layer: Line, settled: bool = True) -> None:
        """All its files are on the disk."""
        self._keep(_names(layer))
        told = layer._asdict() if settled else layer._asdict() | {OPEN: True}
        self._append(told)
        self._follow(told, layer)

    def _keep(self, names: set[str]) -> None:
        """These files stay, whatever comes between: the line may be there already."""
        self._last = names
        for folder in {self.site.path(name).parent for name in names}:
            self._made_lasting(folder)

    def settle(self) -> None:
        """All layers are as they should be."""
        self._append(SETTLED)
        self._follow(SETTLED)

    def replace(self, layers: Sequence[Line]) -> None:
        """Instead of those that are open, these are settled; all their files are on the disk."""
        self._keep({name for layer in layers for name in _names(layer)})
        told: dict[str, Any] = {REPLACED: [layer._asdict() for layer in layers]}
        self._append(told)
        self._follow(told)

    def drop(self) -> None:
        """Layers that are not settled are none."""
        self._append(DROPPED)
        self._follow(DROPPED)
        self._last = set()

    def _follow(self, told: dict[str, Any], layer: Line | None = None) -> None:
        """What a line says; its layer, if that is at hand."""
        if told == DROPPED:
            del self.layers[self.settled :]
            self.dropped += 1
            return
        if REPLACED in told:
            self.layers[self.settled :] = [_line_of(self._kind, each) for each in told[REPLACED]]
        elif told != SETTLED:
            self.layers.append(layer or _line_of(self._kind, told))
        self.settled = self.settled if OPEN in told else len(self.layers)

    def close(self) -> None:
        """Somebody else may go on."""
        self.sweep()
        self._lock.close()

    def sweep(self) -> None:
        """Remove what no finished layer has. What the last one has made may not be among the runs yet."""
        named = {file.name for layer in self.layers for file in layer.files} | {*self.runs}
        named |= self._last
        for folder in Path(self.site.folder).iterdir():
            if not folder.is_dir() or not folder.name.startswith(("layer-", "run-")):
                continue
            for path in folder.iterdir():
                if f"{folder.name}/{path.name}" not in named:
                    path.unlink(missing_ok=True)
            if folder.name.startswith("run-") and not any(folder.iterdir()):
                folder.rmdir()

    def _made_lasting(self, folder: Path) -> None:
        """What was renamed in there stays so, where that is wanted and the system can promise it."""
        if not self.site.stays or not hasattr(os, "O_DIRECTORY"):
            return
        at = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(at)
        finally:
            os.close(at)

    def _read_or_begin(self, resume: bool) -> None:
        """Nobody else is at work here: what is cut off is nothing that another one is about to write."""
        if not self._path.stat().st_size:
            self._append(self._head)
        elif resume:
            self._read()
        else:
            raise Unusable(f"{self.site.folder} is not empty; --resume goes on in it")

    @property
    def _head(self) -> dict[str, object]:
        return {"key": self.site.key, "words": self.site.words}

    def _append(self, told: dict[str, object]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(told))
            file.flush()
            if self.site.stays:
                os.fsync(file.fileno())
        self._made_lasting(self._path.parent)

    def _read(self) -> None:
        """The lines that are whole; what was cut off after them is gone afterwards."""
        whole = self._path.read_bytes()
        end = whole.rfind(b"\n") + 1
        if not end:
            raise Damaged(f"{NAME} has no beginning")
        head, *told = _told(whole[:end])
        if head != self._head:
            raise Unusable(
                f"{self.site.folder} has layers of another puzzle, level or heuristic, or of another version"
            )
        for each in told:
            self._follow(each)
        for file in (file for layer in self.layers for file in layer.files):
            require_size(self.site, file)
        if end < len(whole):
            os.truncate(self._path, end)


def _told(lines: bytes) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines.splitlines(), 1):
        text, _, check = line.rpartition(b" ")
        if f"{zlib.crc32(text):08x}".encode() != check:
            raise Damaged(f"line {number} of {NAME} is not what was written")
        yield json.loads(text)


def _line(told: dict[str, object]) -> str:
    text = json.dumps(told, separators=(",", ":"))
    return f"{text} {zlib.crc32(text.encode()):08x}\n"


def _line_of(kind: type[Line], told: dict[str, Any]) -> Line:
    named = {"files": StateFile, "extents": Extent}
    values: dict[str, Any] = {name: tuple(named[name](*each) for each in value) if name in named else value
                              for name, value in told.items() if name != OPEN}  # fmt: skip
    return kind(**values)


def _names(line: Layer | Batch) -> set[str]:
    """The files that it has, and those of its candidates."""
    runs = {extent.name for extent in line.extents} if isinstance(line, Batch) else set()
    return {file.name for file in line.files} | runs


def _locked(path: Path) -> IO[bytes]:
    """Open as long as the walk goes on, empty if it is new; Unusable: another process has it."""
    file = path.open("ab")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise Unusable(f"another process is at work in {path.parent}") from None
    except (ImportError, OSError):
        return file  # no such locks here
    return file
