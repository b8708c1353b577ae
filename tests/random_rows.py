"""Random tasks that are biased towards one kind of row each, as the compiler sorts them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from random_tasks import make_task, random_term

from models import terms as t
from models.execution import value
from models.task import Assignment, ChoiceVariable, Phase, Row, Schema, Task
from models.terms import Term

Random = random.Random


def variables(sizes: list[int]) -> list[Term]:
    return [t.var(number, size) for number, size in enumerate(sizes)]


def condition(rng: Random, term: Term) -> Term:
    """A condition about the term that holds for about half of its values."""
    if t.is_condition(term):
        return term
    if len(term.values) > 100:
        return t.compare(rng.choice(("<", "<=")), term, t.const(rng.choice(term.values)))
    return t.member(term, rng.sample(list(term.values), (len(term.values) + 1) // 2))


class Maker:
    """Random schemas over some variables."""

    def __init__(self, rng: Random, sizes: list[int]) -> None:
        self.rng, self.sizes, self.all = rng, sizes, variables(sizes)
        self.free = [n for n, size in enumerate(sizes) if size > 1]
        self.hot = rng.sample(self.free, min(len(self.free), rng.randint(3, 6)))
        self.start = tuple(rng.randrange(size) for size in sizes)

    def some(self, least: int, most: int) -> list[int]:
        return self.rng.sample(self.hot, min(len(self.hot), self.rng.randint(least, most)))

    def near(self, number: int) -> int:
        """A value that the variable is likely to have."""
        return self.start[number] if self.rng.random() < 0.5 else self.rng.randrange(min(3, self.sizes[number]))

    def row(self, guard: list[Term], effects: dict[int, Term], cost: Term | None = None) -> Row:
        lines = tuple(Assignment(target, t.TRUE, value) for target, value in effects.items())
        return Row((), (Phase(t.conjunction(guard), lines),), cost or t.const(self.rng.choice((0, 1, 1, 5))))

    def schema(self, rows: list[Row], *domains: int) -> Schema:
        free = tuple(ChoiceVariable(f"m{k}", tuple(range(size))) for k, size in enumerate(domains))
        return Schema("act", (), free, tuple(rows))

    def turn(self) -> Schema:
        """Everything changes, so that every value may occur."""
        steps = {n: t.lookup(self.all[n], [(v + 1) % self.sizes[n] for v in range(self.sizes[n])]) for n in self.free}
        return self.schema([self.row([], steps)])

    def masks(self) -> Schema:
        """Tests of single variables; constants and copies are written."""
        rows = []
        for _ in range(self.rng.randint(8, 24)):
            guard = [self.single(n) for n in self.some(1, 3)]
            effects = {n: self.constant_or_copy(n) for n in self.some(1, 3)}
            rows.append(self.row(guard, effects))
        return self.schema(rows)

    def single(self, n: int) -> Term:
        kind, size = self.rng.randrange(4), self.sizes[n]
        if kind <= 1:
            return t.member(self.all[n], (self.near(n),))
        most = size - 1 if size <= 16 else 3
        few = self.rng.sample(range(size), self.rng.randint(1, min(most, 9)))
        return t.negation(t.member(self.all[n], few)) if kind == 2 or size > 16 else t.member(self.all[n], few)

    def constant_or_copy(self, n: int) -> Term:
        alike = [m for m in self.hot if self.sizes[m] == self.sizes[n]]
        return self.all[self.rng.choice(alike)] if self.rng.random() < 0.5 else t.const(self.near(n))

    def pivoted(self) -> Schema:
        """Rows that are masks once the value of one variable is known."""
        pivot = self.all[self.hot[0]]
        rows = []
        for _ in range(self.rng.randint(3, 6)):
            tests = [self.single(n) for n in self.some(1, 2)]
            guard = t.select(pivot, [self.rng.choice([*tests, t.TRUE]) for _ in pivot.values])
            target = self.hot[-1]
            new = t.select(pivot, [self.constant_or_copy(target) for _ in pivot.values])
            rows.append(self.row([guard, *(self.single(n) for n in self.some(0, 1))], {target: new}))
        return self.schema(rows)

    def templates(self) -> Schema:
        """One row about different variables of equal sizes, neighbours or not."""
        groups: dict[int, list[int]] = {}
        for n in self.free:
            groups.setdefault(self.sizes[n], []).append(n)
        size, members = max(groups.items(), key=lambda item: len(item[1]))
        count, seed = min(3, len(members)), self.rng.random()
        rows = []
        for _ in range(self.rng.randint(3, 9)):
            first = self.rng.randrange(len(members) - count + 1)
            near = self.rng.random() < 0.4
            chosen = members[first : first + count] if near else self.rng.sample(members, count)
            same = Random(seed)
            leaves = [self.all[n] for n in chosen]
            tests = [condition(same, t.add([(same.choice((1, 2, -1)), leaf) for leaf in leaves], same.randint(-2, 2)))]
            tests.append(condition(same, random_term(same, leaves, 2)))
            effects = {n: t.modulo(random_term(same, leaves, 2), size) for n in chosen[: same.randint(1, count)]}
            rows.append(self.row(tests, effects, t.modulo(random_term(same, leaves, 2), 5)))
        return self.schema(rows)

    def patterns(self) -> Schema:
        """One row about different variables of equal sizes and different numbers, in one phase or two."""
        sizes = Counter(self.sizes[n] for n in self.free)
        size = max(sizes, key=lambda size: (sizes[size], size))
        members, seed = [n for n in self.free if self.sizes[n] == size], self.rng.random()
        return self.schema([self.numbered(Random(seed), members, size) for _ in range(self.rng.randint(40, 80))])

    def numbered(self, same: Random, members: list[int], size: int) -> Row:
        """A row that differs from those by an equal `same` in its variables and numbers."""
        chosen = self.rng.sample(members, 2)
        a, b = (self.all[n] for n in chosen)
        alike = self.rng.random() < 0.1
        numbers = [self.rng.randrange(size) for _ in range(3)] if alike else self.rng.sample(range(2, size), 3)

        def test(term: Term) -> Term:
            found = t.member(term, (same.choice(numbers),))
            return found if same.random() < 0.5 else t.negation(found)

        def new(term: Term) -> Term:
            pairs = [(t.disjunction([test(a), test(term)]), t.const(same.choice(numbers))), (test(b), term)]
            return t.cases(pairs[same.randrange(2) :], t.const(same.choice(numbers)))

        guard = t.conjunction([t.member(a, (same.choice(numbers),)), *([test(b)] if same.random() < 0.7 else [])])
        phases = [Phase(guard, (Assignment(chosen[0], test(b), new(a)), Assignment(chosen[1], t.TRUE, new(b))))]
        if same.random() < 0.5:
            later = t.var(chosen[0], size, 1)
            phases.append(Phase(test(later), (Assignment(chosen[1], t.TRUE, new(later)),)))
        return Row((), tuple(phases), t.const(same.choice(numbers)))

    def boards(self) -> Schema:
        """Every cell is tested and written by the same words about itself and its neighbour."""
        rng, cells = self.rng, [n for n in self.free if self.sizes[n] <= 9]
        rows = []
        for _ in range(rng.randint(1, 3)):
            far, (a, b, c, d) = rng.randint(1, 3), ([v for v in range(9) if rng.random() < 0.4] for _ in range(4))
            guard, effects, joined = [], {}, rng.choice((t.conjunction, t.disjunction))
            for one, other in zip(cells, cells[far:], strict=False):
                test = t.disjunction([t.member(self.all[one], a), t.negation(t.member(self.all[other], b))])
                if value(test, [self.start]) or rng.random() < 0.05:
                    guard.append(test)
                where = joined([t.member(self.all[other], c), t.member(self.all[one], d)])
                pairs = [(where, t.const(rng.randrange(2))), (t.negation(t.member(self.all[other], b)), t.const(0))]
                effects[one] = t.cases(pairs[: rng.choice((1, 1, 2))], self.all[one])
            rows.append(self.row(guard, effects))
        return self.schema(rows)

    def shared(self) -> Schema:
        """Rows that begin alike, with partial tables and look-ups far apart."""
        rng, leaves = self.rng, [self.all[n] for n in self.hot if self.sizes[n] < 10]
        leaves = leaves or [t.member(self.all[self.hot[0]], (0,))]
        common = [condition(rng, random_term(rng, leaves, 2)) for _ in range(3)]
        rows = []
        for _ in range(rng.randint(2, 5)):
            tests, partial = self.partial(leaves)
            far = t.add([(10 ** rng.randint(2, 9), rng.choice(leaves)), (1, rng.choice(leaves))], -7)
            sparse = t.lookup(far, [rng.randint(0, 9) for _ in far.values]) if len(far.values) > 1 else far
            target = rng.choice(self.hot)
            new = t.modulo(t.add([(1, partial), (1, sparse)]), self.sizes[target])
            guard = [*rng.sample(common, rng.randint(0, 3)), *tests]
            rows.append(self.row(guard, {target: new}, self.dear(leaves)))
        return self.schema(rows)

    def partial(self, leaves: list[Term]) -> tuple[list[Term], Term]:
        """(tests, a term that is defined where they hold)."""
        rng = self.rng
        argument, other = rng.choice(leaves), rng.choice(leaves)
        known = rng.sample(list(argument.values), max(1, len(argument.values) - 1))
        branches = [random_term(rng, leaves, 1) if v in known else None for v in argument.values]
        table = [rng.randint(-4, 4) if v in known else None for v in argument.values]
        tables = [t.lookup(other, [rng.randint(0, 3) for _ in other.values]) if v in known else None
                  for v in argument.values]  # fmt: skip
        terms = (t.select(argument, branches), t.lookup(argument, table), t.select(argument, tables))
        return [t.member(argument, known)], rng.choice(terms)

    def dear(self, leaves: list[Term]) -> Term:
        rng = self.rng
        parts = [(rng.choice((1, 2**40, 2**53, 3 * 2**40)), rng.choice(leaves)) for _ in range(3)]
        return t.add([(c, t.modulo(leaf, 4)) for c, leaf in parts], rng.choice((0, 7, 2**60)))

    def joint(self) -> Schema:
        """Choices with tests on one, on several and on none of them, in one phase or two."""
        rng = self.rng
        sizes = [rng.randint(1, 4) for _ in range(rng.randint(1, 4))]
        chosen = [t.choice(k, size) for k, size in enumerate(sizes)]
        old = [self.all[n] for n in self.hot if self.sizes[n] < 10]
        rows = []
        for _ in range(rng.randint(1, 3)):
            tests = [condition(rng, random_term(rng, [leaf], 1)) for leaf in chosen if rng.random() < 0.5]
            tests += [condition(rng, random_term(rng, [*chosen, *old], 2)) for _ in range(rng.randint(0, 3))]
            phases, leaves = [], [*chosen, *old]
            for stage in range(rng.randint(1, 3)):
                leaves += [t.var(n, self.sizes[n], stage) for n in self.hot if stage and self.sizes[n] < 10]
                lines = []
                for n in self.some(1, 3):
                    test = condition(rng, random_term(rng, leaves, 1)) if rng.random() < 0.5 else t.TRUE
                    lines.append(Assignment(n, test, t.modulo(random_term(rng, leaves, 2), self.sizes[n])))
                guard = tests if not stage else [condition(rng, random_term(rng, leaves, 1))]
                phases.append(Phase(t.conjunction(guard), tuple(lines)))
            rows.append(Row((), tuple(phases), t.modulo(random_term(rng, [*chosen, *old], 2), 4)))
        return self.schema(rows, *sizes)

    def task(self, kinds: list[Callable[[Maker], Schema]]) -> Task:
        rng = self.rng
        small = [self.all[n] for n in self.hot if self.sizes[n] < 10] or [t.TRUE]
        always = condition(rng, random_term(rng, small, 2)) if rng.random() < 0.4 else t.TRUE
        always = always if value(always, [self.start]) else t.negation(always)
        goal = condition(rng, random_term(rng, small, 2))
        schemas = [self.turn()] if rng.random() < 0.7 else []
        schemas += [kind(self) for kind in kinds]
        return make_task(self.sizes, schemas, goal, always, self.start)


PROFILES: dict[str, Callable[[Random], list[int]]] = {
    "small": lambda rng: [rng.choice((1, 2, 3, 3, 4, 8, 9)) for _ in range(rng.randint(4, 7))] + [3, 3],
    "wide": lambda rng: [rng.choice((2, 3, 17, 17, 40, 40, 130)) for _ in range(rng.randint(5, 20))] + [4, 4, 4],
    "long": lambda rng: [rng.choice((1, 2, 3, 3, 5, 9, 20, 20)) for _ in range(rng.randint(30, 60))],
}

KINDS = (Maker.masks, Maker.pivoted, Maker.templates, Maker.shared, Maker.joint, Maker.boards)
