"""The colours of pictures: the words of `models.puzzle.COLOURS`, and black or white to write on them.

The better of black and white has a contrast of at least 4.5 on every colour there is, by the definition of WCAG 2
(https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio): it is never less than the root of 21.
"""

from __future__ import annotations

from functools import cache

HEX = {
    "red": "#d64550",
    "orange": "#e8833a",
    "amber": "#f2b134",
    "yellow": "#f5de59",
    "lime": "#a9cf54",
    "green": "#3f9b57",
    "teal": "#2a9d8f",
    "cyan": "#63c5da",
    "blue": "#3b7dd8",
    "indigo": "#5256a8",
    "purple": "#8e5bb5",
    "pink": "#ea94b8",
    "brown": "#96683f",
    "grey": "#9aa1ab",
    "black": "#23262b",
    "white": "#fafafa",
}
GROUNDS = {"floor": "#ece8df", "wall": "#57606a", "goal": "#bfe3b4"}  # "void" has no colour: nothing is there
WHEEL = ("blue", "amber", "red", "green", "purple", "cyan", "orange", "pink", "teal", "lime", "brown", "indigo",
         "yellow", "grey")  # fmt: skip
"""In what order values are given colours: each far from those before it."""
_CUBE = (0, 95, 135, 175, 215, 255)  # what the six steps of a channel mean to terminals


def hex_of(colour: str) -> str:
    """The colour of a thing or of a ground, by its word."""
    return HEX.get(colour) or GROUNDS[colour]


@cache
def ink(background: str) -> str:
    """Black or white (hex), whichever is easier to read on a hex colour."""
    return max("#000000", "#ffffff", key=lambda hex_: contrast(hex_, background))


@cache
def terminal_colours(colour: str) -> tuple[int, int]:
    """Background and letter of a word in the 256 colours of terminals: the nearest of their 6 x 6 x 6 cube."""
    steps = [min(range(6), key=lambda step: abs(_CUBE[step] - channel)) for channel in channels(hex_of(colour))]
    red, green, blue = steps
    nearest = "#" + "".join(f"{_CUBE[step]:02x}" for step in steps)
    return 16 + 36 * red + 6 * green + blue, 16 if ink(nearest) == "#000000" else 231


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two hex colours, 1 to 21."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def channels(hex_: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255."""
    return int(hex_[1:3], 16), int(hex_[3:5], 16), int(hex_[5:7], 16)


def _luminance(hex_: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in channels(hex_))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
