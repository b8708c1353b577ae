"""Which values each variable can ever have, and which rows can ever apply, when all conditions are taken one by one.

The delete relaxation of planning (Hoffmann and Nebel, The FF planning system, 2001) over value sets: a value that a
variable once had it may have for ever, together with any values of the others. It leaves too much in, never too little:
what cannot happen here cannot happen at all. A condition over value sets is the condition with each variable replaced
by one that has only these values; what the constructors of `models.terms` make of it is the answer.
"""

from __future__ import annotations

from collections.abc import Iterable

from models.task import Task
from models.terms import FALSE, TRUE, Term, Var, const, lookup, substitute, var
from search.proofs.enumeration import leaf_set
from search.proofs.transitions import Look, Transition, transitions

CHECK_INTERVAL = 256  # rows between two calls of `look`


class Relaxation:
    """`values[i]` are the places of the values that variable i can ever have; `rows` are those that can ever apply.

    `look` is called now and then; what it raises ends the work.
    """

    def __init__(self, task: Task, look: Look) -> None:
        self.leaves = [var(index, len(variable.domain)) for index, variable in enumerate(task.variables)]
        self.values = [{variable.start} for variable in task.variables]
        self.rows: dict[tuple[int, int], Transition] = {}
        self._open: set[Term] = set()  # conditions that are known to be possible: they stay so
        self._alone: dict[Term, set[int]] = {}
        self._grow(transitions(task, look), look)

    def can_hold(self, condition: Term) -> bool:
        """False: in no reachable state, whatever the choices."""
        return substitute(condition, self._narrowed({})) is not FALSE

    def can_hold_all(self, conditions: Iterable[Term]) -> bool:
        """As `can_hold`; quicker for many conditions, and less exact: they are looked at one by one."""
        parts = list(conditions)
        return self._allowed(parts) is not None and all(self._is_open(part) for part in parts)

    def _grow(self, rows: list[Transition], look: Look) -> None:
        readers: dict[int, list[int]] = {}
        for number, row in enumerate(rows):
            for leaf in row.read:
                if isinstance(leaf, Var):
                    readers.setdefault(leaf.index, []).append(number)
        waiting, looked = dict.fromkeys(range(len(rows))), 0
        while waiting:
            if looked % CHECK_INTERVAL == 0:
                look()
            looked += 1
            number = next(iter(waiting))
            del waiting[number]
            for index in self._applied(rows[number]):
                waiting.update(dict.fromkeys(readers.get(index, ())))

    def _applied(self, row: Transition) -> list[int]:
        """The variables to which the row gives values that they did not have."""
        allowed = self._allowed(row.guard)
        if allowed is None or not all(self._is_open(part) for part in row.guard):
            return []
        self.rows[row.place] = row
        over, memo = self._narrowed(allowed), dict[Term, Term]()
        grown = []
        for leaf, after in row.after.items():
            assert isinstance(leaf, Var)
            domain = range(len(leaf.values))
            new = {value for value in substitute(after, over, memo).values if value in domain}
            if not new <= self.values[leaf.index]:
                self.values[leaf.index] |= new
                grown.append(leaf.index)
        return grown

    def _allowed(self, guard: Iterable[Term]) -> dict[int, set[int]] | None:
        """What the tests of single variables leave of them; None where one is left without values."""
        allowed: dict[int, set[int]] = {}
        for part in guard:
            leaf = next(iter(leaf_set(part)), None)
            if isinstance(leaf, Var) and len(leaf_set(part)) == 1:
                left = allowed.get(leaf.index, self.values[leaf.index]) & self._passing(part, leaf)
                if not left:
                    return None
                allowed[leaf.index] = left
        return allowed

    def _passing(self, part: Term, leaf: Var) -> set[int]:
        """The values of its one variable with which a condition holds."""
        if part not in self._alone:
            self._alone[part] = {value for value in leaf.values if substitute(part, {leaf: const(value)}) is TRUE}
        return self._alone[part]

    def _is_open(self, part: Term) -> bool:
        if part in self._open:
            return True
        possible = self.can_hold(part)
        if possible:
            self._open.add(part)
        return possible

    def _narrowed(self, allowed: dict[int, set[int]]) -> dict[Term, Term]:
        """For each variable a term with just the values that it can have."""
        return {
            leaf: _of_values(leaf, allowed.get(leaf.index, self.values[leaf.index]))
            for leaf in self.leaves
            if isinstance(leaf, Var)
        }


def _of_values(leaf: Var, values: set[int]) -> Term:
    """A term that has exactly these values, its own variable with fewer of them."""
    kept = sorted(values)
    inner = var(leaf.index, len(kept))
    return const(kept[0]) if len(kept) == 1 else lookup(inner, kept)
