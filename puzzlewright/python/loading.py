"""Puzzles by name or file, with data as Python has them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from numbers import Integral
from typing import TYPE_CHECKING

from models.errors import Diagnostic, PuzzleError
from models.puzzle import Puzzle
from models.values import plain
from puzzlewright.certificates.bundle import Source
from puzzlewright.configuration import ConfigurationError, checked_seed
from puzzlewright.files.disk_cache import read_puzzle
from puzzlewright.files.library import built_in, read_levels
from puzzlewright.files.pddl_files import found

if TYPE_CHECKING:
    from models.level_files import LevelFile

FileName = str | os.PathLike[str]


@dataclass(frozen=True, eq=False, repr=False)
class LoadedPuzzle(Puzzle):
    """A puzzle that knows how it was read, if that can be told in a certificate, and that notebooks draw."""

    origin: Source | None = None

    def _repr_svg_(self) -> str:
        from puzzlewright.python.notebooks import picture

        return picture(self).svg


def puzzles() -> tuple[str, ...]:
    """The names of the built-in puzzles."""
    return tuple(built_in())


def levels(file: FileName, *, level_file: FileName | None = None, level_format: str | None = None) -> tuple[str, ...]:
    """The names of the levels of a puzzle file, or of a level file for it; none where it is one level by itself."""
    from models.document import read_document
    from puzzlewright.analysis.batch import chosen

    names = chosen(read_document(*found(os.fspath(file))), (), _level_file(level_file, level_format))
    return tuple(name for name in names if name)


def load(
    file: FileName,
    level: str | int | None = None,
    *,
    data: Mapping[str, object] | None = None,
    level_file: FileName | None = None,
    level_format: str | None = None,
    seed: int = 0,
    scramble: int = 0,
    **settings: object,
) -> LoadedPuzzle:
    """One level of a puzzle, PuzzleError where something is wrong with it.

    A whole number is a level's name where all names are numbers, else its place in `levels`. `data` replaces data by
    values: numbers, texts, lists and tables of them in any form; a text of several lines is a map. Further names are
    data as well, whose texts are written as for `--set`. `scramble` random steps are drawn by `seed`.
    """
    text, source = found(os.fspath(file))
    collection = _level_file(level_file, level_format)
    name = _level_name(file, level, level_file, level_format)
    asked, seed = _settings({} if data is None else data, settings), checked_seed(seed)
    puzzle = read_puzzle(text, source, name, asked, seed, collection)
    puzzle = _without_foreign_facts(puzzle, text, source, collection) if asked or seed else puzzle
    origin = Source(text, puzzle.level or None, asked, seed) if collection is None and not scramble else None
    if scramble:
        from puzzlewright.analysis.scrambling import scrambled

        puzzle, _ = scrambled(puzzle, _steps(scramble), seed)
    return LoadedPuzzle(**{each.name: getattr(puzzle, each.name) for each in fields(Puzzle)}, origin=origin)


def _steps(scramble: int) -> int:
    if not isinstance(scramble, Integral) or scramble < 0:
        raise ConfigurationError("scramble", f"{scramble!r} is no number of steps")
    return int(scramble)


def _level_file(path: FileName | None, level_format: str | None) -> LevelFile | None:
    if path is None:
        return None
    from pathlib import Path

    from models.level_files import LevelFile

    return LevelFile(read_levels(Path(path)), os.fspath(path), level_format)


def _level_name(
    file: FileName, level: str | int | None, level_file: FileName | None, level_format: str | None
) -> str | None:
    if level is None or isinstance(level, str):
        return level
    if not isinstance(level, Integral):
        raise ConfigurationError("level", f"{level!r} is neither a name nor a whole number")
    return _numbered(file, int(level), level_file, level_format)


def _numbered(file: FileName, number: int, level_file: FileName | None, level_format: str | None) -> str:
    known = levels(file, level_file=level_file, level_format=level_format)
    if known and all(name.isdecimal() for name in known):
        return str(number)
    if not -len(known) <= number < len(known):
        hint = f"it has {len(known)}, counted from 0" if known else "the file has no levels"
        raise PuzzleError(Diagnostic(f"there is no level number {number}", None, hint, code="E409"))
    return known[number]


def _without_foreign_facts(puzzle: Puzzle, text: str, source: str, collection: LevelFile | None) -> Puzzle:
    """What is known of a level is known of its own data, so of others it is dropped."""
    try:
        own = read_puzzle(text, source, puzzle.level or None, (), 0, collection)
    except PuzzleError:
        return replace(puzzle, known={})
    return puzzle if repr(own.data) == repr(puzzle.data) else replace(puzzle, known={})


# -- data --------------------------------------------------------------------------------------------------------------


def _settings(data: Mapping[str, object], settings: Mapping[str, object]) -> tuple[str, ...]:
    """All of them as `--set` has them."""
    if not isinstance(data, Mapping):
        raise ConfigurationError("data", f"{data!r:.60} is no mapping from names to values")
    values = {**data, **settings}
    written = {name: value for name, value in settings.items() if isinstance(value, str)}
    return tuple(f"{name}={written[name] if name in written else _written(name, values[name])}" for name in values)


def _written(name: str, value: object) -> str:
    return json.dumps(_plain(name, value), ensure_ascii=False)


def _plain(name: str, value: object) -> object:
    """The value as JSON has it, which is YAML too. PuzzleError where the language has no such value."""
    value = plain(value)
    if isinstance(value, str):
        return value.rstrip("\n").split("\n") if "\n" in value else value
    if isinstance(value, bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        return _plain(name, value.tolist())
    if isinstance(value, Mapping):
        return {_key(name, key): _plain(name, item) for key, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes | set | frozenset):
        return [_plain(name, item) for item in value]
    raise _foreign(name, value)


def _key(name: str, key: object) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, Integral) and not isinstance(key, bool):
        return str(int(key))
    raise _foreign(name, key)


def _foreign(name: str, value: object) -> PuzzleError:
    hint = "data are whole numbers, true and false, texts, and lists or tables of them"
    kind = type(value).__name__
    return PuzzleError(Diagnostic(f"the datum {name!r}: {value!r:.60} is a {kind}", None, hint, code="E402"))
