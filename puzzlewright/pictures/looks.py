"""What a view's `look` draws in place of a tile with letters, by hand: a few shapes, in the colour of the thing.

Shapes of one place are texts over a square of 48 pixels, in which `$1` is the colour and `$2` a darker one. What is
raised stands above its places, a tower higher than a block. A card has its rank and suit.
"""

from __future__ import annotations

SIDE = 48  # pixels of the square
SHAPES = {
    "player": '<ellipse cx="24" cy="41" rx="14.5" ry="3.5" fill="#000000" fill-opacity="0.15"/>'
    '<path d="M10.5 40.5c0-10.5 5.5-16 13.5-16s13.5 5.5 13.5 16c0 1.5-27 1.5-27 0z" fill="$1" stroke="$2" '
    'stroke-width="1.5"/><circle cx="24" cy="15" r="8.5" fill="$1" stroke="$2" stroke-width="1.5"/>',
    "crate": '<rect x="4.5" y="4.5" width="39" height="39" rx="4" fill="$2"/>'
    '<rect x="6" y="6" width="36" height="36" rx="3" fill="$1"/><path d="M12.5 12.5h23v23h-23z" fill="$2"/>'
    '<path d="M14 14h20v20h-20z" fill="$1" fill-opacity="0.55"/><path d="M14 34L34 14" stroke="$2" stroke-width="9"/>'
    '<path d="M14 34L34 14" stroke="$1" stroke-width="5.5"/>',
}
RAISED = {"block": 6, "tower": 17}  # pixels
SUITS = {"S": "\u2660", "H": "\u2665", "D": "\u2666", "C": "\u2663"}
CARD, CARD_EDGE = "#ffffff", "#9a948a"
CARD_INKS = {"red": "#b3202c"}  # else black


def shape(look: str, colour: str, dark: str) -> str:
    """The shape in its square."""
    return SHAPES[look].replace("$1", colour).replace("$2", dark)


def card_words(glyph: str) -> str:
    """A rank with the sign of its suit: 10H is the ten of hearts."""
    return glyph[:-1] + SUITS[glyph[-1]] if glyph[-1:] in SUITS and len(glyph) > 1 else glyph
