"""What is known while plans get better: the cheapest plan so far and the best proven bound; neither is taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from search.space import INFINITY, Found

Tell = Callable[["Standing"], None]


@dataclass
class Standing:
    """The plan's operators are actions of the machine; `bound` is INFINITY once it is proven that there is none."""

    tell: Tell = field(default=lambda standing: None, repr=False)  # is called whenever something is better than before
    found: Found | None = None
    bound: int = 0
    by: str = ""  # what has found the plan
    bound_by: str = ""  # what has proven the bound

    @property
    def below(self) -> int:
        """What a plan must be cheaper than to be wanted."""
        return INFINITY if self.found is None else self.found.cost

    @property
    def closed(self) -> bool:
        """Is nothing left to be found? A plan below the bound contradicts it, which whoever is told has to say."""
        return self.bound >= self.below

    def offer(self, found: Found, by: str) -> bool:
        """Is this plan better than what there was?"""
        if found.cost >= self.below:
            return False
        self.found, self.by = found, by
        self.tell(self)
        return True

    def prove(self, bound: int, by: str) -> None:
        """No plan costs less than `bound`."""
        if bound > self.bound:
            self.bound, self.bound_by = bound, by
            self.tell(self)
