"""A file that is edited here while others may write it too: what it holds, told by a digest, and saving over just that.

What must be true: `save` replaces a file whose bytes have the digest that is named, and no other. What stood there is
held by a second name until it is looked at, so that what somebody writes into it at that moment comes back and is told.
"""

from __future__ import annotations

import codecs
import errno
import hashlib
import os
import re
import shutil
from contextlib import suppress
from pathlib import Path

from models.errors import Diagnostic, PuzzleError
from models.frozen import frozen
from puzzlewright.files.written_into import has_other_names, written_into

NONE = ""  # the digest of a file that is not there
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


@frozen(eq=True)
class Stored:
    """What a file holds."""

    text: str
    digest: str


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class OnDisk:
    """A text file by its path; links are followed."""

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path))

    def read(self) -> Stored:
        """What it holds now, without its mark, and nothing where it is not there; PuzzleError where it is no text."""
        data = self._bytes()
        try:
            return Stored("", NONE) if data is None else Stored(data.decode("utf-8-sig"), digest(data))
        except UnicodeDecodeError:
            raise _unreadable(self.path, "not UTF-8 text") from None

    def save(self, text: str, base: str) -> Stored | None:
        """Put the text in place of what has this digest; None, and nothing is done, where the file has another.

        OSError where it cannot be written. Lines that stay keep their ends, and the file its mark and its rights.
        """
        old = self._bytes()
        if (NONE if old is None else digest(old)) != base:
            return None
        data = _marked(old or b"", text)
        return Stored(text, digest(data)) if self._put(data, base) else None

    def _bytes(self) -> bytes | None:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise _unreadable(self.path, getattr(error, "strerror", None) or str(error)) from None

    def _put(self, data: bytes, base: str) -> bool:
        if base == NONE:
            return self._created(data)
        if not os.access(self.path, os.W_OK):  # another file may take its place all the same, but somebody said no
            raise PermissionError(errno.EACCES, "it is read-only")
        if has_other_names(self.path):
            return written_into(self.path, data, lambda old: digest(old) == base)
        draft, kept = (self.path.with_name(f".{self.path.name}.{os.getpid()}.{word}") for word in ("new", "old"))
        try:
            draft.write_bytes(data)
            return self._exchanged(draft, kept, base)
        finally:
            draft.unlink(missing_ok=True)

    def _created(self, data: bytes) -> bool:
        """Under a name that nobody has taken meanwhile."""
        try:
            with self.path.open("xb") as file:
                file.write(data)
        except FileExistsError:
            return False
        return True

    def _exchanged(self, draft: Path, kept: Path, base: str) -> bool:
        _give_rights(self.path, draft)
        kept.unlink(missing_ok=True)
        with suppress(OSError):  # of a file system without second names
            os.link(self.path, kept)
        draft.replace(self.path)
        if not kept.exists():
            return True
        if digest(kept.read_bytes()) != base:
            kept.replace(self.path)
            return False
        kept.unlink()
        return True


def _give_rights(old: Path, new: Path) -> None:
    """Owner and rights of the old file, as far as they may be given."""
    found = old.stat()
    with suppress(OSError, AttributeError):
        os.chown(new, found.st_uid, found.st_gid)
    shutil.copymode(old, new)


def _unreadable(path: Path, why: str) -> PuzzleError:
    return PuzzleError(Diagnostic(f"{path} cannot be read: {why}", None, code="E502"))


def _marked(old: bytes, text: str) -> bytes:
    """The text as the old bytes have it: with their byte order mark, and with the ends of their lines.

    A text that begins with the letter of the mark has one before that, which is not taken for it then.
    """
    mark = codecs.BOM_UTF8 if old.startswith(codecs.BOM_UTF8) or text.startswith("\ufeff") else b""
    return mark + with_ends(old.decode("utf-8-sig"), text).encode()


def with_ends(old: str, new: str) -> str:
    """The new text with the old one's line ends: those of each line at its head and foot that is in both, else of the
    first line."""
    before, after = _LINE.findall(old), _LINE.findall(new)
    head = _alike(before, after)
    foot = min(_alike(before[::-1], after[::-1]), len(before) - head, len(after) - head)
    end = next((line[len(line.rstrip("\r\n")) :] for line in before if line != line.rstrip("\r\n")), "\n")
    middle = [_plain(line).replace("\n", end) for line in after[head : len(after) - foot]]
    made = "".join([*before[:head], *middle, *before[len(before) - foot :]])
    return made if _plain(made) == new else new  # a lone CR and a LF behind it would be one end


def _alike(one: list[str], other: list[str]) -> int:
    """How many lines are the same at the beginning, but for their ends."""
    pairs = zip(one, other, strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if _plain(a) != _plain(b)), min(len(one), len(other)))


def _plain(line: str) -> str:
    return re.sub(r"\r\n?", "\n", line)
