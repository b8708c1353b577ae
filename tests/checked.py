"""What `check --prove` says of a file, held against the truth: its notes, its warnings, its verdicts, its examples.

`SENTENCES` has them all, with pieces in braces. `wrong(truth, told)` lists what is not true of the object that
`check --prove --json` prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from reasons import UNKNOWN, counted, number, pattern
from truth import Truth

from models.interpreter import UNDEFINED, State, evaluate, scope
from models.plan import Step
from models.puzzle import Declared
from models.referee import Refusal, apply, bindings_of
from models.values import plain

MOST_BINDINGS = 3000
Told = dict[str, Any]
PIECES = {
    "LEAST": "(?P<least>at least )?",
    "GIVEN": r"(?:, given [\w, ]+?)?(?:; proven by (?:search and CP-SAT|CP-SAT))?",
    "S": "s?",
    "WHICH": "(?:, of the levels that were chosen)?(?:, with the data that seed 0 draws)?",
    "where": "(?: where .+ [(]perhaps out of reach[)])?",
    "ASIDE": r"(?: \(leaving aside (?P<aside>.+)\))?",
    "OUT": "(?:an action leads out of it|a goal is dead)",
    "BROKEN": "(?:an action changes it|an action lowers it by more than its cost|it is more than 0 at a goal)",
}


class Claim:
    """What is said of something: an action, or what the file declares; and what is true of it."""

    def __init__(self, truth: Truth, subject: str) -> None:
        self.truth, self.puzzle = truth, truth.puzzle
        self.kind, _, rest = subject.partition(" ")
        self.name, _, metric = rest.partition(" for ")
        self.metrics = (metric or self.puzzle.metrics[0],)

    @property
    def declared(self) -> Declared:
        known = self.puzzle.invariants if self.kind == "invariant" else self.puzzle.heuristics
        return next(each for each in known if each.name == self.name)

    def value(self, state: State) -> object:
        found = evaluate(self.declared.expression, scope(state))
        return UNDEFINED if found is UNDEFINED else (type(found), found)

    def estimate(self, state: State) -> int:
        """An estimate as it counts: undefined is 0, and so is what is negative."""
        found = evaluate(self.declared.expression, scope(state))
        return max(0, found) if type(found) is int else 0  # whatever is no number counts like what is undefined

    @property
    def holds(self) -> bool:
        """Is it defined and the same in all states that can be reached; or is the estimate consistent?"""
        if self.kind == "dead":
            return self.dead() <= self.truth.dead_ends
        if self.kind == "invariant":
            values = {self.value(state) for state in self.truth.states}
            return len(values) == 1 and UNDEFINED not in values
        h = [self.estimate(state) for state in self.truth.states]
        pairs = ((n, edge) for n, edges in enumerate(self.truth.edges) for edge in edges)
        drops = any(h[n] > edge.price(self.metrics)[0] + h[edge.after] for n, edge in pairs)
        return not drops and not any(h[n] for n in self.truth.goals)

    def dead(self) -> set[int]:
        """The numbers of the states where `dead` holds."""
        conditions = [condition.expression for condition in self.puzzle.dead]
        return {number for number, state in enumerate(self.truth.states)
                if any(evaluate(each, scope(state)) is True for each in conditions)}  # fmt: skip

    def idle(self) -> tuple[int, int] | None:
        """(choices of an action's parameters with which it never applies, all of them); None: too many to try."""
        action = next(action for action in self.puzzle.actions if action.name == self.name)
        found = list(islice(bindings_of(action.parameters), MOST_BINDINGS + 1))
        taken = {edge.step for edges in self.truth.edges for edge in edges}
        never = sum(Step(action.name, bound) not in taken for bound in found)
        return None if len(found) > MOST_BINDINGS else (never, len(found))


Found = dict[str, str | None]
Test = Callable[[Claim, Found], bool]


def _counted(claim: Claim, found: Found) -> bool:
    true = claim.idle()
    never, whole = number(found["never"]), number(found["whole"])
    return true is None or (whole == true[1] and (never <= true[0] if found["least"] else never == true[0]))


def _never(claim: Claim, found: Found) -> bool:
    true = claim.idle()
    return true is None or true[0] == true[1]


def _all_states(claim: Claim, found: Found) -> bool:
    states = counted(claim.truth, found["aside"], range(len(claim.truth.states)))
    return claim.holds and states in (None, number(found["states"]))


def _holds(claim: Claim, found: Found) -> bool:
    return claim.holds


def _trapped(claim: Claim, found: Found) -> bool:
    """No goal is dead, and no step leads out of the dead states."""
    dead = claim.dead()
    return dead.isdisjoint(claim.truth.goals) and all(edge.after in dead for n in dead for edge in claim.truth.edges[n])


def _lost(claim: Claim, found: Found) -> bool:
    dead = counted(claim.truth, found["aside"], sorted(claim.dead()))
    return _all_states(claim, found) and dead in (None, number(found["dead"]))


def _fails(claim: Claim, found: Found) -> bool:
    return not claim.holds


def _anything(claim: Claim, found: Found) -> bool:
    return True


NOTES: list[tuple[str, Test]] = [
    ("{levels} level{S}", _anything),
    ("{name}: choices of parameters with which it never applies: {LEAST}{never} of {whole}", _counted),
]
WARNINGS: dict[str, list[tuple[str, Test]]] = {
    "W501": [("the {what} '{name}' is never used", _anything)],  # about the text: test_models_errors
    "W502": [("on the map '{name}', nothing says what {letters} means", _anything)],
    "W508": [("no map '{name}' has the letter {letter}", _anything)],  # about the text: test_models_marks
    "W503": [
        ("`{name}` never applies in a state that can be reached{WHICH}", _never),
        ("no level has values with which `{name}` could apply{WHICH}", _never),
    ],
    "W505": [  # CP-SAT has found such a state; by hand: test_puzzlewright_edges
        (
            "`{condition}` is false where a side of it is undefined, as off the board, and nothing else keeps `{name}` "
            "from applying there{where}",
            _anything,
        ),
    ],
    "W506": [  # by hand: test_puzzlewright_resting
        ("`repeat: {number}` is too few for a phase of `{name}` in a state that can be reached{where}", _anything)
    ],
    "W507": [("a phase of `{name}` does not come to rest in time in a state that can be reached{where}", _anything)],
    "W504": [  # its example is judged
        ("two effects of `{name}` may give one variable different values; it does not apply there", _anything),
    ],
}
VERDICTS: list[tuple[str, Test]] = [
    ("proven: kept by every action, and no goal state is dead{GIVEN}", _trapped),
    (
        "proven: it holds in {dead} of {states} reachable state{S}{ASIDE}, and no goal can be reached from there",
        _lost,
    ),
    ("refuted: a goal can be reached from a reachable state where it holds", _fails),
    ("unknown: {OUT} in a state that is perhaps out of reach: an invariant may exclude it", _anything),
    ("unknown: a goal state may be dead", _anything),
    ("unknown: {action} may lead out of it", _anything),
    ("proven: kept by every action{GIVEN}", _holds),
    ("proven: consistent for every action{GIVEN}", _holds),
    ("proven: holds in all {states} reachable state{S}{ASIDE}", _all_states),
    ("refuted: {BROKEN} in a reachable state", _fails),
    ("unknown: it is not consistent in a reachable state; whether it is admissible is not known", _fails),
    ("unknown: it is undefined at the start", lambda claim, found: claim.value(claim.truth.states[0]) is UNDEFINED),
    ("unknown: {BROKEN} in a state that is perhaps out of reach: an invariant may exclude it", _anything),
    ("unknown: not known to be {what}", _anything),
    ("unknown: it is not known to be {what}", _anything),  # at most 0 in all goal states
    ("unknown: it may be {what}", _anything),  # undefined after an action
    ("unknown: {action}: the estimate may fall by {number} more than the cost{where}", _anything),
    ("unknown: {action}: {why}", _anything),  # too many parts or values
    ("unknown: not proven {what}", _anything),  # in the time
    ("unknown: CP-SAT did not decide it within {seconds} s", _anything),
    ("unknown: expressions are nested too deeply", _anything),
]


def wrong(truth: Truth, told: Told) -> Iterator[str]:
    """What is not true of an answer for a file of one level."""
    for note in told["notes"]:
        yield _judged(NOTES, truth, "action " + note.partition(":")[0], note)
    for warning in told["diagnostics"]:
        name = (warning["message"].split("`") + [""])[1] if "`" in warning["message"] else ""
        yield _judged(WARNINGS[warning["code"]], truth, f"action {name}", warning["message"])
    for claim, verdict in told["verdicts"].items():
        if not claim.startswith("symmetry "):  # test_search_symmetry_boards
            yield _judged(VERDICTS, truth, claim, verdict)
    for example in told.get("counterexamples", ()):
        yield _example(truth, example)


def _judged(sentences: list[tuple[str, Test]], truth: Truth, subject: str, words: str) -> str:
    for sentence, test in sentences:
        found = pattern(sentence, PIECES).fullmatch(words)
        if found:
            return "" if test(Claim(truth, subject), found.groupdict()) else f"this is false: {subject}: {words}"
    return f"{UNKNOWN}: {words}"


def _example(truth: Truth, told: Told) -> str:
    """Is it what it says: a state that can be reached, where that is said; a claim that fails; effects that clash?"""
    if not told["reachable"]:
        return ""
    names = {truth.puzzle.place_names[place]: place for place in truth.states[0]}
    there = [state for state in truth.states
             if all(plain(state[names[name]]) == value for name, value in told["state"].items())]  # fmt: skip
    if not there:
        return f"this state cannot be reached: {told['state']}"
    claim = Claim(truth, told["claim"])
    return "" if claim.kind == "action" and _clashes(claim, there[0]) or claim.kind != "action" else "there is no clash"


def _clashes(claim: Claim, state: State) -> bool:
    """Does the referee refuse some choice of parameters there since effects clash?"""
    action = next(action for action in claim.puzzle.actions if action.name == claim.name)
    for bound in islice(bindings_of(action.parameters), MOST_BINDINGS):
        try:
            apply(claim.puzzle, state, Step(action.name, bound))
        except Refusal as refusal:
            if refusal.conflict:
                return True
    return False
