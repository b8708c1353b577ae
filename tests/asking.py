"""Every question that can be put to the product about a small puzzle, each answer held against the truth.

`examine` asks them in an order of its own for each seed, in one cache, many of them twice: what one question leaves
behind must not spoil the answer to another. The truth is that of `truth.py` (the referee and textbook algorithms). Not
to know is no fault; to say what is not so is one, and so is a crash.
"""

from __future__ import annotations

import os
import random
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from truth import Cost, Metrics, Truth, key, metric_tuples, truth_of

import search.compiler.drafts
import search.registry
import search.spaces.best_plans
import search.spaces.machine_space
from models.claims import DEAD
from models.decoding import bindings_of, numbers_of, state_of
from models.document import read_document
from models.errors import PuzzleError
from models.interpreter import UNDEFINED, State, evaluate, scope
from models.loader import check_start, load_text
from models.outcomes import LimitReached, Limits, Outcome, Unsupported
from models.plan import Step
from models.puzzle import Declared, Puzzle
from models.referee import place_name, start_state
from models.starts import with_start
from models.task import State as Numbers
from models.task import Task
from models.values import Value
from puzzlewright.analysis import claims
from puzzlewright.analysis.claims import Claims
from puzzlewright.analysis.counting import CountWanted, PlanCount, solve_and_count
from puzzlewright.analysis.exploring import explore
from puzzlewright.analysis.level_rows import RowWanted as RowWanted
from puzzlewright.analysis.level_rows import failed_row, rows_of
from puzzlewright.analysis.space_figures import SpaceFigures
from puzzlewright.certificates.bundle import Source as BundleSource
from puzzlewright.certificates.certifying import CertificateWanted
from puzzlewright.certificates.verifying_bundles import verify_bundle
from puzzlewright.configuration import DERIVED
from puzzlewright.play.bench import Benches
from puzzlewright.play.game import Game, GameSource
from puzzlewright.play.hints import Hints
from puzzlewright.report import Report
from puzzlewright.solving.proving import prove
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

MOST_STATES = 800
MOST_IMAGES = 2000  # of a state under a symmetry
BLIND = ("bfs", "ucs", "ids", "bidirectional", "dfs")
INFORMED = ("astar", "idastar", "rbfs", "greedy")
SECONDS = 3.0  # for a question
SOLVER = 1.0  # for one to CP-SAT
DRAWING = 30.0  # for the truth about a model
PATIENCE = 25.0  # seconds that a question may take beyond: then it hangs
SLOW = ("count by CP-SAT", "cpsat without invariants")
RARE = ("kernels", "prove", "prove with count", "prove with certificate")


HANGS = "hangs"


class Wrong(Exception):
    """An answer that is not so: its kind, and what was said and is right."""

    def __init__(self, kind: str, told: str) -> None:
        super().__init__(kind, told)
        self.kind, self.told = kind, told


class Hangs(BaseException):
    """A question that is not answered long after its limit."""


@dataclass(frozen=True)
class Failure:
    question: str
    kind: str
    told: str
    before: tuple[str, ...]  # what was asked before

    def __str__(self) -> str:
        return f"{self.kind}: {self.question}{' (again)' * (self.question in self.before)}: {self.told}"


# -- the truth about claims --------------------------------------------------------------------------------------------


def wrong_invariant(truth: Truth, declared: Declared) -> str:
    """Why it is none: it is undefined or has two values in what can be reached. '' for an invariant."""
    values = [evaluate(declared.expression, scope(state)) for state in truth.states]
    for number, value in enumerate(values):
        if value is UNDEFINED:
            return f"undefined in state {number}: {shown(truth.states[number])}"
        if value != values[0]:
            return f"{value} in state {number}, {values[0]} at the start"
    return ""


def estimate(declared: Declared, state: State) -> int:
    """What a search makes of a heuristic: nothing where it is negative or undefined."""
    value = evaluate(declared.expression, scope(state))
    return max(0, value) if isinstance(value, int) else 0


def wrong_heuristic(truth: Truth, declared: Declared, metric: str) -> str:
    """Why it is not consistent on what can be reached; '' where it is."""
    values = [estimate(declared, state) for state in truth.states]
    for number, edges in enumerate(truth.edges):
        for edge in edges:
            if values[number] > values[edge.after] + edge.costs[metric]:
                told = f"{values[number]} -> {values[edge.after]} at a cost of {edge.costs[metric]}"
                return f"{told} in state {number}: {shown(truth.states[number])}"
    bad = next((goal for goal in truth.goals if values[goal]), None)
    return "" if bad is None else f"{values[bad]} in the goal {shown(truth.states[bad])}"


def wrong_dead(truth: Truth) -> str:
    """A state where `dead` holds and from which a goal can be reached; '' if there is none."""
    conditions = [condition.expression for condition in truth.puzzle.dead]
    for number, state in enumerate(truth.states):
        if number not in truth.dead_ends and any(evaluate(each, scope(state)) is True for each in conditions):
            return f"a goal can be reached from state {number}: {shown(state)}"
    return ""


def shown(state: State) -> str:
    return ", ".join(f"{place_name(place)} = {value}" for place, value in state.items())


# -- a puzzle from one start -------------------------------------------------------------------------------------------


@dataclass
class Known:
    """A puzzle from one start, with the truth about it."""

    puzzle: Puzzle
    truth: Truth
    figures: Counter[str]
    _claims: dict[tuple[str, str], str] = field(default_factory=dict)

    @cached_property
    def declared(self) -> dict[str, Declared]:
        found = {f"heuristic {each.name}": each for each in self.puzzle.heuristics}
        return found | {f"invariant {each.name}": each for each in self.puzzle.invariants}

    def wrong(self, claim: str, metric: str) -> str:
        if (claim, metric) not in self._claims:
            self._claims[claim, metric] = self._wrong(claim, metric)
        return self._claims[claim, metric]

    def _wrong(self, claim: str, metric: str) -> str:
        if claim == DEAD:
            return wrong_dead(self.truth)
        if claim == f"heuristic {DERIVED}" and claim not in self.declared:
            return ""  # the answers are judged
        one = self.declared[claim]
        return (
            wrong_heuristic(self.truth, one, metric)
            if claim.startswith("heuristic ")
            else wrong_invariant(self.truth, one)
        )

    def optimum(self, metrics: Metrics) -> Cost | None:
        if metrics not in self.__dict__.setdefault("_optima", {}):
            self.__dict__["_optima"][metrics] = self.truth.optimum(metrics)
        found: Cost | None = self.__dict__["_optima"][metrics]
        return found

    # -- judging -------------------------------------------------------------------------------------------------------

    def proven(self, claim: str, metrics: Metrics) -> None:
        """Something says that it has been proven."""
        if claim.startswith("heuristic ") and len(metrics) > 1:
            return  # a bound on a cost of several parts: what the answers come to is judged instead
        self.figures["claims checked on all states"] += 1
        if told := self.wrong(claim, metrics[0]):
            what = "undefined" if told.startswith("undefined") else "false"
            raise Wrong(f"{what} {claim.partition(' ')[0]}", f"{claim} is called proven: {told}")

    def judge(self, report: Report, metrics: Metrics) -> None:
        best = self.optimum(metrics)
        said = f"{report.outcome} {report.cost} by {report.backend}, h = {report.heuristic}; bound {report.lower_bound}"
        right = f"{said}; right: {best} {metrics}; {report.notes}"
        if report.outcome in (Outcome.DISAGREEMENT, Outcome.INTERNAL_ERROR):
            raise Wrong("disagreement", right)
        if report.outcome is Outcome.UNSOLVABLE and best is not None:
            raise Wrong("false unsolvable", right)
        if report.plan is not None:
            self._plan(report, metrics, best, right)
        if best is not None and report.lower_bound is not None and report.lower_bound > best[0]:
            raise Wrong("false bound", right)
        for claim, words in report.verdicts.items():
            if words.startswith("proven"):
                self.proven(claim, metrics)
        for claim in used(report.notes):
            self.proven(claim, metrics)

    def _plan(self, report: Report, metrics: Metrics, best: Cost | None, right: str) -> None:
        assert report.replay is not None
        if best is None:
            raise Wrong("a plan where there is none", right)
        cost = tuple(report.replay.costs[metric] for metric in metrics)
        if report.outcome is Outcome.OPTIMAL and cost != best:
            raise Wrong("false optimum", f"{cost}: {right}")
        if cost < best:
            raise Wrong("a plan cheaper than the truth", right)


def used(notes: Sequence[str]) -> Iterator[str]:
    """The claims that CP-SAT says that it has proven and used."""
    start = "CP-SAT has proven and used "
    for note in notes:
        if note.startswith(start):
            for part in note.removeprefix(start).split(", "):
                yield part.removeprefix("the ").strip("`")


# -- the questions -----------------------------------------------------------------------------------------------------

Ask = Callable[[], None]


@dataclass
class Case:
    """A puzzle and everything that can be asked of it."""

    text: str
    known: Known
    others: dict[str, Known]  # from other starts, by what they are called

    @property
    def puzzle(self) -> Puzzle:
        return self.known.puzzle

    def request(self, backend: str, metrics: Metrics, **options: Any) -> Request:
        seconds = SOLVER if backend == "cpsat" else SECONDS
        return Request(backend=backend, metrics=metrics, limits=Limits(time=seconds), **options)

    @cached_property
    def questions(self) -> dict[str, Ask]:
        """By name; the names do not depend on chance."""
        found = {f"{name} for {','.join(metrics)}": ask for metrics in metric_tuples(self.puzzle)
                 for name, ask in self._about(metrics)}  # fmt: skip
        first = self.puzzle.metrics[:1]
        return found | {f"{name} from {start}": ask for start, other in self.others.items()
                        for name, ask in self._from(other, first)}  # fmt: skip

    def order(self, rng: random.Random, rare: bool, share: float) -> list[str]:
        """Which ones to ask, a share of them: about at most two orders of metrics, few that take long; some twice."""
        orders = [",".join(metrics) for metrics in metric_tuples(self.puzzle)]
        chosen = rng.sample(orders, min(2, len(orders)))
        shares = {name: 0.3 for name in SLOW} | {name: 0.5 * rare for name in RARE}
        names = [name for name in self.questions
                 if name.partition(" for ")[2] in ("", *chosen)
                 and rng.random() < share * shares.get(name.partition(" for ")[0], 1)]  # fmt: skip
        rng.shuffle(names)
        again = [name for name in names if rng.random() < (0.9 if name.startswith(("auto", "cpsat")) else 0.4)]
        rng.shuffle(again)
        return [*names, *again]

    def _about(self, metrics: Metrics) -> Iterator[tuple[str, Ask]]:
        yield "auto", lambda: self.solved(self.known, "auto", metrics)
        yield "cpsat", lambda: self.solved(self.known, "cpsat", metrics)
        yield "count", lambda: self.counted("auto", metrics)
        yield "explore", lambda: self.explored(metrics)
        yield "claims", lambda: self.claimed(metrics)
        yield "quick proofs", lambda: self.learnt(metrics)
        yield "all searches", lambda: self.searched(metrics)
        yield "plain searches", lambda: self.searched(metrics, invariants=False, symmetry=False)
        yield "auto without symmetry", lambda: self.solved(self.known, "auto", metrics, symmetry=False)
        yield "auto without invariants", lambda: self.solved(self.known, "auto", metrics, invariants=False)
        yield "count by CP-SAT", lambda: self.counted("cpsat", metrics)
        yield "cpsat without invariants", lambda: self.solved(self.known, "cpsat", metrics, invariants=False)
        yield "kernels", lambda: self.kernels(metrics)
        yield "prove", lambda: self.crossed(metrics)
        yield "prove with count", lambda: self.crossed(metrics, count=True)
        yield "prove with certificate", lambda: self.certified(metrics)

    def _from(self, other: Known, metrics: Metrics) -> Iterator[tuple[str, Ask]]:
        yield "auto", lambda: self.solved(other, "auto", metrics)
        yield "moved", lambda: self.moved(other, metrics, "auto")
        yield "moved, cpsat", lambda: self.moved(other, metrics, "cpsat")
        yield "hint", lambda: self.hinted(other, metrics)
        yield "row", lambda: self.rowed(other)

    # -- answers -------------------------------------------------------------------------------------------------------

    def solved(self, known: Known, backend: str, metrics: Metrics, **options: Any) -> None:
        known.judge(solve(known.puzzle, self.request(backend, metrics, **options)), metrics)

    def searched(self, metrics: Metrics, **options: Any) -> None:
        """Every search on one workbench."""
        bench = Workbench(self.puzzle, metrics)
        for backend in (*BLIND, *INFORMED):
            names = (*(each.name for each in bench.task.heuristics), DERIVED)
            for chosen in ((), *((name,) for name in names)) if backend in INFORMED else ((),):
                asked = self.request(backend, metrics, heuristics=chosen, **options)
                self.known.judge(solve(self.puzzle, asked, bench), metrics)

    def kernels(self, metrics: Metrics) -> None:
        with forced():
            self.searched(metrics, invariants=False)
            self.counted("auto", metrics)
            self.explored(metrics)

    def counted(self, backend: str, metrics: Metrics) -> None:
        report = solve_and_count(self.puzzle, self.request(backend, metrics), CountWanted())
        self.known.judge(report, metrics)
        found = report.payload(PlanCount)
        number = found and found.optimal_plans
        if not isinstance(number, int):
            return
        task = Workbench(self.puzzle, metrics).task
        right = self.folded(task, metrics).plans(metrics, classes(task))
        if number != right:
            raise Wrong("false count", f"{number} best plans by {backend}, right: {right}")

    def folded(self, task: Task, metrics: Metrics) -> Truth:
        """The truth without the variables that the task leaves out."""
        try:
            return self.known.truth.folded(state_of(self.puzzle, task, task.start), metrics)
        except AssertionError as error:
            raise Wrong("a variable is called idle", str(error)) from None

    def explored(self, metrics: Metrics) -> None:
        report = explore(self.puzzle, self.request("auto", metrics))
        space = report.payload(SpaceFigures)
        if space is None or report.outcome is not Outcome.VALID:
            return
        told = space.as_json()["exploration"]
        bench = Workbench(self.puzzle, metrics)
        right = figures_of(self.folded(bench.task, metrics), metrics)
        if told.get("states_up_to_symmetry") is not None:
            right["states_up_to_symmetry"] = self.orbits(bench)
        wrong = {name: (told[name], value) for name, value in right.items()
                 if None not in (told[name], value) and told[name] != value}  # fmt: skip
        if wrong:
            raise Wrong("false figures", f"explore (told, right): {wrong}")

    def orbits(self, bench: Workbench) -> int | None:
        """How many the reachable states are up to the exchanges that are proven; None: too many images."""
        moves = [each.state.apply for each in bench.symmetry.exchanges]
        left = {numbers_of(self.puzzle, bench.task, state) for state in self.known.truth.states}
        number = 0
        while left:
            seen = closure(left.pop(), moves)
            if len(seen) > MOST_IMAGES:
                return None
            left -= seen
            number += 1
        return number

    def rowed(self, other: Known) -> None:
        """A row of `levels` from another start: what is known of the file's own is said to be known of no other."""
        truth = self.known.truth
        known = {"states": len(truth.states), "solvable": bool(truth.goals)}
        moved = with_start(replace(self.puzzle, known=known), start_state(other.puzzle))
        rows = [failed_row(Outcome.TIME_LIMIT)]
        with suppress(LimitReached):
            rows += rows_of(moved, RowWanted(time_limit=SECONDS))
        self.of_row(other, rows[-1])

    def of_row(self, other: Known, row: Mapping[str, Any]) -> None:
        if row["outcome"] in (Outcome.DISAGREEMENT, Outcome.INTERNAL_ERROR):
            raise Wrong("disagreement", f"a row of levels: {row['outcome']} {row['notes']}")
        if said := [name for name in ("held", "open", "missed") if row[name]]:
            raise Wrong("known of another start", f"a row of levels: {', '.join(said)}")
        for metric, told in row["optima"].items():
            best = other.optimum(tuple(metric.split(",")))
            if told is not None and (best is None or told != (list(best) if len(best) > 1 else best[0])):
                raise Wrong("false optimum", f"a row of levels: {told} {metric}; right: {best}")
        if row["outcome"] == Outcome.UNSOLVABLE and other.truth.goals:
            raise Wrong("false unsolvable", f"a row of levels; right: {other.optimum(self.puzzle.metrics[:1])}")

    def claimed(self, metrics: Metrics) -> None:
        """`check --prove`."""
        for finding in Claims(Workbench(self.puzzle, metrics)).findings():
            if finding.disagreement:
                raise Wrong("disagreement", f"{finding.name}: {finding.disagreement}")
            if finding.verdict.proven:
                self.known.proven(finding.name, metrics)
            elif finding.verdict.status == "refuted":
                self.refuted(finding.name, metrics, finding.example)

    def refuted(self, claim: str, metrics: Metrics, example: Mapping[str, Any] | None) -> None:
        self.known.figures["claims refuted"] += 1
        if len(metrics) == 1 and not self.known.wrong(claim, metrics[0]):
            raise Wrong("false refutation", f"{claim} holds in all states; {example}")

    def learnt(self, metrics: Metrics) -> None:
        """The quick prover alone, and CP-SAT alone."""
        from proving import learn

        bench = Workbench(self.puzzle, metrics)
        found = learn(bench.task)
        for kind, verdicts in (("invariant", found.invariants), ("heuristic", found.heuristics)):
            for name, verdict in verdicts.items():
                if verdict.proven:
                    self.known.proven(f"{kind} {name}", metrics)
        if found.separating is not None and self.known.optimum(metrics) is not None:
            raise Wrong("false unsolvable", f"invariant {found.separating} is said to separate")
        with bench.within(SECONDS):
            for kind, names in bench.proofs.known_to_cpsat(SOLVER)._asdict().items():
                for name in names:
                    self.known.proven(f"{kind[:-1]} {name}", metrics)

    def crossed(self, metrics: Metrics, count: bool = False) -> None:
        self.known.judge(prove(self.puzzle, self.request("auto", metrics), count), metrics)

    def certified(self, metrics: Metrics) -> None:
        """`prove --certificate`, then `verify`."""
        with TemporaryDirectory() as folder:
            wanted = CertificateWanted(Path(folder) / "certificate", BundleSource(self.text, None, (), 0))
            self.known.judge(prove(self.puzzle, self.request("auto", metrics), certificate=wanted), metrics)
            if wanted.folder.exists():
                checked = verify_bundle(wanted.folder, SECONDS)[1]
                if checked.outcome not in (Outcome.VALID, Outcome.TIME_LIMIT):
                    raise Wrong("disagreement", f"a certificate is refused: {checked.outcome} {checked.notes}")

    # -- other starts --------------------------------------------------------------------------------------------------

    @cached_property
    def game(self) -> Game:
        return Game(GameSource(self.text, self.puzzle.name, metric=self.puzzle.metrics[0]))

    def benches(self) -> Benches:
        """Those of a player who begins at the file's start: what is made there is used elsewhere too."""
        made = Benches(self.game)
        with suppress(Unsupported, LimitReached):
            made.at(start_state(self.puzzle)).machine()
        return made

    def moved(self, other: Known, metrics: Metrics, backend: str) -> None:
        """By a player's workbench, which takes over what was proven elsewhere."""
        bench = self.benches().at(start_state(other.puzzle))
        for chosen in ((), *((each.name,) for each in bench.task.heuristics)):
            asked = self.request("astar" if chosen else backend, metrics, heuristics=chosen)
            other.judge(solve(bench.puzzle, asked, bench), metrics)

    def hinted(self, other: Known, metrics: Metrics) -> None:
        state = start_state(other.puzzle)
        told = Hints(self.game, self.benches()).hint("plan", state, SECONDS)
        best = other.optimum(metrics)
        if told["answer"] == "best" and (best is None or told["cost"] != best[0]):
            raise Wrong("false optimum", f"hint: {told['says']} {told['cost']}; right: {best}")
        if told["answer"] == "unsolvable" and told["proven"] and best is not None:
            raise Wrong("false unsolvable", f"hint: {told['says']}; right: {best}")


def classes(task: Task) -> Callable[[Step], object]:
    """Which steps a task makes one: those whose scalar parameters belong to one row."""
    rows: dict[tuple[str, tuple[tuple[str, Value], ...]], int] = {}
    for schema in task.schemas:
        for number, row in enumerate(schema.rows):
            rows |= {(schema.name, typed(bound)): number for bound in bindings_of(row)}
    arrays = {schema.name: {name for name, places in schema.parameters if places} for schema in task.schemas}

    def of(step: Step) -> object:
        mine = arrays[step.action]
        scalars = tuple(pair for pair in step.arguments if pair[0] not in mine)
        rest = tuple(pair for pair in step.arguments if pair[0] in mine)
        return step.action, rows[step.action, typed(scalars)], typed(rest)

    return of


def typed(bound: tuple[tuple[str, Value], ...]) -> Any:
    """1 and true are different."""
    return tuple((name, type(value), value) for name, value in bound)


def closure(state: Numbers, moves: Sequence[Callable[[Numbers], Numbers]]) -> set[Numbers]:
    """The state and its images; some of them where these are more than MOST_IMAGES."""
    seen, waiting = {state}, [state]
    while waiting and len(seen) <= MOST_IMAGES:
        one = waiting.pop()
        new = {move(one) for move in moves} - seen
        seen |= new
        waiting += new
    return seen


def figures_of(truth: Truth, metrics: Metrics) -> dict[str, Any]:
    """What `explore` tells, as far as it is one figure each."""
    ahead, behind = truth.from_start(metrics), truth.to_goal(metrics)
    depths = Counter(truth.depth)
    steps = [truth.depth[goal] for goal in truth.goals]
    plans = truth.plans(metrics)
    return {
        "states": len(truth.states),
        "layers": [depths[depth] for depth in range(len(depths))],
        "eccentricity": len(depths) - 1,
        "edges": sum(map(len, truth.edges)),
        "goal_states": len(truth.goals),
        "nearest_goal_steps": min(steps, default=None),
        "nearest_goal": priced(behind[0], metrics),
        "farthest": priced(max(cost for cost in ahead if cost is not None), metrics),
        "dead_ends": len(truth.dead_ends),
        "optimal_plans": "infinite" if plans is None else plans,
    }


def priced(cost: Cost | None, metrics: Metrics) -> dict[str, Any] | None:
    if cost is None:
        return None
    several = {"costs": dict(zip(metrics, cost, strict=True))} if len(metrics) > 1 else {}
    return {"cost": cost[0], **several}


# -- asking ------------------------------------------------------------------------------------------------------------


@contextmanager
def forced(small: int = 3) -> Iterator[None]:
    """Kernels take over at once, and the code that they call is made again at their first rest."""
    places: dict[tuple[Any, str], object] = {
        (module, "SMALL"): small for module in (search.registry, search.spaces.best_plans, search.spaces.machine_space)
    }
    drafts = search.compiler.drafts
    places |= {(drafts, "LONG"): 0, (drafts, "LONGEST"): 3_000, (drafts, "SECONDS_A_BETTER_LINE"): 0.0}
    old = {place: getattr(*place) for place in places}
    for (module, name), value in places.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for (module, name), value in old.items():
            setattr(module, name, value)


@contextmanager
def fresh_cache() -> Iterator[None]:
    """A folder of its own for what is remembered, and for files of disagreements; kernels stay where they are."""
    from search.kernels.keeping import folder as folder_of_kernels

    folder_of_kernels()  # chosen when it is first asked for
    old = os.environ.get("PUZZLEWRIGHT_CACHE")
    with TemporaryDirectory(prefix="soak-") as folder, chdir(folder):
        os.environ["PUZZLEWRIGHT_CACHE"] = folder
        try:
            yield
        finally:
            os.environ.pop("PUZZLEWRIGHT_CACHE")
            if old is not None:
                os.environ["PUZZLEWRIGHT_CACHE"] = old


@contextmanager
def short_claims() -> Iterator[None]:
    """CP-SAT has a second for each claim."""
    old = claims.SECONDS, claims.SECOND_OPINION
    claims.SECONDS, claims.SECOND_OPINION = SOLVER, SOLVER
    try:
        yield
    finally:
        claims.SECONDS, claims.SECOND_OPINION = old


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Hangs where the work takes longer: only in the main thread of a process."""

    def ring(*_: object) -> None:
        raise Hangs

    old = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def load(text: str, level: str | None = None, most: int = MOST_STATES) -> Known | None:
    """None where the file is refused, or has too many states."""
    try:
        puzzle = load_text(text, "soak.yaml", level)
        Workbench(puzzle)
    except PuzzleError:
        return None
    truth = truth_of(puzzle, most)
    return None if truth is None else Known(puzzle, truth, Counter())


def other_levels(text: str, known: Known) -> Iterator[tuple[str, Known]]:
    """The starts of the file's other levels, where these differ in nothing but the start."""
    for level in list(read_document(text, "soak.yaml").levels)[1:]:
        with suppress(PuzzleError):
            state = start_state(load_text(text, "soak.yaml", str(level)))
            if state.keys() == start_state(known.puzzle).keys():
                found = moved_to(known.puzzle, state, known.figures)
                if found is not None:
                    yield f"level {level}", found


def other_starts(known: Known, rng: random.Random, number: int) -> Iterator[Known]:
    """A state that can be reached, and some that cannot, if possible with the same values of the invariants."""
    puzzle, start = known.puzzle, start_state(known.puzzle)
    types = {variable.name: variable.type for variable in puzzle.variables}
    values = [evaluate(each.expression, scope(start)) for each in puzzle.invariants]

    def drawn() -> State:
        return {
            place: rng.choice(types[place[0]].values) if rng.random() < 0.5 else value for place, value in start.items()
        }

    drawings = [drawn() for _ in range(30 if number > 1 else 0)]
    seen = {key(state) for state in known.truth.states}
    drawings.sort(key=lambda state: (
        key(state) in seen,
        values != [evaluate(each.expression, scope(state)) for each in puzzle.invariants],
    ))  # fmt: skip
    reached = [rng.choice(known.truth.states)]
    seen = {key(start)}
    for state in [*reached, *drawings]:
        if number and key(state) not in seen:
            seen.add(key(state))
            found = moved_to(puzzle, state, known.figures)
            if found is not None:
                number -= 1
                yield found


def moved_to(puzzle: Puzzle, state: State, figures: Counter[str]) -> Known | None:
    moved = with_start(puzzle, state)
    try:
        check_start(moved)
        Workbench(moved)
    except PuzzleError:
        return None
    truth = truth_of(moved, MOST_STATES // 3)
    return None if truth is None else Known(moved, truth, figures)


def case_of(text: str, seed: int, figures: Counter[str], level: str | None = None, starts: int = 2,
            most: int = MOST_STATES) -> Case | None:  # fmt: skip
    """None where the file is refused or too large."""
    known = load(text, level, most)
    if known is None:
        return None
    known.figures = figures
    others = dict(other_levels(text, known))
    found = other_starts(known, random.Random(seed), starts)
    return Case(text, known, others | {f"start {number}": other for number, other in enumerate(found)})


def examine(text: str, seed: int, figures: Counter[str], *, level: str | None = None, starts: int = 2,
            most: int = MOST_STATES, rare: bool = True, share: float = 1, order: Sequence[str] | None = None,
            only: str = "", patient: float = PATIENCE) -> list[Failure] | None:  # fmt: skip
    """What was answered wrongly; None where the file is refused or too large.

    `order`: these questions, one after the other; else the seed chooses. `only`: stop at the first of that kind.
    """
    with fresh_cache(), short_claims():
        case = None
        with suppress(Hangs), patience(DRAWING):
            case = case_of(text, seed, figures, level, starts, most)
        if case is None:
            return None
        figures["models"] += 1
        figures["states"] += len(case.known.truth.states)
        names = case.order(random.Random(seed), rare, share) if order is None else order
        return asked(case, names, figures, only, patient)


def asked(case: Case, names: Sequence[str], figures: Counter[str], only: str, patient: float) -> list[Failure]:
    """Each question that has failed once is not asked again; one that hangs is the last one."""
    found: dict[str, Failure] = {}
    before: list[str] = []
    for name in names:
        if name in found or name not in case.questions:
            continue
        failure = answer(name, case.questions[name], tuple(before), patient)
        figures["questions"] += 1
        figures["warm-cache repeats"] += name in before
        before.append(name)
        if failure is not None:
            found[name] = failure
            if failure.kind == only or (failure.kind == HANGS and not only):
                break
    return [*found.values()]


def answer(name: str, ask: Ask, before: tuple[str, ...], patient: float) -> Failure | None:
    try:
        with patience(SECONDS + patient):
            ask()
    except Wrong as wrong:
        return Failure(name, wrong.kind, wrong.told, before)
    except Hangs:
        return Failure(name, HANGS, f"still at work {patient:g} s after its limit", before)
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        kind = f"crash: {type(error).__name__} in {Path(at.filename).name}"
        return Failure(name, kind, f"{error} (line {at.lineno})", before)
    return None
