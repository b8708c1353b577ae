"""Every complaint about a puzzle file is a `Diagnostic`: what is wrong, where, and what would help.

A stage collects all of its diagnostics and raises them together as one `PuzzleError`; `render` prints one of them
with the line of the file and a caret below the spot. `CODES` explains each code at length for `check --explain`.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable
from typing import Literal

from models.frozen import frozen

# A literal table, one row a code: E0xx YAML and limits, E1xx document structure, E2xx expression syntax, E3xx names and
# types, E4xx data and semantics, E5xx plans and files, Wxxx warnings.
CODES: dict[str, str] = {
    "E001": "The file is not valid YAML. The message names the first place where the parser gave up; the mistake is "
    "there or shortly before. What follows that place has not been read yet.",
    "E002": "YAML forbids tab characters in front of a line and between words, because nobody can see how wide they "
    "are. Indent with spaces only.",
    "E003": "A value that begins with a quote, [ or { ends, for YAML, with the matching closing sign; what follows "
    "is a syntax error. Put an expression into round brackets, (...), and a label or other text into YAML quotes.",
    "E004": "A colon followed by a blank separates key and value, so an unquoted value cannot contain one. Put the "
    "whole value into YAML quotes; they mean nothing else in an expression field.",
    "E005": "Inside YAML's own { } and [ ] a comma separates entries and a bracket opens a list, so an expression "
    "such as min(a, b) or at[c] is cut into pieces. Only words and numbers stand there: write one entry a line "
    "instead.",
    "E006": "The same key stands twice in one mapping, and one of the two would be lost. If both are assignments to "
    "the same target, merge them into one line or give the loop of one of them another name.",
    "E007": "Anchors (&name) and aliases (*name) are not part of the puzzle language: every value stands where it "
    "is used. An expression that begins with & or * needs round brackets, a text needs quotes.",
    "E008": "Tags (!name) are not part of the puzzle language. Where '!' was meant as 'not', write not; where it is "
    "text, such as a letter of a map, put it into quotes.",
    "E009": "Merge keys (<<) are not part of the puzzle language: every mapping lists its own entries.",
    "E010": "A key or list item without a value. Write the value, {} for an empty mapping, [] for an empty list or "
    '"" for an empty text, or leave the whole line out.',
    "E011": "A file holds one puzzle; a second YAML document begins at this '---'.",
    "E012": "A puzzle file is a mapping: lines such as 'puzzle: name', 'state:', 'actions:' and 'goal: ...'.",
    "E013": "A key is a single word, name or assignment target. A list, a mapping or the '?' form cannot be a key.",
    "E014": "The file is larger than the limit, which protects against files that are not puzzles.",
    "E015": "Lists and mappings are nested deeper than the limit. No puzzle needs this; look for an unclosed bracket.",
    "E016": "The file has more keys and values than the limit. Write large tables as text maps, one row a line.",
    "E017": "A '>' block joins its lines with blanks and would destroy a map. Write '|' for a map; an expression or "
    "a text simply continues on indented lines.",
    "E018": "In a '|' block the first row decides how far the block is indented. Later rows that begin further to "
    "the left end the block, and those that begin with '#' then count as comments. Write the rows as a list of "
    "quoted texts, or state the indentation, as in '|2'.",
    "E019": "For YAML a '#' at the beginning of a value starts a comment, so this row of a map is empty. Put every "
    "row of the map into quotes.",
    "E020": "For YAML a blank followed by '#' starts a comment, so the rest of this value is lost. Put the whole "
    "value into quotes.",
    "E021": "The file contains a character that no editor shows, such as a control character or an exotic line break.",
    "E101": "A key that means nothing at this place. Nothing is silently ignored, so a misspelt key is an error.",
    "E102": "A key is missing that every puzzle (or every action) must have.",
    "E103": "A value of the wrong kind: a text where a mapping is expected, or a list where a text is expected.",
    "E104": "The file names a format that this version does not read. Format 1 is the only one so far.",
    "E105": "A list of conditions, phases or assignments is empty. Leave the key out instead.",
    "E201": "This is not an expression, or not an expression of this language. Expressions look like Python's: and, "
    "or, not, == != < <= > >=, in, + - * // %, x if c else y, a[i, j], table.key, f(x), and all, any, count, sum, "
    "min, max, first around `... for x in T if ...`. Nothing else of Python exists.",
    "E202": "An expression is too long or too deeply nested, or definitions use each other too deeply. Give parts "
    "of it names under 'define'.",
    "E203": "Names and keys with leading underscores are not part of the language; expressions never reach anything "
    "of Python's.",
    "E301": "A piece of an expression stands where it has no meaning, such as a tuple in place of a value.",
    "E302": "A value of the wrong kind: an integer where a condition is expected, a text compared with a cell, a "
    "sum of things that cannot be added. Values of different kinds never compare, and a condition is never a "
    "number.",
    "E303": "A word that cannot be a name, or that has a meaning already. One name has one meaning, the same "
    "everywhere in the file; what the language itself uses (such as sum, up, bool) and Python's keywords are no "
    "names.",
    "E304": "Loops run over something fixed: a type, range(n), range(a, b), a list, data or a ray. What depends on "
    "the state goes into `if`, as in count(c for c in cell if at[c] == 0). A list as a value holds plain data only.",
    "E305": "A function, definition or type maker with the wrong number or form of arguments.",
    "E306": "A state variable, array or type that is used in the wrong form: an array needs its indices, a plain "
    "variable has none, and a type is looped over.",
    "E307": "This place reads data only. Start values, types, drawn data and `repeat` are known before the puzzle "
    "starts, so they cannot depend on the state.",
    "E308": "Only state variables change: an assignment line begins with a variable (and its indices), "
    "and a level states start values of variables only.",
    "E309": "A definition that uses itself must be Boolean, have typed parameters and use itself only where more of "
    "it makes more true: under and, or, all, any, in the branches of if/else, under an even number of `not`; it then "
    "means the least solution, as in reachability. Definitions that do not use it back are solved before it, and may "
    "stand anywhere in it.",
    "E310": "The divisor of // and % is fixed and positive, so that a division always has a value.",
    "E311": "Only == < <= > >= chain, as in 0 <= x < 5. Join other comparisons with `and`.",
    "E312": "A constant that is no value of the type that is expected here, such as an index beyond the end.",
    "E313": "A name that nothing declares. Symbols are the words in 'types' and 'state'; text that stands only in "
    "data is quoted in expressions.",
    "E314": "A list has no element with this number (they count from 0), or a table no entry with this key.",
    "E401": "A level or --set replaces data that 'data' or 'draw' declares; this name is not among them.",
    "E402": "The option --set takes NAME=VALUE: YAML, or values separated by commas, as in --set start=2,1,3.",
    "E403": "A type, a size or another fixed value is undefined, for example an element beyond the end of a list.",
    "E404": "Drawn data are permutation(n), shuffle(list) or pick(list), of something that does not depend on itself.",
    "E405": "A type that does not exist, cannot be read, or is defined by itself. Types are LOW .. HIGH, [red, "
    "green], {leap: [-2, 1]}, grid(rows, cols), cells(board), keys(table), letters(map), values(list), objects(n), "
    "marks(map, letters), bool, direction, or a union `A or none`.",
    "E406": "A symbol of a type must be a word that can be a name, an offset a pair [rows, columns], and no two may "
    "be the same. Integers are LOW .. HIGH, or values([1, 3]).",
    "E407": "In a union every value belongs to one part only, and no type has both 1 and true, or 0 and false.",
    "E408": "A text map is a list of rows of equal width. Fill shorter rows up with a letter that `omit` names.",
    "E409": "The file has no level of this name; the ones that it has stand under 'levels'. The levels of a level file "
    "have numbers from 1, and perhaps titles.",
    "E410": "If one action names its costs, every action names the same ones: the metrics of the puzzle.",
    "E411": "A claim names a declared heuristic and says admissible or consistent, for the first metric or `for "
    "METRIC`.",
    "E412": "A condition under 'require' or 'always' does not hold for these data or for the start state.",
    "E413": "A start value is undefined (a datum is too short, or first(...) finds nothing) or outside the "
    "variable's type.",
    "E414": "Integers are exact. An expression whose value could leave -2^53 .. 2^53 is refused.",
    "E415": "An action has too many ground actions. Conditions such as `q == p + d` that give a parameter its value "
    "keep their number small; so does splitting an action.",
    "E416": "Costs must not be negative for any state and parameter, whatever 'when' says: write max(0, ...) where "
    "needed.",
    "E417": "Two assignments of one phase give one variable different values whenever the action applies. "
    "Assignments happen at once, so no order decides: restrict one of them with `if`, or move it to `then`.",
    "E418": "The puzzle asks for more values, variables or loop rounds than the limit, which protects against slips "
    "such as a range with too many digits.",
    "E421": "The 'repeat' of a phase is the fixed number of its rounds, at least 1.",
    "E422": "A word that must be one of a few: a mirror of 'symmetry' (none where there are no cells), a level file's "
    "format, a part of it or the datum that it fills; a ground, a look or a frame of 'view'.",
    "E423": "Parts of a 'view' that do not go together: 'lines' are for puzzles without a board, a 'frame' for stacks "
    "(no board of cells), or 'cube' for a net of one, 'outside' for a board of cells; and nothing is seen of a 'look' "
    "in a tube or on a cube.",
    "E424": "A step of a level's 'after' cannot be made where the steps before it have led: an action's condition "
    "fails there, or a value would leave its type.",
    "E425": "Levels are made from others by changes of the maps in their data. This level has none, or it states its "
    "start, which no map says.",
    "E501": "This is no plan of this puzzle: JSON with a list of steps, or lines (action arg ...), with actions and "
    "values of the puzzle. The 'after' of a level holds such steps, or a text of actions without parameters.",
    "E502": "The file cannot be read: it does not exist, is no file, or is not UTF-8 text.",
    "E503": "A level file that does not fit: the puzzle's 'accepts' names no format for it, or the level that is asked "
    "for is not written as its format wants it.",
    "E601": "This is no PDDL that can be read: a bracket, a name that is declared nowhere, or a part that is missing. "
    "The place is that of the bracket or the word.",
    "E602": "PDDL has this, and Puzzlewright does not read it. What it reads: STRIPS, types, equality, negative and "
    "disjunctive conditions, quantifiers, conditional effects, constants, and action costs that are whole numbers.",
    "W501": "A datum, type or definition that nothing uses: no expression, and no text of a definition, a let or a "
    "draw. Remove it, or look for a misspelt use.",
    "W504": "Two effects of an action give one variable different values in some state (`check --prove` shows it). "
    "The action does not apply there, and nothing else keeps it from applying: exclude such states in `when`.",
    "W505": "A condition `a != b` is false where a side has no value, as `c + d` off the board, and nothing else keeps "
    "the action from applying there. If it shall apply there, write `not (a == b)`.",
    "W506": "A move that is lost only because `repeat: N` gives its phase too few rounds, in a state that can be "
    "reached. If it shall apply there, write a larger N or `repeat: stable`; if it shall not, say so in `when`.",
    "W507": "A phase with `repeat: stable` that goes round in a circle, or takes 10,000 rounds, so that the action "
    "does not apply, in a state that can be reached. Let the lines stop where nothing shall change any more, or "
    "exclude such states in `when`.",
    "W503": "An action that no level can use: its conditions contradict each other, or need something no level has, or "
    "(`check --prove`) hold in no state that can be reached.",
    "W508": "A letter of marks(...) that stands on no map of the file, so no level has such an object. Capital and "
    "small letters are different ones.",
    "W502": "A letter of a text map that no quoted text, symbol, other datum, letters(...), `omit` or `plain` "
    "mentions, though the map is compared with such only: often a slip on the map.",
}

_WINDOW = 100  # characters of a source line that an excerpt shows at most
_FEW = 10  # names that a hint lists at most


def render(diagnostic: Diagnostic, text: str | None) -> str:
    """`file:line:column: error[E012]: message`, the source line with a caret, and a `help:` line if there is a hint.

    `text` is the file's text, or None where only the message can be shown.
    """
    place = diagnostic.location
    where = f"{place.source}:{place.line}:{place.column}: " if place else ""
    code = f"[{diagnostic.code}]" if diagnostic.code else ""
    lines = [f"{where}{diagnostic.severity}{code}: {diagnostic.message}"]
    if place and text is not None:
        lines += _excerpt(place, text)
    if diagnostic.hint:
        lines += _help(diagnostic.hint)
    return "\n".join(lines)


def source_lines(text: str) -> list[str]:
    """The lines as the reader counts them: ended by LF, CR LF or CR; a byte order mark is no column."""
    return re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `name` most probably stands for, or None."""
    matches = difflib.get_close_matches(name, list(candidates), n=1, cutoff=0.6)
    return matches[0] if matches else None


def did_you_mean(name: str, candidates: Iterable[str], few: int = _FEW) -> str:
    """A hint for an unknown name: the nearest candidate, else all of them when they are few, else ''."""
    names = list(candidates)
    best = nearest(name, names)
    if best is not None:
        return f"did you mean '{best}'?"
    if 0 < len(names) <= few:
        return f"allowed here: {', '.join(names)}"
    return ""


@frozen(eq=True)
class Location:
    """A stretch of one line of a file; line and column count from 1."""

    source: str
    line: int
    column: int
    length: int = 1


@frozen(eq=True)
class Diagnostic:
    """One complaint. `location` is None only where no file is concerned."""

    message: str
    location: Location | None
    hint: str = ""
    severity: Literal["error", "warning"] = "error"
    code: str = ""


class PuzzleError(Exception):
    """A puzzle that cannot be used, with everything that a stage found wrong with it."""

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]) -> None:
        found = (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        super().__init__(found)
        self.diagnostics: tuple[Diagnostic, ...] = found

    def __str__(self) -> str:
        return "\n".join(render(diagnostic, None) for diagnostic in self.diagnostics)


def _excerpt(place: Location, text: str) -> list[str]:
    """The line and the caret line; nothing where the text has no such line."""
    lines = source_lines(text)
    if not 1 <= place.line <= len(lines):
        return []
    line, start = lines[place.line - 1], max(place.column - 1, 0)
    first, last = _window(len(line), start)
    shown, before, marked = line[first:last], line[first:start], line[start : min(start + place.length, last)]
    left, right = "..." if first else "", "..." if last < len(line) else ""
    number = str(place.line)
    caret = " " * (len(left) + _width(before)) + "^" * max(_width(marked), 1)
    return [f"  {number} | {left}{_printable(shown)}{right}", f"  {' ' * len(number)} | {caret}"]


def _window(length: int, start: int) -> tuple[int, int]:
    """The part of a long line that is shown: some text before the spot, and more after it."""
    if length <= _WINDOW:
        return 0, length
    first = max(0, min(start - _WINDOW // 3, length - _WINDOW))
    return first, first + _WINDOW


def _printable(text: str) -> str:
    """The text without anything that moves a terminal's cursor; one character stays one character."""
    return "".join(" " if c == "\t" else c if c.isprintable() else "?" for c in text)


def _width(text: str) -> int:
    """Terminal columns: wide characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _help(hint: str) -> list[str]:
    first, *more = hint.split("\n")
    return [f"  help: {first}", *(f"        {line}" for line in more)]
