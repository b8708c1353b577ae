"""Small levels of the library with one to three mutations, and with claims that are mostly wrong, for `soak.py`.

A mutation is what a hand does to a file: a condition is dropped, a number is one off, a comparison turned round, two
letters of a board change places. Claims are made of the file's own expressions.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache

import yaml
from puzzle_files import PUZZLES
from shrinking import WIDE, places, reword

LEVELS = {  # those of at most some hundred states
    "atomix": ("peroxide",), "blocks_world": ("sussman", "four"), "bloxorz": ("toggle-soft-1", "stage-1"),
    "bridge_torch": ("three", "classic"), "burnt_pancake": ("two", "turned"), "freecell": ("aces", "lost"),
    "frogs_toads": ("two", "three"), "gravity_blocks": ("chain", "first", "shelf"), "hanoi": ("two-pegs", "three"),
    "ice_maze": ("first", "cave", "hall"), "key_maze": ("first", "two-doors"), "klotski": ("kinds",),
    "knights_exchange": ("quarter",), "labyrinth": ("two",), "lights_out": ("oblong", "two"), "ma": ("full",),
    "missionaries": ("one", "three", "four-in-threes"), "n_puzzle": ("row", "two-by-two"), "pancake": ("two", "four"),
    "peg_solitaire": ("cross", "triangle-10"), "pipes": ("bend", "gap"), "rings": ("bow-tie",),
    "rush_hour": ("small", "small-moves"), "sixteen": ("two-by-two",),
    "sokoban": ("corner", "little"), "topspin": ("five", "pairs"), "vehicles": ("n2",), "vehicles_in_turn": ("n2",),
    "vehicles_one_at_a_time": ("n2",), "water_jugs": ("eight", "three-five", "four-nine"),
    "water_sort": ("one-spare", "stuck"), "wolf_goat_cabbage": ("alcuin", "hay", "chain"), "word_tiles": ("tea",),
}  # fmt: skip
RULES = ("define", "actions", "goal", "always", "heuristics", "invariants")  # where expressions stand
TURNS = (("==", "!="), ("!=", "=="), ("<=", "<"), (">=", ">"), ("<", "<="), (">", ">="), (" and ", " or "),
         (" or ", " and "), (" + ", " - "), (" - ", " + "), ("not ", ""), ("all(", "any("), ("any(", "all("),
         ("min(", "max("), ("max(", "min("), ("true", "false"), ("false", "true"))  # fmt: skip


def library_model(seed: int) -> str:
    """The YAML text of one level, mutated."""
    return Mutator(random.Random(seed)).model()


@cache
def _text(name: str) -> str:
    return (PUZZLES / f"{name}.yaml").read_text(encoding="utf-8")


def entry(node: yaml.MappingNode, name: str) -> yaml.Node | None:
    """The value of a key."""
    return next((value for key, value in node.value if key.value == name), None)


class Mutator:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.name = rng.choice([*LEVELS])
        self.root = yaml.compose(_text(self.name), Loader=yaml.SafeLoader)
        self.keep_level(rng.choice(LEVELS[self.name]))

    def keep_level(self, name: str) -> None:
        """Drop all levels but one, and what nothing here looks at."""
        levels = entry(self.root, "levels")
        assert levels is not None
        levels.value = [pair for pair in levels.value if pair[0].value == name]
        assert levels.value, name
        level = levels.value[0][1]
        if isinstance(level, yaml.MappingNode):
            level.value = [pair for pair in level.value if pair[0].value not in ("known", "about")]
        self.root.value = [
            pair for pair in self.root.value if pair[0].value not in ("format", "view", "about", "accepts")
        ]

    def model(self) -> str:
        changes: tuple[Callable[[], None], ...] = (self.turn, self.turn, self.number, self.number, self.drop, self.swap)
        for _ in range(self.rng.choice((0, 1, 1, 2, 3))):
            self.rng.choice(changes)()
        claim = (self.heuristic, self.invariant, self.invariant)
        for _ in range(self.rng.choice((0, 1, 2, 2))):
            self.rng.choice(claim)()
        return yaml.serialize(self.root, width=WIDE, allow_unicode=True)

    # -- mutations -----------------------------------------------------------------------------------------------------

    def expressions(self, sections: tuple[str, ...] = RULES) -> list[yaml.ScalarNode]:
        return [node for section in sections if (part := entry(self.root, section)) is not None
                for _, node in places(part) if isinstance(node, yaml.ScalarNode)]  # fmt: skip

    def turn(self) -> None:
        """One word of an expression becomes its opposite or neighbour."""
        found = [(node, old, new) for node in self.expressions() for old, new in TURNS if old in node.value]
        if found:
            node, old, new = self.rng.choice(found)
            reword(node, _at_one(self.rng, node.value, re.escape(old), lambda _: new))

    def number(self) -> None:
        """One number of the file is one off."""
        found = [node for _, node in places(self.root)
                 if isinstance(node, yaml.ScalarNode) and re.search(r"(?<![\w.])\d+(?!\w)", node.value)]  # fmt: skip
        if found:
            node, step = self.rng.choice(found), self.rng.choice((-1, 1, 1))
            reword(
                node, _at_one(self.rng, node.value, r"(?<![\w.])\d+(?!\w)", lambda old: str(max(0, int(old) + step)))
            )

    def drop(self) -> None:
        """One entry or item of the rules, or one part of a conjunction."""
        parts = [part for name in RULES if (part := entry(self.root, name)) is not None]
        lists = [node for part in parts for _, node in places(part)
                 if isinstance(node, yaml.MappingNode | yaml.SequenceNode) and len(node.value) > 1]  # fmt: skip
        both = [node for node in self.expressions() if " and " in node.value and "(" not in node.value]
        if both and self.rng.random() < 0.4:
            node = self.rng.choice(both)
            halves = node.value.split(" and ")
            halves.pop(self.rng.randrange(len(halves)))
            reword(node, " and ".join(halves))
        elif lists:
            node = self.rng.choice(lists)
            node.value.pop(self.rng.randrange(len(node.value)))

    def swap(self) -> None:
        """Two letters of a text of the data or of the level change places."""
        parts = [part for name in ("data", "levels") if (part := entry(self.root, name)) is not None]
        rows = [node for part in parts for _, node in places(part)
                if isinstance(node, yaml.ScalarNode) and len(set(node.value)) > 1]  # fmt: skip
        if rows:
            node = self.rng.choice(rows)
            letters = list(node.value)
            one, other = (self.rng.randrange(len(letters)) for _ in range(2))
            letters[one], letters[other] = letters[other], letters[one]
            reword(node, "".join(letters))

    # -- claims --------------------------------------------------------------------------------------------------------

    def heuristic(self) -> None:
        """One of the file's numbers, made worse."""
        known = [node.value for node in self.expressions(("heuristics",))] or ["0", "1"]
        one, other = self.rng.choice(known), self.rng.choice(known)
        goal = " and ".join(f"({node.value})" for node in self.expressions(("goal",)))
        text = self.rng.choice(
            [f"2 * ({one})", f"({one}) + 1", f"({one}) // 2", f"max({one}, {other})", f"({one}) + ({other})"]
            + [f"(0 if {goal} else 1)", f"(0 if {goal} else 3)", f"(({one}) if {goal} else 0)", f"({one}) - 1"]
        )
        name = self.rng.choice(("more", "same"))
        self.put("heuristics", name, text)
        if self.rng.random() < 0.7:
            self.put("claims", name, self.rng.choice(("consistent", "admissible")))

    def invariant(self) -> None:
        """One of the file's expressions, which mostly changes."""
        known = [node.value for node in self.expressions(("goal", "heuristics", "invariants", "always"))]
        known += [node.value for node in self.expressions(("define",)) if "," not in node.value] + ["1"]
        one = self.rng.choice(known)
        texts = (one, one, f"({one}) % 2", f"not ({one})", f"inside({one})", f"({one}) == 0")
        self.put("invariants", self.rng.choice(("more", "same", "kept")), self.rng.choice(texts))

    def put(self, section: str, name: str, text: str) -> None:
        found = entry(self.root, section)
        if found is None:
            found = yaml.MappingNode("tag:yaml.org,2002:map", [], flow_style=False)
            self.root.value.append((yaml.ScalarNode("tag:yaml.org,2002:str", section), found))
        found.value = [pair for pair in found.value if pair[0].value != name]
        style = None if section == "claims" else "'"
        found.value.append((yaml.ScalarNode("tag:yaml.org,2002:str", name),
                            yaml.ScalarNode("tag:yaml.org,2002:str", text, style=style)))  # fmt: skip


def _at_one(rng: random.Random, text: str, pattern: str, change: Callable[[str], str]) -> str:
    """The text with one of the pattern's places changed."""
    found = [*re.finditer(pattern, text)]
    chosen = rng.choice(found)
    return text[: chosen.start()] + change(chosen[0]) + text[chosen.end() :]


def all_levels() -> Iterator[tuple[str, str]]:
    """Every level that is mutated."""
    yield from ((name, level) for name, levels in LEVELS.items() for level in levels)
