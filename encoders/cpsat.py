"""Solving a formula with CP-SAT.

The formula is handed over as a protocol buffer in text form, which is about twice as fast as one call a clause
(measured with OR-Tools 9.15). One worker, no presolve and no symmetry detection: that avoids the known wrong INFEASIBLE
answers of 9.15 (google/or-tools issues 5274 and 5295), and the layers are reduced already. The solver runs in a thread
of its own, because only then does Python see Ctrl-C at once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from ortools.sat.python import cp_model

from encoders.encoding import Encoding, Form
from encoders.formula import Formula
from models.frozen import frozen
from models.outcomes import Stop, Unsupported

Status = Literal["feasible", "infeasible", "unknown"]
Assignment = Sequence[bool]  # the value of every variable of the formula

POLL_SECONDS = 0.05
LARGEST = 1 << 62  # sum of a constraint's coefficients


@frozen(eq=True)
class Solve:
    """One call of the solver, for the statistics."""

    horizon: int
    form: Form
    status: Status
    presolve: bool
    booleans: int
    clauses: int  # constraints of every kind
    conflicts: int
    branches: int
    build_seconds: float
    solve_seconds: float


def solve(
    encoding: Encoding,
    time_limit: float | None = None,
    *,
    fixed: Iterable[int] = (),
    presolve: bool = False,
    seed: int = 0,
    stop: Stop | None = None,
) -> tuple[Solve, Assignment | None]:
    """Ask for a model of the encoding in which the literals `fixed` hold. KeyboardInterrupt comes through."""
    begin = time.perf_counter()
    model = to_model(encoding.formula, fixed)
    built = time.perf_counter()
    solver = new_solver(presolve=presolve, seed=seed)
    remaining = None if time_limit is None else time_limit - (built - begin)
    status = "unknown" if remaining is not None and remaining <= 0 else run(solver, model, remaining, stop=stop)
    ran = remaining is None or remaining > 0
    record = Solve(
        encoding.horizon,
        encoding.form,
        status,
        presolve,
        encoding.formula.variables,
        len(model.proto.constraints),
        solver.num_conflicts if ran else 0,
        solver.num_branches if ran else 0,
        round(encoding.seconds + built - begin, 4),
        round(time.perf_counter() - built, 4),
    )
    return record, assignment(solver) if status == "feasible" else None


def new_solver(*, presolve: bool = False, seed: int = 0) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = 1
    parameters.cp_model_presolve = presolve
    parameters.symmetry_level = 0
    parameters.linearization_level = 0
    parameters.inprocessing_probing_dtime = 0.1  # a tenth: most questions are answered within a second
    parameters.inprocessing_minimization_dtime = 0.1
    parameters.random_seed = seed
    parameters.catch_sigint_signal = False
    return solver


def to_model(formula: Formula, fixed: Iterable[int] = ()) -> cp_model.CpModel:
    """The formula as a CP-SAT model; variable n of the formula is variable n of the model."""
    model = cp_model.CpModel()
    model.proto.parse_text_format(formula_text(formula, fixed))
    return model


def named_model(formula: Formula, names: Sequence[str]) -> cp_model.CpModel:
    """The same, each variable with a name, which is quoted."""
    model = cp_model.CpModel()
    model.proto.parse_text_format(formula_text(formula, names=names))
    return model


def formula_text(formula: Formula, fixed: Iterable[int] = (), names: Sequence[str] | None = None) -> str:
    """The model as a protocol buffer in text form."""
    parts = [f"{{bool_or{{literals:{list(clause)}}}}}" for clause in formula.clauses]
    parts += [f"{{bool_or{{literals:[{literal}]}}}}" for literal in fixed]
    parts += [f"{{exactly_one{{literals:{list(group)}}}}}" for group in formula.groups]
    for enforced, coefficients, variables, intervals in formula.linears:
        if sum(map(abs, coefficients)) > LARGEST:
            raise Unsupported("the costs or sums of a plan of this length do not fit into CP-SAT's 64 bits")
        domain = [end for interval in intervals for end in interval]
        linear = f"linear{{vars:{list(variables)}coeffs:{list(coefficients)}domain:{domain}}}"
        parts.append(f"{{enforcement_literal:{list(enforced)}{linear}}}")
    said = [""] * formula.variables if names is None else [f"name:{name} " for name in names]
    variables_text = ",".join(f"{{{each}domain:[0,1]}}" for each in said)
    return f"variables:[{variables_text}]constraints:[{','.join(parts)}]"


def assignment(solver: cp_model.CpSolver) -> Assignment:
    return [bool(value) for value in solver.response_proto.solution]


def run(
    solver: cp_model.CpSolver,
    model: cp_model.CpModel,
    time_limit: float | None = None,
    callback: cp_model.CpSolverSolutionCallback | None = None,
    stop: Stop | None = None,
) -> Status:
    """Solve in a thread, so that Ctrl-C and the time limit act at once; a late answer counts for nothing.

    Where `stop` says so, it ends as by Ctrl-C.
    """
    if time_limit is not None:
        solver.parameters.max_time_in_seconds = time_limit
    statuses: list[cp_model.CpSolverStatus] = []
    failures: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            statuses.append(solver.solve(model, callback))
        except BaseException as failure:  # noqa: BLE001 (handed to the caller below)
            failures.append(failure)
        finally:
            done.set()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    if not _waited(solver, done, time_limit, stop):
        return "unknown"
    if failures:
        raise failures[0]
    return _word(statuses[0], model)


def _waited(solver: cp_model.CpSolver, done: threading.Event, time_limit: float | None, stop: Stop | None) -> bool:
    """Has it ended by itself, with a second's grace? KeyboardInterrupt where it was stopped."""
    deadline = None if time_limit is None else time.perf_counter() + time_limit + 1.0
    try:
        while not done.wait(POLL_SECONDS):
            if stop is not None and stop():
                raise KeyboardInterrupt
            if deadline is not None and time.perf_counter() > deadline:
                _stop(solver, done)
                return False
    except KeyboardInterrupt:
        _stop(solver, done)
        raise
    return True


def _stop(solver: cp_model.CpSolver, done: threading.Event) -> None:
    """Ask until the solver ends: a request before it has begun is ignored (google/or-tools issue 3621)."""
    while not done.wait(POLL_SECONDS):
        solver.stop_search()


def _word(status: cp_model.CpSolverStatus, model: cp_model.CpModel) -> Status:
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return "feasible"
    if status == cp_model.INFEASIBLE:
        return "infeasible"
    if status == cp_model.MODEL_INVALID:
        raise AssertionError(f"the encoder made an invalid model: {model.validate()}")
    return "unknown"


Receiver = Callable[[Assignment], object]  # a true answer ends the enumeration


class _Collector(cp_model.CpSolverSolutionCallback):
    def __init__(self, receive: Receiver) -> None:
        super().__init__()
        self._receive = receive

    def on_solution_callback(self) -> None:
        if self._receive([bool(value) for value in self.response_proto.solution]):
            self.stop_search()


def every_solution(formula: Formula, receive: Receiver, time_limit: float | None = None) -> bool:
    """Call `receive` with each solution, the same one may come twice, and tell whether all have come.

    CP-SAT says OPTIMAL of an enumeration that is complete, FEASIBLE of one that was ended.
    """
    solver = new_solver()
    solver.parameters.enumerate_all_solutions = True
    status = run(solver, to_model(formula), time_limit, _Collector(receive))
    return status == "infeasible" or (status == "feasible" and solver.response_proto.status == cp_model.OPTIMAL)
