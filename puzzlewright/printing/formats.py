"""The kinds of files that `show` writes: a table by suffix, each with the function that makes what is in the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from puzzlewright.printing.drawn import Content, Drawn, text


def _page(drawn: Drawn) -> Content:
    from puzzlewright.pictures.player import player
    from puzzlewright.printing.reports import headline

    page = player(drawn.seen, drawn.puzzle.about, headline(drawn.report), drawn.speed)
    return page.encode(), f"a page with {len(drawn.seen.scenes)} frames"


def _film(drawn: Drawn) -> Content:
    from puzzlewright.pictures.raster import gif

    frames = [drawn.seen.frame(number) for number in range(len(drawn.seen.scenes))]
    film = gif(frames, drawn.seen.headed_box[2:], 1 / drawn.speed, drawn.scale or 1.0)
    return film, f"a film of {len(frames)} frames"


def _text(drawn: Drawn) -> Content:
    return text(drawn.seen, drawn.frames).encode(), drawn.words


def _svg(drawn: Drawn) -> Content:
    return drawn.svg[0].encode(), drawn.words


def _png(drawn: Drawn) -> Content:
    from puzzlewright.pictures.raster import png

    svg, box = drawn.svg
    return png(svg, box[2:], drawn.scale or 2.0), drawn.words


class Format(NamedTuple):
    """A kind of file."""

    write: Callable[[Drawn], Content]
    many: bool = False  # shows all steps where none is named
    moving: bool = False  # shows whole plans and nothing else


FORMATS: dict[str, Format] = {  # by the suffix of the file
    ".svg": Format(_svg),
    ".png": Format(_png),
    ".gif": Format(_film, many=True, moving=True),
    ".html": Format(_page, many=True, moving=True),
    ".txt": Format(_text, many=True),
}
