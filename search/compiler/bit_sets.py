"""Recursive definitions over many instances as sets of bits: all at once, by shifts and masks, round after round.

"Can be reached" is one bit for each cell, at the lowest bit of the cell's own field, so that neighbours lie equally far
apart: a step from all cells to their right neighbours is a shift and a mask. (Fills of bitboards; as an algorithm it is
chaotic iteration: Cousot and Cousot, Automatic synthesis of optimal invariant assertions, 1977.)

Sound since bits are set only where a base holds, or a factor does and the bit that it goes with is set already, which
is so of the least solution; and since the rounds end where nothing is to be set any more, which makes it a solution.

The same conditions are there as terms without rounds (`models.recursion`), of which there are few where a definition
leads along a line: sets are used where their rounds take fewer instructions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from models.frozen import frozen
from models.task import Closure, Task
from models.terms import (
    BITS,
    FALSE,
    TRUE,
    And,
    Const,
    Or,
    Term,
    Var,
    children,
    disjunction,
    few_leaves,
    substitute,
)
from search.compiler.alike import any_of, at_once, moved
from search.compiler.emitter import Emitter
from search.compiler.layout import WORD, Bit, Layout, Whole
from search.compiler.scopes import CodeScope

STEP = 3  # instructions of a shift: the shift, its mask, and `or`
Home = tuple[int, int]  # word and bit


class Shift(NamedTuple):
    """From the bits of one word to those of another: up where the distance is positive."""

    after: int
    before: int
    distance: int


@frozen(slots=True)
class BitSet(Whole):
    """The least solution of a closure."""

    bases: Mapping[Home, Term]
    guards: Mapping[Home, Term]  # what all that leads there has in common
    shifts: Mapping[Shift, Mapping[int, Term]]  # what else is needed, by the bit that it leads to

    def write(self, emitter: Emitter) -> str:
        return _Rounds(self, emitter).write()


def bits_of(task: Task, layout: Layout, settled: Mapping[Term, Term]) -> dict[Term, Bit]:
    """The conditions of a task that are better worked out as bits of sets; `settled` as in its rows.

    What a set is worked out from is no bit of it, nor of one that comes later, so that nothing needs itself.
    """
    memo: dict[Term, Term] = {}
    found: dict[Term, Bit] = {}
    needed: set[Term] = set()
    for each in task.closures:
        known = _without_constants(each.over(lambda term: substitute(term, settled, memo)) if settled else each)
        bits = _bits(known, layout)
        add_parts(needed, known.terms if bits else ())
        own = _found_in(needed, replace(layout, bits=bits))
        found |= {term: bit for term, bit in bits.items() if term not in own}
    return found


def _found_in(terms: Iterable[Term], layout: Layout) -> set[Term]:
    """The bits that may be looked for by who writes these terms."""
    return {inner for term in terms if isinstance(term, And | Or) for inner in layout.inside(term)}


def add_parts(seen: set[Term], terms: Iterable[Term]) -> None:
    """Add the terms and all their parts."""
    waiting = [term for term in terms if term not in seen]
    while waiting:
        term = waiting.pop()
        seen.add(term)
        waiting += [part for part in children(term) if part not in seen]


def _without_constants(closure: Closure) -> Closure:
    """The closure where no link goes with a condition that is the same in all states."""
    bases, links = [], []
    for base, each in zip(closure.bases, closure.links, strict=True):
        known = [factor for place, factor in each if closure.conditions[place] is TRUE]
        bases.append(disjunction((base, *known)))
        links.append(tuple(link for link in each if not isinstance(closure.conditions[link[0]], Const)))
    return Closure(closure.conditions, tuple(bases), tuple(links), closure.negations)


def _bits(closure: Closure, layout: Layout) -> dict[Term, Bit]:
    places = [place for place, condition in enumerate(closure.conditions) if not isinstance(condition, Const)]
    homes = _homes(closure, places, layout) or {place: divmod(n, WORD) for n, place in enumerate(places)}
    whole = _bit_set(closure, homes)
    if not _pays(closure, whole):
        return {}
    found = {closure.conditions[place]: Bit(whole, *home, True) for place, home in homes.items()}
    for place, home in homes.items():
        opposite = closure.negations[place]
        if opposite is not None:
            found[opposite] = Bit(whole, *home, False)
    return found


def _homes(closure: Closure, places: Sequence[int], layout: Layout) -> dict[int, Home] | None:
    """For each condition the field of a variable that is its own: what leads there reads that one most of all."""
    read = {place: _read(factor for _, factor in closure.links[place]) for place in places}
    shared = Counter(leaf for leaves in read.values() for leaf in leaves)
    found: dict[int, Home] = {}
    for place, leaves in read.items():
        own = [leaf for leaf in leaves if 2 * shared[leaf] <= len(places) and layout.fields[leaf.index].width]
        if not own:
            return None
        field = layout.fields[max(own, key=leaves.__getitem__).index]
        found[place] = field.word, field.shift
    return found if len(set(found.values())) == len(found) else None


def _read(terms: Iterable[Term]) -> Counter[Var]:
    """In how many of the terms each variable of the old state is read."""
    found: Counter[Var] = Counter()
    for term in terms:
        found.update(leaf for leaf in few_leaves(term) or () if isinstance(leaf, Var) and not leaf.stage)
    return found


def _bit_set(closure: Closure, homes: Mapping[int, Home]) -> BitSet:
    bases, guards = {}, {}
    shifts: dict[Shift, dict[int, Term]] = {}
    for place, (word, bit) in homes.items():
        bases[word, bit] = closure.bases[place]
        factors = {factor for _, factor in closure.links[place]}
        guards[word, bit] = guard = factors.pop() if len(factors) == 1 else TRUE
        for before, factor in closure.links[place]:
            shift = Shift(word, homes[before][0], bit - homes[before][1])
            shifts.setdefault(shift, {})[bit] = TRUE if factor is guard else factor
    parts = (*bases.values(), *guards.values(), *(term for each in shifts.values() for term in each.values()))
    return BitSet(BITS, tuple(dict.fromkeys(parts)), bases, guards, shifts)


def _pays(closure: Closure, whole: BitSet) -> bool:
    """Are as many rounds as it is far to the last bit fewer instructions than the terms are?"""
    return _depth(closure) * STEP * len(whole.shifts) < _junctions(closure.conditions)


def _depth(closure: Closure) -> int:
    """The most links that the shortest way to a condition has."""
    users: dict[int, list[int]] = {}
    for place, links in enumerate(closure.links):
        for before, _ in links:
            users.setdefault(before, []).append(place)
    layer = [place for place, base in enumerate(closure.bases) if base is not FALSE]
    seen, depth = set(layer), 0
    while layer:
        layer = list({user for place in layer for user in users.get(place, ())} - seen)
        seen.update(layer)
        depth += 1
    return depth


def _junctions(conditions: Iterable[Term]) -> int:
    """How often terms say `and` and `or`, each shared part once."""
    parts: set[Term] = set()
    add_parts(parts, conditions)
    return sum(len(part.arguments) - 1 for part in parts if isinstance(part, And | Or))


# -- printing ---------------------------------------------------------------------------------------------------------


class _Rounds:
    """The rounds of a set: each adds to one word after the other what leads there, until a round adds nothing."""

    def __init__(self, whole: BitSet, emitter: Emitter) -> None:
        self.whole, self.emitter = whole, emitter
        self.homes = _by_word(dict.fromkeys(whole.bases, TRUE))
        self.guards = self.at_once(whole.guards)
        self.masks = {shift: self.mask(shift) for shift in whole.shifts}

    def at_once(self, conditions: Mapping[Home, Term]) -> dict[int, str]:
        return {word: at_once(self.emitter, each) for word, each in _by_word(conditions).items()}

    def mask(self, shift: Shift) -> str | None:
        """Which bits may be led to; None where the shift leads to no others of the set."""
        needed = self.whole.shifts[shift]
        led = {bit + shift.distance for bit in self.homes[shift.before]} & self.homes[shift.after].keys()
        plain = all(term is TRUE for term in needed.values())
        return None if plain and led == needed.keys() else at_once(self.emitter, needed)

    def write(self) -> str:
        """The words after the last round, by the names (set, word); the name of one of them."""
        emitter, first = self.emitter, self.at_once(self.whole.bases)
        before, head, rest = map(emitter.label, ("before", "head", "rest"))
        names = {word: f"%r{next(emitter.numbers)}" for word in first}
        after, lines = self.round(names)
        emitter.scopes[-1].lines += [
            *(f"  br label %{before}", f"{before}:", f"  br label %{head}", f"{head}:"),
            *(f"  {names[w]} = phi i64 [{first[w]}, %{before}], [{after[w]}, %{head}]" for w in names),
            *lines,
        ]
        same = emitter.value(f"icmp eq i64 {self.added(names, after)}, 0")
        emitter.scopes[-1].lines += [f"  br i1 {same}, label %{rest}, label %{head}", f"{rest}:"]
        for word, name in after.items():
            emitter.bind((self.whole, word), name)
        return next(iter(after.values()))

    def round(self, names: Mapping[int, str]) -> tuple[dict[int, str], list[str]]:
        """What each word is after a round, and the lines that work it out."""
        emitter, now = self.emitter, dict(names)
        emitter.scopes.append(CodeScope(0, "loop"))
        for word in names:
            now[word] = self.step(word, now)
        return now, emitter.close().lines

    def step(self, word: int, now: Mapping[int, str]) -> str:
        led = [self.led(shift, now[shift.before]) for shift in self.whole.shifts if shift.after == word]
        if not led:
            return now[word]
        allowed = self.emitter.value(f"and i64 {any_of(self.emitter, led)}, {self.guards[word]}")
        return self.emitter.value(f"or i64 {now[word]}, {allowed}")

    def led(self, shift: Shift, before: str) -> str:
        bits, mask = moved(self.emitter, before, -shift.distance), self.masks[shift]
        return bits if mask is None else self.emitter.value(f"and i64 {bits}, {mask}")

    def added(self, names: Mapping[int, str], after: Mapping[int, str]) -> str:
        changes = [self.emitter.value(f"xor i64 {name}, {after[word]}") for word, name in names.items()]
        return any_of(self.emitter, changes)


def _by_word(conditions: Mapping[Home, Term]) -> dict[int, dict[int, Term]]:
    found: dict[int, dict[int, Term]] = {}
    for (word, bit), term in conditions.items():
        found.setdefault(word, {})[bit] = term
    return dict(sorted(found.items()))
