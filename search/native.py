"""The algorithms in machine code: each function loads a kernel when it is called, and compiles what never was."""

from search.space import Run


def at_hand() -> bool:
    """Has any kernel been compiled on this machine? To load it takes a twentieth of a second."""
    from search.kernels.keeping import any_kept

    return any_kept()


def beam() -> Run:
    from search.kernels.beam import beam

    return beam


def uniform_cost() -> Run:
    from search.kernels.best_first import uniform_cost

    return uniform_cost


def greedy() -> Run:
    from search.kernels.best_first import greedy

    return greedy


def a_star() -> Run:
    from search.kernels.best_first import a_star

    return a_star


def weighted_a_star() -> Run:
    from search.kernels.best_first import weighted_a_star

    return weighted_a_star


def bidirectional() -> Run:
    from search.kernels.bidirectional import bidirectional

    return bidirectional


def breadth_first() -> Run:
    from search.layers.going_over import breadth_first

    return breadth_first


def layered() -> Run:
    from search.layers.searching import layered

    return layered


def bucketed() -> Run:
    from search.layers.best_first import bucketed

    return bucketed


def depth_first() -> Run:
    from search.kernels.depth_first import depth_first

    return depth_first


def iterative_deepening() -> Run:
    from search.kernels.deepening import iterative_deepening

    return iterative_deepening


def ida_star() -> Run:
    from search.kernels.deepening import ida_star

    return ida_star
