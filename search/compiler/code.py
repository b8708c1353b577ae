"""Compiled code, and how to come by it: from the disk, where it is kept by what it was made of, else by LLVM.

LLVM, which takes as long to load as to solve a small puzzle, is loaded only where it has something to do. A file's name
is a digest of all that decides the code: its text, the care, the processor, the version of LLVM's wheel and the text of
who calls it. It begins with a digest of the rest: one that is damaged is made again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import islice, takewhile
from pathlib import Path

from models.outcomes import ENDLESS, Deadline
from search.cache import cache_folder, installed, keep_checked, kept_checked, mark, program
from search.compiler.in_memory import Care, Code, InMemory

LONG = 8_000  # lines from which on a module is compiled as it is: to make it better would take too long
SECONDS_A_GOOD_LINE = 1e-3  # on a slow machine, for a module that is made better
PROGRAM = ("search/compiler/code.py", "search/compiler/jit.py")
PROCESSOR = Path("/proc/cpuinfo")
TOLD = ("vendor_id", "cpu family", "model", "stepping", "flags")  # of what code is made for
MOST_BYTES = 1 << 26  # of all files together


def may_be_better(text: str) -> bool:
    return text.count("\n") < LONG


def compile_text(text: str, names: Sequence[str], deadline: Deadline = ENDLESS, care: Care = Care.FULL,
                 keeps: bool = False) -> Code:  # fmt: skip
    """The functions of a module, and other things of it. The text holds whole numbers and names of ours, nothing of the
    puzzle's. `keeps`: on disk, or from there.

    Full care is taken of short text only, and where there is time for it: else none. LimitReached as `jit.object_of`.
    """
    care = affordable(text, deadline, care)
    path = _path(text, care) if keeps else None
    made = None if path is None else _kept(path)
    if made is None:
        from search.compiler import jit

        made = jit.object_of(text, deadline, care)
        if path is not None:
            _keep(path, made)
    return loaded(names, made)


def affordable(text: str, deadline: Deadline, care: Care) -> Care:
    left = deadline.left
    slow = left is not None and left <= text.count("\n") * SECONDS_A_GOOD_LINE
    return Care.NONE if care is Care.FULL and (slow or not may_be_better(text)) else care


def loaded(names: Sequence[str], code: bytes) -> Code:
    """Of an object; whatever it calls must be there in every process, since LLVM aborts else."""
    try:
        found = InMemory(code)
        return Code(found, {name: found.addresses[name] for name in names})
    except ValueError:
        from search.compiler import jit

        return jit.linked(names, code)


@cache
def processor() -> str:
    """For which code is made: as Linux tells of the first one, else as LLVM does."""
    told = _told_by_linux()
    if told:
        return told
    from search.compiler import jit

    return jit.processor()


def _told_by_linux() -> str:
    try:
        with PROCESSOR.open(encoding="utf-8") as file:
            lines = list(takewhile(str.strip, islice(file, 100)))
    except (OSError, ValueError):
        return ""
    told = [line for line in lines if line.partition(":")[0].strip() in TOLD]
    return "".join(told) if len(told) == len(TOLD) else ""


# -- on disk -----------------------------------------------------------------------------------------------------------


def _path(text: str, care: Care) -> Path:
    what = text, int(care), processor(), installed("llvmlite"), program(PROGRAM)
    return cache_folder() / "code" / f"{hashlib.sha256(repr(what).encode()).hexdigest()}.object"


def _kept(path: Path) -> bytes | None:
    with suppress(OSError):
        mark(path)
    return kept_checked(path)


def _keep(path: Path, made: bytes) -> None:
    """Those go that nobody has used for longest."""
    with suppress(OSError):
        keep_checked(path, made)
        files = sorted((each.stat().st_mtime, each.stat().st_size, each) for each in path.parent.iterdir())
        left = sum(size for _, size, _ in files)
        for _, size, each in files:
            if left > MOST_BYTES:
                left -= size
                each.unlink(missing_ok=True)
