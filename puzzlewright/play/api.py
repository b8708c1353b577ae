"""What a page may ask: each path with the function that answers it, JSON in, JSON out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from models.interpreter import State
from puzzlewright.play.catalogue import SEEDS, Catalogue
from puzzlewright.play.game import READING, Game
from puzzlewright.play.hints import DEGREES
from puzzlewright.play.pool import Gone, Pool
from puzzlewright.play.wire import (
    BAD,
    BadRequest,
    Body,
    number,
    one_of,
    optional_text,
    seconds,
    table,
    text,
    write_json,
)

HINT_SECONDS, SOLVE_SECONDS, TRACE_NODES = 2.0, 10.0, 1000
MOST_HINT_SECONDS, MOST_SOLVE_SECONDS, MOST_TRACE_NODES, MOST_NODES = 20.0, 120.0, 3000, 1 << 40
GRACE = READING + 30.0  # seconds for what comes before and after a search
Answer = tuple[int, bytes]
Told = dict[str, Any]


class Api:
    """The answers to all requests; whatever cannot be answered is BadRequest."""

    def __init__(self, catalogue: Catalogue, pool: Pool, backends: tuple[str, ...]) -> None:
        self.catalogue, self.pool, self.backends = catalogue, pool, backends
        self.posts: dict[str, Callable[[Body, Gone], Answer]] = {
            "/api/game": quick(self.game),
            "/api/moves": quick(self.moves),
            "/api/move": quick(self.move),
            "/api/edit": quick(self.edit),
            "/api/seen": quick(self.seen),
            "/api/picture": quick(self.catalogue.picture),
            "/api/hint": self.hint,
            "/api/solve": self.solve,
            "/api/trace": self.trace,
            "/api/states": self.states,
        }
        self.gets: dict[str, Callable[[], Answer]] = {
            "/api/puzzles": self.puzzles, "/api/gallery": self.gallery, "/api/version": self.version,
        }  # fmt: skip

    @property
    def pools(self) -> tuple[Pool, ...]:
        return (self.pool,)

    # -- at once -------------------------------------------------------------------------------------------------------

    def puzzles(self) -> Answer:
        return 200, write_json(self.catalogue.puzzles())

    def gallery(self) -> Answer:
        return 200, write_json(self.catalogue.gallery())

    def version(self) -> Answer:
        return 200, write_json(self.catalogue.version())

    def game(self, body: Body) -> Told:
        game = self.catalogue.named(body)
        return {**game.about(), **game.shown(game.start), "backends": self.backends}

    def moves(self, body: Body) -> Told:
        game, state = self._position(body)
        return game.shown(state)

    def move(self, body: Body) -> Told:
        game, state = self._position(body)
        step = game.step(text(body, "action"), table(body, "args"))
        return game.made(state, step, body.get("marked") is True)

    def seen(self, body: Body) -> Told:
        game, state = self._position(body)
        return game.looked(state)

    def edit(self, body: Body) -> Told:
        game, state = self._position(body)
        changes = table(body, "changes") if "changes" in body else {text(body, "variable"): body.get("value")}
        return game.edited(state, changes)

    def _position(self, body: Body) -> tuple[Game, State]:
        game = self.catalogue.named(table(body, "game"))
        return game, game.state(table(body, "state"))

    # -- in a process of its own ---------------------------------------------------------------------------------------

    def hint(self, body: Body, gone: Gone) -> Answer:
        game, state = self._position(body)
        given = seconds(body, HINT_SECONDS, MOST_HINT_SECONDS)
        job = {"work": "hint", "degree": one_of(body, "degree", DEGREES), "seconds": given, "previous": None}
        if body.get("previous") is not None:
            job["previous"] = game.plain(game.state(table(body, "previous")))
            job["action"], job["args"] = optional_text(body, "action"), body.get("args") or {}
        return self._run(game, state, job, gone)

    def solve(self, body: Body, gone: Gone) -> Answer:
        limits = table(body, "limits") if body.get("limits") is not None else {}
        nodes = None if limits.get("nodes") is None else number(limits, "nodes", 0, 0, MOST_NODES)
        return self._search(body, gone, "solve", limits, nodes)

    def trace(self, body: Body, gone: Gone) -> Answer:
        return self._search(body, gone, "trace", body, number(body, "nodes", TRACE_NODES, 0, MOST_TRACE_NODES))

    def states(self, body: Body, gone: Gone) -> Answer:
        game, state = self._position(body)
        given = seconds(body, SOLVE_SECONDS, MOST_SOLVE_SECONDS)
        return self._run(game, state, {"work": "states", "seconds": given}, gone)

    def _search(self, body: Body, gone: Gone, work: str, limits: Body, nodes: int | None) -> Answer:
        game, state = self._position(body)
        backend = one_of(body, "backend", self.backends, "auto")
        known = ("blind", *(declared.name for declared in game.puzzle.heuristics))
        heuristics = [one_of(body, "heuristic", known)] if body.get("heuristic") is not None else []
        job = {"work": work, "backend": backend, "heuristics": heuristics, "nodes": nodes,
               "seconds": seconds(limits, SOLVE_SECONDS, MOST_SOLVE_SECONDS),
               "seed": number(body, "random", 0, -SEEDS, SEEDS)}  # fmt: skip
        return self._run(game, state, job, gone)

    def _run(self, game: Game, state: State, job: Told, gone: Gone) -> Answer:
        job |= {"source": asdict(game.source), "state": game.plain(state)}
        return self.pool.run(job, 3 * job["seconds"] + GRACE, gone)


def quick(answer: Callable[[Body], Told]) -> Callable[[Body, Gone], Answer]:
    def run(body: Body, gone: Gone) -> Answer:
        return 200, write_json(answer(body))

    return run


def refusal(reason: BadRequest) -> Answer:
    return reason.status, write_json({"error": reason.words})


TOO_DEEP = BadRequest(BAD, "this is nested too deeply")
