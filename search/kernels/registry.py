"""The kernels by the names of the algorithms; each is compiled, or loaded, when it is first asked for."""

from collections.abc import Callable

from search.options import Options
from search.space import Found, SearchSpace

Run = Callable[[SearchSpace, Options], Found | None]


def kernel_of(name: str) -> Run:
    """KeyError: an algorithm without a kernel."""
    match name:
        case "bfs":
            from search.kernels.breadth_first import breadth_first as found
        case "bidirectional":
            from search.kernels.bidirectional import bidirectional as found
        case "beam":
            from search.kernels.beam import beam as found
        case "dfs":
            from search.kernels.depth_first import depth_first as found
        case "ids" | "idastar":
            from search.kernels.deepening import ida_star, iterative_deepening

            found = ida_star if name == "idastar" else iterative_deepening
        case "ucs" | "greedy" | "astar" | "wastar":
            from search.kernels import best_first as rows

            found = {"ucs": rows.uniform_cost, "greedy": rows.greedy, "astar": rows.a_star,
                     "wastar": rows.weighted_a_star}[name]  # fmt: skip
        case _:
            raise KeyError(name)
    return found
