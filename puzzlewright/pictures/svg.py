"""A scene as SVG, by hand: presentation attributes only, no ids, no style, no scripts, nothing from elsewhere.

A drawing is a list of elements, each complete by itself, over coordinates that begin at the board's upper left corner.
So the drawings of a plan have most elements in common, and its player holds each of them once.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from models.frozen import frozen
from puzzlewright.pictures import cube_svg
from puzzlewright.pictures.board_svg import FONT, Box, board_of, elements, spot_elements, words
from puzzlewright.pictures.letters import width
from puzzlewright.pictures.outline import number
from puzzlewright.pictures.scene import Scene
from puzzlewright.pictures.text import changes

MARGIN = 20
PAPER, EDGE, INK = "#fffdf8", "#ddd6c8", "#343941"
FIXED = "DejaVu Sans Mono, Menlo, Consolas, monospace"
CAPTION, LINE = 21, 24  # pixels from one line to the next
WIDTHS = 8.6, 9.7  # pixels of a letter, at most: of captions, of lines in the fixed font


@frozen(eq=True)
class Drawing:
    """What is drawn, from below to above, and the room that it takes with a margin round it."""

    elements: tuple[str, ...]
    box: Box


def svg(scene: Scene, before: Scene | None = None, title: str = "") -> str:
    """The whole document; each place has a rectangle of the class `spot` on top, which a page can hit."""
    drawing = draw(scene, before)
    spots = [] if not scene.spots else cube_svg.spot_elements(scene) if cube_svg.side(scene) else _spots(scene)
    return document((*drawing.elements, *spots), drawing.box, title or scene.caption)


def _spots(scene: Scene) -> list[str]:
    return spot_elements(board_of(scene))


def document(elements: Iterable[str], box: Box, title: str = "") -> str:
    """Elements on a card of their own, so that they can be seen on dark pages too."""
    left, top, wide, high = map(number, box)
    card = (
        f'<rect x="{number(box[0] + 0.5)}" y="{number(box[1] + 0.5)}" width="{number(box[2] - 1)}" '
        f'height="{number(box[3] - 1)}" rx="14" fill="{PAPER}" stroke="{EDGE}"/>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {wide} {high}" width="{wide}" height="{high}" '
        f'role="img"><title>{words(title) or "puzzle"}</title>{card}{"".join(elements)}</svg>'
    )


def draw(scene: Scene, before: Scene | None = None) -> Drawing:
    """A board, or lines of text, with the caption below."""
    if not scene.spots:
        lines = [line for text in scene.lines for line in wrap(text, 72) or [""]]
        return _on_card(scene, list(map(_line, range(len(lines)), lines)), 0, _widest(lines, WIDTHS[1]),
                        LINE * len(lines))  # fmt: skip
    changed = frozenset(changes(scene, before))
    if cube_svg.side(scene):
        return _on_card(scene, cube_svg.elements(scene, changed), 0, *cube_svg.size(scene))
    board = board_of(scene)
    return _on_card(scene, elements(board, changed), board.head, board.width, board.height + board.foot)


def heading(text: str, x: float, y: float) -> str:
    """A line above a board, about the middle x."""
    return _caption(text, x, y, ' font-weight="bold"')


def heading_width(text: str) -> float:
    """The pixels that it may take."""
    return 10 * width(text)


def union(boxes: Iterable[Box]) -> Box:
    """The least box round all of them."""
    lefts, tops, rights, bottoms = zip(*((x, y, x + wide, y + high) for x, y, wide, high in boxes), strict=True)
    left, top = min(lefts), min(tops)
    return left, top, max(rights) - left, max(bottoms) - top


def _on_card(scene: Scene, drawn: list[str], head: float, wide: float, high: float) -> Drawing:
    """With its caption, and a margin all round."""
    caption = wrap(scene.caption, max(40, int(wide / WIDTHS[0])))
    lines = [_caption(line, wide / 2, high + 10 + CAPTION * number_) for number_, line in enumerate(caption, 1)]
    room = max(wide, _widest(caption, WIDTHS[0])) + 2 * MARGIN
    below = 10 + CAPTION * len(caption) if caption else 0
    box = (wide - room) / 2, float(-head - MARGIN), room, head + high + below + 2 * MARGIN
    return Drawing((*drawn, *lines), box)


def _widest(lines: list[str], letter: float) -> float:
    return letter * max(map(width, lines), default=0)


def _caption(text: str, x: float, y: float, more: str = "") -> str:
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="{FONT}" font-size="14" text-anchor="middle" '
        f'fill="{INK}"{more}>{words(text)}</text>'
    )


def _line(row: int, text: str) -> str:
    return (
        f'<text x="0" y="{row * LINE + 17}" font-family="{FIXED}" font-size="16" fill="{INK}" '
        f'xml:space="preserve">{words(text)}</text>'
    )
