"""Random small domains with a problem each: every construct that is read, and what breaks one-of-many facts nearly."""

from __future__ import annotations

import random

OBJECTS = {"a": ("a1", "a2", "a3"), "b": ("b1", "b2")}
PREDICATES = {"p": ("a",), "q": ("a", "b"), "r": (), "s": ("a", "a"), "link": ("a", "a"), "fits": ("a", "b")}
CHANGING = ("p", "q", "r", "s")


class Maker:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def some(self, *words: str) -> str:
        return self.rng.choice(words)

    def term(self, kind: str, scope: dict[str, str]) -> str:
        known = [name for name, type_ in scope.items() if type_ == kind]
        return self.some(*known) if known and self.rng.random() < 0.85 else self.some(*OBJECTS[kind])

    def fact(self, name: str, scope: dict[str, str]) -> str:
        return f"({' '.join([name, *(self.term(kind, scope) for kind in PREDICATES[name])])})"

    def condition(self, scope: dict[str, str], depth: int = 2) -> str:
        kind = self.rng.random()
        if depth == 0 or kind < 0.55:
            return self.fact(self.some(*PREDICATES), scope)
        if kind < 0.65:
            return f"(= {self.term('a', scope)} {self.term('a', scope)})"
        if kind < 0.8:
            return f"(not {self.condition(scope, depth - 1)})"
        if kind < 0.92:
            parts = " ".join(self.condition(scope, depth - 1) for _ in range(2))
            return f"({self.some('and', 'or', 'imply')} {parts})"
        of = self.some("a", "b")
        name = f"?z{depth}"
        return f"({self.some('forall', 'exists')} ({name} - {of}) {self.condition({**scope, name: of}, depth - 1)})"

    def move(self, scope: dict[str, str]) -> tuple[str, str]:
        """A fact that holds, and that it goes while another of the same key comes; sometimes nearly."""
        name = self.some("q", "s", "p")
        kinds = PREDICATES[name]
        old = [self.term(kind, scope) for kind in kinds]
        new = [*old[:-1], self.term(kinds[-1], scope)]
        if self.rng.random() < 0.1:
            new[0] = self.term(kinds[0], scope)
        before = f"({' '.join([name, *old])})"
        return before, f"(not {before}) ({' '.join([name, *new])})"

    def effect(self, scope: dict[str, str]) -> str:
        kind = self.rng.random()
        if kind < 0.5:
            fact = self.fact(self.some(*CHANGING), scope)
            return fact if self.rng.random() < 0.5 else f"(not {fact})"
        before, change = self.move(scope)
        if kind < 0.75:
            return f"(when {before} (and {change}))"
        of = self.some("a", "b")
        before, change = self.move({**scope, "?y": of})
        return f"(forall (?y - {of}) (when {before} (and {change})))"

    def action(self, number: int) -> str:
        scope = {f"?x{i}": self.some("a", "b", "a") for i in range(self.rng.randint(0, 3))}
        parameters = " ".join(f"{name} - {kind}" for name, kind in scope.items())
        conditions = [self.condition(scope) for _ in range(self.rng.randint(0, 2))]
        effects = [self.effect(scope) for _ in range(self.rng.randint(0, 2))]
        for _ in range(self.rng.randint(0, 2)):
            before, change = self.move(scope)
            conditions.append(before)
            effects.append(change)
        price = f"(increase (total-cost) {self.some('1', '2', '(weight ' + self.term('a', scope) + ')')})"
        return (
            f"(:action act{number} :parameters ({parameters}) :precondition (and {' '.join(conditions)})"
            f" :effect (and {' '.join(effects)} {price}))"
        )

    def files(self) -> tuple[str, str]:
        predicates = " ".join(f"({name} {' '.join(f'?v{i} - {k}' for i, k in enumerate(kinds))})"
                              for name, kinds in PREDICATES.items())  # fmt: skip
        actions = "\n".join(self.action(number) for number in range(self.rng.randint(1, 4)))
        domain = (
            f"(define (domain random) (:requirements :adl :action-costs) (:types a b - object)\n"
            f"(:constants a1 - a b1 - b)\n(:predicates {predicates})\n"
            f"(:functions (total-cost) - number (weight ?v - a) - number)\n{actions})"
        )
        facts = [f"(q {a} {self.some(*OBJECTS['b'])})" for a in OBJECTS["a"] if self.rng.random() < 0.9]
        facts += [f"(s {a} {self.some(*OBJECTS['a'])})" for a in OBJECTS["a"] if self.rng.random() < 0.9]
        facts += [f"(p {self.some(*OBJECTS['a'])})", *["(r)"] * (self.rng.random() < 0.5)]
        facts += [f"(link {a} {self.some(*OBJECTS['a'])})" for a in OBJECTS["a"]]
        facts += [f"(fits {a} {self.some(*OBJECTS['b'])})" for a in OBJECTS["a"]]
        facts += [f"(= (weight {a}) {self.rng.randint(0, 3)})" for a in OBJECTS["a"]]
        goal = " ".join(self.condition({}) for _ in range(2))
        metric = "(:metric minimize (total-cost))" * (self.rng.random() < 0.5)
        problem = (
            f"(define (problem one) (:domain random) (:objects a2 a3 - a b2 - b)\n"
            f"(:init (= (total-cost) 0) {' '.join(facts)})\n(:goal (and {goal}))\n{metric})"
        )
        return domain, problem


def random_pddl(seed: int) -> tuple[str, str]:
    """Domain and problem."""
    return Maker(seed).files()
