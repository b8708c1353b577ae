"""A puzzle as one page that plays it."""

from __future__ import annotations

from models.puzzle import COLOURS
from puzzlewright.pictures.palette import GROUNDS, HEX, WHEEL

FOLDERS = ("puzzlewright.pages.game", "puzzlewright.play")  # where its modules lie, the page's own before those of `play`
PALETTE = {"colours": COLOURS, "wheel": WHEEL, "hex": {**HEX, **GROUNDS}}
