"""What a level claims, decided by all who can: the quick prover, CP-SAT, and a walk through the first states.

The prover of path one and CP-SAT speak about all states that satisfy the proven invariants; a counterexample of theirs
may be out of reach, so it refutes nothing. The walk speaks about reachable states: it refutes, and where it has seen
all of them it proves. Each opinion is remembered under its own name; opinions that contradict each other are a
disagreement. Every counterexample is judged by the referee, on the ungrounded puzzle, before anybody sees it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

from models.claims import DEAD
from models.decoding import bindings_of, left_aside, state_of, step_of
from models.errors import Diagnostic
from models.frozen import frozen
from models.interpreter import UNDEFINED, State, evaluate, holds, scope
from models.outcomes import Deadline, Operator, Outcome, Unsupported
from models.plan import step_json
from models.puzzle import Declared as Stated
from models.puzzle import Parameter
from models.referee import Refusal, apply, costs, is_goal, label, replay, start_state
from models.task import Heuristic, Invariant
from models.task import State as Numbers
from models.terms import Term, cases, const, value_in
from models.values import plain
from puzzlewright.pictures.scene import scene
from puzzlewright.pictures.text import draw
from puzzlewright.report import Payload, Report
from puzzlewright.solving.opinions import BEYOND, how_broken

if TYPE_CHECKING:
    from encoders.induction import Decision, Prover
    from models.claims import Verdict
    from puzzlewright.solving.workbench import Workbench

SECONDS = 20.0  # of CP-SAT for a claim that is open
SECOND_OPINION = 2.0  # for one that is proven already
MOST_STATES, MOST_EDGES, WALK_SECONDS = 20_000, 200_000, 2.0
ACTIONS_SECONDS = 5.0  # for all questions about the actions of a level
Place = tuple[int, int]  # a schema and a row of it


@frozen(eq=True)
class Finding:
    """What is known about one claim."""

    name: str  # heuristic NAME, invariant NAME
    verdict: Verdict
    example: dict[str, Any] | None = None  # a counterexample, as `--json` prints it
    disagreement: str = ""


@frozen(eq=True)
class Checked(Payload):
    """What `check` has found against the claims: a state, an action, their boards, as `--json` prints them."""

    counterexamples: tuple[dict[str, Any], ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"counterexamples": list(self.counterexamples)} if self.counterexamples else {}

    def headline(self, report: Report) -> str:
        return {
            Outcome.VALID: f"{report.puzzle} is in order",
            Outcome.REFUTED: f"{report.puzzle} claims what is false",
            Outcome.UNPROVEN: f"{report.puzzle} is in order, but not all that it claims is proven",
        }.get(report.outcome, "")

    def as_text(self, report: Report) -> Iterator[str]:
        if self.counterexamples:
            yield ""
        for example in self.counterexamples:
            yield from _in_words(example)


def _in_words(example: Mapping[str, Any]) -> Iterator[str]:
    """The board, the action and the board after it, with the value of what is claimed beside them."""
    level = f" on {example['level']}" if example["level"] else ""
    place = "in a reachable state" if example["reachable"] else "in a state that may be out of reach"
    yield f"{example['claim']}{level}, {place}:"
    yield ""
    value = f": its value is {example['value_before']}" if "value_before" in example else ""
    yield from _frame(("a goal" if "action" not in example else "before") + value, example["board"])
    if "board_after" in example:
        costs = ", ".join(f"{name} {cost}" for name, cost in example["costs"].items())
        value = f": its value is {example['value_after']}" if "value_after" in example else ""
        yield from _frame(f"{example['label']} ({costs}){value}", example["board_after"])
    elif "refused" in example:
        yield from _frame(f"{example['label']}: {example['refused']}", ())


def _frame(head: str, lines: Iterable[str]) -> Iterator[str]:
    yield head
    yield from (f"  {line}" for line in lines)
    yield ""


@frozen(eq=True)
class Walk:
    """The first reachable states, breadth first, and the edges out of those that were expanded."""

    states: list[int]
    edges: list[tuple[int, int, int, int]]  # state, action, cost, state after
    complete: bool  # these are all the reachable states
    parents: list[tuple[int, int]]  # of each state: the one that led to it first, and by which action

    def leading_to(self, is_goal: Callable[[int], bool]) -> set[int]:
        """The numbers of the states from which these edges lead to such a state, or that are one."""
        before: dict[int, list[int]] = {}
        for one, _, _, other in self.edges:
            before.setdefault(other, []).append(one)
        waiting = [number for number, state in enumerate(self.states) if is_goal(state)]
        found = set(waiting)
        for number in waiting:
            new = set(before.get(number, ())) - found
            found |= new
            waiting += new
        return found

    def way(self, number: int) -> list[int]:
        """The actions that lead to a state."""
        found = []
        while number:
            number, action = self.parents[number]
            found.append(action)
        return found[::-1]


@frozen(eq=True)
class Idle:
    """The choices of an action's parameters with which it applies in no state that can be reached."""

    never: int
    whole: int  # all choices there are: the product of what the parameters may be
    exact: bool  # else there may be more of them

    def __str__(self) -> str:
        return f"{'' if self.exact else 'at least '}{self.never:,} of {self.whole:,}"


class Claims:
    """The claims of one level under one metric."""

    def __init__(self, bench: Workbench) -> None:
        self.bench, self.puzzle, self.task = bench, bench.puzzle, bench.task
        self.stated = {f"heuristic {d.name}": d for d in self.puzzle.heuristics}
        self.stated |= {f"invariant {d.name}": d for d in self.puzzle.invariants}
        self.kept: list[Invariant] = []  # those that are proven

    def findings(self, wanted: Callable[[str], bool] = lambda name: True) -> Iterator[Finding]:
        """On every invariant, each given those proven before, then on every heuristic.

        The task lacks claims that read what plays no part in it: of them those that are wanted come last.
        """
        prover, quick = self.bench.proofs.as_far_as_possible()
        estimates = {each.name: prover.heuristic(each) for each in self.task.heuristics}  # before others take the time
        dead = None if self.task.dead is None else prover.dead()
        for invariant in self.task.invariants:
            found = self._finding(f"invariant {invariant.name}", invariant, quick[invariant.name])
            if found.verdict.proven:
                self.kept.append(invariant)
            yield found
        for heuristic in self.task.heuristics:
            yield self._finding(f"heuristic {heuristic.name}", heuristic, estimates[heuristic.name])
        if dead is not None:
            yield self._dead(dead)
        known = {f"invariant {each.name}" for each in self.task.invariants}
        known |= {f"heuristic {each.name}" for each in self.task.heuristics}
        left = [name for name in self.stated if name not in known and wanted(name)]
        if left:
            yield from (found for found in Claims(self.bench.keeping_all()).findings() if found.name in left)

    def _finding(self, name: str, declared: Heuristic | Invariant, quick: Verdict) -> Finding:
        if self.bench.deadline.left == 0:
            return Finding(name, quick)
        walked = self.bench.proofs.opinion(self.bench.proofs.walked(declared), 0, lambda: self._by_walk(declared))
        seconds = SECONDS if quick.status == walked.status == "unknown" else SECOND_OPINION
        solver = self.bench.proofs.by_cpsat(declared, self.bench.deadline.within(seconds).left or 0, self.kept)
        told = [self._seen(name, opinion) for opinion in (solver, walked)]
        verdict, contradiction = combined(quick, told[0].verdict, told[1].verdict)
        example = next((each.example for each in reversed(told) if each.verdict is verdict), None)
        return Finding(name, verdict, example, contradiction or told[0].disagreement or told[1].disagreement)

    def _seen(self, name: str, opinion: Verdict) -> Finding:
        """An opinion whose counterexample, if there is one, the referee sees as one."""
        if opinion.state is None:
            return Finding(name, opinion)
        example = self.example(name, opinion.state, opinion.operator)
        if self._fails(name.startswith("heuristic "), example):
            return Finding(name, opinion, example)
        return Finding(name, opinion, example, "the referee does not see a counterexample as one")

    # -- dead states ---------------------------------------------------------------------------------------------------

    def _dead(self, quick: Verdict) -> Finding:
        """On the claim that no goal can be reached where `dead` holds."""
        walked = self._dead_by_walk()
        seconds = SECONDS if quick.status == walked.status == "unknown" else SECOND_OPINION
        solver = self.bench.proofs.dead_by_cpsat(self.bench.deadline.within(seconds).left or 0, self.kept)
        verdict, contradiction = combined(quick, solver, walked)
        example = None if verdict.state is None else self.example(DEAD, verdict.state, verdict.operator)
        if solver.state is not None and not self._is_way_out(solver.state, solver.operator):
            contradiction = contradiction or "the referee does not see a counterexample as one"
        return Finding(DEAD, verdict, example, contradiction)

    def _is_way_out(self, numbers: Numbers, operator: Operator) -> bool:
        """By the referee: is the state dead, and a goal, or does the step lead to one that is not dead?"""
        state = {**start_state(self.puzzle), **state_of(self.puzzle, self.task, numbers)}
        if not operator:
            return self._is_dead(state) and is_goal(self.puzzle, state)
        try:
            return self._is_dead(state) and not self._is_dead(apply(self.puzzle, state, step_of(self.task, operator)))
        except Refusal:
            return False

    def _is_dead(self, state: State) -> bool:
        return any(holds(condition.expression, scope(state)) for condition in self.puzzle.dead)

    def _dead_by_walk(self) -> Verdict:
        """`refuted`: a goal can be reached from a reachable dead state; `proven`: from none, and these are all."""
        from models.claims import Verdict

        assert self.task.dead is not None
        try:
            machine, walk = self.bench.machine(), self.walk
            is_dead = machine.evaluate(self.task.dead)
        except Unsupported as limit:
            return Verdict("unknown", str(limit), 0)
        alive = walk.leading_to(machine.is_goal)
        dead = [number for number, state in enumerate(walk.states) if is_dead(state)]
        found = next((number for number in dead if number in alive), None)
        if found is not None:
            reason = "a goal can be reached from a reachable state where it holds"
            return Verdict("refuted", reason, 0, machine.layout.unpack(walk.states[found]))
        if not walk.complete:
            return Verdict("unknown", "", 0)
        where = f"it holds in {len(dead):,} of {_count(walk.states)}{left_aside(self.puzzle, self.task)}"
        return Verdict("proven", f"{where}, and no goal can be reached from there", 0)

    # -- the walk --------------------------------------------------------------------------------------------------

    @cached_property
    def walk(self) -> Walk:
        machine = self.bench.machine()
        place = {machine.initial: 0}
        states, edges, parents = [machine.initial], list[tuple[int, int, int, int]](), [(0, 0)]
        end = time.thread_time() + WALK_SECONDS  # of its own work: others that are busy here leave it the same
        for number, state in enumerate(states):
            if len(states) > MOST_STATES or len(edges) > MOST_EDGES or time.thread_time() > end:
                return Walk(states, edges, False, parents)
            for action, after, cost in machine.successors(state):
                if after not in place:
                    place[after] = len(states)
                    states.append(after)
                    parents.append((number, action))
                edges.append((number, action, cost, place[after]))
        return Walk(states, edges, True, parents)

    def _by_walk(self, declared: Heuristic | Invariant) -> Verdict:
        """`refuted`: in a reachable state; `proven`: these are all, and none breaks the claim."""
        from models.claims import Verdict
        from search.proofs.knowledge import UNDEFINED_AT_START

        started = time.monotonic()
        if isinstance(declared, Invariant) and not value_in(declared.defined, self.task.start):
            return Verdict("unknown", UNDEFINED_AT_START, 0)
        try:
            broken = self._broken(declared)
        except Unsupported as limit:
            return Verdict("unknown", str(limit), 0)
        seconds = round(time.monotonic() - started, 3)
        count = _count(self.walk.states) + left_aside(self.puzzle, self.task)
        if broken is None:
            status, reason = ("proven", f"holds in all {count}") if self.walk.complete else ("unknown", "")
            return Verdict(status, reason, seconds)  # type: ignore[arg-type]
        state, operator = broken
        if operator and isinstance(declared, Heuristic) and declared.claim.startswith("admissible"):
            reason = "it is not consistent in a reachable state; whether it is admissible is not known"
            return Verdict("unknown", reason, seconds, state, operator)
        return Verdict("refuted", f"{how_broken(declared, operator)} in a reachable state", seconds, state, operator)

    def _broken(self, declared: Heuristic | Invariant) -> tuple[Numbers, Operator] | None:
        """The first state of the walk, and the action, where the claim fails."""
        machine, walk = self.bench.machine(), self.walk
        estimate = isinstance(declared, Heuristic)
        values = list(map(machine.evaluate(traced(declared), 0 if estimate else None), walk.states))
        unpack = machine.layout.unpack
        for one, action, cost, other in walk.edges:
            if values[one] > values[other] + cost if estimate else values[one] != values[other]:
                return unpack(walk.states[one]), machine.operator(action)
        at = (n for n, value in enumerate(values) if estimate and value > 0 and machine.is_goal(walk.states[n]))
        goal = next(at, None)
        return None if goal is None else (unpack(walk.states[goal]), ())

    # -- counterexamples -------------------------------------------------------------------------------------------

    def _fails(self, estimate: bool, example: dict[str, Any]) -> bool:
        if "refused" in example:
            return False
        before, after = example["value_before"], example.get("value_after", 0)
        if not estimate:
            return bool(before != after)
        cost = self.bench.scale.combined(example["costs"]) if "costs" in example else 0
        drops = _counted_as(before) > cost + _counted_as(after)
        return bool(drops) and ("action" in example or bool(example["goal"]))

    def example(self, name: str, numbers: Numbers, operator: Operator) -> dict[str, Any]:
        """A state, what is claimed of it, the action and what it leaves: all of it by the referee.

        What plays no part is as a walk leaves it; in a state that no walk has met, as at the start.
        """
        walked = self._walked(numbers)
        before = walked or {**start_state(self.puzzle), **state_of(self.puzzle, self.task, numbers)}
        shown = scene(self.puzzle, before)
        found: dict[str, Any] = {
            "claim": name,
            "level": self.puzzle.level,
            "reachable": walked is not None,
            "state": {self.puzzle.place_names[place]: plain(value) for place, value in before.items()},
            "board": draw(shown),
            "goal": is_goal(self.puzzle, before),
        }
        stated = self.stated.get(name)
        found |= {"value_before": value_of(stated, before)} if stated else {}
        if not operator:
            return found
        step = step_of(self.task, operator)
        found |= step_json(step, self.puzzle.words) | {"label": label(self.puzzle, before, step)}
        try:
            after = apply(self.puzzle, before, step)
        except Refusal as refusal:
            return found | {"refused": refusal.reason, "conflict": refusal.conflict}
        found |= {"costs": costs(self.puzzle, before, step), "board_after": draw(scene(self.puzzle, after), shown)}
        return found | ({"value_after": value_of(stated, after)} if stated else {})

    # -- actions ---------------------------------------------------------------------------------------------------

    @cached_property
    def prover(self) -> Prover:
        from encoders.induction import Prover
        from encoders.regression import fact

        return Prover(self.task, [fact(each, self.task.start) for each in self.kept], ACTIONS_SECONDS)

    def idle_actions(self) -> dict[str, Idle]:
        """How often an action never applies, if one of its rows does not, as far as the time allows."""
        deadline = self.bench.deadline.within(ACTIONS_SECONDS)
        found: dict[str, Idle] = {}
        for number, (schema, action) in enumerate(zip(self.task.schemas, self.puzzle.actions, strict=True)):
            places = [(number, row) for row in range(len(schema.rows))]
            unused = [place for place in places if not self._used[place]]
            never = {place for place in unused if self._never_applies(place, deadline)}
            if never:
                whole = prod(map(bindings, action.parameters))
                applying = sum(self._choices(place) for place in places if place not in never)
                exact = self._complete or (len(never) == len(unused) and not (schema.choices and applying))
                found[schema.name] = Idle(whole - applying, whole, exact)
        return found

    def _never_applies(self, place: Place, deadline: Deadline) -> bool:
        """Is it known of an unused row that no reachable state uses it?"""
        return self._complete or (deadline.left != 0 and self.prover.applies(place).status == "proven")

    def _choices(self, place: Place) -> int:
        """The choices of parameters that a row stands for, as far as they are not known never to apply."""
        schema = self.task.schemas[place[0]]
        free = self._used[place] if self._complete else prod(len(choice.domain) for choice in schema.choices)
        return free * len(bindings_of(schema.rows[place[1]]))

    @cached_property
    def _used(self) -> Counter[Operator]:
        """How many operators of each row the walk has used."""
        try:
            machine = self.bench.machine()
            return Counter(machine.operator(action)[:2] for action in {edge[1] for edge in self.walk.edges})
        except Unsupported:
            return Counter()

    @property
    def _complete(self) -> bool:
        try:
            return self.walk.complete
        except Unsupported:
            return False

    def clashes(self) -> Iterator[tuple[Diagnostic, dict[str, Any]]]:
        """A warning for each action that only a clash of its own effects may hold back, with such a state."""
        deadline = self.bench.deadline.within(ACTIONS_SECONDS)
        for number, schema in enumerate(self.task.schemas):
            rows = [r for r, row in enumerate(schema.rows) if any(p.lax is not None for p in row.phases)]
            answers = (self.prover.clashes((number, r)) for r in rows if deadline.left)
            found = next((answer for answer in answers if answer.status == "refuted"), None)
            if found is not None:
                yield self._clash(schema.name, found)

    def _clash(self, name: str, found: Decision) -> tuple[Diagnostic, dict[str, Any]]:
        example = self.example(f"action {name}", found.state, found.operator)
        action = next(action for action in self.puzzle.actions if action.name == name)
        message = f"two effects of `{name}` may give one variable different values; it does not apply there"
        where = "in a reachable state" if example["reachable"] else f"in a state that is {BEYOND}"
        hint = f"{example['label']}: {example.get('refused', '')} {where}; exclude it in `when`"
        return Diagnostic(message, action.location, hint, severity="warning", code="W504"), example

    def _walked(self, numbers: Numbers) -> State | None:
        """The state as the referee meets it on the way of the walk; None where the walk has not met it."""
        try:
            machine, states = self.bench.machine(), self.walk.states
        except Unsupported:
            return None
        number = next((n for n, state in enumerate(states) if machine.layout.unpack(state) == numbers), None)
        if number is None:
            return None
        plan = tuple(step_of(self.task, machine.operator(action)) for action in self.walk.way(number))
        return replay(self.puzzle, plan).states[-1]


def _count(states: Sequence[int]) -> str:
    return f"{len(states):,} reachable state" + "s" * (len(states) != 1)


def bindings(parameter: Parameter) -> int:
    """How many values a parameter has; an array's are lists of values."""
    number: int = len(parameter.type.values) ** prod(len(type_.values) for type_ in parameter.indices)
    return number


def _counted_as(estimate: object) -> int:
    """An estimate as searches take it: what is undefined, no number or negative counts as 0."""
    return max(estimate, 0) if type(estimate) is int else 0


def value_of(stated: Stated, state: Any) -> Any:
    """What is declared, as plain data; None where it is undefined."""
    value = evaluate(stated.expression, scope(state))
    return None if value is UNDEFINED else plain(value)


def traced(declared: Heuristic | Invariant) -> Term:
    """The term; where an invariant has no value, a number that is none of its values."""
    if isinstance(declared, Heuristic):
        return declared.term
    return cases([(declared.defined, declared.term)], const(declared.term.values[-1] + 1))


def combined(quick: Verdict, solver: Verdict, walked: Verdict) -> tuple[Verdict, str]:
    """One verdict of three opinions, and in what they contradict each other."""
    if walked.state is not None and (quick.proven or solver.proven):
        return walked, "proven for all states, and broken in a reachable one"
    if quick.proven and solver.state is not None:
        return solver, "proven by search, and CP-SAT has a counterexample"
    if walked.status == "refuted":
        return walked, ""
    if quick.proven or solver.proven:
        chosen = quick if quick.proven else solver
        by = "search and CP-SAT" if quick.proven and solver.proven else "CP-SAT" if solver.proven else ""
        return replace(chosen, reason=chosen.reason + (f"; proven by {by}" if by else "")), ""
    if walked.proven:
        return walked, ""
    return next((v for v in (walked, solver) if v.state is not None), quick), ""
