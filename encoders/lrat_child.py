"""CP-SAT on a DIMACS file, with a proof: a script that `encoders.lrat` runs by its path, in a process of its own.

    lrat_child.py FORMULA SECONDS SEED      SECONDS may be inf

The last line that it writes is `feasible`, `infeasible` or `unknown`. It ends as soon as its standard input does, so
that it never outlives who started it, and then leaves no file behind.

The facts about OR-Tools 9.15 that this rests on: a proof is written for a model of `bool_or` constraints alone, without
presolve, by one worker; the text form only comes with `check_merged_lrat_proof`; clause i of the proof is the model's
constraint i, and its variable n is variable n - 1, so that negative literals are the same numbers in both.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ortools.sat.python import cp_model

FILES = ("lrat.txt", "lrat0.bin", "lrat1.bin", "lrat2.bin")  # what CP-SAT writes with one worker
PLACE = "/tmp" if os.name == "posix" else "."  # where it does so, whatever the environment says
TEXT = FILES[0]


def remove_files(folder: Path) -> None:
    for name in FILES:
        with suppress(OSError):
            (folder / name).unlink(missing_ok=True)


def read_model(formula: Path) -> cp_model.CpModel:
    variables, constraints = 0, []
    with formula.open(encoding="ascii", errors="replace") as lines:
        for line in lines:
            if line.startswith("p"):
                variables = int(line.split()[2])
            elif not line.startswith("c"):
                constraints.append(f"{{bool_or{{literals:[{','.join(_literals(line))}]}}}}")
    model = cp_model.CpModel()
    model.proto.parse_text_format(
        f"variables:[{','.join(['{domain:[0,1]}'] * variables)}]constraints:[{','.join(constraints)}]"
    )
    return model


def _literals(line: str) -> Iterator[str]:
    for word in line.split()[:-1]:
        yield word if word.startswith("-") else str(int(word) - 1)


def new_solver(seconds: float, seed: int) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.max_time_in_seconds = seconds
    parameters.random_seed = seed
    parameters.num_workers = 1
    parameters.cp_model_presolve = False
    parameters.symmetry_level = 0
    parameters.linearization_level = 0
    parameters.output_lrat_proof = True
    parameters.check_merged_lrat_proof = True
    parameters.catch_sigint_signal = False
    return solver


def _end_with_standard_input() -> None:
    while os.read(0, 1):
        pass
    remove_files(Path(PLACE))
    os._exit(1)


def main(formula: str, seconds: str, seed: str) -> None:
    threading.Thread(target=_end_with_standard_input, daemon=True).start()
    status = new_solver(float(seconds), int(seed)).solve(read_model(Path(formula)))
    words = {cp_model.INFEASIBLE: "infeasible", cp_model.OPTIMAL: "feasible", cp_model.FEASIBLE: "feasible"}
    print(words.get(status, "unknown"), flush=True)
    os._exit(0)  # without waiting for standard input


if __name__ == "__main__":
    main(*sys.argv[1:])
