"""A puzzle with all that is worked out about it once and used by several steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from models.metrics import Scale
from models.outcomes import ENDLESS, Deadline, Gauge, Limits, Stop, Unsupported
from models.puzzle import Puzzle
from models.task import Heuristic as Declared
from models.task import Task
from puzzlewright.configuration import BLIND, DERIVED, check_names, derives
from puzzlewright.files.disk_cache import ground_puzzle
from puzzlewright.solving.deriving import Tables, make_tables
from puzzlewright.solving.memory import Memory
from puzzlewright.solving.proofs import Proofs
from puzzlewright.solving.request import Request

if TYPE_CHECKING:
    from search.abstractions.derived import Derived
    from search.machine import Machine
    from search.proofs.symmetry import Symmetry


FOR_TABLES = 0.5  # of the time that is left, and of the memory, so that a search can go on without them


class Workbench:
    """The task of a puzzle, its proofs, its machine code, under one deadline: what takes long raises LimitReached."""

    at_start = "at the start"  # how texts call the state that everything begins in

    def __init__(
        self, puzzle: Puzzle, metrics: Sequence[str] = (), deadline: Deadline = ENDLESS, memory: bool = True
    ) -> None:
        """Without `memory` everything is proven here; with it, what is on disk is believed."""
        self.puzzle, self.deadline, self.remembers = puzzle, deadline, memory
        self.task: Task = ground_puzzle(puzzle, metrics, deadline)
        self.proofs = Proofs(self.task, lambda: self.deadline, Memory(self.task.fingerprint if memory else ""))
        self._machines: dict[tuple[bool, bool], Machine] = {}
        self._tables: Tables | None = None

    def keeping_all(self) -> Workbench:
        """One whose task has the variables that play no part too; it remembers nothing, since that is another task."""
        from models.grounding import ground

        bench = Workbench(replace(self.puzzle, fingerprint=""), self.metrics, self.deadline)
        bench.task = ground(bench.puzzle, self.metrics, self.deadline, keeping_all=True)
        bench.proofs = Proofs(bench.task, lambda: bench.deadline, Memory(""))
        return bench

    def beside(self, stop: Stop) -> Workbench:
        """The same for another thread, with a deadline of its own: what is proven by one is known to the other."""
        bench = copy(self)
        bench.deadline = replace(self.deadline, stop=stop)
        bench.proofs = self.proofs.moved(self.task, lambda: bench.deadline)
        return bench

    @contextmanager
    def within(self, seconds: float | None, memory: Limits | None = None) -> Iterator[None]:
        """Work that has at most so many seconds of the time that is left, and memory in these limits, if any."""
        whole, self.deadline = self.deadline, self.deadline.within(seconds)
        if memory is not None and memory.memory_mb is not None:
            self.deadline = replace(self.deadline, full=Gauge(memory))
        try:
            yield
        finally:
            self.deadline = whole

    @property
    def metrics(self) -> tuple[str, ...]:
        """The costs that are minimised, the most important first."""
        return self.task.metrics

    @property
    def scale(self) -> Scale:
        return Scale(self.task.metrics, self.task.weights)

    # -- heuristics ----------------------------------------------------------------------------------------------------

    def declared(self, name: str) -> Declared | None:
        """A heuristic by name, None for `blind`; ConfigurationError where there is none of that name.

        Of one that is derived it is the one beside it, as a maximum; None if there is none.
        """
        name = name.removeprefix(f"{DERIVED}+") if derives(self.puzzle, name) else name
        if name == BLIND or derives(self.puzzle, name):
            return None
        found = next((h for h in self.task.heuristics if h.name == name), None)
        if found is None and any(name == each.name for each in self.puzzle.heuristics):
            raise Unsupported(f"the heuristic {name} reads a variable that no condition, goal or cost depends on")
        check_names(self.puzzle, (name,), ())
        return found

    def first_proven(self) -> Declared | None:
        """The first heuristic of the file that is proven; None if none is."""
        return next((declared for declared in self.task.heuristics if self.proofs.proven(declared)), None)

    def derived(self, request: Request, in_passing: bool = False) -> Tables:
        """What is derived of the task, made once, within a part of the time and of the memory that are left;
        `in_passing`: if it is soon made."""
        if self._tables is None:
            with self.within(self.deadline.share(FOR_TABLES), request.limits.sharing(FOR_TABLES)):
                self._tables = make_tables(self.task, self.machine, lambda: self.deadline, request,
                                           self.remembers, in_passing)  # fmt: skip
        return self._tables

    # -- symmetry and machine code -------------------------------------------------------------------------------------

    @cached_property
    def symmetry(self) -> Symmetry | None:
        """Which objects are proven interchangeable; None where none are said to be."""
        if not self.task.symmetries:
            return None
        from search.proofs.symmetry import find_symmetry

        return find_symmetry(self.task)

    def usable_symmetry(self, declared: Declared | None, derived: Derived | None = None) -> Symmetry | None:
        """The symmetry, if the heuristic has one value for all states that are one under it; else None.

        What is derived may tell them apart, but has to hold for all of them.
        """
        found = self.symmetry
        if not found or not (derived is None or derived.starts.have_images(self.task.start, found)):
            return None
        from search.proofs.symmetry import respects

        return found if (declared is None or respects(self.task, found, declared.term)) else None

    def machine(self, symmetry: Symmetry | None = None, alive: bool = False) -> Machine:
        """The compiled task, over states as they are or over canonical ones; with `alive` without its dead states."""
        from search.machine import Machine

        kind = symmetry is not None, alive
        if kind not in self._machines:
            task = self.task.without_dead() if alive else self.task
            self._machines[kind] = Machine(
                task, symmetry=symmetry, facts=lambda: self.proofs.facts, clock=lambda: self.deadline,
                known_layers=lambda: self.proofs.known_layers(symmetry),
                keeps=self.remembers and bool(self.task.fingerprint)
            )  # fmt: skip
        return self._machines[kind]

    def leaves_dead_out(self, symmetry: Symmetry | None) -> bool:
        """May a search leave dead states out? With symmetry only if a state is dead where its images are."""
        proofs = self.proofs
        if self.task.dead is None or proofs.starts_dead or not proofs.dead_fits or not proofs.loses_dead():
            return False
        if symmetry is None:
            return True
        from search.proofs.symmetry import respects

        return respects(self.task, symmetry, self.task.dead)
