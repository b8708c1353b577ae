"""Grounded PDDL: a domain of actions without parameters, and its problem, each fact one value of one variable.

It is what `planning` makes, in other words: STRIPS where no effect has conditions, with costs where not all are 1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from puzzlewright.files.exporting.planning import Action, Effect, Fact, Planning, planning_of
from puzzlewright.files.exporting.wanted import Exported, ExportWanted


def pddl(wanted: ExportWanted) -> Exported:
    made = planning_of(wanted.bench)
    domain, problem = pddl_texts(made, wanted.puzzle.name)
    words = f"grounded PDDL with {sum(len(v.values) for v in made.variables):,} facts, {len(made.actions):,} actions"
    return Exported(domain, words, {"-problem.pddl": problem})


def pddl_texts(made: Planning, name: str) -> tuple[str, str]:
    """Domain and problem."""
    called = _word(name) or "puzzle"
    return "\n".join(_domain(made, called)) + "\n", "\n".join(_problem(made, called)) + "\n"


def action_names(made: Planning) -> list[str]:
    """What the actions are called: their words as far as PDDL has such, each with a number where two are alike."""
    words = [_word(action.name) or "step" for action in made.actions]
    alike, met, taken = Counter(words), Counter[str](), set(words)
    found = []
    for word in words:
        name = word
        while alike[word] > 1 and name in taken:
            met[word] += 1
            name = f"{word}-{met[word]}"
        taken.add(name)
        found.append(name)
    return found


def _word(text: str) -> str:
    """A name that begins with a letter; empty where nothing is left."""
    word = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return f"n{word}" if word[:1].isdigit() else word


def _domain(made: Planning, name: str) -> Iterator[str]:
    priced, conditional = is_priced(made), any(e.conditions for a in made.actions for e in a.effects)
    extra = " :conditional-effects" * conditional + " :action-costs" * priced
    yield f"(define (domain {name})"
    yield f" (:requirements :strips{extra})"
    yield " (:predicates"
    for place, variable in enumerate(made.variables):
        for value, words in enumerate(variable.values):
            yield f"  {_fact((place, value))} ; {' '.join(words.split())}"
    yield " )"
    if priced:
        yield " (:functions (total-cost) - number)"
    for called, action in zip(action_names(made), made.actions, strict=True):
        yield from _action(called, action, made, priced)
    yield ")"


def is_priced(made: Planning) -> bool:
    """Is there a cost other than 1?"""
    return any(action.cost != 1 for action in made.actions)


def _action(called: str, action: Action, made: Planning, priced: bool) -> Iterator[str]:
    yield f" ; ({action.name})"
    yield f" (:action {called}"
    yield "  :parameters ()"
    yield f"  :precondition {_all(list(action.before.items()))}"
    yield "  :effect (and"
    for effect in action.effects:
        yield f"   {_effect(effect, action, made)}"
    yield f"   (increase (total-cost) {action.cost})" * priced + "))"


def _effect(effect: Effect, action: Action, made: Planning) -> str:
    """The value comes; the one before goes, or, where that is not known, whichever it is."""
    place, value = effect.fact
    known = {**action.before, **dict(effect.conditions)}
    old = [known[place]] if place in known else range(len(made.variables[place].values))
    changes = [_fact((place, value)), *(f"(not {_fact((place, each))})" for each in old if each != value)]
    told = " ".join(changes)
    return f"(when {_all(effect.conditions)} (and {told}))" if effect.conditions else told


def _problem(made: Planning, name: str) -> Iterator[str]:
    yield f"(define (problem {name}-level)"
    yield f" (:domain {name})"
    yield " (:init"
    yield from [" (= (total-cost) 0)"] * is_priced(made)
    yield from (f"  {_fact((place, variable.start))}" for place, variable in enumerate(made.variables))
    yield " )"
    yield f" (:goal {_all(made.goal)})"
    yield " (:metric minimize (total-cost))" * is_priced(made) + ")"


def _all(facts: Sequence[Fact]) -> str:
    return f"(and {' '.join(map(_fact, facts))})"


def _fact(fact: Fact) -> str:
    return f"(v{fact[0]}-{fact[1]})"
