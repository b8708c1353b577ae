"""A state as text, from the puzzle's `view`: rows of glyphs, the places that a step changed marked.

Marks are brackets, so that they survive a pipe; where the terminal has colour the glyph is highlighted as well.
"""

from __future__ import annotations

from dataclasses import dataclass

from models.interpreter import UNDEFINED, State, bindings, evaluate, scope
from models.puzzle import Puzzle
from models.referee import place_name, template
from models.values import Cell, show

Place = tuple[int, int]


@dataclass(frozen=True)
class Scene:
    """Glyphs by place (row, column), and a caption; without a board, `lines` say what the state is."""

    glyphs: dict[Place, str]
    caption: str = ""
    lines: tuple[str, ...] = ()


def scene(puzzle: Puzzle, state: State) -> Scene:
    """What there is to see of a state."""
    at = scope(state)
    caption = template(puzzle.view.caption, at)
    if puzzle.view.glyph is not None:
        return Scene(_glyphs(puzzle, state), caption)
    board = _default_board(puzzle, state)
    return Scene(board, caption) if board else Scene({}, caption, tuple(_lines(puzzle, state)))


def _glyphs(puzzle: Puzzle, state: State) -> dict[Place, str]:
    view = puzzle.view
    assert view.glyph is not None
    found: dict[Place, str] = {}
    heights = len(view.types[1].values) if len(view.types) == 2 else 0
    for bound in bindings(view.loops, scope(state)):
        values = [bound.locals[loop.name] for loop in view.loops]
        glyph = evaluate(view.glyph, bound)
        if len(values) == 1 and isinstance(values[0], Cell):
            place = (values[0].row, values[0].col)
        elif len(values) == 1:
            place = (0, view.types[0].place[values[0]])
        else:  # across, up
            place = (heights - 1 - view.types[1].place[values[1]], view.types[0].place[values[0]])
        found[place] = "?" if glyph is UNDEFINED else show(glyph)
    return found


def _default_board(puzzle: Puzzle, state: State) -> dict[Place, str]:
    """Without a view: the first variable that is an array over the cells of a board."""
    for variable in puzzle.variables:
        cells = variable.indices[0][1].values if len(variable.indices) == 1 else ()
        if cells and all(isinstance(cell, Cell) for cell in cells):
            return {(cell.row, cell.col): show(state[variable.name, (cell,)]) for cell in cells}
    return {}


def _lines(puzzle: Puzzle, state: State) -> list[str]:
    groups: dict[str, list[str]] = {}
    for place, value in state.items():
        name = place_name(place) if place[1] else place[0]
        groups.setdefault(place[0], []).append(f"{name} = {show(value)}")
    return ["  ".join(group) for group in groups.values()]


def draw(now: Scene, before: Scene | None = None) -> list[str]:
    """Lines of text; what differs from `before` stands in brackets."""
    if not now.glyphs:
        return list(now.lines)
    rows, cols = 1 + max(row for row, _ in now.glyphs), 1 + max(col for _, col in now.glyphs)
    width = max(len(glyph) for glyph in now.glyphs.values())
    changed = _changed(now, before)
    lines = []
    for row in range(rows):
        cells = ((now.glyphs.get((row, col), ""), (row, col) in changed) for col in range(cols))
        lines.append("".join(_cell(glyph, width, mark) for glyph, mark in cells).rstrip())
    return lines


def _cell(glyph: str, width: int, mark: bool) -> str:
    text = glyph.rjust(width)
    return f"[{text}]" if mark else f" {text} "


def _changed(now: Scene, before: Scene | None) -> set[Place]:
    if before is None:
        return set()
    return {place for place, glyph in now.glyphs.items() if before.glyphs.get(place) != glyph}
