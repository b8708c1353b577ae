"""Where puzzles come from: a file, standard input, or the built-in ones."""

from __future__ import annotations

import codecs
import os.path
import shutil
import sys
from pathlib import Path

from models.errors import Diagnostic, PuzzleError, did_you_mean
from puzzlewright.files.level_text import LARGEST, level_text
from puzzlewright.files.written_into import has_other_names, written_into

_HERE = Path(__file__).parents[1]
FOLDERS = (_HERE / "puzzles", _HERE.parent / "puzzles")  # in an installed wheel, in a checkout


def built_in() -> dict[str, Path]:
    """The built-in puzzles by name, in alphabetical order."""
    folder = next((folder for folder in FOLDERS if folder.is_dir()), FOLDERS[1])
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def find(name: str) -> tuple[str, str]:
    """(text, name for messages) of a file, `-` or a built-in puzzle; PuzzleError where there is none."""
    if name == "-":
        return _standard_input(), "<stdin>"
    path = Path(name)
    known = built_in()
    if not os.path.isfile(name) and name.replace("-", "_") in known:
        path = known[name.replace("-", "_")]
    return read(path, name), str(path)


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PuzzleError(Diagnostic("standard input is not UTF-8 text", None, code="E502")) from None


def rules(text: str) -> str:
    """The comment at the head of a file."""
    lines: list[str] = []
    for line in text.lstrip("\ufeff").splitlines():
        if not line.startswith("#"):
            break
        lines.append(line[1:].removeprefix(" ").rstrip())
    return "\n".join(lines)


def read_text(path: str) -> str:
    """The text of a file that is no puzzle; `-` is standard input."""
    return _standard_input() if path == "-" else read(Path(path), path, "")


def read_levels(path: Path) -> str:
    """The text of a level file, which may say itself in which encoding it is."""
    return level_text(_bytes(path, str(path), "", LARGEST + 1), str(path))


def read(path: Path, name: str, what: str = " and no built-in puzzle") -> str:
    try:
        return _bytes(path, name, what).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PuzzleError(Diagnostic(f"{name} cannot be read: not UTF-8 text", None, code="E502")) from None


def _bytes(path: Path, name: str, what: str, most: int = -1) -> bytes:
    """What the file holds, and no more than `most` of it."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except FileNotFoundError:
        hint = "" if not what else did_you_mean(name, built_in()) or "`puzzlewright list` shows the built-in puzzles"
        raise PuzzleError(Diagnostic(f"there is no file{what} {name!r}", None, hint, code="E502")) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PuzzleError(Diagnostic(f"{name} cannot be read: {reason}", None, code="E502")) from None


def replaced(path: Path, text: str) -> None:
    """Give a file another text, all at once, with its marks: whatever happens, one of the two texts is there.

    A file that has several names is written into.
    """
    path = path.resolve()
    with path.open("r+b") as old:  # OSError where it is protected
        mark = codecs.BOM_UTF8 if old.read(3) == codecs.BOM_UTF8 else b""
    if has_other_names(path):
        written_into(path, mark + text.encode())
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as new:
            new.write(mark + text.encode())
            new.flush()
            os.fsync(new.fileno())
        shutil.copymode(path, draft)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def saved(path: Path, data: str | bytes) -> tuple[str, ...]:
    """Write a file, text in UTF-8; notes on what went wrong."""
    try:
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    except OSError as error:
        return (f"{path} could not be written: {error.strerror}",)
    return ()
