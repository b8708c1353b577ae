"""Terms as LLVM instructions: straight-line code without side effects, so every term may be had early.

Numbers are i64, conditions i1. Conditions on single variables are masks over the packed words; terms of few variables
are one look-up in a table over their packed bits (`compiler.tabulation`); tables of at most 64 bits live in a register.
Only whole numbers and names made here enter the text.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from models.metrics import LARGEST
from models.outcomes import Unsupported
from models.terms import (
    Add,
    And,
    Cases,
    Choice,
    Compare,
    Const,
    FloorDivide,
    Lookup,
    Maximum,
    Member,
    Minimum,
    Modulo,
    Not,
    Or,
    Select,
    Term,
    Values,
    Var,
    is_condition,
    lookup,
    parts_first,
)
from search.compiler.layout import Field, Layout, Whole
from search.compiler.scopes import Look, Scopes, Usage, never
from search.compiler.tabulation import ConstantPool, Tabulation, summed, tabulated
from search.compiler.term_tables import branch_runs, column, common_argument, filled, largest

HEAVIEST = 1 << 40
STEP = 40  # levels of a term that are written by recursion
MOST_ENTRIES = 1 << 16  # of a table of flags
_SIGNS = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle"}
_EXACT = (Member, Compare, And, Or, Not)  # terms that come as i1


class Steps:
    """Tall terms cut into pieces of `STEP` levels: a step is a term one of whose parts lies in a lower piece."""

    def __init__(self, inner: Callable[[Term], Sequence[Term]]) -> None:
        self.inner = inner
        self.heights: dict[Term, int] = {}
        self.found: dict[Term, tuple[Term, ...]] = {}

    def height(self, term: Term) -> int:
        for part in parts_first(term, self.heights, self.inner):
            self.heights[part] = 1 + max((self.heights[inner] for inner in self.inner(part)), default=0)
        return self.heights[term]

    def is_step(self, term: Term) -> bool:
        piece = self.height(term) // STEP
        return piece > 0 and any(self.heights[part] // STEP < piece for part in self.inner(term))

    def below(self, term: Term) -> tuple[Term, ...]:
        """The steps that are next below a term."""
        if term not in self.found:
            steps: dict[Term, None] = {}
            seen: set[Term] = set()
            waiting = [*self.inner(term)]
            while waiting:
                part = waiting.pop()
                if part not in seen and self.height(part) >= STEP:
                    seen.add(part)
                    if self.is_step(part):
                        steps[part] = None
                    else:
                        waiting += self.inner(part)
            self.found[term] = tuple(steps)
        return self.found[term]


class _Written:
    """The terms that have a name where an emitter writes."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter

    def __contains__(self, term: object) -> bool:
        return isinstance(term, Term) and self.emitter.written(term)


class Emitter(Scopes):
    """Writes the code of one state: its words are given, everything else is computed from them."""

    def __init__(self, layout: Layout, pool: ConstantPool, usage: Usage, numbers: Iterator[int] | None = None,
                 look: Look = never) -> None:  # fmt: skip
        super().__init__(usage, numbers, look)
        self.layout, self.pool = layout, pool
        if any(largest(term) > LARGEST for term in usage.last):
            raise Unsupported("numbers beyond 2**62 cannot be compiled")
        self.words = [f"%w{k}" for k in range(layout.words)]
        self.weights: dict[Term, int] = {}
        self.tables: dict[Term, Tabulation | None] = {}
        self.steps = Steps(layout.parts)

    def weight(self, term: Term) -> int:
        """Roughly the number of instructions, each part as often as it is used; at most `HEAVIEST`."""
        inside = self.layout.parts
        for part in parts_first(term, self.weights, inside):
            self.weights[part] = min(HEAVIEST, 1 + sum(self.weights[inner] for inner in inside(part)))
        return self.weights[term]

    # -- terms ---------------------------------------------------------------------------------------------------------

    def number(self, term: Term) -> str:
        """The term as an i64."""
        if isinstance(term, Const):
            return str(term.value)
        if isinstance(term, Whole):
            return self._once(term, term, lambda: term.write(self))
        if is_condition(term) and self._bit(term):
            return self._once((term, "number"), term, lambda: self.value(f"zext i1 {self.condition(term)} to i64"))
        return self._once(term, term, lambda: self._number(term))

    def condition(self, term: Term) -> str:
        """The condition as an i1."""
        if isinstance(term, Const):
            return "true" if term.value else "false"
        if self._bit(term):
            return self._once((term, "bit"), term, lambda: self._condition(term))
        return self._once((term, "bit"), term, lambda: self.value(f"icmp ne i64 {self.number(term)}, 0"))

    def _bit(self, term: Term) -> bool:
        return isinstance(term, _EXACT) and tabulated(self, term) is None

    def _once(self, key: Hashable, term: Term, make: Callable[[], str]) -> str:
        name = self.known(key)
        if name is None:
            self._steps_below(term)
            with self.at(self.level(term)):
                name = make()
                self.bind(key, name)
        return name

    def _steps_below(self, term: Term) -> None:
        """Write the steps of a tall term from below, as far out as they can be: recursion goes from one to the next."""
        if not self.steps.is_step(term):
            return
        for part in parts_first(term, _Written(self), self.steps.below):
            if part is not term:
                with self.at(self.floor(part)):
                    self._primary(part)()

    def _primary(self, term: Term) -> Callable[[], str]:
        return partial(self.condition if self._bit(term) else self.number, term)

    def written(self, term: Term) -> bool:
        """Has it a name here, in the form that the other one is made of?"""
        return self.known((term, "bit") if self._bit(term) else term) is not None

    def _number(self, term: Term) -> str:
        table = tabulated(self, term)
        if table is not None:
            return self.looked_up(table)
        match term:
            case Var(index=index, stage=0):
                return self.variable(self.layout.fields[index])
            case Lookup(argument=argument, table=entries):
                return self.entry(argument.values, filled(entries), self.number(argument))
            case Select():
                return self.selected(term)
            case Cases(cases=pairs, otherwise=otherwise):
                result = self.number(otherwise)
                for condition, value in reversed(pairs):
                    result = self.choose(self.condition(condition), self.number(value), result)
                return result
            case Add(terms=terms, constant=constant):
                return self.total(terms, constant)
            case FloorDivide(argument=argument, divisor=divisor):
                return self.divided(argument, divisor)[0]
            case Modulo(argument=argument, divisor=divisor):
                return self.divided(argument, divisor)[1]
            case Minimum(arguments=arguments):
                return self.extreme("slt", arguments)
            case Maximum(arguments=arguments):
                return self.extreme("sgt", arguments)
        raise TypeError(f"no number for {type(term).__name__}")

    def _condition(self, term: Term) -> str:
        bit = self.layout.bit(term)
        if bit is not None:
            kept = self.value(f"and i64 {self.word_of(bit.whole, bit.word)}, {signed(1 << bit.shift)}")
            return self.value(f"icmp {'ne' if bit.positive else 'eq'} i64 {kept}, 0")
        match term:
            case Member(argument=argument, members=members):
                return self.among(argument, members)
            case Compare(comparison=sign, left=left, right=right):
                return self.value(f"icmp {_SIGNS[sign]} i64 {self.number(left)}, {self.number(right)}")
            case And():
                return self.all_of(self.layout.grouped(term))
            case Or():
                return self.fold("or", [self.condition(part) for part in self.layout.grouped(term)])
            case Not(argument=argument):
                return self.value(f"xor i1 {self.condition(argument)}, true")
        raise TypeError(f"no condition for {type(term).__name__}")

    def word_of(self, whole: Whole, word: int) -> str:
        """A word of what is worked out at once."""
        self.number(whole)
        found = self.known((whole, word))
        assert found is not None
        return found

    # -- variables -----------------------------------------------------------------------------------------------------

    def bits(self, field: Field) -> str:
        """The field's code."""
        word = self.words[field.word]
        if field.width == 0:
            return "0"
        shifted = self.value(f"lshr i64 {word}, {field.shift}") if field.shift else word
        return self.value(f"and i64 {shifted}, {(1 << field.width) - 1}")

    def variable(self, field: Field) -> str:
        if field.plain or field.width == 0:
            return self.bits(field) if field.width else str(field.values[0])
        return self.entry(range(len(field.values)), field.values, self.bits(field))

    def all_of(self, parts: Iterable[Term]) -> str:
        """A conjunction; equalities of variables are one comparison a word."""
        fixed, rest = self.equalities(parts)
        if fixed is None:
            return "false"
        tests = []
        for word, (mask, bits) in word_masks(fixed.items()).items():
            kept = self.value(f"and i64 {self.words[word]}, {signed(mask)}")
            tests.append(self.value(f"icmp eq i64 {kept}, {signed(bits)}"))
        return self.fold("and", [*tests, *(self.condition(part) for part in rest)])

    def equalities(self, parts: Iterable[Term]) -> tuple[dict[Field, int] | None, list[Term]]:
        """(the codes that parts fix, None where they contradict each other; the other parts)."""
        fixed: dict[Field, int] = {}
        rest = []
        for part in parts:
            found = literal(self.layout, part)
            if found is None or len(found[1]) != 1 or not found[0].width:
                rest.append(part)
            elif fixed.setdefault(found[0], found[1][0]) != found[1][0]:
                return None, []
        return fixed, rest

    def fold(self, operator: str, parts: Sequence[str]) -> str:
        result = parts[0]
        for part in parts[1:]:
            result = self.value(f"{operator} i1 {result}, {part}")
        return result

    def choose(self, condition: str, then: str, otherwise: str) -> str:
        return then if then == otherwise else self.value(f"select i1 {condition}, i64 {then}, i64 {otherwise}")

    def picked(self, number: str) -> str:
        """The state's word of this number."""
        if number.isdigit():
            return self.words[int(number)]
        found = self.words[0]
        for k in range(1, len(self.words)):
            found = self.choose(self.value(f"icmp eq i64 {number}, {k}"), self.words[k], found)
        return found

    # -- arithmetic ----------------------------------------------------------------------------------------------------

    def total(self, terms: Sequence[tuple[int, Term]], constant: int) -> str:
        result = str(constant)
        tables, terms = summed(self.layout, terms)
        for table in tables:
            result = self.value(f"add i64 {result}, {self.looked_up(table)}")
        for coefficient, term in terms:
            part = self.number(term)
            if abs(coefficient) != 1:
                part = self.value(f"mul i64 {part}, {abs(coefficient)}")
            result = self.value(f"{'add' if coefficient > 0 else 'sub'} i64 {result}, {part}")
        return result

    def divided(self, argument: Term, divisor: int) -> tuple[str, str]:
        """(quotient, remainder), rounded down."""
        number = self.number(argument)
        if argument.values[0] >= 0:
            return self.value(f"udiv i64 {number}, {divisor}"), self.value(f"urem i64 {number}, {divisor}")
        quotient, remainder = self.value(f"sdiv i64 {number}, {divisor}"), self.value(f"srem i64 {number}, {divisor}")
        below = self.value(f"icmp slt i64 {remainder}, 0")
        one = self.value(f"zext i1 {below} to i64")
        lifted = self.value(f"add i64 {remainder}, {divisor}")
        return self.value(f"sub i64 {quotient}, {one}"), self.choose(below, lifted, remainder)

    def extreme(self, sign: str, arguments: Sequence[Term]) -> str:
        result = self.number(arguments[0])
        for argument in arguments[1:]:
            other = self.number(argument)
            result = self.choose(self.value(f"icmp {sign} i64 {other}, {result}"), other, result)
        return result

    # -- choices by a value --------------------------------------------------------------------------------------------

    def selected(self, term: Select) -> str:
        argument = common_argument(term)
        if argument is not None:
            columns = [None if b is None else column(b, argument) for b in term.branches]
            spare = next(c for c in columns if c is not None)
            rows = [value for c in columns for value in (spare if c is None else c)]
            width = len(argument.values)
            outer = self.place(term.argument.values, self.number(term.argument))
            inner = self.place(argument.values, self.number(argument))
            index = self.value(f"add i64 {self.value(f'mul i64 {outer}, {width}')}, {inner}")
            return self.fetched(rows, index)
        return self.decided(self.number(term.argument), branch_runs(term))

    def decided(self, argument: str, runs: Sequence[tuple[int, Term]]) -> str:
        """A binary decision over runs of equal branches, each beside its first value."""
        if len(runs) == 1:
            return self.number(runs[0][1])
        middle = len(runs) // 2
        low, high = self.decided(argument, runs[:middle]), self.decided(argument, runs[middle:])
        return self.choose(self.value(f"icmp slt i64 {argument}, {runs[middle][0]}"), low, high)

    def among(self, argument: Term, members: Values) -> str:
        if isinstance(argument, Var) and not argument.stage:
            field = self.layout.fields[argument.index]
            codes = codes_of(field, members)
            if len(codes) == 1 and field.width:
                kept = self.value(f"and i64 {self.words[field.word]}, {signed(field.mask)}")
                return self.value(f"icmp eq i64 {kept}, {signed(codes[0] << field.shift)}")
            return self.in_set(self.bits(field), range(len(field.values)), codes)
        return self.in_set(self.number(argument), argument.values, members)

    def in_set(self, number: str, values: Values, members: Values) -> str:
        """Is the number, one of `values`, among `members`? These are values too; either may be an endless interval."""
        if not members or len(members) == len(values):
            return "true" if members else "false"
        if len(members) == len(values) - 1:
            outside = values[0] if members[0] != values[0] else values[-1]
            if outside == members[-1]:
                outside = next(value for value, found in zip(values, members, strict=False) if value != found)
            return self.value(f"icmp ne i64 {number}, {outside}")
        found = _intervals(values, members)
        if len(found) == 1 or len(values) > MOST_ENTRIES:
            return self.fold("or", [self.between(number, *ends) for ends in found])
        wanted = set(members)
        flag = self.entry(values, [int(value in wanted) for value in values], number)
        return self.value(f"icmp ne i64 {flag}, 0")

    def between(self, number: str, first: int, last: int) -> str:
        if first == last:
            return self.value(f"icmp eq i64 {number}, {first}")
        moved = self.value(f"sub i64 {number}, {first}") if first else number
        return self.value(f"icmp ule i64 {moved}, {signed(last - first)}")

    def place(self, values: Values, number: str) -> str:
        """The number's place among `values`."""
        if isinstance(values, range) or values[-1] - values[0] == len(values) - 1:
            return self.value(f"sub i64 {number}, {values[0]}") if values[0] else number
        return self.entry(values, range(len(values)), number)

    def entry(self, values: Values, table: Sequence[int], number: str) -> str:
        """`table[i]` where `number` is the i-th value."""
        step = table[0] - values[0]
        if all(t == v + step for v, t in zip(values, table, strict=True)):
            return self.value(f"add i64 {number}, {step}") if step else number
        first, span = values[0], values[-1] - values[0] + 1
        if span > 64 * len(values) + 1024:
            return self.searched(list(values), table, number)
        spread = [table[0]] * span
        for value, found in zip(values, table, strict=True):
            spread[value - first] = found
        if first > 0 and span + first <= 2 * span:
            spread, first = [spread[0]] * first + spread, 0
        return self.fetched(spread, self.value(f"sub i64 {number}, {first}") if first else number)

    def searched(self, values: Sequence[int], table: Sequence[int], number: str) -> str:
        """A table whose indices lie far apart, as a binary decision."""
        if len(values) == 1:
            return str(table[0])
        middle = len(values) // 2
        low = self.searched(values[:middle], table[:middle], number)
        high = self.searched(values[middle:], table[middle:], number)
        return self.choose(self.value(f"icmp slt i64 {number}, {values[middle]}"), low, high)

    def fetched(self, table: Sequence[int], index: str) -> str:
        """table[index]; from a register where all of it fits into one."""
        if len(set(table)) == 1:
            return str(table[0])
        width = max(1, max(table).bit_length())
        if min(table) >= 0 and width * len(table) <= 64:
            packed = sum(value << (width * place) for place, value in enumerate(table))
            shift = self.value(f"mul i64 {index}, {width}") if width > 1 else index
            moved = self.value(f"lshr i64 {signed(packed)}, {shift}")
            return self.value(f"and i64 {moved}, {(1 << width) - 1}")
        name, bits = self.pool.constant(table)
        pointer = self.value(f"getelementptr i{bits}, ptr {name}, i64 {index}")
        found = self.value(f"load i{bits}, ptr {pointer}")
        return found if bits == 64 else self.value(f"sext i{bits} {found} to i64")

    def looked_up(self, table: Tabulation) -> str:
        """An entry of a table over packed bits."""
        index = ""
        moved = 0
        for word, shift, width in table.pieces:
            part = self.value(f"lshr i64 {self.words[word]}, {shift}") if shift else self.words[word]
            part = self.value(f"and i64 {part}, {(1 << width) - 1}") if shift + width < 64 else part
            part = self.value(f"shl i64 {part}, {moved}") if moved else part
            index = self.value(f"or i64 {index}, {part}") if index else part
            moved += width
        return self.fetched(table.entries, index)

    # -- a new state ---------------------------------------------------------------------------------------------------

    def state_after(self, changed: Mapping[int, Term]) -> list[str]:
        """The words of the state in which these variables have new values."""
        cleared = [0] * self.layout.words
        constant = [0] * self.layout.words
        moved: list[list[str]] = [[] for _ in self.words]
        for index, term in changed.items():
            field = self.layout.fields[index]
            if not field.width:
                continue
            cleared[field.word] |= field.mask
            code = self.code(term, field)
            if code.lstrip("-").isdigit():
                constant[field.word] |= int(code) << field.shift
            else:
                moved[field.word].append(self.value(f"shl i64 {code}, {field.shift}") if field.shift else code)
        return [self._joined(*parts) for parts in zip(self.words, cleared, constant, moved, strict=True)]

    def _joined(self, word: str, cleared: int, constant: int, parts: Sequence[str]) -> str:
        if cleared:
            word = self.value(f"and i64 {word}, {signed(~cleared & (1 << 64) - 1)}")
        if constant:
            word = self.value(f"or i64 {word}, {signed(constant)}")
        for part in parts:
            word = self.value(f"or i64 {word}, {part}")
        return word

    def code(self, term: Term, field: Field) -> str:
        """The code of a value in a field; a value that cannot occur there gets any."""
        if isinstance(term, Var) and not term.stage and self.layout.fields[term.index].values == field.values:
            return self.bits(self.layout.fields[term.index])
        if field.plain:
            return self.number(term)
        if isinstance(term, Choice) or (isinstance(term, Var) and term.stage):
            return self.entry(term.values, [field.codes.get(value, 0) for value in term.values], self.number(term))
        return self.number(lookup(term, [field.codes.get(value, 0) for value in term.values]))


class Output:
    """Where a function leaves successors: state words, action, parent, cost, one entry each."""

    HEADER = "ptr %out, ptr %actions, ptr %parents, ptr %costs"

    def add(self, emitter: Emitter, words: Sequence[str], action: str, cost: str) -> None:
        count = emitter.value("load i64, ptr %count")
        first = count if len(words) == 1 else emitter.value(f"mul i64 {count}, {len(words)}")
        for k, word in enumerate(words):
            place = emitter.value(f"add i64 {first}, {k}") if k else first
            self.store(emitter, "i64", word, "%out", place)
        self.store(emitter, "i32", self.narrow(emitter, action), "%actions", count)
        self.store(emitter, "i32", "%parent", "%parents", count)
        self.store(emitter, "i64", cost, "%costs", count)
        emitter.line(f"  store i64 {emitter.value(f'add i64 {count}, 1')}, ptr %count")

    def narrow(self, emitter: Emitter, number: str) -> str:
        if number.isdigit():
            return str(int(number) - (1 << 32) if int(number) >> 31 else int(number))
        return emitter.value(f"trunc i64 {number} to i32")

    def store(self, emitter: Emitter, kind: str, value: str, array: str, place: str) -> None:
        pointer = emitter.value(f"getelementptr {kind}, ptr {array}, i64 {place}")
        emitter.line(f"  store {kind} {value}, ptr {pointer}")


class OneOutput(Output):
    """Where a function leaves the successor by the operator that is wanted."""

    HEADER = "ptr %wanted, ptr %out, ptr %costs, ptr %applied"
    WANTED = "%action"

    def add(self, emitter: Emitter, words: Sequence[str], action: str, cost: str) -> None:
        with emitter.when(emitter.value(f"icmp eq i64 {action}, {self.WANTED}"), 0):
            first = "%s" if len(words) == 1 else emitter.value(f"mul i64 %s, {len(words)}")
            for k, word in enumerate(words):
                place = emitter.value(f"add i64 {first}, {k}") if k else first
                self.store(emitter, "i64", word, "%out", place)
            self.store(emitter, "i64", cost, "%costs", "%s")
            self.store(emitter, "i64", "1", "%applied", "%s")


def signed(word: int) -> int:
    """64 bits as LLVM writes an i64."""
    return word - (1 << 64) if word >> 63 else word


def word_masks(fixed: Iterable[tuple[Field, int]]) -> dict[int, tuple[int, int]]:
    """{word: (mask, bits)}: where fields hold these codes, `word & mask == bits`."""
    masks: dict[int, tuple[int, int]] = {}
    for field, code in fixed:
        mask, bits = masks.get(field.word, (0, 0))
        masks[field.word] = mask | field.mask, bits | code << field.shift
    return masks


def _intervals(values: Values, members: Values) -> list[tuple[int, int]]:
    """The members as (first, last) of runs that have no other value between them."""
    if len(members) == members[-1] - members[0] + 1:
        return [(members[0], members[-1])]
    after = dict(zip(values, values[1:], strict=False)) if len(values) <= MOST_ENTRIES else {}
    found: list[tuple[int, int]] = []
    for member in members:
        if found and after.get(found[-1][1], found[-1][1] + 1) == member:
            found[-1] = found[-1][0], member
        else:
            found.append((member, member))
    return found


def codes_of(field: Field, members: Values) -> list[int]:
    wanted = members if isinstance(members, range) else set(members)
    return [code for code, value in enumerate(field.values) if value in wanted]


def literal(layout: Layout, part: Term) -> tuple[Field, list[int]] | None:
    """(field, codes) of a condition that holds where an old variable has one of these codes."""
    if part not in layout.literals:
        layout.literals[part] = _literal(layout, part)
    found: tuple[Field, list[int]] | None = layout.literals[part]
    return found


def _literal(layout: Layout, part: Term) -> tuple[Field, list[int]] | None:
    match part:
        case Member(argument=Var(stage=0, index=index), members=inside):
            members = inside
        case Var(stage=0, index=index):
            members = (1,)
        case Not(argument=Var(stage=0, index=index)):
            members = (0,)
        case _:
            return None
    field = layout.fields[index]
    return field, codes_of(field, members)
