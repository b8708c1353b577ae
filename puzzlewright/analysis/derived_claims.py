"""That what is derived of a level is consistent: asked of CP-SAT row by row, of forward code entry by entry.

An estimate out of tables is consistent if each row has its image, which costs no more than the row, also where tables
are added up; if the image of a goal is a goal; and if no entry of a table falls by more than a step of the image costs.
CP-SAT answers the first two over all states, from its own reading of the rows. The code of the image, which nothing of
the making of a table is left in, looks at every entry. A mirror image is shown by the terms of rows that are the same
again. Of tokens CP-SAT is asked whether a row may do anything else than to move one, and whether they are at home at
all goals; every move is looked up in the table.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from models.frozen import frozen
from models.outcomes import Unsupported
from models.terms import Term, substitute
from puzzlewright.analysis.claims import SECONDS, Claims, Finding
from puzzlewright.configuration import DERIVED

if TYPE_CHECKING:
    from encoders.induction import Decision, Prover
    from models.claims import Verdict
    from puzzlewright.solving.workbench import Workbench
    from search.abstractions.derived import Automorphism, Table
    from search.abstractions.deriving import Job


@frozen(eq=True)
class Settled:
    """A row, given what never changes."""

    place: tuple[int, int]
    guard: tuple[Term, ...]
    after: Mapping[Term, Term]
    cost: Term


NOTHING = "nothing is derived"
Status = Literal["proven", "refuted", "unknown"]
NAME = f"heuristic {DERIVED}"


def finding(claims: Claims) -> Finding:
    """What is known of the estimate that is derived; it is made anew, whatever is on disk."""
    from models.claims import Verdict
    from search.abstractions.deriving import job_of
    from search.abstractions.tables import Workshop

    bench = claims.bench
    try:
        found = _Derived(bench, job_of(bench.task, bench.machine(), Workshop(lambda: bench.deadline)))
        verdict, broken = found.verdict()
    except Unsupported as reason:
        return Finding(NAME, Verdict("unknown", f"{NOTHING}: {reason}", 0))
    if broken is None or broken.status != "refuted":
        return Finding(NAME, verdict)
    example = claims.example(NAME, broken.state, broken.operator)
    return Finding(NAME, verdict, example, "CP-SAT finds a step without an image")


class _Derived:
    """What is derived, with its parts."""

    def __init__(self, bench: Workbench, job: Job) -> None:
        from search.abstractions.deriving import KINDS

        self.bench, self.job = bench, job
        sums, _ = job.made(KINDS)
        self.sums = [group for group in sums if all(table.mirror is None for table in group)]
        self.mirrors = [mirror for group in sums if (mirror := group[0].mirror) is not None]

    def verdict(self) -> tuple[Verdict, Decision | None]:
        """The verdict, and what CP-SAT has answered, if it was asked."""
        from models.claims import Verdict

        started = time.monotonic()

        def told(status: Status, reason: str) -> Verdict:
            return Verdict(status, reason, round(time.monotonic() - started, 3))

        tables = [table for group in self.sums for table in group]
        if any(map(self._refuted, tables)):
            return told("refuted", "an entry of a table falls by more than a step costs"), None
        if not all(map(self._keeps, self.mirrors)):
            return told("refuted", "a mirror image of the board has other actions"), None
        answer = self._asked()
        if answer.status == "proven":
            return told("proven", f"{self._shown(tables)}; proven by CP-SAT"), answer
        reason = answer.reason or "an action has no image, or a dearer one"
        return told(answer.status, reason), answer

    def _shown(self, tables: Sequence[Table]) -> str:
        if all(table.tokens is not None for table in tables):
            moves = sum(len(table.tokens.moves) for table in tables if table.tokens is not None)
            return f"every action moves one token at most; {moves:,} moves looked through"
        entries, count = sum(table.states for table in tables), len(self.mirrors)
        seen = f"; {count} mirror image{'s' * (count > 1)} of the board with the same actions" if count else ""
        return f"every action has its image, which is not dearer; {entries:,} entries looked through{seen}"

    def _refuted(self, table: Table) -> bool:
        from search.abstractions.tokens import falls

        if table.tokens is not None:
            return falls(table)
        assert table.image is not None and table.ranking is not None
        tabling = self.job.shop.tabling(table.image, table.ranking)
        return tabling.refuted(table.far) is not None

    def _keeps(self, mirror: Automorphism) -> bool:
        from search.abstractions.mirrors import keeps

        return keeps(self.job.task, self.job.rows, mirror)

    # -- CP-SAT --------------------------------------------------------------------------------------------------------

    def _asked(self) -> Decision:
        from encoders.induction import Decision, Prover
        from search.abstractions.obligations import questions

        if not all(row.exact for row in self.job.rows):
            return Decision("unknown", reason="what `repeat: stable` leaves is not asked about")
        deadline = self.bench.deadline.within(SECONDS)
        prover = Prover(self.bench.task, (), deadline.left or 0, deadline.stop)
        return prover.impossible(lambda: questions(self.job.task, self.sums, self._rows(prover), self.job.values))

    def _rows(self, prover: Prover) -> list[Settled]:
        """The rows as CP-SAT has them, with the start values of what no row writes."""
        known = self.job.known

        def told(term: Term) -> Term:
            return substitute(term, known)

        return [Settled(row.place, tuple(map(told, row.guard)), {old: told(new) for old, new in row.after.items()},
                        told(row.cost)) for row in prover.transitions]  # fmt: skip
