"""A folder that a command fills again and again, and in which nobody else's files are lost.

A list in the folder tells the files that are ours, by digests of what was written. What must be true: a file is
replaced or taken away only if it is on the list and still holds what was written, unless the user has asked for more.
Files whose names begin with a dot are nobody's concern: none of ours does.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection
from pathlib import Path

LISTED = 3  # names that a message names
PLAIN = re.compile(r"[a-z0-9_-]+\.html")  # our own names: none of them leads out of the folder


class OwnFolder:
    """The folder and its list, which is a file of this name; OSError where it cannot be read."""

    def __init__(self, path: Path, made_by: str, overwrite: bool = False) -> None:
        self.path, self.made_by, self.overwrite = path, made_by, overwrite
        self.list = path / f"{made_by}.json"
        self.owned = _listed(self.list, made_by)
        self.written, self.size = dict[str, str](), 0

    @property
    def obstacle(self) -> str:
        """Why nothing is written here; empty if it may be. That the folder is there, or can be made, is not its own."""
        others = sorted(each.name for each in self.path.iterdir() if not each.name.startswith("."))
        if not others or self.owned is not None or self.overwrite:
            return ""
        named = ", ".join(others[:LISTED]) + ", ..." * (len(others) > LISTED)
        return f"it holds other files ({named}); an empty folder is safe, --overwrite writes among them"

    def others(self, names: Collection[str]) -> list[str]:
        """Which of these files are there and not ours, or no longer what was written."""
        return [] if self.overwrite else [name for name in names if not self._ours(name)]

    def _ours(self, name: str) -> bool:
        path = self.path / name
        return not os.path.lexists(path) or _digest(path) in (self.owned or {}).get(name, [])

    def write(self, name: str, text: str) -> None:
        """Put the file there, all at once; FileExistsError where another one is."""
        assert PLAIN.fullmatch(name), name
        if self.others([name]):
            raise FileExistsError(f"{self.path / name} is not ours")
        data = text.encode()
        self.written[name], self.size = hashlib.sha256(data).hexdigest(), self.size + len(data)
        before = self.owned or {}
        self._tell({**before, name: [*before.get(name, []), self.written[name]]})  # whatever happens now, it is ours
        _put(self.path / name, data)

    def finish(self) -> None:
        """Take away what an earlier run has written and this one has not, and tell what is there now."""
        for name in (self.owned or {}).keys() - self.written.keys():
            if PLAIN.fullmatch(name) and self._ours(name):
                (self.path / name).unlink(missing_ok=True)
        self._tell({name: [digest] for name, digest in self.written.items()})

    def _tell(self, owned: dict[str, list[str]]) -> None:
        self.owned = owned
        text = json.dumps({"made_by": f"puzzlewright {self.made_by}", "files": owned}, indent=1)
        _put(self.list, text.encode())


def _listed(path: Path, made_by: str) -> dict[str, list[str]] | None:
    """The files of the list; None where there is none of ours."""
    try:
        told = json.loads(path.read_bytes())
        files = {str(name): list(map(str, digests)) for name, digests in told["files"].items()}
        return files if told["made_by"] == f"puzzlewright {made_by}" else None
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _put(path: Path, data: bytes) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
