"""What a view's `look` draws in place of a tile with letters, by hand: a few shapes, in the colour of the thing.

Shapes of one place lie in a square of 48 pixels: circles, and paths of absolute points, in which `$1` is the colour and
`$2` a darker one. What is raised stands above its places, a tower higher than a block. A card has its rank and suit.
"""

from __future__ import annotations

import re

from puzzlewright.pictures.outline import number

SIDE = 48  # pixels of the square
ROUND = 'stroke-linecap="round" stroke-linejoin="round"'
Circle = tuple[float, float, float]  # the middle, the radius
SHAPES: dict[str, tuple[tuple[Circle | str, str], ...]] = {  # from below to above, each with how it is painted
    "player": (
        ("M10 40C10 30 15.5 24.5 24 24.5C32.5 24.5 38 30 38 40C38 43 10 43 10 40Z", 'fill="$1" stroke="$2"'),
        ((24, 15, 8.5), 'fill="$1" stroke="$2"'),
    ),
    "crate": (
        ("M4.5 4.5L43.5 4.5L43.5 43.5L4.5 43.5Z", f'fill="$1" stroke="$2" stroke-width="2" {ROUND}'),
        ("M12 12L36 12L36 36L12 36Z", f'fill="none" stroke="$2" stroke-width="2" {ROUND}'),
        ("M14 34L34 14", f'fill="none" stroke="$2" stroke-width="8" {ROUND}'),
        ("M14 34L34 14", f'fill="none" stroke="$1" stroke-width="5" {ROUND}'),
    ),
    "light": (
        ((24, 24, 21), 'fill="$1" fill-opacity="0.4"'),
        ((24, 24, 13.5), 'fill="$1" stroke="$2"'),
        ("M16.5 21C17.5 18 19.5 16 22.5 15.5", f'fill="none" stroke="#ffffff" stroke-width="2.5" {ROUND}'),
    ),
}
RAISED = {"block": 6, "tower": 17}  # pixels
SUITS = {"S": "\u2660", "H": "\u2665", "D": "\u2666", "C": "\u2663"}
CARD, CARD_EDGE, CARD_INK = "#ffffff", "#9a948a", "#22252b"
CARD_INKS = {"red": "#b3202c"}  # of the colours that are not drawn in `CARD_INK`


def shape(look: str, x: float, y: float, scale: float, colour: str, dark: str) -> str:
    """The shape with its square at x and y."""
    parts = (_part(part, paint, x, y, scale) for part, paint in SHAPES[look])
    return "".join(parts).replace("$1", colour).replace("$2", dark)


def _part(part: Circle | str, paint: str, x: float, y: float, scale: float) -> str:
    if isinstance(part, str):
        return f'<path d="{_placed(part, x, y, scale)}" {paint}/>'
    across, down, radius = part
    middle = f'cx="{number(x + scale * across)}" cy="{number(y + scale * down)}"'
    return f'<circle {middle} r="{number(scale * radius)}" {paint}/>'


def _placed(path: str, x: float, y: float, scale: float) -> str:
    """The path with all its points at their places."""

    def point(found: re.Match[str]) -> str:
        return f"{number(x + scale * float(found[1]))} {number(y + scale * float(found[2]))}"

    return re.sub(r"([\d.]+) ([\d.]+)", point, path)


def card_words(glyph: str) -> str:
    """A rank with the sign of its suit: 10H is the ten of hearts."""
    return glyph[:-1] + SUITS[glyph[-1]] if glyph[-1:] in SUITS and len(glyph) > 1 else glyph
