"""This installation of ours: where it is, and how a process begins that has its modules, not others of their names."""

from __future__ import annotations

import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
BEGIN = """
import sys, types, typing
sys.path.insert(0, {home!r})
import models, search, encoders, puzzlewright
sys.path.append(sys.path.pop(0))
"""


def command(code: str, *words: str) -> list[str]:
    """Python, to run code with these words.

    Neither the working folder, nor what the environment or another installation has on the path, comes before our
    modules; and these, which may lie beside anybody's, do not come before those of Python.
    """
    return [sys.executable, "-P", "-c", BEGIN.format(home=str(HOME)) + code, *words]
