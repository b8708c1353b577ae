"""A plan as one page that plays it: HTML, style, script and pictures in one file, which asks nobody for anything.

What comes from the puzzle reaches the page as escaped text or as JSON in an island, and from there as text content or
inside the tool's own SVG. The page's policy allows this script and this style, by their digests, and no request.
"""

from __future__ import annotations

from puzzlewright.pages.assembling import asset, digest, filled, island, styles
from puzzlewright.pages.bundling import bundle
from puzzlewright.pictures.board_svg import words
from puzzlewright.pictures.film import Film
from puzzlewright.pictures.text import draw

FOLDERS = ("puzzlewright.pictures", "puzzlewright.play")  # of modules
SPEEDS = (0.5, 1, 2, 4, 8)  # steps a second that the page offers


def player(film: Film, about: str, result: str, speed: float = 2) -> str:
    """The whole page; `result` says in a line what is known of the plan."""
    style, script = styles("look") + _asset("css"), bundle("player", FOLDERS)
    parts = {
        "POLICY": f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; base-uri 'none'; "
                  "form-action 'none'",
        "TITLE": words(film.title),
        "ABOUT": words(about),
        "RESULT": words(result),
        "STYLE": style,
        "SCRIPT": script,
        "DATA": island(_data(film, speed)),
    }  # fmt: skip
    return filled(_asset("html"), parts)


def _data(film: Film, speed: float) -> dict[str, object]:
    """What the script reads: each element of the drawings once, and frames by the numbers of theirs."""
    numbers: dict[str, int] = {}
    frames = [[numbers.setdefault(each, len(numbers)) for each in drawing.elements] for drawing in film.drawings]
    return {
        "box": film.box,
        "elements": list(numbers),
        "frames": frames,
        "labels": film.labels,
        "captions": [scene.caption for scene in film.scenes],
        "texts": ["\n".join(draw(now, before)) for now, before in film.pairs],
        "fastest": SPEEDS[-1],
        "speed": min(SPEEDS, key=lambda offered: abs(offered - speed)),
    }


def _asset(suffix: str) -> str:
    return asset("puzzlewright.pictures", f"player.{suffix}")
