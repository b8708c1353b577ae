"""Breadth-first search and A* whose layers are on the disk: what is small stays in memory, and in Python."""

from typing import Annotated

from models.frozen import frozen
from search.algorithms.best_first import a_star
from search.algorithms.breadth_first import breadth_first
from search.options import NOT_NEGATIVE, Jobs, Options, Setting
from search.space import Found, Outgrown, SearchSpace


class Damaged(Exception):
    """A file of states is not what was written."""


class Unusable(Exception):
    """The folder for the layers has other things in it, or those of another walk, or is in use; or another option that
    there is nothing for."""

    def __init__(self, problem: str, option: str = "disk") -> None:
        super().__init__(problem)
        self.option = option


@frozen(eq=True)
class Layered(Jobs):
    """Where the layers are, and who works on them."""

    disk: Annotated[str, Setting("an empty folder for the layers, which stay; else a temporary one")] = ""
    resume: Annotated[bool, Setting("go on with the layers that the folder has")] = False
    disk_limit: Annotated[float, Setting("GB that files may take; 0: no limit", NOT_NEGATIVE)] = 0.0
    cluster: Annotated[str, Setting("a Ray cluster to work on: its address, or local")] = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.resume and not self.disk:
            raise ValueError("resume goes on in a folder: disk has to name it")


def layered(space: SearchSpace, options: Layered) -> Found | None:
    """Who names a folder wants the layers there, however small they are."""
    if options.disk and space.may_outgrow:
        raise Outgrown
    return breadth_first(space, Jobs())


def bucketed(space: SearchSpace, options: Layered) -> Found | None:
    """The same by g + h. In memory any estimate will do; files need one that is consistent."""
    if options.disk and space.may_outgrow:
        raise Outgrown
    return a_star(space, Options())


def not_consistent(name: str) -> str:
    return f"files need a heuristic that is proven consistent: {name} is not"
