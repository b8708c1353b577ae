"""One page of a site, made by a process of its own (`main`), so that one puzzle's memory and faults are no other's."""

from __future__ import annotations

import json
import pickle
import sys
from typing import Any

from models.errors import PuzzleError, render
from models.frozen import frozen
from models.outcomes import Limits, Outcome, Unsupported
from puzzlewright.files.disk_cache import read_puzzle
from puzzlewright.files.library import rules
from puzzlewright.pages.game_page import GamePage, game_page
from puzzlewright.play.game import start_picture
from puzzlewright.solving.request import Request

Told = dict[str, Any]


@frozen(eq=True)
class PageWanted:
    """A puzzle file, which of its levels, and how long a plan of each is looked for."""

    name: str  # of the page, without its suffix
    text: str
    source: str
    levels: tuple[str, ...]  # "" in a file without any
    seconds: float
    home: str


def main() -> None:
    """Standard input holds what is wanted, pickled by the parent; standard output is one object."""
    wanted = pickle.load(sys.stdin.buffer)
    try:
        told = told_of(wanted)
    except Unsupported as reason:
        told = failed(Outcome.UNSUPPORTED, str(reason))
    except PuzzleError as error:
        told = failed(Outcome.INVALID_INPUT, *(render(each, None) for each in error.diagnostics))
    except MemoryError:
        told = failed(Outcome.MEMORY_LIMIT, "there is not memory enough")
    except Exception as error:
        told = failed(Outcome.INTERNAL_ERROR, f"{type(error).__name__}: {error}")
    print(json.dumps(told), flush=True)


def told_of(wanted: PageWanted) -> Told:
    """The page with its row for the page of all puzzles; PuzzleError or Unsupported where there is none."""
    puzzles = [read_puzzle(wanted.text, wanted.source, level or None, (), 0) for level in wanted.levels]
    request = Request(limits=Limits(wanted.seconds))
    page: GamePage = game_page(puzzles, request, rules(wanted.text), home=wanted.home)
    row = {**page.row, "page": f"{wanted.name}.html", "picture": start_picture(puzzles[0])}
    return {"outcome": str(Outcome.VALID), "notes": page.notes, "html": page.html, "row": row}


def failed(outcome: Outcome, *notes: str) -> Told:
    return {"outcome": str(outcome), "notes": notes, "html": "", "row": {}}


if __name__ == "__main__":
    main()
