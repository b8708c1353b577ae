"""A proof, in LRAT, that clauses have no model; made by CP-SAT.

CP-SAT writes its proof to files whose names are fixed. So only one can be made at a time on a machine, which a lock on
their folder sees to, and the finished one is moved away at once. It writes none where it meets a contradiction while it
takes in the clauses; there unit propagation is enough, and is done here. Whether a proof is right, a checker must say.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from encoders import lrat_child
from encoders.clausal import ClausalForm
from encoders.cpsat import POLL_SECONDS, Status
from encoders.lrat_hints import tidy
from encoders.propagation import contradiction
from models.frozen import frozen

WORDS: dict[str, Status] = {"feasible": "feasible", "infeasible": "infeasible", "unknown": "unknown"}
LATE = "the time limit came before the proof"


@frozen(eq=True)
class Refutation:
    """`infeasible`: the proof is in its file; `unknown`: the reason tells why there is no answer."""

    status: Status
    seconds: float
    reason: str = ""


def refute(form: ClausalForm, formula: Path, proof: Path, seconds: float | None = None, seed: int = 0) -> Refutation:
    """Look for a proof that a formula has no model; `formula` is its file, `proof` the file to write.

    KeyboardInterrupt comes through; no process and no file but the proof is left behind.
    """
    began = time.perf_counter()
    deadline = math.inf if seconds is None else began + seconds
    folder = formula.resolve().parent / lrat_child.PLACE
    try:
        with _alone(folder, deadline):
            status, reason = _solve(formula.resolve(), deadline, seed)
            if status == "infeasible":
                _keep(form, folder / lrat_child.TEXT, proof)
        if status == "infeasible":
            tidy(form.clauses, proof, deadline)
    except TimeoutError:
        status, reason = "unknown", LATE
    except OSError as error:
        status, reason = "unknown", f"the proof cannot be kept: {error}"
    return Refutation(status, round(time.perf_counter() - began, 3), reason)


def _keep(form: ClausalForm, written: Path, proof: Path) -> None:
    used = None if written.exists() else contradiction(form.clauses)
    if used is None:
        shutil.move(written, proof)
    else:
        proof.write_text(f"{len(form.clauses) + 1} 0 {' '.join(map(str, used))} 0\n", encoding="ascii")


@contextmanager
def _alone(folder: Path, deadline: float) -> Iterator[None]:
    """Nobody else makes a proof, and no file of one is there before or after; TimeoutError at the deadline."""
    handle = None if sys.platform == "win32" else _lock(folder, deadline)  # there the folder is the run's own
    try:
        lrat_child.remove_files(folder)
        yield
    finally:
        lrat_child.remove_files(folder)
        if handle is not None:
            os.close(handle)


def _lock(folder: Path, deadline: float) -> int:
    """A handle of the folder, locked; the lock ends with the handle, or with the process."""
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return handle
            except BlockingIOError:
                if time.perf_counter() > deadline:
                    raise TimeoutError from None
                time.sleep(POLL_SECONDS)
    except BaseException:
        os.close(handle)
        raise


def _solve(formula: Path, deadline: float, seed: int) -> tuple[Status, str]:
    """(status, reason) from a child, which is gone afterwards; TimeoutError at the deadline."""
    remaining = deadline - time.perf_counter()
    if remaining <= 0:
        raise TimeoutError
    command = [sys.executable, "-P", lrat_child.__file__, str(formula), str(remaining), str(seed)]
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT,
                                 cwd=formula.parent, start_new_session=True)  # fmt: skip
        try:
            child.wait(None if remaining == math.inf else remaining)
        except subprocess.TimeoutExpired:
            raise TimeoutError from None
        finally:
            child.kill()
            child.communicate()
        output.seek(0)
        lines = output.read().decode(errors="replace").splitlines() or ["no word"]
    if child.returncode != 0 or lines[-1] not in WORDS:
        why = lines[0 if child.returncode < 0 else -1]  # before a stack, or as a traceback ends
        return "unknown", f"CP-SAT ended without an answer: {why}"
    return WORDS[lines[-1]], LATE if lines[-1] == "unknown" else ""
