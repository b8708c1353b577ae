"""What each variable of a clausal formula stands for, in the words of the puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from models.plan import Words
from models.task import Row, Schema
from models.values import show

if TYPE_CHECKING:
    from encoders.certified import Certified


def variable_map(certified: Certified, words: Words) -> str:
    """One line for each variable: its number in the DIMACS file, then what it says where it is true."""
    from encoders.clausal import TRUE, dimacs

    said: dict[int, list[str]] = {TRUE: ["true"]}
    for literal, text in _readings(certified, words):
        number = dimacs(literal)
        if abs(number) != TRUE:
            said.setdefault(abs(number), []).append(text if number > 0 else f"not: {text}")
    lines = [f"{number} {_line(said.get(number))}" for number in range(1, certified.encoding.formula.variables + 1)]
    first = len(lines) + 1
    lines += [f"{number} auxiliary: {text}" for number, text in enumerate(certified.form.auxiliaries, first)]
    return "\n".join(lines) + "\n"


def _line(texts: list[str] | None) -> str:
    """What is said positively is enough: of two values the other one is its negation."""
    if texts is None:
        return "auxiliary: a condition on what stands above"
    positive = [text for text in texts if not text.startswith("not: ")]
    return "; ".join(" ".join(text.split()) for text in positive or texts)


def _readings(certified: Certified, words: Words) -> Iterator[tuple[int, str]]:
    """(literal of the formula, what it says) for the rows and choices of every step and the values of every layer."""
    made = certified.encoding
    task = made.outline.task
    for number, step in enumerate(made.steps, 1):
        yield step.idle, f"step {number}: none, the plan is over"
        for place, literal in step.rows.items():
            schema, row = made.outline.rows[place]
            yield literal, f"step {number}: {row_words(task.schemas[schema], task.schemas[schema].rows[row], words)}"
        for schema, choices in step.choices.items():
            for choice, literals in zip(task.schemas[schema].choices, choices, strict=True):
                for value, literal in literals.items():
                    yield (
                        literal,
                        f"step {number}: {task.schemas[schema].name} {choice.name} = {show(choice.domain[value])}",
                    )
    for number, layer in enumerate(made.layers):
        when = f"after step {number}" if number else "at the start"
        for variable, literals in zip(task.variables, layer, strict=True):
            for value, literal in literals.items():
                yield literal, f"{when}: {variable.name} = {show(variable.domain[value])}"


def row_words(schema: Schema, row: Row, words: Words) -> str:
    bound = (f"{name}={words[schema.name, name].written[value]}" for name, value in row.arguments)
    return " ".join([schema.name, *bound, "acts"])
