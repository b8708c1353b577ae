"""More puzzles of the library as graphs from their rules alone, with the forms of `oracles_puzzles`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations, product
from typing import Any

from oracles_puzzles import SIDES, Game, Square, Successors, beside, moved, squares

Body = frozenset[Square]


def grown(start: Iterable[Any], beyond: Callable[[Any], Iterable[Any]]) -> set[Any]:
    """All that can be reached from there."""
    found = set(start)
    waiting = list(found)
    while waiting:
        fresh = set(beyond(waiting.pop())) - found
        found |= fresh
        waiting += fresh
    return found


def around(square: Square) -> list[Square]:
    return [beside(square, way) for way in SIDES.values()]


# -- colours and towers ------------------------------------------------------------------------------------------------


def flood_it(data: dict[str, Any], metric: str) -> Game:
    places = list(squares(data["board"]))

    def successors(colours: tuple[str, ...]) -> Successors:
        on = dict(zip(places, colours, strict=True))
        region = grown([(0, 0)], lambda square: (e for e in around(square) if on.get(e) == colours[0]))
        for colour in set(start) - {colours[0]}:
            yield tuple(colour if place in region else on[place] for place in places), 1

    start = tuple(squares(data["board"]).values())
    return Game(start, successors, lambda colours: len(set(colours)) == 1)


def panex(data: dict[str, Any], metric: str) -> Game:
    """A state is three columns, each a row of (depth, size, tower), the uppermost piece first."""
    n, swap = data["n"], data["aim"] == "swap"
    towers = [tuple((size, size, tower) for size in range(1, n + 1)) for tower in "ab"]

    def successors(state: tuple[Any, ...]) -> Successors:
        blocked = [bool(column) and column[0][0] == 0 for column in state]
        for a, b in ((a, b) for a in range(3) for b in range(3) if a != b and state[a]):
            between = range(a + 1, b + 1) if a < b else range(b, a)
            if not any(blocked[column] for column in between):
                (_, size, tower), *rest = state[a]
                depth = min(size, state[b][0][0] - 1) if state[b] else size
                columns = list(state)
                columns[a], columns[b] = tuple(rest), ((depth, size, tower), *state[b])
                yield tuple(columns), 1

    def done(state: tuple[Any, ...]) -> bool:
        return state == (towers[1], (), towers[0]) if swap else state[1] == towers[0]

    return Game((towers[0], (), towers[1]), successors, done)


# -- mazes and sliding -------------------------------------------------------------------------------------------------


def theseus(data: dict[str, Any], metric: str) -> Game:
    board = squares(data["board"])
    place = {letter: square for square, letter in board.items()}

    def step(square: Square, to: Square, ways: Iterable[str]) -> Square:
        """The Minotaur's: the first way of these that is open and brings him nearer."""
        for way in ways:
            after = beside(square, SIDES[way], 2)
            nearer = abs(after[0] - to[0]) + abs(after[1] - to[1]) < abs(square[0] - to[0]) + abs(square[1] - to[1])
            if nearer and board[beside(square, SIDES[way])] != "#":
                return after
        return square

    def successors(state: tuple[Square | None, Square]) -> Successors:
        hero, beast = state
        for way in ((0, 0), *SIDES.values()) if hero else ():
            if board[beside(hero, way)] == "E":
                yield (None, beast), 1
            elif board[beside(hero, way)] != "#":
                at, after = beside(hero, way, 2), beast
                for _ in range(2):
                    after = step(after, at, ("left", "right", "up", "down"))
                if after != at:
                    yield (at, after), 1

    return Game((place["T"], place["M"]), successors, lambda state: state[0] is None)


def lunar_lockout(data: dict[str, Any], metric: str) -> Game:
    board = squares(data["board"])
    start = {letter: square for square, letter in board.items() if letter != "-"}
    middle = (len(data["board"]) // 2, len(data["board"][0]) // 2)

    def successors(robots: tuple[Square, ...]) -> Successors:
        for (robot, square), way in product(enumerate(robots), SIDES.values()):
            stop = square
            while stop in board and beside(stop, way) not in robots:
                stop = beside(stop, way)
            if stop in board and stop != square:
                yield moved(robots, [(robot, stop)]), 1

    return Game(tuple(start.values()), successors, lambda robots: robots[[*start].index("r")] == middle)


# -- what moves as one -------------------------------------------------------------------------------------------------


def sokobond(data: dict[str, Any], metric: str) -> Game:
    board = {square: letter for square, letter in squares(data["board"]).items() if letter != "#"}
    atoms = [(square, letter) for square, letter in board.items() if letter != "."]
    electrons = [data["electrons"][letter] for _, letter in atoms]
    hero = next(number for number, (_, letter) in enumerate(atoms) if letter.islower())

    def free(atom: int, bonds: Body) -> int:
        return electrons[atom] - sum(atom in bond for bond in bonds)

    def successors(state: tuple[tuple[Square, ...], Any]) -> Successors:
        at, bonds = state
        for way in SIDES.values():

            def taken_along(atom: int, way: Square = way) -> Iterable[int]:
                ahead = beside(at[atom], way)
                return (b for b in range(len(at)) if at[b] == ahead or frozenset((atom, b)) in bonds)

            movers = grown([hero], taken_along)
            after = tuple(beside(square, way) if atom in movers else square for atom, square in enumerate(at))
            if set(after) <= set(board):
                made = bonds
                for a, b in combinations(range(len(at)), 2):
                    if (
                        after[b] in around(after[a])
                        and frozenset((a, b)) not in made
                        and free(a, made)
                        and free(b, made)
                    ):
                        made |= {frozenset((a, b))}
                yield (after, made), 1

    def bound(state: tuple[tuple[Square, ...], Any]) -> bool:
        return not any(free(atom, state[1]) for atom in range(len(atoms)))

    return Game((tuple(square for square, _ in atoms), frozenset()), successors, bound)


def words(data: dict[str, Any], metric: str) -> Game:
    """A state is the things and the words, each with its square."""
    nouns, board = data["nouns"], squares(data["board"])

    def rules(texts: dict[Square, str]) -> set[tuple[str, str]]:
        """(noun or property, of a noun) by the sentences that stand."""
        sentences = {
            (texts[square], texts.get(beside(square, way, 2)))
            for square, way in product(texts, (SIDES["right"], SIDES["down"]))
            if texts.get(beside(square, way)) == "IS"
        }
        return {(x, noun) for subject, x in sentences for noun, word in nouns.items() if word == subject and x}

    def step(things: Body, texts: dict[Square, str], way: Square) -> tuple[Any, Any] | None:
        told = rules(texts)
        you, push, stop = ({noun for x, noun in told if x == number} for number in ("YOU", "PUSH", "STOP"))
        loose = push | you & stop
        pushed = set(texts) | {square for square, noun in things if noun in loose}
        shut = {square for square, noun in things if noun in stop - you - push}

        def leaves(square: Square) -> bool:
            ahead = beside(square, way)
            return ahead in board and ahead not in shut and (ahead not in pushed or leaves(ahead))

        first = {square for square, noun in things if noun in you and leaves(square)}
        moving = grown(first, lambda square: {beside(square, way)} & pushed)
        entered = {beside(square, way) for square in moving}
        if not moving:
            return None
        going = {(s, x) for s, x in things if s in moving and (x in you or x in loose and s in entered)}
        shifted = {(beside(s, way) if (s, x) in going else s, x) for s, x in things}
        return shifted, {beside(s, way) if s in entered else s: x for s, x in texts.items()}

    def successors(state: tuple[Body, Any]) -> Successors:
        for way in SIDES.values():
            if found := step(state[0], dict(state[1]), way):
                told = rules(found[1])
                becomes = {a: {b for b in nouns if (nouns[b], a) in told} for a in nouns}
                after = {
                    (s, b)
                    for s, x in found[0]
                    for b in (becomes[x] if becomes[x] - {x} and x not in becomes[x] else {x})
                }
                yield (frozenset(after), frozenset(found[1].items())), 1

    def won(state: tuple[Body, Any]) -> bool:
        told = rules(dict(state[1]))
        you, win = ({square for square, noun in state[0] if (number, noun) in told} for number in ("YOU", "WIN"))
        return bool(you & win)

    things = frozenset((square, letter) for square, letter in board.items() if letter in nouns)
    texts = frozenset((square, letter) for square, letter in board.items() if letter not in (".", *nouns))
    return Game((things, texts), successors, won)


# -- what is pushed ----------------------------------------------------------------------------------------------------


def snowman(data: dict[str, Any], metric: str) -> Game:
    """A state is where one stands, the piles, each a tuple of sizes from below, and the squares with snow."""
    board = {square: letter for square, letter in squares(data["board"]).items() if letter != "#"}

    def successors(state: tuple[Square, Any, Body]) -> Successors:
        you, piles, snow = state
        for way in SIDES.values():
            to, beyond, pile = beside(you, way), beside(you, way, 2), dict(piles)
            if to in board and to not in pile:
                yield (to, piles, snow), int(metric == "moves")
            elif to in board and beyond in board and len(pile[to]) < 3:
                *rest, ball = pile[to]
                ball = min(3, ball + 1) if beyond in snow else ball
                if beyond not in pile or not rest and pile[beyond][-1] > ball:
                    pile[beyond] = (*pile.get(beyond, ()), ball)
                    pile[to] = tuple(rest)
                    left = frozenset((square, balls) for square, balls in pile.items() if balls)
                    yield (you if rest else to, left, snow - {beyond}), 1

    place = {letter: square for square, letter in board.items()}
    balls = frozenset((square, (int(letter),)) for square, letter in board.items() if letter in "123")
    snow = frozenset(square for square, letter in board.items() if letter == ".")
    return Game((place["@"], balls, snow), successors, lambda state: all(pile == (3, 2, 1) for _, pile in state[1]))


# -- what is drawn -----------------------------------------------------------------------------------------------------


def flow(data: dict[str, Any], metric: str) -> Game:
    """A state is the colour of each square, the letters whose lines are not yet drawn, and where the line ends."""
    board = squares(data["board"])
    ends: dict[str, list[Square]] = {}
    for square, letter in board.items():
        ends.setdefault(letter, []).append(square)
    ends.pop(".", None)
    letters = tuple(ends)

    def successors(state: tuple[tuple[tuple[Square, str], ...], tuple[str, ...], Square]) -> Successors:
        on, left, head = dict(state[0]), state[1], state[2]
        for to in around(head) if left else ():
            if on.get(to) == ".":
                yield (tuple((on | {to: left[0]}).items()), left, to), 1
            elif to == ends[left[0]][1]:
                yield (state[0], left[1:], ends[left[1]][0] if len(left) > 1 else to), 1

    def done(state: tuple[tuple[tuple[Square, str], ...], tuple[str, ...], Square]) -> bool:
        return not state[1] and not (data["fill"] and "." in dict(state[0]).values())

    return Game((tuple(board.items()), letters, ends[letters[0]][0]), successors, done)


def helltaker(data: dict[str, Any], metric: str) -> Game:
    """A state is where one stands, the things, the keys that are taken and the locks that are open."""
    board = {square: letter for square, letter in squares(data["board"]).items() if letter != "#"}
    demon = next(square for square, letter in board.items() if letter == "D")

    def kicked(things: dict[Square, str], at: Square, beyond: Square, used: Body) -> dict[Square, str] | None:
        left = {square: thing for square, thing in things.items() if square != at}
        solid = board.get(beyond, "#") in "#D" or board[beyond] == "L" and beyond not in used or beyond in things
        if things[at] == "o":
            return None if solid else left | {beyond: "o"}
        return left if solid or board[beyond] == "^" else left | {beyond: "s"}

    def successors(state: tuple[Square, Any, Body]) -> Successors:
        you, things, used = state[0], dict(state[1]), state[2]
        for way in SIDES.values():
            to = beside(you, way)
            after = None
            if to in things:
                left = kicked(things, to, beside(to, way), used)
                after = (you, frozenset(left.items()), used) if left is not None else None
            elif board.get(to, "D") != "D":
                keys = sum({"k": 1, "L": -1}[board[square]] for square in used)
                if board[to] != "L" or to in used or keys > 0:
                    after = (to, state[1], used | ({to} if board[to] in "kL" else set()))
            if after:
                yield after, 2 if metric == "will" and board[after[0]] == "^" else 1

    you = next(square for square, letter in board.items() if letter == "@")
    things = frozenset((square, letter) for square, letter in board.items() if letter in "os")
    return Game((you, things, frozenset()), successors, lambda state: demon in around(state[0]))


def snakebird(data: dict[str, Any], metric: str) -> Game:
    """A state is the body of each bird (empty once it has left) and crate, and the fruit."""
    board, crates = squares(data["board"]), data["crates"]
    place = {letter: square for square, letter in board.items()}
    names, down = tuple(data["bodies"]), SIDES["down"]
    start = tuple(tuple(place[letter] for letter in word if letter in place) for word in data["bodies"].values())

    def gone(bodies: list[Any], fruit: Body) -> None:
        for number, body in enumerate(bodies):
            if body and names[number] not in crates and board.get(body[0]) == "E" and not fruit:
                bodies[number] = ()

    def held(bodies: list[Any], fruit: Body) -> set[int]:
        def rests(number: int, square: Square) -> bool:
            below = beside(square, down)
            return below in fruit or board.get(below, "^") in (
                "#^" if names[number] in crates and below in board else "#"
            )

        resting = {n for n, body in enumerate(bodies) if any(rests(n, square) for square in body)}

        def upon(number: int) -> Iterable[int]:
            tops = {beside(square, SIDES["up"]) for square in bodies[number]}
            return (n for n, body in enumerate(bodies) if tops & set(body))

        return grown(resting, upon)

    def settled(bodies: list[Any], fruit: Body) -> tuple[Any, ...] | None:
        gone(bodies, fruit)
        while loose := {n for n, body in enumerate(bodies) if body} - held(bodies, fruit):
            for number in loose:
                bodies[number] = tuple(beside(square, down) for square in bodies[number])
            gone(bodies, fruit)
            if any(board.get(square, "^") == "^" for number in loose for square in bodies[number]):
                return None
        return tuple(bodies)

    def crept(bird: int, way: Square, bodies: list[Any], fruit: Body) -> tuple[Any, Body] | None:
        head = beside(bodies[bird][0], way)

        def pushes(number: int) -> Iterable[int]:
            ahead = {head} if number == bird else {beside(square, way) for square in bodies[number]}
            return (n for n, body in enumerate(bodies) if n not in (number, bird) and ahead & set(body))

        entered = {beside(square, way) for n in grown([bird], pushes) - {bird} for square in bodies[n]}
        if any(board.get(s, "#") in "#^" or s in bodies[bird] for s in entered | {head}) or entered & fruit:
            return None
        for number in grown([bird], pushes) - {bird}:
            bodies[number] = tuple(beside(square, way) for square in bodies[number])
        bodies[bird] = (head, *(bodies[bird] if head in fruit else bodies[bird][:-1]))
        return settled(bodies, fruit - {head}), fruit - {head}

    def successors(state: tuple[Any, Body]) -> Successors:
        bodies, fruit = state
        for bird, way in product(range(len(names)), SIDES.values()):
            if names[bird] not in crates and bodies[bird]:
                after = crept(bird, way, list(bodies), fruit)
                if after and after[0] is not None:
                    yield after, 1

    def left(state: tuple[Any, Body]) -> bool:
        return all(name in crates or not body for name, body in zip(names, state[0], strict=True))

    fruit = frozenset(square for square, letter in board.items() if letter == "F")
    return Game((start, fruit), successors, left)


GAMES: dict[str, Callable[[dict[str, Any], str], Game]] = {
    game.__name__: game
    for game in (flood_it, panex, theseus, lunar_lockout, sokobond, words, snowman, flow, helltaker, snakebird)
}
