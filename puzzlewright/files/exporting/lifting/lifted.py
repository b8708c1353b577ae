"""Lifted PDDL: a domain and a problem.

It has the plans of the puzzle, at the same costs: `actions` says why of a step, and `always` stands in the condition of
every action and in the goal, so that a state that breaks it leads nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from models.outcomes import Unsupported
from models.referee import start_state
from puzzlewright.files.exporting.lifting.actions import Lifted, lifted
from puzzlewright.files.exporting.lifting.formulas import Formulas
from puzzlewright.files.exporting.lifting.scopes import Env
from puzzlewright.files.exporting.lifting.vocabulary import (
    Namer,
    Predicate,
    Vocabulary,
    all_of,
    atom,
    is_truth,
    typed,
    word_of,
)
from puzzlewright.files.exporting.wanted import Exported, ExportWanted


def lifted_pddl(wanted: ExportWanted) -> Exported:
    metrics = wanted.request.metrics or wanted.puzzle.metrics[:1]
    if len(metrics) > 1:
        raise Unsupported("PDDL minimises one cost: name one metric")
    made = _Lifting(wanted, metrics[0])
    domain, problem = ("\n".join(lines) + "\n" for lines in (made.domain(), made.problem()))
    counts = {"object": len(made.words.objects), "action": len(made.actions), "static fact": made.words.facts}
    sizes = ", ".join(f"{number:,} {what}{'s' * (number != 1)}" for what, number in counts.items())
    return Exported(domain, f"lifted PDDL with {sizes}", {"-problem.pddl": problem})


class _Lifting:
    def __init__(self, wanted: ExportWanted, metric: str) -> None:
        self.puzzle = wanted.puzzle
        self.words = Vocabulary(self.puzzle)
        self.formulas = Formulas(self.puzzle, self.words, wanted.bench.deadline.look)
        self.name = word_of(self.puzzle.name) or "puzzle"
        namer = Namer()
        self.actions: Mapping[str, Lifted] = {
            namer.name(word_of(action.name) or "step"): made
            for action in self.puzzle.actions
            if (made := lifted(self.formulas, action, metric)) is not None
        }
        self.formulas.begin()
        conditions = (*self.puzzle.goal, *self.puzzle.always)
        self.goal = all_of(self.formulas.formula(each.expression, Env()) for each in conditions)
        self.start = list(self._start())
        self.priced = any(action.cost != "1" for action in self.actions.values())

    def _start(self) -> Iterator[str]:
        truths = {each.name for each in self.puzzle.variables if is_truth(each.type)}
        for (name, indices), value in start_state(self.puzzle).items():
            predicate = self.words.states[name].name
            if name not in truths:
                yield self.words.fact(predicate, (*indices, value))
            elif value:
                yield self.words.fact(predicate, indices)

    # -- the domain ------------------------------------------------------------------------------------------------

    def domain(self) -> Iterator[str]:
        yield f"(define (domain {self.name})"
        yield f" (:requirements :adl{' :action-costs' * self.priced})"
        yield f" (:types{''.join(f' {name} - {self.words.parent(name)}' for name in self.words.types)})"
        yield " (:constants"
        yield from (f"  {name} - {type_}" for name, type_ in self.words.objects.values())
        yield " )"
        yield " (:predicates"
        yield from (f"  {self._declared(each)}" for each in self.words.states.values())
        yield from (f"  {self._declared(each)} ; static" for each, _ in self.words.tables.values())
        yield " )"
        yield from self._functions()
        for name, action in self.actions.items():
            yield from self._action(name, action)
        yield ")"

    def _declared(self, predicate: Predicate) -> str:
        kinds = {f"?a{n}": self.words.type_of(values)[0] for n, values in enumerate(predicate.columns, 1)}
        return f"({predicate.name}{' ' * bool(kinds)}{typed(kinds)})"

    def _functions(self) -> Iterator[str]:
        if self.priced:
            told = [self._declared(each) for each, _ in self.words.prices.values()]
            yield f" (:functions {' '.join(['(total-cost)', *told])} - number)"

    def _action(self, name: str, action: Lifted) -> Iterator[str]:
        yield f" (:action {name}"
        yield f"  :parameters ({typed(action.variables)})"
        yield f"  :precondition {action.before}"
        yield "  :effect (and"
        yield from (f"   {effect}" for effect in action.effects if effect != "(and)")
        yield f"   (increase (total-cost) {action.cost})" * self.priced + "))"

    # -- the problem -----------------------------------------------------------------------------------------------

    def problem(self) -> Iterator[str]:
        yield f"(define (problem {self.name}-level)"
        yield f" (:domain {self.name})"
        yield " (:init"
        yield from [" (= (total-cost) 0)"] * self.priced
        yield from (f"  {fact}" for fact in self.start)
        yield from (f"  {self.words.fact(name, row)}" for name, (_, rows) in self.words.tables.items() for row in rows)
        yield from self._costs()
        yield " )"
        yield f" (:goal {self.goal})"
        yield " (:metric minimize (total-cost))" * self.priced + ")"

    def _costs(self) -> Iterator[str]:
        for name, (_, costs) in self.words.prices.items() if self.priced else ():
            yield from (f"  (= {atom(name, map(self.words.object_of, row))} {cost})" for row, cost in costs.items())
