"""Why a level has no plan: what can never be, what blocks it, and what the puzzle would need to be solvable.

First a verdict, then reasons, the most telling first. Some hold for the puzzle as such (an invariant, values that no
action can produce), the others for the states that were looked at, which is said: all that can be reached, where they
are few enough. The changes that would help are the excuses of Göbelbecker et al. (Coming up with good excuses, 2010).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from models import parts
from models.decoding import left_aside, state_of, step_of
from models.errors import Location, PuzzleError
from models.frozen import frozen
from models.interpreter import State
from models.outcomes import Deadline, LimitReached, Limits, Operator, Outcome, Unsupported
from models.plan import Plan, Step
from models.puzzle import Action, Condition, Declared, Parameter, Puzzle
from models.referee import Refusal, Replay, label, replay, start_state
from models.referee import apply as apply_step
from models.task import Task
from models.terms import FALSE, TRUE, Term, Var, conjunction, conjuncts, leaves, substitute, value_in
from models.values import show
from puzzlewright.analysis.claims import traced, value_of
from puzzlewright.pictures.scene import scene
from puzzlewright.pictures.text import draw
from puzzlewright.report import Reason, Reasons, Report
from puzzlewright.solving.disagreement import disagreement, json_text
from puzzlewright.solving.judging import Answer, judged, reported
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import resources, solve, stoppable
from puzzlewright.solving.workbench import Workbench

MOST_STATES = 200_000  # looked at, where the user sets no limit
TRIED_STATES = 500_000  # expanded for one change of the puzzle
TRIED_SECONDS = 5.0
FEW = 4  # parts that a text names
Assigned = tuple[int, int, int]  # a line of an action: their places, and that of the phase
MET = "a walk meets a goal state, though it was proven that there is no plan"
UNDECIDED = (Outcome.TIME_LIMIT, Outcome.NODE_LIMIT, Outcome.MEMORY_LIMIT)


@frozen(eq=True)
class Origin:
    """How texts call the state that everything begins in."""

    name: str
    at: str
    away: str
    onwards: str = ""  # behind what holds for all that can be reached from it, and perhaps for nothing else


START = Origin("the start", "at the start", "from the start")  # the file's
HERE = Origin("this position", "here", "from here", " from here")  # another one, that somebody looks at


class Case:
    """A level under investigation: its goal in parts, what the relaxation admits, the states that were reached."""

    def __init__(self, bench: Workbench, request: Request, text: str, origin: Origin = START) -> None:
        self.bench, self.request, self.text, self.clock = bench, request, text, bench.deadline
        self.origin = origin
        self.puzzle = puzzle = bench.puzzle
        self.reasons: list[Reason] = []
        self.notes: list[str] = []  # what was left out
        written = [part for condition in puzzle.goal for part in parts.conjuncts(condition, text)]
        opened = [part for condition in written for part in parts.instances(condition)]
        self.goal_probes = [parts.probe(puzzle, part.condition.words, [part.condition]) for part in opened]
        self.task = self.probed(self.goal_probes)
        guards = [_guard(self.task, len(puzzle.actions) + place) for place in range(len(opened))]
        kept = [place for place, guard in enumerate(guards) if guard is not TRUE]
        self.goals = [opened[place] for place in kept]
        self.certain = len(opened) - len(kept)  # parts that hold in every state
        self.terms = [guards[place] for place in kept]
        self.places = [len(puzzle.actions) + place for place in kept]  # their schemas

    def probed(self, probes: Sequence[Action]) -> Task:
        return parts.with_probes(self.puzzle, probes, self.bench.metrics, self.clock)

    def own(self, task: Task) -> Task:
        """The task with the puzzle's own actions only."""
        return replace(task, schemas=task.schemas[: len(self.puzzle.actions)])

    def probes(self, task: Task) -> Task:
        """The task with the probes only; the places of the puzzle's own actions stay, empty."""
        number = len(self.puzzle.actions)
        empty = (replace(schema, rows=()) for schema in task.schemas[:number])
        return replace(task, schemas=(*empty, *task.schemas[number:]), always=TRUE)

    @cached_property
    def relaxation(self) -> Any:
        from search.proofs.relaxation import Relaxation

        return Relaxation(self.own(self.task), self.clock.look)

    @cached_property
    def reached(self) -> Any:
        """The states, as far as limits allow; Unsupported where the puzzle cannot be compiled."""
        from search.machine import Machine
        from search.space import SearchSpace
        from search.spaces.reached import reach

        asked = self.request.limits
        limits = Limits(self.clock.share(0.5), None, asked.memory_mb)
        space = SearchSpace(Machine(self.own(self.task)), limits, on_progress=self._tell)
        return reach(space, MOST_STATES if asked.nodes is None else asked.nodes)

    def _tell(self, statistics: Any, bound: int) -> None:
        if self.request.progress is not None:
            self.request.progress(f"explain: {statistics.expanded:,} states looked at")

    @cached_property
    def holding(self) -> list[int]:
        """For each reached state the goal parts that hold, one bit each."""
        from search.spaces.reached import Probes

        bits = {place: 1 << number for number, place in enumerate(self.places)}
        probes = Probes(self.probes(self.task), self.reached.machine, self.clock.look)
        return [sum(bits.get(place, 0) for place in found) for found in probes.holding(self.reached.states)]

    @property
    def all_parts(self) -> int:
        return (1 << len(self.goals)) - 1

    @property
    def exhausted(self) -> bool:
        """Are the states that were reached all there are?"""
        try:
            return self.reached.stopped is None
        except Unsupported:
            return False

    @property
    def looked_at(self) -> int:
        """How many states were reached, if any were asked for."""
        return len(self.reached.states) if "reached" in vars(self) else 0

    @property
    def seen(self) -> str:
        """The states that a statement is about."""
        return self._of(len(self.reached.states))

    @property
    def expanded(self) -> str:
        """The states of which it is known what can be done there."""
        return self._of(self.reached.expanded)

    def _of(self, number: int) -> str:
        """The first so many states: all there are, more than that, or perhaps more."""
        aside = left_aside(self.puzzle, self.task)
        if self.exhausted and number == 1:
            return f"{self.origin.name}, the only reachable state{aside}"
        if self.exhausted:
            return f"the {number:,} states that can be reached{self.origin.onwards}{aside}"
        more = "are" if self.reached.stopped is Outcome.NODE_LIMIT or number < len(self.reached.states) else "may be"
        return f"the {number:,} state{'s' * (number != 1)} looked at (there {more} more){aside}"

    # -- words ---------------------------------------------------------------------------------------------------------

    @property
    def cost(self) -> str:
        """The cost; where a puzzle has several, the ones that are minimised."""
        return "the cost" if len(self.puzzle.metrics) == 1 else f"the cost in {', '.join(self.bench.metrics)}"

    def action(self, action: Action) -> str:
        return f"`{action.name}` ({_at(action.location)})"

    def test(self, number: int) -> tuple[Any, tuple[int, ...]] | None:
        """(variable of the task, its values with which the goal part holds), if it reads just one."""
        found = parts.test_of(self.terms[number])
        return None if found is None else (found[0].index, found[1])

    def part(self, number: int) -> str:
        """A goal part as short as it can be said."""
        found = self.test(number)
        words = ""
        if found is not None:
            words = parts.test_words(self.task.variables[found[0]], found[1], self.names(found[0]))
        return f"`{words}`" if words else self.goals[number].words

    def names(self, index: int) -> Any:
        """The words for the offsets that a variable of the task may hold."""
        name = _array(self.task.variables[index].name)
        return next(variable.type.names for variable in self.puzzle.variables if variable.name == name)

    def walked(self, number: int) -> tuple[Plan, Replay]:
        """A shortest way to a reached state, as the referee walks it."""
        plan = tuple(step_of(self.task, operator) for operator in self.reached.path(number))
        return plan, replay(self.puzzle, plan)


def _at(place: Location) -> str:
    return f"line {place.line}"


def _array(name: str) -> str:
    """The state variable that a variable of the task is an element of."""
    return name.partition("[")[0]


def _steps(number: int) -> str:
    return f"{number} step{'s' * (number != 1)}"


def _few(words: Sequence[str]) -> str:
    """The first of them, and how many more there are."""
    return ", ".join([*words[:FEW], *[f"{len(words) - FEW} more"] * (len(words) > FEW)])


def _reason(kind: str, text: str, place: Location, about: Sequence[str], board: Sequence[str] = ()) -> Reason:
    return Reason(kind, text, place.source, place.line, tuple(about), tuple(board))


def _guard(task: Task, schema: int) -> Term:
    """Where a probe without parameters applies."""
    rows = task.schemas[schema].rows
    return rows[0].guard if rows else FALSE


@stoppable("explain")
def explain(puzzle: Puzzle, request: Request, text: str = "", origin: Origin = START) -> Report:
    """The verdict, and the reasons where there is no plan; `text` is the file's, for exact places."""
    started = time.perf_counter()
    bench = Workbench(puzzle, request.metrics, request.limits.deadline())
    grounded = time.perf_counter()
    found = replace(_verdict(bench, request), command="explain").having(Reasons())
    if found.plan is None and found.outcome in (Outcome.UNSOLVABLE, *UNDECIDED):
        try:
            found = _explained(Case(bench, request, text, origin), found)
        except LimitReached:
            found = found.noting("there was no time to look for reasons")
    if found.plan is not None and found.outcome is not Outcome.DISAGREEMENT:
        found = found.noting("there is a plan, so there is nothing to explain")
    statistics = {**found.statistics, **resources(request, started, grounded)}
    return replace(found, statistics=statistics, diagnostics=puzzle.warnings)


def _explained(case: Case, found: Report) -> Report:
    """The report with its reasons, as many as were found until a limit or Ctrl-C."""
    try:
        found = _checked(case, found)
        if found.plan is None and found.outcome is not Outcome.DISAGREEMENT:
            _collect(case)
    except KeyboardInterrupt:
        case.notes.append(f"stopped by Ctrl-C; the verdict until then: {found.outcome}")
        found = replace(found, outcome=Outcome.INTERRUPTED)
    statistics = {**found.statistics, "states": case.looked_at}
    return replace(found, statistics=statistics).noting(*case.notes).having(Reasons(tuple(case.reasons)))


# -- is there a plan? --------------------------------------------------------------------------------------------------


def _verdict(bench: Workbench, request: Request) -> Report:
    """A plan, the proof that there is none, or the limit that left it open."""
    if _relaxed_away(bench.task, bench.deadline):
        made = reported(bench, request, Answer(Outcome.UNSOLVABLE, proven_by=("relaxation",)))
        return replace(made, about=replace(made.about, backend=""))
    limits = replace(request.limits, time=bench.deadline.share(0.4))
    return solve(bench.puzzle, replace(request, limits=limits), bench)


def _relaxed_away(task: Task, clock: Deadline) -> bool:
    """Can the goal's parts never hold, looked at one by one?"""
    from search.proofs.relaxation import Relaxation

    try:
        return not Relaxation(task, clock.look).can_hold_all(conjuncts(task.goal))
    except LimitReached:
        return False


def _checked(case: Case, found: Report) -> Report:
    """The verdict after a walk: it may exhaust the space, or meet a goal state."""
    try:
        goal = next((number for number, held in enumerate(case.holding) if held == case.all_parts), None)
    except (LimitReached, Unsupported):
        return found
    if goal is not None:
        operators = case.reached.path(goal)
        made = judged(case.bench, case.request, Answer(Outcome.SOLVED, "bfs", operators=operators))
        made = replace(made, command="explain").having(Reasons())
        if found.outcome is Outcome.UNSOLVABLE:
            return disagreement(found, MET, {"walk.json": json_text(made)})
        return made
    if not case.exhausted:
        return found
    proven_by = tuple(dict.fromkeys((*found.proven_by, "search")))
    return replace(found, outcome=Outcome.UNSOLVABLE, proven_by=proven_by, lower_bound=None)


# -- the reasons -------------------------------------------------------------------------------------------------------


def _collect(case: Case) -> None:
    """One stage after the other; what a limit or the compiler forbids is noted."""
    if case.looked_at and not case.exhausted:
        stopped = f"then the walk was stopped ({case.reached.stopped})"
        case.notes.append(f"the {case.looked_at:,} nearest states were looked at, {stopped}")
    late = []
    for what, stage in STAGES.items():
        if case.request.progress is not None:
            case.request.progress(f"explain: {what}")
        try:
            for reason in stage(case):
                case.reasons.append(reason)
        except LimitReached:
            late.append(what)
        except (Unsupported, PuzzleError) as reason:
            case.notes.append(f"left out: {what}: {str(reason).splitlines()[0]}")
    if late:
        case.notes.append(f"there was no time for: {'; '.join(late)}")


def _separating(case: Case) -> Iterator[Reason]:
    """A proven invariant that no goal state shares with the start."""
    name = case.bench.proofs.separating() if case.request.invariants else None
    if name is None:
        return
    declared = next(declared for declared in case.puzzle.invariants if declared.name == name)
    before = _value(declared, start_state(case.puzzle))
    at_start = f"the invariant `{name}` is {before} {case.origin.at}"
    text = f"{at_start} and {_at_goal(case, declared)} in every goal state, and it is proven that no action changes it"
    yield _reason("separating-invariant", text, declared.location, [name])


def _at_goal(case: Case, declared: Declared) -> str:
    """What an invariant is in all goal states: the goal fixes its term, and perhaps not whether it has a value."""
    from search.proofs.transitions import fixed_by

    task = case.bench.task
    fixed = fixed_by(conjuncts(task.goal))
    defined = substitute(next(each.defined for each in task.invariants if each.name == declared.name), fixed)
    if defined is not TRUE:
        return "undefined" if defined is FALSE else "another or undefined"
    known = {leaf.index: value.values[0] for leaf, value in fixed.items() if isinstance(leaf, Var)}
    numbers = tuple(known.get(index, variable.start) for index, variable in enumerate(task.variables))
    return _value(declared, {**start_state(case.puzzle), **state_of(case.puzzle, task, numbers)})


def _value(declared: Declared, state: State) -> str:
    """A declared value in a state, as the referee sees it."""
    value = value_of(declared, state)
    return "undefined" if value is None else show(value)


def _broken(case: Case) -> Iterator[Reason]:
    """Invariants of the file that an action does change: the claim is wrong, or the action is.

    The file claims it from its own start on, and only of what is defined there.
    """
    if case.origin is not START:
        return
    task = case.own(case.task)
    for invariant in (each for each in task.invariants if value_in(each.defined, task.start)):
        value = case.reached.machine.evaluate(traced(invariant))
        before = value(case.reached.states[0])
        for number, state in enumerate(case.reached.states):
            if number % 1024 == 0:
                case.clock.look()
            if value(state) != before:
                yield _break(case, invariant.name, number)
                break


def _break(case: Case, name: str, number: int) -> Reason:
    declared = next(declared for declared in case.puzzle.invariants if declared.name == name)
    plan, walked = case.walked(number)
    action = next(action for action in case.puzzle.actions if action.name == plan[-1].action)
    old, new = (_value(declared, walked.states[place]) for place in (0, -1))
    shown = label(case.puzzle, walked.states[len(plan) - 1], plan[-1])
    what = f"`{action.name}` changes what should never change: `{name}` ({_at(declared.location)})"
    text = f"{what} is {old} at the start and {new} after step {len(plan)}, {shown!r}"
    board = draw(scene(case.puzzle, walked.states[-1]))
    return _reason("broken-invariant", text, action.location, [name, action.name], board)


def _impossible_parts(case: Case) -> Iterator[Reason]:
    """Goal parts that no action can make true, whatever else happens; those of one line are told together."""
    impossible = [n for n, term in enumerate(case.terms) if not case.relaxation.can_hold(term)]
    for group in _by_line(case, impossible):
        also = f"; nor can these ever hold: {_few([case.part(number) for number in group[1:]])}" if group[1:] else ""
        text = f"the goal needs {case.part(group[0])}, but {_why(case, group[0])}{also}"
        yield _part_reason(case, "impossible-goal", text, group)


def _part_reason(case: Case, kind: str, text: str, numbers: Sequence[int]) -> Reason:
    place = case.goals[numbers[0]].condition.location
    return _reason(kind, text, place, [case.part(number).replace("`", "") for number in numbers])


def _by_line(case: Case, numbers: Sequence[int]) -> list[list[int]]:
    groups: dict[tuple[int, str], list[int]] = {}
    for number in numbers:
        condition = case.goals[number].condition
        groups.setdefault((condition.location.line, condition.words), []).append(number)
    return list(groups.values())


def _why(case: Case, number: int) -> str:
    """Why a goal part can never hold."""
    at = case.origin.at
    if case.terms[number] is FALSE:
        return f"that is false in every state; {at} {_failing(case, number)}"
    found = case.test(number)
    if found is None:
        return f"no values that its variables can ever have make that true; {at} {_failing(case, number)}"
    index, allowed = found
    variable, names = case.task.variables[index], case.names(index)
    start = show(variable.domain[variable.start], names)
    leaf = case.relaxation.leaves[index]
    writers = dict.fromkeys(place[0] for place, row in case.relaxation.rows.items() if leaf in row.after)
    if not writers:
        return f"{variable.name} is {start} {at}, and no action can ever change it{case.origin.onwards}"
    by = ", ".join(case.action(case.puzzle.actions[place]) for place in writers)
    ever = parts.listed([variable.domain[place] for place in sorted(case.relaxation.values[index])], names)
    wanted = f"{show(variable.domain[allowed[0]], names)}" if len(allowed) == 1 else "any of the values wanted"
    return f"{variable.name} is {start} {at}, and whatever {by} may do, it stays within {ever} only, never {wanted}"


def _failing(case: Case, number: int) -> str:
    """A goal part that fails at the start, with the values that it meets there: the referee's words."""
    part = case.goals[number]
    failed = replay(replace(case.puzzle, goal=(part.condition,)), ()).reason.partition(": ")[2]
    values = failed.removeprefix(part.condition.words).strip(" ()").removeprefix(part.values).removeprefix(", ")
    return f"it is {values}" if values else "it fails too"


def _frozen(case: Case) -> Iterator[Reason]:
    """Variables that actions write and never change; of an array a few elements, or all."""
    task = case.own(case.task)
    kept = case.reached.kept() if case.exhausted else {i for i, v in enumerate(case.relaxation.values) if len(v) == 1}
    written = {a.target for s in task.schemas for row in s.rows for phase in row.phases for a in phase.assignments}
    for declared in case.puzzle.variables:
        own = [i for i, variable in enumerate(task.variables) if _array(variable.name) == declared.name]
        still = [i for i in own if i in written & kept]
        if still and (len(still) <= FEW or len(still) == len(own)):
            start = {i: show(task.variables[i].domain[task.variables[i].start], declared.type.names) for i in still}
            words = [f"`{task.variables[i].name}` stays {start[i]}" for i in still]
            text = f"no action can ever change these{case.origin.onwards}, although some write them: {_few(words)}"
            yield _reason("frozen-variable", text, declared.location, [task.variables[i].name for i in still])


# -- actions -----------------------------------------------------------------------------------------------------------


def _idle_actions(case: Case, wanted: bool) -> Iterator[Reason]:
    """Actions that never apply, with the first condition that is never true.

    `wanted`: those that write what the goal reads, else the others.
    """
    possible = {place[0] for place in case.relaxation.rows}
    used = case.reached.schemas(case.reached.applied) if case.exhausted else possible
    leaf_names = (case.task.variables[leaf.index].name for leaf in leaves(*case.terms) if isinstance(leaf, Var))
    read = set(map(_array, leaf_names))
    for place, action in enumerate(case.puzzle.actions):
        written = {line.variable for phase in action.phases for line in phase.lines}
        if place not in possible & used and (not read.isdisjoint(written)) == wanted:
            case.clock.look()
            yield _idle(case, place)


def _idle(case: Case, place: int) -> Reason:
    """Which condition of an action stands in the way, as its values show it, else as the states do."""
    from search.proofs.relaxation import Relaxation
    from search.spaces.reached import Probes

    action, first = case.puzzle.actions[place], len(case.puzzle.actions)
    never = f"never applies{case.origin.onwards}"
    nobody = next((parameter.name for parameter in action.parameters if _without_values(parameter)), None)
    if nobody is not None:
        text = f"`{action.name}` has no instance at all: its parameter `{nobody}` has no values"
        return _reason("idle-action", text, action.location, [action.name])
    when = [part for condition in action.when for part in parts.conjuncts(condition, case.text)]
    prefixes = [when[: number + 1] for number in range(len(when))] or [[]]
    probes = [parts.probe(case.puzzle, action.name, prefix, action) for prefix in prefixes]
    task = case.probed([*probes, *case.goal_probes])
    schemas = task.schemas[first : first + len(prefixes)]
    for number, schema in enumerate(schemas):
        if not schema.rows:
            return _blocked(case, action, when, number, "has no instance at all", "in every state, for all parameters")
    relaxed = Relaxation(case.own(task), case.clock.look)
    for number, schema in enumerate(schemas):
        if not any(relaxed.can_hold(row.guard) for row in schema.rows):
            return _blocked(case, action, when, number, never, "whatever the actions do")
    if task.variables != case.task.variables or not case.exhausted:
        return _reason("idle-action", f"`{action.name}` {never}", action.location, [action.name])
    found = Probes(case.probes(task), case.reached.machine, case.clock.look).first(case.reached.states)
    for number in range(len(prefixes)):
        if first + number not in found:
            return _blocked(case, action, when, number, never, f"in {case.seen}")
    return _refused(case, action, task, *found[first + len(prefixes) - 1])


def _without_values(parameter: Parameter) -> bool:
    return not parameter.type.values and all(type_.values for type_ in parameter.indices)


def _blocked(case: Case, action: Action, when: Sequence[Condition], number: int, what: str, where: str) -> Reason:
    condition, before = when[number], [f"`{earlier.words}`" for earlier in when[:number]]
    given = "" if not before else f"given {' and '.join(before) if number <= 2 else 'what stands before it'}, "
    said = f", that is: {condition.otherwise}" if condition.otherwise else ""
    text = f"{case.action(action)} {what}: {given}`{condition.words}` is false {where}{said}"
    return _reason("idle-action", text, condition.location, [action.name, condition.words])


def _refused(case: Case, action: Action, task: Task, number: int, operator: Operator) -> Reason:
    """Its `when` holds somewhere, and still it does not apply: the referee says why."""
    plan, walked = case.walked(number)
    step = Step(action.name, step_of(task, operator).arguments)
    text = f"{case.action(action)} never applies{case.origin.onwards}, although its conditions can hold"
    place = action.location
    try:
        apply_step(case.puzzle, walked.states[-1], step)
    except Refusal as refusal:
        when = f"after {_steps(len(plan))}" if plan else case.origin.at
        place = refusal.location or place
        text = f"{text}: {when}, {label(case.puzzle, walked.states[-1], step)!r} is refused, because {refusal.reason}"
    return _reason("idle-action", text, place, [action.name])


def _vain_actions(case: Case) -> Iterator[Reason]:
    """Actions that apply and leave every state as it is."""
    moving = case.reached.schemas(case.reached.changing)
    for place in sorted(case.reached.schemas(case.reached.applied) - moving):
        action = case.puzzle.actions[place]
        nothing = f"changes nothing that matters to what can be done, to the goal or to {case.cost}"
        text = f"`{action.name}` applies, but {nothing} in {case.expanded}"
        yield _reason("vain-action", text, action.location, [action.name])


def _vain_lines(case: Case) -> Iterator[Reason]:
    """Assignments without which the actions would do the very same; told apart: each of them, or all together."""
    written = [(place, phase, line) for place, action in enumerate(case.puzzle.actions)
               for phase, lines in enumerate(action.phases) for line in range(len(lines.lines))]  # fmt: skip
    vain = [found for found, needless in zip(written, _needless(case, [{each} for each in written]), strict=True)
            if needless]  # fmt: skip
    if not vain:
        return
    places = {place for place, _, _ in vain}
    together = all(_needless(case, [{each for each in vain if each[0] == place} for place in places]))
    lines = [case.puzzle.actions[place].phases[phase].lines[line] for place, phase, line in vain]
    words = [f"`{line.words}` ({_at(line.location)})" for line in lines]
    these = "these" if together else "each of these alone"
    nothing = f"which matters neither to what can be done nor to the goal nor to {case.cost}"
    text = f"in this level {these} may go, {nothing}: {_few(words)}"
    yield _reason("vain-effect", text, lines[0].location, [line.words for line in lines])


def _needless(case: Case, choices: Sequence[set[Assigned]]) -> list[bool]:
    """For each set of lines of one action: does it do what it did, wherever it did anything, without them all?"""
    if not choices:
        return []
    case.clock.look()
    places = [next(iter(lines))[0] for lines in choices]
    shorter = [_without(case.puzzle.actions[place], lines) for place, lines in zip(places, choices, strict=True)]
    task = case.probed([*shorter, *case.goal_probes])
    pairs = zip(places, task.schemas[len(case.puzzle.actions) :], strict=False)
    return [bool(task.schemas[place].rows) and task.schemas[place].rows == schema.rows for place, schema in pairs]


def _without(action: Action, lines: set[Assigned]) -> Action:
    phases = [[line for number, line in enumerate(phase.lines) if (where, number) not in {each[1:] for each in lines}]
              for where, phase in enumerate(action.phases)]  # fmt: skip
    pairs = zip(action.phases, phases, strict=True)
    return replace(action, phases=tuple(replace(phase, lines=tuple(kept)) for phase, kept in pairs))


# -- the goal in the states that were reached --------------------------------------------------------------------------


def _missed_parts(case: Case) -> Iterator[Reason]:
    """Goal parts that hold in none of the states, though single values do not forbid it."""
    if len(case.goals) == 1:
        return  # that is the verdict once more
    ever = 0
    for held in case.holding:
        ever |= held
    missed = [n for n, term in enumerate(case.terms) if not ever >> n & 1 and case.relaxation.can_hold(term)]
    for group in _by_line(case, missed):
        more = f", nor do {len(group) - 1} more part{'s' * (len(group) > 2)} of this goal" if len(group) > 1 else ""
        text = f"the goal part {case.part(group[0])} never holds in {case.seen}{more}"
        yield _part_reason(case, "missed-goal", text, group)


def _conflict(case: Case) -> Iterator[Reason]:
    """Goal parts that hold one by one and never together: as few as that takes."""
    alone = [n for n, term in enumerate(case.terms) if term is not FALSE]
    if conjunction(case.terms[n] for n in alone) is FALSE:
        least = shrunk(alone, lambda kept: conjunction(case.terms[n] for n in kept) is FALSE)
        yield _together(case, least, "contradict each other in every state")
        return
    if not case.exhausted:
        return
    masks = list(dict.fromkeys(case.holding))
    reachable = [n for n in range(len(case.goals)) if any(mask >> n & 1 for mask in masks)]
    wanted = sum(1 << n for n in reachable)
    if len(reachable) < 2 or any(mask & wanted == wanted for mask in masks):
        return
    least = shrunk(reachable, lambda kept: _never(masks, sum(1 << n for n in kept), case.clock.look))
    yield _together(case, least, f"hold one by one, but never together in {case.seen}")


def _never(masks: Sequence[int], wanted: int, look: Callable[[], None]) -> bool:
    look()
    return all(mask & wanted != wanted for mask in masks)


def shrunk(numbers: Sequence[int], fails: Callable[[list[int]], bool]) -> list[int]:
    """A part of the numbers that still fails, and no longer does without any one of them.

    The deletion filter of Chinneck and Dravnieks (1991): each one is left out for good if the rest still fails.
    """
    kept = list(numbers)
    for number in numbers:
        fewer = [other for other in kept if other != number]
        if fails(fewer):
            kept = fewer
    return kept


def _together(case: Case, numbers: Sequence[int], what: str) -> Reason:
    return _part_reason(case, "conflicting-goals", f"these goal parts {what}: {_several(case, numbers)}", numbers)


def _several(case: Case, numbers: Sequence[int]) -> str:
    """A few goal parts by name, with the lines that they stand in."""
    lines = sorted({case.goals[number].condition.location.line for number in numbers})
    where = f"line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}"
    return f"{_few([case.part(number) for number in numbers])} ({where})"


def _stuck(case: Case) -> Iterator[Reason]:
    """States in which nothing can be done any more."""
    if not case.reached.stuck:
        return
    number = case.reached.stuck[0]
    _, walked = case.walked(number)
    share = f"{len(case.reached.stuck):,} of {case.expanded}"
    text = f"no action applies in {share}, first after {_steps(len(walked.states) - 1)}"
    board = draw(scene(case.puzzle, walked.states[-1]))
    yield Reason("stuck", text if number else f"no action applies {case.origin.at}", board=tuple(board))


def _nearest(case: Case) -> Iterator[Reason]:
    """The state in which most goal parts hold, the first one reached of several."""
    number = max(range(len(case.holding)), key=lambda place: (case.holding[place].bit_count(), -place))
    held = case.holding[number]
    if not held:
        return
    missing = [n for n in range(len(case.goals)) if not held >> n & 1]
    _, walked = case.walked(number)
    steps = len(walked.states) - 1
    where = f"the first state with so many, {_steps(steps)} {case.origin.away}," if steps else case.origin.name
    most, whole = held.bit_count() + case.certain, len(case.goals) + case.certain
    said = f"no more than {most} of {whole} goal parts hold together in {case.seen}"
    text = f"{said}: {where} lacks {_several(case, missing)}"
    board = draw(scene(case.puzzle, walked.states[-1]))
    yield replace(_part_reason(case, "nearest", text, missing), board=tuple(board))


# -- what if -----------------------------------------------------------------------------------------------------------


def _droppable(case: Case) -> Iterator[Reason]:
    """Single conditions without which there is a plan."""
    longest, undecided = 0.0, list[str]()
    for words, place, puzzle in _variants(case):
        case.clock.look()
        left, began = case.clock.left, time.monotonic()
        found = None if left is not None and left < 2 * longest else _attempt(case, puzzle, left)
        longest = max(longest, time.monotonic() - began)
        if found is None:
            undecided.append(f"`{words}` ({_at(place)})")
        elif found.plan is not None:
            yield _reason("droppable", f"without `{words}` {_solvable(case, len(found.plan))}", place, [words])
    yield from _droppable_parts(case)
    if undecided:
        case.notes.append(f"not found out: whether there is a plan without {', '.join(undecided)}")


def _solvable(case: Case, steps: int) -> str:
    if not steps:
        return f"{case.origin.name} would be a goal state"
    return f"there is a plan of {_steps(steps)}{case.origin.onwards}"


def _variants(case: Case) -> Iterator[tuple[str, Location, Puzzle]]:
    """Each conjunct of `always` and of a `when`, with the puzzle that lacks it."""
    puzzle = case.puzzle
    always = [part for condition in puzzle.always for part in parts.conjuncts(condition, case.text)]
    for number, condition in enumerate(always):
        yield condition.words, condition.location, replace(puzzle, always=(*always[:number], *always[number + 1 :]))
    for place, action in enumerate(puzzle.actions):
        when = [part for condition in action.when for part in parts.conjuncts(condition, case.text)]
        for number, condition in enumerate(when):
            changed = replace(action, when=(*when[:number], *when[number + 1 :]))
            actions = (*puzzle.actions[:place], changed, *puzzle.actions[place + 1 :])
            yield condition.words, condition.location, replace(puzzle, actions=actions)


def _attempt(case: Case, puzzle: Puzzle, left: float | None) -> Report | None:
    """The answer for a changed puzzle; None where it is not found."""
    seconds = TRIED_SECONDS if left is None else min(TRIED_SECONDS, left)
    limits = Limits(seconds, TRIED_STATES, case.request.limits.memory_mb)
    changed = replace(puzzle, fingerprint="", invariants=(), heuristics=())
    try:
        found = solve(changed, Request("bfs", limits=limits, invariants=False, symmetry=case.request.symmetry))
    except PuzzleError:
        return None
    if found.outcome is Outcome.INTERRUPTED:
        raise KeyboardInterrupt
    return found if found.outcome in (Outcome.OPTIMAL, Outcome.SOLVED, Outcome.UNSOLVABLE) else None


def _droppable_parts(case: Case) -> Iterator[Reason]:
    """Goal parts without which the goal is reached: the states that have been walked through tell."""
    if len(case.goals) == 1:
        return
    for number in range(len(case.goals)):
        rest = case.all_parts & ~(1 << number)
        state = next((place for place, held in enumerate(case.holding) if held & rest == rest), None)
        if state is not None:
            text = f"without the goal part {case.part(number)} {_solvable(case, len(case.reached.path(state)))}"
            yield _part_reason(case, "droppable", text, [number])


STAGES: dict[str, Callable[[Case], Iterator[Reason]]] = {
    "invariants that separate start and goal": _separating,
    "invariants that actions break": _broken,
    "actions for the goal that never apply": partial(_idle_actions, wanted=True),
    "actions that change nothing": _vain_actions,
    "goal parts that no action can make true": _impossible_parts,
    "variables that never change": _frozen,
    "goal parts that hold in no state": _missed_parts,
    "goal parts that exclude each other": _conflict,
    "conditions without which there is a plan": _droppable,
    "other actions that never apply": partial(_idle_actions, wanted=False),
    "assignments that change nothing": _vain_lines,
    "states in which nothing applies": _stuck,
    "the state nearest to the goal": _nearest,
}
