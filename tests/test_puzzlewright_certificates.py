"""Certificates: the checker on proofs by hand, the folder that `prove` writes, `verify` on it whole and damaged."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from forging import (
    EASY,
    Damage,
    digest_again,
    edit,
    first_literal,
    last_derived,
    swap,
    without_last_hint,
    without_last_line,
    without_last_step,
)
from running import METRICS, Run, run, start
from sampled import slow

from encoders.certified import something_cheaper
from models.loader import load_text
from models.referee import replay
from puzzlewright.certificates import bundle, recheck
from puzzlewright.certificates.certifying import publish
from puzzlewright.certificates.recheck import Refused, check, read_formula
from puzzlewright.files.planfiles import read_plan
from puzzlewright.solving.workbench import Workbench
from search.cache import program

ROOT = Path(__file__).parent.parent

# -- the checker, by hand ----------------------------------------------------------------------------------------------

SQUARE = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"
SQUARE_PROOF = "5 1 0 1 2 0\n6 0 5 3 4 0\n"
# two pigeons and one hole: pigeon 1 is in it (1), pigeon 2 is in it (2), not both
PIGEONS_1 = "c two pigeons, one hole\np cnf 2 3\n1 0\n2 0\n-1 -2 0\n"
# three pigeons and two holes: variable 2p - 1 says that pigeon p is in hole 1, 2p that it is in hole 2
PIGEONS_2 = """p cnf 6 9
1 2 0
3 4 0
5 6 0
-1 -3 0
-1 -5 0
-3 -5 0
-2 -4 0
-2 -6 0
-4 -6 0
"""
# pigeon 1 in hole 1 leaves hole 2 to pigeon 2 and to pigeon 3; so it is in hole 2, and that leaves hole 1 to both
PIGEONS_2_PROOF = "10 -1 0 4 2 5 3 9 0\n11 0 10 1 7 2 8 3 6 0\n"


def judged(folder: Path, formula: str, proof: str) -> recheck.Accepted:
    (folder / "f.cnf").write_bytes(formula.encode())
    (folder / "p.lrat").write_bytes(proof.encode())
    return check(folder / "f.cnf", folder / "p.lrat")


@pytest.mark.parametrize(
    ("formula", "proof", "lines"),
    [
        (PIGEONS_1, "4 0 1 2 3 0\n", 1),
        (PIGEONS_1, "4 0 2 1 3 0\n", 1),
        (PIGEONS_1, "4 0 1 3 2 0\n", 1),
        (PIGEONS_1, "9 -2 0 1 3 0\n12 0 9 2 0\n", 2),  # numbers may be left out
        (SQUARE, SQUARE_PROOF, 2),
        (SQUARE, "5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n", 3),
        (SQUARE, "5 1 0 1 2 0\n5 d 0\n6 2 0 5 3 0\n6 d 1 0\n7 0 6 5 4 0\n", 5),
        (SQUARE.replace("\n", "\r\n"), SQUARE_PROOF.replace("\n", "\r\n"), 2),
        ("p cnf 2 4\nc here\n1 2 0 1 -2\n0\n\n-1 2 0\nc there\n-1 -2 0\n", SQUARE_PROOF, 2),
        ("p cnf 2 5\n1 2 0\n1 1 -2 0\n-1 2 2 0\n-1 -2 0\n1 -1 0\n", "6 1 0 1 2 0\n7 0 6 3 4 0\n", 2),
        ("p cnf 0 1\n0\n", "2 0 1 0\n", 1),
        (PIGEONS_2, PIGEONS_2_PROOF, 2),
    ],
)
def test_right_proofs(formula: str, proof: str, lines: int, tmp_path: Path) -> None:
    assert judged(tmp_path, formula, proof).lines == lines


@pytest.mark.parametrize(
    ("formula", "proof", "reason"),
    [
        (SQUARE, "", "the empty clause is not derived in its 0 lines"),
        (SQUARE, "5 1 0 1 2 0\n", "the empty clause is not derived in its 1 lines"),
        (SQUARE, "5 1 0 1 2 0\n6 0 5 3 4 0", "line 2: the end of the line is missing"),
        (SQUARE, "5 1 0 1 2 0\n6 0 5 3\n", "line 2: expected are literals, 0, numbers of clauses, 0"),
        (SQUARE, "5 0 1 2 3 4 0\n", "line 1: clause 1 is no unit clause here"),
        (SQUARE, "5 1 0 0\n", "line 1: the clauses named lead to no contradiction"),
        (SQUARE, "5 1 0 1 0\n", "line 1: the clauses named lead to no contradiction"),
        (SQUARE, "5 1 0 3 1 2 0\n", "line 1: clause 3 is no unit clause here"),  # it holds already
        (SQUARE, "5 1 0 1 2 3 0\n", "line 1: clause 2 is a contradiction already, but 1 more are named"),
        (SQUARE, "5 -1 0 1 2 0\n", "line 1: clause 1 is no unit clause here"),
        (SQUARE, "5 1 0 1 9 0\n", "line 1: there is no clause 9"),
        (SQUARE, "5 1 0 5 0\n", "line 1: there is no clause 5"),  # itself
        (SQUARE, "5 1 0 1 2 0\n6 0 3 5 4 0\n", "line 2: clause 3 is no unit clause here"),  # the wrong order
        (SQUARE, "5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", "line 3: there is no clause 3"),  # it was deleted
        (SQUARE, "5 d 7 0\n", "line 1: there is no clause 7 to delete"),
        (SQUARE, "5 d 1 1 0\n", "line 1: there is no clause 1 to delete"),
        (SQUARE, "5 d 1\n", "line 1: expected are d, numbers of clauses, 0"),
        (SQUARE, "5 d -1 0\n", "line 1: expected are d, numbers of clauses, 0"),
        (SQUARE, "4 1 0 1 2 0\n", "line 1: clause 4 comes after clause 4"),
        (SQUARE, "5 1 0 1 2 0\n5 0 5 3 4 0\n", "line 2: clause 5 comes after clause 5"),
        (SQUARE, "5 1 -1 0 1 0\n", "line 1: the clause has a variable twice"),
        (SQUARE, "5 1 1 0 1 2 0\n", "line 1: the clause has a variable twice"),
        (SQUARE, "5 3 1 0 1 2 0\n", "line 1: the clause has a variable that the formula lacks"),
        (SQUARE, "5 1 0 -1 2 0\n", "a negative one is a RAT step, which is not accepted"),
        (SQUARE, "5 1 0 1 -2 3 0\n", "a negative one is a RAT step, which is not accepted"),
        (SQUARE, "5 1 0 1 2 0\n\n6 0 5 3 4 0\n", "line 2: a line begins with the number of a clause"),
        (SQUARE, "c hello\n5 1 0 1 2 0\n", "line 1: a line begins with the number of a clause"),
        (SQUARE, "+5 1 0 1 2 0\n", "line 1: a line begins with the number of a clause"),
        (SQUARE, "5 1_0 0 1 2 0\n", "line 1: expected are"),
        (SQUARE, "5 1 0 1 2 0 \n", "line 1: expected are"),
        (SQUARE, "5  1 0 1 2 0\n", "line 1: expected are"),
        (SQUARE, "5 1 0 1 2 0 7 0\n", "line 1: expected are"),
        (SQUARE, "5 x 0 1 2 0\n", "line 1: expected are"),
        (SQUARE, f"5 {'1' * 5000} 0 1 2 0\n", "line 1: expected are"),
        (SQUARE, f"{'5' * 5000} 1 0 1 2 0\n", "line 1: a line begins with"),
        (SQUARE, "5 1 0 1 2 0\n6 0 5 3 4 0\n7 0 1 0\n", "line 3: clause 1 is no unit clause here"),  # read to the end
        ("p cnf 1 1\n1 -1 0\n", "2 0 1 0\n", "line 1: clause 1 is no unit clause here"),  # always true
        ("p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n", SQUARE_PROOF, "f.cnf: the header tells of 4 clauses, there are 3"),
        (SQUARE + "1 0\n", SQUARE_PROOF, "f.cnf: the header tells of 4 clauses, there are 5"),
        (SQUARE[:-3] + "\n", SQUARE_PROOF, "f.cnf: the last clause has no end"),
        (SQUARE[:-1], SQUARE_PROOF, "f.cnf, line 5: the end of the line is missing"),
        (SQUARE[10:], SQUARE_PROOF, "f.cnf, line 1: the header `p cnf ...` is expected here"),
        ("", SQUARE_PROOF, "f.cnf: there is no header"),
        (SQUARE.replace("p cnf 2", "p cnf 1"), SQUARE_PROOF, "f.cnf, line 2: the formula has no variable 2"),
        (SQUARE.replace("p cnf", "p dnf"), SQUARE_PROOF, "f.cnf, line 1: there is one header"),
        (SQUARE + "p cnf 2 4\n", SQUARE_PROOF, "f.cnf, line 6: there is one header"),
        (SQUARE.replace("1 2 0\n", "1 two 0\n", 1), SQUARE_PROOF, "f.cnf, line 2: whole numbers are expected here"),
        (SQUARE.replace("1 2 0\n", "1 -0 0\n", 1), SQUARE_PROOF, "f.cnf, line 2: whole numbers are expected here"),
        (
            "p cnf 2 3\n1 2 0\n1 -2 0\n-1 2 0\n",
            "4 1 0 1 2 0\n5 2 0 4 3 0\n6 0 4 5 0\n",
            "line 3: the clauses named lead",
        ),
        (PIGEONS_2, PIGEONS_2_PROOF.replace("10 -1 0 4 2", "10 -1 0 2 4"), "line 1: clause 2 is no unit clause here"),
        (PIGEONS_2, PIGEONS_2_PROOF.replace("10 -1", "10 1"), "line 1: clause 4 is no unit clause here"),
    ],
)
def test_wrong_proofs(formula: str, proof: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        judged(tmp_path, formula, proof)
    assert reason in str(refused.value)


def satisfiable(clauses: list[list[int]], variables: int) -> bool:
    return any(
        all(any((bits >> abs(each) - 1 & 1) == (each > 0) for each in clause) for clause in clauses)
        for bits in range(1 << variables)
    )


@pytest.mark.parametrize("seed", range(2))
def test_no_proof_is_accepted_for_what_has_a_model(seed: int, tmp_path: Path) -> None:
    """Random changes of a right proof and its formula: what is accepted must be unsatisfiable, by trying everything."""
    rng, verdicts = random.Random(seed), set()
    for _ in range(150):
        formula, proof = PIGEONS_2.splitlines(), PIGEONS_2_PROOF.splitlines()
        for lines, first in ((formula, 1), (proof, 0)):
            for _ in range(rng.choice((0, 0, 1, 2))):
                number = rng.randrange(first, len(lines))
                words = lines[number].split()
                words[rng.randrange(len(words) - 1)] = str(rng.choice([*range(-6, 0), *range(1, 12)]))
                lines[number] = " ".join(words)
        clauses = [[int(word) for word in line.split()[:-1]] for line in formula[1:]]
        try:
            judged(tmp_path, "\n".join(formula) + "\n", "\n".join(proof) + "\n")
        except Refused:
            verdicts.add("refused")
            continue
        verdicts.add("accepted")
        assert not satisfiable(clauses, 6)
    assert verdicts == {"refused", "accepted"}


def test_the_checker_stops_at_the_deadline(tmp_path: Path) -> None:
    proof = "".join(f"{number} 1 0 1 2 0\n" for number in range(5, 3000))
    (tmp_path / "f.cnf").write_text(SQUARE)
    (tmp_path / "p.lrat").write_text(proof)
    with pytest.raises(TimeoutError):
        check(tmp_path / "f.cnf", tmp_path / "p.lrat", time.perf_counter() - 1)


def alone(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """The checker as a program, with nothing of the project in reach."""
    command = [sys.executable, "-I", str(recheck.__file__), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_checker_alone(tmp_path: Path) -> None:
    judged(tmp_path, SQUARE, SQUARE_PROOF)
    done = alone(tmp_path / "f.cnf", tmp_path / "p.lrat")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "ACCEPTED: the formula has no model (4 clauses over 2 variables, 2 lines of proof)\n"
    (tmp_path / "p.lrat").write_text(SQUARE_PROOF.replace("6 0 5 3 4", "6 0 5 4"))
    done = alone(tmp_path / "f.cnf", tmp_path / "p.lrat")
    assert done.returncode == 1 and done.stdout.startswith("REFUSED: p.lrat, line 2: ")
    assert alone(tmp_path / "f.cnf", tmp_path / "none").returncode == alone().returncode == 2
    assert "No such file" in alone(tmp_path / "f.cnf", tmp_path / "none").stderr


def test_the_checker_shares_no_code() -> None:
    text = Path(recheck.__file__).read_text(encoding="utf-8")
    imported = {line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= {*sys.stdlib_module_names, "__future__"} and len(text.splitlines()) < 250


# -- certificates ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def eight(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path]:
    folder = tmp_path_factory.mktemp("eight") / "certificate"
    return run("prove", "n_puzzle", "--level", "seed-8", "--certificate", folder, "--json"), folder


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path]:
    folder = tmp_path_factory.mktemp("stage") / "certificate"
    return run("prove", "bloxorz", "--level", "stage-1", "--certificate", folder, "--json"), folder


@pytest.fixture
def copy(stage: tuple[Run, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(stage[1], tmp_path / "copy"))


@pytest.mark.parametrize(("name", "best"), [slow("eight", 22), ("stage", 7)])
def test_a_certificate_is_made_and_verified(name: str, best: int, request: pytest.FixtureRequest) -> None:
    made, folder = request.getfixturevalue(name)
    found = made.json
    assert (found["outcome"], found["cost"], found["proven_by"]) == ("optimal", best, ["search", "cpsat"])
    figures = found["certificate"]
    variables, clauses = read_formula(folder / "problem.cnf")
    assert (figures["directory"], figures["variables"]) == (str(folder), variables)
    assert figures["clauses"] == len(clauses)
    assert figures["proof_lines"] == (folder / "proof.lrat").read_text().count("\n")
    assert figures["prove_seconds"] > 0 and figures["check_seconds"] < 20
    assert any("a certificate is written to" in note for note in found["notes"])
    assert sorted(path.name for path in folder.iterdir()) == sorted(bundle.FILES)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]

    again = run("verify", folder, "--json").json
    assert (again["outcome"], again["cost"], again["length"]) == ("valid", best, best)
    assert [note.partition(":")[0] for note in again["notes"]] == ["digests", "plan", "proof", "formula"]
    assert again["certificate"]["proof_lines"] == figures["proof_lines"]
    text = run("verify", folder, "-q").out
    assert "valid: the plan is one, and no plan costs less" in text and "proof: " in text
    assert subprocess.run([sys.executable, "-I", folder / "recheck.py", folder], capture_output=True).returncode == 0


def test_the_files_tell_what_they_are(stage: tuple[Run, Path]) -> None:
    folder = stage[1]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["level"], manifest["settings"], manifest["metric"]) == ("stage-1", [], "cost")
    assert (manifest["costs"], manifest["length"], manifest["question"]["horizon"]) == ({"cost": 7}, 7, 6)
    claim = "bloxorz, level stage-1: the plan in plan.json has 7 steps and costs 7; no plan costs less."
    assert manifest["claim"] == claim and claim in (folder / "README.txt").read_text()
    assert (folder / "problem.cnf").read_text().startswith(f"c {claim}\n")
    assert (folder / "puzzle.yaml").read_bytes() == (ROOT / "puzzles/bloxorz.yaml").read_bytes()
    assert (folder / "recheck.py").read_bytes() == Path(recheck.__file__).read_bytes()
    words = (folder / "variables.txt").read_text().splitlines()
    assert [int(line.split()[0]) for line in words] == list(range(1, manifest["variables"] + 1))
    for begin in ("1 true", "2 step 1: roll ", "9 after step 1: at"):
        assert any(line.startswith(begin) for line in words)
    assert any(line.endswith("step 6: none, the plan is over") for line in words)


DAMAGE: dict[str, Damage] = {
    "a literal of the proof": ("proof.lrat", last_derived, "proof.lrat, line "),
    "a hint of the proof": ("proof.lrat", without_last_hint, "proof.lrat, line "),
    "the end of the proof": ("proof.lrat", without_last_line, "proof.lrat: the empty clause is not derived"),
    "a literal of the formula": (
        "problem.cnf",
        lambda text: first_literal(text, 20, 0),
        "(proof.lrat|problem.cnf), line ",
    ),
    "a comment of the formula": swap("problem.cnf", "c bloxorz", "c bluxorz", "problem.cnf, line 1: "),
    "a step of the plan": ("plan.json", lambda text: text.replace('"right"', '"left"', 1), "plan.json: step "),
    "the plan's end": ("plan.json", without_last_step, "plan.json: after 6 steps"),
    "the puzzle's board": swap("puzzle.yaml", "0000001110", "0000001111", ".*not what follows from puzzle.yaml"),
    "the puzzle's start": swap("puzzle.yaml", "start: [1, 1]", "start: [2, 1]", "plan.json: (step|after) "),
    "a variable's meaning": swap("variables.txt", "after step 1", "after step 2", "variables.txt, line "),
    "the readme": swap("README.txt", "7 steps", "6 steps", "README.txt, line 3: "),
    "the checker": swap("recheck.py", "return 1", "return 0", "recheck.py, line "),
    "the claimed length": swap("manifest.json", '"length": 7', '"length": 6', "manifest.json: length is 6, but"),
    "the claim": swap("manifest.json", "costs 7", "costs 6", "manifest.json, claim: "),
    "the question": swap("manifest.json", '"horizon": 6', '"horizon": 9', "manifest.json, question: "),
    "the metric": swap(
        "manifest.json", '"metric": "cost"', '"metric": "time"', "manifest.json: the puzzle has no metric"
    ),
}


FIRST_OF = {name: what for what, (name, *_) in reversed(DAMAGE.items())}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_noticed_even_with_new_digests(what: str, copy: Path) -> None:
    name, change, reason = DAMAGE[what]
    edit(name, change)(copy)
    first = FIRST_OF[name] == what
    if name != "manifest.json":
        if first:
            found = run("verify", copy, "--json").json
            assert found["outcome"] == "refuted" and f"{name} is not the file" in found["notes"][-1]
        digest_again(copy)
    found = run("verify", copy, "--json").json
    assert found["outcome"] == "refuted" and re.match(reason, found["notes"][-1]), found["notes"]
    assert not first or "refuted: the certificate does not hold" in run("verify", copy, "-q").out


def test_a_forged_certificate_of_a_worse_plan(tmp_path: Path) -> None:
    """To and fro before the best plan; all that follows from that made anew. Only a proof there cannot be."""
    assert run("prove", *EASY, "--certificate", tmp_path).code == 0
    text = (tmp_path / "puzzle.yaml").read_text()
    bench = Workbench(load_text(text, "puzzle.yaml", "easy-8"))
    best = json.loads((tmp_path / "plan.json").read_text())["plan"]
    fro = [
        {"action": "slide", "args": {"c": [1, 1], "d": "left"}},
        {"action": "slide", "args": {"c": [1, 0], "d": "right"}},
    ]
    plan = read_plan("plan.json", json.dumps([*fro, *best]), bench.puzzle)
    costs = replay(bench.puzzle, plan).costs
    assert costs == {"cost": 5}
    certified = something_cheaper(bench.task, (5,))
    source = bundle.Source(text, "easy-8", (), 0)
    for name, made in bundle.texts(bench, source, certified, plan, costs).items():
        (tmp_path / name).write_text(made)
    stated = bundle.statement(bench, source, certified, plan, costs)
    (tmp_path / "manifest.json").write_text(bundle.manifest(stated, tmp_path))
    found = run("verify", tmp_path, "--json").json
    assert (found["outcome"], found["cost"]) == ("refuted", 5)
    assert found["notes"][-1].startswith("proof.lrat, line ")


def test_the_time_limit_of_verify(copy: Path) -> None:
    found = run("verify", copy, "--time-limit", "0", "--json").json
    assert found["outcome"] == "time-limit" and [note.partition(":")[0] for note in found["notes"]][:2] == [
        "digests",
        "plan",
    ]


def test_another_version_of_the_encoder(copy: Path) -> None:
    edit("problem.cnf", lambda text: text.replace("c bloxorz", "c  bloxorz"))(copy)
    digest_again(copy)
    edit("manifest.json", lambda text: text.replace(program(bundle.MADE_BY), "another"))(copy)
    found = run("verify", copy, "--json").json
    assert found["outcome"] == "unproven" and "another version of puzzlewright" in found["notes"][-1]
    assert [note.partition(":")[0] for note in found["notes"][:-1]] == ["digests", "plan", "proof"]


@pytest.mark.parametrize("name", bundle.FILES)
def test_a_missing_file_is_invalid_input(name: str, copy: Path) -> None:
    (copy / name).unlink()
    found = run("verify", copy)
    assert found.code == 31 and f"{name} cannot be read" in found.err


def test_what_is_no_certificate(copy: Path, tmp_path: Path) -> None:
    for text in ("{", "[]", '{"format": 1}', "null", "\udcff"):
        (copy / "manifest.json").write_bytes(text.encode(errors="surrogateescape"))
        assert run("verify", copy).code in (5, 31)
    assert run("verify", tmp_path).code == 31
    assert run("verify", "n_puzzle").code == 2
    assert "Missing argument 'PLAN'" in run("verify", tmp_path / "none").err
    assert run("verify", copy, "--level", "stage-1").code == 2
    (copy / "more.txt").touch()
    assert run("verify", copy).code in (5, 31)


def test_costs_that_differ(tmp_path: Path) -> None:
    """Three steps of effort 1 are best by effort, and then take 9; a step and a leap are best by time: 3 + 1."""
    path = tmp_path / "walk.yaml"
    path.write_text(METRICS, encoding="utf-8")
    for metric, cost, question in (
        ("time", 4, "at most 3 steps that costs less than 4"),
        ("effort", 3, "at most 2 steps that costs less than 3"),
        ("effort,time", 3, "at most 3 steps that costs less than 3 effort, 9 time (less in one of them"),
    ):
        folder = tmp_path / metric
        found = run("prove", path, "--metric", metric, "--certificate", folder, "--json").json
        assert (found["outcome"], found["cost"]) == ("optimal", cost)
        assert question in (folder / "README.txt").read_text()
        again = run("verify", folder, "--json").json
        assert (again["outcome"], again["cost"]) == ("valid", cost)


def test_settings_seed_and_a_start_at_the_goal(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    given = ("--set", "start=1,2,3,4,5,6,7,8,0", "--certificate", folder, "--seed", "3", "--json")
    assert run("prove", "n_puzzle", *given).json["cost"] == 0
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["settings"], manifest["seed"]) == (["start=1,2,3,4,5,6,7,8,0"], 3)
    assert run("verify", folder, "--json").json["outcome"] == "valid"


def test_only_a_certificate_is_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    assert run("prove", *EASY, "--certificate", folder).code == 0, "an empty folder will do"
    again = run("prove", *EASY, "--certificate", folder, "--reproducible", "--json").json
    assert not [name for name in again["certificate"] if name.endswith("_seconds")]
    assert run("verify", folder).code == 0
    (folder / "diary.txt").write_text("mine")
    for place, words in (
        (folder, "no certificate"),
        (folder / "diary.txt", "it is a file"),
        (tmp_path / "a/b", "no folder"),
    ):
        found = run("prove", *EASY, "--certificate", place)
        assert found.code == 2 and words in found.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c"] and (folder / "diary.txt").read_text() == "mine"


def test_a_folder_that_only_looks_like_a_certificate(tmp_path: Path) -> None:
    """Other programs have a manifest.json too; what a run that was killed has left is in nobody's way."""
    (tmp_path / f".c-{os.getpid()}").mkdir()
    folder = tmp_path / "c"
    assert run("prove", *EASY, "--certificate", folder).code == 0
    for text in ('{"name": "an app"}', "{", "[]", ""):
        (folder / "manifest.json").write_text(text)
        found = run("prove", *EASY, "--certificate", folder)
        assert found.code == 2 and "no certificate" in found.err
        assert (folder / "manifest.json").read_text() == text


@pytest.mark.parametrize("last", [1, 7, 8, 9, 11, 12])
def test_an_older_certificate_comes_back_where_a_new_one_is_stopped(
    last: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight files are moved away, and four of another kind come: stopped after any of these moves, all is as before."""
    folder, draft = tmp_path / "c", tmp_path / "d" / "new"
    for place, names in ((folder, bundle.FILES), (draft, bundle.files_of(bundle.LISTED, False))):
        place.mkdir(parents=True)
        for name in names:
            (place / name).write_text(json.dumps({"format": bundle.FORMAT, "in": place.name}))
    before = {path.name: path.read_text() for path in folder.iterdir()}
    moves, move = iter(range(1, 100)), shutil.move

    def stopped(path: Path, target: Path) -> None:
        move(path, target)
        if next(moves) == last:
            raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "move", stopped)
    with pytest.raises(KeyboardInterrupt):
        publish(draft, folder)
    assert {path.name: path.read_text() for path in folder.iterdir()} == before
    later = tmp_path / "e" / "new"
    later.mkdir(parents=True)
    (later / "README.txt").touch()
    publish(later, folder)
    assert [path.name for path in folder.iterdir()] == ["README.txt"]


@pytest.mark.slow
def test_a_certificate_in_the_folder_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty one at first, then with an older certificate; it is the same folder all the time."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for words in (("water_sort", "--level", "stuck"), EASY):
        assert run("prove", *words, "--certificate", ".").code in (0, 11)
        assert run("verify", ".").code == 0
    assert sorted(os.listdir(".")) == sorted(bundle.FILES) and os.listdir(tmp_path) == ["here"]


def test_without_a_proof_there_is_no_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from encoders import lrat

    def lazy(form: Any, formula: Path, proof: Path, *given: Any) -> lrat.Refutation:
        proof.write_text("1 0 1 0\n")
        return lrat.Refutation("infeasible", 0.1)

    folder = tmp_path / "c"
    monkeypatch.setattr(lrat, "refute", lazy)
    asked = ("prove", *EASY, "--certificate", folder, "--certificate-kind", "lrat", "--json")
    found = run(*asked).json
    assert (found["outcome"], found["cost"]) == ("unproven", 3) and "proof is refused" in found["notes"][-1]
    monkeypatch.setattr(lrat, "refute", lambda *given: lrat.Refutation("unknown", 0.1, "late"))
    assert run(*asked).json["notes"][-1].endswith("late")
    monkeypatch.setattr(lrat, "refute", lambda *given: lrat.Refutation("feasible", 0.1))
    monkeypatch.chdir(tmp_path)
    assert run(*asked).json["outcome"] == "disagreement"
    assert not folder.exists()


def test_what_is_not_proven_best_has_no_certificate(tmp_path: Path) -> None:
    given = ("n_puzzle", "--level", "easy-8", "--backend", "greedy")
    found = run("prove", *given, "--certificate", tmp_path / "c", "--json").json
    assert found["outcome"] == "unproven" and any("no certificate" in note for note in found["notes"])
    assert not list(tmp_path.iterdir())


STUCK = """
puzzle: stuck
types: {place: 0 .. 4}
state: {x: place = 0, y: place = 0}
actions:
  go: {when: x < 3, effect: {x: x + 1}}
  rise: {when: x == 3 and y < 3, effect: {y: y + 1}}
goal: x == 4
"""  # 7 states, none a goal, and no step leads out of them


def test_an_unsolvable_level_is_certified_by_its_states(tmp_path: Path) -> None:
    """Any state left out, and any other start or goal, is noticed, though digests and numbers are set right."""
    (tmp_path / "stuck.yaml").write_text(STUCK)
    folder = tmp_path / "c"
    found = run("prove", tmp_path / "stuck.yaml", "--no-invariants", "--certificate", folder, "--json").json
    assert found["outcome"] == "unsolvable" and run("verify", folder, "--json").json["outcome"] == "valid"
    head, *states = (folder / "states.jsonl").read_text().splitlines()
    told = json.loads((folder / "manifest.json").read_text())
    assert len(states) == told["states"] == 7
    damaged = [("states.jsonl", "\n".join([head, *states[:n], *states[n + 1 :]]) + "\n") for n in range(7)]
    damaged += [
        ("puzzle.yaml", STUCK.replace("goal: x == 4", "goal: y == 3")),
        ("puzzle.yaml", STUCK.replace("3,", "4,")),
    ]
    for name, text in damaged:
        copy = tmp_path / "copy"
        shutil.copytree(folder, copy)
        (copy / name).write_text(text)
        number = len((copy / "states.jsonl").read_text().splitlines()) - 1
        digests = {each: sha256((copy / each).read_bytes()).hexdigest() for each in told["sha256"]}
        (copy / "manifest.json").write_text(json.dumps({**told, "states": number, "sha256": digests}))
        assert run("verify", copy, "--json").json["outcome"] == "refuted", (name, text)
        shutil.rmtree(copy)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    words = ("prove", "n_puzzle", "--level", "seed-8", "--json", "--certificate", str(tmp_path / "c"))
    process = start(*words)
    while not list(tmp_path.glob(".c-*/*/problem.cnf")) and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130 and json.loads(out)["outcome"] == "interrupted" and b"Traceback" not in err
    assert not list(tmp_path.iterdir())
