"""What a view's `look` draws in place of a tile with letters, by hand: a few shapes, in the colour of the thing.

A shape lies in a square of 48 pixels: circles, and paths of absolute points, in which `$1` is the colour, `$2` a darker
one and `$3` paper. It is drawn into a box: points of the left half keep their distance from the left side, the others
from the right one, and so for above and below; so a shape that stretches fills a box of any size. What is raised stands
above its places, a tower higher than a block.
"""

from __future__ import annotations

import re
import unicodedata

from puzzlewright.pictures.outline import number

SIDE = 48  # pixels of the square
ROUND = 'stroke-linecap="round" stroke-linejoin="round"'
Box = tuple[float, float, float, float]  # left, top, width, height
Circle = tuple[float, float, float]  # the middle, the radius
Part = tuple[Circle | str, str]  # a shape, and how it is painted
FULL = 'fill="$1" stroke="$2"'
THICK = f'fill="$1" stroke="$2" stroke-width="2" {ROUND}'
DARK, TYRE, PANE = 'fill="$2"', 'fill="#2b2f36"', 'fill="#e4eef5" stroke="$2"'
RAISED = {"block": 6, "tower": 17}  # pixels


def _stroke(colour: str, wide: float, more: str = "") -> str:
    return f'fill="none" stroke="{colour}" stroke-width="{number(wide)}"{more} {ROUND}'


def _raised(by: int) -> tuple[Part, ...]:
    """A box seen from above and a little from the front."""
    top, low = 4 - by, 43 - by
    wall = f"M8 {top}L40 {top}Q44 {top} 44 {top + 4}L44 39Q44 43 40 43L8 43Q4 43 4 39L4 {top + 4}Q4 {top} 8 {top}Z"
    lid = (
        f"M8 {top}L40 {top}Q44 {top} 44 {top + 4}L44 {low - 4}Q44 {low} 40 {low}L8 {low}Q4 {low} 4 {low - 4}"
        f"L4 {top + 4}Q4 {top} 8 {top}Z"
    )
    return (wall, DARK), (lid, 'fill="$1"'), (f"M9 {top + 4}L39 {top + 4}", _stroke("#ffffff", 2, GLEAM))


GLEAM = ' stroke-opacity="0.4"'
SHAPES: dict[str, tuple[Part, ...]] = {  # from below to above
    "player": (
        ("M10 40C10 30 15.5 24.5 24 24.5C32.5 24.5 38 30 38 40C38 43 10 43 10 40Z", FULL),
        ((24, 15, 8.5), FULL),
    ),
    "crate": (
        ("M4.5 4.5L43.5 4.5L43.5 43.5L4.5 43.5Z", THICK),
        ("M12 12L36 12L36 36L12 36Z", _stroke("$2", 2)),
        ("M14 34L34 14", _stroke("$2", 8)),
        ("M14 34L34 14", _stroke("$1", 5)),
    ),
    "store": (((24, 24, 13), 'fill="$1" fill-opacity="0.5" stroke="$2" stroke-width="3"'), ((24, 24, 5), DARK)),
    "wall": (
        ("M3 3L45 3L45 45L3 45Z", THICK),
        ("M3 17L45 17M3 31L45 31M24 3L24 17M14 17L14 31M34 17L34 31M24 31L24 45", _stroke("$2", 2)),
    ),
    "light": (
        ((24, 24, 21), 'fill="$1" fill-opacity="0.4"'),
        ((24, 24, 13.5), FULL),
        ("M16.5 21C17.5 18 19.5 16 22.5 15.5", _stroke("#ffffff", 2.5)),
    ),
    "peg": (
        ((24, 27, 13), DARK),
        ((24, 22.5, 13), FULL),
        ("M16.5 20C17.5 17 19.5 15 22.5 14.5", _stroke("#ffffff", 2.5)),
    ),
    "hole": (((24, 24, 11.5), DARK), ((24, 26, 9.5), 'fill="$1" fill-opacity="0.45"')),
    "disk": (
        ((24, 25.5, 19), DARK),
        ((24, 23.5, 19), FULL),
        ((24, 23.5, 15.5), _stroke("#ffffff", 1.5, GLEAM)),
    ),
    "card": (
        (
            "M8 1.5L40 1.5Q45 1.5 45 6.5L45 41.5Q45 46.5 40 46.5L8 46.5Q3 46.5 3 41.5L3 6.5Q3 1.5 8 1.5Z",
            'fill="$3" stroke="#9a948a"',
        ),
    ),
    **{look: _raised(by) for look, by in RAISED.items()},
    "car": (
        ("M9 6L17 6L17 42L9 42ZM31 6L39 6L39 42L31 42Z", TYRE),
        ("M11 9L37 9Q45 9 45 17L45 31Q45 39 37 39L11 39Q3 39 3 31L3 17Q3 9 11 9Z", FULL),
        ("M34 14L39.5 16L39.5 32L34 34Z", PANE),
        ("M8.5 16L12 14L12 34L8.5 32Z", PANE),
    ),
    "arrow": (("M6 18L25 18L25 9L43 24L25 39L25 30L6 30Z", THICK),),
    "gem": (
        ("M13 7L35 7L45 19L24 43L3 19Z", THICK),
        ("M3 19L45 19M13 7L17 19M24 7L24 19M35 7L31 19", _stroke("$2", 1.5, GLEAM)),
    ),
    "key": (
        ((14, 16, 7.5), _stroke("$2", 8)),
        ("M19.5 21.5L38 40M28 30L34 24M33 35L39 29", _stroke("$2", 7)),
        ((14, 16, 7.5), _stroke("$1", 5)),
        ("M19.5 21.5L38 40M28 30L34 24M33 35L39 29", _stroke("$1", 4)),
    ),
    "door": (
        ("M7 45L7 17Q7 3 24 3Q41 3 41 17L41 45Z", DARK),
        ("M11 45L11 18Q11 7 24 7Q37 7 37 18L37 45Z", 'fill="$1"'),
        ((32.5, 31, 2.5), DARK),
    ),
    "tile": (
        ("M7 5L41 5Q45 5 45 9L45 41Q45 45 41 45L7 45Q3 45 3 41L3 9Q3 5 7 5Z", DARK),
        ("M7 3L41 3Q45 3 45 7L45 38Q45 42 41 42L7 42Q3 42 3 38L3 7Q3 3 7 3Z", 'fill="$1"'),
        ("M6.5 38L6.5 9Q6.5 6.5 9 6.5L41 6.5", _stroke("#ffffff", 1.5, GLEAM)),
    ),
    "knight": (
        (
            "M13 42L36 42L36 38Q34 36 34 33Q36 27 35 21Q33 9 21 8L18 4L16 9Q11 13 9 20L6 26Q6 31 11 30"
            "L17 27Q20 27 21 25Q20 31 15 35Q13 36 13 38Z",
            THICK,
        ),
        ((17, 17, 2), DARK),
    ),
}
EMPTY: dict[str, tuple[Part, ...]] = {  # where nothing stands, in shades of the ground
    "peg": SHAPES["hole"],
    "hole": SHAPES["hole"],
    "store": SHAPES["store"],
    "arrow": SHAPES["arrow"],
    "light": (((24, 24, 13.5), 'fill="$1" fill-opacity="0.5" stroke="$2"'),),
    "door": (("M7 45L7 17Q7 3 24 3Q41 3 41 17L41 45L37 45L37 18Q37 7 24 7Q11 7 11 18L11 45Z", 'fill="$1"'),),
}
STRETCHED = ("block", "tower", "car", "wall", "tile")  # which fill several places too
LABELS: dict[str, Box] = {  # the room of letters: its middle, width and height; of the looks that have letters
    "player": (24, 33.5, 22, 13), "disk": (24, 23.5, 26, 22), "card": (24, 24, 36, 22), "car": (23, 24, 19, 20),
    "gem": (24, 26, 17, 13), "key": (34, 13, 20, 17), "door": (23, 23, 17, 17), "tile": (24, 22.5, 36, 22),
    "knight": (26.5, 31.5, 13, 12),
}  # fmt: skip
BESIDE = ("key",)  # whose letters stand on the ground
FIGURES = ("player", "knight")  # which signs such as @ stand for, so they show no more than letters and digits
WAYS = {">": 0, "\u2192": 0, "right": 0, "v": 1, "\u2193": 1, "down": 1, "<": 2, "\u2190": 2, "left": 2,
        "^": 3, "\u2191": 3, "up": 3}  # fmt: skip  # an arrow's glyph: quarter turns
SUITS = {"S": "\u2660", "H": "\u2665", "D": "\u2666", "C": "\u2663"}
CARD_INK = "#22252b"
CARD_INKS = {"red": "#b3202c"}  # of the colours that are not drawn in `CARD_INK`
PAPER, PAPERS = "#ffffff", {"grey": "#d3d7dd"}  # of cards: `PAPERS` by their colours


def shape(parts: tuple[Part, ...], box: Box, scale: float, turns: int, paints: tuple[str, str, str]) -> str:
    """The parts in the box, turned to the right so many times by a quarter, in a colour, a darker one and paper."""
    drawn = "".join(_part(part, paint, box, scale, turns) for part, paint in parts)
    for number_, colour in enumerate(paints, 1):
        drawn = drawn.replace(f"${number_}", colour)
    return drawn


def _part(part: Circle | str, paint: str, box: Box, scale: float, turns: int) -> str:
    if isinstance(part, str):
        return f'<path d="{_placed(part, box, scale, turns)}" {paint}/>'
    across, down, radius = part
    x, y = _point(across, down, box, scale, turns)
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(scale * radius)}" {paint}/>'


def _placed(path: str, box: Box, scale: float, turns: int) -> str:
    """The path with all its points at their places."""

    def point(found: re.Match[str]) -> str:
        x, y = _point(float(found[1]), float(found[2]), box, scale, turns)
        return f"{number(x)} {number(y)}"

    return re.sub(r"(-?[\d.]+) (-?[\d.]+)", point, path)


def _point(x: float, y: float, box: Box, scale: float, turns: int) -> tuple[float, float]:
    for _ in range(turns):
        x, y = SIDE - y, x
    left, top, wide, high = box
    return _along(x, left, wide, scale), _along(y, top, high, scale)


def _along(at: float, begin: float, long: float, scale: float) -> float:
    """From the nearer end."""
    return begin + (scale * at if 2 * at <= SIDE else long - scale * (SIDE - at))


def lettered(look: str, glyph: str) -> bool:
    """Does the look show its glyph?"""
    plain = look not in FIGURES or any(unicodedata.category(letter)[0] in "LN" for letter in glyph)
    return look in LABELS and plain


def card_words(glyph: str) -> str:
    """A rank with the sign of its suit: 10H is the ten of hearts."""
    return glyph[:-1] + SUITS[glyph[-1]] if glyph[-1:] in SUITS and len(glyph) > 1 else glyph
