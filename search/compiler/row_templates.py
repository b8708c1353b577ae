"""Rows that differ only in the variables they are about, as one piece of code in a loop.

The fields that a row is about are gathered into a few local words, the code works on these, and what it has written is
put back: the code is compiled once for all rows, and conditions on a row's variables become masks and tables over the
local words. (Loop re-rolling with a gather and a scatter; rows have one shape by `models.shapes`.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from models.frozen import frozen
from models.shapes import Naming
from models.terms import Term, Var
from search.compiler.emitter import Emitter
from search.compiler.layout import WORD, Layout
from search.compiler.row_tables import Records
from search.compiler.rows import RowPlan
from search.compiler.scopes import Usage

Write = Callable[[Emitter, RowPlan, Callable[[Sequence[str], str], None]], None]
Add = Callable[[Emitter, Sequence[str], str, str], None]
NO_NUMBERS: Mapping[Term, Sequence[int]] = {}


@frozen(eq=True)
class Shaped:
    """A row with its variables in the order in which its terms mention them, and with all names that a shape has."""

    plan: RowPlan
    action: int
    variables: tuple[int, ...]
    names: tuple[Term, ...]


def shaped(layout: Layout, plan: RowPlan, action: int, naming: Naming) -> tuple[object, Shaped] | None:
    """(the shape, the row); rows of equal shapes can share their code.

    None for a row with choices or loops, and for one that asks for bits, which a row's own words have not.
    """
    if plan.loops or plan.repeats or layout.asks(plan.roots()):
        return None
    work = (
        naming.shapes(plan.tests),
        tuple((naming.shapes(step.tests), naming.shapes(term for pair in step.definitions for term in pair))
              for step in plan.steps),
        naming.shapes(plan.always), naming.shape(plan.cost),
    )  # fmt: skip
    first = {leaf.index: number for number, leaf in enumerate(_old(naming))}
    written = sorted(plan.changed, key=lambda index: (first.get(index, len(first)), index))
    results = naming.shapes(plan.final[index] for index in written)
    variables = tuple(dict.fromkeys([*(leaf.index for leaf in _old(naming)), *written]))
    place = {index: number for number, index in enumerate(variables)}
    fields = tuple((layout.fields[i].width, layout.fields[i].values) for i in variables)
    return (work, results, tuple(place[i] for i in written), fields), Shaped(
        plan, action, variables, tuple(naming.names)
    )


def _old(naming: Naming) -> list[Var]:
    """The old variables in the order in which they were met."""
    return [leaf for leaf in naming.names if isinstance(leaf, Var) and not leaf.stage]


def common_pieces(layout: Layout, rows: Sequence[Shaped]) -> list[list[int]]:
    """The places in `variables` as runs of fields that lie side by side in all rows."""
    links = dict(_links(layout, rows[0]))
    for row in rows[1:]:
        links = dict(links.items() & _links(layout, row).items())
    followers = set(links.values())
    pieces = []
    for first, variable in enumerate(rows[0].variables):
        if first not in followers and layout.fields[variable].width:
            piece = [first]
            while piece[-1] in links:
                piece.append(links[piece[-1]])
            pieces.append(piece)
    return pieces


def _links(layout: Layout, row: Shaped) -> dict[int, int]:
    """The place of the variable whose field begins where that of another one ends."""
    fields = [layout.fields[index] for index in row.variables]
    begins = {(f.word, f.shift): n for n, f in enumerate(fields) if f.width}
    ends = {n: (f.word, f.shift + f.width) for n, f in enumerate(fields) if f.width}
    return {n: begins[end] for n, end in ends.items() if end in begins}


def local_layout(
    layout: Layout, row: Shaped, pieces: Sequence[Sequence[int]]
) -> tuple[Layout, list[tuple[int, int, int]]]:
    """(the layout in which the row's variables lie in local words, (local word, shift, width) of each piece)."""
    fields = list(layout.fields)
    places = []
    word = shift = 0
    for piece in pieces:
        width = sum(layout.fields[row.variables[n]].width for n in piece)
        if shift + width > WORD:
            word, shift = word + 1, 0
        places.append((word, shift, width))
        for number in piece:
            index = row.variables[number]
            fields[index] = replace(layout.fields[index], word=word, shift=shift)
            shift += layout.fields[index].width
    return Layout(tuple(fields), word + 1), places


def write_template(emitter: Emitter, rows: Sequence[Shaped], write: Write, add: Add) -> None:
    """A loop over the rows."""
    with emitter.loop(str(len(rows))) as row:
        write_any(emitter, rows, rows[0].plan, row, write, add)


def write_any(emitter: Emitter, rows: Sequence[Shaped], plan: RowPlan, row: str, write: Write, add: Add,
              numbers: Mapping[Term, Sequence[int]] = NO_NUMBERS) -> None:  # fmt: skip
    """The row of this number, all of which do what `plan` says over the first row's variables and their `numbers`.

    `write` prints the code of the plan and calls back with the local words and the cost.
    """
    pieces = common_pieces(emitter.layout, rows)
    layout, places = local_layout(emitter.layout, rows[0], pieces)
    columns: dict[object, Sequence[int]] = {**_columns(emitter.layout, rows, pieces)}
    columns.update(numbers.items())
    records = Records(emitter, columns)
    usage = Usage()
    usage.add(plan.number, plan.roots())
    base = emitter.value(f"mul i64 {row}, {records.size}")
    local = Emitter(layout, emitter.pool, usage, emitter.numbers, emitter.look)
    local.words = gathered(emitter, records, base, places, layout.words)
    for number in numbers:
        local.bind(number, records.column(local, base, number))

    def finish(words: Sequence[str], cost: str) -> None:
        after = scattered(local, emitter.words, records, base, places, words)
        add(local, after, records.column(local, base, "action"), cost)

    write(local, plan, finish)
    for line in local.scopes[0].lines:
        emitter.line(line)


def _columns(layout: Layout, rows: Sequence[Shaped], pieces: Sequence[Sequence[int]]) -> dict[object, list[int]]:
    columns: dict[object, list[int]] = {"action": [row.action for row in rows]}
    for k, piece in enumerate(pieces):
        first = [layout.fields[row.variables[piece[0]]] for row in rows]
        width = sum(layout.fields[rows[0].variables[n]].width for n in piece)
        columns["word", k] = [field.word for field in first]
        columns["shift", k] = [field.shift for field in first]
        for w in range(layout.words):
            columns["hole", k, w] = [((1 << width) - 1) << f.shift if f.word == w else 0 for f in first]
    return columns


def gathered(
    emitter: Emitter, records: Records, base: str, places: Sequence[tuple[int, int, int]], words: int
) -> list[str]:
    """The local words."""
    parts: list[list[str]] = [[] for _ in range(words)]
    for k, (word, shift, width) in enumerate(places):
        source = emitter.picked(records.column(emitter, base, ("word", k)))
        part = emitter.value(f"lshr i64 {source}, {records.column(emitter, base, ('shift', k))}")
        part = emitter.value(f"and i64 {part}, {(1 << width) - 1}") if width < WORD else part
        parts[word].append(emitter.value(f"shl i64 {part}, {shift}") if shift else part)
    found = []
    for pieces in parts:
        joined = pieces[0] if pieces else "0"
        for part in pieces[1:]:
            joined = emitter.value(f"or i64 {joined}, {part}")
        found.append(joined)
    return found


def scattered(
    local: Emitter, old: Sequence[str], records: Records, base: str, places: Sequence[tuple[int, int, int]],
    words: Sequence[str],
) -> list[str]:  # fmt: skip
    """The state's words with the local words put back."""
    after = list(old)
    for k, (word, shift, width) in enumerate(places):
        part = local.value(f"lshr i64 {words[word]}, {shift}") if shift else words[word]
        part = local.value(f"and i64 {part}, {(1 << width) - 1}") if width < WORD else part
        part = local.value(f"shl i64 {part}, {records.column(local, base, ('shift', k))}")
        for w in range(len(after)):
            if records.constants.get(("hole", k, w)) == 0:
                continue
            hole = records.column(local, base, ("hole", k, w))
            kept = local.value(f"and i64 {after[w]}, {local.value(f'xor i64 {hole}, -1')}")
            after[w] = local.value(f"or i64 {kept}, {local.value(f'and i64 {part}, {hole}')}")
    return after
