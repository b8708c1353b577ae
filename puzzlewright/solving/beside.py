"""CP-SAT at work while `prove` searches: what it has ruled out by then need not be asked any more.

The two share the task and the time, and nothing else: CP-SAT has a thread, a workbench and a list of lines to be told
of its own. It knows nothing of the search's bound and plan, so each still checks what the other has found.

What is asked beside a search is what `solve --backend cpsat` asks: rising horizons, and shorter ones than the first
plan. What an answer means does not depend on when it came, so the verdict is the same however far it has come. It needs
a processor of its own, begins only where a search is not over at once, and not where memory is limited, since the limit
counts all that the process has.
"""

from __future__ import annotations

import math
import os
import threading
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from models.outcomes import ENDLESS, Deadline, LimitReached, Unsupported
from puzzlewright.solving.by_cpsat import claim_seconds, known_notes, left
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from encoders.cpsat import Solve
    from encoders.horizons import Answer, Session

PATIENCE = 1.0  # seconds that search has for itself
LARGEST = 2_000_000  # variables of a question, after which no larger one is asked beside a search
GRACE = 10.0  # seconds for what is at work and of no use any more


@dataclass
class Ready:
    """What CP-SAT may rely on by its own proofs, and what it has come to before it was asked about a plan."""

    session: Session
    notes: list[str]
    without: int = -1  # it has ruled out plans of at most so many steps
    plan: Answer | None = None  # the shortest that it has found


def prepared(bench: Workbench, request: Request) -> Ready:
    """Nothing has been asked."""
    from encoders.horizons import Session

    known = bench.proofs.known_to_cpsat(claim_seconds(bench))
    task = bench.proofs.task_for_cpsat(known, claim_seconds(bench)) if request.invariants else bench.task
    notes = known_notes(known, task.dead is not bench.task.dead)
    return Ready(Session(task, left(bench, request), seed=request.seed, **known._asdict()), notes)


def processors() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Beside:
    """CP-SAT in a thread. What it tells is shown by the thread that searches, when that tells something itself."""

    def __init__(self, bench: Workbench, request: Request) -> None:
        self._asked = request
        self._useless: float = math.inf  # steps: a plan has so many, or nobody waits any more
        self._until = ENDLESS
        self._horizon = 0  # that is asked about
        self._over = threading.Event()
        self._lines: deque[str] = deque()
        self._ready: Ready | None = None
        self._failure: Exception | None = None
        self._request = replace(request, limits=replace(request.limits, stop=self._stopped))
        self._bench = bench.beside(self._stopped)
        self._thread = threading.Thread(target=self._work, name="beside", daemon=True)
        self.begun = processors() > 1 and request.limits.memory_mb is None
        if self.begun:
            self._thread.start()

    @property
    def request(self) -> Request:
        """For the search."""
        progress = self._asked.progress
        return self._asked if progress is None else replace(self._asked, progress=self._shown)

    @property
    def asked(self) -> bool:
        """Has CP-SAT answered anything?"""
        return self._ready is not None and bool(self._ready.session.solves)

    @property
    def plan(self) -> Answer | None:
        return None if self._ready is None else self._ready.plan

    @property
    def without(self) -> int:
        return -1 if self._ready is None else self._ready.without

    def ended(self, steps: int, until: Deadline) -> Ready | None:
        """What it has come to, when a question about fewer steps than a plan has is answered; None: nothing.

        What it has failed of is raised."""
        self._until = until
        self._end(steps)
        if self._failure is not None:
            raise self._failure
        return self._ready

    def close(self) -> None:
        """Nobody waits for it."""
        self._end(0, GRACE)

    def _end(self, steps: int, seconds: float | None = None) -> None:
        self._useless = min(self._useless, steps)
        self._over.set()
        if self.begun:
            self._thread.join(seconds)
        if seconds is None:  # whoever waited goes on in the session
            self._horizon, self._useless, self._until = 0, math.inf, ENDLESS
        self._show()

    def _stopped(self) -> bool:
        stop = self._asked.limits.stop
        return self._horizon >= self._useless or self._until.left == 0 or (stop is not None and stop())

    def _work(self) -> None:
        try:
            if not self._over.wait(PATIENCE):
                self._ready = prepared(self._bench, self._request)
                self._ask(self._ready)
        except (KeyboardInterrupt, LimitReached, Unsupported):
            return  # the same is found by who goes on
        except Exception as why:  # is raised where it is waited for
            self._failure = why

    def _ask(self, ready: Ready) -> None:
        from encoders.horizons import Gap
        from encoders.statements import NEVER, few_steps

        session, task = ready.session, self._bench.task
        session.on_progress = self._tell
        if not task.unit_cost or session.outline.lower_bound >= NEVER:
            return
        gap, status = Gap(session.least_steps), "infeasible"
        while status != "unknown" and not gap.closed and not self._over.is_set():
            self._horizon = few_steps(gap.horizon(math.inf))
            status = gap.ask(session, self._horizon)
            ready.plan = gap.plan
            if status == "infeasible":
                ready.without = gap.least - 1
            if session.solves and session.solves[-1].booleans > LARGEST:
                return

    def _tell(self, solve: Solve) -> None:
        words = {"infeasible": "no plan", "feasible": "a plan"}.get(solve.status, "not decided: a plan")
        seconds = solve.build_seconds + solve.solve_seconds
        self._lines.append(f"CP-SAT: {words} of at most {solve.horizon} steps ({seconds:.1f} s)")

    def _shown(self, text: str) -> None:
        self._show()
        assert self._asked.progress is not None
        self._asked.progress(text)

    def _show(self) -> None:
        while self._lines:
            line = self._lines.popleft()
            if self._asked.milestone is not None:
                self._asked.milestone(line)
