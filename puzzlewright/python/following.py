"""A search as an iterator over its events, which may be left at any time."""

from __future__ import annotations

from collections.abc import Iterator
from queue import SimpleQueue
from threading import Event as Flag
from threading import Thread

from models.puzzle import Puzzle
from puzzlewright.configuration import ConfigurationError
from puzzlewright.python.asking import Event, Listener, solve
from puzzlewright.python.notebooks import SeenReport


class Followed(Iterator[Event]):
    """The events of a search that works in a thread of its own. `stop` ends it, and so does Ctrl-C; then the events end
    too, and `report` has what is known.
    """

    def __init__(self, puzzle: Puzzle, backend: str, asked: dict[str, object]) -> None:
        self._events, self._flag = SimpleQueue[Event | None](), Flag()
        self._found: SeenReport | Exception | None = None
        self._thread = Thread(target=self._work, args=(puzzle, backend, asked), daemon=True)
        self._thread.start()

    def _work(self, puzzle: Puzzle, backend: str, asked: dict[str, object]) -> None:
        listener: Listener = self._events.put
        try:
            self._found = solve(puzzle, backend, on_event=listener, stop=self._flag, **asked)  # type: ignore[arg-type]
        except Exception as failure:
            self._found = failure
        finally:
            self._events.put(None)

    def __next__(self) -> Event:
        event = self._next()
        if event is not None:
            return event
        self._events.put(None)  # for whoever asks again
        if isinstance(self._found, Exception):
            raise self._found
        raise StopIteration

    def _next(self) -> Event | None:
        while True:
            try:
                return self._events.get()
            except KeyboardInterrupt:
                self.stop()

    def stop(self) -> None:
        """Ask for the end."""
        self._flag.set()

    @property
    def report(self) -> SeenReport:
        """What the search came to; waits for its end, and raises what it has raised."""
        self._thread.join()
        if isinstance(self._found, SeenReport):
            return self._found
        assert self._found is not None
        raise self._found

    def __enter__(self) -> Followed:
        return self

    def __exit__(self, *reason: object) -> None:
        self.stop()
        self._thread.join()


def follow(puzzle: Puzzle, backend: str = "auto", **as_solve: object) -> Followed:
    """Solve in a thread: iterate over the events, `stop` when enough is known, read `report`."""
    if taken := sorted(as_solve.keys() & {"on_event", "stop"}):
        raise ConfigurationError(taken[0], "the iterator over the events has that itself")
    return Followed(puzzle, backend, as_solve)
