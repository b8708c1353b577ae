"""Bounds on a term under the guard of a row and known facts, without a solver: enumerate a core, bound the rest apart.

The *core* are the leaves that the row itself reads or writes, as far as the term reads them. Given their values, the
other summands fall into groups without common leaves; each group's least and greatest value is found by enumerating
the group's own leaves, and the bounds of the groups add up. That is exact inside a group and an over-estimate between
groups (bucket elimination with mini-buckets: Dechter and Rish, 2003), hence always sound. Where an enumeration would
exceed its limit the answer is None: unknown, never a guess. Problems equal up to the names of leaves are solved once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from models.frozen import frozen
from models.metrics import LARGEST
from models.outcomes import ENDLESS, Deadline
from models.shapes import Naming
from models.terms import TRUE, Add, Term, Var, add, conjuncts, leaves
from search.compiler.term_tables import fits, size
from search.proofs.enumeration import Listed, assignments, extend, leaf_set, relax

Each: TypeAlias = Any  # a number for each assignment: `short.Numbers` of few, an array of many

ROWS = 4_000_000  # assignments that one enumeration may meet
CELLS = 2_000_000_000  # the same times the terms that are worked out for each
SECONDS = 20.0  # for one claim
Key = tuple[Any, ...]


@dataclass
class Proof:
    """What may be assumed of every state, what has been computed, and how long to go on."""

    facts: list[Term] = field(default_factory=list)  # conditions that hold in all reachable states
    limit: int = ROWS
    deadline: Deadline = field(default_factory=lambda: ENDLESS.within(SECONDS))
    memo: dict[Key, Any] = field(default_factory=dict)

    def rows(self, terms: Iterable[Term]) -> int:
        """So many assignments may be met where all parts of these terms are worked out for each."""
        return min(self.limit, CELLS // max(1, size(tuple(terms))))

    def about(self, kept: frozenset[Term]) -> list[Term]:
        """The facts relaxed to these leaves."""
        parts = [relax(fact, kept) for fact in self.facts if not kept.isdisjoint(leaf_set(fact))]
        return [part for part in dict.fromkeys(parts) if part is not TRUE]


@frozen(eq=True)
class Bounds:
    """For each assignment of the core the least and the greatest value of a term; no assignments: it never happens."""

    core: Listed
    low: Each
    high: Each

    @property
    def least(self) -> int:
        return int(self.low.min()) if len(self.low) else LARGEST

    @property
    def greatest(self) -> int:
        return int(self.high.max()) if len(self.high) else -LARGEST


def bounds(term: Term, core: Iterable[Term], guard: Sequence[Term], proof: Proof, modulus: int = 0) -> Bounds | None:
    """Bounds of a sum for every assignment of `core` that guard and facts admit; None where it takes too many rows, or
    numbers of more than 64 bits.

    With a modulus the bounds are those of the remainders, and None also where a group has more than one. At the proof's
    deadline LimitReached is raised.
    """
    proof.deadline.look()
    if not fits(term):
        return None
    inside = frozenset(core)
    ordered = [leaf for leaf in leaves(*guard, term) if leaf in inside]
    constraints = [*guard, *proof.about(inside)]
    renamed = Naming({leaf: number for number, leaf in enumerate(ordered)})
    relaxed = [part for whole in constraints for part in conjuncts(relax(whole, inside))]
    key = (tuple(len(leaf.values) for leaf in ordered), *renamed.shapes(dict.fromkeys(relaxed)))
    columns = _core(ordered, relaxed, key, proof)
    if columns is None:
        return None
    low: Each = columns.full(0)
    high = low
    feasible: Each = low <= high
    for group in groups(term, inside):
        found = _group(group, columns, renamed, guard, key, proof, modulus)
        if found is None:
            return None
        low, high, feasible = low + found[0], high + found[1], feasible & (found[0] <= found[1])
        if modulus:
            low = high = low % modulus
    return Bounds(columns.filtered(feasible), low[feasible], high[feasible])


def _core(ordered: Sequence[Term], relaxed: Sequence[Term], key: Key, proof: Proof) -> Listed | None:
    """The assignments of the core; rows that differ in names share them."""
    memo_key = ("core", *key)
    if memo_key not in proof.memo:
        proof.memo[memo_key] = ordered, assignments(ordered, relaxed, proof.rows(relaxed))
    others, columns = proof.memo[memo_key]
    return (
        None
        if columns is None
        else replace(columns, of={leaf: columns.of[o] for leaf, o in zip(ordered, others, strict=True)})
    )


def groups(total: Term, core: frozenset[Term]) -> list[Term]:
    """The sum cut into sums that share no leaf outside the core; the constant is a group of its own."""
    pairs = total.terms if isinstance(total, Add) else ((1, total),)
    constant = total.constant if isinstance(total, Add) else 0
    parts: list[tuple[set[Term], list[tuple[int, Term]]]] = []
    for pair in pairs:
        read = set(leaf_set(pair[1]) - core)
        joined = [part for part in parts if part[0] & read or (not read and not part[0])]
        merged = (read.union(*(p[0] for p in joined)), [q for p in joined for q in p[1]] + [pair])
        parts = [part for part in parts if part not in joined] + [merged]
    return [add([], constant)] * (constant != 0) + [add(part[1]) for part in parts]


def _group(
    group: Term, columns: Listed, renamed: Naming, guard: Sequence[Term], core_key: Key, proof: Proof, modulus: int
) -> tuple[Each, Each] | None:
    """(least, greatest) of the group for each assignment of the core: by the guard alone, then with all facts."""
    naming = renamed.copy()
    group_shape = naming.shape(group)
    outside = [leaf for leaf in naming.names if leaf not in renamed.names]
    kept = frozenset(naming.names)
    relevant = [c for c in guard if not leaf_set(c).isdisjoint(outside)]
    plain = (*core_key, group_shape, modulus, *naming.shapes(relax(c, kept) for c in relevant))
    if plain not in proof.memo:
        proof.memo[plain] = _extremes(group, columns, outside, relevant, proof, modulus)
    found: tuple[Each, Each] | None = proof.memo[plain]
    if found is not None and (found[0] == found[1]).all():
        return found
    if outside and proof.facts:
        relevant = [*relevant, *proof.about(kept)]
        informed = (*plain, "facts", *naming.shapes(relax(c, kept) for c in relevant))
        if informed not in proof.memo:
            proof.memo[informed] = _extremes(group, columns, outside, relevant, proof, modulus)
        found = proof.memo[informed]
    exact = found is not None and (not modulus or (found[0] >= found[1]).all())
    return found if exact else None


def _extremes(
    group: Term, core: Listed, outside: Sequence[Term], constraints: Sequence[Term], proof: Proof, modulus: int
) -> tuple[Each, Each] | None:
    """(least, greatest) for each assignment of the core; the least is above where nothing extends the assignment."""
    most = proof.rows([group, *constraints])
    if core.size > most:
        return None
    if not outside:
        values = core.evaluate(group)
        values = values % modulus if modulus else values
        return values, values
    place = Var(range(max(core.size, 1)), -1, 0)  # remembers which assignment of the core a row extends
    columns = extend(core.numbered(place), outside, constraints, most)
    if columns is None:
        return None
    values = columns.evaluate(group)
    low, high = columns.ends(values % modulus if modulus else values, place, core.size)
    return core.taken(low), core.taken(high)
