"""Plans that count as one: by the order of steps that commute, and by exchanges of interchangeable objects.

*Reordering.* Two operators are independent if neither's row writes what the other's reads or writes
(`proofs.pruning.conflicts`). Plans are alike if one becomes the other by swapping independent neighbours; the classes
are the traces of Mazurkiewicz (Concurrent program schemes, 1977). A plan is the first of its class, in the order of
operator numbers, if and only if it has no factor b u a with a before b and a independent of b and of all of u (Anisimov
and Knuth, Inhomogeneous sorting, 1979); that no two *neighbours* are in the wrong order is not enough. So after each
step a set of operators must not come next: those independent of it that were in the set or come before it (the sleep
sets of Godefroid, 1990). First plans are counted as paths of pairs (node, set).

*Symmetry.* Plans are alike if they go through the same positions, each taken up to exchanges of interchangeable
objects: if their sequences of canonical states are the same. By which operators does not matter. Every path of the
quotient graph stands for a plan, since an exchange maps edges to edges, and goals to goals.

Both together: the least equivalence that contains the two. All plans are listed then.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from models.outcomes import Unsupported
from models.task import State
from search.machine import Machine
from search.proofs.pruning import MOST_ROWS, conflicts
from search.proofs.transitions import transition
from search.spaces.best_plans import BestPlans
from search.spaces.state_space import Graph, count_paths, row_starts, topological

REORDERING, SYMMETRY = "reordering", "symmetry"
MOST_LISTED = 100_000  # plans that are listed to be compared
MOST_PAIRS = 1_000_000  # pairs (node, set)

Path = tuple[int, ...]  # places of edges
Canonical = Callable[[State], State]


class PlanClasses:
    """The classes of the cheapest plans, of which there are finitely many, up to what is named."""

    def __init__(self, plans: BestPlans, machine: Machine, kinds: Iterable[str], canonical: Canonical) -> None:
        self.plans, self.machine, self.canonical = plans, machine, canonical
        self.kinds = frozenset(kinds)

    def count(self) -> int:
        """How many classes; Unsupported where that takes too much."""
        if self.kinds == {REORDERING}:
            return self._traces()
        if self.kinds == {SYMMETRY}:
            return self._position_paths()
        return len(self._joined)

    def first_plans(self) -> list[Path]:
        """The first plan of each class; Unsupported where there are too many plans."""
        return list(self._joined.values())

    # -- all plans, listed ---------------------------------------------------------------------------------------------

    @cached_property
    def _joined(self) -> dict[int, Path]:
        """For each class (the number of its first plan) its first plan: those with a common key are joined."""
        paths = list(islice(self._paths(), MOST_LISTED + 1))
        if len(paths) > MOST_LISTED:
            raise Unsupported(f"more than {MOST_LISTED:,} plans: too many to be compared with each other")
        leader = list(range(len(paths)))
        first: dict[Hashable, int] = {}
        for number, path in enumerate(paths):
            for key in self._keys(path):
                one, other = sorted((_root(leader, number), _root(leader, first.setdefault(key, number))))
                leader[other] = one
        return {number: path for number, path in enumerate(paths) if leader[number] == number}

    def _paths(self) -> Iterable[Path]:
        for number, path in enumerate(self.plans.paths()):
            if number % 1000 == 0:
                self.plans.look()
            yield path

    def _keys(self, path: Path) -> Iterable[Hashable]:
        if REORDERING in self.kinds:
            yield REORDERING, self.normal_form([self._letters[place] for place in path])
        if SYMMETRY in self.kinds:
            yield SYMMETRY, tuple(self._positions[self.plans.graph.targets[place]] for place in path)

    # -- reordering ----------------------------------------------------------------------------------------------------

    @cached_property
    def _alphabet(self) -> tuple[Any, list[int]]:
        """(the operators that occur, ascending; the letter of each edge, which is the operator's place there)."""
        actions, letters = np.unique(self.plans.actions, return_inverse=True)
        return actions, letters.tolist()

    @property
    def _letters(self) -> list[int]:
        return self._alphabet[1]

    @cached_property
    def _independent(self) -> list[int]:
        """For each letter the set of those independent of it; sets of letters are bit masks."""
        numbering = self.machine.program.numbering
        places = [numbering.places[numbering.find(int(action))] for action in self._alphabet[0]]
        rows = {place: number for number, place in enumerate(dict.fromkeys(places))}
        if len(rows) > MOST_ROWS:
            raise Unsupported(f"the plans use more than {MOST_ROWS:,} different rows: too many to tell which commute")
        meet = conflicts({number: transition(self.machine.task, place) for place, number in rows.items()}, len(rows))
        of_row = [0] * len(rows)
        for letter, place in enumerate(places):
            for row in np.flatnonzero(~meet[rows[place]]).tolist():
                of_row[row] |= 1 << letter
        return [of_row[rows[place]] for place in places]

    def normal_form(self, letters: Sequence[int]) -> tuple[int, ...]:
        """The first sequence of the class of a sequence of letters: always the least one that may come next."""
        left, result = list(letters), list[int]()
        while left:
            passed, best = -1, 0  # all letters; the place of the least one that commutes with those before it
            for place, letter in enumerate(left):
                if passed >> letter & 1 and letter < left[best]:
                    best = place
                passed &= self._independent[letter]
            result.append(left.pop(best))
        return tuple(result)

    def _traces(self) -> int:
        """How many plans are the first of their class."""
        graph, later, pairs = self.plans.graph, self._later(), 1
        waiting: list[dict[int, int]] = [{} for _ in range(graph.nodes)]  # of each node: set -> number of paths
        waiting[0][0] = 1
        total = 0
        for node in self._order:
            self.plans.look()
            paths, waiting[node] = waiting[node], {}
            total += sum(paths.values()) if self.plans.ends[node] else 0
            for place in range(int(graph.offsets[node]), int(graph.offsets[node + 1])):
                letter, target = self._letters[place], int(graph.targets[place])
                after = waiting[target]
                for barred, number in paths.items():
                    if not barred >> letter & 1:
                        now = self._independent[letter] & (barred | (1 << letter) - 1) & later[target]
                        pairs += now not in after
                        after[now] = after.get(now, 0) + number
            if pairs > MOST_PAIRS:
                raise Unsupported(f"more than {MOST_PAIRS:,} sets of operators are needed to count up to reordering")
        return total

    @cached_property
    def _order(self) -> list[int]:
        """The nodes, each after all that lead to it."""
        return [node for ready in topological(self.plans.graph, self.plans.look) for node in ready.tolist()]

    def _later(self) -> list[int]:
        """For each node the letters on the paths from there: only these need to be barred."""
        graph = self.plans.graph
        later = [0] * graph.nodes
        for node in reversed(self._order):
            for place in range(int(graph.offsets[node]), int(graph.offsets[node + 1])):
                later[node] |= later[graph.targets[place]] | 1 << self._letters[place]
        return later

    # -- symmetry ------------------------------------------------------------------------------------------------------

    @cached_property
    def _positions(self) -> list[int]:
        """For each node the number of its canonical state, in the order of the nodes."""
        numbers: dict[State, int] = {}
        found = []
        for node in range(self.plans.graph.nodes):
            if node % 1000 == 0:
                self.plans.look()
            state = self.machine.layout.unpack(self.plans.states(node))
            found.append(numbers.setdefault(self.canonical(state), len(numbers)))
        return found

    def _position_paths(self) -> int:
        """How many paths the quotient graph has."""
        graph, positions = self.plans.graph, np.array(self._positions)
        sources = np.repeat(positions, np.diff(graph.offsets))
        edges = np.unique(np.stack((sources, positions[graph.targets])), axis=1)
        size = int(positions.max()) + 1
        ends = np.zeros(size, np.bool_)
        ends[positions[self.plans.ends]] = True
        quotient = Graph(row_starts(np.bincount(edges[0], minlength=size)), edges[1].astype(np.uint32), None)
        found = count_paths(quotient, ends, self.plans.look)
        if found is None:
            raise Unsupported(
                "steps that cost nothing lead back to a position that differs in interchangeable objects only"
            )
        return found


def _root(leader: list[int], number: int) -> int:
    """The representative of a class (union-find: Galler and Fischer 1964), with paths halved."""
    while leader[number] != number:
        leader[number] = leader[leader[number]]
        number = leader[number]
    return number
