"""What was worked out before, kept on disk: files and puzzles as read, tasks as grounded.

Reading and grounding take most of the time of a small puzzle, and seconds of a large one. The key is everything that a
result depends on, the program's own files included. Only what was accepted is kept; where the folder cannot be used,
everything is simply made again. It is the user's own cache folder, and is trusted as Python trusts compiled modules.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from models.outcomes import ENDLESS, Deadline
from models.puzzle import Puzzle
from models.task import Task
from search.cache import cache_folder, program, write_whole

if TYPE_CHECKING:
    from models.document import Document
    from models.level_files import LevelFile

MOST_FILES = 256  # of a kind
UNREADABLE = (OSError, EOFError, ValueError, TypeError, LookupError, AttributeError, ImportError, pickle.PickleError)
T = TypeVar("T")


def read_puzzle(text: str, source: str, level: str | None, settings: Sequence[str], seed: int,
                level_file: LevelFile | None = None) -> Puzzle:  # fmt: skip
    """As `models.loader.load_text`, with the settings as on the command line."""

    def make() -> Puzzle:
        from models.data import parse_setting
        from models.loader import load_text

        return load_text(text, source, level, dict(map(parse_setting, settings)), seed, level_file, _document)

    return remembered(Puzzle, (text, source, level, tuple(settings), seed, level_file), make)


@lru_cache(2)
def _document(text: str, source: str) -> Document:
    """What all levels of a file have in common: a new one of a known file needs no YAML."""
    from models.document import Document, read_document

    return remembered(Document, (text, source), lambda: read_document(text, source))


def ground_puzzle(puzzle: Puzzle, metrics: Sequence[str], deadline: Deadline = ENDLESS) -> Task:
    """As `models.grounding.ground`."""

    def make() -> Task:
        from models.grounding import ground

        return ground(puzzle, metrics, deadline)

    known = (puzzle.fingerprint, puzzle.level, tuple(metrics))
    return remembered(Task, known, make) if puzzle.fingerprint else make()


def remembered(kind: type[T], key: tuple[object, ...], make: Callable[[], T]) -> T:
    """The result of `make` for this key, from the disk if it is there."""
    digest = hashlib.sha256(repr((key, program(("models",)))).encode()).hexdigest()
    path = cache_folder() / f"{kind.__name__.lower()}-{digest}.pickle"
    with suppress(*UNREADABLE):
        found = pickle.loads(path.read_bytes())
        if isinstance(found, kind):
            return found
    made = make()
    _keep(path, made)
    return made


def _keep(path: Path, made: object) -> None:
    with suppress(OSError, RecursionError):
        write_whole(path, pickle.dumps(made, protocol=5))
        alike = path.parent.glob(f"{path.name.partition('-')[0]}-*.pickle")
        for old in sorted(alike, key=lambda each: each.stat().st_mtime)[:-MOST_FILES]:
            old.unlink(missing_ok=True)
