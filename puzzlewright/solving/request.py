"""What is asked of a puzzle, checked once, for the command line and for the library alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from models.frozen import frozen
from models.outcomes import Limits, SearchResult
from models.puzzle import Puzzle
from puzzlewright.configuration import check_choice, check_names, check_options, checked, checked_seed, names
from puzzlewright.solving.backends import AUTO, BACKENDS, BUCKETS, LAYERS

if TYPE_CHECKING:
    from search.machine import Machine
    from search.space import Heuristic
    from search.space import Progress as Progressed

Progress = Callable[[str], None]
Watch = Callable[[int, int], None]  # of the states expanded and the lower bound, in the first metric
Better = Callable[[int, int, int], None]  # of the cost of a better plan, the lower bound, the states expanded
Search = Callable[
    [str, "Machine", "Heuristic", Limits, Mapping[str, object], "Progressed"], SearchResult
]  # called like `search.registry.search_with`


@frozen(eq=True)
class Request:
    """What the user asked for besides the puzzle; ConfigurationError where that is nothing that there is.

    `layers` with a heuristic is asked for as `buckets`.
    """

    backend: str = AUTO
    heuristics: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    invariants: bool = True  # may a proven invariant answer without search?
    symmetry: bool = True  # may states that differ in interchangeable objects count as one?
    seed: int = 0
    options: Mapping[str, object] = field(default_factory=dict)  # of algorithms: `search.registry.options_of`
    progress: Progress | None = None
    milestone: Progress | None = None  # is shown whenever it comes
    load_seconds: float = 0.0
    search: Search | None = None  # in place of `search.registry.search_with`
    watch: Watch | None = None  # is told how far the work has come, in numbers
    better: Better | None = None  # is told of plans that come before the end

    def __post_init__(self) -> None:
        """What can be said without the puzzle. One text holds names as on the command line."""
        check_choice("backend", self.backend, BACKENDS)
        check_options(self.options)
        made = {"heuristics": names("heuristic", self.heuristics), "metrics": names("metric", self.metrics),
                "limits": checked(self.limits), "seed": checked_seed(self.seed)}  # fmt: skip
        for name, value in made.items():
            object.__setattr__(self, name, value)
        if self.backend == LAYERS and self.heuristics:
            object.__setattr__(self, "backend", BUCKETS)

    def check(self, puzzle: Puzzle) -> None:
        """ConfigurationError where the puzzle does not declare what is asked for."""
        check_names(puzzle, self.heuristics, self.metrics)
