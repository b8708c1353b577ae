"""What is derived of a task, for a search: an estimate in machine code, or in words why there is none.

It is correct by the way it is made (an image's distances never fall by more than a step costs), and the tables are
looked through once by forward code before they are believed. So it counts as proven, like a declared heuristic that the
prover has proven; `check --prove --heuristic derived` asks others about every part of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from models.outcomes import Deadline, LimitReached, Outcome, Unsupported
from models.task import Task
from puzzlewright.configuration import DERIVED
from puzzlewright.solving.request import Request

if TYPE_CHECKING:
    from search.abstractions.derived import Derived
    from search.abstractions.reading import Called
    from search.machine import Machine
    from search.space import Heuristic


class Tables(NamedTuple):
    """What was derived, or why nothing was; and how long that took."""

    found: Derived | None = None
    why: str = ""  # empty: nobody has asked
    seconds: float = 0.0

    @property
    def remarks(self) -> list[str]:
        if self.found is None:
            return [f"nothing is derived: {self.why}; the search goes on without"] * bool(self.why)
        count = len(self.found.tables)
        tables = "one table" if count == 1 else f"{count} tables"
        images = len(self.found.sums) - 1
        seen = f", and as often for {images} mirror image{'s' * (images > 1)} of the board" if images else ""
        return [f"derived: {tables} of {self.found.states:,} states{seen}; {self.why}"]

    @property
    def figures(self) -> dict[str, object]:
        if self.found is None:
            return {}
        return {"derived_tables": len(self.found.tables), "derived_states": self.found.states,
                "derived_bytes": self.found.size, "derived_seconds": self.seconds,
                "derived_patterns": [list(table.pattern) for table in self.found.tables]}  # fmt: skip


NO_TABLES = Tables()
PROVEN = "proven: consistent by construction, and looked through where it was made"
TOO_LITTLE_MEMORY = "there is not enough memory for its tables"
LOST = "the tables say that no goal can be reached from the start"


def make_tables(task: Task, machine: Callable[[], Machine], clock: Callable[[], Deadline], request: Request,
                keeps: bool, in_passing: bool = False) -> Tables:  # fmt: skip
    """What is too large, or takes too long, is left out; other limits, and Ctrl-C, are for the whole work."""
    started = time.perf_counter()
    found, why = _derived(task, machine, clock, request, keeps, in_passing)
    return Tables(found, why, round(time.perf_counter() - started, 4))


def _derived(task: Task, machine: Callable[[], Machine], clock: Callable[[], Deadline], request: Request,
             keeps: bool, in_passing: bool) -> tuple[Derived | None, str]:  # fmt: skip
    from search.abstractions.keeping import known

    def tell(words: str) -> None:
        if request.progress is not None:
            request.progress(f"{DERIVED}: {words}")

    def spare() -> float:
        room = clock().room
        return math.inf if room is None else room

    try:
        found = known(task, machine().program.values, in_passing) if keeps else None
        if found is None:
            from search.abstractions.deriving import derive

            found = derive(task, machine(), clock, tell, spare, keeps, in_passing)
        return found, found.why
    except Unsupported as reason:
        return None, str(reason)
    except LimitReached as reason:
        if reason.outcome is Outcome.TIME_LIMIT:
            return None, "there is not enough time for its tables"
        if reason.outcome is not Outcome.MEMORY_LIMIT or request.limits.memory_is_full():
            raise
        return None, TOO_LITTLE_MEMORY
    except MemoryError:
        return None, TOO_LITTLE_MEMORY


def estimate_of(machine: Machine, found: Derived) -> Called:
    """The estimate for states of a machine."""
    from search.abstractions.reading import Estimate

    return Estimate(machine.layout, found.sums, machine.keeps)


def with_derived(name: str, machine: Machine, found: Derived, beside: Heuristic, canonical: bool = False) -> Heuristic:
    """The estimate that is read from tables, or the greater one of it and another.

    Searches leave out the states that a table calls lost. That is sound whatever is beside it: no goal is called that,
    no step of an image leads from a lost one to one that is not (looked through), and a step of the task has an image.
    An entry that is full is no lost one, nor is a table that is not there; `lost` is more than any sum of entries.

    With `canonical` states, for which the tables hold (`Starts.have_images`), each is estimated as it stands. Its best
    way to a goal costs what those of its images do, so the estimate is admissible, and what is lost is lost for all;
    but a step ends in some image of where it leads, so that the estimate may fall by more than it costs: it is not
    consistent, and states may be opened again.
    """
    from search.abstractions.reading import Estimate, Greatest
    from search.space import BLIND, Estimated, Heuristic

    used: Called = Estimate(machine.layout, found.sums, machine.keeps)
    if beside is not BLIND:
        used = Greatest([used.address, beside.address()], machine.words, (used, beside), found.least_lost,
                        machine.keeps)  # fmt: skip
    consistent = beside.consistent and not canonical
    term = None if beside.parts is None else beside.parts.term
    return Heuristic(name, used.evaluate, beside.admissible, consistent, lambda: used.address, found.least_lost,
                     Estimated(term, found.sums))  # fmt: skip
