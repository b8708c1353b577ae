"""What a level claims, decided by all who can: the quick prover, CP-SAT, and a walk through the first states.

The prover of path one and CP-SAT speak about all states that satisfy the proven invariants; a counterexample of theirs
may be out of reach, so it refutes nothing. The walk speaks about reachable states: it refutes, and where it has seen
all of them it proves. Each opinion is remembered under its own name; opinions that contradict each other are a
disagreement. Every counterexample is judged by the referee, on the ungrounded puzzle, before anybody sees it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from models.decoding import state_of, step_of
from models.errors import Diagnostic
from models.interpreter import UNDEFINED, evaluate, scope
from models.outcomes import Operator, Unsupported
from models.plan import step_json
from models.puzzle import Declared as Stated
from models.referee import Refusal, apply, costs, is_goal, label, start_state
from models.task import Heuristic, Invariant
from models.task import State as Numbers
from models.terms import Term, cases, const, value_in
from models.values import plain
from puzzlewright.pictures.scene import scene
from puzzlewright.pictures.text import draw

if TYPE_CHECKING:
    from encoders.claims import Answer, Prover
    from puzzlewright.solving import Workbench
    from search.verdicts import Verdict

SECONDS = 20.0  # of CP-SAT for a claim that is open
SECOND_OPINION = 2.0  # for one that is proven already
MOST_STATES, MOST_EDGES, WALK_SECONDS = 20_000, 200_000, 2.0
ACTIONS_SECONDS = 5.0  # for all questions about the actions of a level
BEYOND = "perhaps out of reach: an invariant may exclude it"


@dataclass(frozen=True)
class Finding:
    """What is known about one claim."""

    name: str  # heuristic NAME, invariant NAME
    verdict: Verdict
    example: dict[str, Any] | None = None  # a counterexample, as `--json` prints it
    disagreement: str = ""


@dataclass(frozen=True)
class Walk:
    """The first reachable states, breadth first, and the edges out of those that were expanded."""

    states: list[int]
    edges: list[tuple[int, int, int, int]]  # state, action, cost, state after
    complete: bool  # these are all the reachable states


class Claims:
    """The claims of one level under one metric."""

    def __init__(self, bench: Workbench) -> None:
        self.bench, self.puzzle, self.task = bench, bench.puzzle, bench.task
        self.stated = {f"heuristic {d.name}": d for d in self.puzzle.heuristics}
        self.stated |= {f"invariant {d.name}": d for d in self.puzzle.invariants}
        self.kept: list[Invariant] = []  # those that are proven

    def findings(self) -> Iterator[Finding]:
        """On every invariant, each given those proven before, then on every heuristic."""
        from search.knowledge import learn

        quick = learn(self.task, deadline=self.bench.deadline)
        for invariant in self.task.invariants:
            found = self._finding(f"invariant {invariant.name}", invariant, quick.invariants[invariant.name])
            if found.verdict.proven:
                self.kept.append(invariant)
            yield found
        for heuristic in self.task.heuristics:
            yield self._finding(f"heuristic {heuristic.name}", heuristic, quick.heuristics[heuristic.name])

    def _finding(self, name: str, declared: Heuristic | Invariant, quick: Verdict) -> Finding:
        if self.bench.deadline.left == 0:
            return Finding(name, quick)
        walked = self.bench.opinion(self.bench.walked(declared), 0, lambda: self._by_walk(declared))
        seconds = SECONDS if quick.status == walked.status == "unknown" else SECOND_OPINION
        solver = self.bench.by_cpsat(declared, self.bench.deadline.within(seconds).left or 0, self.kept)
        told = [self._seen(name, opinion) for opinion in (solver, walked)]
        verdict, contradiction = combined(quick, told[0].verdict, told[1].verdict)
        example = next((each.example for each in reversed(told) if each.verdict is verdict), None)
        return Finding(name, verdict, example, contradiction or told[0].disagreement or told[1].disagreement)

    def _seen(self, name: str, opinion: Verdict) -> Finding:
        """An opinion whose counterexample, if there is one, the referee sees as one."""
        if opinion.state is None:
            return Finding(name, opinion)
        example = self.example(name, opinion.state, opinion.operator, self._reached(opinion.state))
        if self._fails(name.startswith("heuristic "), example):
            return Finding(name, opinion, example)
        return Finding(name, opinion, example, "the referee does not see a counterexample as one")

    # -- the walk --------------------------------------------------------------------------------------------------

    @cached_property
    def walk(self) -> Walk:
        machine = self.bench.machine()
        place = {machine.initial: 0}
        states, edges = [machine.initial], list[tuple[int, int, int, int]]()
        deadline = time.monotonic() + WALK_SECONDS
        for number, state in enumerate(states):
            if len(states) > MOST_STATES or len(edges) > MOST_EDGES or time.monotonic() > deadline:
                return Walk(states, edges, False)
            for action, after, cost in machine.successors(state):
                if after not in place:
                    place[after] = len(states)
                    states.append(after)
                edges.append((number, action, cost, place[after]))
        return Walk(states, edges, True)

    def _by_walk(self, declared: Heuristic | Invariant) -> Verdict:
        """`refuted`: in a reachable state; `proven`: these are all, and none breaks the claim."""
        from search.knowledge import UNDEFINED_AT_START
        from search.verdicts import Verdict

        started = time.monotonic()
        if isinstance(declared, Invariant) and not value_in(declared.defined, self.task.start):
            return Verdict("unknown", UNDEFINED_AT_START, 0)
        try:
            broken = self._broken(declared)
        except Unsupported as limit:
            return Verdict("unknown", str(limit), 0)
        seconds = round(time.monotonic() - started, 3)
        count = f"{len(self.walk.states):,} reachable state" + "s" * (len(self.walk.states) != 1)
        if broken is None:
            status, reason = ("proven", f"holds in all {count}") if self.walk.complete else ("unknown", "")
            return Verdict(status, reason, seconds)  # type: ignore[arg-type]
        state, operator = broken
        if operator and isinstance(declared, Heuristic) and declared.claim.startswith("admissible"):
            reason = "it is not consistent in a reachable state; whether it is admissible is not known"
            return Verdict("unknown", reason, seconds, state, operator)
        return Verdict("refuted", f"{_what(declared, operator)} in a reachable state", seconds, state, operator)

    def _broken(self, declared: Heuristic | Invariant) -> tuple[Numbers, Operator] | None:
        """The first state of the walk, and the action, where the claim fails."""
        machine, walk = self.bench.machine(), self.walk
        estimate = isinstance(declared, Heuristic)
        values = list(map(machine.evaluate(_traced(declared), 0 if estimate else None), walk.states))
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
        cost = self.bench.combined(example["costs"]) if "costs" in example else 0
        drops = max(before or 0, 0) > cost + max(after or 0, 0)  # undefined counts as 0
        return bool(drops) and ("action" in example or bool(example["goal"]))

    def example(self, name: str, numbers: Numbers, operator: Operator, reachable: bool) -> dict[str, Any]:
        """A state, what is claimed of it, the action and what it leaves: all of it by the referee."""
        before = {**start_state(self.puzzle), **state_of(self.puzzle, self.task, numbers)}
        shown = scene(self.puzzle, before)
        found: dict[str, Any] = {
            "claim": name,
            "level": self.puzzle.level,
            "reachable": reachable,
            "state": {self.puzzle.place_names[place]: plain(value) for place, value in before.items()},
            "board": draw(shown),
            "goal": is_goal(self.puzzle, before),
        }
        stated = self.stated.get(name)
        found |= {"value_before": _value(stated, before)} if stated else {}
        if not operator:
            return found
        step = step_of(self.task, operator)
        found |= step_json(step, self.puzzle.words) | {"label": label(self.puzzle, before, step)}
        try:
            after = apply(self.puzzle, before, step)
        except Refusal as refusal:
            return found | {"refused": refusal.reason, "conflict": refusal.conflict}
        found |= {"costs": costs(self.puzzle, before, step), "board_after": draw(scene(self.puzzle, after), shown)}
        return found | ({"value_after": _value(stated, after)} if stated else {})

    # -- actions ---------------------------------------------------------------------------------------------------

    @cached_property
    def prover(self) -> Prover:
        from encoders.claims import Prover
        from encoders.regression import fact

        return Prover(self.task, [fact(each, self.task.start) for each in self.kept], ACTIONS_SECONDS)

    def idle_rows(self) -> dict[str, tuple[int, int]]:
        """For each action (its rows that never apply, all its rows), as far as the time allows."""
        places = [(s, r) for s, schema in enumerate(self.task.schemas) for r in range(len(schema.rows))]
        never: list[tuple[int, int]] = []
        deadline = self.bench.deadline.within(ACTIONS_SECONDS)
        for place in places:
            if place in self._used:
                continue
            if self._complete or (deadline.left and self.prover.applies(place).status == "proven"):
                never.append(place)
        counts = {s: sum(place[0] == s for place in never) for s, _ in never}
        return {self.task.schemas[s].name: (n, len(self.task.schemas[s].rows)) for s, n in counts.items()}

    @cached_property
    def _used(self) -> set[Operator]:
        """The rows that the walk has used."""
        try:
            machine = self.bench.machine()
            return {machine.operator(action)[:2] for action in {edge[1] for edge in self.walk.edges}}
        except Unsupported:
            return set()

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

    def _clash(self, name: str, found: Answer) -> tuple[Diagnostic, dict[str, Any]]:
        reachable = self._reached(found.state)
        example = self.example(f"action {name}", found.state, found.operator, reachable)
        action = next(action for action in self.puzzle.actions if action.name == name)
        message = f"two effects of `{name}` may give one variable different values; it does not apply there"
        where = "in a reachable state" if reachable else f"in a state that is {BEYOND}"
        hint = f"{example['label']}: {example.get('refused', '')} {where}; exclude it in `when`"
        return Diagnostic(message, action.location, hint, severity="warning", code="W504"), example

    def _reached(self, state: Numbers) -> bool:
        try:
            return any(self.bench.machine().layout.unpack(known) == state for known in self.walk.states)
        except Unsupported:
            return False


def _value(stated: Stated, state: Any) -> Any:
    """What is declared, as plain data; None where it is undefined."""
    value = evaluate(stated.expression, scope(state))
    return None if value is UNDEFINED else plain(value)


def _traced(declared: Heuristic | Invariant) -> Term:
    """The term; where an invariant has no value, a number that is none of its values."""
    if isinstance(declared, Heuristic):
        return declared.term
    return cases([(declared.defined, declared.term)], const(declared.term.values[-1] + 1))


def _what(declared: Heuristic | Invariant, operator: Operator) -> str:
    if isinstance(declared, Invariant):
        return "an action changes it"
    return "an action lowers it by more than its cost" if operator else "it is more than 0 at a goal"


def ask_cpsat(prover: Prover, declared: Heuristic | Invariant) -> Verdict:
    """CP-SAT's opinion over all states; a counterexample may be out of reach, so it leaves the claim open."""
    from search.verdicts import Verdict

    started = time.monotonic()
    is_heuristic = isinstance(declared, Heuristic)
    answer = prover.heuristic(declared.term) if isinstance(declared, Heuristic) else prover.invariant(declared)
    took = round(time.monotonic() - started, 3)
    if answer.status == "proven":
        return Verdict("proven", f"{'consistent for' if is_heuristic else 'kept by'} every action", took)
    if answer.status == "refuted":
        reason = f"{_what(declared, answer.operator)} in a state that is {BEYOND}"
        return Verdict("unknown", reason, took, answer.state, answer.operator)
    return Verdict("unknown", answer.reason, took)


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
