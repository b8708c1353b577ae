"""Tasks with claims, right and wrong."""

from __future__ import annotations

import itertools
from dataclasses import replace

from random_tasks import make_task, slide

from models.task import Assignment, ChoiceVariable, Heuristic, Invariant, Phase, Row, Schema
from models.terms import (
    TRUE,
    add,
    cases,
    choice,
    compare,
    conjunction,
    const,
    floor_divide,
    lookup,
    maximum,
    member,
    modulo,
    select,
    var,
)


def distance(a, b, cols):
    return abs(a // cols - b // cols) + abs(a % cols - b % cols)


def n_puzzle(rows, cols, start):
    """The n-puzzle with its claims, right and wrong."""
    task, size = slide(rows, cols, start), rows * cols
    at = [var(c, size) for c in range(size)]
    home = [(t - 1) % size for t in range(size)]
    once = conjunction(member(add((1, member(cell, (t,))) for cell in at), (1,)) for t in range(size))
    pairs = add((1, compare("<", at[b], at[a])) for a in range(size) for b in range(a + 1, size))
    gap = cases([(member(at[c], (0,)), const(c)) for c in range(size - 1)], const(size - 1))
    row, col = (lookup(gap, [f(c) for c in range(size)]) for f in (lambda c: c // cols, lambda c: c % cols))
    with_gap = add((1, lookup(at[c], [distance(c, home[t], cols) for t in range(size)])) for c in range(size))
    manhattan = add((1, lookup(at[c], [t and distance(c, home[t], cols) for t in range(size)])) for c in range(size))
    misplaced = add((1, member(at[c], [t for t in range(1, size) if home[t] != c])) for c in range(size))
    return replace(
        task,
        invariants=(
            Invariant("each-tile-once", once),
            Invariant("parity", modulo(add([(1, pairs), (1, row), (1, col)]), 2)),
            Invariant("wrong", modulo(pairs, 2)),
            Invariant("corner", at[0]),
        ),
        heuristics=(
            Heuristic("manhattan", manhattan),
            Heuristic("misplaced", misplaced),
            Heuristic("larger", maximum([manhattan, misplaced])),
            Heuristic("gap counted", with_gap),
            Heuristic("twice", add([(2, manhattan)])),
            Heuristic("positive at the goal", add([(1, misplaced)], 1)),
        ),
    )


def vehicles(n):
    """All vehicles move at once: a step or stay; no two on one square."""
    cells, ways = n * n, [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
    at, move = [var(v, cells) for v in range(n)], [choice(v, len(ways)) for v in range(n)]

    def target(c, way):
        r, q = c // n + way[0], c % n + way[1]
        return r * n + q if 0 <= r < n and 0 <= q < n else None

    to = [
        select(a, [lookup(m, [target(c, w) for w in ways]) for c in range(cells)])
        for a, m in zip(at, move, strict=True)
    ]
    on = [
        select(a, [member(m, [k for k, w in enumerate(ways) if target(c, w) is not None]) for c in range(cells)])
        for a, m in zip(at, move, strict=True)
    ]
    apart = [compare("!=", a, b) for a, b in itertools.combinations(to, 2)]
    row = Row((), (Phase(conjunction([*on, *apart]), tuple(Assignment(v, TRUE, to[v]) for v in range(n))),), const(1))
    schema = Schema("step", (), tuple(ChoiceVariable(f"m{v}", tuple(range(5))) for v in range(n)), (row,))
    ends = [cells - 1 - v for v in range(n)]
    goal = conjunction(member(a, (end,)) for a, end in zip(at, ends, strict=True))
    plain = [lookup(at[v], [distance(c, ends[v], n) for c in range(cells)]) for v in range(n)]
    half = [floor_divide(add([(1, h)], 1), 2) for h in plain]
    named = {"half": maximum(half), "largest": maximum(plain), "sum": add((1, h) for h in plain)}
    heuristics = [Heuristic(name, term) for name, term in named.items()]
    return make_task([cells] * n, [schema], goal, TRUE, tuple(range(n)), heuristics)
