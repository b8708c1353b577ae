"""`prove`: a best plan by both paths, and its certificate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.frozen import frozen
from puzzlewright.commands import Told, command
from puzzlewright.options import (
    FILES,
    Count,
    File,
    Group,
    LimitOptions,
    PlanOut,
    Problem,
    PuzzleOptions,
    SearchOptions,
)
from puzzlewright.printing.desk import Desk, check_certificate, check_choice, check_plan_form, check_writable
from puzzlewright.solving.backends import BACKENDS

if TYPE_CHECKING:
    from models.puzzle import Puzzle
    from puzzlewright.certificates.certifying import CertificateWanted
    from puzzlewright.report import Report
    from puzzlewright.solving.request import Request


@frozen()
class CertificateOptions(Group):
    """A proof that is written down."""

    section = FILES

    certificate: Annotated[
        Path | None, typer.Option("--certificate", metavar="DIR", help="write a proof that anyone can check again")
    ] = None
    certificate_kind: Annotated[
        str, typer.Option("--certificate-kind", metavar="KIND", help="lrat, states or invariant; else what suits")
    ] = ""

    def check(self, level: PuzzleOptions) -> None:
        """Before a long proof, not after it: can it be written, and of such a puzzle?"""
        check_certificate(self.certificate, self.certificate_kind)
        if self.certificate is not None and level.level_file is not None:
            raise typer.BadParameter("--certificate holds one puzzle file: write the level of --level-file into it")
        if self.certificate is not None and level.scramble is not None:
            raise typer.BadParameter("--certificate holds a level as it is written: give its start under `state`")

    def wanted(self, desk: Desk, puzzle: Puzzle, level: PuzzleOptions, request: Request) -> CertificateWanted | None:
        from puzzlewright.certificates.bundle import Source
        from puzzlewright.certificates.certifying import CertificateWanted

        if self.certificate is None:
            return None
        source = Source(desk.texts[puzzle.source], puzzle.level or None, level.settings, request.seed)
        return CertificateWanted(self.certificate, source, self.certificate_kind, request.symmetry, request.progress)


@command("max_horizon", backend=Told("the search of path one"))
def run(
    desk: Desk,
    file: File,
    level: PuzzleOptions,
    search: SearchOptions,
    limits: LimitOptions,
    certificate: CertificateOptions,
    count: Count = False,
    plan_out: PlanOut = None,
    problem: Problem = None,
) -> Report:
    """Search finds a best plan; CP-SAT accepts it and refutes every shorter one."""
    from puzzlewright.report import explained_by
    from puzzlewright.solving.proving import prove

    check_choice("--backend", search.backend, tuple(name for name, row in BACKENDS.items() if row.path == "search"))
    check_writable("--plan-out", plan_out, file, level.level_file)
    certificate.check(level)
    puzzle = level.puzzle(desk, file, problem)
    check_plan_form(plan_out, puzzle)
    check_plan_form(certificate.certificate and certificate.certificate / "plan.json", puzzle, "--certificate")
    request = search.request(desk, puzzle, limits.limits(), level.seed)
    wanted = certificate.wanted(desk, puzzle, level, request)
    return desk.with_plan(puzzle, explained_by(prove(puzzle, request, count, wanted)), plan_out)
