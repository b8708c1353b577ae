"""Recursive definitions: the least solution of a system of conditions, each an *unknown* that others may use.

An unknown is a leaf that takes two values only, and each equation is monotone in the unknowns. So the least x with
x = f(x, others) is f(FALSE, others), and unknowns may be solved for one after the other (Bekić's theorem; Bekić,
Definable operations in general algebras, 1969). Three steps, from cheap to dear:

- What is decided whatever the state goes through the equations by a worklist (semi-naive evaluation: Bancilhon and
  Ramakrishnan, 1986). A definition over data alone ends here or with the next step, without a term.
- The rest falls into groups of unknowns that use each other (Tarjan, 1972), solved one behind the other.
- A group whose equations are *linear* is solved by elimination, as of linear equations (Tarjan, A unified approach to
  path problems, 1981; the unknown that is used least first, as Markowitz does for sparse matrices, 1957). Linear means
  `base or a and x or b and y ...`; or, the other way round, `base and (a or x) and (b or y) ...`. A board of n cells
  gives some n * sqrt(n) terms so, where writing all rounds out gave n * n.
- Other groups are iterated: as many rounds as there are unknowns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush

from models import terms as t
from models.frozen import frozen
from models.task import Closure
from models.terms import FALSE, TRUE, Term

Equations = Mapping[Term, Term]
Look = Callable[[], None]
Junction = Callable[[Iterable[Term]], Term]
MANY = 16  # unknowns from which on it is worth knowing how they lead to each other


def least_solution(equations: Equations, look: Look) -> dict[Term, Term]:
    """What the unknowns are in every state, without unknowns; `look` is called often, and may raise."""
    found, left = _decided_anyway(equations, look)
    uses = {unknown: [leaf for leaf in t.leaves(term) if leaf in left] for unknown, term in left.items()}
    for group in _groups(uses):
        look()
        memo: dict[Term, Term] = {}
        inside = {unknown: t.substitute(left[unknown], found, memo) for unknown in group}
        found.update(_solved(inside, look) if len(group) > 1 or group[0] in uses[group[0]] else inside)
    return found


def closure(equations: Equations, found: Mapping[Term, Term]) -> Closure | None:
    """How many unknowns that are `found` to be these conditions lead to each other, where all equations are sums."""
    if len(equations) < MANY or all(isinstance(found[unknown], t.Const) for unknown in equations):
        return None
    reader, place = _Linear(SUMS, equations), {unknown: place for place, unknown in enumerate(equations)}
    forms = [form for term in equations.values() if (form := reader.form(term)) is not None]
    if len(forms) < len(equations):
        return None
    links = tuple(tuple((place[used], factor) for used, factor in factors.items()) for _, factors in forms)
    conditions = tuple(found[unknown] for unknown in equations)
    return Closure(conditions, tuple(base for base, _ in forms), links, (None,) * len(conditions))


def _decided_anyway(equations: Equations, look: Look) -> tuple[dict[Term, Term], dict[Term, Term]]:
    """(unknowns that are the same in every state, the other equations without these)."""
    users: dict[Term, list[Term]] = {unknown: [] for unknown in equations}
    for unknown, term in equations.items():
        for leaf in t.leaves(term):
            if leaf in users:
                users[leaf].append(unknown)
    found: dict[Term, Term] = {}
    left = dict(equations)
    waiting = [unknown for unknown, term in left.items() if isinstance(term, t.Const)]
    while waiting:
        new = {unknown: left.pop(unknown) for unknown in waiting}
        found.update(new)
        memo: dict[Term, Term] = {}
        touched = dict.fromkeys(user for unknown in new for user in users[unknown] if user in left)
        for user in touched:
            look()
            left[user] = t.substitute(left[user], new, memo)
        waiting = [user for user in touched if isinstance(left[user], t.Const)]
    return found, left


def _groups(uses: Mapping[Term, Sequence[Term]]) -> list[list[Term]]:
    """Unknowns that use each other together, each group behind those that it uses."""
    number: dict[Term, int] = {}
    lowest: dict[Term, int] = {}
    path: list[Term] = []
    groups: list[list[Term]] = []
    grouped: set[Term] = set()
    for root in uses:
        waiting = [(root, iter(uses[root]))] if root not in number else []
        while waiting:
            unknown, rest = waiting[-1]
            if unknown not in number:
                number[unknown] = lowest[unknown] = len(number)
                path.append(unknown)
            inner = next(rest, None)
            if inner is None:
                waiting.pop()
                if waiting:
                    lowest[waiting[-1][0]] = min(lowest[waiting[-1][0]], lowest[unknown])
                if lowest[unknown] == number[unknown]:
                    start = path.index(unknown)
                    groups.append(path[start:])
                    grouped.update(path[start:])
                    del path[start:]
            elif inner not in number:
                waiting.append((inner, iter(uses[inner])))
            elif inner not in grouped:
                lowest[unknown] = min(lowest[unknown], number[inner])
    return groups


def _solved(equations: Equations, look: Look) -> dict[Term, Term]:
    """The least solution of unknowns that use each other."""
    for kind in (SUMS, PRODUCTS):
        system = _system(equations, kind)
        if system is not None:
            return system.solved(look)
    return _iterated(equations, look)


def _iterated(equations: Equations, look: Look) -> dict[Term, Term]:
    """Round by round from false on; what n conditions ever become they are after n rounds."""
    values: dict[Term, Term] = dict.fromkeys(equations, FALSE)
    for _ in equations:
        memo: dict[Term, Term] = {}
        before, values = values, {}
        for unknown, term in equations.items():
            look()
            values[unknown] = t.substitute(term, before, memo)
        if values == before:
            break
    return values


# -- linear equations --------------------------------------------------------------------------------------------------


@frozen(eq=True)
class Kind:
    """What adds parts of an equation up, what multiplies them; `zero` adds nothing."""

    plus: Junction
    times: Junction
    zero: Term
    one: Term
    outer: type[t.And | t.Or]  # the term that `plus` makes
    inner: type[t.And | t.Or]

    def only_where(self, condition: Term) -> Term:
        """What to multiply with what counts only where the condition holds."""
        return condition if self.zero is FALSE else t.negation(condition)


SUMS = Kind(t.disjunction, t.conjunction, FALSE, TRUE, t.Or, t.And)
PRODUCTS = Kind(t.conjunction, t.disjunction, TRUE, FALSE, t.And, t.Or)
Form = tuple[Term, dict[Term, Term]]  # base, and the factor of each unknown


def _system(equations: Equations, kind: Kind) -> _System | None:
    """The equations in linear form; None where one of them has none."""
    forms: dict[Term, Form] = {}
    reader = _Linear(kind, equations)
    for unknown, term in equations.items():
        form = reader.form(term)
        if form is None:
            return None
        forms[unknown] = form
    return _System(kind, forms)


class _Linear:
    """Reads conditions as linear forms in some unknowns."""

    def __init__(self, kind: Kind, unknowns: Collection[Term]) -> None:
        self.kind, self.unknowns = kind, unknowns
        self.touched: dict[Term, bool] = {}
        self.forms: dict[Term, Form | None] = {}

    def touches(self, term: Term) -> bool:
        """Does an unknown occur in it?"""
        for part in t.parts_first(term, self.touched):
            self.touched[part] = part in self.unknowns or any(self.touched[inner] for inner in t.children(part))
        return self.touched[term]

    def form(self, term: Term) -> Form | None:
        if term not in self.forms:
            self.forms[term] = self._form(term)
        return self.forms[term]

    def _form(self, term: Term) -> Form | None:
        kind = self.kind
        if not self.touches(term):
            return term, {}
        if term in self.unknowns:
            return kind.zero, {term: kind.one}
        match term:
            case t.And(arguments=parts) | t.Or(arguments=parts):
                if isinstance(term, kind.outer):
                    return self.sum([(kind.one, part) for part in parts])
                inside = [part for part in parts if self.touches(part)]
                outside = kind.times(part for part in parts if not self.touches(part))
                return self.sum([(outside, inside[0])]) if len(inside) == 1 else None
            case t.Select(argument=argument, branches=branches) if not self.touches(argument):
                values: dict[Term, list[int]] = {}
                for value, branch in zip(argument.values, branches, strict=True):
                    if branch is not None:
                        values.setdefault(branch, []).append(value)
                there = [(kind.only_where(t.member(argument, found)), branch) for branch, found in values.items()]
                return self.sum(there)
        return None

    def sum(self, parts: Sequence[tuple[Term, Term]]) -> Form | None:
        """Of parts with a factor each."""
        kind = self.kind
        bases: list[Term] = []
        factors: dict[Term, list[Term]] = {}
        for factor, part in parts:
            form = self.form(part)
            if form is None:
                return None
            bases.append(kind.times((factor, form[0])))
            for unknown, inner in form[1].items():
                factors.setdefault(unknown, []).append(kind.times((factor, inner)))
        return kind.plus(bases), {unknown: kind.plus(found) for unknown, found in factors.items()}


class _System:
    """Linear equations, from which one unknown after the other is eliminated."""

    def __init__(self, kind: Kind, forms: Mapping[Term, Form]) -> None:
        self.kind = kind
        self.bases = {unknown: base for unknown, (base, _) in forms.items()}
        self.rows: dict[Term, dict[Term, Term]] = {unknown: {} for unknown in forms}
        self.users: dict[Term, dict[Term, None]] = {unknown: {} for unknown in forms}
        self.place = {unknown: place for place, unknown in enumerate(forms)}
        self.products: dict[frozenset[Term], Term] = {}  # of either order: boards are often symmetric
        for unknown, (_, factors) in forms.items():
            for used, factor in factors.items():
                self.add(unknown, used, factor)

    def times(self, one: Term, other: Term) -> Term:
        key = frozenset((one, other))
        if key not in self.products:
            self.products[key] = self.kind.times((one, other))
        return self.products[key]

    def add(self, unknown: Term, used: Term, factor: Term) -> None:
        """factor * used to the unknown's equation; what it uses of itself is false there."""
        if used is unknown:
            self.bases[unknown] = self.kind.plus((self.bases[unknown], self.times(factor, FALSE)))
        elif factor is not self.kind.zero:
            row = self.rows[unknown]
            row[used] = self.kind.plus((row[used], factor)) if used in row else factor
            self.users[used][unknown] = None

    def work(self, unknown: Term) -> int:
        """The products that it takes to eliminate it."""
        return (len(self.rows[unknown]) + 1) * len(self.users[unknown])

    def solved(self, look: Look) -> dict[Term, Term]:
        kept: list[tuple[Term, dict[Term, Term]]] = []
        queue = [(self.work(unknown), place, unknown) for unknown, place in self.place.items()]
        heapify(queue)
        while self.rows:
            work, _, unknown = heappop(queue)
            if unknown in self.rows and work == self.work(unknown):
                kept.append((unknown, row := self.rows.pop(unknown)))
                users = self.eliminate(unknown, row, look)
                for changed in {**users, **row}:
                    heappush(queue, (self.work(changed), self.place[changed], changed))
        return self._values(kept)

    def eliminate(self, unknown: Term, row: Mapping[Term, Term], look: Look) -> dict[Term, None]:
        """Put its equation into those of its users, which come back."""
        users = self.users.pop(unknown)
        for used in row:
            del self.users[used][unknown]
        for user in users:
            look()
            factor = self.rows[user].pop(unknown)
            self.bases[user] = self.kind.plus((self.bases[user], self.times(factor, self.bases[unknown])))
            for used, inner in row.items():
                self.add(user, used, self.times(factor, inner))
        return users

    def _values(self, kept: Sequence[tuple[Term, Mapping[Term, Term]]]) -> dict[Term, Term]:
        """The last one is its base; each one before uses only such as were eliminated later."""
        values: dict[Term, Term] = {}
        for unknown, row in reversed(kept):
            parts = (self.times(factor, values[used]) for used, factor in row.items())
            values[unknown] = self.kind.plus((self.bases[unknown], *parts))
        return values
