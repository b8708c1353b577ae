"""Random small models that make wrong claims, as YAML text: for `soak.py`.

`random_models.py` walks the grammar; here a model is put together of *parts* that authors write (a counter, a place in
a graph, a walker on a board, lamps with weights, a box that may be empty, more cells than a word has bits, a team that
moves at once), and each part knows what may be said about it: numbers, numbers that are undefined somewhere and where,
estimates that are nearly right, what really never changes. Claims are drawn from that, right and wrong, and made worse:
an action leaps from just where a claim is undefined, a heuristic and an invariant share their name, a cost is 2^45
beside one of 0. The reachable states stay few, so that the truth can be had.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from random_models import quoted, random_board, random_claims

BIG = (1 << 40) - 1, 1 << 40, 1 << 41, 1 << 45, (1 << 52) + 1, (1 << 53) - 1
NAMES = ("k", "h", "steps", "go", "walk")  # of claims, metrics, actions: each is free to mean several things


def wild_model(seed: int) -> str:
    """The YAML text of a random model."""
    rng = random.Random(seed)
    kind = rng.random()
    if kind < 0.12:
        return random_claims(rng.getrandbits(32))
    if kind < 0.18:
        return random_board(rng.getrandbits(32))
    return Wild(rng).model()


class Raw(str):
    """YAML as it stands; any other text is an expression."""


@dataclass(frozen=True)
class Hole:
    """An expression that is undefined just where `test` holds, and effects that lead there."""

    text: str
    test: str
    into: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Part:
    """What may be said about some variables."""

    numbers: list[str] = field(default_factory=list)
    holes: list[Hole] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    estimates: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # of these, some really never change
    goals: list[str] = field(default_factory=list)
    leaps: list[dict[str, str]] = field(default_factory=list)  # effects that stay within the types
    alike: list[str] = field(default_factory=list)  # items of `interchangeable`
    mirrors: bool = False

    def add(self, other: Part) -> None:
        for name, value in vars(other).items():
            if isinstance(value, list):
                getattr(self, name).extend(value)
        self.mirrors |= other.mirrors


class Wild:
    def __init__(self, rng: random.Random) -> None:
        self.rng, self.counter = rng, 0
        self.data: dict[str, str] = {}
        self.draw: dict[str, str] = {}
        self.types: dict[str, str] = {}
        self.state: dict[str, str] = {}
        self.define: dict[str, str] = {}
        self.actions: dict[str, dict[str, object]] = {}
        self.stated: dict[str, list[str]] = {}  # a scalar variable: values that a level may give it
        self.metrics: tuple[str, ...] = ()
        self.known = Part()
        self.goals: list[str] = []
        self.trap: tuple[str, str] | None = None  # an estimate, and an invariant without which it is wrong
        self.start: dict[str, str] = {}  # from where it is wrong
        self.lengths: dict[str, int] = {}  # of steps that may be priced by them
        self.beside: dict[str, str] = {}  # invariants that others need, or seem to need
        self.twins = self.chance(0.15)  # a heuristic that is right and an invariant that is not have one name

    # -- chance --------------------------------------------------------------------------------------------------------

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"

    def one(self, *options: Callable[[], str]) -> str:
        return self.rng.choice(options)()

    def action(self, stem: str, **keys: object) -> str:
        name = self.fresh(stem)
        self.actions[name] = {key: value for key, value in keys.items() if value}
        return name

    # -- parts ---------------------------------------------------------------------------------------------------------

    def count(self) -> Part:
        """A number that goes up and down."""
        rng, x, num, top = self.rng, self.fresh("x"), self.fresh("num"), self.rng.randint(2, 6)
        end, first, step = rng.randint(1, top), rng.randint(0, 1), rng.choice((1, 1, 1, 2))
        self.types[num] = f"0 .. {top}"
        self.state[x] = f"{num} = {first}"
        self.stated[x] = [str(value) for value in range(top + 1)]
        self.action("up", when=[f"{x} < {top}"] * self.chance(0.5), effect={x: f"{x} + {step}"})
        if self.chance(0.4):
            self.action("down", when=[f"{x} > 1"] * self.chance(0.5), effect={x: f"{x} - {step}"})
        if self.chance(0.2):
            rounds = Raw("stable" if top % 2 else "6")
            self.action("sink", effect={x: f"{x} + 0"}, then=[{"repeat": rounds, x: f"{x} - 1 if {x} > 0"}])
        short, parts = self.short(x, top)
        nums, recs = self.fresh("nums"), self.fresh("recs")
        self.data[nums] = str([rng.randint(0, 5) for _ in range(short)])
        gone = sorted(rng.sample(range(top + 1), rng.randint(1, 2)))
        items = [f"{{{'other' if v in gone else 'w'}: {rng.randint(0, 4)}}}" for v in range(top + 1)]
        self.data[recs] = f"[{', '.join(items)}]"
        return Part(
            numbers=[x, f"{top} - {x}", f"abs({x} - {end})", f"{x} // 2", f"{x} % 2", f"{x} * {x}"],
            holes=[
                Hole(f"{nums}[{x}]", f"{x} >= {short}", {x: str(top)}),
                Hole(f"{recs}[{x}].w", f"{x} in [{', '.join(map(str, gone))}]", {x: str(gone[0])}),
                Hole(f"first(i for i in {num} if i > {x})", f"{x} == {top}", {x: str(top)}),
                Hole(f"min(i for i in {num} if i == {x} + 2)", f"{x} > {top - 2}", {x: str(top)}),
                Hole(f"max(i for i in {num} if i < {x})", f"{x} == 0", {x: "0"}),
                *parts,
            ],
            tests=[f"{x} == {end}", f"{x} < {end}", f"{x} != {rng.randint(0, top)}", f"{x} % 2 == {first % 2}"],
            estimates=[f"abs({end} - {x})", f"max(0, {end} - {x})", f"(abs({end} - {x}) + {step - 1}) // {step}"],
            kept=[f"{x} % 2", f"{x} <= {max(first, rng.randint(0, top))}", f"{x} >= {first}", f"{x} != {top}"],
            goals=[f"{x} == {end}", f"{x} >= {end}"],
            leaps=[{x: str(end)}, {x: str(rng.randint(0, top))}],
        )

    def short(self, x: str, top: int) -> tuple[int, list[Hole]]:
        """The length of a list that is too short for x, and an estimate by such a list."""
        short, dist = self.rng.randint(1, top), self.fresh("dist")
        self.data[dist] = str([top - value for value in range(short)])
        return short, [Hole(f"{dist}[{x}]", f"{x} >= {short}", {x: str(short)})]

    def place(self) -> Part:
        """A word that changes along the arrows of a graph; the table of distances lacks what the arrows do not join."""
        rng, at, where = self.rng, self.fresh("at"), self.fresh("place")
        words = [self.fresh("p") for _ in range(rng.randint(3, 6))]
        arrows = {word: sorted(set(rng.choices(words, k=rng.randint(0, 2)))) for word in words}
        arrows[words[0]] = sorted({*arrows[words[0]], rng.choice(words[1:])})
        end, table, tbl, ways = rng.choice(words[1:]), self.fresh("dist"), self.fresh("tbl"), self.fresh("next")
        far = distances(arrows, end)
        self.types[where] = f"[{', '.join(words)}]"
        self.state[at] = f"{where} = {words[0]}"
        self.stated[at] = words
        self.data[ways] = f"{{{', '.join(f'{word}: [{chr(44).join(to)}]' for word, to in arrows.items())}}}"
        self.data[table] = f"{{{', '.join(f'{word}: {far[word]}' for word in words if word in far)}}}"
        kept = sorted(rng.sample(words, rng.randint(1, len(words) - 1)))
        self.data[tbl] = f"{{{', '.join(f'{word}: {rng.randint(0, 4)}' for word in kept)}}}"
        self.action("go", params={"q": where}, when=[f"q in {ways}[{at}]"], effect={at: "q"})
        lost = [word for word in words if word not in far]
        closed = reached(arrows, words[0])
        holes = [
            Hole(f"{tbl}[{at}]", f"{at} not in [{', '.join(kept)}]", {at: next(w for w in words if w not in kept)})
        ]
        if lost:
            holes += [Hole(f"{table}[{at}]", f"{at} in [{', '.join(lost)}]", {at: lost[0]})] * 2
        strange = [word for word in words if word not in closed]
        more = self.fresh("more")  # too far, where it is strange
        wrong = strange if self.chance(0.5) else strange[-1:]
        self.data[more] = f"{{{', '.join(f'{w}: {far.get(w, 0) + 3 * (w in wrong)}' for w in words)}}}"
        if strange and self.chance(0.5):
            self.trap, self.start = (f"{more}[{at}]", f"{at} in [{', '.join(sorted(closed))}]"), {at: strange[-1]}
        return Part(
            numbers=[f"index({at})", f"(1 if {at} == {end} else 0)", f"len({ways}[{at}])"],
            holes=holes,
            tests=[f"{at} == {end}", f"{at} != {rng.choice(words)}", f"{at} in [{', '.join(kept)}]"],
            estimates=[f"{table}[{at}]", f"{more}[{at}]", f"(0 if {at} == {end} else 1)"],
            kept=[f"{at} in [{', '.join(sorted(closed))}]", *(f"{at} != {word}" for word in strange), f"{tbl}[{at}]"],
            goals=[f"{at} == {end}"],
            leaps=[{at: end}, {at: rng.choice(words)}, *({at: word} for word in (lost + strange)[:2])],
        )

    def aside(self) -> Part:
        """A place in a graph of which the start sees a part only; elsewhere an estimate is too large, after one step.

        That it never gets there is true from the start and from nowhere aside, and no proof by single steps.
        """
        rng, at, where = self.rng, self.fresh("at"), self.fresh("place")
        way, detour = ([self.fresh("p") for _ in range(rng.randint(low, 3))] for low in (2, 2))
        end, first, short = self.fresh("p"), self.fresh("p"), self.fresh("p")
        arrows = {one: [other] for words in (way, detour) for one, other in zip(words, [*words[1:], end], strict=True)}
        arrows |= {end: [], first: [detour[0], short], short: [end]}
        words, ways, trap = [*arrows], self.fresh("next"), self.fresh("trap")
        rng.shuffle(words)
        far = {word: steps for word, steps in distances(arrows, end).items()}
        far |= {first: len(detour) + 1, short: len(detour) + rng.randint(2, 9)}
        self.types[where] = f"[{', '.join(words)}]"
        self.state[at] = f"{where} = {way[0]}"
        self.start = {at: first}
        self.data[ways] = f"{{{', '.join(f'{word}: [{chr(44).join(arrows[word])}]' for word in words)}}}"
        self.data[trap] = f"{{{', '.join(f'{word}: {far[word]}' for word in words)}}}"
        self.action("go", params={"q": where}, when=[f"q in {ways}[{at}]"], effect={at: "q"})
        self.trap = f"{trap}[{at}]", f"{at} != {short}"
        gone = rng.choice(words)
        self.data[table := self.fresh("tbl")] = (
            f"{{{', '.join(f'{word}: {far[word]}' for word in words if word != gone)}}}"
        )
        return Part(
            numbers=[f"index({at})", f"{trap}[{at}]"],
            holes=[Hole(f"{table}[{at}]", f"{at} == {gone}")],
            tests=[f"{at} != {short}", f"{at} == {end}", f"{at} != {first}"],
            estimates=[f"{trap}[{at}]", f"(0 if {at} == {end} else 1)"],
            kept=[f"{at} != {short}", f"{at} not in [{short}, {first}]"],
            goals=[f"{at} == {end}"],
        )

    def walk(self) -> Part:
        """A walker on a board with walls, and gates."""
        rng, at, cell, out = self.rng, self.fresh("at"), self.fresh("cell"), self.fresh("out")
        rows, cols = rng.choice([(1, 5), (2, 4), (3, 3), (3, 4), (3, 5)])
        board = [[rng.choice("....#b") for _ in range(cols)] for _ in range(rows)]
        if rows == 3 and self.chance(0.7):
            board[1] = ["#"] * cols
        places = rng.sample([(r, c) for r in range(rows) for c in range(cols)], 2)
        for (row, col), letter in zip(places, "SX", strict=True):
            board[row][col] = letter
        name = self.fresh("board")
        self.data[name] = f"[{', '.join(quoted(''.join(row)) for row in board)}]"
        self.types[cell] = f'cells({name}, omit="#", plain="SXb.")'
        find = f'first(c for c in {cell} if {name}[c] == "S")'
        self.state[at] = f"{cell} = {find}"
        self.define[out] = f'first(c for c in {cell} if {name}[c] == "X")'
        free = [(r, c) for r in range(rows) for c in range(cols) if board[r][c] != "#"]
        self.stated[at] = [f"[{r}, {c}]" for r, c in free]
        if self.chance(0.5):
            self.action("walk", params={"q": cell, "d": "direction"}, when=[f"{at} == q"], effect={at: "q + d"})
        else:
            self.action("walk", params={"d": "direction"}, effect={at: f"{at} + d"})
        leaps = [{at: f"{cell}({r}, {c})"} for r, c in rng.sample(free, min(3, len(free)))]
        if self.chance(0.6):
            letter = rng.choice("bSX.")
            self.action("gate", when=[f'{name}[{at}] == "{letter}"'], effect=rng.choice([*leaps, {at: out}]))
        flat, way = self.fresh("flat"), rng.choice(("up", "down", "left", "right"))
        self.data[flat] = str([rng.randint(0, 4) for _ in range(rng.randint(1, len(free)))])
        lost = [f"steps({at}, {out})"] * 3 + [f"steps({at} + {way}, {out})", f"distance({at} + {way}, {out})"]
        lost += [f"({at} + {way}).col", f"{flat}[{at}]", f"first(c for c in {cell} if c > {at}).row",
                 f"distance({at}, first(c for c in ray({at} + {way}, {way}) if {name}[c] == \"b\"))"]  # fmt: skip
        return Part(
            numbers=[f"{at}.row", f"{at}.col", f"distance({at}, {out})", f"({at}.row + {at}.col) % 2", f"index({at})"],
            holes=[Hole(text, f"not inside({text})", rng.choice(leaps)) for text in lost],
            tests=[f"{at} == {out}", f"{at}.row == 0", f'{name}[{at}] == "b"', f"inside({at} + {way})"],
            estimates=[f"steps({at}, {out})", f"distance({at}, {out})", f"abs({at}.col - {out}.col)"],
            kept=[f"{at}.row", f"{at}.row < 2", f"inside(steps({at}, {find}))", f"{at} != {out}"],
            goals=[f"{at} == {out}"],
            leaps=[*leaps, {at: out}],
        )

    def lamps(self) -> Part:
        """Switches with weights."""
        rng, on, lamp, w = self.rng, self.fresh("on"), self.fresh("lamp"), self.fresh("w")
        number = rng.choice((2, 3, 4, 4))
        weights = [rng.choice((1, 1, 2, 3)) for _ in range(number)]
        if self.chance(0.3):
            weights[0] = rng.choice(BIG)
        if self.chance(0.3):
            self.draw[w] = f"shuffle({weights})"
        if w not in self.draw:
            self.data[w] = str(weights)
        self.types[lamp] = f"keys({w})"
        self.state[f"{on}[k in {lamp}]"] = f"bool = {'false' if self.chance(0.8) else 'k == 0'}"
        once = [f"not {on}[q]"] * self.chance(0.5)
        self.action("flip", params={"q": lamp}, when=once, effect={f"{on}[q]": f"not {on}[q]"})
        total = f"sum({w}[k] for k in {lamp} if {on}[k])"
        lit, shapes, short = f"count(k for k in {lamp} if {on}[k])", self.fresh("shape"), self.fresh("short")
        self.data[shapes] = str([rng.choice((0, 0, 1)) for _ in range(number)])
        self.data[short] = str([rng.randint(0, 3) for _ in range(rng.randint(1, number))])
        few = rng.randint(1, min(3, number))
        least = sum(sorted(weights)[:few]) + rng.randint(0, 1)
        some = rng.randrange(number)
        return Part(
            numbers=[lit, f"{number} - {lit}", f"{lit} % 2", total],
            holes=[
                Hole(f"min(k for k in {lamp} if {on}[k])", f"{lit} == 0", {f"{on}[{some}]": "false"}),
                Hole(f"{short}[first(k for k in {lamp} if {on}[k])]", f"{lit} == 0"),
                Hole(
                    f"sum({short}[k] for k in {lamp} if {on}[k])", f"{lit} == {number}", {f"{on}[{number - 1}]": "true"}
                ),
            ],
            tests=[f"{on}[{some}]", f"{lit} < {few}", f"any({on}[k] for k in {lamp})", f"{lit} != 1"],
            estimates=[
                f"max(0, {few} - {lit})",
                f"count(k for k in {lamp} if not {on}[k])",
                f"max({number} - {lit}, 0) // 2",
            ],
            kept=[f"{lit} % 2", f"{on}[{some}]", f"{lit} <= {number - 1}", f"not {on}[0]"],
            goals=[f"{total} >= {least}", f"{lit} == {few}", f"{total} > {least - 1}", f"{total} % 3 == {least % 3}"],
            leaps=[{f"{on}[{some}]": "true"}, {f"{on}[0]": "false"}],
            alike=[lamp, f"{{{lamp}: {shapes}}}", f"{{{lamp}: {w}}}"],
        )

    def heavy(self) -> Part:
        """Many weights, one of them beyond what a solver likes to add up."""
        rng, n, base, load, w = self.rng, self.fresh("n"), self.fresh("base"), self.fresh("load"), self.fresh("w")
        size, switches = rng.choice((8, 8, 9)), self.chance(0.5)
        weights = [rng.choice(BIG[:4]), *(2 ** (k + 1) + 1 for k in range(size - 1))]
        rng.shuffle(weights)
        self.data[w], self.types[load] = str(weights), f"keys({w})"
        self.state[f"{n}[k in {load}]"] = "bool = false" if switches else "0 .. 3 = 0"
        self.state[base] = f"0 .. 1 = {rng.randint(0, 1)}"
        self.stated[base] = ["0", "1"]
        few = f"count(j for j in {load} if {n}[j]) < 2" if switches else f"all({n}[j] == 0 for j in {load} if j != q)"
        new = f"not {n}[q]" if switches else f"{n}[q] + 1"
        self.action("put", params={"q": load}, when=[few], effect={f"{n}[q]": new})
        self.action("shift", when=[f"{base} == 1"], effect={base: "0"})
        total = f"sum({w}[k] for k in {load} if {n}[k])" if switches else f"sum({w}[k] * {n}[k] for k in {load})"
        small, short = sum(sorted(weights)[:-1]), self.fresh("short")
        self.data[short] = str([0] * (size - 1))
        first = f"first(k for k in {load} if {n}[k]{'' if switches else ' > 0'})"
        return Part(
            numbers=[total, base, f"{total} // {BIG[1]}"],
            holes=[Hole(f"{short}[{first}]", f"not inside({short}[{first}])")],
            tests=[f"{total} > {small // 2} + {base}", f"{base} == 0", f"{total} < {BIG[1]}", f"{total} != 3"],
            estimates=[base, f"(0 if {total} > {small // 2} + {base} else 1)"],
            kept=[f"{total} % 2", f"{total} < {BIG[3]}", f"{base}", f"{total} <= {small}"],
            goals=[
                f"{total} > {rng.choice((small * 3 // 5, small // 2, small))} + {base}",
                f"{total} % 16 == 5 - {base}",
            ],
            leaps=[{base: "0"}, {base: "1"}],
        )

    def box(self) -> Part:
        """A number or nothing."""
        rng, y, num, held = self.rng, self.fresh("y"), self.fresh("num"), self.fresh("held")
        top, word = rng.randint(1, 3), self.fresh("none")
        self.types[num] = f"0 .. {top}"
        self.types[held] = f"{num} or {word}"
        self.state[y] = f"{held} = {rng.choice((word, word, '0'))}"
        self.stated[y] = [word, *map(str, range(top + 1))]
        self.action("take", when=[f"{y} == {word}"], effect={y: str(rng.randint(0, top))})
        if self.chance(0.6):
            self.action("drop", when=[f"{y} != {word}"], effect={y: word})
        if self.chance(0.7):
            self.action("more", effect={y: f"{y} + 1"})
        nums = self.fresh("nums")
        self.data[nums] = str([rng.randint(0, 3) for _ in range(top + 1)])
        end = rng.choice([word, *map(str, range(top + 1))])
        return Part(
            numbers=[f"index({y})", f"(0 if {y} == {word} else 1)", f"({y} if {y} != {word} else {top})"],
            holes=[Hole(text, f"{y} == {word}", {y: word}) for text in (f"{y} + 1", f"{top} - {y}", f"{nums}[{y}]")],
            tests=[f"{y} == {word}", f"{y} != {word}", f"{y} == {end}", f"{y} > 0"],
            estimates=[f"(0 if {y} == {end} else 1)", f"{top} - {y}", f"max(0, {top} - {y})"],
            kept=[f"{y} != {word}", f"{y} == {word}", f"{y} != {top}", f"{y} - {y}"],
            goals=[f"{y} == {end}", f"{y} == {top}"],
            leaps=[{y: end}, {y: word}, {y: str(top)}],
        )

    def wide(self) -> Part:
        """A token on more cells than a word has bits."""
        rng, on, cell, size = self.rng, self.fresh("on"), self.fresh("num"), self.rng.randint(65, 72)
        self.types[cell] = f"0 .. {size - 1}"
        self.state[f"{on}[c in {cell}]"] = "bool = c == 0"
        self.action("slide", params={"q": cell}, when=[f"{on}[q]", "inside(q + 1)"],
                    effect={f"{on}[q]": "false", f"{on}[q + 1]": "true"})  # fmt: skip
        goal, lit = rng.randint(1, 5), f"count(c for c in {cell} if {on}[c])"
        return Part(
            numbers=[lit, f"(0 if {on}[{goal}] else 1)"],
            holes=[
                Hole(f"first(c for c in {cell} if {on}[c] and c > 3)", f"not any({on}[c] for c in {cell} if c > 3)")
            ],
            tests=[f"{on}[{goal}]", f"{lit} == 1"],
            estimates=[f"(0 if {on}[{goal}] else 1)"],
            kept=[f"{lit} == 1", f"{lit}", f"not {on}[{goal}]"],
            goals=[f"{on}[{goal}]"],
            leaps=[{f"{on}[{goal}]": "true"}],
        )

    def mirrored(self) -> Part:
        """A token with two sides on a board that has mirrors; it takes more than a word."""
        rng, on, cell, side = self.rng, self.fresh("on"), self.fresh("cell"), self.fresh("side")
        self.types[cell], self.types[side] = "grid(6, 6)", "0 .. 2"
        first, corners = (rng.randint(0, 5), rng.randint(0, 5)), [(0, 0), (0, 5), (5, 0), (5, 5)]
        self.state[f"{on}[c in {cell}]"] = f"{side} = 1 if c == {cell}{first} else 0"
        self.action("slide", params={"q": cell, "d": "direction"}, when=[f"{on}[q] > 0", "inside(q + d)"],
                    effect={f"{on}[q]": "0", f"{on}[q + d]": f"3 - {on}[q]"})  # fmt: skip
        goals = rng.choice([corners, corners, corners[::3], [(0, rng.randint(0, 5))]])
        there, lit = (
            " or ".join(f"{on}[{cell}{goal}] > 0" for goal in goals),
            f"count(c for c in {cell} if {on}[c] > 0)",
        )
        return Part(
            numbers=[lit, f"(0 if {there} else 1)", f"sum({on}[c] for c in {cell})"],
            holes=[
                Hole(
                    f"first(c for c in {cell} if {on}[c] > 0 and c.row > 2).col",
                    f"not any({on}[c] > 0 for c in {cell} if c.row > 2)",
                )
            ],
            tests=[f"({there})", f"{lit} == 1"],
            estimates=[f"(0 if {there} else 1)"],
            kept=[f"{lit} == 1", lit, f"not ({there})"],
            goals=[f"({there})"],
            leaps=[{f"{on}[{cell}{goals[-1]}]": "0"}],
            mirrors=True,
        )

    def team(self) -> Part:
        """Some that move at once."""
        rng, at, who, num, move = self.rng, self.fresh("at"), self.fresh("who"), self.fresh("num"), self.fresh("step")
        top, size = rng.randint(1, 3), rng.randint(2, 3)
        things = self.chance(0.5)
        words = [self.fresh("w") for _ in range(size)]
        self.types[who] = f"objects({size})" if things else f"[{', '.join(words)}]"
        self.types[num], self.types[move] = f"0 .. {top}", f"0 .. {rng.randint(1, 2)}"
        self.state[f"{at}[w in {who}]"] = f"{num} = 0"
        body = {"params": {f"m[w in {who}]": move}, "effect": {f"{at}[w]": f"{at}[w] + m[w] for w in {who}"}}
        if self.chance(0.4):
            body["when"] = [f"sum(m[w] for w in {who}) < {size}"]
        self.action("team", **body)
        total = f"sum({at}[w] for w in {who})"
        nums = self.fresh("nums")
        self.data[nums] = str([rng.randint(0, 3) for _ in range(rng.randint(1, top))])
        low = f"min({at}[w] for w in {who})"
        return Part(
            numbers=[total, low, f"{top} - {low}"],
            holes=[Hole(f"{nums}[max({at}[w] for w in {who})]", f"not inside({nums}[max({at}[w] for w in {who})])"),
                   Hole(f"{at}[first(w for w in {who} if {at}[w] > 0)]", f"{total} == 0")],
            tests=[f"{total} == {top}", f"all({at}[w] == {at}[v] for w in {who} for v in {who})"],
            estimates=[f"{top} - {low}", f"({top * size} - {total}) // {size}", f"{top * size} - {total}"],
            kept=[f"{total} % 2", f"{low} == 0"],
            goals=[f"{low} == {top}", f"{total} == {top}"],
            leaps=[],
            alike=[who],
        )  # fmt: skip

    def order(self) -> Part:
        """Tiles that change places, some of them perhaps alike; what is true of permutations only is said of them."""
        rng, at, slot, tile = self.rng, self.fresh("at"), self.fresh("slot"), self.fresh("tile")
        size = rng.choice((3, 3, 4))
        places, first, want = [*range(size)], [*range(size)], self.fresh("want")
        rng.shuffle(first)
        if self.chance(0.35):
            first[0] = first[-1]
        begin = self.fresh("begin")
        self.data[begin], self.data[want] = str(first), str([*range(size)])
        self.types[slot], self.types[tile] = f"0 .. {size - 1}", f"0 .. {size - 1}"
        self.state[f"{at}[s in {slot}]"] = f"{tile} = {begin}[s]"
        lengths = rng.choice(((2,), (3,), (2, 3, size)))
        for _ in range(rng.choice((1, 2, 2, 3))):
            some = rng.sample(places, rng.choice(lengths))
            after = dict(zip(some, [*some[1:], some[0]], strict=True))
            if len(some) == 4 and self.chance(0.5):
                after = {some[0]: some[1], some[1]: some[0], some[2]: some[3], some[3]: some[2]}
            if len(some) > 2 and self.chance(0.25):
                after[some[0]] = some[2]  # a copy
            when = [f"{at}[{some[0]}] == {rng.choice(places)}"] * self.chance(0.2)
            self.action("turn", when=when, effect={f"{at}[{i}]": f"{at}[{j}]" for i, j in after.items()})
        held = [f"count(s for s in {slot} if {at}[s] == {tile}) == {first.count(tile)}" for tile in places]
        pairs = f"for a in {slot} for b in {slot} if a < b"
        odd, few = (f"count(a {pairs}{but} and {at}[a] > {at}[b]) % 2" for but in ("", f" and b - a < {size - 1}"))
        home = f"count(s for s in {slot} if {at}[s] == {want}[s])"
        at_home = f"{home} == {sum(a == b for a, b in enumerate(first))}"
        self.beside = {"once": " and ".join(held[self.chance(0.2) :]), "few": few, "odd": odd, "home": at_home}
        return Part(
            numbers=[home, f"{at}[0]", f"count(a {pairs} and {at}[a] > {at}[b])"],
            holes=[Hole(f"first(s for s in {slot} if {at}[s] == {want}[s])", f"{home} == 0")],
            tests=[f"{at}[0] == 0", f"{home} == {size}", f"{at}[0] < {at}[1]"],
            estimates=[f"({size} - {home}) // 2", f"(0 if {home} == {size} else 1)"],
            kept=[odd, home, held[0]],
            goals=[f"{home} == {size}", f"{at}[{rng.choice(places)}] == {rng.choice(first)}"],
        )

    def ways(self) -> Part:
        """Ways of one length, in few or in many steps: what they cost besides decides."""
        rng, x, num, end = self.rng, self.fresh("x"), self.fresh("num"), self.rng.randint(3, 5)
        self.types[num] = f"0 .. {end}"
        self.state[x] = f"{num} = 0"
        for length in (1, 2, rng.randint(1, 3)):
            name = self.action("go", when=[f"{x} <= {end - length}"], effect={x: f"{x} + {length}"})
            self.lengths[name] = length
        nums = self.fresh("nums")
        self.data[nums] = str([rng.randint(0, 3) for _ in range(end)])
        return Part(
            numbers=[x, f"{end} - {x}"],
            holes=[Hole(f"{nums}[{x}]", f"{x} == {end}")],
            tests=[f"{x} < {end}", f"{x} % 2 == 0", f"{x} == {rng.randint(1, end)}"],
            estimates=[f"{end} - {x}", f"(0 if {x} == {end} else 1)"],
            kept=[f"{x} <= {end - 1}", f"{x} % 2"],
            goals=[f"{x} == {end}"],
        )

    def long(self) -> Part:
        """Two numbers that jump, and a sum of them of more values than anyone lists: its ends matter, and its parts."""
        rng, x, y, num, size = self.rng, self.fresh("x"), self.fresh("y"), self.fresh("num"), 70
        top = size - 1
        self.types[num] = f"0 .. {top}"
        self.state |= {x: f"{num} = 0", y: f"{num} = 0"}
        some = sorted({top, *rng.sample(range(top), 3)})
        back = self.chance(0.2)
        self.action("jump", params={"q": num}, when=[f"{x} == 0"],
                    effect={x: "q", y: f"{top} - q" if back else "q"})  # fmt: skip
        if self.chance(0.5):
            self.action("home", effect={x: "0", y: "0"})
        total, sums = f"({size} * {x} + {y})", [size * q + (top - q if back else q) for q in some]
        few, end, divisor = (
            rng.randint(0, 9),
            rng.choice((sums[-1], sums[-1], rng.choice(sums))),
            rng.choice((3, 5, 7, 64, 1000)),
        )
        large = rng.choice(
            (f"max({total}, {few})", f"min({total}, {size * size})", f"({total} if {x} > {few} else {few})", total)
        )
        far, base, unit, times = self.fresh("far"), 1 << 14, 1 << 37, 1 << 13
        self.data[far] = str([base + (0 if q in some else rng.randint(1, 3)) for q in range(size)])
        apart = f"({times} * ({unit} * {far}[{x}] + {unit} * {far}[{y}] - {2 * unit * base}))"  # less 2^65
        nums = self.fresh("nums")
        self.data[nums] = str([rng.randint(0, 3) for _ in range(size - 1)])
        return Part(
            numbers=[large, f"{large} % {divisor}", f"{large} // {divisor}", f"{apart} // {unit}"],
            holes=[Hole(f"{nums}[{x}]", f"{x} == {top}", {x: str(top)})],
            tests=[f"{large} == {end}", f"{large} % {divisor} == {end % divisor}", f"{large} < {end}", f"{apart} > 0"],
            estimates=[f"(0 if {large} == {end} else 1)", f"{apart} // {unit * times}", f"({end} - {large})"],
            kept=[f"{large} <= {end}", f"{large} != {end}", f"{large} % {divisor}", f"{apart} == 0", apart],
            goals=[f"{large} == {end}", f"{large} >= {end}", f"{large} % {divisor} == {end % divisor}"],
            leaps=[{x: "0"}, {x: str(top)}],
        )

    def hand(self) -> Part:
        """One of many that are alike, and nothing else."""
        rng, held, thing, word = self.rng, self.fresh("held"), self.fresh("thing"), self.fresh("none")
        kind, size = self.fresh("kind"), rng.choice((3, 16, 17, 18))
        self.types[thing], self.types[kind] = f"objects({size})", f"{thing} or {word}"
        hole = Hole(f"index(first(o for o in {thing} if {held} == o))", f"{held} == {word}", {held: word})
        if size == 3:  # letters of a map, of which some are alike
            map_, worth = self.fresh("map"), self.fresh("worth")
            self.data |= {map_: '["a.b", "b.."]', worth: "{a: 1, b: 0}"}
            self.types[thing] = f'marks({map_}, "ab")'
            hole = Hole(f"{worth}[letter({held})]", f"{held} == {word}", {held: word})
        self.state[held] = f"{kind} = {word}"
        self.action("take", params={"q": thing}, when=[f"{held} == {word}"], effect={held: "q"})
        if self.chance(0.5):
            self.action("put", when=[f"{held} != {word}"], effect={held: word})
        return Part(
            numbers=[f"(0 if {held} == {word} else 1)"],
            holes=[hole],
            tests=[f"{held} == {word}", f"{held} != {word}"],
            estimates=[f"(1 if {held} == {word} else 0)"],
            kept=[f"{held} != {word}"],
            goals=[f"{held} != {word}"],
            alike=[thing],
        )

    # -- what is said of them ------------------------------------------------------------------------------------------

    def number(self, depth: int = 1) -> str:
        """An integer, perhaps undefined somewhere."""
        known, rng = self.known, self.rng
        leaf = lambda: rng.choice(rng.choice([known.numbers, known.estimates, [h.text for h in known.holes]]))  # noqa: E731
        if depth <= 0:
            return leaf()
        inner = lambda: self.number(depth - 1)  # noqa: E731
        return self.one(
            leaf, leaf,
            lambda: f"({inner()} + {inner()})", lambda: f"({inner()} - {inner()})",
            lambda: f"{rng.choice(('min', 'max'))}({inner()}, {inner()})",
            lambda: f"({inner()} if {self.test(0)} else {inner()})",
            lambda: f"(({inner()}) {rng.choice(('//', '%'))} {rng.randint(2, 3)})",
            lambda: f"({rng.choice((2, 3, -1, *BIG[:3]))} * ({inner()}))",
            lambda: f"abs({inner()})", lambda: str(rng.choice((0, 1, 2, *BIG))),
        )  # fmt: skip

    def test(self, depth: int = 1) -> str:
        known, rng = self.known, self.rng
        if depth <= 0:
            return rng.choice(known.tests)
        return self.one(
            lambda: self.test(0), lambda: self.test(0),
            lambda: f"({self.test(0)} {rng.choice(('and', 'or'))} {self.test(0)})", lambda: f"(not {self.test(0)})",
            lambda: f"({self.number(0)} {rng.choice(('==', '!=', '<', '<='))} {self.number(0)})",
            lambda: f"{'not ' * self.chance(0.5)}inside({rng.choice(known.holes).text})",
        )  # fmt: skip

    @property
    def missing(self) -> str:
        """1 where the goal is not reached."""
        return f"(0 if {' and '.join(f'({goal})' for goal in self.goals)} else 1)"

    def estimate(self) -> str:
        """What a heuristic says: nearly right, undefined somewhere, or anything."""
        known, rng = self.known, self.rng
        right = lambda: rng.choice(known.estimates)  # noqa: E731
        return self.one(
            lambda: self.missing,
            lambda: self.missing,
            right, right, right, lambda: self.theme.text, lambda: self.theme.text,
            lambda: f"max({right()}, {right()})", lambda: f"({right()} + {right()})",
            lambda: f"({self.theme.text} if {self.test(0)} else {right()})",
            lambda: f"({right()} if inside({self.theme.text}) else {rng.choice((0, 1))})",
            lambda: f"max({self.theme.text}, {right()})", lambda: f"min({self.theme.text}, {right()})",
            lambda: f"({rng.choice((2, 3, BIG[0], BIG[3]))} * {right()})",
            lambda: f"({right()}) // {rng.choice((2, 3))}",
            lambda: self.number(2), lambda: f"(1 if {self.test()} else 0)",
        )  # fmt: skip

    def invariant(self) -> str:
        known, rng = self.known, self.rng
        kept = lambda: rng.choice(known.kept)  # noqa: E731
        return self.one(
            kept, kept, kept, lambda: self.theme.text, lambda: self.theme.text, lambda: rng.choice(known.holes).text,
            self.test, lambda: f"({self.test()} and {self.test()})", lambda: f"not ({self.theme.test})",
            lambda: f"inside({self.theme.text})", lambda: f"({self.theme.text}) % 2", lambda: self.number(2),
            lambda: f"({self.theme.text}) == {rng.randint(0, 3)}",
            lambda: f"({self.theme.text} if {self.test(0)} else 0)",
        )  # fmt: skip

    def price(self, big: bool) -> str:
        rng = self.rng
        small = lambda: str(rng.choice((0, 1, 1, 2)))  # noqa: E731
        large = lambda: str(rng.choice((0, 0, 1, *BIG[:4])))  # noqa: E731
        if big:
            return large() if self.chance(0.8) else f"({large()} if {self.test(0)} else {large()})"
        return self.one(
            small, small, small, lambda: f"({small()} if {self.test()} else {small()})",
            lambda: f"max(0, {self.number(0)})", lambda: f"abs({self.number(0)})",
            lambda: f"({rng.randint(1, 3)} + max(0, {self.number(0)}))",
        )  # fmt: skip

    def make_metrics(self) -> None:
        roll = 0.3 if self.twins else self.rng.uniform(0.6 if self.lengths else 0, 1)
        names = [*NAMES, "toll", "time", *self.stated]
        self.metrics = tuple(self.rng.sample(names, 0 if roll < 0.5 else 1 if roll < 0.65 else 2 if roll < 0.9 else 3))
        big, dear = (
            self.chance(0.4),
            self.chance(0.8 if self.lengths else 0.5),
        )  # dear: no step is free in the first metric
        for name, body in self.actions.items():
            if self.metrics:
                first = {self.metrics[0]: str(self.lengths.get(name) or self.rng.choice("112"))} if dear else {}
                body["cost"] = {metric: self.price(big) for metric in self.metrics} | first
            elif roll < 0.12:
                body["cost"] = self.price(False)

    def couple(self) -> None:
        """Parts that know of one another: one more condition, one more effect."""
        for body in self.actions.values():
            if self.chance(0.2):
                body["when"] = [*body.get("when", ()), self.test()]  # type: ignore[misc]
            if self.chance(0.12) and self.known.leaps:
                body["effect"] = {**self.rng.choice(self.known.leaps), **body["effect"]}  # type: ignore[dict-item]

    def leap(self) -> None:
        """From just where the theme is undefined, or to there."""
        leaps = self.known.leaps
        if leaps and self.chance(0.7):
            when = [self.theme.test] if self.chance(0.8) else []
            self.action("leap", when=when, effect=dict(self.rng.choice(leaps)))
        if self.theme.into and self.chance(0.6):
            self.action("fall", when=[self.test()] * self.chance(0.5), effect=dict(self.theme.into))
        if leaps and self.chance(0.2):
            self.action("jump", when=[self.test()], effect=dict(self.rng.choice(leaps)))

    def model(self) -> str:
        rng = self.rng
        makers = {
            self.count: 6,
            self.place: 6,
            self.walk: 12,
            self.lamps: 24,
            self.box: 4,
            self.wide: 81,
            self.team: 27,
            self.heavy: 100,
            self.aside: 9,
            self.order: 27,
            self.hand: 19,
            self.long: 71,
            self.mirrored: 36,
            self.ways: 5,
        }
        weights = (3, 4, 3, 2, 2, 0.5, 1, 3, 3, 4, 1.5, 4, 2, 5)
        size = 1
        for _ in range(rng.choice((1, 1, 2, 2, 3))):
            maker = rng.choices([*makers], weights)[0]
            if size * makers[maker] <= 700:
                size *= makers[maker]
                self.known.add(maker())
        self.theme = rng.choice(self.known.holes)
        self.leap()
        self.couple()
        self.goals = rng.sample(self.known.goals, min(len(self.known.goals), rng.choice((1, 1, 2))))
        if self.chance(0.1):
            self.goals = [self.test()]
        self.make_metrics()
        return self.written()

    # -- the file ------------------------------------------------------------------------------------------------------

    def written(self) -> str:
        rng = self.rng
        document: dict[str, object] = {"puzzle": Raw("wild")}
        document |= {key: {n: Raw(v) for n, v in getattr(self, key).items()} for key in ("data", "draw")}
        document["types"] = {name: Raw(v) if v[0] in "[{" else v for name, v in self.types.items()}
        document |= {"state": self.state, "define": self.define, "actions": self.actions, "goal": self.goals}
        if self.chance(0.1):
            document["always"] = [self.test()]
        self.claim(document)
        if self.known.mirrors and self.chance(0.8):
            document["symmetry"] = {"mirror": Raw("[vertical, horizontal, diagonal]")}
        elif self.known.alike and self.chance(0.5):
            document["symmetry"] = {"interchangeable": Raw(f"[{rng.choice(self.known.alike)}]")}
        if self.start:
            document["levels"] = {
                "one": {"about": "the start"},
                "aside": {"state": {n: Raw(v) for n, v in self.start.items()}},
            }
        elif self.stated and self.chance(0.2):
            name = rng.choice([*self.stated])
            document["levels"] = {"one": {"state": {name: Raw(rng.choice(self.stated[name]))}}}
        if self.chance(0.3):  # wrong more often than not
            document["dead"] = [self.test() for _ in range(rng.choice((1, 1, 2)))]
        return "".join(line + "\n" for key, value in document.items() for line in lines(key, value, ""))

    def claim(self, document: dict[str, object]) -> None:
        """Heuristics and invariants, mostly of few names that they share."""
        rng = self.rng
        names = [*rng.sample(NAMES, 3)] if self.chance(0.6) else ["k"]
        heuristics = {name: self.estimate() for name in names[: rng.choice((0, 1, 1, 1, 2))]}
        ends = ["", *(f" for {metric}" for metric in self.metrics)]
        claims = {name: Raw(rng.choice(("consistent", "consistent", "admissible")) + rng.choice(ends))
                  for name in heuristics if self.chance(0.5)}  # fmt: skip
        rng.shuffle(names)
        invariants = {name: self.invariant() for name in names[: rng.choice((0, 1, 1, 2, 3))]}
        if self.twins:
            heuristics, invariants = {"k": self.missing}, {"k": rng.choice(self.known.holes).text}
        invariants = {**self.beside, **invariants}
        if self.trap:
            heuristics, claims = {"trap": self.trap[0], **heuristics}, {"trap": Raw("consistent"), **claims}
            invariants = {"kept": self.trap[1], **invariants}
        kept = {name: claim for name, claim in claims.items() if name in heuristics}
        document |= {"heuristics": heuristics, "claims": kept, "invariants": invariants}


def lines(key: str, value: object, before: str) -> list[str]:
    """A key and its value as block YAML; nothing for nothing."""
    name = key if key.isidentifier() else quoted(key)
    if isinstance(value, str):
        return [f"{before}{name}: {value if isinstance(value, Raw) else quoted(value)}"]
    if not value:
        return []
    if isinstance(value, Mapping):
        return [f"{before}{name}:", *(line for k, v in value.items() for line in lines(str(k), v, before + "  "))]
    items = [f"{before}{name}:"]
    for item in value:  # type: ignore[attr-defined]
        if isinstance(item, str):
            items.append(f"{before}  - {quoted(item)}")
        else:
            inner = [line for k, v in item.items() for line in lines(str(k), v, before + "    ")]
            items += [f"{before}  - {inner[0].lstrip()}", *inner[1:]]
    return items


def distances(arrows: Mapping[str, list[str]], end: str) -> dict[str, int]:
    """How many arrows lead from each word to the end, where they do."""
    found = {end: 0}
    waiting = deque([end])
    while waiting:
        word = waiting.popleft()
        for other, to in arrows.items():
            if word in to and other not in found:
                found[other] = found[word] + 1
                waiting.append(other)
    return found


def reached(arrows: Mapping[str, list[str]], start: str) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        for word in arrows[waiting.pop()]:
            if word not in found:
                found.add(word)
                waiting.append(word)
    return found
