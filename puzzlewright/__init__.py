"""State a puzzle in YAML, get a provably shortest plan; write searches of your own over it: see docs/python.md.

Nothing is loaded before it is used.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.errors import PuzzleError
    from models.outcomes import LimitReached, Limits, Outcome, Unsupported
    from models.plan import Step
    from models.puzzle import Puzzle
    from puzzlewright.configuration import ConfigurationError
    from puzzlewright.python.asking import Event, prove, solve, verify
    from puzzlewright.python.following import follow
    from puzzlewright.python.jobs import run
    from puzzlewright.python.judging import branching_factor, check_heuristic, check_plan
    from puzzlewright.python.loading import levels, load, puzzles
    from puzzlewright.python.notebooks import picture, player
    from puzzlewright.python.recorded import trace
    from puzzlewright.python.state import State
    from puzzlewright.python.walking import IllegalMove, Move, Space
    from puzzlewright.report import Report

__version__ = "0.1.0"
__all__ = [
    "ConfigurationError",
    "Event",
    "IllegalMove",
    "LimitReached",
    "Limits",
    "Move",
    "Outcome",
    "Puzzle",
    "PuzzleError",
    "Report",
    "Space",
    "State",
    "Step",
    "Unsupported",
    "branching_factor",
    "check_heuristic",
    "check_plan",
    "follow",
    "levels",
    "load",
    "picture",
    "player",
    "prove",
    "puzzles",
    "run",
    "solve",
    "trace",
    "verify",
]


def __getattr__(name: str) -> object:
    home = _home(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(home, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _home(name: str) -> ModuleType | None:
    """The module that the name comes from."""
    match name:
        case "puzzles" | "levels" | "load":
            from puzzlewright.python import loading

            return loading
        case "State":
            from puzzlewright.python import state

            return state
        case "IllegalMove" | "Move" | "Space":
            from puzzlewright.python import walking

            return walking
        case "Event" | "prove" | "solve" | "verify":
            from puzzlewright.python import asking

            return asking
        case "follow":
            from puzzlewright.python import following

            return following
        case "branching_factor" | "check_heuristic" | "check_plan":
            from puzzlewright.python import judging

            return judging
        case "trace":
            from puzzlewright.python import recorded

            return recorded
        case "run":
            from puzzlewright.python import jobs

            return jobs
        case _:
            return _home_of_a_picture(name) or _home_of_a_word(name)


def _home_of_a_picture(name: str) -> ModuleType | None:
    match name:
        case "picture" | "player":
            from puzzlewright.python import notebooks

            return notebooks
    return None


def _home_of_a_word(name: str) -> ModuleType | None:
    """The same for the types that these functions take, return and raise."""
    match name:
        case "LimitReached" | "Limits" | "Outcome" | "Unsupported":
            from models import outcomes

            return outcomes
        case "PuzzleError":
            from models import errors

            return errors
        case "ConfigurationError":
            from puzzlewright import configuration

            return configuration
        case "Report":
            from puzzlewright import report

            return report
        case "Puzzle" | "Step":
            from models import plan, puzzle

            return puzzle if name == "Puzzle" else plan
    return None
