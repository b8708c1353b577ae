"""Formulas as clauses alone, and the proofs that CP-SAT makes for them."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from encoders import clausal, lrat, lrat_child
from encoders.certified import Question, cheaper, something_cheaper
from encoders.clausal import ClausalForm, dimacs, to_clauses, write_dimacs
from encoders.formula import FALSE, TRUE, Formula
from encoders.propagation import contradiction
from encoders.statements import unreduced
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Unsupported
from models.task import Task

Bits = tuple[bool, ...]  # the value of every variable of a formula


def own_models(formula: Formula) -> set[Bits]:
    """By trying everything, from the meaning of clauses, groups and sums."""

    def holds(literal: int, bits: Bits) -> bool:
        return bits[literal] if literal >= 0 else not bits[~literal]

    def kept(bits: Bits) -> bool:
        return (
            all(any(holds(each, bits) for each in clause) for clause in formula.clauses)
            and all(sum(holds(each, bits) for each in group) == 1 for group in formula.groups)
            and all(
                not all(holds(each, bits) for each in linear.enforced)
                or any(low <= total <= high for low, high in linear.intervals)
                for linear in formula.linears
                for total in [sum(c * bits[v] for c, v in zip(linear.coefficients, linear.variables, strict=True))]
            )
        )

    return {bits for bits in itertools.product((False, True), repeat=formula.variables) if kept(bits)}


def projected_models(form: ClausalForm, own: int) -> set[Bits]:
    """The values of the first `own` variables that some values of the others complete, by trying everything."""
    found = set()
    for bits in itertools.product((False, True), repeat=own):
        true = {number if bit else -number for number, bit in enumerate(bits, 1)}
        if completes(form.clauses, true):
            found.add(bits)
    return found


def completes(clauses: Sequence[tuple[int, ...]], true: set[int]) -> bool:
    """Davis, Putnam, Logemann, Loveland."""
    true = set(true)
    while True:
        left = [[each for each in clause if -each not in true] for clause in clauses if true.isdisjoint(clause)]
        if not all(left):
            return False
        units = {clause[0] for clause in left if len(clause) == 1}
        if not units:
            break
        true |= units
        if any(-each in true for each in units):
            return False
    return not left or any(completes(left, true | {choice}) for choice in (left[0][0], -left[0][0]))


# -- clauses -----------------------------------------------------------------------------------------------------------


def test_literals_keep_their_numbers() -> None:
    assert [dimacs(each) for each in (TRUE, 1, 7, FALSE, ~1, ~7)] == [1, 2, 8, -1, -2, -8]


def test_clauses_are_tidied() -> None:
    formula = Formula()
    a, b = formula.fresh(), formula.fresh()
    formula.clauses += [(a, a, ~b), (a, ~a), (), (TRUE, a), (FALSE, b)]
    assert to_clauses(formula).clauses == [(1,), (2, -3), (-1,), (3,)]


def test_groups_count_clauses_and_models() -> None:
    for size in range(3, 11):
        formula = Formula()
        formula.exactly_one([formula.fresh() for _ in range(size)])
        form = to_clauses(formula)
        pairs, counter = size * (size - 1) // 2, 3 * size - 4  # Sinz: 3n - 4 clauses, n - 1 variables; x1 is s1 here
        assert len(form.clauses) == 2 + (pairs if size <= 6 else counter - 1)
        assert len(form.auxiliaries) == (0 if size <= 6 else size - 2)
        assert len(projected_models(form, formula.variables)) == size


@pytest.mark.parametrize("seed", range(6))
def test_random_formulas_have_the_same_models(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(15):
        formula = Formula()
        variables = [formula.fresh() for _ in range(rng.randint(2, 8))]
        literals = [*variables, *(~each for each in variables)]
        for _ in range(rng.randint(0, 2)):
            formula.clause([rng.choice([*literals, TRUE, FALSE]) for _ in range(rng.randint(1, 4))])
        if rng.random() < 0.5:
            formula.exactly_one(rng.sample(variables, rng.randint(1, len(variables))))
        for _ in range(rng.randint(0, 2)):
            low = rng.randint(-6, 6)
            split = ((-99, low), (low + rng.randint(2, 4), 99))
            formula.linear(
                [rng.choice(literals) for _ in range(rng.randint(0, 2))],
                [(rng.randint(-4, 4), rng.choice(literals)) for _ in range(rng.randint(1, 6))],
                split if rng.random() < 0.4 else ((low, low + rng.randint(0, 3)),),
            )
        assert projected_models(to_clauses(formula), formula.variables) == own_models(formula)


def test_sums_share_partial_sums_and_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = Formula()
    variables = [formula.fresh() for _ in range(40)]
    formula.linear((), [(1, each) for each in variables], ((20, 20),))
    form = to_clauses(formula)
    # after k terms the sums max(0, k - 20) .. min(k, 20) can still come to 20: 21 * 21 nodes, the last decided
    assert len(form.auxiliaries) == 21 * 21 - 1
    monkeypatch.setattr(clausal, "MOST_AUXILIARIES", 400)
    with pytest.raises(Unsupported, match="too many partial sums"):
        to_clauses(formula)


def test_the_text_is_dimacs() -> None:
    formula = Formula()
    formula.clause((formula.fresh(), ~formula.fresh()))
    assert write_dimacs(to_clauses(formula), ["hello"]) == "c hello\np cnf 3 2\n1 0\n2 -3 0\n"


def test_propagation() -> None:
    assert contradiction([(1,), (-1, 2), (-3, 4), (-2, 3), (-3, -2)]) == [1, 2, 4, 5]
    assert contradiction([(1, 2), (1, -2), (-1, 2), (-1, -2)]) is None
    assert contradiction([(1,), (-1, 2), (-1, 2, 3), (1, -2)]) is None


# -- the question ------------------------------------------------------------------------------------------------------

LADDER = """
puzzle: ladder
state: {n: 0 .. 6 = 0}
actions:
  step: {when: n < 6, effect: {n: n + 1}, cost: 2}
  leap: {when: n <= 3, effect: {n: n + 3}, cost: COST}
goal: n == 6
"""


def ladder(cost: int) -> Task:
    return ground(load_text(LADDER.replace("COST", str(cost)), "ladder.yaml"))


def test_what_is_asked() -> None:
    assert cheaper(unreduced(ladder(2)), (4,)) == Question(1, None)  # every step costs 2
    assert cheaper(unreduced(ladder(5)), (10,)) == Question(4, (10,))  # nine buy four steps
    assert cheaper(unreduced(ladder(5)), (0,)) == Question(0, (0,))
    with pytest.raises(Unsupported, match="cost nothing"):
        cheaper(unreduced(ladder(0)), (1,))
    with pytest.raises(Unsupported, match="too many"):
        something_cheaper(ladder(5), (100_000,))
    with pytest.raises(Unsupported, match="too long"):
        something_cheaper(ladder(5), (1_000_000,))


@pytest.mark.parametrize(("leap", "best"), [(2, 4), (5, 10), (7, 12)])
def test_only_what_is_best_has_no_cheaper(leap: int, best: int) -> None:
    for cost, possible in ((best, False), (best + 1, True)):
        assert completes(something_cheaper(ladder(leap), (cost,)).form.clauses, set()) is possible


# -- proofs ------------------------------------------------------------------------------------------------------------

SQUARE = [(1, 2), (1, -2), (-1, 2), (-1, -2)]


def written(folder: Path, clauses: Sequence[tuple[int, ...]]) -> tuple[ClausalForm, Path, Path]:
    form = ClausalForm(max(abs(each) for clause in clauses for each in clause), list(clauses))
    (folder / "problem.cnf").write_text(write_dimacs(form, []))
    return form, folder / "problem.cnf", folder / "proof.lrat"


def pigeons(holes: int) -> list[tuple[int, ...]]:
    """One pigeon too many: each in a hole, no two in the same."""
    place = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    somewhere = [tuple(place[p, h] for h in range(holes)) for p in range(holes + 1)]
    pairs = itertools.combinations(range(holes + 1), 2)
    return somewhere + [(-place[p, h], -place[q, h]) for p, q in pairs for h in range(holes)]


@pytest.fixture(autouse=True)
def _nothing_is_left_behind(tmp_path: Path) -> Iterator[None]:
    yield
    assert not [name for name in lrat_child.FILES if (tmp_path / lrat_child.PLACE / name).exists()]


def test_the_form_of_a_proof_is_pinned(tmp_path: Path) -> None:
    """CP-SAT's own numbers: a clause of the proof is numbered after those of the file, which are numbered from 1."""
    form, formula, proof = written(tmp_path, SQUARE)
    assert lrat.refute(form, formula, proof, 60).status == "infeasible"
    assert proof.read_text() == "5 -1 0 3 4 0\n6 2 0 5 1 0\n7 0 5 2 6 0\n"


def test_a_contradiction_among_units_has_a_proof_too(tmp_path: Path) -> None:
    form, formula, proof = written(tmp_path, [(1,), (-1, 2), (-3, 4), (-2,)])
    assert lrat.refute(form, formula, proof, 60).status == "infeasible"
    assert proof.read_text() in ("5 0 1 2 4 0\n", "5 0 1 4 2 0\n")


def test_what_has_a_model_has_no_proof(tmp_path: Path) -> None:
    form, formula, proof = written(tmp_path, SQUARE[:3])
    assert lrat.refute(form, formula, proof, 60).status == "feasible"
    assert not proof.exists()


@pytest.mark.slow
def test_the_time_limit_ends_a_hard_proof(tmp_path: Path) -> None:
    form, formula, proof = written(tmp_path, pigeons(12))
    began = time.monotonic()
    found = lrat.refute(form, formula, proof, 1.5)
    assert (found.status, found.reason) == ("unknown", lrat.LATE) and time.monotonic() - began < 300
    assert not proof.exists() and sorted(path.name for path in tmp_path.iterdir()) == ["problem.cnf"]


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_the_child(tmp_path: Path) -> None:
    form, formula, proof = written(tmp_path, pigeons(12))
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        lrat.refute(form, formula, proof, 60)
    assert not proof.exists()


@pytest.mark.skipif(os.name != "posix", reason="the lock is on a folder that all share")
def test_one_proof_at_a_time(tmp_path: Path) -> None:
    form, formula, proof = written(tmp_path, SQUARE)
    handle = lrat._lock(Path(lrat_child.PLACE), time.perf_counter() + 60)
    try:
        assert lrat.refute(form, formula, proof, 0.2).reason == lrat.LATE
    finally:
        os.close(handle)
    assert lrat.refute(form, formula, proof, 60).status == "infeasible"


def test_the_child_ends_with_who_started_it(tmp_path: Path) -> None:
    _, formula, _ = written(tmp_path, pigeons(12))
    command = [sys.executable, "-P", lrat_child.__file__, str(formula), "60", "0"]
    with lrat._alone(tmp_path / lrat_child.PLACE, time.perf_counter() + 60):
        child = subprocess.Popen(command, stdin=subprocess.PIPE, cwd=tmp_path)
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(300) == 1


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    _, formula, _ = written(tmp_path, SQUARE)
    deadline = time.perf_counter() + 60
    with lrat._alone(tmp_path / lrat_child.PLACE, deadline):
        blocked = tmp_path / lrat_child.PLACE / "lrat0.bin"
        blocked.mkdir()
        try:
            status, reason = lrat._solve(formula, deadline, 0)
        finally:
            blocked.rmdir()
    assert status == "unknown" and "Failed to open LRAT output file" in reason


def test_a_child_that_fails_says_why(tmp_path: Path) -> None:
    form, formula, proof = written(tmp_path, SQUARE)
    formula.write_text("p cnf many\n")
    found = lrat.refute(form, formula, proof, 60)
    assert found.status == "unknown" and "ended without an answer: ValueError" in found.reason
