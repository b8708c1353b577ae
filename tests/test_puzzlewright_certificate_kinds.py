"""Certificates by listed states and by invariants: what `prove` writes, `verify` on it whole and damaged."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from forging import EASY, Damage, digest_again, edit, first_literal, swap, without_last_line
from running import METRICS, run
from sampled import slow

from models.outcomes import Outcome
from puzzlewright.certificates import recheck
from puzzlewright.report import Report
from puzzlewright.solving import proving

STUCK = ("water_sort", "--level", "stuck")
FIRST = ("klotski", "--level", "first")
ODD = ("n_puzzle", "--level", "odd-8")
TINY = ("n_puzzle", "--set", "rows=2", "--set", "cols=2", "--set", "start=2,1,3,0")  # odd


def made(folder: Path, *words: str) -> Path:
    found = run("prove", *words, "--certificate", folder, "--json").json
    assert found["certificate"]["directory"] == str(folder), found["notes"]
    return folder


@pytest.fixture(scope="module")
def stuck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("stuck") / "c", *STUCK)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("first") / "c", *FIRST, "--certificate-kind", "states")


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("odd") / "c", *ODD)


MANIFEST, STATES = "manifest.json", "states.jsonl"
LISTED = {"README.txt", MANIFEST, "puzzle.yaml", STATES}
KEPT = {f"{name}.{ending}" for name in ("kept-1", "kept-2", "goal") for ending in ("cnf", "lrat")}
PROVEN = {*KEPT, "README.txt", MANIFEST, "puzzle.yaml", "recheck.py"}
WHOLE: dict[str, tuple[set[str], int | None, list[str], dict[str, Any]]] = {
    "stuck": (LISTED, None, ["digests", "states"], {"kind": "states", "states": 49, "steps": 104}),
    "first": ({*LISTED, "plan.json"}, 8, ["digests", "plan", "states"], {"kind": "states", "states": 58, "steps": 182}),
    "odd": (PROVEN, None, ["digests", "proofs", "formulas", "start"], {"kind": "invariant", "formulas": 3}),
}


@pytest.mark.parametrize("name", WHOLE)
def test_it_is_made_and_verified(name: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(name)
    files, cost, steps, figures = WHOLE[name]
    assert {path.name for path in folder.iterdir()} == files
    found = run("verify", folder, "--json").json
    assert (found["outcome"], found["cost"]) == ("valid", cost)
    assert [note.partition(":")[0] for note in found["notes"]] == steps
    assert found["certificate"].items() >= figures.items()
    words = "there is no plan of any length" if cost is None else "the plan is one, and no plan costs less"
    assert f"valid: {words}\n" in run("verify", folder, "-q").out
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


@pytest.mark.parametrize(
    ("words", "outcome", "by"),
    [
        slow(STUCK, "unsolvable", ["search", "referee"]),
        (TINY, "unsolvable", ["invariant"]),
        slow((*FIRST, "--certificate-kind", "states"), "optimal", ["search", "referee"]),
        slow(EASY, "optimal", ["search", "cpsat"]),
        ((*TINY, "--no-invariants"), "unsolvable", ["search", "referee"]),
    ],
)
def test_what_the_verdicts_say(words: tuple[str, ...], outcome: str, by: list[str], tmp_path: Path) -> None:
    """The verdict is the one without a certificate; who has been through the states is one of those who prove it."""
    found = run("prove", *words, "--certificate", tmp_path / "c", "--json").json
    assert (found["outcome"], found["proven_by"]) == (outcome, by)


def test_the_checker_of_proofs_alone(odd: Path, stuck: Path) -> None:
    done = subprocess.run([sys.executable, "-I", odd / "recheck.py", odd], capture_output=True, text=True, check=True)
    assert re.findall(r"ACCEPTED: (\S+) has no model", done.stdout) == ["goal.cnf", "kept-1.cnf", "kept-2.cnf"]
    done = subprocess.run([sys.executable, "-I", odd / "recheck.py", stuck], capture_output=True, text=True)
    assert done.returncode == 1 and "only `puzzlewright verify` can check this" in done.stdout


def test_the_files_tell_what_they_are(stuck: Path, first: Path, odd: Path) -> None:
    for folder, claim in (
        (stuck, "water-sort, level stuck: there is no plan."),
        (odd, "n-puzzle, level odd-8: there is no plan."),
        (first, "klotski, level first: the plan in plan.json has 8 steps and costs 8 steps; no plan costs less."),
    ):
        assert json.loads((folder / MANIFEST).read_text())["claim"] == claim
        assert claim in (folder / "README.txt").read_text()
    head = json.loads((first / STATES).read_text().splitlines()[0])
    assert head["metrics"] == ["steps"] and head["left_out"] == ["last", "way"] and head["alike"] == []
    assert len(head["places"]) == 12 and set(head["values"]) == {"piece"}
    assert json.loads((stuck / STATES).read_text().splitlines()[0])["alike"] == ["tube"]
    assert re.search(r"^c 2: at\[.*0, 0.*\] = 0$", (odd / "kept-2.cnf").read_text(), re.M)
    assert re.search(r"^c [0-9]+: slide .* acts$", (odd / "kept-2.cnf").read_text(), re.M)
    told = json.loads((odd / MANIFEST).read_text())
    assert told["invariants"] == [{"name": "each-tile-once", "start": True}, {"name": "parity", "start": 1}]


# -- damage ------------------------------------------------------------------------------------------------------------


def line(number: int, change: Callable[[Any], Any]) -> Callable[[str], str]:
    """A change of what a line of a list holds, counted from 0; the head is line 0."""

    def apply(text: str) -> str:
        lines = text.splitlines(keepends=True)
        lines[number] = json.dumps(change(json.loads(lines[number])), separators=(",", ":")) + "\n"
        return "".join(lines)

    return apply


def without(number: int) -> Callable[[str], str]:
    return lambda text: "".join(each for n, each in enumerate(text.splitlines(keepends=True)) if n != number)


def bound(value: Any) -> Callable[[Any], Any]:
    return lambda row: [value, row[1]]


def numbers(change: Callable[[list[Any]], list[Any]]) -> Callable[[Any], Any]:
    return lambda row: [row[0], change(row[1])]


def head(**fields: Any) -> Callable[[str], str]:
    return line(0, lambda told: {**told, **fields})


def first_place_left_out(text: str) -> str:
    """From the head and from every state."""
    told, *rows = map(json.loads, text.splitlines())
    told |= {"places": told["places"][1:], "left_out": [told["places"][0], *told["left_out"]]}
    made = [told, *([row[0], row[1][1:]] for row in rows)]
    return "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in made)


def parity_forgotten(text: str) -> str:
    told = json.loads(text)
    told["invariants"].pop()
    return json.dumps(told)


def row_forgotten(text: str) -> str:
    """Without the last of the rows that may lose the parity."""
    lines = text.splitlines(keepends=True)
    rows = [found[1] for each in lines if (found := re.fullmatch(r"c ([0-9]+): slide .*\n", each))]
    number = next(n for n, each in enumerate(lines) if set(each.split()) == {*rows, "0"})
    lines[number] = " ".join([*rows[:-1], "0"]) + "\n"
    return "".join(lines)


def cost_forgotten(text: str) -> str:
    return json.dumps(json.loads(text) | {"costs": None})


# tubes 1111, 2222, 3333 and none: the numbers of the values are 0 to 2 for the colours in some order, 3 for empty
SOLVED = "[null,[0,0,0,0,1,1,1,1,2,2,2,2,3,3,3,3]]\n"
DAMAGE: dict[str, dict[str, Damage]] = {
    "stuck": {
        "a state left out": (STATES, without(5), "states.jsonl, line [0-9]+: the bound never is too high: pour"),
        "the start left out": (STATES, without(1), "states.jsonl: the bound of the start is 0, which does not show"),
        "all left out": (STATES, lambda text: text.splitlines()[0] + "\n", "states.jsonl: the bound of the start is 0"),
        "a state with a bound": (STATES, line(9, bound([7])), "states.jsonl, line [0-9]+: the bound never is too high"),
        "the start with a bound": (STATES, line(1, bound([1])), "states.jsonl: the bound of the start is 1, which"),
        "a goal": (STATES, lambda text: text + SOLVED, "states.jsonl, line 51: the state is a goal, but its bound is"),
        "a state twice": (STATES, lambda text: text + text.splitlines()[-1] + "\n", "states.jsonl, line 51: .* twice"),
        "another order of tubes": (
            STATES,
            line(7, numbers(lambda code: code[4:] + code[:4])),
            "states.jsonl, line 8: of the states that are alike",
        ),
        "a number of no value": (STATES, line(3, numbers(lambda code: [9, *code[1:]])), "states.jsonl, line 4: expect"),
        "a place too few": (STATES, line(3, numbers(lambda code: code[1:])), "states.jsonl, line 4: expected"),
        "a word for a number": (STATES, line(3, numbers(lambda code: [False, *code[1:]])), "states.jsonl, line 4: exp"),
        "another spelling": swap(STATES, "[null,[", "[null, [", "states.jsonl, line 2: expected"),
        "the end of the last line": (STATES, lambda text: text[:-9], "states.jsonl, line 50: expected"),
        "all": (STATES, lambda text: "", "states.jsonl, line 1: this is not the head of a list"),
        "the metric in the head": (STATES, head(metrics=["pours"]), "states.jsonl, line 1: this is not the head of a"),
        "the values in the head": swap(STATES, '["1","2"', '["2","1"', "states.jsonl, line 1: this is not the head"),
        "the words of the head": swap(STATES, "left_out", "left", "states.jsonl, line 1: this is not the head"),
        "no exchange": (STATES, head(alike=[]), "states.jsonl, line [0-9]+: the bound never is too high"),
        "an exchange that is none": (STATES, head(alike=["level"]), "the values of level are not alike"),
        "a place of one tube": (STATES, first_place_left_out, "the values of tube do not index the same variables"),
        "the puzzle's start": swap("puzzle.yaml", '["1232", "1123"', '["1223", "1123"', "states.jsonl.* bound"),
        "the level": swap(MANIFEST, '"level": "stuck"', '"level": "two-colours"', "states.jsonl, line 1: this is not"),
        "the number of states": swap(MANIFEST, '"states": 49', '"states": 48', "manifest.json, states: "),
        "the claim": swap(MANIFEST, "there is no plan.", "there is a plan.", "manifest.json, claim: "),
        "the readme": swap("README.txt", "there is no plan.", "there is a plan.", "README.txt, line 3: "),
    },
    "first": {
        "a state left out": (STATES, without(5), "states.jsonl, line [0-9]+: the bound [0-9] is too high"),
        "the start left out": (STATES, without(1), "states.jsonl, line 2: the bound 7 is too high: slide"),
        "the start's bound raised": (STATES, line(1, bound([9])), "states.jsonl, line 2: the bound 9 is too high: sl"),
        "the start's bound lowered": (STATES, line(1, bound([7])), "states.jsonl: the bound of the start is 7, which"),
        "the start's bound never": (STATES, line(1, bound(None)), "states.jsonl, line 2: the bound never is too high"),
        "a bound raised": (STATES, line(2, bound([8])), "states.jsonl, line 3: the bound 8 is too high"),
        "a bound lowered": (STATES, line(2, bound([6])), "states.jsonl, line 2: the bound 8 is too high"),
        "a bound below nothing": (STATES, line(2, bound([-1])), "states.jsonl, line 3: expected"),
        "a bound of two": (STATES, line(2, bound([7, 0])), "states.jsonl, line 3: expected"),
        "a bound that is no list": (STATES, line(2, bound(7)), "states.jsonl, line 3: expected"),
        "a bound that is a word": (STATES, line(2, bound([True])), "states.jsonl, line 3: expected"),
        "a place that matters": (
            STATES,
            first_place_left_out,
            "states.jsonl, line [0-9]+: the state is listed twice|states.jsonl: piece is left out, but the rules",
        ),
        "a place that is none": (STATES, head(left_out=["lost", "way"]), "what is left out are no places of this"),
        "a place in the head": (STATES, head(left_out=["way"]), "states.jsonl, line 1: this is not the head"),
        "a step of the plan": ("plan.json", lambda text: text.replace('"left"', '"up"', 1), "plan.json: "),
        "a cheaper plan": swap(MANIFEST, '"steps": 8', '"steps": 7', "manifest.json: costs is"),
        "another metric": swap(MANIFEST, '"metric": "steps"', '"metric": "moves"', "manifest.json: costs is"),
        "no plan": (MANIFEST, cost_forgotten, "states.jsonl: the bound of the start is 8, which does not show that th"),
        "the level": swap(MANIFEST, '"level": "first"', '"level": "little"', "plan.json: step"),
        "the goal": swap("puzzle.yaml", "goal: piece[door] == hero", "goal: true", "states.jsonl, .* is a goal"),
    },
    "odd": {
        "a literal of a formula": ("kept-2.cnf", lambda text: first_literal(text, -9, 0), "kept-2.(lrat|cnf), line "),
        "a row of a formula": ("kept-2.cnf", row_forgotten, "kept-2.(lrat|cnf), line "),
        "a literal of a proof": ("kept-2.lrat", lambda text: first_literal(text, 0, 1), "kept-2.lrat, line "),
        "the end of a proof": ("kept-2.lrat", without_last_line, "kept-2.lrat: the empty clause is not derived"),
        "the proof of an invariant": ("kept-1.lrat", lambda text: "", "kept-1.lrat: the empty clause is not derived"),
        "the proof of the goal": ("goal.lrat", lambda text: "", "goal.lrat: the empty clause is not derived"),
        "half a line of a proof": ("kept-2.lrat", lambda text: text[:-3], "kept-2.lrat, line [0-9]+: the end of the l"),
        "the value of parity": swap(MANIFEST, '"start": 1', '"start": 0', "manifest.json, invariants: "),
        "an invariant": (MANIFEST, parity_forgotten, "manifest.json, invariants|goal.cnf, line [0-9]+: this is not"),
        "the name of an invariant": swap(MANIFEST, '"parity"', '"parrot"', "manifest.json: it names no invariants"),
        "an invariant for another": swap(MANIFEST, '"parity"', '"each-tile-once"', "(manifest.json|kept-2.cnf), "),
        "the puzzle's start": swap(
            "puzzle.yaml", "[2, 1, 3, 4, 5, 6, 7, 8, 0]", "[2, 1, 4, 3, 5, 6, 7, 8, 0]", "(manifest.json|goal.cnf), "
        ),
        "the level": swap(MANIFEST, '"level": "odd-8"', '"level": "easy-8"', "(manifest.json|goal.cnf|kept-1.cnf), "),
        "the rules": swap("puzzle.yaml", "at[c]: 0\n    label", "at[c]: 1\n    label", "kept-1.cnf, line "),
        "what is invariant": swap("puzzle.yaml", "+ gap.row + gap.col) % 2", "+ gap.row) % 2", "(kept-2|manifest)"),
        "the goal": swap("puzzle.yaml", "goal: all(", "goal: any(", "goal.cnf, line "),
        "the readme": swap("README.txt", "parity: 1", "parity: 0", "README.txt, line "),
    },
}


FIRST_OF = {(kind, name): what for kind, table in DAMAGE.items() for what, (name, *_) in reversed(table.items())}


@pytest.mark.parametrize(("kind", "what"), [(kind, what) for kind, table in DAMAGE.items() for what in table])
def test_damage_is_noticed_even_with_new_digests(
    kind: str, what: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(request.getfixturevalue(kind), tmp_path / "copy"))
    name, change, reason = DAMAGE[kind][what]
    edit(name, change)(copy)
    if name != MANIFEST:
        if FIRST_OF[kind, name] == what:
            found = run("verify", copy, "--json").json
            assert found["outcome"] == "refuted" and f"{name} is not the file" in found["notes"][-1]
        digest_again(copy)
    found = run("verify", copy, "--json").json
    assert found["outcome"] == "refuted" and re.match(reason, found["notes"][-1]), found["notes"]


@pytest.mark.parametrize(("kind", "name"), [("odd", "kept-2.lrat"), ("odd", "goal.cnf"), ("stuck", STATES)])
def test_a_missing_file_is_invalid_input(kind: str, name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(request.getfixturevalue(kind), tmp_path / "copy"))
    (copy / name).unlink()
    told = json.loads((copy / MANIFEST).read_text())
    del told["sha256"][name]
    (copy / MANIFEST).write_text(json.dumps(told))
    found = run("verify", copy)
    assert found.code == 31 and f"{name} cannot be read" in found.err


Forged = Callable[[dict[str, Any]], object]
ODD_MANIFESTS: dict[str, Forged] = {  # what is no manifest
    "digests as pairs": lambda told: told.update(sha256=[[1, 2]]),
    "no digests": lambda told: told.update(sha256=None),
    "no format version": lambda told: told.pop("format_version"),
    "a version that is true": lambda told: told.update(format_version=True),
    "no level": lambda told: told.pop("level"),
    "no costs": lambda told: told.pop("costs"),
    "a proof without a plan": lambda told: (told.pop("kind"), told.update(costs=None)),
    "an invariant with a plan": lambda told: told.update(kind="invariant", costs={"cost": 1}, invariants=[]),
    "a number of invariants": lambda told: told.update(kind="invariant", invariants=2),
    "another kind": lambda told: told.update(kind="faith"),
    "a list of kinds": lambda told: told.update(kind=["states"]),
}
MORE: dict[str, tuple[Forged, str]] = {  # what the program would not have written
    "a remark": (lambda told: told.update(remark="the shortest of all"), "manifest.json, remark: "),
    "no claim": (lambda told: told.pop("claim"), "manifest.json, claim: "),
    "another spelling of a number": (lambda told: told.update(states=49.0), "manifest.json, states: "),
}


def forge(folder: Path, change: Forged) -> Path:
    told = json.loads((folder / MANIFEST).read_text())
    change(told)
    (folder / MANIFEST).write_text(json.dumps(told))
    return folder


@pytest.mark.parametrize("what", ODD_MANIFESTS)
def test_what_is_no_manifest_is_invalid_input(what: str, stuck: Path, tmp_path: Path) -> None:
    copy = forge(Path(shutil.copytree(stuck, tmp_path / "copy")), ODD_MANIFESTS[what])
    found = run("verify", copy)
    assert found.code == 31 and "it is no manifest of format" in found.err
    alone = subprocess.run([sys.executable, "-I", recheck.__file__, copy], capture_output=True, text=True)
    assert alone.returncode == 1 and alone.stdout and not alone.stderr


@pytest.mark.parametrize("what", MORE)
def test_a_manifest_that_says_more_or_less_is_refuted(what: str, stuck: Path, tmp_path: Path) -> None:
    change, reason = MORE[what]
    copy = forge(Path(shutil.copytree(stuck, tmp_path / "copy")), change)
    found = run("verify", copy, "--json").json
    assert found["outcome"] == "refuted" and found["notes"][-1].startswith(reason)


def test_a_manifest_that_says_a_thing_twice(stuck: Path, tmp_path: Path) -> None:
    """Who reads it with another library might take the first of two claims."""
    copy = Path(shutil.copytree(stuck, tmp_path / "copy"))
    text = (copy / MANIFEST).read_text()
    (copy / MANIFEST).write_text(text.replace("{", '{"claim": "the plan costs 3",', 1))
    found = run("verify", copy)
    assert found.code == 31 and "it is no manifest" in found.err


def test_a_file_that_no_certificate_has(odd: Path, tmp_path: Path) -> None:
    """Python would take it for its own library, were recheck.py run in the folder."""
    copy = Path(shutil.copytree(odd, tmp_path / "copy"))
    (copy / "json.py").write_text("print('ACCEPTED')\n")
    forge(copy, lambda told: told["sha256"].update({"json.py": recheck.digest(copy / "json.py")}))
    found = run("verify", copy, "--json").json
    assert found["outcome"] == "refuted" and found["notes"][-1].startswith("json.py: this is not what follows from")


def test_a_claim_tells_what_was_set(tmp_path: Path) -> None:
    """The level as it is written has a plan of 22 steps; what is claimed is about other data."""
    folder = made(tmp_path / "c", *TINY, "--seed", "3")
    claim = "n-puzzle, level seed-8, with rows=2 and cols=2 and start=2,1,3,0, seed 3: there is no plan."
    assert json.loads((folder / MANIFEST).read_text())["claim"] == claim
    assert claim in (folder / "README.txt").read_text() and claim[:60] in (folder / "goal.cnf").read_text()
    assert run("verify", folder, "--json").json["outcome"] == "valid"


# -- which one is written ----------------------------------------------------------------------------------------------


def test_states_take_the_place_of_a_proof_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from encoders import lrat

    monkeypatch.setattr(lrat, "refute", lambda *given: lrat.Refutation("unknown", 0.1, "the proof came to nothing"))
    for words, outcome, by in (
        (EASY, "optimal", ["search", "cpsat"]),
        (TINY, "unsolvable", ["invariant", "referee"]),
    ):
        found = run("prove", *words, "--certificate", tmp_path / "c", "--json").json
        assert (found["outcome"], found["proven_by"]) == (outcome, by)
        assert found["certificate"]["kind"] == "states" and any("came to nothing" in note for note in found["notes"])
        assert run("verify", tmp_path / "c", "--json").json["outcome"] == "valid"


def test_a_kind_that_does_not_suit(tmp_path: Path) -> None:
    """A best plan without the certificate that was asked for is unproven, an impossible one stays impossible."""
    for words, kind, outcome in ((EASY, "invariant", "unproven"), (STUCK, "lrat", "unsolvable")):
        asked = ("--certificate", tmp_path / "c", "--certificate-kind", kind)
        found = run("prove", *words, *asked, "--json").json
        assert found["outcome"] == outcome and found["notes"][-1] == proving.NOT_OF_THIS_KIND[kind]
    assert not list(tmp_path.iterdir())


def test_states_take_the_place_of_cpsat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit too he takes over, unless what he would have to list is long."""
    left: list[float | None] = []

    def late(bench: Any, request: Any, found: Report, beside: Any) -> Report:
        left.append(bench.deadline.left)
        return replace(found, outcome=Outcome.UNPROVEN, proven_by=("search",), notes=(*found.notes, "too late"))

    monkeypatch.setattr(proving, "_cross_check", late)
    found = run("prove", *EASY, "--certificate", tmp_path / "c", "--json").json
    assert (found["outcome"], found["proven_by"]) == ("optimal", ["search", "referee"])
    assert run("prove", *EASY, "--json").json["outcome"] == "unproven"
    found = run("prove", *EASY, "--certificate", tmp_path / "d", "--certificate-kind", "lrat", "--json").json
    assert found["outcome"] == "unproven" and not (tmp_path / "d").exists()
    monkeypatch.setattr(proving, "MOST_LISTED_SOON", 0)
    run("prove", *EASY, "--certificate", tmp_path / "c")
    assert left[0] is not None and left[0] <= proving.CPSAT_TURN and left[1:] == [None, None, None]


def test_a_referee_who_contradicts_is_a_disagreement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(puzzle: Any, request: Any, bench: Any) -> Report:
        found = solve(puzzle, request, bench)
        return replace(found, outcome=Outcome.UNSOLVABLE, solution=None, lower_bound=None)

    solve = proving.solve
    monkeypatch.setattr(proving, "solve", wrong)
    monkeypatch.chdir(tmp_path)
    found = run("prove", *EASY, "--certificate", tmp_path / "c", "--json").json
    assert found["outcome"] == "disagreement" and any("finds a goal at the cost 3" in note for note in found["notes"])
    assert not (tmp_path / "c").exists()


def test_kinds_that_do_not_suit_and_other_usage(tmp_path: Path) -> None:
    for words in ((*STUCK, "--certificate-kind", "lrat"), (*STUCK, "--certificate-kind", "invariant")):
        found = run("prove", *words, "--certificate", tmp_path / "c", "--json").json
        assert found["outcome"] == "unsolvable" and "no certificate" in found["notes"][-1]
    for words in (("--certificate-kind", "states"), ("--certificate-kind", "state", "--certificate", str(tmp_path))):
        assert run("prove", *EASY, *words).code == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_one_kind_replaces_another(tmp_path: Path) -> None:
    for words in (TINY, (*EASY, "--certificate-kind", "states"), TINY):
        made(tmp_path / "c", *words)
        assert run("verify", tmp_path / "c").code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


def test_a_time_limit_and_a_start_at_the_goal(stuck: Path, odd: Path, tmp_path: Path) -> None:
    for folder in (stuck, odd):
        found = run("verify", folder, "--time-limit", "0", "--json").json
        assert found["outcome"] == "time-limit" and found["notes"][0].startswith("digests")
    given = ("n_puzzle", "--set", "start=1,2,3,4,5,6,7,8,0", "--certificate-kind", "states")
    assert (made(tmp_path / "c", *given) / STATES).read_text().count("\n") == 1
    assert run("verify", tmp_path / "c", "--json").json["cost"] == 0


def test_several_metrics(tmp_path: Path) -> None:
    path = tmp_path / "walk.yaml"
    path.write_text(METRICS, encoding="utf-8")
    for metric, cost in (("time", 4), ("effort,time", 3)):
        folder = made(tmp_path / metric, str(path), "--metric", metric, "--certificate-kind", "states")
        found = run("verify", folder, "--json").json
        assert (found["outcome"], found["cost"]) == ("valid", cost)


# -- large ones --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "kind", "states"),
    [
        (("klotski", "--level", "hua-rong-dao", "--certificate-kind", "states"), "states", 23975),
        (("n_puzzle", "--level", "hardest-8"), None, None),
        (("n_puzzle", "--level", "hardest-8", "--certificate-kind", "states"), "states", 181438),
        (("n_puzzle", "--level", "odd-15"), "invariant", None),
    ],
)
def test_large_ones(words: tuple[str, ...], kind: str | None, states: int | None, tmp_path: Path) -> None:
    made(tmp_path / "c", *words)
    found = run("verify", tmp_path / "c", "--json").json
    assert (found["outcome"], found["certificate"].get("kind")) == ("valid", kind)
    assert found["certificate"].get("states") == states
