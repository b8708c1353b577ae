"""A plan as pictures: a drawing of each state, all in one size, by itself or several on one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import ceil

from models.frozen import frozen
from models.interpreter import State
from models.puzzle import Puzzle
from puzzlewright.pictures.board_svg import Box
from puzzlewright.pictures.outline import number
from puzzlewright.pictures.scene import Scene, scene
from puzzlewright.pictures.svg import MARGIN, Drawing, document, draw, heading, heading_width, union

HEAD = 28  # pixels above a board for the line that says how it came about
ASPECT = 1.5  # of a sheet, about


@frozen(eq=True)
class Film:
    """The scenes of states that follow one another."""

    title: str
    labels: tuple[str, ...]  # of the steps, each of which leads to the next scene
    scenes: tuple[Scene, ...]

    @property
    def heads(self) -> list[str]:
        return ["start", *(f"{step}. {label}" for step, label in enumerate(self.labels, 1))]

    @property
    def pairs(self) -> list[tuple[Scene, Scene | None]]:
        """Each scene with the one before it."""
        return list(zip(self.scenes, (None, *self.scenes), strict=False))

    @cached_property
    def drawings(self) -> list[Drawing]:
        return [draw(now, before) for now, before in self.pairs]

    @cached_property
    def box(self) -> Box:
        """The room for each of them."""
        return union(drawing.box for drawing in self.drawings)

    @cached_property
    def headed_box(self) -> Box:
        """The room for each of them with its line above."""
        left, top, wide, high = self.box
        room = max(wide, max(map(heading_width, self.heads)) + 2 * MARGIN)
        return left - (room - wide) / 2, top - HEAD, room, high + HEAD

    def picture(self, step: int) -> tuple[str, Box]:
        """One frame as SVG, and its size; negative steps count from the end."""
        drawing = self.drawings[step]
        return document(drawing.elements, drawing.box, f"{self.title}: {self.heads[step]}"), drawing.box

    def frame(self, step: int) -> str:
        """One frame with its line above it, in the size of all."""
        return document(self._headed(step), self.headed_box, f"{self.title}: {self.heads[step]}")

    def sheet(self) -> tuple[str, Box]:
        """All frames on one sheet, row by row, and its size."""
        _, _, wide, high = self.headed_box
        cols = self._columns(wide, high)
        rows = ceil(len(self.scenes) / cols)
        placed = []
        for step in range(len(self.scenes)):
            row, col = divmod(step, cols)
            x, y = col * wide - self.headed_box[0], row * high - self.headed_box[1]
            elements = "".join(self._headed(step))
            placed.append(f'<g transform="translate({number(x)} {number(y)})">{elements}</g>')
        box = 0.0, 0.0, cols * wide, rows * high
        return document(placed, box, self.title), box

    def _columns(self, wide: float, high: float) -> int:
        """How many frames stand side by side."""
        count = len(self.scenes)
        return min(range(1, count + 1), key=lambda cols: abs(cols * wide / (ceil(count / cols) * high) - ASPECT))

    def _headed(self, step: int) -> list[str]:
        left, top, wide, _ = self.headed_box
        return [heading(self.heads[step], left + wide / 2, top + HEAD + 4), *self.drawings[step].elements]


def film(puzzle: Puzzle, states: Sequence[State], labels: Sequence[str]) -> Film:
    """The states, of which each but the first is what the step with its label led to."""
    title = puzzle.heading
    return Film(title, tuple(labels[: len(states) - 1]), tuple(scene(puzzle, state) for state in states))
