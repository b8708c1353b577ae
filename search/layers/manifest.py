"""Which layers are finished: a file of lines, each a layer with its files, added when all of these are on the disk.

The first line is the key of the walk. A line ends with its checksum: one that was cut off is a layer that was not
finished. Files that no line names are of no use, and go.
"""

from __future__ import annotations

import json
import os
import shutil
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from search.algorithms.layered import Damaged, Unusable
from search.layers.files import Site, StateFile, require_size

NAME = "layers.json"


class Layer(NamedTuple):
    """The states at one distance from the start."""

    states: int
    goals: int
    generated: int  # successors of the layer before
    written: int  # bytes, with the candidates
    files: tuple[StateFile, ...]

    @property
    def kept(self) -> int:
        """Bytes."""
        return sum(file.size for file in self.files)

    def across(self, low: int, high: int) -> tuple[StateFile, ...]:
        """The files that may have states of a hash range: theirs follow one another."""
        first = bisect_right(self.files, low, key=lambda file: file.high)
        last = bisect_left(self.files, high, key=lambda file: file.low)
        return self.files[first:last]


class Manifest:
    """The finished layers of a folder."""

    def __init__(self, site: Site, resume: bool) -> None:
        """Unusable, Damaged; OSError where there can be no such folder."""
        self.site, self.layers = site, list[Layer]()
        self._path = Path(site.folder) / NAME
        Path(site.folder).mkdir(parents=True, exist_ok=True)
        if resume and self._path.exists():
            self._read()
        elif any(Path(site.folder).iterdir()):
            raise Unusable(f"{site.folder} is not empty" + ("; --resume goes on in it" if self._path.exists() else ""))
        else:
            self._begin()
        self._lock = _locked(self._path)
        self.sweep()

    def commit(self, layer: Layer) -> None:
        """All its files are on the disk."""
        for folder in {self.site.path(file.name).parent for file in layer.files}:
            _made_lasting(folder)
        self._append({**layer._asdict(), "files": [list(file) for file in layer.files]})
        self.layers.append(layer)

    def close(self) -> None:
        """Somebody else may go on."""
        self.sweep()
        self._lock.close()

    def sweep(self) -> None:
        """Remove what no finished layer has."""
        named = {file.name for layer in self.layers for file in layer.files}
        for folder in Path(self.site.folder).iterdir():
            if not folder.is_dir() or not folder.name.startswith(("layer-", "run-")):
                continue
            for path in folder.iterdir():
                if f"{folder.name}/{path.name}" not in named:
                    path.unlink(missing_ok=True)
            if folder.name.startswith("run-"):
                shutil.rmtree(folder, ignore_errors=True)

    def _begin(self) -> None:
        draft = self._path.with_suffix(".draft")
        draft.write_text(_line({"key": self.site.key, "words": self.site.words}), encoding="utf-8")
        draft.rename(self._path)

    def _append(self, told: dict[str, object]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(told))
            file.flush()
            os.fsync(file.fileno())
        _made_lasting(self._path.parent)

    def _read(self) -> None:
        """The lines that are whole; what was cut off after them is gone afterwards."""
        lines = list(self._lines())
        if not lines:
            raise Damaged(f"{NAME} has no beginning")
        head, *told = lines
        if head != {"key": self.site.key, "words": self.site.words}:
            raise Unusable(f"{self.site.folder} has layers of another puzzle or level, or of another version")
        self.layers = [_layer(each) for each in told]
        for file in (file for layer in self.layers for file in layer.files):
            require_size(self.site, file)

    def _lines(self) -> Iterator[dict[str, object]]:
        whole = self._path.read_bytes()
        end = whole.rfind(b"\n") + 1
        for number, line in enumerate(whole[:end].splitlines(), 1):
            text, _, check = line.rpartition(b" ")
            if f"{zlib.crc32(text):08x}".encode() != check:
                raise Damaged(f"line {number} of {NAME} is not what was written")
            yield json.loads(text)
        if end < len(whole):
            os.truncate(self._path, end)


def _line(told: dict[str, object]) -> str:
    text = json.dumps(told, separators=(",", ":"))
    return f"{text} {zlib.crc32(text.encode()):08x}\n"


def _layer(told: dict[str, object]) -> Layer:
    files = told.pop("files")
    assert isinstance(files, list)
    return Layer(**told, files=tuple(StateFile(*each) for each in files))  # type: ignore[arg-type]


def _locked(path: Path) -> IO[bytes]:
    """Open as long as the walk goes on; Unusable: another process has it."""
    file = path.open("rb")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Unusable(f"another process is at work in {path.parent}") from None
    except (ImportError, OSError):
        return file  # no such locks here
    return file


def _made_lasting(folder: Path) -> None:
    """What was renamed in there stays so, where the system can promise it."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    at = os.open(folder, os.O_DIRECTORY)
    try:
        os.fsync(at)
    finally:
        os.close(at)
