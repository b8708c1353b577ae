"""Relaxed plans as a guide: how much is left to do, and which actions to begin with."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

import numpy as np

from search.compiler.layout import Layout
from search.improving.gates import Effect, Fact, Gates, gates_of
from search.kernels.driver import Counts, Numbers
from search.kernels.loading import bound
from search.kernels.relaxed import BUCKETS, FAR, NOBODY, Desk, Relaxed, Wiring, relaxed_plan
from search.machine import Machine
from search.proofs.transitions import Look


class RelaxedPlans:
    """An adviser of `algorithms.preferring`: estimates are costs of relaxed plans, in which no step is free, and what
    helps are those of their rows that could be first (Hoffmann and Nebel, The FF planning system, 2001)."""

    lost = FAR

    def __init__(self, machine: Machine, gates: Gates) -> None:
        wiring = wiring_of(machine.layout, gates)
        room = max(len(gates.gates), len(wiring.owner))
        desk = [np.zeros(room, np.int64) for _ in Desk._fields[1:]] + [np.full(BUCKETS, NOBODY, np.int64)]
        self._state = np.zeros(machine.words, np.uint64)
        self._bytes = self._state.data.cast("B")
        self._helpful = np.zeros(max(1, len(gates.rows)), np.int64)
        self._out = Relaxed()
        self._call = bound(relaxed_plan, wiring, Desk._make(desk), self._state, self._helpful, self._out)
        numbering = machine.program.numbering
        numbers = {place: number for number, place in enumerate(numbering.places)}
        self._places = [numbers[row.place] for row in gates.rows]
        self._find = numbering.find

    def look(self, state: int) -> tuple[int, frozenset[int]]:
        """The estimate of a state, and the kinds of the actions that help."""
        self._bytes[:] = state.to_bytes(len(self._bytes), "little")
        self._call()
        rows = self._helpful[: self._out.helpful].tolist()
        return self._out.estimate, frozenset(self._places[row] for row in rows)

    def kind(self, action: int) -> int:
        """Of an action: whatever its choices, the row is what helps."""
        return self._find(action)


def relaxed_plans(machine: Machine, look: Look) -> RelaxedPlans | None:
    """None where that is too much, or nested too deeply; what `look` raises ends the work."""
    try:
        gates = gates_of(machine.task, [field.values for field in machine.layout.fields], look)
    except RecursionError:
        return None
    return None if gates is None else RelaxedPlans(machine, gates)


def wiring_of(layout: Layout, gates: Gates) -> Wiring:
    nodes, facts = len(gates.gates), len(gates.facts)
    price = np.zeros(nodes, np.int64)
    price[facts : facts + len(gates.rows)] = [max(1, row.cost.values[0]) for row in gates.rows]
    inputs = _numbers(gates.numbers[each] for gate in gates.gates for _, each in gate.inputs)
    weights = _numbers(weight for gate in gates.gates for weight, _ in gate.inputs)
    sizes = [len(gate.inputs) for gate in gates.gates]
    order = np.argsort(inputs, kind="stable")
    outputs = np.repeat(np.arange(nodes, dtype=np.uint32), sizes)[order]
    outof = np.searchsorted(inputs[order], np.arange(nodes + 1)).astype(np.uint32)
    groups: dict[tuple[int, int], int] = {}
    group = [groups.setdefault((node.row, node.fact.variable), len(groups)) if isinstance(node, Effect) else NOBODY
             for node in gates.numbers]  # fmt: skip
    fields = layout.fields
    codes = [
        gates.facts.get(Fact(variable, value), NOBODY)
        for variable, field in enumerate(fields)
        for value in field.values
    ]
    return Wiring(
        need=_counts(gate.need for gate in gates.gates),
        price=price,
        into=_numbers(accumulate(sizes, initial=0)),
        inputs=inputs,
        outof=outof,
        outputs=outputs,
        weights=weights[order],
        group=_counts(group),
        owner=_numbers(facts + row for row, _ in groups),
        word=_numbers(field.word for field in fields),
        shift=np.array([field.shift for field in fields], np.uint64),
        mask=np.array([(1 << field.width) - 1 for field in fields], np.uint64),
        first=_numbers(accumulate((len(field.values) for field in fields[:-1]), initial=0)),
        fact=_counts(codes),
        first_row=facts,
        rows=len(gates.rows),
        goal=gates.goal,
    )


def _numbers(values: Iterable[int]) -> Numbers:
    return np.fromiter(values, np.uint32)


def _counts(values: Iterable[int]) -> Counts:
    return np.fromiter(values, np.int64)
