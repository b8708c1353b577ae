"""The whole reachable state space of a level, and what it says: layers, dead ends, best plans, hardest starts."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from models.frozen import frozen
from models.interpreter import State as Lifted
from models.outcomes import LimitReached, Limits, Operator, Outcome, Unsupported, outcome_of
from models.puzzle import Puzzle
from models.task import Task
from puzzlewright.analysis.counting import in_figures
from puzzlewright.analysis.exploration import STEPS, Exploration
from puzzlewright.analysis.exploring_layers import explored_on_disk
from puzzlewright.analysis.space_figures import SpaceFigures
from puzzlewright.files.library import saved
from puzzlewright.pictures.letters import encodable
from puzzlewright.pictures.scene import scene
from puzzlewright.pictures.text import draw
from puzzlewright.report import About, Report
from puzzlewright.solving.backends import LAYERS
from puzzlewright.solving.request import Progress, Request
from puzzlewright.solving.solve import resources, stoppable
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from puzzlewright.analysis.proposing import Proposal
    from search.spaces.state_space import StateSpace
    from search.spaces.survey import Survey

MOST_TOLD = 200_000  # states that are asked one by one whether they are dead


@frozen(eq=True)
class SpaceWanted:
    """What the user asked for besides the puzzle and the limits."""

    in_steps: bool = False  # whatever the actions cost
    shown: int = 3  # of the hardest starts
    csv: Path | None = None
    graph: Path | None = None
    levels: int = 0  # to propose
    length: int | None = None  # of these; None: the hardest ones
    save: Path | None = None  # where to write them
    text: str = ""  # of the file that they are for


class Watch:
    """Clock and memory while the figures are worked out, and progress all along."""

    def __init__(self, limits: Limits, progress: Progress | None) -> None:
        self.limits, self.progress, self.started = limits, progress, time.monotonic()

    def walking(self, statistics: Any, bound: int) -> None:
        if self.progress is not None:
            self.progress(f"explore: {statistics.expanded:,} states, {statistics.max_depth} steps from the start")

    def look(self) -> None:
        from search.space import peak_memory_mb

        if self.progress is not None:
            self.progress("explore: distances to the goals, best plans")
        if self.limits.time is not None and time.monotonic() - self.started >= self.limits.time:
            raise LimitReached(Outcome.TIME_LIMIT)
        if self.limits.memory_mb is not None and peak_memory_mb() >= self.limits.memory_mb:
            raise LimitReached(Outcome.MEMORY_LIMIT)


@stoppable("explore")
def explore(puzzle: Puzzle, request: Request, wanted: SpaceWanted | None = None) -> Report:
    """Walk the level's state space and report its figures."""
    wanted = wanted or SpaceWanted()
    started = time.perf_counter()
    bench = Workbench(puzzle, request.metrics, request.limits.deadline())
    grounded = time.perf_counter()
    request = replace(request, limits=replace(request.limits, time=bench.deadline.left))
    metric = STEPS if wanted.in_steps else bench.task.metric
    if request.backend == LAYERS:
        return _on_disk(bench, request, wanted, started, grounded)
    try:
        found, counted = _explored(bench, request, wanted)
    except Unsupported as reason:
        return Report("explore", Outcome.UNSUPPORTED, About.of(puzzle, metric), notes=(str(reason),))
    found, proposals, remarks = _proposals(found, request, wanted)
    outcome, notes = _files(found, wanted)
    notes += (*remarks, *_unreduced(found, request))
    figures = _figures(found, wanted)
    if wanted.levels:
        figures = replace(figures, proposed=[_proposed(found, proposal) for proposal in proposals])
    statistics = {**counted, **resources(request, started, grounded)}
    return Report("explore", outcome, About.of(puzzle, metric, seed=request.seed), statistics=statistics, notes=notes,
                  diagnostics=puzzle.warnings, payloads=(figures,))  # fmt: skip


def state_graph(puzzle: Puzzle, request: Request, suffix: str) -> tuple[str, int]:
    """The whole space as a graph's text, and its states; Unsupported where they are many, LimitReached at a limit."""
    from puzzlewright.files.graphfiles import MOST_STATES, graph_text

    found = small_space(Workbench(puzzle, request.metrics, request.limits.deadline()), request, MOST_STATES)
    return graph_text(found, suffix), found.space.size


def small_space(bench: Workbench, request: Request, most: int) -> Exploration:
    """The whole space with all its figures; Unsupported where it has more states, LimitReached at a limit.

    A space that is returned has been walked to its end, so that what is not in it cannot be reached, and what has no
    distance to a goal is a dead end. One state more than `most` may be expanded, so that a walk which that limit ends
    has found more than `most`.
    """
    nodes = request.limits.nodes
    limit = most + 1 if nodes is None else min(nodes, most + 1)
    found, _ = _explored(bench, replace(request, limits=replace(request.limits, nodes=limit)), SpaceWanted())
    if found.space.size > most:
        raise Unsupported(f"more than {most:,} states are no graph to draw")
    if found.outcome is Outcome.UNSUPPORTED:
        raise Unsupported(found.missing)
    if found.outcome is Outcome.INTERRUPTED:
        raise KeyboardInterrupt
    if found.outcome is not Outcome.VALID:
        raise LimitReached(found.outcome)
    return found


def _on_disk(bench: Workbench, request: Request, wanted: SpaceWanted, started: float, grounded: float) -> Report:
    """The same from layers on the disk: what needs all edges is not there."""
    puzzle, metric = bench.puzzle, STEPS if wanted.in_steps else bench.task.metric
    about = About.of(puzzle, metric, LAYERS, request.seed)
    try:
        found = explored_on_disk(bench, request, wanted.in_steps, wanted.shown, wanted.csv is not None)
    except Unsupported as reason:
        return Report("explore", Outcome.UNSUPPORTED, about, notes=(str(reason),))
    notes = saved(wanted.csv, layer_lines(found.by_layer)) if wanted.csv is not None else ()
    statistics = {**found.counted, **resources(request, started, grounded)}
    return Report("explore", found.outcome, about, statistics=statistics, notes=tuple(notes),
                  verdicts=dict(bench.proofs.told), diagnostics=puzzle.warnings,
                  payloads=(found.figures,))  # fmt: skip


def _explored(bench: Workbench, request: Request, wanted: SpaceWanted) -> tuple[Exploration, dict[str, int]]:
    """The walk, then the figures; a limit or Ctrl-C ends either, and what is known stays known."""
    from search.spaces.state_space import in_steps
    from search.spaces.survey import Survey

    watch = Watch(request.limits, request.progress)
    space, counted = _walked(bench, request, watch)
    survey = Survey(in_steps(space) if wanted.in_steps else space)
    outcome, missing, reduced = space.stopped or Outcome.VALID, "", None
    try:
        survey.work_out(watch.look)
        if request.symmetry and space.exhausted and bench.symmetry:
            reduced = _reduced(bench, request, watch)
    except LimitReached as reason:
        outcome = reason.outcome
    except KeyboardInterrupt:
        outcome = Outcome.INTERRUPTED
    except Unsupported as reason:
        outcome, missing = Outcome.UNSUPPORTED, str(reason)
    if not survey.complete and not missing:
        missing = f"{counted['generated']:,} edges are too many to keep" if outcome is Outcome.VALID else f"{outcome}"
    return Exploration(bench, space, survey, wanted.in_steps, outcome, missing, reduced), counted


def _reduced(bench: Workbench, request: Request, watch: Watch) -> int | None:
    """The number of states up to all that is proven; None where the compiled task makes no use of a part of it."""
    from search.spaces.machine_space import count_states

    machine = bench.machine(bench.symmetry)
    if machine.unused:
        return None
    return count_states(machine, request.limits, watch.walking, _threads(request))


def _unreduced(found: Exploration, request: Request) -> list[str]:
    """Why states are not counted up to a symmetry that is proven."""
    asked = request.symmetry and found.space.exhausted and found.outcome is not Outcome.UNSUPPORTED
    if not (asked and found.bench.symmetry):
        return []
    unused = found.bench.machine(found.bench.symmetry).unused
    return [f"states are not counted up to symmetry: that of {name} is {why}" for name, why in unused.items()]


def _walked(bench: Workbench, request: Request, watch: Watch) -> tuple[StateSpace, dict[str, int]]:
    """The state space, and what the walk has counted."""
    from search.spaces.machine_space import walk_machine

    twins, threads = twins_of(bench.task), _threads(request)
    space, counted = walk_machine(bench.machine(), request.limits, twins, watch.walking, threads=threads)
    return space, {"expanded": counted.expanded, "generated": counted.generated}


def _threads(request: Request) -> int:
    return cast(int, request.options.get("jobs", 1))


def twins_of(task: Task) -> dict[Operator, int]:
    """How many more actions do the very same, for each schema and row that has such."""
    schemas = enumerate(task.schemas)
    return {(s, r): len(row.twins) for s, schema in schemas for r, row in enumerate(schema.rows) if row.twins}


# -- figures -----------------------------------------------------------------------------------------------------------


def _figures(found: Exploration, wanted: SpaceWanted) -> SpaceFigures:
    """The figures, as far as they are known."""
    survey, space = found.survey, found.space
    nearest = survey.nearest_steps if found.unit_cost else survey.nearest_cost
    average = None if space.edges is None else round(space.edges / space.size, 4)
    branching = {"average": average, "min": survey.fewest_edges, "max": survey.most_edges}
    return SpaceFigures(
        exhausted=space.exhausted,
        states=space.size,
        states_up_to_symmetry=found.reduced,
        layers=survey.layers,
        eccentricity=len(survey.layers) - 1 if space.exhausted else None,
        farthest=found.priced(survey.farthest_cost),
        edges=space.edges,
        branching=branching if space.exhausted and average is not None else None,
        goal_states=survey.goals,
        nearest_goal_steps=survey.nearest_steps,
        nearest_goal=found.priced(nearest),
        optimal_plans=_plans(survey),
        dead_ends=survey.dead_ends,
        dead_told=_dead_told(found),
        hardest=_hardest(found, wanted.shown),
        unit_cost=found.unit_cost,
        not_computed=found.missing or None,
    )


def _dead_told(found: Exploration) -> int | None:
    """The number of states where `dead` holds; None where the file has none, or the states are very many."""
    if found.is_dead is None or found.space.size > MOST_TOLD:
        return None
    return sum(map(found.is_dead, range(found.space.size)))


def _plans(survey: Survey) -> int | str | None:
    """The number of best plans, in words where figures cannot hold it."""
    if survey.endless:
        return "infinite"
    return None if survey.plans is None else in_figures(survey.plans)


def _hardest(found: Exploration, shown: int) -> dict[str, Any] | None:
    """The states that are farthest from every goal, a few of them in full."""
    distance = found.priced(found.survey.hardest_cost)
    if distance is None:
        return None
    numbers = found.survey.hardest
    return {**distance, "number": len(numbers), "shown": [_shown(found, number) for number in numbers[:shown]]}


def _shown(found: Exploration, number: int) -> dict[str, Any]:
    state = found.lifted(number)
    now = scene(found.bench.puzzle, state)
    return {"state": plain_state(found.bench.puzzle, state), "board": draw(now) if now.spots else [],
            "caption": now.caption}  # fmt: skip


def plain_state(puzzle: Puzzle, state: Lifted) -> dict[str, Any]:
    """A state as JSON holds it: the variables' places by name, in the order of the file."""
    types = {variable.name: variable.type for variable in puzzle.variables}
    return {puzzle.place_names[place]: types[place[0]].plain[value] for place, value in state.items()}


# -- proposed levels ---------------------------------------------------------------------------------------------------


def _proposals(found: Exploration, request: Request, wanted: SpaceWanted
               ) -> tuple[Exploration, list[Proposal], tuple[str, ...]]:  # fmt: skip
    """The levels that were asked for, as many as a limit or Ctrl-C lets be found; they are written to their file."""
    from puzzlewright.analysis.proposing import propose

    if not wanted.levels:
        return found, [], ()
    if not found.survey.complete:
        return found, [], (f"no level is proposed: {found.missing}",)
    made: list[Proposal] = []
    try:
        for proposal in propose(found, wanted.text, wanted.levels, wanted.length, request, found.bench.deadline.look):
            made.append(proposal)
    except (LimitReached, KeyboardInterrupt) as reason:
        found = replace(found, outcome=outcome_of(reason))
    except Unsupported as reason:
        found = replace(found, outcome=Outcome.UNSUPPORTED, missing=str(reason))
    notes = [f"a start is no level: {proposal.why}" for proposal in made if proposal.why]
    if len(made) < wanted.levels and found.outcome is Outcome.VALID:
        notes.append(_too_few(found, len(made), wanted, request.symmetry))
    levels = "".join(proposal.written.text for proposal in made if proposal.written is not None)
    if wanted.save is not None and levels:
        puzzle = encodable(found.bench.puzzle.name, "utf-8")  # on one line
        notes += saved(wanted.save, f"# levels of {puzzle}, found by explore: lines to put below `levels:`\n{levels}")
    return found, made, tuple(notes)


def _too_few(found: Exploration, number: int, wanted: SpaceWanted, symmetry: bool) -> str:
    """Why there are fewer levels than were asked for."""
    hardest = found.priced(found.survey.hardest_cost)
    if hardest is None:
        return "no level is proposed: no state leads to a goal"
    alike = "up to symmetry, " * symmetry
    number_of = f"{number} state" + "s" * (number != 1)
    if wanted.length is None:
        return f"{alike}only {number_of} may be proposed: the others are goals or lead to none"
    return f"{alike}{number_of} at the distance {wanted.length}; the largest is {hardest['cost']}"


def _proposed(found: Exploration, proposal: Proposal) -> dict[str, Any]:
    """What `--json` prints of a proposal; null is what cannot be had."""
    written = proposal.written
    return {
        "level": written and written.name,
        "text": written and written.text,
        **(found.priced(found.survey.goal_distance(proposal.number)) or {}),
        "optimal_plans": "infinite" if proposal.plans is None else in_figures(proposal.plans),
        "branching": proposal.branching,
        "forced": proposal.forced,
        **_shown(found, proposal.number),
    }


# -- files -------------------------------------------------------------------------------------------------------------


def _files(found: Exploration, wanted: SpaceWanted) -> tuple[Outcome, tuple[str, ...]]:
    """Write what was asked for. A graph that cannot be had is an outcome; a disk that is full is a note."""
    from puzzlewright.files.graphfiles import MOST_STATES, graph_text

    outcome, notes = found.outcome, list[str]()
    if wanted.csv is not None:
        notes += saved(wanted.csv, layer_lines(by_layer(found.survey)))
    if wanted.graph is not None and found.space.graph is None and outcome is not Outcome.VALID:
        notes.append(f"no graph is written: {outcome}")
    elif wanted.graph is not None and found.space.size > MOST_STATES:
        notes.append(f"no graph is written: {found.space.size:,} states are more than {MOST_STATES:,}")
        outcome = Outcome.UNSUPPORTED if outcome is Outcome.VALID else outcome
    elif wanted.graph is not None:
        notes += saved(wanted.graph, graph_text(found, wanted.graph.suffix))
    return outcome, tuple(notes)


def by_layer(survey: Survey) -> Mapping[str, Sequence[int] | None]:
    """Figures of each layer; None where they are not known."""
    return {
        "states": survey.layers,
        "edges": survey.edges_by_layer,
        "goal_states": survey.goals_by_layer,
        "dead_ends": survey.dead_by_layer,
    }


def layer_lines(figures: Mapping[str, Sequence[int] | None]) -> str:
    """CSV, a line for each layer; what is not known is empty."""
    depths = range(len(figures["states"] or ()))
    columns = {"layer": depths, **figures}
    lines = [",".join(columns)]
    for depth in depths:
        lines.append(",".join("" if column is None else str(column[depth]) for column in columns.values()))
    return "\n".join(lines) + "\n"
