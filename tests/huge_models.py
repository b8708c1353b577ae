"""Small random puzzles with large numbers: costs up to 2^53 in up to three metrics, sums of large constants."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

METRICS = ("a", "b", "c")
AMOUNTS = (0, 0, 1, 1, 2, 3, 7, 10**6, 2**20, 2**30, 2**40 - 1, 2**40, 2**40 + 1, 2**41, 2**45 + 3, 2**52, 2**53)
FEW = 7  # amounts that are small
WEIGHTS = (1, 2, 3, 5, 1000, 2**20 + 1, 2**31, 2**40, 2**41 + 1, 2**45, 2**49)


def huge_puzzle(seed: int) -> str:
    """The text of a puzzle: a counter, a few switches with weights, and actions that are cheap or dear at random."""
    rng = Random(seed)
    top, switches = rng.randint(2, 4), rng.randint(1, 4)
    metrics = METRICS[: rng.choice((1, 2, 2, 2, 3))]
    large = {rng.choice(metrics)} if rng.random() < 0.75 else set(metrics)
    amounts = {m: rng.sample(AMOUNTS if m in large else AMOUNTS[:FEW], rng.randint(2, 5)) for m in metrics}
    weights = [rng.choice(WEIGHTS) for _ in range(switches)]
    lines = [
        f"puzzle: huge-{seed}", f"data: {{w: [{', '.join(map(str, weights))}]}}", "types: {i: keys(w)}",
        f"state:\n  x: 0 .. {top} = 0\n  on[k in i]: bool = false", "actions:",
    ]  # fmt: skip
    for number in range(rng.randint(3, 6)):
        lines += [f"  act{number}:", *_action(rng, top), "    cost:"]
        lines += [f"      {m}: {_cost(rng, amounts[m], m in large)}" for m in metrics]
    total = "sum(w[j] for j in i if on[j])"
    bound = rng.choice([0, *weights, sum(weights) // 2, sum(weights) - 1])
    goals = [f"x == {top}", f"{total} > {bound} - x", f"x == {rng.randint(1, top)} and {total} >= {bound}",
             f"max({total}, x) > {bound}", f"{total} % {rng.choice((3, 2**20, 2**40))} <= x"]  # fmt: skip
    lines.append(f"goal: {rng.choice(goals)}")
    lines += ["heuristics:", f"  near: {top} - x", f"  none: 0 * {total}", f"  far: ({bound} - {total}) // {2**40}"]
    return "\n".join(lines) + "\n"


def _action(rng: Random, top: int) -> list[str]:
    step = rng.randint(1, 2)
    kinds = [
        [f"    when: x <= {top - step}", f"    effect: {{x: x + {step}}}"],
        ["    when: x > 0", "    effect: {x: x - 1}"],
        ["    params: {k: i}", "    effect:", "      on[k]: not on[k]"],
        [f"    when: sum(w[j] for j in i if on[j]) >= {rng.choice(WEIGHTS)}", f"    effect: {{x: {top}}}"],
    ]
    return rng.choice(kinds)


def _cost(rng: Random, amounts: Sequence[int], large: bool) -> str:
    one, other = rng.choice(amounts), rng.choice(amounts)
    words = [str(one), str(one), f"{one} if x > 0 else {other}", f"{min(one, 2**45)} * x", f"min({one}, x + 0)"]
    return rng.choice([*words, f"{min(one, 2**50)} + sum(w[j] for j in i if on[j])"] if large else words)
