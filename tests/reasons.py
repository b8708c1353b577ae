"""What `explain` says, held against the truth: every sentence that it has, and a judge for each.

`SENTENCES` has them all, with pieces in braces (`PIECES`). `wrong(told, reason)` is empty where a reason is true of a
puzzle, else it says what is not. The truth is the referee's (`truth.py`); of the product only `models.parts` is used,
which takes conditions apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from truth import Edge, Metrics, Truth, truth_of

from models import parts
from models.interpreter import UNDEFINED, State, evaluate, holds, scope
from models.plan import Step
from models.puzzle import Action, Condition, Puzzle, PuzzlePhase
from models.referee import Refusal, apply, bindings_of, is_goal, label
from models.values import show
from puzzlewright.report import Reason

MOST_STATES = 300
MOST_PRODUCT = 5000  # states of all values, reachable or not


@dataclass(frozen=True)
class Told:
    """A puzzle with what is true of it, from its start on."""

    puzzle: Puzzle
    text: str
    truth: Truth
    metrics: Metrics

    @cached_property
    def everything(self) -> list[State]:
        """All states that there are, reachable or not; none where they are too many."""
        types = {variable.name: variable.type for variable in self.puzzle.variables}
        places = list(self.truth.states[0])
        size = 1
        for place in places:
            size *= len(types[place[0]].values)
            if size > MOST_PRODUCT:
                return []
        return [dict(zip(places, values, strict=True)) for values in product(*(types[p[0]].values for p in places))]

    @cached_property
    def goals(self) -> list[parts.Part]:
        written = [part for whole in self.puzzle.goal for part in parts.conjuncts(whole, self.text)]
        return [part for whole in written for part in parts.instances(whole)]

    def part(self, words: str) -> Callable[[State], bool]:
        """The part of the goal that a text calls so, with quotes or without; LookupError where there is none."""
        plain = words.replace("`", "")
        named = [part for part in self.goals if part.words.replace("`", "") == plain]
        return (lambda state: any(held(part, state) for part in named)) if named else self._test(plain)

    def _test(self, words: str) -> Callable[[State], bool]:
        """A test of one variable: `x`, `not x`, `x == 1`, `x != 1`, `x in [1, 2]`."""
        types = {variable.name: variable.type for variable in self.puzzle.variables}
        for place in self.truth.states[0]:
            name, names = re.escape(self.puzzle.place_names[place]), types[place[0]].names
            found = re.fullmatch(rf"(not )?{name}(?: (==|!=|in) (.+))?", words)
            if found is None:
                continue
            opposite, sign, values = found.groups()
            if sign is None:
                return lambda state: state[place] is (opposite is None)
            wanted = listed(values) if sign == "in" else [values]
            return lambda state: (show(state[place], names) in wanted) is (sign != "!=")
        raise LookupError(words)

    def ever(self, words: str) -> bool:
        """Does a part of the goal hold in a state that can be reached?"""
        return any(map(self.part(words), self.truth.states))

    def action(self, name: str) -> Action:
        return next(action for action in self.puzzle.actions if action.name == name)

    def taken(self, name: str) -> Iterator[tuple[int, Edge]]:
        return ((n, edge) for n, edges in enumerate(self.truth.edges) for edge in edges if edge.step.action == name)


def held(part: parts.Part, state: State) -> bool:
    return holds(part.condition.expression, scope(state))


def listed(text: str) -> list[str]:
    """The items of `[1, [2, 3]]`."""
    items, depth = [""], 0
    for letter in text[1:-1]:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and not depth:
            items.append("")
        else:
            items[-1] += letter
    return [item.strip() for item in items]


# -- states with the same future ---------------------------------------------------------------------------------------


def alike(one: Truth, a: int, other: Truth, b: int, metrics: Metrics) -> bool:
    """Are the same steps possible for ever, at the same costs, with goals at the same places?

    By partition refinement (Kanellakis and Smolka 1983).
    """
    states = [(one, n) for n in range(len(one.states))]
    states += [(other, n) for n in range(len(other.states))] if other is not one else []
    block = {(id(t), n): int(n in t.goals) for t, n in states}
    number = 0
    while number != len(set(block.values())):
        number = len(set(block.values()))
        signatures: dict[object, int] = {}
        new = {}
        for t, n in states:
            ways = frozenset((repr(e.step), e.price(metrics), block[id(t), e.after]) for e in t.edges[n])
            new[id(t), n] = signatures.setdefault((block[id(t), n], ways), len(signatures))
        block = new
    return block[id(one), a] == block[id(other), b]


# -- judges ------------------------------------------------------------------------------------------------------------

SEEN = (
    r"(?:the (?P<states>[\d,]+) states that can be reached(?: from here)?"
    r"|(?:the start|this position), the only reachable state"
    r"|the (?P<some>[\d,]+) states? looked at \(there (?P<more>are|may be) more\))"
    r"(?: \(leaving aside (?P<aside>[^)]+)\))?"
)
PIECES = {  # of sentences; others stand for any words
    "AT": "(?:at the start|here)",
    "AWAY": "(?:from the start|from here)",
    "ORIGIN": "(?:the start|this position)",
    "ON": "(?: from here)?",  # where the start is another one than the file's
    "SEEN": SEEN,
    "STEPS": r"(?P<steps>[\d,]+) steps?",
    "LINE": r"\(line \d+\)",
    "COST": r"the cost(?: in [\w, ]+?)?",  # in which, where there are several
    "PART": r"(?P<part>`.+?`(?: for .+?)?(?: \(part \d+ of \d+\))?)",
    "GIVEN": "(?:given .+?, )?",
    "ALSO": "(?:; nor can these ever hold: .+)?",
    "MORE": r"(?:, nor do (?P<others>\d+) more parts? of this goal)?",
    "action": "[^`]+",
    "condition": "[^`]+",
}


def pattern(sentence: str, pieces: Mapping[str, str] = PIECES) -> re.Pattern[str]:
    """The texts of a sentence with pieces in braces."""
    made = ""
    for number, part in enumerate(re.split(r"\{(\w+)\}", sentence)):
        named = pieces.get(part, ".+?")
        made += re.escape(part) if number % 2 == 0 else named if part.isupper() else f"(?P<{part}>{named})"
    return re.compile(made, re.DOTALL)


Found = dict[str, str | None]


def number(words: str | None) -> int:
    return int((words or "1").replace(",", ""))


def all_seen(told: Told, found: Found) -> str:
    """Is it right how many states there are, without the variables that are left aside?"""
    whole = counted(told.truth, found["aside"], range(len(told.truth.states)))
    if whole is None:
        return ""
    if found["some"] is not None:
        known = number(found["some"])
        return "" if known < whole or (known == whole and found["more"] == "may be") else "there are no more states"
    return "" if number(found["states"]) == whole else "the number of states"


def counted(truth: Truth, aside: str | None, numbers: Iterable[int]) -> int | None:
    """How many these states are without the variables that are left aside; None where not all of them are named."""
    names = listed(f"[{aside or ''}]")
    places = [place for place in truth.states[0] if truth.puzzle.place_names[place] not in names]
    states = {tuple(truth.states[number][place] for place in places) for number in numbers}
    return None if names[-1].endswith(" more") else len(states)


def _invariant(told: Told, found: Found) -> Callable[[State], str]:
    """The value of the invariant that a text is about."""
    declared = next(each for each in told.puzzle.invariants if each.name == found["name"])

    def value(state: State) -> str:
        known = evaluate(declared.expression, scope(state))
        return "undefined" if known is UNDEFINED else show(known)

    return value


def separating(told: Told, found: Found, reason: Reason) -> str:
    value = _invariant(told, found)
    goals = [state for state in told.everything if is_goal(told.puzzle, state)]
    if {value(state) for state in told.truth.states} != {found["before"]}:
        return "it is not the same in all states"
    there = {value(state) for state in goals}
    if found["there"] == "another or undefined":
        return "a goal state has that value" if found["before"] in there else ""
    return "" if there <= {found["there"]} else "goal states have other values"


def broken(told: Told, found: Found, reason: Reason) -> str:
    value = _invariant(told, found)
    if value(told.truth.states[0]) != found["before"] or found["before"] == "undefined":
        return "the value at the start"
    depth, states = number(found["steps"]) - 1, told.truth.states
    edges = [(n, edge) for n, edge in told.taken(str(found["action"])) if told.truth.depth[n] == depth]
    ways = [e.after for n, e in edges if repr(label(told.puzzle, states[n], e.step)) == found["label"]]
    changed = any(value(states[after]) == found["after"] != found["before"] for after in ways)
    return "" if changed else "no such step changes it so"


def impossible(told: Told, found: Found, reason: Reason) -> str:
    wrong = [f"{part} can hold" for part in (str(found["part"]), *reason.parts) if told.ever(part)]
    if "false in every state" in reason.text and any(map(told.part(str(found["part"])), told.everything)):
        wrong.append("it is true in some state")
    return "; ".join([*wrong, *_about_values(told, found)] if "place" in found else wrong)


def _about_values(told: Told, found: Found) -> Iterator[str]:
    """What is wrong about a variable that stays what it is, or within some values."""
    start = told.truth.states[0]
    place = next(place for place in start if told.puzzle.place_names[place] == found["place"])
    names = next(each.type.names for each in told.puzzle.variables if each.name == place[0])
    values = {show(state[place], names) for state in told.truth.states}
    if show(start[place], names) != found["value"]:
        yield "the value at the start"
    if "values" not in found and len(values) > 1:
        yield "it changes"
    if "values" in found and " more]" not in str(found["values"]) and not values <= set(listed(str(found["values"]))):
        yield "it has other values"
    if found.get("wanted") in values:
        yield "it has that value"


def frozen(told: Told, found: Found, reason: Reason) -> str:
    names = set(reason.parts)
    places = [place for place in told.truth.states[0] if told.puzzle.place_names[place] in names]
    moving = [told.puzzle.place_names[p] for p in places if len({show(state[p]) for state in told.truth.states}) > 1]
    return "" if len(places) == len(names) and not moving else f"{moving} change"


def idle(told: Told, found: Found, reason: Reason) -> str:
    return "it applies" if any(told.taken(str(found["action"]))) else ""


def idle_everywhere(told: Told, found: Found, reason: Reason) -> str:
    return idle(told, found, reason) or _blocked(told, found, reason, told.everything)


def idle_for(told: Told, found: Found, reason: Reason) -> str:
    return idle(told, found, reason) or _blocked(told, found, reason, told.truth.states)


def idle_in(told: Told, found: Found, reason: Reason) -> str:
    return idle_for(told, found, reason) or all_seen(told, found)


def _blocked(told: Told, found: Found, reason: Reason, states: Sequence[State]) -> str:
    """Is the condition false wherever those before it hold?"""
    action = told.action(str(found["action"]))
    when = [part for condition in action.when for part in parts.conjuncts(condition, told.text)]
    named = [n for n, part in enumerate(when) if (part.words, part.location.line) == (found["condition"], reason.line)]
    return "" if any(not _can_hold(action, when[: place + 1], states) for place in named) else "the condition can hold"


def _can_hold(action: Action, when: Sequence[Condition], states: Iterable[State]) -> bool:
    return any(
        all(holds(part.expression, scope(state, _local(action, arguments))) for part in when)
        for state in states
        for arguments in bindings_of(action.parameters)
    )


def _local(action: Action, arguments: tuple[tuple[str, object], ...]) -> dict[str, object]:
    """As the referee binds parameters: an array is a table."""
    given: dict[str, object] = dict(arguments)
    for parameter in action.parameters:
        if parameter.indices:
            indices = list(product(*(type_.values for type_ in parameter.indices)))
            given[parameter.name] = dict(zip(indices, given[parameter.name], strict=True))  # type: ignore[call-overload]
    return given


def refused(told: Told, found: Found, reason: Reason) -> str:
    """Its `when` holds in a state at that depth, and the referee refuses it with these words."""
    action, depth = told.action(str(found["action"])), number(found["steps"]) if "steps" in found else 0
    for state in (state for n, state in enumerate(told.truth.states) if told.truth.depth[n] == depth):
        for arguments in bindings_of(action.parameters):
            step = Step(action.name, arguments)
            try:
                apply(told.puzzle, state, step)
            except Refusal as refusal:
                if refusal.reason == found["because"] and repr(label(told.puzzle, state, step)) == found["label"]:
                    return idle(told, found, reason)
    return "nothing is refused so"


def vain_action(told: Told, found: Found, reason: Reason) -> str:
    edges, truth = list(told.taken(str(found["action"]))), told.truth
    if not edges:
        return "it does not apply"
    changing = any(n != e.after and not alike(truth, n, truth, e.after, told.metrics) for n, e in edges)
    return "it matters" if changing and found["some"] is None else all_seen(told, found)


def vain_together(told: Told, found: Found, reason: Reason) -> str:
    return _difference(told, set(_lines(found, reason)))


def vain_alone(told: Told, found: Found, reason: Reason) -> str:
    return "".join(_difference(told, {line}) for line in _lines(found, reason))


def _lines(found: Found, reason: Reason) -> Iterator[tuple[str, int]]:
    """The assignments that a text names, by words and line; further ones are only counted there."""
    return zip(reason.parts, map(int, re.findall(r"\(line (\d+)\)", str(found["lines"]))), strict=False)


def _difference(told: Told, gone: set[tuple[str, int]]) -> str:
    other = truth_of(without(told.puzzle, gone), MOST_STATES)
    return "" if other and alike(told.truth, 0, other, 0, told.metrics) else f"{gone} make a difference"


def without(puzzle: Puzzle, gone: set[tuple[str, int]]) -> Puzzle:
    """The puzzle without these assignments, named by words and line."""

    def shorter(phase: PuzzlePhase) -> PuzzlePhase:
        return replace(phase, lines=tuple(x for x in phase.lines if (x.words, x.location.line) not in gone))

    actions = (replace(action, phases=tuple(map(shorter, action.phases))) for action in puzzle.actions)
    return replace(puzzle, actions=tuple(actions))


def missed(told: Told, found: Found, reason: Reason) -> str:
    wrong = [part for part in reason.parts if told.ever(part) and found["some"] is None]
    others = int(found["others"] or 0)
    wrong += ["the number of parts"] * (len(reason.parts) != others + 1)
    return "; ".join([*wrong, *[all_seen(told, found)] * bool(all_seen(told, found))])


def contradicting(told: Told, found: Found, reason: Reason) -> str:
    tests = [told.part(part) for part in reason.parts]
    return "they hold together" if any(all(test(state) for test in tests) for state in told.everything) else ""


def conflict(told: Told, found: Found, reason: Reason) -> str:
    """Each alone, all but each, never all of them."""
    tests = [told.part(part) for part in reason.parts]

    def together(some: Sequence[Callable[[State], bool]]) -> bool:
        return any(all(test(state) for test in some) for state in told.truth.states)

    least = all(together([test]) and together([each for each in tests if each is not test]) for test in tests)
    return all_seen(told, found) or ("" if least and not together(tests) else "they do, or fewer do not")


def droppable(told: Told, found: Found, reason: Reason) -> str:
    steps = number(found["steps"]) if "steps" in found else 0
    for puzzle in dropped(told, str(found["condition"]), reason.line):
        truth = truth_of(puzzle, MOST_STATES)
        if truth is None or _in_steps(truth, steps, goal_of(puzzle)):
            return ""
    return "there is no such plan"


def droppable_part(told: Told, found: Found, reason: Reason) -> str:
    steps = number(found["steps"]) if "steps" in found else 0
    rests = _rests(told, reason.parts[0])
    return "" if any(_in_steps(told.truth, steps, rest) for rest in rests) else "there is no such plan"


def goal_of(puzzle: Puzzle) -> Callable[[State], bool]:
    return lambda state: is_goal(puzzle, state)


def _rests(told: Told, words: str) -> Iterator[Callable[[State], bool]]:
    """The goal without a part that the words may mean: it is called so, or holds where they say."""
    test = told.part(words)
    for gone in told.goals:
        if all(held(gone, state) == test(state) for state in told.truth.states):
            yield lambda state, gone=gone: all(held(part, state) for part in told.goals if part is not gone)


def dropped(told: Told, words: str, line: int | None) -> Iterator[Puzzle]:
    """The puzzle without a condition of `always` or a `when` that has these words and stands there."""
    puzzle = told.puzzle

    def shorter(conditions: Sequence[Condition]) -> Iterator[tuple[Condition, ...]]:
        split = [part for condition in conditions for part in parts.conjuncts(condition, told.text)]
        for n, part in enumerate(split):
            if (part.words, part.location.line) == (words, line):
                yield (*split[:n], *split[n + 1 :])

    yield from (replace(puzzle, always=fewer) for fewer in shorter(puzzle.always))
    for n, action in enumerate(puzzle.actions):
        for fewer in shorter(action.when):
            yield replace(puzzle, actions=(*puzzle.actions[:n], replace(action, when=fewer), *puzzle.actions[n + 1 :]))


def _in_steps(truth: Truth, steps: int, test: Callable[[State], bool]) -> bool:
    """Does a walk of just so many steps end in such a state?"""
    layer = {0}
    for _ in range(steps):
        layer = {edge.after for state in layer for edge in truth.edges[state]}
    return any(test(truth.states[state]) for state in layer)


def stuck_at_once(told: Told, found: Found, reason: Reason) -> str:
    return "something applies" if told.truth.edges[0] else ""


def stuck(told: Told, found: Found, reason: Reason) -> str:
    still = [n for n, edges in enumerate(told.truth.edges) if not edges]
    whole = counted(told.truth, found["aside"], still)
    if found["some"] is None and whole not in (None, number(found["count"])):
        return f"there are {whole}"
    least = min((told.truth.depth[n] for n in still), default=-1)
    return all_seen(told, found) or ("" if least == number(found["steps"]) else f"the first is after {least}")


def nearest(told: Told, found: Found, reason: Reason) -> str:
    def count(state: State) -> int:
        return sum(held(part, state) for part in told.goals)

    most, whole = max(map(count, told.truth.states)), len(told.goals)
    if found["some"] is None and (number(found["most"]), number(found["whole"])) != (most, whole):
        return f"it is {most} of {whole}"
    depth = number(found["steps"]) if "steps" in found else 0
    near = [s for n, s in enumerate(told.truth.states) if told.truth.depth[n] == depth and count(s) == most]
    tests = [told.part(part) for part in reason.parts]
    lacks = any(not any(test(s) for test in tests) and whole - most == len(tests) for s in near)
    return all_seen(told, found) or ("" if lacks or found["some"] else "no such state lacks just these")


Judge = Callable[[Told, Found, Reason], str]
OTHERWISE = re.compile(r", that is: it is \d+ long$")  # the author's words in random models, which claim nothing
SENTENCES: dict[str, list[tuple[str, Judge]]] = {
    "separating-invariant": [
        ("the invariant `{name}` is {before} {AT} and {there} in every goal state, and it is proven that no action "
         "changes it", separating),
    ],
    "broken-invariant": [
        ("`{action}` changes what should never change: `{name}` {LINE} is {before} at the start and {after} after step "
         "{steps}, {label}", broken),
    ],
    "impossible-goal": [
        ("the goal needs {PART}, but that is false in every state; {AT} it {fails}{ALSO}", impossible),
        ("the goal needs {PART}, but no values that its variables can ever have make that true; {AT} it {fails}{ALSO}",
         impossible),
        ("the goal needs {PART}, but {place} is {value} {AT}, and no action can ever change it{ON}{ALSO}", impossible),
        ("the goal needs {PART}, but {place} is {value} {AT}, and whatever {writers} may do, it stays within {values} "
         "only, never {wanted}{ALSO}", impossible),
    ],
    "frozen-variable": [("no action can ever change these{ON}, although some write them: {all}", frozen)],
    "idle-action": [
        ("`{action}` has no instance at all: its parameter `{parameter}` has no values", idle),
        ("`{action}` {LINE} has no instance at all: {GIVEN}`{condition}` is false in every state, for all parameters",
         idle_everywhere),
        ("`{action}` {LINE} never applies{ON}: {GIVEN}`{condition}` is false whatever the actions do", idle_for),
        ("`{action}` {LINE} never applies{ON}: {GIVEN}`{condition}` is false in {SEEN}", idle_in),
        ("`{action}` {LINE} never applies{ON}, although its conditions can hold: after {STEPS}, {label} is refused, "
         "because {because}", refused),
        ("`{action}` {LINE} never applies{ON}, although its conditions can hold: {AT}, {label} is refused, because "
         "{because}", refused),
        ("`{action}` never applies{ON}", idle),
    ],
    "vain-action": [
        ("`{action}` applies, but changes nothing that matters to what can be done, to the goal or to {COST} in {SEEN}",
         vain_action),
    ],
    "vain-effect": [
        ("in this level these may go, which matters neither to what can be done nor to the goal nor to {COST}: {lines}",
         vain_together),
        ("in this level each of these alone may go, which matters neither to what can be done nor to the goal nor to "
         "{COST}: {lines}", vain_alone),
    ],
    "missed-goal": [("the goal part {PART} never holds in {SEEN}{MORE}", missed)],
    "conflicting-goals": [
        ("these goal parts contradict each other in every state: {all}", contradicting),
        ("these goal parts hold one by one, but never together in {SEEN}: {all}", conflict),
    ],
    "droppable": [
        ("without the goal part {PART} there is a plan of {STEPS}{ON}", droppable_part),
        ("without the goal part {PART} {ORIGIN} would be a goal state", droppable_part),
        ("without `{condition}` there is a plan of {STEPS}{ON}", droppable),
        ("without `{condition}` {ORIGIN} would be a goal state", droppable),
    ],
    "stuck": [
        ("no action applies {AT}", stuck_at_once),
        ("no action applies in {count} of {SEEN}, first after {STEPS}", stuck),
    ],
    "nearest": [
        ("no more than {most} of {whole} goal parts hold together in {SEEN}: the first state with so many, {STEPS} "
         "{AWAY}, lacks {all}", nearest),
        ("no more than {most} of {whole} goal parts hold together in {SEEN}: {ORIGIN} lacks {all}", nearest),
    ],
}  # fmt: skip
UNKNOWN = "this is no sentence of the list"


def wrong(told: Told, reason: Reason) -> str:
    """What is not true of a reason; empty where all of it is."""
    for sentence, judge in SENTENCES[reason.kind]:
        found = pattern(sentence).fullmatch(OTHERWISE.sub("", reason.text))
        if found:
            return judge(told, found.groupdict(), reason)
    return UNKNOWN
