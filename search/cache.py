"""Where what was worked out before is kept on disk: the user's own cache folder, trusted as Python trusts its own."""

import hashlib
import os
import re
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import get_ident

TICK = 20_000_000  # nanoseconds: two changes of a file that are further apart have different times
HOUR = 3600.0  # seconds: a file that is used is marked as used as often
BOOTED = Path("/proc/sys/kernel/random/boot_id")
_DIGEST = hashlib.sha256().digest_size


def cache_folder() -> Path:
    """Where nobody has a home, one that cannot be: who would read or write there meets an OSError."""
    override = os.environ.get("PUZZLEWRIGHT_CACHE")
    if override:
        return Path(override)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "puzzlewright"
    except RuntimeError:
        return Path(os.devnull) / "puzzlewright"


@cache
def program(parts: tuple[str, ...]) -> str:
    """A digest of the program's own text in these folders and files: nothing that another one has kept is believed.

    While all of them look the same, it is the same, and need not be worked out again.
    """
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    files = [each for part in parts for each in _texts(os.path.join(root, part))]
    looks = [seen(each) for each in files]
    name = hashlib.sha256(repr((root, parts, files, looks)).encode()).hexdigest()
    path = cache_folder() / f"program-{name}.txt"
    if all(looks) and (kept := _kept_digest(path)):
        return kept
    found = _digest(root, files)
    if all(looks):
        with suppress(OSError):
            write_whole(path, found.encode())
    return found


@cache
def _texts(path: str) -> tuple[str, ...]:
    """The modules in a folder, in the order of their names; or the file itself."""
    if not os.path.isdir(path):
        return (path,)
    with os.scandir(path) as entries:
        found = sorted((each.name, each.is_dir()) for each in entries)
    inside = [_texts(os.path.join(path, name)) if folder else (os.path.join(path, name),) * name.endswith(".py")
              for name, folder in found]  # fmt: skip
    return tuple(each for texts in inside for each in texts)


def _digest(root: str, files: Sequence[str]) -> str:
    text = hashlib.sha256()
    for each in files:
        with open(each, "rb") as file:
            content = file.read()
        text.update(f"{os.path.relpath(each, root)} {len(content)} ".encode() + content)
    return text.hexdigest()[:16]


def _kept_digest(path: Path) -> str:
    """Empty: it is not there, or none."""
    try:
        found = path.read_text("ascii")
    except (OSError, ValueError):
        return ""
    return found if re.fullmatch("[0-9a-f]{16}", found) else ""


@cache
def installed(distribution: str) -> str:
    """The version of what pip has installed, or "not installed": told by the name of its folder of metadata (PEP 376),
    for to read them by `importlib.metadata` takes as long as to solve a small puzzle."""
    name = re.sub(r"[-_.]+", "_", distribution).lower()
    for folder in sys.path:
        for entry in _inside(folder):
            told, dash, rest = entry.removesuffix(".dist-info").partition("-")
            if dash and rest and told.lower() == name and entry.endswith(".dist-info"):
                return rest
    return "not installed"


def _inside(folder: str) -> list[str]:
    """The names in a folder of the path; what is none, or cannot be read, is passed over, as Python does."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def seen(path: str | Path) -> str:
    """How a file looks from outside, for who has looked through it: while it looks the same, it is the same.

    Whoever writes to a file changes its time of change, which nobody can set; a disk that has lost what it was told to
    write is another one after the next start of the machine. Empty: nobody can tell, since the file has just been
    changed, or the system does not say when it was started. OSError: there is none.
    """
    found = os.stat(path)
    if time.time_ns() - max(found.st_ctime_ns, found.st_mtime_ns) < TICK or not (start := _start_of_the_system()):
        return ""
    return f"{start} {found.st_dev} {found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"


@cache
def _start_of_the_system() -> str:
    try:
        return BOOTED.read_text("ascii").strip()
    except OSError:
        return ""


def mark(path: Path) -> None:
    """As used, for who makes room; it is enough to do that now and then."""
    if abs(time.time() - path.stat().st_mtime) > HOUR:
        os.utime(path)


def write_whole(path: Path, *parts: bytes) -> None:
    """Write a file of the cache, never half of it; OSError where that cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}-{get_ident()}")
    with draft.open("wb") as file:
        file.writelines(parts)
    draft.replace(path)


def keep_checked(path: Path, content: bytes) -> None:
    """Write it behind its digest; OSError where that cannot be."""
    write_whole(path, hashlib.sha256(content).digest(), content)


def kept_checked(path: Path) -> bytes | None:
    """What `keep_checked` has written; None: it is not there, or not whole."""
    try:
        whole = path.read_bytes()
    except OSError:
        return None
    return whole[_DIGEST:] if hashlib.sha256(whole[_DIGEST:]).digest() == whole[:_DIGEST] else None
