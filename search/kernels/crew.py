"""Threads that share a piece of work: kernels run side by side, since whoever calls one lets go of Python's lock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

MOST = 64  # threads
STACK = 64 << 20  # bytes of a thread's stack, which cost nothing until they are touched: long machine code needs some


class Crew:
    """So many threads; they end when nobody has the crew any longer."""

    def __init__(self, threads: int) -> None:
        self.threads = min(threads, MOST)
        together = threading.Barrier(self.threads)
        with _deep_stacks():
            self._pool = ThreadPoolExecutor(self.threads, "crew")
            wait([self._pool.submit(together.wait) for _ in range(self.threads)])  # each has its thread by now

    def conduct(self, work: Callable[[], T]) -> T:
        """What the work returns or raises. One thread does it, and may call `each`. Ctrl-C comes after its end, as it
        comes after that of a kernel: it never divides the work."""
        return _to_its_end(self._pool.submit(work))

    def each(self, work: Callable[[int], object]) -> None:
        """Do work(0) to work(threads - 1) side by side: when this returns, what any of them wrote is seen by all."""
        others = [self._pool.submit(work, number) for number in range(1, self.threads)]
        try:
            work(0)
        finally:
            wait(others)
        for other in others:
            other.result()


def _to_its_end(future: Future[T]) -> T:
    interruption: BaseException | None = None
    while not future.done():
        try:
            wait([future])
        except BaseException as reason:  # of a signal's handler: `wait` raises nothing of its own
            interruption = reason
    if interruption:
        raise interruption
    return future.result()


@contextmanager
def _deep_stacks() -> Iterator[None]:
    before = threading.stack_size(STACK)
    try:
        yield
    finally:
        threading.stack_size(before)
