"""The canonical form of a packed state as machine code: blocks sorted, stored objects renamed (`search.symmetry`).

Blocks become words and are sorted by a network of comparisons without branches; its size is that of insertion sort,
which is optimal up to four blocks and good enough for the dozen that puzzles have (Knuth, volume 3, 5.3.4). Names are
given in a register that holds one entry for each object.
"""

from __future__ import annotations

from collections.abc import Sequence

from search.codegen import over_states
from search.emitter import Emitter, Output, signed
from search.layout import WORD, Field, Layout
from search.scopes import Usage
from search.symmetry import Renaming, Sorting, Step
from search.tabulation import Pool

CANONICAL_EXPAND = f"""
define i64 @expand(ptr %states, i64 %n, {Output.HEADER}) {{
  %found = call i64 @plain(ptr %states, i64 %n, ptr %out, ptr %actions, ptr %parents, ptr %costs)
  call void @canonical(ptr %out, i64 %found)
  ret i64 %found
}}"""


def fits(layout: Layout, step: Step) -> bool:
    """Can the step be printed? Its blocks, or the names of its objects, must fit into a word."""
    if isinstance(step, Sorting):
        columns = zip(*([layout.fields[v].values for v in block] for block in step.blocks), strict=True)
        alike = all(len(set(column)) == 1 for column in columns)
        return alike and sum(layout.fields[v].width for v in step.blocks[0]) <= WORD
    objects = len(step.places[0])
    known = all(set(p) <= set(layout.fields[v].values) for v, p in zip(step.variables, step.places, strict=True))
    return known and objects * _name_bits(objects) <= WORD


def _name_bits(objects: int) -> int:
    return max(1, (objects - 1).bit_length())


def write_canonical(layout: Layout, pool: Pool, steps: Sequence[Step]) -> str:
    """canonical(states, n): replaces each state by its canonical form."""
    emitter = Emitter(layout, pool, Usage())
    for step in steps:
        if isinstance(step, Sorting):
            _sort(emitter, step)
        else:
            _rename(emitter, step)
    for k, word in enumerate(emitter.words):
        place = emitter.value(f"add i64 {emitter.value(f'mul i64 %s, {layout.words}')}, {k}")
        pointer = emitter.value(f"getelementptr i64, ptr %states, i64 {place}")
        emitter.line(f"  store i64 {word}, ptr {pointer}")
    return over_states("void @canonical", "", emitter, after=["  ret void"])


def _put(emitter: Emitter, field: Field, code: str) -> None:
    """The field's code in the word at hand."""
    hole = ~field.mask & (1 << WORD) - 1
    kept = emitter.value(f"and i64 {emitter.words[field.word]}, {signed(hole)}")
    moved = emitter.value(f"shl i64 {code}, {field.shift}") if field.shift else code
    emitter.words[field.word] = emitter.value(f"or i64 {kept}, {moved}")


def _sort(emitter: Emitter, step: Sorting) -> None:
    blocks = [[emitter.layout.fields[v] for v in block if emitter.layout.fields[v].width] for block in step.blocks]
    keys = [_key(emitter, block) for block in blocks]
    for last in range(1, len(keys)):
        for k in range(last, 0, -1):
            smaller = emitter.value(f"icmp ult i64 {keys[k]}, {keys[k - 1]}")
            low = emitter.choose(smaller, keys[k], keys[k - 1])
            keys[k] = emitter.choose(smaller, keys[k - 1], keys[k])
            keys[k - 1] = low
    for block, key in zip(blocks, keys, strict=True):
        moved = 0
        for field in block:
            part = emitter.value(f"lshr i64 {key}, {moved}") if moved else key
            _put(emitter, field, emitter.value(f"and i64 {part}, {(1 << field.width) - 1}"))
            moved += field.width


def _key(emitter: Emitter, block: Sequence[Field]) -> str:
    """The block's fields side by side."""
    key, moved = "0", 0
    for field in block:
        code = emitter.bits(field)
        part = emitter.value(f"shl i64 {code}, {moved}") if moved else code
        key = emitter.value(f"or i64 {key}, {part}")
        moved += field.width
    return key


def _rename(emitter: Emitter, step: Renaming) -> None:
    """In the variables' order: an object met first gets the next name, one met before the name it has."""
    width = _name_bits(len(step.places[0]))
    names, seen, following = "0", "0", "0"
    for variable, places in zip(step.variables, step.places, strict=True):
        field = emitter.layout.fields[variable]
        if not field.width:
            continue
        code = emitter.bits(field)
        number = {field.codes[place]: k for k, place in enumerate(places)}
        size = 1 << field.width
        is_object = emitter.value(f"trunc i64 {emitter.fetched([int(c in number) for c in range(size)], code)} to i1")
        object_ = emitter.fetched([number.get(c, 0) for c in range(size)], code)
        slot = emitter.value(f"mul i64 {object_}, {width}")
        bit = emitter.value(f"shl i64 1, {object_}")
        met = emitter.value(f"icmp ne i64 {emitter.value(f'and i64 {seen}, {bit}')}, 0")
        old = emitter.value(f"and i64 {emitter.value(f'lshr i64 {names}, {slot}')}, {(1 << width) - 1}")
        name = emitter.choose(met, old, following)
        fresh = emitter.value(f"select i1 {met}, i1 false, i1 {is_object}")
        added = emitter.value(f"or i64 {names}, {emitter.value(f'shl i64 {following}, {slot}')}")
        names = emitter.choose(fresh, added, names)
        seen = emitter.choose(fresh, emitter.value(f"or i64 {seen}, {bit}"), seen)
        following = emitter.value(f"add i64 {following}, {emitter.value(f'zext i1 {fresh} to i64')}")
        renamed = emitter.fetched([field.codes[place] for place in places], name)
        _put(emitter, field, emitter.choose(is_object, renamed, code))
