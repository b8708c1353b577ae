"""A file that has several names (hard links) gets another content by being written into: a new file in the place of one
name would part it from the others, and no editor that people use does so.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO


def has_other_names(path: Path) -> bool:
    return path.stat().st_nlink > 1


def written_into(path: Path, data: bytes, wanted: Callable[[bytes], bool] = lambda old: True) -> bool:
    """What it held lies beside it until that is done, and comes back where it fails (OSError, Ctrl-C).

    False, and nothing is done: what it holds is not what is wanted.
    """
    kept = path.with_name(f".{path.name}.{os.getpid()}.before")
    with path.open("r+b", buffering=0) as file:
        old = file.read()
        if not wanted(old):
            return False
        try:
            kept.write_bytes(old)
            _fill(file, data)
        except BaseException:
            _fill(file, old)
            raise
        finally:
            kept.unlink(missing_ok=True)
    return True


def _fill(file: BinaryIO, data: bytes) -> None:
    file.seek(0)
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]
    file.truncate()
    os.fsync(file.fileno())
