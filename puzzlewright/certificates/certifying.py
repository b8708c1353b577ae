"""Making a certificate: the formula, its refutation by CP-SAT, a check of that, and only then the folder."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from models.frozen import frozen
from models.outcomes import LimitReached, Limits, Outcome, Unsupported
from puzzlewright.certificates import recheck
from puzzlewright.certificates.bundle import (
    FORMAT,
    FORMULA,
    MANIFEST,
    PROOF,
    PUZZLE,
    Source,
    is_part,
    manifest,
    question,
    statement,
    texts,
)
from puzzlewright.report import Report
from puzzlewright.solving.request import Progress
from puzzlewright.solving.workbench import Workbench


@frozen(eq=True)
class CertificateWanted:
    """A certificate that is asked for."""

    folder: Path
    source: Source
    kind: str = ""  # a word of `bundle.KINDS`; else what suits the verdict
    symmetry: bool = True  # may states that an exchange maps onto each other be listed as one?
    progress: Progress | None = None


@frozen(eq=True)
class Made:
    """What came of it: `optimal` with the figures of a certificate that was written, else the note says why not."""

    outcome: Outcome
    note: str
    figures: dict[str, object] | None = None


def obstacle(folder: Path) -> str:
    """Why a certificate cannot be written there; '' if it can. Only a certificate or an empty folder is replaced."""
    folder = folder.resolve()
    if folder.exists() and not folder.is_dir():
        return "it is a file"
    if not folder.parent.is_dir():
        return f"there is no folder {folder.parent}"
    if not all(os.access(place, os.W_OK) for place in (folder.parent, folder) if place.exists()):
        return "there is no permission"
    inside = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if inside and not (_is_ours(folder / MANIFEST) and all(map(is_part, inside))):
        return "it is a folder with files that are no certificate"
    return ""


def _is_ours(manifest: Path) -> bool:
    """Does it say that it is the manifest of a certificate? Others use that name too."""
    try:
        return bool(json.loads(manifest.read_bytes())["format"] == FORMAT)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


Maker = Callable[[Workbench, Report, CertificateWanted, float | None], Made]  # with a deadline of `perf_counter`


def certify(bench: Workbench, report: Report, wanted: CertificateWanted, limits: Limits, make: Maker) -> Made:
    """A certificate for the report's verdict. Only KeyboardInterrupt comes through."""
    deadline = None if limits.time is None else time.perf_counter() + limits.time
    try:
        return make(bench, report, wanted, deadline)
    except (TimeoutError, LimitReached):
        return Made(Outcome.UNPROVEN, "no certificate is written: the time limit came before it was made and checked")
    except Unsupported as reason:
        return Made(Outcome.UNPROVEN, f"no certificate is written: {reason}")
    except recheck.Refused as reason:
        return Made(Outcome.UNPROVEN, f"no certificate is written: CP-SAT's proof is refused: {reason}")
    except OSError as error:
        return Made(
            Outcome.UNPROVEN, f"the certificate cannot be written to {wanted.folder}: {error.strerror or error}"
        )


def certify_by_formula(bench: Workbench, report: Report, wanted: CertificateWanted, deadline: float | None) -> Made:
    """That a plan is best, by refuting the formula that there is a cheaper one."""
    from encoders.certified import something_cheaper
    from encoders.lrat import refute

    assert report.plan is not None and report.replay is not None
    costs = report.replay.costs
    certified = something_cheaper(bench.task, bench.scale.costs(costs), deadline)
    with draft_of(wanted.folder.resolve()) as draft:
        (draft / PUZZLE).write_bytes(wanted.source.text.encode())
        for name, text in texts(bench, wanted.source, certified, report.plan, costs).items():
            (draft / name).write_bytes(text.encode())
        remaining = None if deadline is None else deadline - time.perf_counter()
        proof = refute(certified.form, draft / FORMULA, draft / PROOF, remaining, report.seed)
        if proof.status == "feasible":
            return Made(Outcome.DISAGREEMENT, f"CP-SAT finds the formula satisfiable that says: {question(certified)}")
        if proof.status == "unknown":
            return Made(Outcome.UNPROVEN, f"no certificate is written: {proof.reason}")
        figures = {"directory": str(wanted.folder), **_checked(draft, deadline), "prove_seconds": proof.seconds}
        stated = statement(bench, wanted.source, certified, report.plan, costs)
        (draft / MANIFEST).write_bytes(manifest(stated, draft).encode())
        publish(draft, wanted.folder.resolve())
    counted = f"{figures['clauses']:,} clauses refuted by {figures['proof_lines']:,} lines of proof, which were checked"
    return Made(Outcome.OPTIMAL, f"a certificate is written to {wanted.folder}: {counted}", figures)


def _checked(draft: Path, deadline: float | None) -> dict[str, object]:
    """The figures of a proof that the checker accepts; Refused if it does not."""
    began = time.perf_counter()
    found = recheck.check(draft / FORMULA, draft / PROOF, deadline)
    return {
        "variables": found.variables,
        "clauses": found.clauses,
        "proof_lines": found.lines,
        "proof_bytes": (draft / PROOF).stat().st_size,
        "check_seconds": round(time.perf_counter() - began, 3),
    }


@contextmanager
def draft_of(folder: Path) -> Iterator[Path]:
    """A new folder in one of its own beside the folder that is wanted; that one is gone afterwards, with what is in it.

    Its name is nobody else's, not even that of a run that was ended by force.
    """
    with TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent, ignore_cleanup_errors=True) as aside:
        draft = Path(aside) / "new"
        draft.mkdir()
        yield draft


def publish(draft: Path, folder: Path) -> None:
    """Put the finished draft into its place; an older certificate is replaced as a whole, or comes back.

    A folder that is there stays the same one: somebody may be in it, or have mounted it.
    """
    if why := obstacle(folder):
        raise OSError(0, why)
    if not folder.exists():
        draft.rename(folder)
        return
    old, before = draft.with_name("old"), {path.name for path in folder.iterdir()}
    old.mkdir()
    try:
        _move_all(folder, old)
        _move_all(draft, folder)
    except BaseException:
        staying = before - {path.name for path in old.iterdir()}
        for path in list(folder.iterdir()):
            if path.name not in staying:
                path.unlink()
        _move_all(old, folder)
        raise


def _move_all(source: Path, target: Path) -> None:
    for path in list(source.iterdir()):
        shutil.move(path, target / path.name)
