"""Processes that do tasks. One that is killed is begun anew, and its task with it."""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from typing import IO, Any

from models.installation import command
from models.outcomes import LimitReached, Outcome
from search.layers.executors import Kind, Look
from search.layers.files import Site
from search.layers.tasks import remade_worker

TRIALS = 3  # of one task: after so many deaths it is the task that kills
LOOK = 0.1  # seconds between two looks at the limits

Work = tuple[Kind, Site, Any]


class Pool:
    """So many processes; each has a thread here that hands it tasks. `recipe` is the machine's, `guide` that of an
    estimate."""

    holds = False

    def __init__(self, workers: int, recipe: bytes, look: Look, guide: bytes = b"") -> None:
        self.workers, self._look = workers, look
        self._waiting: queue.SimpleQueue[tuple[Work, Future[Any]] | None] = queue.SimpleQueue()
        self.processes = [_Process((recipe, guide)) for _ in range(workers)]
        threads = [threading.Thread(target=self._serve, args=[each], daemon=True) for each in self.processes]
        for thread in threads:
            thread.start()

    def map(self, kind: Kind, site: Site, tasks: Sequence[Any]) -> Iterator[Any]:
        futures: list[Future[Any]] = [Future() for _ in tasks]
        for task, future in zip(tasks, futures, strict=True):
            self._waiting.put(((kind, site, task), future))
        try:
            for future in futures:
                while wait([future], LOOK).not_done:
                    self._look()
                yield future.result()
        finally:
            for future in futures:
                future.cancel()

    def close(self) -> None:
        for process in self.processes:
            self._waiting.put(None)
            process.end()

    def _serve(self, process: _Process) -> None:
        while (asked := self._waiting.get()) is not None:
            work, future = asked
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(process.answer(work))
            except BaseException as why:
                future.set_exception(why)


class _Process:
    """A process of ours, begun when it is asked for the first time."""

    def __init__(self, recipe: tuple[bytes, bytes]) -> None:
        self._recipe, self._ended = recipe, False
        self._child: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()  # begun by its thread, ended by another

    @property
    def pid(self) -> int | None:
        return None if self._child is None else self._child.pid

    def answer(self, work: Work) -> Any:
        """What the task answers, or raises; a process that dies is begun anew."""
        for _ in range(TRIALS):
            try:
                well, found = self._asked(work)
            except (EOFError, OSError, pickle.UnpicklingError):
                self._kill()
                continue
            if well:
                return found
            raise found
        raise LimitReached(Outcome.MEMORY_LIMIT)  # the system ends those that take too much

    def end(self) -> None:
        self._ended = True
        self._kill()

    def _asked(self, work: Work) -> tuple[bool, Any]:
        child = self._begun()
        assert child.stdin is not None and child.stdout is not None
        pickle.dump(work, child.stdin)
        child.stdin.flush()
        answer: tuple[bool, Any] = pickle.load(child.stdout)
        return answer

    def _begun(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._ended:
                raise LimitReached(Outcome.INTERRUPTED)
            if self._child is None:
                self._child = subprocess.Popen(command("from search.layers.pool import work; work()"),
                                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                               start_new_session=True)  # fmt: skip
                assert self._child.stdin is not None
                pickle.dump(self._recipe, self._child.stdin)
            return self._child

    def _kill(self) -> None:
        with self._lock:
            if self._child is not None:
                self._child.kill()
                self._child.wait()
            self._child = None


def work() -> None:
    """What such a process does, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed is no answer
    recipe, worker = pickle.load(asked), None
    while (given := _next(asked)) is not None:
        kind, site, task = given
        try:
            worker = worker or remade_worker(*recipe)
            answer = True, getattr(worker, kind)(site, task)
        except Exception as why:
            answer = False, why
        pickle.dump(answer, answers)
        answers.flush()


def _next(asked: IO[bytes]) -> Work | None:
    try:
        found: Work = pickle.load(asked)
    except EOFError:
        return None
    return found
