"""`explore --backend layers`: the figures of a space that is too large for the memory, from its layers on the disk.

Of the distances to the goals only the largest is told, with the states that have it. Costs are not looked at: where
steps do not all cost 1, there are layers and no distances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from models.decoding import state_of
from models.frozen import frozen
from models.outcomes import Outcome, Unsupported
from models.referee import start_state
from puzzlewright.analysis.counting import in_figures
from puzzlewright.analysis.space_figures import SpaceFigures
from puzzlewright.pictures.scene import scene
from puzzlewright.pictures.text import draw
from puzzlewright.solving.backends import LAYERS
from puzzlewright.solving.request import Request
from puzzlewright.solving.searching import on_disk, progress_of
from puzzlewright.solving.workbench import Workbench
from search.algorithms.layered import Layered
from search.registry import ALGORITHMS

if TYPE_CHECKING:
    from search.layers.surveying import Surveyed

NOT_KEPT = "edges are not kept on the disk"
COSTS = "costs are not looked at on the disk, and edges are not kept there"


@frozen(eq=True)
class ExploredOnDisk:
    """Figures, how the walk has ended, what was counted, and columns of `--csv`."""

    figures: SpaceFigures
    outcome: Outcome
    counted: Mapping[str, object]
    by_layer: Mapping[str, Sequence[int] | None]


def explored_on_disk(bench: Workbench, request: Request, in_steps: bool, shown: int, by_layer: bool) -> ExploredOnDisk:
    """With `by_layer` dead ends of each layer, too; errors as of `on_disk`."""
    from search.layers.surveying import surveyed
    from search.space import BLIND, SearchSpace

    options = cast(Layered, ALGORITHMS[LAYERS].settings(request.options))
    space = SearchSpace(bench.machine(), request.limits, BLIND, progress_of(bench, request, "explore"))
    with on_disk():
        found = surveyed(space, options, shown, by_layer)
    if not found.layers:
        raise Unsupported("no layer was finished")
    expanded = sum(found.layers if found.exhausted else found.layers[:-1])  # what the edges are out of
    counted = {"expanded": expanded, "generated": found.generated, **space.statistics.extra}
    twins = any(row.twins for row in bench.task.rows.values())
    figures = _figures(bench, found, in_steps or bench.task.unit_cost, twins)
    return ExploredOnDisk(figures, found.stopped or Outcome.VALID, counted, _columns(found, twins))


def _columns(found: Surveyed, twins: bool) -> Mapping[str, Sequence[int] | None]:
    """Of each layer, as far as they are known."""
    edges = found.edges if found.exhausted and not twins else None
    return {"states": found.layers, "edges": edges, "goal_states": found.goals, "dead_ends": found.dead_by_layer}


def _figures(bench: Workbench, found: Surveyed, unit_cost: bool, twins: bool) -> SpaceFigures:
    exhausted, depth, states = found.exhausted, len(found.layers) - 1, sum(found.layers)
    edges = None if twins else found.generated
    average = None if edges is None else round(edges / states, 4)
    nearest = next((steps for steps, number in enumerate(found.goals) if number), None)
    return SpaceFigures(
        exhausted=exhausted,
        states=states,
        states_up_to_symmetry=None,
        layers=list(found.layers),
        eccentricity=depth if exhausted else None,
        farthest={"cost": depth} if exhausted and unit_cost else None,
        edges=edges,
        branching={"average": average, "min": None, "max": None} if exhausted and average is not None else None,
        goal_states=sum(found.goals),
        nearest_goal_steps=nearest,
        nearest_goal={"cost": nearest} if unit_cost and nearest is not None else None,
        optimal_plans=in_figures(found.plans) if unit_cost and not twins and found.plans is not None else None,
        dead_ends=found.dead,
        dead_told=None,
        hardest=_hardest(bench, found) if unit_cost else None,
        unit_cost=unit_cost,
        not_computed=f"{found.stopped or (NOT_KEPT if unit_cost else COSTS)}",
    )


def _hardest(bench: Workbench, found: Surveyed) -> dict[str, Any] | None:
    hardest = found.hardest
    if hardest is None:
        return None
    return {"cost": hardest.steps, "number": hardest.number, "shown": [_shown(bench, each) for each in hardest.states]}


def _shown(bench: Workbench, packed: int) -> dict[str, Any]:
    puzzle, state = bench.puzzle, bench.machine().layout.unpack(packed)
    lifted = {**start_state(puzzle), **state_of(puzzle, bench.task, state)}
    now = scene(puzzle, lifted)
    types = {variable.name: variable.type for variable in puzzle.variables}
    plain = {puzzle.place_names[place]: types[place[0]].plain[value] for place, value in lifted.items()}
    return {"state": plain, "board": draw(now) if now.spots else [], "caption": now.caption}
