"""Who does the tasks of a layer: this process, or processes of our own. All answer in the order of the tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, Protocol

from search.layers.files import Site
from search.layers.tasks import Worker

Kind = Literal["expand", "merge", "settle", "pick", "narrow", "precede", "meet"]  # a method of `Worker`
Look = Callable[[], None]  # called every now and then; may raise


class Executor(Protocol):
    """`map` is `[worker.KIND(site, task) for task in tasks]`, whoever does it, and however often it is tried."""

    @property
    def workers(self) -> int: ...
    @property
    def holds(self) -> bool:
        """May what `expand` leaves in memory be looked for by `merge`?"""
        ...

    def map(self, kind: Kind, site: Site, tasks: Sequence[Any]) -> Iterator[Any]: ...
    def close(self) -> None: ...


class Serial:
    """One after the other, here."""

    workers, holds = 1, True

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def map(self, kind: Kind, site: Site, tasks: Sequence[Any]) -> Iterator[Any]:
        for task in tasks:
            yield getattr(self._worker, kind)(site, task)

    def close(self) -> None:
        """There is nothing to be ended."""
