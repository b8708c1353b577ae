"""Tasks done by Ray, on this machine or on a cluster whose machines all see the folder, and have this program.

Ray keeps nothing here but the recipe of the machine: states are in files. So a worker or a machine that is lost costs
the tasks that it was at, which are done again.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from models.installation import HOME
from models.outcomes import LimitReached, Outcome
from search.algorithms.layered import Unusable
from search.layers.executors import Kind, Look
from search.layers.files import Site
from search.layers.tasks import Worker, remade_worker

LOCAL = "local"  # a cluster of this machine alone, which ends with the search
TRIALS = 20  # of one task, with the machines that were lost
SECONDS = 5.0  # for a cluster to be called
LOOK = 0.1  # seconds between two looks at the limits
STORE = 1 << 27  # bytes of shared memory for a local cluster: what tasks answer is small


class Cluster:
    """As many tasks at a time as the cluster has processors."""

    holds = False

    def __init__(self, address: str, workers: int, recipe: bytes, look: Look, guide: bytes = b"") -> None:
        """`workers`: processors of a local cluster. Unusable: there is no Ray, or no such cluster."""
        self._look = look
        self._ray = _begun(address, workers)
        self.workers = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._recipe = self._ray.put((recipe, guide))
        self._task = self._ray.remote(max_retries=TRIALS)(done)

    def map(self, kind: Kind, site: Site, tasks: Sequence[Any]) -> Iterator[Any]:
        waiting = [self._task.remote(self._recipe, kind, site, task) for task in tasks]
        try:
            while waiting:
                while not self._ray.wait(waiting[:1], timeout=LOOK)[0]:
                    self._look()
                yield self._answer(waiting.pop(0))
        finally:
            for task in waiting:
                self._ray.cancel(task)

    def _answer(self, task: Any) -> Any:
        try:
            return self._ray.get(task)
        except self._ray.exceptions.RayTaskError as why:
            raise why.cause from None
        except self._ray.exceptions.WorkerCrashedError:
            raise LimitReached(Outcome.MEMORY_LIMIT) from None  # the system ends those that take too much

    def close(self) -> None:
        self._ray.shutdown()


def _begun(address: str, workers: int) -> Any:
    """Ray, connected. `local` is said to it too: without an address it would join a cluster that was left behind."""
    try:
        import ray
    except ImportError:
        raise Unusable("a cluster needs Ray: pip install puzzlewright[cluster]", "cluster") from None
    given: dict[str, Any] = {}
    if address == LOCAL:
        given = {"num_cpus": workers, "object_store_memory": STORE, "include_dashboard": False}
    try:
        _called(address)
        with _path_for_others():
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **given)
    except (ConnectionError, ValueError, OSError, RuntimeError) as why:
        raise Unusable(f"no cluster at {address}: {why}", "cluster") from None
    return ray


@contextmanager
def _path_for_others() -> Iterator[None]:
    """Processes that are begun here find this program. Told to Ray, that would have it begin all of them once more."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HOME), *filter(None, [before])])
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def _called(address: str) -> None:
    """OSError where nobody is there: Ray would wait for ever."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), SECONDS).close()


def done(recipe: tuple[bytes, bytes], kind: Kind, site: Site, task: Any) -> Any:
    """In a process of Ray's."""
    return getattr(_worker(recipe), kind)(site, task)


@lru_cache(maxsize=1)
def _worker(recipe: tuple[bytes, bytes]) -> Worker:
    return remade_worker(*recipe)
