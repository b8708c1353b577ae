"""The formats by name."""

from __future__ import annotations

from models.level_files import bloxorz, klotski, numbers, puzzlescript, rush_hour, sokoban, tubes, xsb
from models.level_files.blocks import Format

FORMATS: dict[str, Format] = {
    "xsb": Format(("board",), xsb.split, sokoban.read, (".xsb", ".sok", ".slc")),
    "rush-hour": Format(("board", "target"), rush_hour.split, rush_hour.read),
    "klotski": Format(("board", "target"), klotski.split, klotski.read),
    "numbers": Format(("board", "rows", "cols"), numbers.split, numbers.read, is_map=False),
    "tubes": Format(("board",), tubes.split, tubes.read, variants=tubes.VARIANTS),
    "bloxorz": Format(("board", "start"), bloxorz.split, bloxorz.read),
    "puzzlescript": Format(("board", "legend"), puzzlescript.split, puzzlescript.read, (".puzzlescript",)),
}
VARIANTS = tuple(f"{name}:{variant}" for name, format_ in FORMATS.items() for variant in format_.variants)
