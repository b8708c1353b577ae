"""Random small models whose steps can be undone, or not, or lead on and on."""

from __future__ import annotations

from random import Random

NAMES = ("a", "b", "c")


def random_steps(seed: int) -> str:
    """Moves of three small numbers, most of them with one that undoes them, perhaps not everywhere."""
    random = Random(seed)
    kind = random.choice(("free", "undone", "graded"))
    actions: list[tuple[list[str], dict[str, int]]] = []
    for _ in range(random.randint(2, 5)):
        name, other = random.sample(NAMES, 2)
        before = random.randrange(3)
        after = before + 1 if kind == "graded" else random.randrange(4)
        beside = [f"{other} {random.choice(('==', '!=', '<='))} {random.randrange(4)}"] * random.randrange(2)
        actions.append(([f"{name} == {before}", *beside], {name: after}))
        if kind != "graded" and random.random() < (0.95 if kind == "undone" else 0.6):
            stricter = [f"{random.choice(NAMES)} != {random.randrange(4)}"] * (random.random() < 0.15)
            weaker = [] if random.random() < 0.3 else beside
            actions.append(([f"{name} == {after}", *weaker, *stricter], {name: before}))
        if random.random() < (0.1 if kind == "graded" else 0.2):
            actions.append(([f"{name} == {before}"], {name: before}))
    lines = [f"  m{n}: {{when: {' and '.join(when)}, effect: {effect}}}".replace("'", "")
             for n, (when, effect) in enumerate(actions)]  # fmt: skip
    state = f"state: {{a: n = {random.randrange(2)}, b: n = 0, c: n = 0}}"
    goal = f"goal: a + b + c == {random.randint(2, 6)}"
    return "\n".join(["puzzle: steps", "types: {n: 0 .. 3}", state, "actions:", *lines, goal, ""])
