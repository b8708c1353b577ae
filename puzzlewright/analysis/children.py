"""Processes of our own: a module of this installation, whatever modules the folder has that they are started in."""

from __future__ import annotations

import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]


def command(module: str, *words: str) -> list[str]:
    """As `python -m MODULE WORDS`, but without the working folder on the path."""
    begin = f"import runpy, sys; sys.path.append({str(HOME)!r}); "
    run = f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    return [sys.executable, "-P", "-c", begin + run, *words]
