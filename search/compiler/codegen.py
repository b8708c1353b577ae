"""From a task to machine code: successors, goal test, estimates, one action applied; printed as LLVM IR.

Rows that are masks become tables (`compiler.row_tables`), rows that do one thing to a whole board shift bit planes
(`compiler.row_boards`), rows that differ only in their variables share code (`compiler.row_templates`). The others
become straight-line code: a condition that consecutive rows begin with is tested once for all of them (a decision tree
over preconditions: Helmert's successor generators in Fast Downward, 2006), and a choice variable becomes a loop that is
left as soon as a condition on the choices so far fails, so that the product of a joint move is never listed. A row that
would be masks if one variable were known is split by the values of this variable (partial evaluation: Jones, Gomard and
Sestoft, 1993).

States are assumed to satisfy `Task.always`: only what an action changes is tested again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from models.frozen import frozen
from models.shapes import Naming
from models.task import Assignment, Phase, Row, Task
from models.terms import (
    Choice,
    Member,
    Select,
    Term,
    Var,
    children,
    conjunction,
    const,
    leaves,
    member,
    substitute,
    var,
)
from search.compiler.bit_sets import bits_of
from search.compiler.emitter import Emitter, OneOutput, Output, literal
from search.compiler.folding import Folded, folded
from search.compiler.layout import Layout, lay_out, values_apart
from search.compiler.row_boards import BoardRow, board_row, write_board
from search.compiler.row_patterns import NumberNaming, Pattern, pattern, write_pattern
from search.compiler.row_tables import MaskRow, file_rows, mask_row, write_file
from search.compiler.row_templates import Shaped, shaped, write_template
from search.compiler.rows import Memos, RowPlan, RowStep, old_variables, prepare
from search.compiler.scopes import Look, Usage, never
from search.compiler.tabulation import ConstantPool

if TYPE_CHECKING:
    from search.proofs.symmetry import CanonicalStep

EASY = 8  # instructions that are cheaper done than jumped over
MANY = 8  # mask rows of a schema that are worth a table
ALIKE = 3  # rows of one shape that are worth a template
CROWD = 24  # rows of one shape up to numbers that are worth a pattern
MOST_ROWS = 8192  # of all special cases together
MOST_VALUES = 128  # of a variable by which rows are split
MOST_TERMS = 1000  # of a row that is split


@frozen(eq=True)
class Numbering:
    """Operators as numbers: rows in the file's order, each with all values of its choices."""

    places: tuple[tuple[int, int], ...]  # schema and row
    bases: tuple[int, ...]
    sizes: tuple[tuple[int, ...], ...]  # of the schemas' choices

    @property
    def count(self) -> int:
        schema = self.places[-1][0] if self.places else 0
        return self.bases[-1] + _product(self.sizes[schema]) if self.places else 0

    def find(self, action: int) -> int:
        """The place in `places` of an operator's row."""
        return bisect_right(self.bases, action) - 1

    def strides(self, schema: int) -> list[int]:
        sizes = self.sizes[schema]
        return [_product(sizes[k + 1 :]) for k in range(len(sizes))]


def _product(sizes: Sequence[int]) -> int:
    result = 1
    for size in sizes:
        result *= size
    return result


def number_operators(task: Task) -> Numbering:
    sizes = tuple(tuple(len(free.domain) for free in schema.choices) for schema in task.schemas)
    bases, total = [], 0
    for schema, _ in task.rows:
        bases.append(total)
        total += _product(sizes[schema])
    return Numbering(tuple(task.rows), tuple(bases), sizes)


@frozen(eq=True)
class Program:
    """A task made ready for printing."""

    task: Task
    numbering: Numbering
    layout: Layout
    plans: tuple[RowPlan, ...]
    actions: tuple[int, ...]  # parallel to the plans: the number of the first operator
    settled: Mapping[Term, Term]  # variables that have only one value, with this value
    values: tuple[Sequence[int], ...]  # of each variable: the states that the code is about, and that they lead to
    apart: Sequence[Sequence[int]]  # of each variable: those by which it is settled or not
    look: Look = never  # called often while the program is printed; it may raise

    @property
    def branching(self) -> int:
        """No state has more successors."""
        best: dict[int, int] = {}
        for plan, action in zip(self.plans, self.actions, strict=True):
            best[action] = _product([len(values) for _, values, _ in plan.loops])
        return max(1, sum(best.values()))


def make_program(task: Task, trim: bool, steps: Sequence[CanonicalStep] = (), layout: Layout | None = None,
                 look: Look = never, values: Sequence[Sequence[int]] | None = None) -> Program:  # fmt: skip
    """`steps` of the canonical form that states will be brought to; `layout`: that of another task over the states, and
    `values` with it: those of the same task, `apart`."""
    numbering = number_operators(task)
    rows = {
        place: folded(row, [len(variable.domain) for variable in task.variables]) for place, row in task.rows.items()
    }
    plans, actions = prepared(task, rows, numbering, {}, look)
    if values is None:
        values = _apart(task, plans, trim, steps, layout, look)
    settled = settled_by(task, values)
    if settled:
        plans, actions = prepared(task, rows, numbering, settled, look)
    layout = layout or lay_out(task, plans, trim, steps, look)
    layout = replace(layout, bits=bits_of(task, layout, settled))
    possible = [n for n, plan in enumerate(plans) if all(_can_hold(layout, test) for test in plan.tests)]
    plans, actions = [plans[n] for n in possible], [actions[n] for n in possible]
    covered = _covered(layout, settled, values)
    return Program(task, numbering, layout, tuple(plans), tuple(actions), settled, covered, values, look)


def _apart(
    task: Task, plans: Sequence[RowPlan], trim: bool, steps: Sequence[CanonicalStep], layout: Layout | None, look: Look
) -> Sequence[Sequence[int]]:
    """For each variable the values that it may have."""
    if layout is not None:
        return [field.values for field in layout.fields]
    if trim:
        return values_apart(task, plans, steps, look)
    return [tuple(range(len(variable.domain))) for variable in task.variables]


def _covered(
    layout: Layout, settled: Mapping[Term, Term], values: Sequence[Sequence[int]]
) -> tuple[Sequence[int], ...]:
    """For each variable the values that the code is about; constants are such only as long as `values` are."""
    held = tuple(field.values for field in layout.fields)
    if not settled:
        return held
    return tuple([value for value in kept if value in codes] for kept, codes in zip(values, held, strict=True))


def settled_by(task: Task, values: Iterable[Sequence[int]]) -> dict[Term, Term]:
    """The variables that have one value only, with this value."""
    old = zip(old_variables(task), values, strict=True)
    return {leaf: const(kept[0]) for leaf, kept in old if len(kept) == 1 and isinstance(leaf, Var)}


def prepared(
    task: Task, rows: Mapping[tuple[int, int], Folded], numbering: Numbering, settled: Mapping[Term, Term],
    look: Look = never,
) -> tuple[list[RowPlan], list[int]]:  # fmt: skip
    """(the `rows` that may apply, ready for writing; for each its first operator), given what some variables are."""
    old = old_variables(task)
    plans: list[RowPlan] = []
    actions = []
    memos: Memos = {}
    for place, base in zip(numbering.places, numbering.bases, strict=True):
        look()
        row, most = rows[place]
        plan = prepare(task, len(plans), place, row, old, settled, memos, most)
        if plan is not None:
            plans.append(plan)
            actions.append(base)
    return plans, actions


def _can_hold(layout: Layout, test: Term) -> bool:
    found = literal(layout, test)
    return found is None or bool(found[1])


# -- functions --------------------------------------------------------------------------------------------------------


HEADERS = {  # of the functions that kernels call
    "plain": f"ptr %states, i64 %n, {Output.HEADER}",
    "expand": f"ptr %states, i64 %n, {Output.HEADER}",
    "goal": "ptr %states, i64 %n",
}


def write_module(pool: ConstantPool, functions: Sequence[str]) -> str:
    return "\n".join(["declare i64 @llvm.cttz.i64(i64, i1)", *pool.lines, *functions])


def write_expand(program: Program, pool: ConstantPool, name: str) -> str:
    """name(states, n, out, actions, parents, costs) -> number of successors."""
    return over_states(
        f"i64 @{name}", f", {Output.HEADER}", with_rows(program, pool, Output()),
        first=["  %parent = trunc i64 %s to i32"], before=["  %count = alloca i64", "  store i64 0, ptr %count"],
        after=["  %total = load i64, ptr %count", "  ret i64 %total"],
    )  # fmt: skip


def write_apply(program: Program, pool: ConstantPool) -> str:
    """apply(states, n, wanted, out, costs, applied): each state after one operator, where that is applicable."""
    return over_states(
        "void @apply", f", {OneOutput.HEADER}", with_rows(program, pool, OneOutput()),
        first=[
            "  %pw = getelementptr i32, ptr %wanted, i64 %s", "  %w = load i32, ptr %pw",
            f"  {OneOutput.WANTED} = zext i32 %w to i64",
            "  %pa = getelementptr i64, ptr %applied, i64 %s", "  store i64 0, ptr %pa",
        ],
        after=["  ret void"],
    )  # fmt: skip


def with_rows(program: Program, pool: ConstantPool, output: Output) -> Emitter:
    """The code of all rows for one state."""
    segments = segmented(program)
    usage = Usage(program.layout.parts)
    for segment in segments:
        for plan, _ in segment.code:
            usage.add(plan.number, plan.roots())
    emitter = Emitter(program.layout, pool, usage, look=program.look)
    for segment in segments:
        program.look()
        for file in file_rows(program.layout, segment.masks, program.task.start):
            write_file(emitter, output, file)
        for row in segment.boards:
            write_board(emitter, output, row)
        if segment.pattern:
            write_pattern(emitter, segment.pattern, write_plan, output.add)
        if segment.template:
            write_template(emitter, segment.template, write_plan, output.add)
        RowWriter(emitter, program.numbering, output).write(segment.code)
    return emitter


def write_goal(program: Program, pool: ConstantPool) -> str:
    """goal(states, n) -> the first goal among the states, n if there is none."""
    goal = substitute(program.task.goal, program.settled)
    emitter = value_emitter(program, pool, goal)
    with emitter.when(emitter.condition(goal), 0):
        emitter.line("  ret i64 %s")
        emitter.line(f"{emitter.label('never')}:")
    return over_states("i64 @goal", "", emitter, after=["  ret i64 %n"])


def write_estimate(program: Program, pool: ConstantPool, term: Term, name: str, least: int | None = 0) -> str:
    """estimate(states, n, values): the term in each state, but not below `least`."""
    term = substitute(term, program.settled)
    emitter = value_emitter(program, pool, term)
    number = emitter.number(term)
    if least is not None and term.values[0] < least:
        number = emitter.choose(emitter.value(f"icmp slt i64 {number}, {least}"), str(least), number)
    pointer = emitter.value("getelementptr i64, ptr %values, i64 %s")
    emitter.line(f"  store i64 {number}, ptr {pointer}")
    return over_states(f"void @{name}", ", ptr %values", emitter, after=["  ret void"])


def value_emitter(program: Program, pool: ConstantPool, term: Term) -> Emitter:
    usage = Usage(program.layout.parts)
    usage.add(0, [term])
    return Emitter(program.layout, pool, usage, look=program.look)


def over_states(name: str, arguments: str, emitter: Emitter, *, after: Sequence[str], before: Sequence[str] = (),
                first: Sequence[str] = ()) -> str:  # fmt: skip
    """A function that does the emitter's work for each of n states."""
    words = emitter.layout.words
    loads = []
    for k in range(words):
        place = f"%s{k}" if words > 1 else "%s"
        if words > 1:
            loads += [f"  %m{k} = mul i64 %s, {words}", f"  {place} = add i64 %m{k}, {k}"]
        loads += [f"  %p{k} = getelementptr i64, ptr %states, i64 {place}", f"  %w{k} = load i64, ptr %p{k}"]
    return "\n".join([
        f"define {name}(ptr noalias %states, i64 %n{arguments.replace('ptr', 'ptr noalias')}) {{",
        "entry:", *before, "  br label %next",
        "next:", "  %s = phi i64 [0, %entry], [%sn, %done]",
        "  %more = icmp slt i64 %s, %n", "  br i1 %more, label %state, label %end",
        "state:", *loads, *first, *emitter.scopes[0].lines, "  br label %done",
        "done:", "  %sn = add i64 %s, 1", "  br label %next",
        "end:", *after, "}",
    ])  # fmt: skip


# -- rows -------------------------------------------------------------------------------------------------------------


@frozen(eq=True)
class Segment:
    """Rows of one kind, for one piece of code."""

    masks: tuple[MaskRow, ...] = ()
    boards: tuple[BoardRow, ...] = ()
    pattern: Pattern | None = None
    template: tuple[Shaped, ...] = ()
    code: tuple[tuple[RowPlan, int], ...] = ()


def segmented(program: Program) -> list[Segment]:
    """The rows, as nearly in the file's order as their kinds allow."""
    segments = []
    for _, group in groupby(zip(program.plans, program.actions, strict=True), lambda row: row[0].place[0]):
        rows = list(group)
        masks = all_masked(program, rows)
        if masks is not None and len(masks) >= MANY:
            segments.append(Segment(masks=tuple(masks)))
        else:
            boards = [board_row(program.layout, plan, action) for plan, action in rows]
            segments.append(Segment(boards=tuple(row for row in boards if row is not None)))
            patterns, rest = patterned(program, [row for n, row in enumerate(rows) if boards[n] is None])
            segments += [*patterns, *shaped_segments(program, rest)]
    return segments


def all_masked(program: Program, rows: Sequence[tuple[RowPlan, int]]) -> list[MaskRow] | None:
    """The rows of a schema as mask rows; None where one of them is more than that."""
    found: list[MaskRow] = []
    for plan, action in rows:
        program.look()
        masks = masked(program, plan, action, len(rows))
        if masks is None:
            return None
        found += masks
    return found


def patterned(program: Program, rows: list[tuple[RowPlan, int]]) -> tuple[list[Segment], list[tuple[RowPlan, int]]]:
    """(the many rows that share a shape but for their numbers as patterns, the other rows)."""
    if len(rows) < CROWD:
        return [], rows
    groups, _ = grouped(program, rows, NumberNaming)
    crowds = (group for group in groups if len(group) >= CROWD)
    found = [made for group in crowds if (made := pattern(program.layout, group)) is not None]
    taken = {row.plan.number for each in found for row in each.rows}
    return [Segment(pattern=each) for each in found], [row for row in rows if row[0].number not in taken]


def grouped(
    program: Program, rows: Sequence[tuple[RowPlan, int]], naming: Callable[[], Naming]
) -> tuple[list[list[Shaped]], list[tuple[RowPlan, int]]]:
    """(groups of rows that share a shape, rows that have none)."""
    groups: dict[object, list[Shaped]] = {}
    code = []
    for plan, action in rows:
        program.look()
        found = shaped(program.layout, plan, action, naming())
        if found is None:
            code.append((plan, action))
        else:
            groups.setdefault(found[0], []).append(found[1])
    return list(groups.values()), code


def shaped_segments(program: Program, rows: Sequence[tuple[RowPlan, int]]) -> list[Segment]:
    """Rows that share a shape as templates, the others in a line."""
    groups, code = grouped(program, rows, Naming)
    for group in groups:
        if len(group) < ALIKE:
            code += [(row.plan, row.action) for row in group]
    segments = [Segment(template=tuple(group)) for group in groups if len(group) >= ALIKE]
    return [*segments, Segment(code=tuple(sorted(code, key=lambda row: row[1])))]


def masked(program: Program, plan: RowPlan, action: int, rows: int) -> list[MaskRow] | None:
    """The row as one mask row, or as one for each value of the variable that it is split by."""
    whole = mask_row(program.layout, plan, action)
    if whole is not None:
        return [whole]
    for pivot in pivots(program.layout, plan):
        found = split(program, plan, action, pivot, MOST_ROWS // rows)
        if found is not None:
            return found
    return None


def pivots(layout: Layout, plan: RowPlan) -> list[Var]:
    """Variables by which a row may be split: those by which its terms choose, the most frequent first."""
    if plan.loops or plan.repeats or not small(plan):
        return []
    found: Counter[Var] = Counter()
    for root in plan.roots():
        match root:
            case Select(argument=Var(stage=0) as leaf) | Member(argument=Var(stage=0) as leaf):
                found[leaf] += 1
            case Var():
                pass
            case _:
                found.update(leaf for leaf in leaves(root) if isinstance(leaf, Var) and not leaf.stage)
    return [leaf for leaf, _ in found.most_common(2) if len(layout.fields[leaf.index].values) <= MOST_VALUES]


def small(plan: RowPlan) -> bool:
    """Is it little work to rewrite the row for every value of a variable?"""
    seen: set[Term] = set()
    waiting = plan.roots()
    while waiting and len(seen) <= MOST_TERMS:
        term = waiting.pop()
        if term not in seen:
            seen.add(term)
            waiting += children(term)
    return len(seen) <= MOST_TERMS


def split(program: Program, plan: RowPlan, action: int, pivot: Var, most: int) -> list[MaskRow] | None:
    field = program.layout.fields[pivot.index]
    if len(field.values) > most:
        return None
    row = program.task.rows[plan.place]
    old = old_variables(program.task)
    found = []
    for value in field.values:
        special = special_case(row, pivot, value)
        case = prepare(program.task, plan.number, plan.place, special, old, program.settled)
        if case is None or not all(_can_hold(program.layout, test) for test in case.tests):
            continue
        masks = mask_row(program.layout, case, action)
        if masks is None:
            return None
        found.append(masks)
    return found


def special_case(row: Row, pivot: Var, value: int) -> Row:
    """The row where an old variable has a value."""
    known: dict[Term, Term] = {pivot: const(value)}
    memo: dict[Term, Term] = {}

    def known_in(term: Term) -> Term:
        return substitute(term, known, memo)

    def effect(a: Assignment) -> Assignment:
        return Assignment(a.target, known_in(a.condition), known_in(a.value))

    assert not row.loops
    phases = [Phase(known_in(phase.guard), tuple(map(effect, phase.assignments))) for phase in row.phases]
    phases[0] = replace(phases[0], guard=conjunction([member(pivot, (value,)), phases[0].guard]))
    return Row(row.arguments, tuple(phases), known_in(row.cost))


class RowWriter:
    """Rows as straight-line code."""

    def __init__(self, emitter: Emitter, numbering: Numbering, output: Output) -> None:
        self.emitter, self.numbering, self.output = emitter, numbering, output

    def write(self, rows: Sequence[tuple[RowPlan, int]]) -> None:
        """Nested tests: the one that most of the rows ahead begin with, then the rest of those rows below it."""
        while rows:
            plan, action = rows[0]
            runs = {test: _shared(rows, test) for test in sorted(plan.tests, key=self.emitter.weight)}
            count = max(runs.values(), default=1)
            if count == 1:
                self.row(plan, action)
            else:
                joined = [test for test in runs if runs[test] == count]
                rest = [(replace(p, tests=tuple(t for t in p.tests if t not in joined)), a) for p, a in rows[:count]]
                with ExitStack() as stack:
                    require(self.emitter, stack, joined, rows[count - 1][0].number + 1)
                    self.write(rest)
            rows = rows[count:]

    def row(self, plan: RowPlan, action: int) -> None:
        emitter = self.emitter
        with ExitStack() as stack:
            require(emitter, stack, plan.tests, plan.number + 1)
            number = self.choose(stack, plan, str(action))
            write_steps(emitter, stack, plan, lambda words, cost: self.output.add(emitter, words, number, cost))

    def choose(self, stack: ExitStack, plan: RowPlan, number: str) -> str:
        """Loops over the choices' values, left early; the operator's number."""
        emitter = self.emitter
        for (leaf, values, tests), stride in zip(plan.loops, self.numbering.strides(plan.place[0]), strict=True):
            counter = stack.enter_context(emitter.loop(str(len(values))))
            value = emitter.entry(range(len(values)), values, counter)
            if isinstance(leaf, Choice):
                emitter.bind(leaf, value)
            part = emitter.value(f"mul i64 {value}, {stride}")
            number = emitter.value(f"add i64 {number}, {part}")
            require(emitter, stack, tests, 0)
        return number


Finish = Callable[[Sequence[str], str], None]  # takes the words of the successor and the cost


def write_plan(emitter: Emitter, plan: RowPlan, finish: Finish) -> None:
    """A row without choices."""
    with ExitStack() as stack:
        require(emitter, stack, plan.tests, plan.number + 1)
        write_steps(emitter, stack, plan, finish)


def write_steps(emitter: Emitter, stack: ExitStack, plan: RowPlan, finish: Finish) -> None:
    """The phases of a row whose first tests hold."""
    stack.enter_context(emitter.apart(plan.number + 1))
    for number, step in enumerate(plan.steps):
        if number:
            require(emitter, stack, step.tests if not step.entry else (), 0)
        if step.entry:
            repeat(emitter, stack, step)
        for leaf, term in step.definitions if not step.entry else ():
            emitter.bind(leaf, emitter.number(term))
    require(emitter, stack, plan.always, 0)
    finish(emitter.state_after({index: plan.final[index] for index in plan.changed}), emitter.number(plan.cost))


def repeat(emitter: Emitter, stack: ExitStack, step: RowStep) -> None:
    """Round after round until one changes nothing, in a function that all such loops share; go on where it ends."""
    naming = Naming()
    carried = [leaf for leaf, _ in step.definitions]
    naming.shapes(carried)
    key = step.most, naming.shapes(step.tests), naming.shapes(value for _, value in step.definitions)
    read, loops = list(naming.names), emitter.pool.loops
    if key not in loops:
        loops[key] = f"@loop{len(loops)}"
        emitter.pool.lines.append(write_loop(emitter, loops[key], step, read))
    given = [*step.entry, *read[len(carried) :]]
    arguments = ", ".join(f"i64 {emitter.number(term)}" for term in given)
    found = emitter.value(f"call {_values(carried)} {loops[key]}({arguments})")
    rests = emitter.value(f"extractvalue {_values(carried)} {found}, {len(carried)}")
    stack.enter_context(emitter.when(emitter.value(f"icmp ne i64 {rests}, 0"), 0))
    for place, leaf in enumerate(carried):
        emitter.bind(leaf, emitter.value(f"extractvalue {_values(carried)} {found}, {place}"))


def _values(carried: Sequence[Term]) -> str:
    """The type of what a loop gives: the variables that it writes, and 1 where it comes to rest."""
    return f"[{len(carried) + 1} x i64]"


def write_loop(user: Emitter, name: str, step: RowStep, read: Sequence[Term]) -> str:
    """name(what the variables that it writes begin with, what else it reads), over leaves of its own."""
    own = {leaf: var(place, len(leaf.values), 1) for place, leaf in enumerate(read)}
    memo: dict[Term, Term] = {}
    tests, after = (
        [substitute(term, own, memo) for term in terms]
        for terms in (step.tests, [value for _, value in step.definitions])
    )
    usage = Usage(user.layout.parts)
    usage.add(0, [*tests, *after])
    emitter = Emitter(user.layout, user.pool, usage, look=user.look)
    given = {leaf: f"%a{place}" for place, leaf in enumerate(own.values())}
    carried = list(given)[: len(after)]
    for leaf in list(given)[len(after) :]:
        emitter.bind(leaf, given[leaf])
    with emitter.rounds([given[leaf] for leaf in carried], step.most) as rounds, ExitStack() as stack:
        for leaf, now in zip(carried, rounds.names, strict=True):
            emitter.bind(leaf, now)
        require(emitter, stack, tests, 0)
        rounds.end([emitter.number(term) for term in after])
    kind = _values(carried)
    with rounds.rested(0):
        found = "undef"
        for place, now in enumerate([*rounds.names, "1"]):
            found = emitter.value(f"insertvalue {kind} {found}, i64 {now}, {place}")
        emitter.line(f"  ret {kind} {found}")
        emitter.line(f"{emitter.label('nowhere')}:")
    arguments = ", ".join(f"i64 {each}" for each in given.values())
    lines = [f"define internal {kind} {name}({arguments}) {{", "entry:", *emitter.scopes[0].lines]
    return "\n".join([*lines, f"  ret {kind} zeroinitializer", "}"])


def require(emitter: Emitter, stack: ExitStack, tests: Sequence[Term], end: int) -> None:
    """Go on only where the tests hold: cheap ones are made at once, dear ones one by one."""
    for batch in batches(emitter, tests):
        stack.enter_context(emitter.when(emitter.all_of(batch), end))


def _shared(rows: Sequence[tuple[RowPlan, int]], test: Term) -> int:
    """How many of the rows ahead, without a gap, have this test."""
    return next((n for n, (plan, _) in enumerate(rows) if test not in plan.tests), len(rows))


def batches(emitter: Emitter, tests: Sequence[Term]) -> Iterator[list[Term]]:
    """Tests to be made together, the cheapest first."""
    batch: list[Term] = []
    weight = 0
    for test in sorted(tests, key=emitter.weight):
        if batch and weight + emitter.weight(test) > EASY:
            yield batch
            batch, weight = [], 0
        batch.append(test)
        weight += emitter.weight(test)
    if batch:
        yield batch
