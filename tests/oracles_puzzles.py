"""Puzzles of the library once more, each as a graph that is written down from its rules alone.

They read the data of a level and share nothing with the project: no search, no language, no rule. A square is
(row, column). States are hashable; a successor is a state and the cost of the step to it in the metric asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import combinations, count, product
from typing import Any, NamedTuple

Square = tuple[int, int]
Successors = Iterator[tuple[Any, int]]

SIDES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
DIAGONALS = {"up_left": (-1, -1), "down_right": (1, 1)}


class Game(NamedTuple):
    start: Any
    successors: Callable[[Any], Successors]
    is_goal: Callable[[Any], bool]


def explored(game: Game) -> tuple[int | None, int]:
    """The least cost of a way to a goal, None if none leads there, and the number of states (Dijkstra's algorithm)."""
    cost, order, best = {game.start: 0}, count(1), None
    heap = [(0, 0, game.start)]
    while heap:
        spent, _, state = heappop(heap)
        if spent > cost[state]:
            continue
        if best is None and game.is_goal(state):
            best = spent
        for after, price in game.successors(state):
            if after not in cost or spent + price < cost[after]:
                cost[after] = spent + price
                heappush(heap, (spent + price, next(order), after))
    return best, len(cost)


def squares(rows: Sequence[str]) -> dict[Square, str]:
    return {(r, c): letter for r, row in enumerate(rows) for c, letter in enumerate(row)}


def beside(square: Square, way: Square, times: int = 1) -> Square:
    return square[0] + times * way[0], square[1] + times * way[1]


def moved(state: Sequence[Any], places: Iterable[tuple[int, Any]]) -> tuple[Any, ...]:
    """The state with new values in these places."""
    values = list(state)
    for place, value in places:
        values[place] = value
    return tuple(values)


# -- permutations ------------------------------------------------------------------------------------------------------


def burnt_pancake(data: dict[str, Any], metric: str) -> Game:
    start = tuple((x, side % 2 == 1) for x, side in zip(data["start"], data["burnt"], strict=False))

    def successors(stack: tuple[tuple[int, bool], ...]) -> Successors:
        for k in range(1, len(stack) + 1):
            yield tuple((x, not burnt) for x, burnt in reversed(stack[:k])) + stack[k:], 1

    return Game(start, successors, lambda stack: stack == tuple((x, False) for x in range(len(start))))


def topspin(data: dict[str, Any], metric: str) -> Game:
    k = data["k"]

    def successors(ring: tuple[int, ...]) -> Successors:
        yield from ((shifted, int(metric == "moves")) for shifted in (ring[1:] + ring[:1], ring[-1:] + ring[:-1]))
        yield ring[k - 1 :: -1] + ring[k:], 1

    def solved(ring: tuple[int, ...]) -> bool:
        first = ring.index(0)
        return ring[first:] + ring[:first] == tuple(range(len(ring)))

    return Game(tuple(data["start"]), successors, solved)


def sixteen(data: dict[str, Any], metric: str) -> Game:
    rows, cols = data["rows"], data["cols"]
    lines = [list(range(r * cols, (r + 1) * cols)) for r in range(rows)]
    lines += [list(range(c, rows * cols, cols)) for c in range(cols)]

    def successors(board: tuple[int, ...]) -> Successors:
        for line in lines:
            numbers = [board[place] for place in line]
            yield moved(board, zip(line, numbers[1:] + numbers[:1], strict=True)), 1
            yield moved(board, zip(line, numbers[-1:] + numbers[:-1], strict=True)), 1

    return Game(tuple(data["start"]), successors, lambda board: board == tuple(range(rows * cols)))


def rings(data: dict[str, Any], metric: str) -> Game:
    places = [square for square, letter in squares(data["wanted"]).items() if letter != " "]
    wanted = tuple(squares(data["wanted"])[place] for place in places)
    cycles = [[places.index((r, c)) for r, c in ring] for ring in data["rings"].values()]

    def successors(beads: tuple[str, ...]) -> Successors:
        for cycle in cycles:
            for way in (cycle, cycle[::-1]):
                yield (
                    moved(beads, ((after, beads[place]) for place, after in zip(way, way[1:] + way[:1], strict=True))),
                    1,
                )

    return Game(tuple(data["start"]), successors, lambda beads: beads == wanted)


def block_moves(data: dict[str, Any], metric: str) -> Game:
    n = len(data["start"])

    def successors(hand: tuple[int, ...]) -> Successors:
        for a, b, c in combinations(range(n + 1), 3):
            yield hand[:a] + hand[b:c] + hand[a:b] + hand[c:], 1

    return Game(tuple(data["start"]), successors, lambda hand: hand == tuple(range(n)))


def card_piles(data: dict[str, Any], metric: str) -> Game:
    n = data["piles"]
    start = tuple((x, x) for x in range(1, n + 1))

    def successors(piles: tuple[tuple[int, int], ...]) -> Successors:
        for p, i, j in product(range(n - 1), range(2), range(2)):
            mine, other = piles[p], piles[p + 1]
            if mine[i] != other[j]:
                pair = sorted((mine[1 - i], other[j])), sorted((other[1 - j], mine[i]))
                yield (*piles[:p], *map(tuple, pair), *piles[p + 2 :]), 1

    return Game(start, successors, lambda piles: piles == start[::-1])


def cyclic_hanoi(data: dict[str, Any], metric: str) -> Game:
    pegs, to = data["pegs"], data["to"] - 1
    start = (tuple(range(data["disks"], 0, -1)), *[()] * (pegs - 1))  # the largest first

    def successors(towers: tuple[tuple[int, ...], ...]) -> Successors:
        for p, tower in enumerate(towers):
            beyond = towers[(p + 1) % pegs]
            if tower and (not beyond or beyond[-1] > tower[-1]):
                yield moved(towers, [(p, tower[:-1]), ((p + 1) % pegs, (*beyond, tower[-1]))]), 1

    return Game(start, successors, lambda towers: len(towers[to]) == data["disks"])


# -- tiles, knights and animals on squares -----------------------------------------------------------------------------


def word_tiles(data: dict[str, Any], metric: str) -> Game:
    places = list(squares(data["wanted"]))
    wanted = tuple("".join(data["wanted"]))

    def successors(letters: tuple[str, ...]) -> Successors:
        for gap in (place for place, letter in enumerate(letters) if letter == "."):
            for way in SIDES.values():
                if (tile := beside(places[gap], way)) in places and letters[places.index(tile)] != ".":
                    yield moved(letters, [(gap, letters[places.index(tile)]), (places.index(tile), ".")]), 1

    return Game(tuple("".join(data["start"])), successors, lambda letters: letters == wanted)


def knights_exchange(data: dict[str, Any], metric: str) -> Game:
    places = [square for square, letter in squares(data["board"]).items() if letter != " "]
    board, wanted = (tuple(squares(data[name])[place] for place in places) for name in ("board", "wanted"))
    leaps = [[q for q, b in enumerate(places) if {abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2}] for a in places]

    def successors(state: tuple[tuple[str, ...], int | None]) -> Successors:
        knights, last = state
        for place, knight in enumerate(knights):
            for to in leaps[place]:
                if knight != "." and knights[to] == ".":
                    after = moved(knights, [(place, "."), (to, knight)])
                    yield ((after, None), 1) if metric == "moves" else ((after, to), int(last != place))

    return Game((board, None), successors, lambda state: state[0] == wanted)


def knights_tour(data: dict[str, Any], metric: str) -> Game:
    board = {square: letter for square, letter in squares(data["board"]).items() if letter != " "}
    start = next(square for square, letter in board.items() if letter == "N")
    leaps = {a: [b for b in board if {abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2}] for a in board}

    def successors(state: tuple[Square, frozenset[Square]]) -> Successors:
        at, left = state
        yield from (((to, left - {to}), 1) for to in leaps[at] if to in left)

    def done(state: tuple[Square, frozenset[Square]]) -> bool:
        return not state[1] and (not data["closed"] or start in leaps[state[0]])

    return Game((start, frozenset(board) - {start}), successors, done)


def frogs_toads(data: dict[str, Any], metric: str) -> Game:
    ahead = {"F": 1, "T": -1}

    def successors(row: tuple[str, ...]) -> Successors:
        for place, animal in enumerate(row):
            if animal == ".":
                continue
            step, hop = place + ahead[animal], place + 2 * ahead[animal]
            if 0 <= step < len(row) and row[step] == ".":
                yield moved(row, [(place, "."), (step, animal)]), 1
            if 0 <= hop < len(row) and row[hop] == "." and row[step] not in (".", animal):
                yield moved(row, [(place, "."), (hop, animal)]), 1

    return Game(tuple(data["row"]), successors, lambda row: row == tuple(reversed(data["row"])))


def peg_solitaire(data: dict[str, Any], metric: str) -> Game:
    holes = {square for square, letter in squares(data["board"]).items() if letter != " "}
    pegs = frozenset(square for square, letter in squares(data["board"]).items() if letter == "o")
    ways = [(SIDES | DIAGONALS)[str(way)] for way in data["ways"]]

    def successors(state: tuple[frozenset[Square], Square | None]) -> Successors:
        pegs, last = state
        for peg, way in product(pegs, ways):
            over, to = beside(peg, way), beside(peg, way, 2)
            if over in pegs and to in holes - pegs:
                after = pegs - {peg, over} | {to}
                yield ((after, None), 1) if metric == "jumps" else ((after, to), int(last != peg))

    return Game((pegs, None), successors, lambda state: state[0] == {tuple(data["home"])})


# -- crossings, jugs, towers -------------------------------------------------------------------------------------------


def wolf_goat_cabbage(data: dict[str, Any], metric: str) -> Game:
    eats, things = data["eats"], frozenset(data["eats"])

    def successors(state: tuple[frozenset[str], bool]) -> Successors:
        near, boat_is_near = state
        here = near if boat_is_near else things - near
        for k in range(data["seats"] + 1):
            for load in combinations(sorted(here), k):
                left = here - set(load)
                if not any(prey in left for thing in left for prey in eats[thing]):
                    yield (left if boat_is_near else things - left, not boat_is_near), 1

    return Game((things, True), successors, lambda state: not state[0])


def missionaries(data: dict[str, Any], metric: str) -> Game:
    n, seats = data["couples"], data["seats"]

    def safe(missionaries: int, cannibals: int) -> bool:
        return missionaries == 0 or missionaries >= cannibals

    def successors(state: tuple[int, int, bool]) -> Successors:
        *near, boat_is_near = state
        sign = -1 if boat_is_near else 1
        for m, c in product(range(seats + 1), repeat=2):
            x, y = near[0] + sign * m, near[1] + sign * c
            if 1 <= m + c <= seats and safe(m, c) and 0 <= x <= n and 0 <= y <= n and safe(x, y) and safe(n - x, n - y):
                yield (x, y, not boat_is_near), 1

    return Game((n, n, True), successors, lambda state: state[:2] == (0, 0))


def ferried(people: frozenset[Any], safe: Callable[[frozenset[Any]], bool], loads: Callable[..., Any]) -> Game:
    """People on the near bank and where the boat is; whoever lands joins those who are there."""

    def successors(state: tuple[frozenset[Any], bool]) -> Successors:
        near, boat_is_near = state
        here, there = (near, people - near) if boat_is_near else (people - near, near)
        for load in map(frozenset, loads(here)):
            if safe(load) and safe(here - load) and safe(there | load):
                yield (near ^ load, not boat_is_near), 1

    return Game((people, True), successors, lambda state: not state[0])


def policeman_thief(data: dict[str, Any], metric: str) -> Game:
    def safe(group: frozenset[str]) -> bool:
        return all(
            trouble["unless"] in group or trouble["who"] not in group or group.isdisjoint(trouble["whom"])
            for trouble in data["troubles"]
        )

    def loads(here: frozenset[str]) -> Iterator[tuple[str, ...]]:
        for load in (*combinations(here, 1), *combinations(here, 2)):
            if not set(data["rowers"]).isdisjoint(load):
                yield load

    return ferried(frozenset(data["people"]), safe, loads)


def jealous_husbands(data: dict[str, Any], metric: str) -> Game:
    people = frozenset(product(("man", "woman"), range(data["couples"])))

    def safe(group: frozenset[tuple[str, int]]) -> bool:
        men = {couple for who, couple in group if who == "man"}
        return not men or all(couple in men for who, couple in group if who == "woman")

    def loads(here: frozenset[tuple[str, int]]) -> Iterator[tuple[tuple[str, int], ...]]:
        for k in range(1, data["seats"] + 1):
            yield from combinations(here, k)

    return ferried(people, safe, loads)


def bridge_torch(data: dict[str, Any], metric: str) -> Game:
    minutes = data["minutes"]

    def successors(state: tuple[frozenset[str], bool]) -> Successors:
        here, torch_is_here = state
        side = here if torch_is_here else frozenset(minutes) - here
        for pair in product(side, repeat=2):
            yield (here ^ set(pair), not torch_is_here), max(minutes[p] for p in pair) if metric == "minutes" else 1

    return Game((frozenset(minutes), True), successors, lambda state: not state[0])


def water_jugs(data: dict[str, Any], metric: str) -> Game:
    size, jugs = data["size"], range(len(data["size"]))
    steps = int(metric == "steps")

    def successors(holds: tuple[int, ...]) -> Successors:
        for a in jugs if data["tap"] else ():
            if holds[a] < size[a]:
                yield moved(holds, [(a, size[a])]), steps or size[a] - holds[a]
            if holds[a] > 0:
                yield moved(holds, [(a, 0)]), steps
        for a, b in product(jugs, repeat=2):
            poured = min(holds[a], size[b] - holds[b])
            if a != b and poured > 0:
                yield moved(holds, [(a, holds[a] - poured), (b, holds[b] + poured)]), steps

    return Game(tuple(data["start"]), successors, lambda holds: holds.count(data["amount"]) >= data["jugs"])


def blocks_world(data: dict[str, Any], metric: str) -> Game:
    def beneath(towers: Iterable[str]) -> set[tuple[str, str]]:
        return {(block, below) for tower in towers for below, block in zip(" " + tower, tower, strict=False)}

    def successors(towers: frozenset[str]) -> Successors:
        for a in towers:
            rest = towers - {a} | {a[:-1]} - {""}
            if len(a) > 1:
                yield rest | {a[-1]}, 1
            for b in towers - {a}:
                yield rest - {b} | {b + a[-1]}, 1

    return Game(frozenset(data["start"]), successors, lambda towers: beneath(data["wanted"]) <= beneath(towers))


# -- sliding, falling, creeping ----------------------------------------------------------------------------------------


def atomix(data: dict[str, Any], metric: str) -> Game:
    board = squares(data["board"])
    floor = {square for square, letter in board.items() if letter != "#"}
    atoms = frozenset((square, letter) for square, letter in board.items() if letter not in "#.")
    molecule = [(square, letter) for square, letter in squares(data["molecule"]).items() if letter != "."]
    goals = [{(beside(corner, part), letter) for part, letter in molecule} for corner in board]

    def successors(atoms: frozenset[tuple[Square, str]]) -> Successors:
        free = floor - {square for square, _ in atoms}
        for (square, letter), way in product(atoms, SIDES.values()):
            stop = square
            while beside(stop, way) in free:
                stop = beside(stop, way)
            if stop != square:
                yield atoms - {(square, letter)} | {(stop, letter)}, 1

    return Game(atoms, successors, lambda atoms: any(goal <= atoms for goal in goals))


def ice_maze(data: dict[str, Any], metric: str) -> Game:
    board, order = squares(data["board"]), data["order"]
    for number, square in enumerate(list(board)):
        if board[square] == "." and data["rocks"] and order[number] < data["rocks"]:
            board[square] = "#"

    def successors(square: Square) -> Successors:
        for way in SIDES.values():
            stop = square
            while board.get(beside(stop, way), "#") != "#":
                stop = beside(stop, way)
                if board[stop] in "sE":
                    break
            if stop != square:
                yield stop, 1

    return Game(next(s for s, x in board.items() if x == "@"), successors, lambda square: board[square] == "E")


def gravity_blocks(data: dict[str, Any], metric: str) -> Game:
    board = squares(data["board"])
    floor = {square for square, letter in board.items() if letter != "#"}

    def settled(blocks: dict[Square, str]) -> dict[Square, str]:
        for square in sorted(blocks, reverse=True):  # the lowest first
            letter, below = blocks.pop(square), square
            while beside(below, SIDES["down"]) in floor - set(blocks):
                below = beside(below, SIDES["down"])
            blocks[below] = letter
        gone = {s for s, x in blocks.items() if any(blocks.get(beside(s, way)) == x for way in SIDES.values())}
        return settled({s: x for s, x in blocks.items() if s not in gone}) if gone else blocks

    def successors(state: frozenset[tuple[Square, str]]) -> Successors:
        for (square, letter), way in product(state, ("left", "right")):
            to = beside(square, SIDES[way])
            if to in floor - {other for other, _ in state}:
                yield frozenset(settled(dict(state - {(square, letter)}) | {to: letter}).items()), 1

    return Game(frozenset((s, x) for s, x in board.items() if x not in "#."), successors, lambda state: not state)


def key_maze(data: dict[str, Any], metric: str) -> Game:
    board = {square: letter for square, letter in squares(data["board"]).items() if letter != "#"}

    def opens(door: Square, used: frozenset[Square]) -> bool:
        keys = sum(board[square] == board[door].lower() for square in used)
        doors = sum(board[square] == board[door] for square in used)
        return keys > 0 if data["lasting"] else door in used or keys > doors

    def successors(state: tuple[Square, frozenset[Square]]) -> Successors:
        at, used = state
        for to in (beside(at, way) for way in SIDES.values()):
            if to in board and (not board[to].isupper() or opens(to, used)):
                use = board[to].islower() or board[to].isupper() and not data["lasting"]
                yield (to, used | {to} if use else used), 1

    start = next(square for square, letter in board.items() if letter == "@")
    return Game((start, frozenset()), successors, lambda state: board[state[0]] == "!")


def snake(data: dict[str, Any], metric: str) -> Game:
    board = squares(data["board"])
    parts = tuple(square for letter, square in sorted((x, s) for s, x in board.items() if x.isdigit()))
    fruit = frozenset(square for square, letter in board.items() if letter == "F")

    def out(state: tuple[tuple[Square, ...], frozenset[Square]]) -> bool:
        return board[state[0][0]] == "E" and not state[1]

    def fallen(body: tuple[Square, ...], fruit: frozenset[Square]) -> tuple[Square, ...] | None:
        """Where the snake lies in the end, None if it has died."""
        while set(body) <= set(board) and not out((body, fruit)):
            below = [beside(part, SIDES["down"]) for part in body]
            if any(board.get(square) == "#" or square in fruit for square in below):
                break
            body = tuple(below)
        return body if all(board.get(part, "^") != "^" for part in body) else None

    def successors(state: tuple[tuple[Square, ...], frozenset[Square]]) -> Successors:
        body, fruit = state
        for head in (beside(body[0], way) for way in SIDES.values()):
            if board.get(head, "#") != "#" and head not in body:
                longer = (head, *body) if head in fruit else (head, *body[:-1])
                if (after := fallen(longer, fruit - {head})) is not None:
                    yield (after, fruit - {head}), 1

    return Game((parts, fruit), successors, out)


# -- cards -------------------------------------------------------------------------------------------------------------


def klondike(data: dict[str, Any], metric: str) -> Game:
    """Columns are (how many cards lie face down, cards); a move puts cards that lie on each other somewhere else."""
    cards, n, ranks = data["deal"], data["columns"], data["ranks"]
    begin = [sum(range(t + 1)) for t in range(n + 1)]
    dealt = tuple((t, tuple(cards[begin[t] : begin[t + 1]])) for t in range(n))
    highest = max(ranks.index(card[0]) for card in cards)

    def lies(card: str, below: tuple[str, ...]) -> bool:
        rank = ranks.index(card[0])
        if not below:
            return bool(rank == highest)
        return bool(ranks.index(below[-1][0]) == rank + 1 and (card[1] in "HD") != (below[-1][1] in "HD"))

    def goes_home(card: str, home: frozenset[str]) -> bool:
        return all(
            other in home for other in cards if other[1] == card[1] and ranks.index(other[0]) < ranks.index(card[0])
        )

    def without(column: tuple[int, tuple[str, ...]], at: int) -> tuple[int, tuple[str, ...]]:
        return (min(column[0], max(at - 1, 0)), column[1][:at])

    def successors(state: tuple[Any, ...]) -> Successors:
        columns, stock, waste, home = state
        if stock:
            yield (columns, stock[data["turn"] :], waste + stock[: data["turn"]], home), 1
        elif waste:
            yield (columns, waste, (), home), 1
        taken = [(columns, waste[:-1], waste[-1:])] if waste else []
        for place, (down, column) in enumerate(columns):
            for at in range(down, len(column)):
                taken.append((moved(columns, [(place, without((down, column), at))]), waste, column[at:]))
        for rest, left, run in taken:
            if len(run) == 1 and goes_home(run[0], home):
                yield (rest, stock, left, home | set(run)), 1
            for place, (down, column) in enumerate(rest):
                if rest[place] == columns[place] and lies(run[0], column):
                    yield (moved(rest, [(place, (down, column + run))]), stock, left, home), 1

    return Game(
        (dealt, tuple(cards[begin[n] :]), (), frozenset()), successors, lambda state: len(state[3]) == len(cards)
    )


GAMES: dict[str, Callable[[dict[str, Any], str], Game]] = {
    game.__name__: game
    for game in (
        *(burnt_pancake, topspin, sixteen, rings, word_tiles, knights_exchange, frogs_toads, peg_solitaire),
        *(wolf_goat_cabbage, missionaries, bridge_torch, water_jugs, blocks_world),
        *(block_moves, card_piles, cyclic_hanoi, policeman_thief, jealous_husbands, knights_tour, klondike),
        *(atomix, ice_maze, gravity_blocks, key_maze, snake),
    )
}
