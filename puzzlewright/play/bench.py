"""A game's workbench, moved to the state that a player is in.

Grounding, machine code and most proofs do not depend on the start, so they are made once and used for every state. What
does depend on it are the facts that invariants give: each verdict names those that it rests on (`models.claims`), and
benches are kept by the values of all invariants.
"""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from models.claims import said
from models.decoding import numbers_of
from models.interpreter import State
from models.outcomes import Deadline, LimitReached, Limits, Outcome, Stop, Unsupported
from models.puzzle import Puzzle
from models.starts import with_start
from models.task import State as Numbers
from models.task import Task
from puzzlewright.play.game import Game
from puzzlewright.solving.choosing import suits_tables
from puzzlewright.solving.deriving import Tables
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from search.machine import Machine

KEPT = 8  # benches, one for each set of facts
PREPARING = 8.0  # seconds for the proofs of one
MAKING = 60.0  # seconds for tables, of which they use half
MEMORY = 1500.0  # MB that a search may use


class Bench(Workbench):
    """A workbench that has its machine code in common with others of the same task, whatever their start."""

    at_start = "here"  # another start than the file's, perhaps
    shared: dict[tuple[bool, bool], Machine]
    tables: list[Tables]  # that were made, each for the starts that it holds for

    def machine(self, symmetry: Any = None, alive: bool = False) -> Machine:
        kind = symmetry is not None, alive
        if kind not in self._machines:
            known = self.shared.get(kind)
            if known is None or not known.covers(self.task.start):
                known = self.shared[kind] = super().machine(symmetry, alive)
            task = self.task.without_dead() if alive else self.task
            self._machines[kind] = known.restarted(task, lambda: self.proofs.facts, lambda: self.deadline)
        return self._machines[kind]

    def derived(self, request: Request, in_passing: bool = False) -> Tables:
        """Those that somebody has made for a start like this, if any."""
        for each in self.tables:
            if each.found is not None and each.found.starts.have(self.task.start):
                return each
        made = super().derived(request, in_passing)
        self.tables += [made] * (made.found is not None)
        return made

    def make_tables(self, stop: Stop) -> bool:
        """Ahead of searches, if they are of the kind that `auto` makes in passing; False where somebody says stop."""
        request = Request(limits=Limits(memory_mb=MEMORY))
        self.deadline = Deadline(stop=stop).within(MAKING)
        try:
            with suppress(Unsupported):
                if suits_tables(self, request):
                    self.derived(request)
        except LimitReached as reason:
            return reason.outcome is not Outcome.INTERRUPTED
        return True


class Benches:
    """The workbenches of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[tuple[str, ...], Bench] = {}  # by the values of the invariants
        self.tables: list[Tables] = []

    def at(self, state: State) -> Bench:
        """A bench whose puzzle and task start in that state; it shares what is proven with others of the same facts."""
        game = self.game
        numbers = numbers_of(game.puzzle, game.task, state)
        facts = tuple(said(invariant, numbers) for invariant in game.task.invariants)
        moved, task = with_start(game.puzzle, state), _started(game.task, numbers)
        if facts not in self.known:
            if len(self.known) == KEPT:
                self.known.clear()
            bench = Bench(game.puzzle, (game.metric,))
            bench.shared, bench.tables = {}, self.tables
            self.known[facts] = _prepared(_moved(bench, moved, task))
        return _moved(copy(self.known[facts]), moved, task)


def _moved(bench: Bench, puzzle: Puzzle, task: Task) -> Bench:
    """The bench with another start."""
    bench.puzzle, bench.task, bench._machines, bench._tables = puzzle, task, {}, None
    bench.proofs = bench.proofs.moved(task, lambda: bench.deadline)
    return bench


def _prepared(bench: Bench) -> Bench:
    """The bench after the proofs that searches ask for, as far as there is time."""
    with suppress(LimitReached), bench.within(PREPARING):
        bench.proofs.separating()
        bench.first_proven()
    return bench


def _started(task: Task, numbers: Numbers) -> Task:
    pairs = zip(task.variables, numbers, strict=True)
    return replace(task, variables=tuple(replace(variable, start=number) for variable, number in pairs))
