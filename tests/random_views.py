"""Random models with views and labels of every kind: odd letters, values of any type, loops in texts, large numbers."""

from __future__ import annotations

import random

from random_models import WITH_MARKS, Maker, Scope, TypeWords, quoted

from models.puzzle import LOOKS

ODD = ('"é"', '"😀"', '"名"', '"e\u0301"', '"<b>"', '"&amp;"', '"#"', '" "', '""', '"."', '"10H"', '"x y"', '"//"',
       '"__proto__"', '"constructor"', '"a\u200db"', '"\u202e"')  # fmt: skip
DATA = ("kinds", "nums", "board", "turns", "spots", "flat", "9007199254740991 % 10", "-9007199254740991 // 3")
WORDS = {
    "colour": ("red", "white", "black", '"nonsense"', "amber", '""', '"."'),
    "piece": ("glyph", '"p"', "1"),
    "ground": ("floor", "wall", "goal", "void", "red", "cyan"),
    "size": ("1", "2", "0", "glyph", "-1", "true"),
    "look": (*LOOKS, '""'),
    "target": ('""', '" "', '"exit"', "glyph"),
}
BETWEEN = ("", "a ", "{{", "}}", "<i>", "😀", "&", ": ")


def random_view(seed: int) -> str:
    """The YAML text of a random puzzle with a view."""
    maker = Viewed(random.Random(seed), marks=seed % WITH_MARKS == 0)
    return maker.puzzle() + maker.view()


class Viewed(Maker):
    """Writes what is to be seen too."""

    def shown(self, s: Scope, d: int) -> str:
        """A value of any kind."""
        kinds = ["int", "bool", "cell", "offset", "text", "text", *["object"] * bool(self.of_kind("object"))]
        if self.chance(0.35):
            return self.rng.choice(ODD if self.chance(0.7) else DATA)
        return self.expression(self.rng.choice(kinds), s, d)

    def word(self, words: tuple[str, ...], s: Scope) -> str:
        one, other = self.rng.choice(words), self.rng.choice(words)
        return self.one(
            [lambda: one, lambda: f"({one} if {self.condition(s, 1)} else {other})", lambda: self.shown(s, 1)]
        )

    def template(self, s: Scope) -> str:
        return "".join(self.rng.choice(BETWEEN) + self.hole(s) for _ in range(self.rng.randint(1, 3)))

    def hole(self, s: Scope) -> str:
        loops, inner = self.loops(s, 1) if self.chance(0.4) else ("", s)
        return f"{{{self.shown(inner, 1)}{loops}}}"

    def label(self, s: Scope) -> list[str]:
        return [f"    label: {quoted(self.template(s))}"] if self.chance(0.5) else []

    def view(self) -> str:
        parts = self.places() if self.chance(0.8) else ["  lines:", f"    - {quoted(self.template(self.scope))}"]
        return "\n".join(["view:", *parts, f"  caption: {quoted(self.template(self.scope))}"]) + "\n"

    def places(self) -> list[str]:
        """A board of cells, or of any types; each part of it, or not."""
        small = [type_ for type_ in self.types if type_.size <= 9]
        types = self.types[:1] if self.chance(0.45) else [self.rng.choice(small) for _ in range(self.rng.randint(1, 2))]
        names, inner = [self.fresh("b") for _ in types], self.scope
        for name, type_ in zip(names, types, strict=True):
            inner = inner.bind(name, type_)
        loops = ", ".join(f"{name} in {type_.name}" for name, type_ in zip(names, types, strict=True))
        made = {"board": quoted(loops), "glyph": quoted(self.word(ODD, inner))}
        inner = inner.bind("glyph", TypeWords("", ("text",), 0, {}))
        made |= {part: quoted(self.word(words, inner)) for part, words in WORDS.items() if self.chance(0.5)}
        if types[0].name == "cell":
            made |= {"outside": self.rng.choice(("wall", "void"))} if self.chance(0.5) else {}
        elif self.chance(0.4):
            made["frame"] = self.rng.choice(("tube", "peg", "box"))
        return [f"  {part}: {value}" for part, value in made.items()]
