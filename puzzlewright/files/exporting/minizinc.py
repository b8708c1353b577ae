"""The question for a plan of at most so many steps that costs least, as a model in MiniZinc.

It is what `planning` makes: for each moment the values of all variables, between two moments one action or none, and
none once there was none. A value changes where an effect of the action happens, and stays else. What is printed is a
plan file of ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from puzzlewright.files.exporting.planning import Action, Effect, Fact, Planning, planning_of
from puzzlewright.files.exporting.sas import one_line
from puzzlewright.files.exporting.wanted import Exported, ExportWanted

MODEL = """
set of int: STEPS = 1..steps;
set of int: ACTIONS = 0..length(cost) - 1;
set of int: VARIABLES = index_set(size);
set of int: TESTS = index_set(test_action);
set of int: EFFECTS = index_set(effect_action);

array[0..steps, VARIABLES] of var 0..max([1] ++ size) - 1: state;
array[STEPS] of var ACTIONS: action; % 0: nothing happens any more
array[STEPS, EFFECTS] of var bool: happens;

constraint forall(t in 0..steps, v in VARIABLES)(state[t, v] < size[v]);
constraint forall(v in VARIABLES)(state[0, v] == start[v]);
constraint forall(g in index_set(goal_variable))(state[steps, goal_variable[g]] == goal_value[g]);
constraint forall(t in STEPS where t > 1)(action[t - 1] == 0 -> action[t] == 0);
constraint forall(t in STEPS, i in TESTS)(
  action[t] == test_action[i] -> state[t - 1, test_variable[i]] == test_value[i]);
constraint forall(t in STEPS, e in EFFECTS)(
  happens[t, e] <-> action[t] == effect_action[e]
    /\\ forall(c in ends[e - 1] + 1..ends[e])(state[t - 1, condition_variable[c]] == condition_value[c]));
constraint forall(t in STEPS, e in EFFECTS)(happens[t, e] -> state[t, effect_variable[e]] == effect_value[e]);
constraint forall(t in STEPS, v in VARIABLES)(
  state[t, v] == state[t - 1, v] \\/ exists(e in EFFECTS where effect_variable[e] == v)(happens[t, e]));

var int: total = sum(t in STEPS)(cost[action[t]]);
solve minimize total;
output ["(" ++ name[fix(action[t])] ++ ")\\n" | t in STEPS where fix(action[t]) > 0] ++ ["; cost \\(total)\\n"];
"""


def minizinc(wanted: ExportWanted) -> Exported:
    horizon = wanted.horizon("a model")
    made = planning_of(wanted.bench)
    level = f"{wanted.puzzle.name} {wanted.puzzle.level}".strip()
    about = f"{level}: the cheapest plan of at most {horizon} steps"
    sizes = f"{len(made.variables):,} variables, {len(made.actions):,} actions"
    return Exported(minizinc_text(made, horizon, about), f"a model in MiniZinc with {sizes} at each of {horizon} steps")


def minizinc_text(made: Planning, horizon: int, about: str) -> str:
    """One file, its data first. The steps that only say that the goal holds are more than the horizon has."""
    return "\n".join([f"% {one_line(about)}", *_data(made, horizon + made.last_steps), MODEL])


def _data(made: Planning, steps: int) -> Iterator[str]:
    tests = [(number, fact) for number, action in _numbered(made) for fact in action.before.items()]
    effects = [(number, effect) for number, action in _numbered(made) for effect in action.effects]
    for number, variable in enumerate(made.variables, 1):
        values = ", ".join(f"{at}: {value}" for at, value in enumerate(variable.values))
        yield f"% variable {number}: {one_line(values)}"
    yield f"int: steps = {steps};"
    yield _array("size", [len(variable.values) for variable in made.variables])
    yield _array("start", [variable.start for variable in made.variables])
    yield from _facts("goal", made.goal)
    yield _from_0("cost", "int", [0, *(action.cost for action in made.actions)])
    yield _from_0("name", "string", ["", *(action.name for action in made.actions)])
    yield _array("test_action", [number for number, _ in tests])
    yield from _facts("test", [fact for _, fact in tests])
    yield _array("effect_action", [number for number, _ in effects])
    yield from _facts("effect", [effect.fact for _, effect in effects])
    yield from _conditions([effect for _, effect in effects])


def _numbered(made: Planning) -> Iterable[tuple[int, Action]]:
    return enumerate(made.actions, 1)


def _conditions(effects: Sequence[Effect]) -> Iterator[str]:
    """Those of all effects one after the other, and where each effect's end."""
    yield from _facts("condition", [fact for effect in effects for fact in effect.conditions])
    yield _from_0("ends", "int", list(accumulate((len(effect.conditions) for effect in effects), initial=0)))


def _facts(name: str, facts: Sequence[Fact]) -> Iterator[str]:
    yield _array(f"{name}_variable", [variable + 1 for variable, _ in facts])
    yield _array(f"{name}_value", [value for _, value in facts])


def _array(name: str, values: Sequence[int]) -> str:
    return f"array[int] of int: {name} = {json.dumps(values)};"


def _from_0(name: str, kind: str, values: Sequence[int | str]) -> str:
    return f"array[0..{len(values) - 1}] of {kind}: {name} = array1d(0..{len(values) - 1}, {_list(values)});"


def _list(values: Sequence[int | str]) -> str:
    return json.dumps(values, ensure_ascii=False)
