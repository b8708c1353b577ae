"""SAS+, version 3, as Fast Downward's search reads it: its translator is left out.

The format is Helmert's (The Fast Downward planning system, 2006; www.fast-downward.org). Names are for people, but
those of operators: a plan file of the planner is a plan file of ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from puzzlewright.files.exporting.planning import Action, Fact, Finite, Planning, planning_of
from puzzlewright.files.exporting.wanted import Exported, ExportWanted


def sas(wanted: ExportWanted) -> Exported:
    made = planning_of(wanted.bench)
    sizes = f"{len(made.variables):,} variables, {len(made.actions):,} operators"
    return Exported(sas_text(made), f"SAS+ with {sizes}")


def sas_text(made: Planning) -> str:
    return "\n".join(_lines(made)) + "\n"


def _lines(made: Planning) -> Iterator[str]:
    yield from ("begin_version", "3", "end_version", "begin_metric", "1", "end_metric", f"{len(made.variables)}")
    for number, variable in enumerate(made.variables):
        yield from _variable(number, variable)
    yield f"{len(made.groups)}"
    for group in made.groups:
        yield from ("begin_mutex_group", *_counted(group), "end_mutex_group")
    yield from ("begin_state", *(str(variable.start) for variable in made.variables), "end_state")
    yield from ("begin_goal", *_counted(made.goal), "end_goal", f"{len(made.actions)}")
    for action in made.actions:
        yield from _operator(action)
    yield "0"  # axioms


def _variable(number: int, variable: Finite) -> Iterator[str]:
    yield from ("begin_variable", f"var{number}", "-1", f"{len(variable.values)}")
    yield from (f"Atom {one_line(name)}" for name in variable.values)
    yield "end_variable"


def one_line(text: str) -> str:
    return " ".join(text.split())


def _counted(facts: Sequence[Fact]) -> Iterator[str]:
    yield f"{len(facts)}"
    yield from (f"{place} {value}" for place, value in facts)


def _operator(action: Action) -> Iterator[str]:
    """A test of a variable that is assigned without conditions stands beside what it is assigned."""
    plain = {effect.fact[0] for effect in action.effects if not effect.conditions}
    yield from ("begin_operator", action.name)
    yield from _counted([fact for fact in action.before.items() if fact[0] not in plain])
    yield f"{len(action.effects)}"
    for effect in action.effects:
        place, value = effect.fact
        old = action.before.get(place, -1) if not effect.conditions else -1
        conditions = (f"{number} {needed} " for number, needed in effect.conditions)
        yield f"{len(effect.conditions)} {''.join(conditions)}{place} {old} {value}"
    yield from (f"{action.cost}", "end_operator")
