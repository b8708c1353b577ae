"""From a document to a puzzle: one level, every expression checked, every problem of a stage reported at once."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import prod
from typing import Any, TypeVar

from models import statics as st
from models.checker import Checker, DefinitionSource, Locals
from models.data import as_value, raw_data
from models.document import (
    DEFAULT_METRIC,
    ActionSource,
    ConditionSource,
    Document,
    LevelSource,
    PhaseSource,
    read_document,
)
from models.errors import Diagnostic, PuzzleError, did_you_mean
from models.expressions import Constant, Expr, Listing, Loop, Mapped, reads_state
from models.interpreter import Scope, State, evaluate, holds, scope
from models.level_files import FORMATS, LevelFile, filled_data, with_level
from models.limits import MOST_ROUNDS, MOST_VARIABLES, check_limit
from models.names import LevelNames
from models.naming import misnamed, no_name
from models.pddl.forms import is_pddl
from models.puzzle import (
    COLOURS,
    FRAMES,
    GROUNDS,
    LOOKS,
    MIRRORS,
    SEEN,
    Action,
    Condition,
    Declared,
    Joined,
    Line,
    Parameter,
    Puzzle,
    PuzzlePhase,
    StateVariable,
    Template,
    View,
)
from models.referee import failing, start_state
from models.slips import slips
from models.starts import after_steps, stated
from models.statics import Static, freeze, static_of
from models.syntax import LoopSource, Source, fail, loop_of, parse, parse_header, parse_hole, parse_line, top_level
from models.text import Plain, Text
from models.titles import level_title, title_of
from models.values import Type, Value

MOST_LEVELS = 40  # that a hint lists
STABLE = "stable"  # as the number of rounds: until nothing changes
_T = TypeVar("_T")
Read = Callable[[str, str], Document]  # of a text and its name for messages


class Problems:
    """Collects what goes wrong, so that all problems of a stage are told at once."""

    def __init__(self) -> None:
        self.told: list[Diagnostic] = []

    def attempt(self, step: Callable[[], _T]) -> _T | None:
        try:
            return step()
        except PuzzleError as error:
            self.told.extend(error.diagnostics)
        except RecursionError:
            self.told.append(Diagnostic("expressions and definitions are nested too deeply", None, code="E202"))
        return None

    def gather(self, step: Callable[..., _T], items: Iterable[Any]) -> list[_T]:
        """The results of `step` on every item; a tuple is passed as several arguments."""
        results = [self.attempt(partial(step, *(item if isinstance(item, tuple) else (item,)))) for item in items]
        return [result for result in results if result is not None]

    def stop_here(self) -> None:
        """End the stage: raise if anything was found."""
        if self.told:
            unique = {(d.message, d.location): d for d in self.told}
            raise PuzzleError(unique.values())


def load_text(text: str, source: str, level: str | None = None, settings: Mapping[str, Plain] | None = None,
              seed: int = 0, level_file: LevelFile | None = None, read: Read | None = None) -> Puzzle:  # fmt: skip
    """The puzzle in a text; `level` defaults to the first one, of the level file if given; `settings` replace data.

    A text in PDDL, domain and problem, is one puzzle without data. `read` may know the document from elsewhere.
    """
    if is_pddl(text):
        return _from_pddl(text, source, level, bool(settings) or level_file is not None)
    document = (read or _document)(text, source)
    if level_file is not None:
        document, level = with_level(document, level_file, level, settings or {})
    return load(document, text, source, level, settings or {}, seed)


def _from_pddl(text: str, source: str, level: str | None, more: bool) -> Puzzle:
    from models.pddl.building import pddl_puzzle

    puzzle = pddl_puzzle(text, source)
    if level is not None and level != puzzle.level:
        raise fail(f"there is no level {level!r}", None, f"the only one is {puzzle.level!r}", "E409")
    if more:
        raise fail("PDDL has no data that could be set, and no level files", None, code="E602")
    return puzzle


_document = lru_cache(2)(read_document)  # who reads all levels of a file reads the file once


def load(
    document: Document, text: str, source: str, level: str | None, settings: Mapping[str, Plain], seed: int
) -> Puzzle:
    """One level of a document as a puzzle."""
    level = _level(document, level)
    data, places = raw_data(document, level, settings)
    names = LevelNames(document, data, seed)
    own = LevelSource() if level is None else document.levels[Text(level)]
    fingerprint = _fingerprint(text, level, data, seed, (own.state, own.after))
    puzzle = _Builder(document, names).build(level or "", source, fingerprint, places, own.state or {})
    try:
        if own.after is not None:
            puzzle = after_steps(puzzle, own.after, _key(document.levels, level).location)
        check_start(puzzle)
    except RecursionError:
        raise fail("expressions and definitions are nested too deeply", None, code="E202") from None
    return puzzle


def _level(document: Document, level: str | None) -> str | None:
    known = [str(name) for name in document.levels]
    if level is None:
        return known[0] if known else None
    if level not in known:
        raise fail(f"there is no level {level!r}", None, _levels_in_words(level, known), "E409")
    return level


def _levels_in_words(level: str, known: Sequence[str]) -> str:
    """The level that may be meant, else all of them, of very many the first ones."""
    first = f"the first of its {len(known)} levels: {', '.join(known[:MOST_LEVELS])}"
    return did_you_mean(level, known, MOST_LEVELS) or (first if known else "")


def _key(levels: Iterable[Text], name: str | None) -> Text:
    return next(key for key in levels if key == name)


def _fingerprint(text: str, level: str | None, data: Mapping[str, object], seed: int, given: object) -> str:
    return hashlib.sha256(
        repr((text, level, sorted(data.items(), key=lambda item: item[0]), seed, given)).encode()
    ).hexdigest()


class _Builder:
    """Checks the parts of a document in an order in which each finds the names that it needs."""

    def __init__(self, document: Document, names: LevelNames) -> None:
        self.document, self.names, self.problems = document, names, Problems()
        self.checker: Checker = names.checker

    def build(self, level: str, source: str, fingerprint: str, places: Mapping[str, Text],
              given: Mapping[Text, Plain]) -> Puzzle:  # fmt: skip
        document, problems = self.document, self.problems
        problems.told.extend(misnamed(document))
        problems.stop_here()
        self.names.definitions = {d.name: d for d in problems.gather(self._definition, document.define.items())}
        problems.gather(self.names.type, map(str, document.types))
        problems.stop_here()
        headers = problems.gather(self._header, document.state.items())
        problems.stop_here()
        self.names.variables = {variable.name: variable for variable, _, _ in headers}
        variables = problems.gather(self._variable, headers)
        variables = problems.attempt(lambda: list(stated(variables, given))) or variables
        self.names.variables |= {variable.name: variable for variable in variables}
        actions = problems.gather(partial(self._action, self.document.metrics), document.actions.items())
        puzzle = replace(self._declared_besides(), level=level, source=source, known=self._known(level),
                         variables=tuple(variables), actions=tuple(actions), fingerprint=fingerprint,
                         title=title_of(document), level_title=level_title(document, level))  # fmt: skip
        problems.gather(partial(_check_word, "a level file's format", tuple(FORMATS)), document.accepts)
        problems.stop_here()
        problems.gather(self._accepts, document.accepts.items())
        problems.stop_here()
        problems.gather(self._unused_definition, self.names.definitions.values())
        problems.stop_here()
        return _with_warnings(puzzle, slips(document, self.names, places))

    def _declared_besides(self) -> Puzzle:
        """The puzzle without its level, variables and actions; what is wrong is noted."""
        document, problems = self.document, self.problems
        return Puzzle(
            name=str(document.puzzle),
            level="",
            about=str(document.about or ""),
            source="",
            data=self.names.data,
            known={},
            types=self.names.types,
            variables=(),
            actions=(),
            goal=self._conditions(document.goal, Locals()),
            always=tuple(problems.gather(partial(self._refusing, Locals()), document.always)),
            require=self._conditions(document.require, Locals()),
            dead=self._conditions(document.dead, Locals()),
            heuristics=self._declared(document.heuristics, document.claims, integer=True),
            invariants=self._declared(document.invariants, {}, integer=False),
            view=problems.attempt(self._view) or View(),
            metrics=self.document.metrics,
            interchangeable=tuple(problems.gather(self._interchangeable, _by_key(document.symmetry.interchangeable))),
            mirrors=tuple(map(str, problems.gather(self._mirror, document.symmetry.mirror))),
            seed=self.names.seed,
            fingerprint="",
        )

    def _accepts(self, format_: Text, filled: Text | dict[Text, Text]) -> None:
        """The parts of a level file's format, and the data that they fill."""
        for part, datum in filled_data(format_, filled).items():
            _check_word(f"a part of {str(format_)!r}", FORMATS[format_].parts, part)
            _check_word("a datum", [*self.document.data, *self.document.draw], datum)

    # -- definitions, types, state ---------------------------------------------------------------------------------

    def _definition(self, key: Text, body: Text) -> DefinitionSource:
        name, parameters = parse_header(key)
        if "[" in key:
            raise fail("a definition's arguments stand in round brackets", key.location, code="E201")
        for number, (parameter, _) in enumerate(parameters):
            self._check_parameter(parameter)
            if parameter in [other for other, _ in parameters[:number]]:
                raise fail(f"`{name}` has two arguments {parameter!r}", parameter.location, code="E303")
        return DefinitionSource(name, parameters, parse(body))

    def _unused_definition(self, definition: DefinitionSource) -> None:
        """A definition that nothing uses is checked all the same, where its arguments are known."""
        if definition.name not in self.checker.used:
            self.checker.alone(definition)

    def _check_parameter(self, parameter: Text) -> None:
        others = {re.split(r"[(\[\s]", name)[0] for name in (*self.document.state, *self.document.define)}
        if parameter in {*self.document.data, *self.document.draw, *self.document.types, *others} or no_name(parameter):
            hint = "no name hides another"
            raise fail(f"the name {parameter!r} already means something else", parameter.location, hint, "E303")

    def _header(self, key: Text, value: Text) -> tuple[StateVariable, Text, int]:
        name, indices = parse_header(key)
        if "(" in key:
            raise fail("a variable's indices stand in square brackets", key.location, f"{name}[i in TYPE]", "E201")
        cuts = top_level(value, r"(?<![=<>!])=(?!=)")
        if not cuts or not value[: cuts[0]].strip() or not value[cuts[0] + 1 :].strip():
            raise fail("expected TYPE = START", value.location, "every variable has a type and a start value", "E201")
        type_ = self.names.read_type(Text(value[: cuts[0]].strip(), value.location), name)
        domains = tuple((index, self._index_type(index, domain, key)) for index, domain in indices)
        count = prod(len(domain.values) for _, domain in domains)
        check_limit(count, MOST_VARIABLES, f"variables `{name}`", key.location)
        return StateVariable(name, domains, type_, _NOTHING, key.location), value, cuts[0] + 1

    def _index_type(self, index: Text, domain: Source | None, key: Text) -> Type:
        if domain is None:
            raise fail(f"expected {index} in TYPE", index.location, code="E201")
        return self.names.type_from(domain)

    def _variable(self, variable: StateVariable, written: Text, start: int) -> StateVariable:
        local = Locals(state=False)
        for index, type_ in variable.indices:
            self.checker.check_new(index, local, variable.location)
            local = local.bind(index, static_of(type_))
        checked = self.checker.start(parse(written, start), local, static_of(variable.type))
        return StateVariable(variable.name, variable.indices, variable.type, checked, variable.location)

    # -- actions ---------------------------------------------------------------------------------------------------

    def _action(self, metrics: tuple[str, ...], name: Text, source: ActionSource) -> Action:
        problems = Problems()
        parameters = problems.gather(self._parameter, source.params.items())
        problems.stop_here()
        local = Locals()
        for parameter, key in zip(parameters, source.params, strict=True):
            self.checker.check_new(parameter.name, local, key.location)
            if parameter.indices:
                local.arrays[parameter.name] = (parameter.indices, parameter.type)
            else:
                local = local.bind_parameter(parameter.name, static_of(parameter.type))
        for key, body in source.let.items():
            let = problems.attempt(partial(self._definition, key, body))
            if let is not None:
                for word in (Text(let.name, key.location), *(argument for argument, _ in let.parameters)):
                    self.checker.check_new(word, local, word.location)
                local.lets[let.name] = let
        when = problems.gather(partial(self._refusing, local), source.when)
        first = problems.attempt(lambda: PuzzlePhase(self._lines(local, source.effect))) or PuzzlePhase(())
        later = problems.gather(partial(self._phases, local), source.then)
        made = [first, *(phase for each in later for phase in each)]
        costs = problems.attempt(lambda: self._costs(name, source, metrics, local)) or {}
        label = problems.attempt(lambda: self._template(source.label, local)) or ()
        problems.stop_here()
        return Action(str(name), tuple(parameters), tuple(when), tuple(made), costs, label, name.location,
                      _words(source.otherwise))  # fmt: skip

    def _parameter(self, key: Text, written: Text | list[Text]) -> Parameter:
        name, indices = parse_header(key)
        domains = tuple(self._index_type(index, domain, key) for index, domain in indices)
        check_limit(prod(len(domain.values) for domain in domains), MOST_VARIABLES, f"choices `{name}`", key.location)
        return Parameter(name, self.names.read_type(written, name), domains)

    def _phases(self, local: Locals, source: PhaseSource) -> list[PuzzlePhase]:
        """The phases that the file writes as one: several with `times` or `for`."""
        problems, effect = Problems(), dict(source.effect)
        own = "times" in (re.split(r"[(\[\s]", name)[0] for name in self.document.state)  # a variable: its own lines
        times = None if own else effect.pop(Text("times"), None)
        said = [word for word in (source.repeat, times, source.loop) if word is not None]
        if len(said) > 1:
            raise fail("a phase has one of 'repeat', 'times' and 'for'", said[1].location, code="E421")
        if source.loop is not None:
            return self._each(local, effect, source.loop)
        lines = problems.attempt(lambda: self._lines(local, effect)) or ()
        if source.repeat is not None and self._is_stable(source.repeat):
            problems.stop_here()
            return [PuzzlePhase(lines, stable=True)]
        rounds = problems.attempt(lambda: self._rounds(said[0])) if said else None
        problems.stop_here()
        if times is not None:
            return [PuzzlePhase(lines)] * (rounds or 1)
        return [PuzzlePhase(lines, rounds)]

    def _lines(self, local: Locals, effect: Mapping[Text, Text]) -> tuple[Line, ...]:
        problems = Problems()
        lines = problems.gather(partial(self._line, local), effect.items())
        problems.stop_here()
        return tuple(lines)

    def _each(self, local: Locals, effect: Mapping[Text, Text], written: Text) -> list[PuzzlePhase]:
        """A phase for each value of `NAME in TYPE`, in the order of the type."""
        source = parse(written)
        generator = [self._place(source, source.tree)]
        _, inner = self.checker.loops(generator, local)
        ((name, domain, _),) = generator
        lines = self._lines(inner, effect)
        values = self.names.type_from(domain).values
        check_limit(len(values), MOST_ROUNDS, "rounds of a phase", written.location)
        bound = [Loop(str(name), Listing((Constant(value),)), None) for value in values]
        return [PuzzlePhase(tuple(replace(line, loops=(each, *line.loops)) for line in lines)) for each in bound]

    def _is_stable(self, written: Text) -> bool:
        """Is it the word `stable`, and nothing that the file calls so?"""
        return written.strip() == STABLE and STABLE not in self.names.known()

    def _rounds(self, written: Text) -> int:
        rounds = self.names.integer(parse(written))
        if rounds < 1:
            raise fail(f"a phase is repeated at least once, not {rounds} times", written.location, code="E421")
        check_limit(rounds, MOST_ROUNDS, "rounds of a phase", written.location)
        return rounds

    def _line(self, local: Locals, key: Text, value: Text) -> Line:
        line = parse_line(value)
        loops, inner = self.checker.loops(line.loops, local)
        variable, indices = self.checker.target(parse(key), inner)
        what = f"the value of `{variable.name}`"
        assigned = self.checker.of_type(line.value, inner, static_of(variable.type), what)
        condition = None if line.condition is None else self.checker.condition(line.condition, inner)
        words = f"{' '.join(key.split())}: {' '.join(value.split())}"
        return Line(variable.name, indices, assigned, tuple(loops), condition, words, key.location)

    def _costs(self, name: Text, source: ActionSource, metrics: tuple[str, ...], local: Locals) -> dict[str, Expr]:
        written = source.cost
        if not isinstance(written, dict):
            if metrics != (DEFAULT_METRIC,):
                raise fail(f"`{name}` does not name the costs {', '.join(metrics)}", name.location, code="E410")
            return {DEFAULT_METRIC: self.checker.integer(parse(written or Text("1", name.location)), local)}
        if sorted(map(str, written)) != sorted(metrics):
            raise fail(f"every action names the same costs: {', '.join(metrics)}", name.location, code="E410")
        return {metric: self.checker.integer(parse(written[Text(metric)]), local) for metric in metrics}

    # -- the rest --------------------------------------------------------------------------------------------------

    def _condition(self, local: Locals, text: Text) -> Condition:
        source = parse(text)
        return Condition(self.checker.condition(source, local), " ".join(text.split()), source.at(source.tree))

    def _refusing(self, local: Locals, source: ConditionSource) -> Condition:
        return replace(self._condition(local, source.when), otherwise=_words(source.otherwise))

    def _conditions(self, texts: Iterable[Text], local: Locals) -> tuple[Condition, ...]:
        return tuple(self.problems.gather(partial(self._condition, local), texts))

    def _declared(
        self, entries: Mapping[Text, Text], claims: Mapping[Text, Text], *, integer: bool
    ) -> tuple[Declared, ...]:
        for name, claim in claims.items():
            if name not in entries:
                hint = did_you_mean(name, entries)
                self.problems.told.append(
                    Diagnostic(f"there is no heuristic {name!r}", name.location, hint, code="E411")
                )
            elif not re.fullmatch(r"(admissible|consistent)( for \w+)?", claim):
                hint = "admissible, consistent, or consistent for METRIC"
                self.problems.told.append(Diagnostic(f"{claim!r} is no claim", claim.location, hint, code="E411"))

        def check(name: Text, text: Text) -> Declared:
            source = parse(text)
            typed = self.checker.expression(source, Locals())
            if integer and "int" not in typed.static.kinds:
                raise fail(
                    f"a heuristic is an integer, found {st.describe(typed.static)}", source.at(source.tree), code="E302"
                )
            return Declared(str(name), typed.expression, str(claims.get(name, "")), name.location)

        return tuple(self.problems.gather(check, entries.items()))

    def _view(self) -> View:
        view = self.document.view
        caption = self.problems.attempt(lambda: self._template(view.caption, Locals())) or ()
        lines = tuple(self.problems.gather(lambda line: self._template(line, Locals()), view.lines))
        parts = {key: text for key in BOARD_KEYS if (text := getattr(view, key)) is not None}
        if view.board is None:
            for key, text in parts.items():
                hint = "board: c in cell names the places, or t in tube, l in level (across, up)"
                raise fail(f"'view' has a '{key}', but no 'board'", text.location, hint, "E102")
            return View(caption=caption, lines=lines)
        if view.glyph is None:
            raise fail("'view' draws a board, but has no 'glyph'", view.board.location,
                       "glyph: EXPRESSION says what stands in each place", "E102")  # fmt: skip
        if view.lines:
            raise fail("'view' has a board, and 'lines' are what is shown without one", view.lines[0].location,
                       "one line of text fits into 'caption'", "E423")  # fmt: skip
        return replace(self._board(view.board, parts), caption=caption)

    def _board(self, board: Text, parts: dict[str, Text]) -> View:
        """The board of a view, with what is seen at each place."""
        source = parse(board)
        nodes = source.tree.elts if isinstance(source.tree, ast.Tuple) else [source.tree]
        if len(nodes) > 2:
            raise fail("a board has one name or two", source.at(nodes[2]), "across, up: t in tube, l in level", "E423")
        generator = [self._place(source, node) for node in nodes]
        loops, local = self.checker.loops(generator, Locals())
        types = tuple(self.names.type_from(domain) for _, domain, _ in generator)
        glyph = self.problems.attempt(lambda: self.checker.expression(parse(parts["glyph"]), local))
        if "glyph" not in self.names.known():  # the other keys may speak of what stands there
            local = local.bind("glyph", glyph.static if glyph else Static(frozenset()))
        frame, outside = parts.get("frame", Text("")), parts.get("outside", Text("void"))
        self._check_frame(frame, types)
        self._check_fits(frame, parts)
        self._check_outside(outside, types)
        seen: dict[str, Any] = {
            key: self.problems.attempt(partial(self._seen, key, parts[key], local)) for key in SEEN if key in parts
        }
        view = View(tuple(loops), types, glyph.expression if glyph else None, outside=str(outside), frame=str(frame))
        return replace(view, **seen)

    def _seen(self, key: str, text: Text, local: Locals) -> Expr:
        """What one of the view's keys says of a place."""
        source = parse(text)
        match key:
            case "size":
                return self.checker.integer(source, local)
            case "ground":
                known = f"a ground is {', '.join(GROUNDS)} or a colour"
                return self._worded("a ground", GROUND_WORDS, known, source, local)
            case "look":
                return self._worded(
                    "a look",
                    LOOK_WORDS,
                    f"a look is {', '.join(LOOKS)} or '', in quotes where the file has such a name",
                    source,
                    local,
                )
            case "colour":
                return self.checker.expression(source, replace(local, words=COLOURS)).expression
        return self.checker.expression(source, local).expression

    def _worded(self, what: str, words: tuple[str, ...], hint: str, source: Source, local: Locals) -> Expr:
        """Every text that may come out must be one of the words."""
        typed = self.checker.expression(source, replace(local, words=words))
        if not typed.static.kinds <= {"text"}:
            raise fail(f"expected {what}, found {st.describe(typed.static)}", source.at(source.tree), hint, "E302")
        for word in typed.static.data or ():
            _check_word(what, words, Text(word, source.at(source.tree)))
        return typed.expression

    @staticmethod
    def _check_frame(frame: Text, types: tuple[Type, ...]) -> None:
        if frame:
            _check_word("a frame", FRAMES, frame)
        grid = types[0].grid if len(types) == 1 else None
        if frame == "cube" and (grid is None or grid.rows * 4 != grid.cols * 3 or grid.rows % 3):
            hint = (
                "a board of cells, 3 n rows and 4 n columns: the top above the second of four faces, the bottom below"
            )
            raise fail("no net of a cube that folds", frame.location, hint, "E423")
        if frame and frame != "cube" and grid is not None:
            hint = "board: t in tube, l in level (across, up), or p in place (one stack, the first on top)"
            raise fail("a frame is drawn round stacks, and a board of cells has none", frame.location, hint, "E423")

    @staticmethod
    def _check_fits(frame: Text, parts: Mapping[str, Text]) -> None:
        """Nothing is seen of some keys in some frames."""
        for key in UNSEEN.get(frame, ()):
            if key in parts:
                hint = f"leave out '{key}' or 'frame'"
                raise fail(f"no {key} is seen in the frame '{frame}'", parts[key].location, hint, "E423")

    @staticmethod
    def _check_outside(outside: Text, types: tuple[Type, ...]) -> None:
        _check_word("what is outside", OUTSIDES, outside)
        if outside != "void" and (len(types) == 2 or types[0].grid is None):
            hint = "board: c in cell draws places as they lie"
            raise fail("only a board of cells has something outside", outside.location, hint, "E423")

    def _place(self, source: Source, node: ast.expr) -> LoopSource:
        match node:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.In()], comparators=[domain]):
                return Text(name, source.at(node)), source.inner(domain), ()
        raise fail("expected `c in cell`, or `t in tube, l in level` (across, up)", source.at(node), code="E201")

    def _template(self, text: Text | None, local: Locals) -> Template:
        """Text with {holes}; doubled braces stand for themselves."""
        if text is None:
            return ()
        made: list[str | Expr | Joined] = []
        for kind, start, end in _holes(text):
            if kind == "text":
                self._check_braces(text, start, end)
                made.append(text[start:end].replace("{{", "{").replace("}}", "}"))
            else:
                made.append(self._hole(parse_hole(text, start, end), local))
        return tuple(made)

    def _hole(self, source: Source, local: Locals) -> Expr | Joined:
        """A hole's expression, or the one of its loops."""
        if not isinstance(source.tree, ast.GeneratorExp):
            return self._shown(source, local)
        loops, inner = self.checker.loops((loop_of(source, part) for part in source.tree.generators), local)
        return Joined(self._shown(source.inner(source.tree.elt), inner), tuple(loops))

    def _shown(self, source: Source, local: Locals) -> Expr:
        """An expression whose value is shown; a named offset shows its type's word."""
        typed = self.checker.expression(source, local)
        type_ = typed.static.type
        if type_ is None or not type_.names:
            return typed.expression
        return Mapped(typed.expression, {value: type_.names.get(value, value) for value in type_.values})

    def _check_braces(self, text: Text, start: int, end: int) -> None:
        lonely = re.search(r"[{}]", re.sub(r"\{\{|\}\}", "__", text[start:end]))
        if lonely:
            hint = "{EXPRESSION} is a hole; a brace itself is written twice"
            raise fail("this brace has no partner", text.at(start + lonely.start()), hint, "E201")

    def _known(self, level: str) -> dict[str, object]:
        source = self.document.levels.get(Text(level))
        return {} if source is None or source.known is None else {
            str(key): freeze(as_value(value, False)) for key, value in source.known.items()}  # fmt: skip

    def _interchangeable(self, name: Text, key: Text | None) -> tuple[Type, tuple[tuple[Value, ...], ...]]:
        """A type and the classes of its values: all of them, or those for which `key` is the same."""
        type_ = self.names.type(str(name))
        if type_ is None:
            raise fail(f"unknown type {str(name)!r}", name.location, did_you_mean(name, self.document.types), "E405")
        self.checker.used.add(str(name))
        if key is None:
            return type_, (type_.values,)
        told = self._told_apart(name, type_, key)
        classes: dict[Value, tuple[Value, ...]] = {}
        for value in type_.values:
            found = evaluate(told, Scope({}, {}, {str(name): value}))
            classes[found] = (*classes.get(found, ()), value)
        return type_, tuple(classes.values())

    def _mirror(self, word: Text) -> Text:
        _check_word("a mirror", MIRRORS, word)
        if not any(type_.is_board for type_ in self.names.types.values()):
            raise fail("there are no cells that could be mirrored", word.location, "cell: grid(rows, cols)", "E422")
        return word

    def _told_apart(self, name: Text, type_: Type, key: Text) -> Expr:
        """What tells the values of a type apart: an entry of a table, or a definition; the type's name is the value."""
        if str(key) in self.names.definitions:
            called = f"{key}({name})"
        elif self.names.datum(str(key)) is not None:
            called = f"{key}[{name}]"
        elif key == "letter" and type_.sheets:
            called = f"letter({name})"
        else:
            hint = did_you_mean(key, [*self.names.data, *self.names.definitions])
            raise fail(f"{str(key)!r} is no datum and no definition", key.location, hint, "E313")
        local = Locals(state=False).bind(str(name), static_of(type_))
        return self.checker.expression(parse(Text(called, key.location)), local).expression


_NOTHING = Expr()
BOARD_KEYS = ("glyph", *SEEN, "outside", "frame")  # of `view`: they need a board
GROUND_WORDS = (*GROUNDS, *COLOURS)
LOOK_WORDS = (*LOOKS, "")
OUTSIDES = ("void", "wall")
UNSEEN = {"tube": ("look",), "cube": ("size", "look", "target", "outside")}  # keys of a view by its frame


def _by_key(entries: Iterable[Text | dict[Text, Text]]) -> list[tuple[Text, Text | None]]:
    """(type, the name that tells its values apart) of each entry of `interchangeable`."""
    pairs: list[tuple[Text, Text | None]] = []
    for entry in entries:
        pairs += entry.items() if isinstance(entry, dict) else [(entry, None)]
    return pairs


def _check_word(what: str, known: Sequence[str], word: Text) -> None:
    if word not in known:
        raise fail(f"{word!r} is no name of {what}", word.location, did_you_mean(word, known), "E422")


def _holes(text: str) -> Iterator[tuple[str, int, int]]:
    """Where the text parts and the holes of a template are."""
    start = 0
    for match in re.finditer(r"\{\{|\}\}|\{([^{}]*)\}", text):
        if match[1] is not None:
            yield "text", start, match.start()
            yield "hole", match.start(1), match.end(1)
            start = match.end()
    yield "text", start, len(text)


def _with_warnings(puzzle: Puzzle, warnings: Iterable[Diagnostic]) -> Puzzle:
    return Puzzle(**{**puzzle.__dict__, "warnings": tuple(warnings)})


def check_start(puzzle: Puzzle) -> None:
    """`require` on the data, the start state, `require` and `always` on it: what is broken is invalid input."""
    data_only = [c for c in puzzle.require if not reads_state(c.expression)]
    _report("the data break `require`", data_only, {})
    state = start_state(puzzle)
    _report("the start breaks `require`", puzzle.require, state)
    _report("the start breaks `always`", puzzle.always, state)


def _words(text: Text | None) -> str:
    """On one line."""
    return "" if text is None else " ".join(text.split())


def _report(what: str, conditions: Iterable[Condition], state: State) -> None:
    """All of the conditions that do not hold, with the values that break them."""
    at = scope(state)
    broken = [condition for condition in conditions if not holds(condition.expression, at)]
    if broken:
        raise PuzzleError(Diagnostic(f"{what}: {failing(c, at)}", c.location, code="E412") for c in broken)
