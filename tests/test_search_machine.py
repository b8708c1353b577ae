"""The compiled machine against the naive interpreter, on random tasks that are biased towards one kind of row each.

Packed layouts, rows as tables of masks, rows split by a variable, templates, straight code and joint moves; which kinds
really occurred is counted, so that the tests cannot go blind when the compiler begins to sort rows otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, replace

import pytest
from puzzle_files import load
from random_rows import KINDS, PROFILES, Maker, Random, variables
from random_tasks import make_task, random_task, random_term
from sampled import seeds, slow

from models import terms as t
from models.execution import successors, value
from models.grounding import ground
from models.outcomes import ENDLESS, Unsupported
from models.task import Assignment, Phase, Row, Schema, State, Task
from models.terms import Term
from search.compiler import code, jit
from search.compiler.codegen import Program, Segment, segmented
from search.compiler.in_memory import Care
from search.compiler.layout import Layout, place
from search.compiler.row_tables import file_rows
from search.machine import CompiledTask, Machine, compile_task

MOST_STATES = 24


# -- layouts ----------------------------------------------------------------------------------------------------------


def random_layout(rng: Random) -> Layout:
    values = []
    for _ in range(rng.choice((0, 1, 5, 20, 35, 55))):
        size = rng.choice((1, 1, 2, 2, 3, 4, 7, 16, 17, 200, 5000))
        values.append(tuple(sorted(rng.sample(range(size * rng.choice((1, 1, 3))), size))))
    return place(values)


def test_states_are_packed_and_unpacked() -> None:
    rng, words = Random(1), Counter[int]()
    for _ in range(200):
        layout = random_layout(rng)
        words[layout.words] += 1
        taken = 0
        for field in layout.fields:
            bits = field.mask << (64 * field.word)
            assert field.shift + field.width <= 64 and not taken & bits
            taken |= bits
        assert taken < 1 << (64 * layout.words)
        for _ in range(5):
            state = tuple(rng.choice(field.values) for field in layout.fields)
            packed = layout.pack(state)
            assert packed | taken == taken and layout.unpack(packed) == state
    assert all(words[n] > 5 for n in (1, 2, 3, 4))


def test_fields_of_no_bits_have_no_place() -> None:
    """They would lie behind a word's last bit, where no shift leads."""
    layout = place([(0, 1)] * 64 + [(3,), (5,)])
    assert layout.words == 1
    assert [astuple(field) for field in layout.fields[64:]] == [(0, 0, 0, (3,)), (0, 0, 0, (5,))]


def test_code_is_made_better_for_kernels_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python takes what is there; what is too long to be made better is compiled once."""
    better: list[object] = []
    monkeypatch.setattr(jit, "optimize", lambda module, target, combine: better.append(module))
    compiled = compile_task(ground(load("n_puzzle")))
    machine, h = compiled.machine, compiled.task.heuristics[0].term
    assert machine.successors(machine.initial) and not machine.is_goal(machine.initial)
    assert machine.evaluate(h)(machine.initial) > 0 and compiled.apply(compiled.initial, (0, 0)) is None
    address = machine.estimate(h)
    assert not better
    assert address() and machine.expand and machine.goal and len(better) == 2
    again = Machine(machine.task)
    assert again.expand and len(better) == 3
    assert again.successors(again.initial) == machine.successors(machine.initial) and len(better) == 3
    monkeypatch.setattr(code, "LONG", 0)
    long = Machine(machine.task)
    assert long.successors(long.initial) and long.expand == long._code.address("plain", ENDLESS, Care.NONE)
    assert len(better) == 3


def test_values_that_never_occur_get_no_code() -> None:
    up = [Row((), (Phase(t.member(v, (0,)), (Assignment(n, t.TRUE, t.const(7)),)),), t.const(1))
          for n, v in enumerate(variables([9, 8]))]  # fmt: skip
    layout = Machine(make_task([9, 8], [Schema("up", (), (), tuple(up))])).layout
    assert [astuple(field) for field in layout.fields] == [(0, 0, 1, (0, 7)), (0, 1, 1, (0, 7))]
    with pytest.raises(KeyError):
        layout.pack((1, 0))


# -- tasks that are mostly of one kind --------------------------------------------------------------------------------


def reached(task: Task, most: int = MOST_STATES) -> dict[State, list[tuple[tuple[int, ...], State, int]]]:
    """The first reachable states and what follows them, by the naive interpreter."""
    found = {task.start: successors(task, task.start)}
    queue = [task.start]
    for state in queue:
        for _, after, _ in found[state]:
            if after not in found and len(found) < most:
                found[after] = successors(task, after)
                queue.append(after)
    return found


def compare(task: Task, compiled: CompiledTask, most: int = MOST_STATES) -> None:
    for state, expected in reached(task, most).items():
        assert compiled.successors(state) == expected
        assert compiled.is_goal(state) == bool(value(task.goal, [state]))


def compare_single_steps(task: Task, compiled: CompiledTask) -> None:
    """One operator at a time, applicable or not."""
    for state, expected in reached(task, 5).items():
        for operator, after, cost in expected[:3]:
            assert compiled.transition(state, operator) == (after, cost)
        applicable = {operator for operator, _, _ in expected}
        for s, schema in enumerate(task.schemas):
            last = [len(free.domain) - 1 for free in schema.choices]
            others = {(s, r, *last) for r in range(min(6, len(schema.rows)))} - applicable
            assert all(compiled.transition(state, operator) is None for operator in others)


def what_occurs(program: Program) -> Iterator[str]:
    """Names for what is special about the segments of a program."""
    layout = program.layout
    yield f"{min(layout.words, 3)} words"
    for segment in segmented(program):
        yield from of_masks(layout, segment, program.task.start)
        if segment.template:
            words = {frozenset(layout.fields[v].word for v in row.variables) for row in segment.template}
            yield "template in one word" if words == {frozenset({0})} else "template in several words"
        if segment.pattern:
            yield "pattern"
        if segment.boards:
            yield "boards"
        if segment.code:
            yield "code"
            yield from ("joint" for plan, _ in segment.code if plan.loops)
            yield from ("code of several phases" for plan, _ in segment.code if len(plan.steps) > 1)


def of_masks(layout: Layout, segment: Segment, start: State) -> Iterator[str]:
    rows = segment.masks
    if rows:
        yield "split" if len({row.action for row in rows}) < len(rows) else "masks"
    for file in file_rows(layout, rows, start):
        yield "filed by nothing" if file.key is None else "filed by plane" if file.key.field is None else "by field"
    for row in rows:
        yield from ("copy to another word" for one, other in row.copies if one.word != other.word)
        yield from ("several forbidden codes" if len(plane.codes) > 1 else "forbidden code" for plane in row.forbidden)


@pytest.mark.parametrize("models", [30, slow(90)])
@pytest.mark.parametrize("profile", PROFILES)
def test_every_kind_of_row(profile: str, models: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(models):
        rng = Random(f"{profile} {seed}")
        maker = Maker(rng, PROFILES[profile](rng))
        kinds = [KINDS[seed % len(KINDS)], *rng.sample(KINDS, rng.choice((0, 0, 1)))]
        kinds += [Maker.templates] * (profile == "long")
        task = maker.task(kinds)
        compiled = compile_task(task, trim=rng.random() < 0.7)
        try:
            compare(task, compiled, MOST_STATES if profile == "small" else MOST_STATES // 3)
            if seed % 7 == 0:
                compare_single_steps(task, compiled)
        except AssertionError as failure:
            raise AssertionError(f"{profile} {seed}") from failure
        seen.update(what_occurs(compiled.machine.program))
    expected = {"masks": 6, "split": 5, "code": 60, "joint": 8, "code of several phases": 5, "filed by plane": 30,
                "filed by nothing": 5, "forbidden code": 60}  # fmt: skip
    expected |= {
        "small": {"1 words": 60, "template in one word": 6, "several forbidden codes": 5},
        "wide": {"1 words": 15, "2 words": 15, "by field": 10, "copy to another word": 8},
        "long": {"boards": 8, "2 words": 8, "3 words": 20, "by field": 8, "template in several words": 8,
                 "copy to another word": 10, "several forbidden codes": 8},
    }[profile]  # fmt: skip
    assert {what: seen[what] for what, least in expected.items() if seen[what] < least * models // 100} == {}


@pytest.mark.parametrize("models", [8, slow(120)])
def test_rows_that_differ_in_numbers(models: int) -> None:
    """In one word or several; filed by fields that have few values or many, some of which never occur."""
    seen: Counter[str] = Counter()
    for seed in range(models):
        rng = Random(f"numbers {seed}")
        maker = Maker(rng, [*[rng.choice((6, 9, 20))] * rng.choice((3, 5, 30)), 2, 3])
        task = maker.task([Maker.patterns] * rng.choice((1, 1, 2)))
        compiled = compile_task(task, trim=rng.random() < 0.7)
        compare(task, compiled, MOST_STATES // 3)
        if seed % 4 == 0:
            compare_single_steps(task, compiled)
        seen.update(what_occurs(compiled.machine.program))
    assert seen["pattern"] >= models // 4


def test_a_pattern_gives_values_of_all_its_rows() -> None:
    """Three pieces go from one even square to the next ones; odd squares get no code."""
    rows, pieces = [], variables([64, 64, 64])
    for mover, piece in enumerate(pieces):
        others = [other for other in pieces if other is not piece]
        for x in range(0, 60, 2):
            guard = t.conjunction([t.member(piece, (x,)), *(t.negation(t.member(other, (x + 2,))) for other in others)])
            stopped = t.disjunction(t.member(other, (x + 4,)) for other in others)
            new = t.cases([(stopped, t.const(x + 2))], t.const(x + 4))
            rows.append(Row((), (Phase(guard, (Assignment(mover, t.TRUE, new),)),), t.const(1)))
    task = make_task([64] * 3, [Schema("go", (), (), tuple(rows))], start=(2, 6, 0))
    compiled = compile_task(task, trim=True)
    compare(task, compiled)
    assert "pattern" in what_occurs(compiled.machine.program)
    assert [len(field.values) for field in compiled.machine.layout.fields] == [32] * 3


def test_a_row_that_applies_where_a_switch_is_off() -> None:
    """Only then is the other one turned on, without which the first is never on."""
    one, other = variables([2, 2])
    rows = [
        Row((), (Phase(t.negation(one), (Assignment(1, t.TRUE, t.const(1)),)),), t.const(1)),
        Row((), (Phase(other, (Assignment(0, t.TRUE, t.const(1)),)),), t.const(1)),
    ]
    compare(task := make_task([2, 2], [Schema("on", (), (), tuple(rows))]), compile_task(task, trim=True))


def test_random_tasks_on_reachable_states() -> None:
    for seed in range(50):
        task = random_task(Random(seed))
        if not value(task.always, [task.start]):
            continue
        compare(task, compile_task(task, trim=True), 25)


# -- numbers ----------------------------------------------------------------------------------------------------------


def one_row(sizes: list[int], guard: Term, effects: dict[int, Term], cost: Term, copies: int = 1) -> Task:
    lines = tuple(Assignment(target, t.TRUE, new) for target, new in effects.items())
    return make_task(sizes, [Schema("act", (), (), (Row((), (Phase(guard, lines),), cost),) * copies)])


SUM = t.add([(1, v) for v in variables([4, 4, 4, 4])])
BITS = variables([2] * 40)
PLACES = t.add([(1 << n, bit) for n, bit in enumerate(BITS)])  # 2**40 values
NINE = t.var(0, 9)
LARGE = [2**53, 5 * 2**40 + 3, 2**61]
TOO_LARGE = [2**62 + 1, 2**63, 2**64 + 5, 3 * 2**80]


def costs_of(number: int) -> Iterator[Term]:
    """Costs whose numbers, or numbers on the way to them, are as large as `number`."""
    yield t.const(number)
    yield t.lookup(SUM, [0, number] * 6 + [1])
    yield t.modulo(t.add([(number, t.var(0, 4)), (number + 1, t.var(1, 4)), (1, t.lookup(SUM, list(range(13))))]), 1000)
    yield t.modulo(t.add([(number, t.var(0, 4)), (-number, t.var(1, 4))]), 7)
    yield t.maximum([t.const(3), t.select(SUM, [t.const(number), *variables([4, 4, 4, 4]) * 3])])
    yield t.member(t.floor_divide(t.add([(3, t.var(0, 4)), (number, t.var(1, 4))], 1), number), (0, 1))


def sums() -> dict[int, Term]:
    return {n: t.modulo(t.add([(1, SUM), (n, t.var(0, 4))], 1), 4) for n in range(4)}


@pytest.mark.parametrize("copies", [1, 9])
@pytest.mark.parametrize("number", LARGE)
def test_large_numbers_are_exact(number: int, copies: int) -> None:
    for cost in costs_of(number // 16 if number > 2**58 else number):
        task = one_row([4] * 4, t.TRUE, sums(), cost, copies)
        compare(task, compile_task(task))
        masks = one_row(
            [4] * 4, t.member(t.var(3, 4), (0, 1)), {0: t.var(1, 4), 1: t.const(1)}, t.const(number), copies
        )
        compare(masks, compile_task(masks))


@pytest.mark.parametrize("copies", [1, 9])
@pytest.mark.parametrize("number", TOO_LARGE)
def test_numbers_beyond_a_word_are_refused(number: int, copies: int) -> None:
    """Some of them vanish before anything is compiled; the others are not compiled."""
    refused = 0
    for cost in costs_of(number):
        for effects in (sums(), {0: t.var(1, 4), 1: t.const(1)}):
            task = one_row([4] * 4, t.TRUE, effects, cost, copies)
            try:
                assert compile_task(task).successors((0, 1, 2, 3)) == successors(task, (0, 1, 2, 3))
            except Unsupported as reason:
                assert "numbers beyond" in str(reason)
                refused += 1
    assert refused >= 9
    for cost in list(costs_of(number))[:3]:
        with pytest.raises(Unsupported, match="numbers beyond"):
            compile_task(one_row([4] * 4, t.TRUE, {}, t.const(1))).evaluate(cost)


@pytest.mark.parametrize("members", [(5,), (0, 4, 13, 2**39 + 1), range(3, 2**39), range(2**40 - 1), range(1, 2**40),
                                     tuple(range(0, 300, 3))])  # fmt: skip
def test_membership_in_an_endless_interval(members: range | tuple[int, ...]) -> None:
    task = one_row([2] * 40, t.member(PLACES, members), {n: t.negation(BITS[n]) for n in (0, 39)}, t.const(1))
    compiled = compile_task(task)
    for number in (0, 1, 3, 4, 5, 6, 13, 297, 298, 2**39 - 1, 2**39, 2**39 + 1, 2**40 - 2, 2**40 - 1):
        state = tuple(number >> n & 1 for n in range(40))
        assert compiled.successors(state) == successors(task, state)


@pytest.mark.parametrize("size", [4097, 60_000])
def test_tables_of_many_entries(size: int) -> None:
    place, flag = t.var(0, size), t.var(1, 2)
    odd = t.member(place, range(1, size, 2))
    jump = t.lookup(place, [(7 * v + 1) % size for v in range(size)])
    mirror = t.lookup(place, [*range(size)][::-1])
    rows = [(t.member(place, tuple(range(0, size, 2))), {0: jump}, t.modulo(t.add([(5, place), (1, flag)]), 1000)),
            (odd, {0: t.modulo(t.add([(5, place), (3, flag)]), size), 1: t.negation(flag)}, mirror)]  # fmt: skip
    made = [one_row([size, 2], *row).schemas[0] for row in rows]
    compare(make_task([size, 2], made), compile_task(make_task([size, 2], made)))


def test_a_value_far_outside_its_domain_costs_nothing() -> None:
    """The guard keeps it out; a table of all values that the sum could have would never end."""
    a, b = t.var(1, 8), t.var(2, 8)
    far = t.add([(10**9 + 7, a), (3, b)])
    step = {1: t.lookup(a, [2, 0, 5, 5, 5, 0, 2, 2]), 2: t.lookup(b, [2, 3, 0, 5, 5, 0, 0, 0])}
    schemas = [*one_row([8] * 3, t.member(far, range(8)), {0: far}, t.const(1)).schemas,
               *one_row([8] * 3, t.TRUE, step, t.const(1)).schemas]  # fmt: skip
    task = make_task([8] * 3, schemas)
    compare(task, compile_task(task, trim=True))


def test_variables_that_never_change_are_constants() -> None:
    """Snake's first board has 40 squares, and fruit on one of them: it never grows anywhere else."""
    task = ground(load("snake", "first"))
    machine = Machine(task)
    names = {task.variables[leaf.index].name for leaf in machine.program.settled if isinstance(leaf, t.Var)}
    fruit = {variable.name for variable in task.variables if variable.name.startswith("fruit")}
    assert (len(fruit), fruit - names, names - fruit, machine.words) == (40, {"fruit[[2, 3]]"}, set(), 1)
    assert not Machine(task, trim=False).program.settled


def test_a_constant_may_change_between_phases() -> None:
    """It is 7 after the first phase, which the second one copies, and then 0 as before."""
    (middle, copied), x = variables([8, 8]), t.var(0, 8, 1)
    flag = t.var(2, 2)
    first = Phase(t.TRUE, (Assignment(0, flag, t.const(7)),))
    second = Phase(t.TRUE, (Assignment(1, t.TRUE, x), Assignment(0, t.TRUE, t.const(0))))
    flip = Row((), (Phase(t.TRUE, (Assignment(2, t.TRUE, t.negation(flag)),)),), t.const(1))
    row = Row((), (first, second), t.const(1))
    task = make_task([8, 8, 2], [Schema("copy", (), (), (row,)), Schema("flip", (), (), (flip,))], start=(0, 0, 0))
    machine = Machine(task)
    assert dict(machine.program.settled) == {middle: t.const(0)} and copied not in machine.program.settled
    compare(task, compile_task(task, trim=True), 4)


def test_variables_that_never_change_behind_a_full_word() -> None:
    """Templates, tables and sums of 64 bits and more; the last variables have no bits."""
    sizes = [2] * 64 + [3, 3, 3]
    x = variables(sizes)
    rows = []
    for k in range(6):
        guard = t.member(t.add([(1, x[k]), (1, x[k + 1]), (1, x[64 + k % 3])]), (1, 2))
        cost = t.modulo(t.add([(3, x[64]), (2, t.lookup(x[65], [5, 7, 2])), (1, x[k]), (1, x[66])]), 4)
        rows.append(Row((), (Phase(guard, (Assignment(k, t.TRUE, t.negation(x[k])),)),), cost))
    turn = tuple(Assignment(k, t.TRUE, t.negation(x[k])) for k in range(64))
    schemas = [
        Schema("flip", (), (), tuple(rows)),
        Schema("turn", (), (), (Row((), (Phase(t.TRUE, turn),), t.const(1)),)),
    ]
    for count in (1, 2, 6):
        kept = [replace(schemas[0], rows=schemas[0].rows[:count]), schemas[1]]
        task = make_task(sizes, kept, start=(0,) * 64 + (1, 0, 2))
        compiled = compile_task(task, trim=True)
        assert compiled.machine.layout.words == 1
        compare(task, compiled)


@pytest.mark.parametrize("seed", seeds(25, 60))
def test_values_on_reachable_states(seed: int) -> None:
    """Estimates read trimmed codes, alone and under a bound."""
    rng = Random(seed)
    maker = Maker(rng, PROFILES["small"](rng))
    task = maker.task([Maker.shared, Maker.masks])
    compiled = compile_task(task, trim=True)
    terms = [random_term(rng, maker.all, 3) for _ in range(3)]
    for term in terms:
        plain, bounded = compiled.machine.evaluate(term), compile_task(task, trim=True).machine.evaluate(term, 0)
        for state in reached(task, 15):
            packed = compiled.machine.layout.pack(state)
            assert (plain(packed), bounded(packed)) == (value(term, [state]), max(0, value(term, [state])))


def test_an_estimate_with_and_without_a_bound() -> None:
    machine = compile_task(make_task([3], [])).machine
    below = t.add([(1, t.var(0, 3))], -2)
    assert (machine.evaluate(below)(0), machine.evaluate(below, 0)(0)) == (-2, 0)
