"""Processes of our own: a module of this installation, whatever modules the folder has that they are started in."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from models import installation


def command(module: str, *words: str) -> list[str]:
    """As `python -m MODULE WORDS`, but without the working folder on the path."""
    return installation.command(
        f"import runpy; runpy.run_module({module!r}, run_name='__main__', alter_sys=True)", *words
    )


class Child:
    """A process that has so many seconds.

    Its input and output are files, so that nobody waits for a pipe; it has a session of its own, so that Ctrl-C reaches
    the parent alone.
    """

    def __init__(self, words: Sequence[str], answer: Path, seconds: float, given: Path | None = None) -> None:
        self.answer, self.deadline = answer, time.monotonic() + seconds
        with (given or Path(os.devnull)).open("rb") as source, answer.open("wb") as out:
            self.process = subprocess.Popen(words, stdin=source, stdout=out, stderr=subprocess.DEVNULL,
                                            start_new_session=True)  # fmt: skip

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None or time.monotonic() > self.deadline

    def told(self) -> tuple[str, bool]:
        """What it has written, and whether it had to be ended."""
        late = self.process.poll() is None
        self.end()
        return self.answer.read_text(encoding="utf-8"), late

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
