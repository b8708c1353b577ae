"""A process that does long work for the server: jobs in as JSON lines, answers out, one at a time.

    python -m puzzlewright.play.worker

An answer is a line: the status of HTTP, whether the process has grown too large to go on, and the JSON. The process
ends as soon as its standard input does, so that it never outlives the server, whatever it is doing then.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from queue import SimpleQueue
from typing import Any, BinaryIO

from models.errors import PuzzleError
from models.level_files import LevelFile
from puzzlewright.play import solver, states
from puzzlewright.play.bench import Benches
from puzzlewright.play.catalogue import in_words
from puzzlewright.play.edit.works import WORKS
from puzzlewright.play.game import Game, GameSource
from puzzlewright.play.hints import Hints
from puzzlewright.play.wire import BAD, BadRequest, read_json, write_json

LARGE = 700.0  # MB: the memory of a process never falls, and is counted against the next search too
Job = dict[str, Any]
Told = dict[str, Any]


class Games:
    """A game with what is worked out about it."""

    def __init__(self, source: GameSource) -> None:
        self.game = Game(source)
        self.benches = Benches(self.game)
        self.hints = Hints(self.game, self.benches)

    def answer(self, job: Job) -> Told:
        state = self.game.state(job["state"])
        match job["work"]:
            case "hint":
                return self.hints.hint(job["degree"], state, job["seconds"], self._last(job))
            case "solve":
                return solver.run(self.game, self.benches, state, _asked(job))
            case "trace":
                return solver.record(self.benches, state, _asked(job))
            case "states":
                return states.graph(self.benches, state, job["seconds"])
        raise BadRequest(BAD, f"there is no such work: {job['work']}")

    def _last(self, job: Job) -> Any:
        """The state before the last move, and the move where it is named."""
        if job.get("previous") is None:
            return None
        step = self.game.step(job["action"], job["args"]) if job.get("action") else None
        return self.game.state(job["previous"]), step


desk = lru_cache(4)(Games)


def source_of(job: Job) -> GameSource:
    given = job["source"]
    file = given["level_file"] and LevelFile(**given["level_file"])
    return GameSource(**{**given, "settings": tuple(given["settings"]), "level_file": file})


def _asked(job: Job) -> solver.SearchAsked:
    return solver.SearchAsked(job["backend"], tuple(job["heuristics"]), job["seconds"], job["nodes"], job["seed"])


def answer(job: Job) -> Told:
    """About a text that need not be a puzzle, or about a game."""
    source = source_of(job)
    if job["work"] in WORKS:
        return WORKS[job["work"]](source, job, lambda level: desk(level).game)
    return desk(source).answer(job)


def reply(line: bytes) -> tuple[int, Told]:
    """The status, and the answer."""
    try:
        job = read_json(line)
        return 200, answer(job)
    except BadRequest as reason:
        return reason.status, {"error": reason.words}
    except PuzzleError as error:
        return BAD, {"error": in_words(error)}
    except MemoryError:
        return 503, {"error": "this needs more memory than there is"}
    except Exception as error:
        if os.environ.get("PUZZLEWRIGHT_DEBUG"):
            raise
        return 500, {"error": f"internal error: {type(error).__name__}"}


def think_ahead(line: bytes, stop: Callable[[], bool]) -> None:
    """While nobody asks: what the next hints of a game that was asked about can use."""
    with suppress(BadRequest, MemoryError):
        job = read_json(line)
        if job.get("work") not in WORKS:
            desk(source_of(job)).hints.ahead(stop)


def jobs(lines: SimpleQueue[bytes]) -> Iterator[bytes]:
    """The lines of standard input; at its end the process ends at once."""

    def read() -> None:
        for line in sys.stdin.buffer:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield lines.get()


def main() -> None:
    from search.space import peak_memory_mb

    answers: BinaryIO = os.fdopen(os.dup(1), "wb")  # whatever libraries print goes elsewhere
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    warm_up()
    lines: SimpleQueue[bytes] = SimpleQueue()
    for line in jobs(lines):
        status, told = reply(line)
        large = peak_memory_mb() > LARGE
        answers.write(b"%d %d %s\n" % (status, large, write_json(told)))
        answers.flush()
        if status == 200 and not large:
            think_ahead(line, lambda: not lines.empty())


def warm_up() -> None:
    """Load what every search needs, before the first job comes."""
    import search.machine
    import search.registry  # noqa: F401


if __name__ == "__main__":
    main()
