"""Where what was worked out before is kept on disk: the user's own cache folder, trusted as Python trusts its own."""

import hashlib
import os
import re
import sys
import time
from functools import cache
from pathlib import Path
from threading import get_ident

TICK = 20_000_000  # nanoseconds: two changes of a file that are further apart have different times
BOOTED = Path("/proc/sys/kernel/random/boot_id")


def cache_folder() -> Path:
    override = os.environ.get("PUZZLEWRIGHT_CACHE")
    if override:
        return Path(override)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "puzzlewright"


@cache
def program(parts: tuple[str, ...]) -> str:
    """A digest of the program's own text in these folders and files: nothing that another one has kept is believed."""
    root, text = Path(__file__).resolve().parents[1], hashlib.sha256()
    for part in parts:
        path = root / part
        for each in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            content = each.read_bytes()
            text.update(f"{each.relative_to(root)} {len(content)} ".encode() + content)
    return text.hexdigest()[:16]


@cache
def installed(distribution: str) -> str:
    """The version of what pip has installed, or "not installed": told by the name of its folder of metadata (PEP 376),
    for to read them by `importlib.metadata` takes as long as to solve a small puzzle."""
    name = re.sub(r"[-_.]+", "_", distribution).lower()
    for folder in sys.path:
        for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            told, dash, rest = entry.removesuffix(".dist-info").partition("-")
            if dash and rest and told.lower() == name and entry.endswith(".dist-info"):
                return rest
    return "not installed"


def seen(path: Path) -> str:
    """How a file looks from outside, for who has looked through it: while it looks the same, it is the same.

    Whoever writes to a file changes its time of change, which nobody can set; a disk that has lost what it was told to
    write is another one after the next start of the machine. Empty: nobody can tell, since the file has just been
    changed, or the system does not say when it was started. OSError: there is none.
    """
    found = path.stat()
    if time.time_ns() - max(found.st_ctime_ns, found.st_mtime_ns) < TICK or not (start := _start_of_the_system()):
        return ""
    return f"{start} {found.st_dev} {found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"


@cache
def _start_of_the_system() -> str:
    try:
        return BOOTED.read_text("ascii").strip()
    except OSError:
        return ""


def write_whole(path: Path, *parts: bytes) -> None:
    """Write a file of the cache, never half of it; OSError where that cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}-{get_ident()}")
    with draft.open("wb") as file:
        file.writelines(parts)
    draft.replace(path)
