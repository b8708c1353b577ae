"""Plan files: whatever is written is read again as the very same plan, or it is refused and nothing is written."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from puzzle_files import PUZZLES
from puzzle_files import load as built_in
from random_models import random_puzzle
from running import run

from models.errors import PuzzleError
from models.loader import load_text
from models.outcomes import Outcome
from models.plan import Plan, Step
from models.puzzle import Parameter, Puzzle
from models.referee import Replay
from models.values import Value
from puzzlewright.files.planfiles import plan_text, read_plan
from puzzlewright.report import About, Report, Solution

FORMS = (".plan", ".json")
ALIKE = """
puzzle: alike
data:
  keys: [1, "1"]
types:
  key: values(keys)
  place: 0 .. 2
state:
  at: place = 0
actions:
  use:
    params: {k: key}
    when: k == "1" and at < 2
    effect: {at: at + 1}
goal: at == 2
"""
PAIRS = """
puzzle: two
types:
  cell: grid(2, 3)
  who: [ann, ben]
state:
  at[w in who]: cell = cell(0, 0) if w == ann else cell(1, 0)
actions:
  walk:
    params: {w: who, d: direction}
    effect:
      at[w]: at[w] + d
  push:
    params: {w: who, d: direction}
    when: at[w] == cell(0, 2)
    effect:
      at[w]: at[w] + d
goal: at[ben] == cell(1, 2)
"""


def written(plan: Plan, suffix: str, puzzle: Puzzle) -> str:
    unwalked = Solution(plan, (), puzzle.words, Replay((), {}, ()), len(plan))
    report = Report("solve", Outcome.SOLVED, About.of(puzzle, puzzle.metrics[0]), solution=unwalked)
    return plan_text(suffix, report, puzzle)


def typed(plan: Plan) -> list[tuple[str, list[tuple[str, str]]]]:
    """With the values' types, since 1 equals true."""
    return [(step.action, [(name, f"{type(value).__name__} {value!r}") for name, value in step.arguments])
            for step in plan]  # fmt: skip


def check(plan: Plan, puzzle: Puzzle) -> None:
    for suffix in FORMS:
        text = written(plan, suffix, puzzle)
        assert typed(read_plan(f"x{suffix}", text, puzzle)) == typed(plan), text
    lines = [line for line in written(plan, ".plan", puzzle).splitlines() if line.startswith("(")]
    assert len(lines) == len(plan) and len(set(lines)) == len({str(step) for step in typed(plan)})


def some_steps(puzzle: Puzzle, draw: random.Random, most: int) -> Plan:
    """Steps with any values, whether they apply or not."""

    def value(parameter: Parameter) -> Value:
        size = 1
        for type_ in parameter.indices:
            size *= len(type_.values)
        values = [draw.choice(parameter.type.values) for _ in range(size)]
        return tuple(values) if parameter.indices else values[0]

    usable = [a for a in puzzle.actions if all(p.type.values for p in a.parameters)]
    chosen = draw.choices(usable, k=most) if usable else []
    return tuple(Step(a.name, tuple((p.name, value(p)) for p in a.parameters)) for a in chosen)


def scalar(value: Any) -> str:
    """As YAML has it; letters by their numbers, since not all may stand in a file."""
    if not isinstance(value, str):
        return json.dumps(value)
    letters = "".join(r"\U" + f"{ord(letter):08x}" for letter in value)
    return f'"{letters}"'


def of_key(values: list[Any], union: str = "") -> Puzzle:
    """A puzzle whose one parameter takes these values."""
    text = ALIKE.replace('[1, "1"]', f"[{', '.join(map(scalar, values))}]").replace('k == "1" and ', "")
    text = text.replace("place: 0 .. 2", f"place: 0 .. 2\n  block: objects(2)\n  one: key{union}")
    return load_text(
        text.replace("k: key", "k: one, m[b in block]: one").replace(
            "params: {k: one, m[b in block]: one}", "params:\n      k: one\n      m[b in block]: one"
        ),
        "x.yaml",
    )


# -- by hand -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", FORMS)
def test_a_number_and_a_text_that_looks_like_it(tmp_path: Path, suffix: str) -> None:
    puzzle, plan = tmp_path / "alike.yaml", tmp_path / f"a{suffix}"
    puzzle.write_text(ALIKE, encoding="utf-8")
    found = run("solve", puzzle, f"--plan-out={plan}")
    assert found.code == 0 and '1. use "1"\n' in found.out
    assert run("verify", puzzle, plan).code == 0
    if suffix == ".plan":
        assert plan.read_text(encoding="utf-8") == '(use "1")\n(use "1")\n; cost = 2 (unit cost)\n'
        plan.write_text('( use "1" ) ; a comment\n(use 1)', encoding="utf-8")
        assert "step 2 of 2 fails" in run("verify", puzzle, plan).out
    plan.write_text('[{"action": "use", "args": {"k": true}}]', encoding="utf-8")
    assert run("verify", puzzle, plan).code == 31


STRANGE = ["a b", "", " ", "x;y", ";", "(z)", "q|r", "s,t", '"', "'", "\\", '\\"', "[0, 1]", "true", "1", "-1", "{}",
           "tab\tbed", "line\nfeed", "form\ffeed", "next\u0085line", "sep\u2028arated", "wide\u3000blank", "é", "日本",
           "😀", "zero\u200bwidth", "up", "block 1", "nul\x00"]  # fmt: skip


@pytest.mark.parametrize("union", ["", " or block", " or direction", " or place", " or bool"])
def test_texts_that_could_be_mistaken(union: str) -> None:
    texts = [text for text in STRANGE if not (union == " or block" and text == "block 1")]
    puzzle = of_key([*texts, 7, -1], union)
    (action,) = puzzle.actions
    values = action.parameters[0].type.values
    plan = tuple(
        Step("use", (("k", one), ("m", (one, other)))) for one in values for other in (values[0], one, values[-1])
    )
    check(plan, puzzle)


def test_objects_among_numbers_are_told_apart(tmp_path: Path) -> None:
    puzzle = of_key([1, 2, "block"], " or block")
    values = puzzle.actions[0].parameters[0].type.values
    check(tuple(Step("use", (("k", one), ("m", (one, one)))) for one in values), puzzle)


def test_what_would_be_written_alike_is_refused(tmp_path: Path) -> None:
    """The object has to be called `block 1`, since there is a number 1; and there is such a text."""
    path = tmp_path / "x.yaml"
    text = ALIKE.replace('[1, "1"]', '[1, "block 1"]').replace('k == "1" and ', "").replace("k: key", "k: one")
    path.write_text(text.replace("place: 0 .. 2", "place: 0 .. 2\n  block: objects(1)\n  one: key or block"),
                    encoding="utf-8")  # fmt: skip
    for suffix in FORMS:
        found = run("solve", path, f"--plan-out={tmp_path / 'a'}{suffix}")
        assert found.code == 2 and "two values of `k` of `use` would be written alike" in found.err
        assert not (tmp_path / f"a{suffix}").exists()
    plan = tmp_path / "b.json"
    plan.write_text('[{"action": "use", "args": {"k": "block 1"}}]', encoding="utf-8")
    found = run("verify", path, plan)
    assert found.code == 31 and "may be 2 values of `one`" in found.err


def test_one_and_true_are_no_two_values_of_a_type() -> None:
    with pytest.raises(PuzzleError) as found:
        of_key([1, "1", True])
    assert found.value.diagnostics[0].code == "E407"


def test_variables_whose_names_would_be_alike(tmp_path: Path) -> None:
    """`on[1]` and `on["1"]` are two, in pictures, in JSON and when a walk leads from one state to another."""
    path = tmp_path / "x.yaml"
    text = ALIKE.replace("at: place = 0", "on[k in key]: bool = false").replace(
        'k == "1" and at < 2', "k == 1 or on[1]"
    )
    path.write_text(text.replace("{at: at + 1}", '{"on[k]": true}').replace("goal: at == 2", 'goal: on["1"]'),
                    encoding="utf-8")  # fmt: skip
    found = run("solve", path)
    assert found.code == 0 and 'on[1] = false  on["1"] = false' in found.out and "2 steps" in found.out
    scrambled = run("solve", path, "--scramble", "1")
    assert 'on[1] = true  on["1"] = false' in scrambled.out and "optimal: 1 step, cost 1" in scrambled.out
    shown = json.loads(run("explore", path, "--json").out)["exploration"]["hardest"]["shown"]
    assert [list(each["state"]) for each in shown] == [["on[1]", 'on["1"]']]


def test_old_files_without_quotes_are_still_read() -> None:
    puzzle = of_key(["a|b", "c,d", "e(f", "x"])
    text = "(use c,d x|x)\n(use a|b x|e(f)\n"
    assert [step.arguments[0][1] for step in read_plan("x.plan", text, puzzle)] == ["c,d", "a|b"]
    for wrong in ('(use "x x|x)', "(use x)", "(use x y|x)", "use x x|x", '(use "x" "y)'):
        with pytest.raises(PuzzleError):
            read_plan("x.plan", wrong, puzzle)


def test_half_a_letter_is_none() -> None:
    with pytest.raises(PuzzleError) as found:
        load_text(ALIKE.replace('"1"]', r'"\ud800"]'), "x.yaml")
    assert [each.code for each in found.value.diagnostics] == ["E021"]


@pytest.mark.parametrize(("cost", "unit"), [("", "unit"), ("    cost: 1\n", "unit"), ("    cost: at * 2\n", "general")])
def test_unit_cost_is_said_of_costs_and_not_of_a_sum(tmp_path: Path, cost: str, unit: str) -> None:
    """Two steps of 0 and 2 cost as much as they are steps."""
    path, plan = tmp_path / "x.yaml", tmp_path / "x.plan"
    path.write_text(ALIKE.replace("goal:", f"{cost}goal:"), encoding="utf-8")
    assert run("solve", path, f"--plan-out={plan}").code == 0
    assert plan.read_text(encoding="utf-8").endswith(f"; cost = 2 ({unit} cost)\n")


# -- at random ---------------------------------------------------------------------------------------------------------


def test_steps_of_random_models() -> None:
    draw, seen = random.Random(1), 0
    for seed in range(60):
        try:
            puzzle = load_text(random_puzzle(seed), f"seed {seed}")
        except PuzzleError:
            continue
        check(some_steps(puzzle, draw, 20), puzzle)
        seen += 1
    assert seen > 20


def test_random_texts() -> None:
    draw = random.Random(2)
    for _ in range(60):
        letters = draw.choice(['ab"', " ;()|,", "\\\"'", "01-", "".join(STRANGE)])
        texts = {"".join(draw.choices(letters, k=draw.randint(0, 4))) for _ in range(6)}
        puzzle = of_key([*sorted(texts), draw.randint(2, 9)], draw.choice(["", " or direction", " or bool"]))
        check(some_steps(puzzle, draw, 30), puzzle)


@pytest.mark.parametrize("name", [path.stem for path in sorted(PUZZLES.glob("*.yaml"))])
def test_steps_of_built_in_puzzles(name: str) -> None:
    puzzle = built_in(name)
    check(some_steps(puzzle, random.Random(3), 40), puzzle)


# -- LURD --------------------------------------------------------------------------------------------------------------


def test_letters_that_may_be_two_steps_are_no_plan(tmp_path: Path) -> None:
    puzzle, plan = tmp_path / "two.yaml", tmp_path / "a.lurd"
    puzzle.write_text(PAIRS, encoding="utf-8")
    found = run("solve", puzzle, f"--plan-out={plan}")
    why = "step 1, r, may be (walk ann right) or (walk ben right)"
    wrong = f"Invalid value: --plan-out: the plan cannot be written so: {why}"
    assert found.code == 2 and wrong in found.err
    assert "\nusage-error: 2 steps, cost 2; the plan is not written\n" in found.out
    assert wrong in run("solve", puzzle, f"--plan-out={plan}", "-q").err
    told = json.loads(run("solve", puzzle, f"--plan-out={plan}", "--json").out)
    assert [each["message"] for each in told["diagnostics"]] == [wrong]
    assert (told["cost"], len(told["plan"]), told["proven_by"]) == (2, 2, ["search"])
    assert told["notes"][-1] == "the plan that is not written is optimal"
    assert not plan.exists()
    plan.write_text("rr", encoding="utf-8")
    assert run("verify", puzzle, plan).code == 31


@pytest.mark.parametrize("parameters", ["{d: direction or stay}", "{d: direction, e: direction}", "{d: direction8}"])
def test_letters_need_one_direction(tmp_path: Path, parameters: str) -> None:
    path = tmp_path / "x.yaml"
    text = PAIRS.replace("{w: who, d: direction}", parameters).replace("at[w] ==", "at[ben] ==")
    path.write_text(text.replace("at[w]: at[w] + d", "at[ben]: cell(1, 2)"), encoding="utf-8")
    assert run("solve", path, f"--plan-out={tmp_path / 'a.lurd'}").code == 2
    assert run("solve", path, f"--plan-out={tmp_path / 'a.plan'}").code == 0


def pushing(draw: random.Random) -> str:
    """A random board with one or two who walk and push, and boxes that perhaps have names."""
    rows, cols, who = draw.randint(1, 2), draw.randint(2, 4), draw.choice(["[ann]", "[ann, ben]"])
    start = draw.choice(["cell(0, 0)", "cell(0, 0) if w == ann else cell(0, 1)"])
    guard = draw.choice(
        ["", " and w == ann", f" and at[w].col < {cols - 1}", " and not any(at[v] == at[w] + d for v in who)"]
    )
    other = draw.choice([" and w == ann", " and at[w] != cell(0, 0)", " and d == down"])
    return f"""
puzzle: pushing
types:
  cell: grid({rows}, {cols})
  who: {who}
state:
  at[w in who]: cell = {start}
  pushed: bool = false
actions:
  walk:
    params: {{w: who, d: direction}}
    when: inside(at[w] + d){guard}
    effect:
      at[w]: at[w] + d
  push:
    params: {{w: who, d: direction}}
    when: inside(at[w] + d){other}
    effect:
      at[w]: at[w] + d
      pushed: true
goal: pushed and any(at[w] == cell({rows - 1}, {cols - 1}) for w in who)
"""


def test_random_plans_in_lurd(tmp_path: Path) -> None:
    codes, draw = set[int](), random.Random(4)
    for number in range(15):
        path, plan, lines = tmp_path / "x.yaml", tmp_path / f"{number}.lurd", tmp_path / "x.plan"
        path.write_text(pushing(draw), encoding="utf-8")
        found = run("solve", path, f"--plan-out={plan}")
        assert run("solve", path, f"--plan-out={lines}").code in (0, 11)
        assert plan.exists() is (found.code == 0), found.err
        if found.code == 0:
            puzzle = load_text(path.read_text(encoding="utf-8"), "x.yaml")
            one, other = (read_plan(str(each), each.read_text(encoding="utf-8"), puzzle) for each in (plan, lines))
            assert one == other
        codes.add(found.code)
    assert codes >= {0, 2}
