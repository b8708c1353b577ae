"""Compiled kernels on disk. Object code is all there is to load; numba takes seconds to make it, once per machine.

The folder's name is a digest of all that decides the code: the text of this package and of who makes object code, the
versions of Python, numba and llvmlite, the processor with its features. A file begins with a digest of the rest of it:
one that is damaged is made anew.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from search.cache import cache_folder, installed, keep_checked, kept_checked, program
from search.compiler.code import processor

PROGRAM = ("search/kernels", "search/compiler/jit.py")  # whose text decides what the code of a kernel is


class ObjectCode(NamedTuple):
    """A compiled kernel: the name of its function, and the code in the machine's format."""

    symbol: str
    code: bytes


def any_kept() -> bool:
    """Has any search of this machine outgrown Python before?"""
    return any(folder().glob("*.object"))


def kept(name: str) -> ObjectCode | None:
    """None: it is not there, or not whole."""
    content = kept_checked(_path(name))
    if content is None:
        return None
    symbol, _, code = content.partition(b"\n")
    return ObjectCode(json.loads(symbol), code)


def keep(name: str, made: ObjectCode) -> ObjectCode:
    """The same; where it cannot be stored, it is made anew the next time."""
    with suppress(OSError):
        keep_checked(_path(name), json.dumps(made.symbol).encode() + b"\n" + made.code)
    return made


def _path(name: str) -> Path:
    return folder() / f"{name}.object"


@cache
def folder() -> Path:
    """One that can be written; where the user's caches cannot, one that only this process knows; where nothing can, one
    that cannot be, so that whoever keeps something there meets an OSError."""
    which = [program(PROGRAM), sys.version, installed("numba"), installed("llvmlite"), processor()]
    digest = hashlib.sha256(json.dumps(which).encode()).hexdigest()
    place = cache_folder() / f"kernels-{digest[:16]}"
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return place
    except OSError:
        return _alone()


def _alone() -> Path:
    try:
        place = tempfile.mkdtemp(prefix="puzzlewright-kernels-")
    except OSError:
        return Path(os.devnull) / "kernels"
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return Path(place)
