"""Random small puzzles that mostly have no plan, for what `explain` and hints say of them.

Goals of several parts that exclude each other or that nothing achieves, actions whose conditions contradict each other,
assignments that are needless alone or together, invariants that are broken, undefined or no numbers, definitions and
chains of comparisons in the goal.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

HEAD = """puzzle: reasoned
data: {{nums: [1, 0, 2]}}
types:
  p: 0 .. {top}
  lamp: 0 .. 1
  cell: grid(1, 3)
  colour: [red, green]
state:
  x: p = {x}
  y: p = {y}
  z: p = 0
  at: cell = cell(0, {col})
  paint: colour = red
  on[i in lamp]: bool = {on}
"""


def reasoned(seed: int) -> str:
    """The YAML text of a random puzzle."""
    return Reasoned(random.Random(seed)).puzzle()


@dataclass
class Reasoned:
    rng: random.Random

    def one(self, *options: str) -> str:
        return self.rng.choice(options)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def number(self) -> str:
        hole = "min(i for i in p if i == x + y)"
        return self.one("x", "y", "x", "y", "x + y", "nums[x]", hole, "z", "at.col", "count(i for i in lamp if on[i])")

    def atom(self) -> str:
        """A condition about the state."""
        n, sign = str(self.rng.randint(0, self.top)), self.one("==", "==", "!=", "<", ">")
        return self.one(
            *(
                f"{self.number()} {sign} {n}",
                f"x {sign} y",
                f"0 < {self.number()} < 3",
                "nums[y] == 2",
                "paint == green",
            ),
            *(f"at == cell(0, {self.rng.randint(0, 3)})", "on[0]", "not on[1]", "x + 1 == y", "done"),
            *(
                "all(on[i] for i in lamp)",
                "not any(on[i] for i in lamp)",
                "all(on[i] or x == i for i in lamp)",
                "1 == 1",
            ),
        )

    def test(self, k: bool) -> str:
        """A condition of an action that may have the parameter k of the type lamp."""
        return self.one("x == k", "not on[k]", "k == 0", "on[k]", "y >= k") if k and self.chance(0.5) else self.atom()

    def line(self, k: bool, d: bool) -> tuple[str, str]:
        n, one = self.rng.randint(0, self.top), self.one("x", "y", "z")
        options = [(one, f"{one} + 1"), (one, f"{one} + 1"), (one, str(n)), (one, f"{one} - 1"), ("paint", "green"),
                   ("on[0]", "not on[0]"), ("z", "x"), ("x", "x"), ("on[x]", "on[0]"), ("z", self.number()),
                   (one, f"{self.number()} if {self.atom()}")]  # fmt: skip
        lit = [("on[k]", "true"), ("on[i]", "true for i in lamp if i == k"), ("on[k]", "not on[k]"), ("on[y]", "false")]
        options += lit * 2 if k else []
        options += [("at", "at + d")] * 3 if d else []
        return self.rng.choice(options)

    def action(self, number: int) -> list[str]:
        k, d, many = self.chance(0.4), self.chance(0.3), self.chance(0.1)
        params = [*["k: lamp"] * k, *["d: direction"] * d, *["'m[i in lamp]': lamp"] * many]
        lines = [f"  act{number}:", *["    params:"] * bool(params), *(f"      {each}" for each in params)]
        when = [self.test(k) for _ in range(self.rng.choice((0, 0, 1, 1, 2, 3)))]
        when += [self.one("m[0] <= m[1]", "m[0] == x and m[1] == y")] * many
        if when and self.chance(0.3):
            lines += [f"    when: {quoted(' and '.join(when))}"]
        elif when:
            lines += ["    when:", *(f"      - {quoted(each)}" for each in when)]
        effects = dict(self.line(k, d) for _ in range(self.rng.choice((1, 1, 2, 3))))
        lines += ["    effect:", *(f"      {target}: {quoted(value)}" for target, value in effects.items())]
        if self.metrics:
            lines += [f"    cost: {{moves: 1, effort: {quoted(self.one('1', '0', 'z', 'x', '2'))}}}"]
        return lines

    def invariants(self) -> list[str]:
        claims = ["at", "on[1]", "z", "x + y", "(x + y) % 2", "paint", "x >= 0", "nums[x]", "at.col % 2", self.number()]
        chosen = self.rng.sample([*claims, self.atom()], self.rng.randint(1, 3))
        return ["invariants:", *(f"  claim{n}: {quoted(each)}" for n, each in enumerate(chosen))]

    def heuristics(self) -> list[str]:
        estimates = ["0 if done else 1", "3 - x", "abs(x - y)", "nums[x]", "1", "x * y", self.number(), self.number()]
        chosen = self.rng.sample(estimates, self.rng.randint(1, 2))
        words = ["consistent", "admissible", *["consistent for effort"] * self.metrics]
        lines = ["heuristics:", *(f"  guess{n}: {quoted(each)}" for n, each in enumerate(chosen))]
        return [*lines, *[f"claims: {{guess0: {self.one(*words)}}}"] * self.chance(0.6)]

    def puzzle(self) -> str:
        self.top, self.metrics = self.rng.randint(1, 3), self.chance(0.2)
        start = {name: self.rng.randint(0, self.top) for name in ("x", "y")}
        head = HEAD.format(top=self.top, col=self.rng.randint(0, 2), on=self.one("false", "false", "true"), **start)
        body = " and ".join(self.atom().replace("done", "on[0]") for _ in range(self.rng.randint(1, 2)))
        lines = ["define:", f"  done: {quoted(body)}", "actions:"]
        for number in range(self.rng.randint(1, 3)):
            lines += self.action(number)
        goal = [self.atom() for _ in range(self.rng.choice((1, 2, 2, 3)))]
        written = [quoted(" and ".join(goal))] if self.chance(0.5) else list(map(quoted, goal))
        lines += ["goal:", *(f"  - {each}" for each in written)]
        lines += self.invariants() if self.chance(0.7) else []
        lines += self.heuristics() if self.chance(0.5) else []
        lines += [f"always: {quoted(self.atom() + ' or ' + self.atom())}"] if self.chance(0.15) else []
        return head + "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
