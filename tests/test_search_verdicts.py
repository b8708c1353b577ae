"""The memory of verdicts: each is found again only where all that it rests on holds."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from models.claims import Claim, Verdict, about, said
from models.loader import load_text
from models.outcomes import Outcome
from models.task import Invariant, Task
from puzzlewright.analysis.claims import Claims
from puzzlewright.play.bench import Benches
from puzzlewright.play.game import Game, GameSource
from puzzlewright.solving import memory
from puzzlewright.solving.memory import Memory, remember, remembered
from puzzlewright.solving.proving import prove
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench
from search import cache

PROVEN = Verdict("proven", "", 0.0)

SAME_NAME = """
puzzle: same-name
types: {place: [a, b, c]}
data: {worth: {a: 1, b: 2, c: 1}}
state: {n: 0 .. 6 = 0, x: place = a}
actions:
  up: {when: n < 6 and x != b, effect: {n: n + 1}}
  jump: {when: n == 1 and x != b, effect: {x: c, n: 5}}
goal: n == 6
heuristics: {k: 6 - n}
invariants: {k: "worth[x]"}
"""  # up, jump, up: 3 steps, though k, proven as an invariant, falls by 4 with a jump

TRAP = """
puzzle: trap
types: {place: 0 .. 3}
state: {x: place = 0, y: 0 .. 1 = 0, trap: bool = false}
actions:
  go: {when: x < 3, effect: {x: x + 1}}
  spring: {when: y == 1, effect: {trap: true}}
  jump: {when: trap, effect: {x: 3}}
goal: x == 3
heuristics: {left: 3 - x}
claims: {left: consistent}
invariants: {safe: not trap}
"""  # y stays 0 from the level's start, which only a walk shows of `safe`; with the trap open `left` falls by 3 at once


def in_folder(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(path))


@pytest.mark.parametrize("backend", ["cpsat", "astar", "auto", "cpsat"])
def test_kinds_never_share_a_verdict(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_folder(monkeypatch, tmp_path)
    puzzle = load_text(SAME_NAME, "same_name.yaml")
    for _ in range(3):
        found = solve(puzzle, Request(backend))
        assert (found.outcome, found.cost) == (Outcome.OPTIMAL, 3)
    (invariant,), (heuristic,) = Workbench(puzzle).task.invariants, Workbench(puzzle).task.heuristics
    assert _keeps(Workbench(puzzle), invariant) and not Workbench(puzzle).proofs.proven(heuristic, ask=True)


def _keeps(bench: Workbench, invariant: Invariant) -> bool:
    return bench.proofs.invariants[invariant.name].proven


def test_keys_tell_all_parts_apart() -> None:
    bys, kinds = ("search", "cpsat", "walk"), ("heuristic", "invariant", "separates")
    names, givens = ("a", "b", '["a", 1]', 'a", "b'), ((), ("a",), ("b",), ("a", "b"), ('a", "b',), ("b", "a"))
    starts = (None, (0,), (1,), (0, 1))
    claims = [Claim(*parts) for parts in itertools.product(bys, kinds, names, givens, starts)]  # type: ignore[arg-type]
    assert len({claim.key for claim in claims}) == len(claims)


def test_a_verdict_is_found_only_with_its_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_folder(monkeypatch, tmp_path)
    memory = Memory("abc")
    memory.keep(Claim("search", "heuristic", "h", ('["i", 1]',)), PROVEN)
    for given, found in (((), None), (('["i", 0]',), None), (('["i", 1]',), PROVEN), (('["i", 1]', '["j", 0]'), None)):
        for reader in (memory, Memory("abc")):
            assert reader.find(Claim("search", "heuristic", "h", given)) == found
    assert Memory("abd").find(Claim("search", "heuristic", "h", ('["i", 1]',))) is None


def test_no_more_than_the_newest_claims_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels that share a file may have any number of starts, and each of them facts of its own."""
    in_folder(monkeypatch, tmp_path)
    monkeypatch.setattr("puzzlewright.solving.memory.MOST", 3)
    claims = [Claim("search", "heuristic", "h", (f'["i", {value}]',)) for value in range(5)]
    memory = Memory("abc")
    for number, claim in enumerate(claims, 1):
        memory.keep(claim, PROVEN)
        told = [Memory("abc").find(each) is not None for each in claims[:number]]
        assert told == [False] * (number - 3) + [True] * min(number, 3)
    assert all(memory.find(claim) == PROVEN for claim in claims)


def test_what_another_version_has_kept_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_folder(monkeypatch, tmp_path / "cache")
    claim = Claim("search", "heuristic", "h")
    Memory("abc").keep(claim, PROVEN)
    monkeypatch.setattr("puzzlewright.solving.memory.program", lambda parts: "another")
    assert Memory("abc").find(claim) is None


def test_the_program_is_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "search").mkdir()
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "search" / "cache.py"))
    file, found = tmp_path / "search" / "a.py", set()
    for text in ("x = 1", "x = 2", "x = 1 "):
        file.write_text(text)
        found.add(cache.program.__wrapped__(("search",)))
    file.rename(file.with_name("b.py"))
    cache._texts.cache_clear()
    found.add(cache.program.__wrapped__(("search",)))
    assert len(found) == 4
    assert {"models", "search", "encoders", "puzzlewright/solving"} < set(memory.PROGRAM)


def test_a_fact_has_the_value_of_the_start() -> None:
    task = Workbench(load_text(TRAP, "trap.yaml")).task
    (safe,) = task.invariants
    values = {said(safe, (0, 0, trap)) for trap in (0, 1)}
    assert values == {'["safe", 0]', '["safe", 1]'}
    assert about("search", safe, (0, 0, 0)) != about("search", safe, (0, 0, 1))
    nowhere = replace(safe, defined=task.goal)
    assert said(nowhere, (0, 0, 0)) == '["safe", null]' != said(nowhere, (3, 0, 0))


def test_what_a_walk_has_shown_of_one_start_is_not_said_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_folder(monkeypatch, tmp_path)
    game = Game(GameSource(TRAP, "trap.yaml"))
    bench = Workbench(game.puzzle)
    found = {finding.name: finding.verdict.status for finding in Claims(bench).findings()}
    assert found == {"invariant safe": "proven", "heuristic left": "proven"}  # by the walk, and given what it shows
    benches = Benches(game)
    for y, trap in ((1, False), (0, True), (1, True)):
        other = benches.at({**game.start, ("y", ()): y, ("trap", ()): trap})
        (left,) = other.task.heuristics
        assert not other.proofs.proven(left, ask=True)
        assert solve(other.puzzle, Request("astar", ("left",)), other).outcome is Outcome.SOLVED
    assert solve(game.puzzle, Request("astar", ("left",))).outcome is Outcome.OPTIMAL


def test_nothing_on_disk_is_believed_without_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A forged proof of a wrong heuristic is used by who has a memory, and by nobody else."""
    in_folder(monkeypatch, tmp_path)
    puzzle = load_text(TRAP.replace("trap: bool = false", "trap: bool = true"), "trap.yaml")
    bench = Workbench(puzzle)
    (left,) = bench.task.heuristics
    forged = _forge(bench.task)
    assert bench.proofs.memory.fingerprint and remembered(bench.task.fingerprint) == forged
    assert Workbench(puzzle).proofs.proven(left) and not Workbench(puzzle, memory=False).proofs.proven(left)
    assert remembered(bench.task.fingerprint) == forged


def test_an_answer_that_a_forged_proof_contradicts_is_a_disagreement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_folder(monkeypatch, tmp_path)
    monkeypatch.chdir(tmp_path)
    puzzle = load_text(TRAP.replace("trap: bool = false", "trap: bool = true"), "trap.yaml")
    _forge(Workbench(puzzle).task)
    believed = solve(puzzle, Request("astar", ("left",)))
    assert (believed.outcome, believed.cost, believed.proven_by) == (Outcome.DISAGREEMENT, 1, ())
    assert (tmp_path / "puzzlewright-disagreement-trap-level" / "search.json").is_file()
    assert [note for note in believed.notes if "3" in note and "1" in note]
    proven = prove(puzzle, Request())
    assert (proven.outcome, proven.cost, proven.proven_by) == (Outcome.OPTIMAL, 1, ("search", "cpsat"))


def _forge(task: Task) -> dict[str, Verdict]:
    (left,), (safe,) = task.heuristics, task.invariants
    unknown = Verdict("unknown", "", 0.0)
    found = {about("search", safe, task.start).key: unknown, about("search", left, task.start).key: PROVEN}
    remember(task.fingerprint, found)
    return found
