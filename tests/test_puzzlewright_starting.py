"""`new` and `schema`: a starter that keeps its word, files that nothing overwrites, a schema that tells the truth."""

from __future__ import annotations

import copy
import json
import random
import shlex
from dataclasses import fields
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from documented import examples
from pydantic import ValidationError
from running import Run, run, start

from models.document import Document, as_document
from models.document_errors import adapter
from models.errors import PuzzleError
from models.forms import Misfit, fitted
from models.text import Plain, Text
from models.yaml_reader import read_yaml
from puzzlewright.files.library import built_in
from puzzlewright.files.schema import schema
from puzzlewright.files.starting import NEXT, starter

TEXTS = {"starter": starter(), **{name: path.read_text(encoding="utf-8") for name, path in built_in().items()}}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# -- new ---------------------------------------------------------------------------------------------------------------


def fewest_steps(board: list[str]) -> int | None:
    """The rules of the starter written down once more: layers of (walker, stones, fords)."""
    letters = {(row, col): letter for row, line in enumerate(board) for col, letter in enumerate(line) if letter != "#"}
    stones, water, (me, *_), (flag, *_) = (frozenset(c for c in letters if letters[c] == x) for x in "o~@F")
    seen = layer = {(me, stones, frozenset[tuple[int, int]]())}
    steps = 0
    while layer:
        if any(me == flag for me, _, _ in layer):
            return steps
        found = set()
        for (row, col), stones, fords in layer:
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                to, beyond = (row + down, col + right), (row + 2 * down, col + 2 * right)
                if to not in letters or (to in water and to not in fords):
                    continue
                if to not in stones:
                    found.add((to, stones, fords))
                elif beyond in letters and beyond not in stones:
                    sunk = {beyond} & (water - fords)
                    found.add((to, stones - {to} | ({beyond} - sunk), fords | sunk))
        layer = found - seen
        seen = seen | layer
        steps += 1
    return None


def test_the_starter_holds_what_it_knows() -> None:
    document = yaml.safe_load(starter())
    known = {name: level["known"] for name, level in document["levels"].items()}
    boards = {name: level.get("board", document["data"]["board"]) for name, level in document["levels"].items()}
    assert len(known) == 3
    for name, board in boards.items():
        steps = fewest_steps(board)
        assert known[name] == ({"solvable": False} if steps is None else {"optimal": steps})


def test_what_new_prints_is_run_as_it_stands() -> None:
    told = run("new", "first try.yaml")
    commands = [line.split("  #")[0].strip() for line in told.out.splitlines()[1:]]
    assert told.code == 0 and len(commands) == len(NEXT) and not told.err
    assert Path("first try.yaml").read_text(encoding="utf-8") == starter()
    for command in commands:
        done = run(*shlex.split(command.removeprefix("puzzlewright ")))
        assert (done.code, done.err) == (0, ""), "no warning either"
    checked = run("check", "first try.yaml", "--prove", "--json").json
    assert checked["verdicts"]["heuristic way"].startswith("proven")
    assert not checked["diagnostics"]


def test_new_in_json() -> None:
    found = run("new", "a.yaml", "--like", "water-jugs", "--json").json
    assert (found["outcome"], found["puzzle"]) == ("valid", "water-jugs")
    assert [row["command"] for row in found["rows"]] == [command.format(file="a.yaml") for command in NEXT]
    assert Path("a.yaml").read_bytes() == built_in()["water_jugs"].read_bytes()


def test_new_overwrites_nothing() -> None:
    Path("mine.yaml").write_text("puzzle: mine\n", encoding="utf-8")
    refused(run("new", "mine.yaml"), "mine.yaml exists already")
    assert Path("mine.yaml").read_text(encoding="utf-8") == "puzzle: mine\n"
    assert run("new", "mine.yaml", "--json").json["outcome"] == "usage-error"


def test_what_new_cannot_write() -> None:
    refused(run("new", "nowhere/a.yaml"), "nowhere/a.yaml cannot be written")
    refused(run("new", "klotski"), "must end in .yaml or .yml")
    refused(run("new", "a.yaml", "--like", "sokobann"), "did you mean 'sokoban'?")
    refused(run("new", "-", "--json"), "both want standard output")
    assert not list(Path().iterdir())


def refused(done: Run, words: str) -> None:
    assert done.code == 2 and words in done.err


def test_new_to_standard_output_is_the_file_itself() -> None:
    """Box characters and all, whatever the terminal speaks; and nobody need read it."""
    child = start("new", "-", "--like", "labyrinth", env={"PYTHONIOENCODING": "ascii"})
    assert child.communicate() == (built_in()["labyrinth"].read_bytes(), b"") and child.returncode == 0


# -- schema ------------------------------------------------------------------------------------------------------------


def named(tree: Any) -> Any:
    """The tree with texts for keys, as JSON has them: YAML takes `0` and `on` for something else."""
    if isinstance(tree, dict):
        return {str(key): named(value) for key, value in tree.items()}
    return [named(item) for item in tree] if isinstance(tree, list) else tree


VALIDATOR = jsonschema.Draft202012Validator(schema())


def test_the_schema_is_printed() -> None:
    child = start("schema")
    out, err = child.communicate()
    assert json.loads(out) == schema() and (err, child.returncode) == (b"", 0)
    jsonschema.Draft202012Validator.check_schema(schema())
    assert set(schema()["properties"]) == {each.name for each in fields(Document)}
    assert schema()["$defs"]["LevelSource"]["additionalProperties"] is True
    assert set(schema()["required"]) == {"puzzle", "state", "actions", "goal"}


def named_in(text: str) -> str:
    return next(line.removeprefix("puzzle:").strip() for line in text.splitlines() if line.startswith("puzzle:"))


@pytest.mark.parametrize("text", [*TEXTS.values(), *examples()], ids=named_in)
def test_the_schema_takes_every_puzzle(text: str) -> None:
    """As an editor reads it, with YAML's numbers and truth values, and as texts alone."""
    VALIDATOR.validate(named(yaml.safe_load(text)))
    VALIDATOR.validate(read_yaml(text, ""))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("goal:", "gaol:"),
        ("goal: me == flag", "always: me == flag"),
        ("goal: me == flag", "goal: []"),
        ("    when:", "    wenn:"),
        ("format: 1", "format: 2"),
        ("{optimal: 6}", "{optimum: 6}"),
        ("  board: c in square", "  bord: c in square"),
        ("about: Push", "about: \nrequire: Push"),
        ("    label: push {d}", "    then: [{repeat: 2}]"),
        ("    label: push {d}", "    then: {}"),
    ],
)
def test_the_schema_refuses_what_is_wrong(old: str, new: str) -> None:
    assert old in starter()
    assert not VALIDATOR.is_valid(named(yaml.safe_load(starter().replace(old, new, 1))))


@pytest.mark.parametrize("name", ["starter", "gravity_blocks", "hanoi", "pancake", "water_jugs"])
def test_the_schema_and_the_reader_agree(name: str) -> None:
    """On puzzles altered in one place at random: a key renamed or left out, a value of another kind. So does pydantic,
    which reads the same annotations and is asked for complaints only."""
    tree = read_yaml(TEXTS[name], name)
    chance = random.Random(name)
    verdicts = set()
    for _ in range(60):
        altered = copy.deepcopy(tree)
        alter(altered, chance)
        verdict = VALIDATOR.is_valid(altered)
        assert verdict == readable(altered), altered
        verdicts.add(verdict)
        if verdict:
            assert adapter(Document).validate_python(altered) == fitted(Document, altered)
        else:
            with pytest.raises(Misfit):
                fitted(Document, altered)
            with pytest.raises(ValidationError):
                adapter(Document).validate_python(altered)
    assert verdicts == {True, False}


OTHERS: list[Any] = [
    *(Text("1"), [], {}, [Text("x")], {Text("repeat"): Text("2")}, {Text("x"): [Text("y")]}, [{Text("x"): Text("y")}]),
]


def alter(tree: dict[Text, Plain], chance: random.Random) -> None:
    """Change one entry, at whatever depth."""
    owner: Any = tree
    while True:
        key = chance.choice(list(owner) if isinstance(owner, dict) else range(len(owner)))
        if not isinstance(owner[key], dict | list) or not owner[key] or chance.random() < 0.4:
            break
        owner = owner[key]
    value = owner.pop(key)
    if isinstance(owner, list):
        owner.insert(key, chance.choice(OTHERS))
    elif chance.random() < 0.2:
        owner[Text(chance.choice(["effect", "known", "repeat", "optimal", "data", "when"]))] = value
    elif chance.random() < 0.8:
        owner[key] = chance.choice(OTHERS)


def readable(tree: dict[Text, Plain]) -> bool:
    try:
        as_document(tree, "")
    except PuzzleError:
        return False
    return True
