"""The processes that do long work: a few, kept warm, killed as soon as nobody waits for their answer."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Lock, Thread

from puzzlewright.analysis import children
from puzzlewright.play.wire import BUSY, BadRequest, write_json

PROCESSES = 2
WAITING = 8  # requests that wait for a process, at most
PATIENCE = 20.0  # seconds that they wait
PAUSE = 0.05  # seconds between two looks at whether somebody still waits
Gone = Callable[[], bool]
Job = dict[str, object]


class Closed(Exception):
    """Nobody waits for the answer any more."""


class Worker:
    """A process; a thread reads its answers, so that they can be waited for in small steps on every system.

    It has a session of its own, so that Ctrl-C reaches the server alone.
    """

    def __init__(self) -> None:
        command = children.command("puzzlewright.play.worker")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, start_new_session=True)  # fmt: skip
        self.answers: SimpleQueue[bytes] = SimpleQueue()
        self.source: object = None  # of its last job
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.answers.put(line)
        self.answers.put(b"")

    def ask(self, job: Job, seconds: float, gone: Gone) -> bytes:
        """The line that it answers; Closed or BadRequest where there is none."""
        assert self.process.stdin
        self.source = job["source"]
        with suppress(OSError):  # of a process that has died: there will be no answer
            self.process.stdin.write(write_json(job) + b"\n")
            self.process.stdin.flush()
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            with suppress(Empty):
                line = self.answers.get(timeout=PAUSE)
                if not line:
                    raise BadRequest(
                        BUSY, "the process that worked on this has ended; it may have needed too much memory"
                    )
                return line
            if gone():
                raise Closed
        raise BadRequest(BUSY, f"there is no answer after {seconds:g} seconds")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


class Pool:
    """At most so many processes at work; the others wait a while."""

    def __init__(self, processes: int = PROCESSES) -> None:
        self.room, self.queue = BoundedSemaphore(processes), BoundedSemaphore(processes + WAITING)
        self.lock, self.closed = Lock(), False
        self.idle: list[Worker] = []
        self.all: set[Worker] = set()

    def run(self, job: Job, seconds: float, gone: Gone) -> tuple[int, bytes]:
        """(status, JSON) of the answer; the process is killed where `gone` says that nobody waits, or time is up."""
        with self._turn(gone):
            worker = self._take(job)
            try:
                line = worker.ask(job, seconds, gone)
            except BaseException:
                self._drop(worker)
                raise
            status, large, answer = line.rstrip(b"\n").split(b" ", 2)
            if int(large):
                self._drop(worker)
            else:
                self._give_back(worker)
            return int(status), answer

    @contextmanager
    def _turn(self, gone: Gone) -> Iterator[None]:
        """A place among those at work."""
        if not self.queue.acquire(blocking=False):
            raise BadRequest(BUSY, "too many requests wait for a solver; try again later")
        try:
            ends = time.monotonic() + PATIENCE
            while not self.room.acquire(timeout=PAUSE):
                if gone():
                    raise Closed
                if time.monotonic() > ends:
                    raise BadRequest(BUSY, "the solvers are busy with other requests; try again later")
            try:
                yield
            finally:
                self.room.release()
        finally:
            self.queue.release()

    def warm_up(self) -> None:
        """Have a process ready."""
        self._give_back(self._started())

    def _take(self, job: Job) -> Worker:
        """An idle process, by preference one that knows the game."""
        with self.lock:
            best = sorted(self.idle, key=lambda worker: worker.source == job["source"])
            if best:
                self.idle.remove(best[-1])
                return best[-1]
        return self._started()

    def _started(self) -> Worker:
        worker = Worker()
        with self.lock:
            self.all.add(worker)
        if self.closed:
            self._drop(worker)
        return worker

    def _give_back(self, worker: Worker) -> None:
        with self.lock:
            self.idle.append(worker)

    def _drop(self, worker: Worker) -> None:
        worker.end()
        with self.lock:
            self.all.discard(worker)

    def close(self) -> None:
        """End every process."""
        self.closed = True
        for worker in list(self.all):
            self._drop(worker)
