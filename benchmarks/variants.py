"""The encoding as it is, and the same with a single thing changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import ModuleType
from typing import Any
from unittest.mock import patch

from encoders import bans, clausal, cpsat, steps, sums
from encoders.encoding import Encoding, Form, encode
from encoders.formula import Formula
from encoders.implied import Implied, implied, least_steps, worth_proving
from encoders.induction import Prover
from encoders.reachability import outline
from encoders.regression import fact
from encoders.statements import Outline, unreduced
from models.terms import Term
from puzzlewright.solving.workbench import Workbench

CLAIM_SECONDS = 20.0  # for each claim that is to be proven: what it is worth is asked, not what it costs
Changed = tuple[ModuleType, str, object]  # a module, the name of something in it, another value


class Subject:
    """A level: its task, what all horizons share, and what is proven about it."""

    def __init__(self, bench: Workbench) -> None:
        self.bench, self.task = bench, bench.task
        self.known = bench.proofs.known_to_cpsat(CLAIM_SECONDS)  # names of invariants and heuristics
        self.outline: Outline = outline(self.task)
        self.implied: Implied = implied(self.outline, **self.known._asdict())

    @property
    def least_steps(self) -> int:
        return max(self.outline.lower_bound, least_steps(self.task, self.implied))

    @cached_property
    def estimates(self) -> list[Term]:
        """All heuristics that CP-SAT proves alone, not only the first one."""
        facts = [fact(i, self.task.start) for i in self.task.invariants if i.name in self.known.invariants]
        names = [heuristic.name for heuristic in worth_proving(self.outline)[1]
                 if Prover(self.task, facts, CLAIM_SECONDS).heuristic(heuristic.term).status == "proven"]  # fmt: skip
        return [term for name in names for term in implied(self.outline, (), (name,)).estimates]


Stated = Callable[[Subject], Implied]


@dataclass(frozen=True)
class Variant:
    """One change of the encoding; without any it is as the product makes it."""

    name: str
    implied: Stated = lambda subject: subject.implied
    shared: Callable[[Subject], Outline] = lambda subject: subject.outline
    encoding: Mapping[str, Any] = field(default_factory=dict)  # of `encode`
    solving: Mapping[str, Any] = field(default_factory=dict)  # of `cpsat.solve`
    changed: Sequence[Changed] = ()
    rewritten: Callable[[Formula], Formula] = lambda formula: formula
    one_by_one: bool = False  # exact horizons instead of one bounded question
    same_solver: bool = True  # is an equal formula an equal question?

    def refutations(self, subject: Subject, optimum: int) -> list[tuple[int, Form]]:
        """Questions that together rule out all shorter plans."""
        if self.one_by_one:
            return [(horizon, "exact") for horizon in range(subject.least_steps, optimum)]
        return [(optimum - 1, "bounded")]

    def encoded(self, subject: Subject, horizon: int, form: Form) -> Encoding:
        made = encode(subject.task, horizon, form=form, shared=self.shared(subject), implied=self.implied(subject),
                      **self.encoding)  # fmt: skip
        return replace(made, formula=self.rewritten(made.formula))

    def in_force(self) -> ExitStack:
        """A context in which the changes hold."""
        stack = ExitStack()
        for module, name, value in self.changed:
            stack.enter_context(patch.object(module, name, value))
        return stack


def with_counters(formula: Formula) -> Formula:
    """Exactly-one groups as clauses: pairs, or a sequential counter where they are large."""
    bare = Formula()
    bare.variables, bare.clauses, bare.groups = formula.variables, formula.clauses, formula.groups
    made = clausal.to_clauses(bare)
    written = Formula()
    written.variables, written.linears = made.variables, formula.linears
    written.clauses = [[each - 1 if each > 0 else each for each in clause] for clause in made.clauses]
    return written


one_worker = cpsat.new_solver


def two_workers(**settings: Any) -> Any:
    solver = one_worker(**settings)
    solver.parameters.num_workers = 2
    return solver


def without(*names: str) -> Stated:
    nothing: dict[str, Any] = dict.fromkeys(names, ())
    return lambda subject: replace(subject.implied, **nothing)


def banned_anew(subject: Subject) -> Implied:
    return replace(subject.implied, bans=bans.bans(subject.outline))


AS_IT_IS = Variant("as it is")
TABLES = {
    "What is stated": [
        Variant("no bans", without("bans")),
        Variant("waste only", banned_anew, changed=[(bans, "MOST_COMMUTE", 2.0)]),
        Variant("orders always", banned_anew, changed=[(bans, "MOST_COMMUTE", 0.0)]),
        Variant("no facts", without("facts")),
        Variant("no estimate", without("estimates")),
        Variant("all estimates", lambda subject: replace(subject.implied, estimates=subject.estimates)),
        Variant("nothing stated", without("bans", "facts", "estimates")),
    ],
    "How it is written": [
        Variant("touched", encoding={"frame": "touched"}),
        Variant("by value", encoding={"frame": "by value"}),
        Variant("unreduced", shared=lambda subject: unreduced(subject.task)),
        Variant("parameters", changed=[(steps, "MANY_ROWS", 0)]),
        Variant("rows alone", changed=[(steps, "MANY_ROWS", 1 << 40)]),
        Variant("counters", rewritten=with_counters),
    ],
    "How it is asked": [
        Variant("one by one", one_by_one=True),
        Variant("presolve", solving={"presolve": True}, same_solver=False),
        Variant("two workers", changed=[(cpsat, "new_solver", two_workers)], same_solver=False),
    ],
}
ONE_HOT = Variant("one-hot sums", changed=[(sums, "LARGE_SUM", 1 << 40)])
REACH = 5 / 4  # of the optimum: how long plans may be where their length is minimised


def minimised(subject: Subject, optimum: int, limit: float, seed: int) -> str:
    """The verdict on one model of a longer horizon, whose plan is to be as short as it can be."""
    made = AS_IT_IS.encoded(subject, int(optimum * REACH), "bounded")
    model = cpsat.to_model(made.formula)
    idle = [model.get_bool_var_from_proto_index(step.idle) for step in made.steps]
    model.maximize(sum(idle))
    solver = cpsat.new_solver(seed=seed)
    cpsat.run(solver, model, limit)
    if solver.response_proto.status.name != "OPTIMAL":
        return "open"
    return "right" if len(idle) - round(solver.objective_value) == optimum else "wrong"
