"""One program as a process: what it printed, how long it took, how much memory it had at most."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LONGEST = 100  # characters of a complaint


class Failed(Exception):
    """A program ended otherwise than it should; the message says how."""


@dataclass(frozen=True)
class Finished:
    text: str  # standard output, and errors where they were asked for
    seconds: float  # from before the start to after the end
    peak_mib: float  # the largest of the process and the children that it waited for
    cpu: float = 0.0  # seconds of all of them, in the program and in the system


def run(command: Sequence[str | Path], limit: float, folder: Path | None = None,
        environment: Mapping[str, str] | None = None, good: Container[int] = (0,)) -> Finished:  # fmt: skip
    """Failed where the program does not end within `limit` seconds, and with a `good` exit code; `environment` is added
    to our own."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        began = time.perf_counter()
        settings = {**os.environ, **(environment or {})}
        process = subprocess.Popen(command, cwd=folder, env=settings, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=errors, start_new_session=True)  # fmt: skip
        stopped = threading.Event()
        timer = threading.Timer(limit, _stop, (process.pid, stopped))
        timer.daemon = True
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        text, complaint = _read(out), _read(errors)
    if stopped.is_set():
        raise Failed(f"not done after {limit:.0f} s")
    if process.returncode not in good:
        last = (complaint.strip() or text.strip() or "no message").splitlines()[-1]
        raise Failed(f"exit code {process.returncode}: {last[-LONGEST:]}")
    return Finished(text, seconds, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime)


def _stop(group: int, stopped: threading.Event) -> None:
    stopped.set()
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _read(file: object) -> str:
    file.seek(0)  # type: ignore[attr-defined]
    text: bytes = file.read()  # type: ignore[attr-defined]
    return text.decode("utf-8", "replace")
