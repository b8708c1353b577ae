"""Deliberate faults, one at a time, each with the tests that must notice it (DeMillo, Lipton and Sayward 1978).

A fault is one replacement in one file of a copy of the project. It counts as caught only if the tests it names run and
fail there; an import that fails, or a crash, does not count. `python tests/mutations.py [WORDS...]` tries all faults,
or those whose name or file contains one of the words, and prints what came of each; `table` prints `docs/testing.md`'s.
`python tests/mutations.py soak [WORDS...]` makes those of `SOAKED` instead, and lets `soak.py` look for each of them.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("benchmarks", "docs", "encoders", "models", "puzzles", "puzzlewright", "search", "tests")
SECONDS = 600  # that one run of tests may take
PASSED, FAILED, ELSEWHERE = 0, 1, 70  # exit codes: two of pytest, and ours where another copy would be tested

# Begins in the copy and makes sure that it, and not an installed project, is what is tested.
HERE = f"""
import sys
from pathlib import Path
import encoders, models, puzzlewright, search
if any(Path(each.__file__).resolve().parents[1] != Path.cwd() for each in (encoders, models, puzzlewright, search)):
    sys.exit({ELSEWHERE})
"""
START = f"""{HERE}
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""
SOAK = f"""{HERE}
import runpy
runpy.run_path("tests/soak.py", run_name="__main__")
"""
MINUTES = 10  # in which the soak finds a fault
FOUND = re.compile(r"seed \d+: (?!hangs: )")


class Fault(NamedTuple):
    """A fault in words, where it is made, the text that stands there once and what replaces it, the tests to notice."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


ROWS = ("tests/test_search_machine.py::test_every_kind_of_row",)
TASKS = ("tests/test_search_codegen.py::test_random_tasks",)
TERMS = ("tests/test_search_codegen.py::test_random_terms",)
BOARDS = ("tests/test_search_row_boards.py::test_random_boards",)
LAYERS = ("tests/test_search_kernels_layers.py::test_all_figures_agree",)
TAGS = ("tests/test_search_kernels_layers.py::test_states_with_equal_tags_are_told_apart",)
BEST = ("tests/test_search_kernels_best_first.py::test_graphs",)
DEEPENING = ("tests/test_search_kernels_deepening.py::test_random_models",)
EVALUATORS = ("tests/test_crosscheck_random.py::test_evaluators_agree",)
LET = ("tests/test_models_evaluators.py::test_a_let_keeps_its_meaning_in_later_phases",)
ENCODED = ("tests/test_encoders_cpsat.py::test_random_task",)
PRUNED = ("tests/test_search_pruning.py::test_random_models",)
FALSE_CLAIMS = ("tests/test_search_knowledge.py::test_nothing_proven_is_false",)
CONSTRUCTORS = ("tests/test_models_evaluators.py::test_constructors_keep_the_meaning",)
BACKWARD = ("tests/test_search_machine_symmetry.py::test_predecessors_of_reachable_states",)
MIRROR = ("tests/test_search_symmetry_mirrors.py::test_mirrors_that_map_the_puzzle_onto_itself",)
CANONICAL = ("tests/test_search_machine_symmetry.py::test_canonical_states_and_what_follows_them",)

COMPILER = [
    Fault(
        "a special case of a split row is forgotten",
        "search/compiler/codegen.py",
        "for value in field.values:",
        "for value in field.values[1:]:",
        ROWS,
    ),
    Fault(
        "strides of choices are one place off",
        "search/compiler/codegen.py",
        "_product(sizes[k + 1 :])",
        "_product(sizes[k:])",
        TASKS,
    ),
    Fault(
        "straight-line rows forget what must always hold",
        "search/compiler/codegen.py",
        "require(emitter, stack, plan.always, 0)",
        "require(emitter, stack, (), 0)",
        TASKS,
    ),
    Fault(
        "the guard of the second phase is dropped",
        "search/compiler/codegen.py",
        "        if number:\n",
        "        if number > 1:\n",
        TASKS,
    ),
    Fault(
        "rows under a shared test lose the last one",
        "search/compiler/codegen.py",
        "for p, a in rows[:count]]",
        "for p, a in rows[: count - 1]]",
        TASKS,
    ),
    Fault(
        "negative estimates are not cut off",
        "search/compiler/codegen.py",
        "term.values[0] < least",
        "term.values[-1] < least",
        ("tests/test_search_machine.py::test_an_estimate_with_and_without_a_bound",),
    ),
    Fault(
        "what must always hold is tested in the old state",
        "search/compiler/rows.py",
        "{old[index]: now[index] for index in changed}",
        "{old[index]: old[index] for index in changed}",
        TASKS,
    ),
    Fault(
        "a phase reads what it has itself written",
        "search/compiler/rows.py",
        "found.append(list(now))",
        "found.append(now)",
        TASKS,
    ),
    Fault(
        "a later phase reads the newest value instead of its stage's",
        "search/compiler/rows.py",
        "found[leaf.stage][leaf.index]",
        "found[-1][leaf.index]",
        TASKS,
    ),
    Fault(
        "a field may cross the end of a word",
        "search/compiler/layout.py",
        "if shift + width > WORD:",
        "if shift + width > WORD + 1:",
        ROWS,
    ),
    Fault(
        "values that follow from new values get no code",
        "search/compiler/layout.py",
        "waiting.update(dict.fromkeys(readers.get(home[index], ())))",
        "waiting.update({})",
        ROWS,
    ),
    Fault(
        "a negated test leaves the wrong value",
        "search/compiler/layout.py",
        "values = {0}",
        "values = {1}",
        ROWS,
    ),
    Fault("at most is compiled as less than", "search/compiler/emitter.py", '"<=": "sle"', '"<=": "slt"', TASKS),
    Fault(
        "quotients of negative numbers are rounded up",
        "search/compiler/emitter.py",
        "sub i64 {quotient}, {one}",
        "add i64 {quotient}, {one}",
        TERMS,
    ),
    Fault("an interval lacks its upper end", "search/compiler/emitter.py", "icmp ule i64", "icmp ult i64", TERMS),
    Fault(
        "a field is written without clearing those before it",
        "search/compiler/emitter.py",
        "cleared[field.word] |= field.mask",
        "cleared[field.word] = field.mask",
        TASKS,
    ),
    Fault(
        "a decision over branches is off by one",
        "search/compiler/emitter.py",
        "icmp slt i64 {argument}, {runs[middle][0]}",
        "icmp sle i64 {argument}, {runs[middle][0]}",
        TERMS,
    ),
    Fault(
        "a minimum is compiled as a maximum",
        "search/compiler/emitter.py",
        'self.extreme("slt", arguments)',
        'self.extreme("sgt", arguments)',
        TERMS,
    ),
    Fault(
        "rows that fill up a bucket may apply",
        "search/compiler/row_tables.py",
        "forbidden={**rows[0].forbidden, key.plane: 1 << bit}",
        "forbidden=rows[0].forbidden",
        ROWS,
    ),
    Fault(
        "mask rows forget what must always hold",
        "search/compiler/row_tables.py",
        "for test in step.tests), *plan.always]",
        "for test in step.tests)]",
        ROWS,
    ),
    Fault(
        "a plane looks at the lowest bit of its code only",
        "search/compiler/row_tables.py",
        "inverted=not code >> bit & 1",
        "inverted=not code & 1",
        ROWS,
    ),
    Fault(
        "a copied field loses its highest bit",
        "search/compiler/row_tables.py",
        "(1 << pair[0].width) - 1 if pair",
        "(1 << pair[0].width - 1) - 1 if pair",
        ROWS,
    ),
    Fault(
        "bit planes are shifted the wrong way",
        "search/compiler/row_boards.py",
        '"lshr" if part.distance > 0',
        '"lshr" if part.distance < 0',
        BOARDS,
    ),
    Fault(
        "a disjunction on a board wants all its parts",
        "search/compiler/row_boards.py",
        "int(any(_decided",
        "int(all(_decided",
        BOARDS,
    ),
    Fault(
        "a changed cell of a board is not cleared in full",
        "search/compiler/row_boards.py",
        "{(1 << width) - 1}",
        "{1 << width - 1}",
        BOARDS,
    ),
    Fault(
        "fields that touch in the first row are taken to touch in all",
        "search/compiler/row_templates.py",
        "links = dict(links.items() & _links(layout, row).items())",
        "links = dict(links.items())",
        ROWS,
    ),
    Fault(
        "rows over fields of different widths share one template",
        "search/compiler/row_templates.py",
        "tuple(place[i] for i in written), fields)",
        "tuple(place[i] for i in written), ())",
        ROWS,
    ),
    Fault(
        "the last block is not sorted in",
        "search/compiler/canonical.py",
        "for last in range(1, len(keys)):",
        "for last in range(1, len(keys) - 1):",
        CANONICAL,
    ),
    Fault(
        "an object that was met is named anew",
        "search/compiler/canonical.py",
        "name = emitter.choose(met, old, following)",
        "name = following",
        CANONICAL,
    ),
    Fault(
        "backward steps forget what the new values must satisfy",
        "search/compiler/inversion.py",
        "guard = [*self.tests, *checks,",
        "guard = [*self.tests,",
        BACKWARD,
    ),
    Fault(
        "backward steps lead to states that break what must always hold",
        "search/compiler/inversion.py",
        "(*self.row.guard, *touched)",
        "self.row.guard",
        BACKWARD,
    ),
    Fault(
        "of two old values with one outcome only the first is seen",
        "search/compiler/inversion.py",
        "            if found in entries:\n                return None\n",
        "            if found in entries:\n                continue\n",
        BACKWARD,
    ),
]

KERNELS = [
    Fault(
        "states with equal tags are taken to be equal",
        "search/kernels/table.py",
        "and not same_state(kept, (table[at] & NUMBER) * width, states, first, words)",
        "and False",
        TAGS,
    ),
    Fault(
        "the last word of a state is not compared",
        "search/kernels/table.py",
        "for word in range(words):  # noqa: SIM110",
        "for word in range(words - 1):  # noqa: SIM110",
        TAGS,
    ),
    Fault(
        "an entry that found no place is lost when a table grows",
        "search/kernels/table.py",
        "for i in range(waiting):",
        "for i in range(1, waiting):",
        ("tests/test_search_kernels_layers.py::test_keys_are_a_set",),
    ),
    Fault(
        "the parent is that of another successor",
        "search/kernels/breadth_first.py",
        "out.parents[out.hashes[number - count]]",
        "out.parents[number - count]",
        LAYERS,
    ),
    Fault(
        "a layer is called refuted before it is expanded",
        "search/kernels/breadth_first.py",
        "while layers.width:\n        space.prove_length(layers.depth + 1)",
        "while layers.width:\n        space.prove_length(layers.depth + 2)",
        LAYERS,
    ),
    Fault(
        "a number is written into another one of its record",
        "search/kernels/records.py",
        "        record[name] = value\n\n    return",
        "        record[0] = value\n\n    return",
        ("tests/test_search_kernels_records.py::test_kernel_and_driver_share_a_ledger",),
    ),
    Fault(
        "a number may have the name of something that NumPy's records have",
        "search/kernels/records.py",
        "if hasattr(np.void, name)",
        "if False",
        ("tests/test_search_kernels_records.py::test_a_name_that_records_have_is_refused",),
    ),
    Fault(
        "layers let go of the machine whose code they call",
        "search/kernels/breadth_first.py",
        "self.machine, self.words = machine, machine.words",
        "self.words = machine.words",
        ("tests/test_search_kernels_layers.py::test_layers_keep_the_machine_whose_code_they_call",),
    ),
    Fault(
        "a path that is cheaper by one is not taken",
        "search/kernels/best_first.py",
        "if cost >= signed(known >> _ONE):",
        "if cost + 1 >= signed(known >> _ONE):",
        BEST,
    ),
    Fault(
        "of equal priorities the larger estimate goes first",
        "search/kernels/best_first.py",
        "return buckets[a].h < buckets[b].h",
        "return buckets[a].h > buckets[b].h",
        BEST,
    ),
    Fault(
        "the cost of a path is that of its last step",
        "search/kernels/best_first.py",
        "cost = g + out.costs[i]",
        "cost = out.costs[i]",
        BEST,
    ),
    Fault(
        "one more than the last priority is called proven",
        "search/kernels/best_first.py",
        "course.bound = max(course.bound, bucket.priority)",
        "course.bound = max(course.bound, bucket.priority + 1)",
        ("tests/test_search_kernels_best_first.py::test_limits_on_nodes",),
    ),
    Fault(
        "the limit on nodes is exceeded by one",
        "search/kernels/best_first.py",
        "if course.expanded == rules.limit:",
        "if course.expanded > rules.limit:",
        ("tests/test_search_kernels_best_first.py::test_limits_on_nodes",),
    ),
    Fault(
        "deepening counts steps where it should add costs",
        "search/kernels/deepening.py",
        "g[depth - 1] + (1 if count_steps else costs[node])",
        "g[depth - 1] + 1",
        DEEPENING,
    ),
    Fault(
        "a state met as cheaply as before is walked again",
        "search/kernels/deepening.py",
        "if f >= least_f[number]:",
        "if f > least_f[number]:",
        DEEPENING,
    ),
    Fault(
        "a state stays on the path when the walk has left it",
        "search/kernels/deepening.py",
        "path.entries[path.slots[depth]] = NOT_THERE",
        "path.entries[path.slots[depth]] = path.entries[path.slots[depth]]",
        DEEPENING,
    ),
    Fault(
        "depth-first search tries only the first successor",
        "search/kernels/depth_first.py",
        "place[depth] += 1",
        "place[depth] = end[depth]",
        ("tests/test_search_kernels_deepening.py::test_all_of_a_space_depth_first",),
    ),
    Fault(
        "two layers that have not met are counted twice",
        "search/kernels/bidirectional.py",
        "forward.depth + backward.depth + 1",
        "forward.depth + backward.depth + 2",
        LAYERS,
    ),
    Fault(
        "the parent of a candidate is counted from the first node",
        "search/kernels/beam.py",
        "origins[number] = sweep.cursor + out.parents[i]",
        "origins[number] = out.parents[i]",
        BEST,
    ),
    Fault(
        "a plan takes the first of several actions instead of the cheapest",
        "search/kernels/driver.py",
        "min(steps, key=lambda step: step[1]) if cheapest else steps[0]",
        "steps[0]",
        BEST,
    ),
    Fault(
        "edges are counted at the first state of a batch",
        "search/kernels/edges.py",
        "sizes[head + out.parents[i]] += 1",
        "sizes[head] += 1",
        ("tests/test_puzzlewright_explore.py::test_kernels_find_the_same_as_python",),
    ),
]

PROOFS = [
    Fault(
        "an estimate may fall by one more than the cost",
        "search/proofs/consistency.py",
        "row.cost, proof)[0] < 0",
        "row.cost, proof)[0] < -1",
        FALSE_CLAIMS,
    ),
    Fault(
        "the fall of a quotient is rounded to nothing",
        "search/proofs/consistency.py",
        "return low // divisor + plus.values[0]",
        "return -(-low // divisor) + plus.values[0]",
        ("tests/test_search_knowledge.py::test_a_quotient_falls_by_the_fall_rounded_up",),
    ),
    Fault(
        "an estimate may be positive at a goal",
        "search/proofs/consistency.py",
        "return all(_never_positive(",
        "return any(_never_positive(",
        FALSE_CLAIMS,
    ),
    Fault(
        "a sum may leave its values at the other end",
        "search/proofs/invariants.py",
        "(high <= 0 or at_least) and (low >= 0 or at_most)",
        "(high <= 0 or at_most) and (low >= 0 or at_least)",
        ("tests/test_search_knowledge.py::test_a_sum_may_move_away_from_one_end_only",),
    ),
    Fault(
        "rows commute though the second writes what the first reads",
        "search/proofs/pruning.py",
        "return found | found.T",
        "return found",
        PRUNED,
    ),
    Fault(
        "rows commute though one writes what the other's cost reads",
        "search/proofs/pruning.py",
        "row.read.union(leaves(row.cost))",
        "row.read",
        ("tests/test_search_pruning.py::test_what_reads_and_what_is_written_do_not_commute",),
    ),
    Fault(
        "a row undoes another one if it restores one variable",
        "search/proofs/pruning.py",
        "return all(equal(substitute(",
        "return any(equal(substitute(",
        PRUNED,
    ),
    Fault(
        "a heuristic that tells objects apart is used with symmetry",
        "search/proofs/symmetry.py",
        "return all(prover.keeps(each, term) for each in symmetry.exchanges)",
        "return True",
        ("tests/test_search_symmetry.py::test_heuristics_may_tell_objects_apart",),
    ),
    Fault(
        "states before canonical ones are not canonical",
        "search/machine.py",
        "found.steps = self.steps",
        "found.steps = ()",
        ("tests/test_search_machine_symmetry.py::test_what_precedes_canonical_states",),
    ),
]

ENCODER = [
    Fault(
        "a plan may act again after it has been idle",
        "encoders/encoding.py",
        "self.formula.clause((~self.steps[-1].idle, step.idle))",
        "pass",
        ("tests/test_encoders_cpsat.py::test_every_auxiliary_literal_is_determined",),
    ),
    Fault(
        "a plan that is cheaper by one does not count",
        "encoders/encoding.py",
        "((None, limit[place] - 1),)",
        "((None, limit[place] - 2),)",
        ENCODED,
    ),
    Fault(
        "the next layer is asked for the values of this one",
        "encoders/encoding.py",
        "window.holds(layer + 1, self.horizon)",
        "window.holds(layer, self.horizon)",
        ENCODED,
    ),
    Fault(
        "choices of an action that does not act are free",
        "encoders/steps.py",
        "formula.clause((acts, literals[0]))",
        "pass",
        ("tests/test_encoders_cpsat.py::test_a_plan_is_one_solution",),
    ),
    Fault(
        "an effect that can leave a value cannot change it",
        "encoders/frames.py",
        "if cases.keys() != {value}]",
        "if value not in cases]",
        ENCODED,
    ),
    Fault(
        "a variable that no effect touches may change",
        "encoders/frames.py",
        "touched = formula.any_of([fires for fires, _ in firings])",
        "touched = 0",
        ("tests/test_encoders_cpsat.py::test_frames_agree",),
    ),
    Fault(
        "less than is encoded as at most",
        "encoders/lowering.py",
        "if w > value)",
        "if w >= value)",
        ENCODED,
    ),
    Fault(
        "later cases do not exclude the earlier ones",
        "encoders/lowering.py",
        "none = self.formula.all_of((none, ~holds))",
        "none = self.formula.all_of((none, holds))",
        ENCODED,
    ),
    Fault(
        "a required less than is at most",
        "encoders/requirements.py",
        'gap = 1 if comparison == "<" else 0',
        "gap = 0",
        ENCODED,
    ),
    Fault(
        "a disjunction is required of rows that do not act",
        "encoders/requirements.py",
        "require(layer, prefix, complex_[-1])",
        "require(layer, prefix[len(unless) :], complex_[-1])",
        ENCODED,
    ),
    Fault(
        "the constant of a sum is taken with the wrong sign",
        "encoders/sums.py",
        "end - total.constant",
        "end + total.constant",
        ("tests/test_encoders_cpsat.py::test_sums_as_linear_constraints",),
    ),
    Fault(
        "the complement of an interval lacks its first value",
        "encoders/sums.py",
        "first = high + 1",
        "first = high + 2",
        ("tests/test_encoders_cpsat.py::test_sums_as_linear_constraints",),
    ),
    Fault(
        "a negated literal in a sum loses its constant",
        "encoders/formula.py",
        "            if literal < 0:\n                constant += coefficient\n",
        "            if literal < 0:\n",
        ("tests/test_encoders_cpsat.py::test_weighted_literals_may_be_negated",),
    ),
    Fault(
        "a choice that selects nothing is open",
        "encoders/formula.py",
        "self.clause((~found, *(s for s, _ in key)))",
        "pass",
        ("tests/test_encoders_cpsat.py::test_every_auxiliary_literal_is_determined",),
    ),
    Fault(
        "rows are left out one step too early",
        "encoders/reachability.py",
        "1 + _nearest(values, distances[effect.target])",
        "2 + _nearest(values, distances[effect.target])",
        ENCODED,
    ),
    Fault(
        "only the first row that assigns some values leads back to others",
        "encoders/reachability.py",
        "sources.setdefault(new, set()).update(old)",
        "sources.setdefault(new, set(old))",
        ENCODED,
    ),
    Fault(
        "at most is taken to fail where both sides can only be equal",
        "encoders/value_sets.py",
        "holds = low < most + (not strict)",
        "holds = low < most",
        ENCODED,
    ),
    Fault(
        "a dearer row stands for two cheaper ones",
        "encoders/bans.py",
        "cost.values[-1] <= both for",
        "cost.values[0] <= both + 1 for",
        ("tests/test_encoders_implied.py::test_a_dearer_row_does_not_stand_for_two",),
    ),
    Fault(
        "rows commute though the first writes what the second asks",
        "encoders/bans.py",
        "apart = written.isdisjoint(asked[following]) and overwritten.isdisjoint(asked[last])",
        "apart = overwritten.isdisjoint(asked[last])",
        ("tests/test_encoders_implied.py::test_best_plans_stay_best",),
    ),
    Fault(
        "steps that a cheaper plan may have are counted too few",
        "encoders/statements.py",
        "return (costs[first] - less) // self.cheapest[first]",
        "return costs[first] // self.cheapest[first] - less",
        ("tests/test_encoders_cpsat.py::test_a_cheaper_plan_may_be_longer",),
    ),
]

GROUNDER = [
    Fault(
        "two assignments may give one variable different values",
        "models/grounding.py",
        "yield t.negation(clash)",
        "yield TRUE",
        EVALUATORS,
    ),
    Fault(
        "a repeated phase may stop while it would go on",
        "models/grounding.py",
        'return t.compare("==", assignment.value, self._current(assignment.target, env))',
        "return TRUE",
        EVALUATORS,
    ),
    Fault(
        "an action whose cost is undefined applies",
        "models/grounding.py",
        "*(defined(cost) for cost in costs.values())",
        "",
        ("tests/test_models_evaluators.py::test_every_cost_has_to_be_defined",),
    ),
    Fault(
        "a repeated phase compares with the old state",
        "models/grounding.py",
        "self.sizes[target], env.stages.of.get(target, 0)",
        "self.sizes[target], 0",
        EVALUATORS,
    ),
    Fault(
        "an undefined value may be assigned",
        "models/grounding.py",
        "t.conjunction((value.defined, valid))",
        "valid",
        EVALUATORS,
    ),
    Fault(
        "an undefined target is passed over",
        "models/grounding.py",
        "t.conjunction((t.disjunction(named), valid))",
        "valid",
        EVALUATORS,
    ),
    Fault(
        "rows of different costs are joined as twins",
        "models/grounding.py",
        "key = (row.phases, row.costs)",
        "key = row.phases",
        EVALUATORS,
    ),
    Fault(
        "a variable that only the cost reads is dropped",
        "models/grounding.py",
        "        *(cost for row in rows for cost in row.costs),\n",
        "",
        EVALUATORS,
    ),
    Fault(
        "steps are said to cost 1 if one of them does",
        "models/task.py",
        "return all(row.cost is TRUE",
        "return any(row.cost is TRUE",
        ("tests/test_models_execution.py::test_a_task_knows_its_rows_and_whether_steps_cost_one",),
    ),
    Fault(
        "what must always hold is no part of what a task means",
        "models/execution.py",
        "if value(task.always, stages[-1:]) else None",
        "if stages else None",
        ("tests/test_models_execution.py::test_successors_worked_out_by_hand",),
    ),
    Fault(
        "what a task means is told of holes too",
        "models/execution.py",
        'assert found is not None, "a hole has no value"',
        "found = found or 0",
        ("tests/test_models_execution.py::test_nobody_looks_at_a_hole",),
    ),
    Fault(
        "the first metric asked for weighs least",
        "models/metrics.py",
        "return tuple(reversed(weights))",
        "return tuple(weights)",
        ("tests/test_puzzlewright_cli.py::test_metrics",),
    ),
    Fault(
        "membership of something undefined counts",
        "models/unrolling.py",
        "t.conjunction((known, t.negation(found) if node.negated else found))",
        "t.negation(found) if node.negated else found",
        EVALUATORS,
    ),
    Fault(
        "a let reads what the phase before has left",
        "models/unrolling.py",
        "inner = Env({**env.parameters, **bound}, env.parameters, env.arrays)",
        "inner = Env({**env.parameters, **bound}, env.parameters, env.arrays, env.stages)",
        LET,
    ),
    Fault(
        "a recursive definition is left after two rounds",
        "models/unrolling.py",
        "for _ in range(sum(map(len, rows.values())) + 1):",
        "for _ in range(2):",
        ("tests/test_models_evaluators.py::test_recursion_that_goes_a_long_way",),
    ),
    Fault(
        "the least of nothing is defined",
        "models/unrolling.py",
        "known.append(t.disjunction(c for c, _ in values))",
        "known.append(TRUE)",
        EVALUATORS,
    ),
    Fault(
        "a range includes its end",
        "models/unrolling.py",
        't.compare("<", t.const(n), high)',
        't.compare("<=", t.const(n), high)',
        EVALUATORS,
    ),
    Fault(
        "distance does not look across joined edges",
        "models/unrolling.py",
        "min(rows, grid.rows - rows) if grid.wraps_rows else rows",
        "rows",
        EVALUATORS,
    ),
    Fault(
        "a ray leaves out the cell that it begins at",
        "models/unrolling.py",
        "        seen.append(cell)\n    return seen\n",
        "        seen.append(cell)\n    return seen[1:]\n",
        EVALUATORS,
    ),
    Fault(
        "a choice between values is always defined",
        "models/unrolling.py",
        "where = t.cases(zip(conditions, known, strict=False), known[-1])",
        "where = TRUE",
        EVALUATORS,
    ),
    Fault(
        "a remainder is taken for the number itself at the divisor",
        "models/terms.py",
        "term.values[-1] < divisor",
        "term.values[-1] <= divisor",
        CONSTRUCTORS,
    ),
    Fault(
        "a table over a negated condition is not turned round",
        "models/terms.py",
        "lookup(argument.argument, tuple(reversed(table)))",
        "lookup(argument.argument, table)",
        CONSTRUCTORS,
    ),
    Fault(
        "a minimum leaves out what is sometimes the least",
        "models/terms.py",
        "bound = min(term.values[-1] for term in arguments)",
        "bound = min(term.values[0] for term in arguments) + 1",
        CONSTRUCTORS,
    ),
    Fault(
        "a constant beside a single summand is lost",
        "models/terms.py",
        "if coefficient == 1 and constant == 0:",
        "if coefficient == 1:",
        CONSTRUCTORS,
    ),
    Fault(
        "a case that gives the last value is dropped wherever it stands",
        "models/terms.py",
        "    while kept and kept[-1][1] is otherwise:\n        kept.pop()\n",
        "    kept = [pair for pair in kept if pair[1] is not otherwise]\n",
        CONSTRUCTORS,
    ),
]

REFEREE = [
    Fault(
        "every phase reads the old state",
        "models/referee.py",
        "inner = Scope(state, at.old,",
        "inner = Scope(at.old, at.old,",
        EVALUATORS,
    ),
    Fault(
        "of two values for one variable the last one wins",
        "models/referee.py",
        "if place in assigned and assigned[place] != value:",
        "if place in assigned and assigned[place] is UNDEFINED:",
        EVALUATORS,
    ),
    Fault(
        "a repeated phase is not asked whether it would go on",
        "models/referee.py",
        "if phase.repeat is not None and _round(",
        "if phase.repeat == 0 and _round(",
        EVALUATORS,
    ),
    Fault(
        "a plan need not end in a goal",
        "models/referee.py",
        "if is_goal(puzzle, state):",
        "if is_goal(puzzle, state) or plan:",
        ("tests/test_puzzlewright_cli.py::test_a_plan_that_stops_early",),
    ),
    Fault(
        "what must always hold is asked of the state before",
        "models/referee.py",
        "if not holds(condition.expression, scope(now)):",
        "if not holds(condition.expression, scope(state)):",
        EVALUATORS,
    ),
    Fault(
        "a step may be taken whose cost is undefined",
        "models/referee.py",
        "    costs(puzzle, state, step)\n    now = state\n",
        "    now = state\n",
        ("tests/test_models_evaluators.py::test_every_cost_has_to_be_defined",),
    ),
    Fault(
        "the first step costs nothing",
        "models/referee.py",
        "sum(step[metric] for step in steps)",
        "sum(step[metric] for step in steps[1:])",
        ("tests/test_puzzlewright_cli.py::test_metrics",),
    ),
    Fault(
        "a comparison with one undefined side counts",
        "models/interpreter.py",
        "    if left is UNDEFINED or right is UNDEFINED:\n        return False\n    same =",
        "    if left is UNDEFINED and right is UNDEFINED:\n        return False\n    same =",
        EVALUATORS,
    ),
    Fault(
        "the least of some undefined values is defined",
        "models/interpreter.py",
        "if not ranks or any(rank is UNDEFINED for rank in ranks):",
        "ranks = [rank for rank in ranks if rank is not UNDEFINED]\n    if not ranks:",
        EVALUATORS,
    ),
    Fault(
        "a let reads the state as the phase finds it",
        "models/interpreter.py",
        "inner = Scope(at.old, at.old, {**at.parameters",
        "inner = Scope(at.state, at.old, {**at.parameters",
        LET,
    ),
    Fault(
        "a definition keeps what it gave in another state",
        "models/interpreter.py",
        "    if state is not at.state:\n",
        "    if not given:\n",
        EVALUATORS,
    ),
    Fault(
        "a condition is looked at before all its parameters are bound",
        "models/referee.py",
        "if isinstance(node, e.Local | e.ArrayElement)}",
        "if isinstance(node, e.Local)}",
        EVALUATORS,
    ),
    Fault(
        "adjacency includes the cell itself",
        "models/interpreter.py",
        "else rows + cols == 1",
        "else rows + cols <= 1",
        EVALUATORS,
    ),
]

MIRRORED = [
    Fault(
        "of the cells that a mirror exchanges some stay",
        "search/proofs/exchange.py",
        "ordered((places[one], places[other]) for one, other in pairs)",
        "ordered((places[one], places[other]) for one, other in pairs[:1])",
        MIRROR,
    ),
    Fault(
        "a mirror may break the goal",
        "search/proofs/exchange.py",
        'for what, term in (("the goal", self.task.goal), ("`always`", self.task.always)):',
        'for what, term in (("`always`", self.task.always),):',
        ("tests/test_search_symmetry_boards.py::test_boards_with_and_without_mirrors",),
    ),
    Fault(
        "a mirror moves stored cells and leaves them what they are",
        "search/proofs/symmetry.py",
        "source, tuple(swapped(value, swap) for value in table)",
        "source, table",
        MIRROR,
    ),
    Fault(
        "two mirrors are not combined",
        "search/proofs/symmetry.py",
        "            if after not in images:\n",
        "            if after not in images and image is images[0]:\n",
        MIRROR,
    ),
    Fault(
        "one image of a word is forgotten",
        "search/compiler/canonical.py",
        "for image in step.images[1:]:",
        "for image in step.images[2:]:",
        MIRROR,
    ),
    Fault(
        "what holds of all states is said of their images",
        "search/machine.py",
        "facts = shared_facts(self.task, self.symmetry, facts)",
        "facts = list(facts)",
        ("tests/test_search_symmetry_mirrors.py::test_a_fact_about_one_side_says_nothing_about_its_image",),
    ),
    Fault(
        "a fact is kept whose image is none",
        "search/proofs/symmetry.py",
        "if not images[form] <= parts.keys()]",
        "if images[form].isdisjoint(parts)]",
        ("tests/test_search_symmetry_mirrors.py::test_facts_that_hold_for_images_too_are_kept",),
    ),
]

RECORDER = [
    Fault(
        "a recorded way costs what its last step costs",
        "search/recording.py",
        "node.g + cost, node.depth + 1",
        "cost, node.depth + 1",
        (
            "tests/test_puzzlewright_trace.py::test_events_counted_by_hand",
            "tests/test_puzzlewright_trace.py::test_a_cheaper_way_reopens",
        ),
    ),
    Fault(
        "every node is the first of its state",
        "search/recording.py",
        "node.same_as = None if first is node else first.number",
        "node.same_as = None",
        ("tests/test_puzzlewright_trace.py::test_a_node_knows_the_first_of_its_state",),
    ),
    Fault(
        "a node of the way back is taken for one of the way there",
        "search/recording.py",
        "node.depth + 1, node.backward)",
        "node.depth + 1, False)",
        ("tests/test_puzzlewright_trace.py::test_backward_nodes_step_towards_the_goal",),
    ),
]

COMPOSED = ("tests/test_puzzlewright_explain.py::test_a_row_of_many_phases_is_composed_by_the_clock",)

DEADLINES = [
    Fault(
        "a proof that is cut short is one",
        "search/proofs/knowledge.py",
        'reason = f"not proven within {most:g} s" if time.monotonic() - started >= most else CUT_SHORT',
        'reason = ""',
        ("tests/test_search_machine_starts.py::test_a_deadline_that_is_over_proves_nothing",),
    ),
    Fault(
        "the phases of a row are composed without a clock",
        "search/proofs/transitions.py",
        "        look()\n        found.append(dict(now))",
        "        found.append(dict(now))",
        COMPOSED,
    ),
    Fault(
        "the phases of a row are composed without a clock, for claims",
        "encoders/regression.py",
        "        look()\n        old = _over_old_state",
        "        old = _over_old_state",
        COMPOSED,
    ),
]

STARTS = [
    Fault(
        "code for one start is used for any",
        "puzzlewright/play/bench.py",
        "if known is None or not known.covers(self.task.start):",
        "if known is None:",
        ("tests/test_search_machine_starts.py::test_hints_do_not_mix_up_starts",),
    ),
    Fault(
        "a constant of the code may have any value that has a code",
        "search/compiler/codegen.py",
        "    if not settled:\n        return held\n",
        "    if values:\n        return held\n",
        ("tests/test_search_machine_starts.py::test_a_constant_of_the_code_is_no_constant_elsewhere",),
    ),
    Fault(
        "another start is remembered under the name of the first",
        "models/starts.py",
        "sha256(repr((puzzle.fingerprint, list(state.items()))).encode())",
        "sha256(repr((puzzle.fingerprint,)).encode())",
        ("tests/test_puzzlewright_scramble.py::test_the_start_is_part_of_the_fingerprint",),
    ),
    Fault(
        "what is known of a level is said of any start",
        "models/starts.py",
        "variables=variables, known={}, fingerprint",
        "variables=variables, fingerprint",
        ("tests/test_puzzlewright_scramble.py::test_known_values_are_of_the_levels_own_start",),
    ),
    Fault(
        "a start is read in another order than its type has",
        "models/starts.py",
        "return [raw[word] for word in words]",
        "return [raw[word] for word in sorted(words)]",
        ("tests/test_search_machine_starts.py::test_a_table_of_start_values_is_read_by_its_words",),
    ),
]

HELD = ("tests/test_encoders_claims.py::test_an_invariant_has_to_keep_its_having_a_value",)
OTHER_START = ("tests/test_search_verdicts.py::test_what_a_walk_has_shown_of_one_start_is_not_said_of_another",)

VERDICTS = [
    Fault(
        "an undefined estimate is what stands in the hole",
        "models/grounding.py",
        "t.cases([(defined(value), _code(value))], FALSE)",
        "_code(value)",
        ("tests/test_models_holes.py::test_an_undefined_estimate_is_nothing",),
    ),
    Fault(
        "an invariant need not have a value",
        "search/proofs/knowledge.py",
        "row = broken_by(invariant.defined, start, self.rows, proof)",
        "row = None",
        HELD,
    ),
    Fault(
        "an invariant need not have a value at the start",
        "search/proofs/knowledge.py",
        "if not value_in(invariant.defined, start):",
        "if invariant.defined is None:",
        HELD,
    ),
    Fault(
        "CP-SAT does not ask whether an invariant has a value",
        "encoders/induction.py",
        'if undefined.status != "proven":',
        'if undefined.status == "never":',
        HELD,
    ),
    Fault(
        "the facts that a verdict rests on are not named",
        "models/claims.py",
        "return json.dumps(list(asdict(self).values()))",
        "return json.dumps([self.by, self.kind, self.name, self.start])",
        ("tests/test_search_verdicts.py::test_a_verdict_is_found_only_with_its_facts", *OTHER_START),
    ),
    Fault(
        "invariants and heuristics share their verdicts",
        "models/claims.py",
        "return json.dumps(list(asdict(self).values()))",
        "return json.dumps([self.by, self.name, self.given, self.start])",
        ("tests/test_search_verdicts.py::test_keys_tell_all_parts_apart",),
    ),
    Fault(
        "an invariant is kept whatever its value",
        "models/claims.py",
        "return json.dumps([invariant.name, value])",
        "return json.dumps([invariant.name])",
        ("tests/test_search_verdicts.py::test_a_fact_has_the_value_of_the_start",),
    ),
    Fault(
        "a walk tells of every start",
        "puzzlewright/solving/proofs.py",
        'replace(about("walk", declared, self.task.start), start=self.task.start)',
        'about("walk", declared, self.task.start)',
        OTHER_START,
    ),
    Fault(
        "what CP-SAT was given is not named",
        "puzzlewright/solving/proofs.py",
        'about("cpsat", declared, self.task.start, self._given(proven))',
        'about("cpsat", declared, self.task.start)',
        OTHER_START,
    ),
    Fault(
        "what another version has kept is read",
        "puzzlewright/solving/memory.py",
        'f"verdicts-{program()}-{fingerprint}.json"',
        'f"verdicts-{fingerprint}.json"',
        ("tests/test_search_verdicts.py::test_what_another_version_has_kept_is_not_read",),
    ),
    Fault(
        "the memory is asked by who must not believe it",
        "puzzlewright/solving/workbench.py",
        'Memory(self.task.fingerprint if memory else "")',
        "Memory(self.task.fingerprint)",
        ("tests/test_search_verdicts.py::test_nothing_on_disk_is_believed_without_memory",),
    ),
    Fault(
        "a plan that is cheaper than what is proven is passed over",
        "search/registry.py",
        "if found.cost < space.lower_bound:",
        "if found.cost < 0:",
        ("tests/test_search_algorithms.py::test_a_proof_that_the_plan_contradicts_is_a_disagreement",),
    ),
    Fault(
        "an estimate above the rest of the plan is passed over",
        "search/registry.py",
        "if algorithm.informed and space.heuristic.admissible and overestimated(space, found):",
        "if algorithm.informed and not space.heuristic.admissible and overestimated(space, found):",
        ("tests/test_search_algorithms.py::test_a_proof_that_the_plan_contradicts_is_a_disagreement",),
    ),
    Fault(
        "reopened states say nothing of a consistent estimate",
        "search/registry.py",
        "space.heuristic.consistent and space.statistics.reopened:",
        "space.heuristic.consistent and space.statistics.reopened > 9:",
        ("tests/test_search_algorithms.py::test_reopening_contradicts_a_consistent_estimate",),
    ),
    Fault(
        "prove believes what is on disk",
        "puzzlewright/solving/proving.py",
        "request.limits.deadline(), memory=False)",
        "request.limits.deadline())",
        ("tests/test_search_verdicts.py::test_an_answer_that_a_forged_proof_contradicts_is_a_disagreement",),
    ),
    Fault(
        "an odd permutation of the values is an even one",
        "search/proofs/permutations.py",
        "return exchanges % 2 == 1",
        "return exchanges % 2 == 2",
        ("tests/test_search_permutations.py::test_against_all_permutations",),
    ),
    Fault(
        "some pairs that are compared are all pairs",
        "search/proofs/permutations.py",
        "complete = compared and len(compared) == len(variables) * (len(variables) - 1) // 2",
        "complete = compared",
        ("tests/test_search_permutations.py::test_each_pair_counts_once",),
    ),
    Fault(
        "values that may be equal are a permutation",
        "search/proofs/permutations.py",
        "return all(_held_once(variables, value, held) for value in values)",
        "return any(_held_once(variables, value, held) for value in values)",
        ("tests/test_search_permutations.py::test_values_that_may_be_equal_have_no_parity",),
    ),
    Fault(
        "a row that copies a value permutes them",
        "search/proofs/permutations.py",
        "return sources if set(sources.values()) == set(written) else None",
        "return sources",
        ("tests/test_search_permutations.py::test_a_value_that_is_copied_is_not_moved",),
    ),
    Fault(
        "counts of different values are alike",
        "search/proofs/permutations.py",
        "alike = len(asked) == 1 and len(variables)",
        "alike = len(variables)",
        ("tests/test_search_permutations.py::test_counts_of_values_that_are_moved",),
    ),
    Fault(
        "as many other facts make values a permutation",
        "search/proofs/invariants.py",
        'key = ("distinct", variables, *proof.facts)',
        'key = ("distinct", variables, len(proof.facts))',
        ("tests/test_search_permutations.py::test_what_other_facts_have_told_is_not_remembered",),
    ),
]

SAID = [
    Fault(
        "only the last word tells which image is least",
        "search/compiler/canonical.py",
        'smaller = emitter.value(f"select i1 {same}, i1 {found}, i1 {smaller}")',
        'smaller = emitter.value(f"select i1 {same}, i1 {smaller}, i1 {smaller}")',
        ("tests/test_search_symmetry_boards.py::test_boards_with_and_without_mirrors",),
    ),
    Fault(
        "what moves to another word is lost",
        "search/compiler/canonical.py",
        "for word in sorted({new.word for _, new, _ in moved}):",
        "for word in sorted({old.word for old, _, _ in moved}):",
        ("tests/test_search_symmetry_boards.py::test_boards_with_and_without_mirrors",),
    ),
    Fault(
        "states are counted up to the part of a symmetry that is used",
        "puzzlewright/analysis/exploring.py",
        "return None if machine.unused else count_states(",
        "return count_states(",
        ("tests/test_search_symmetry_mirrors.py::test_objects_that_are_too_many_are_told_apart",),
    ),
    Fault(
        "a metric counts steps if it is named so",
        "puzzlewright/analysis/exploration.py",
        "return self.in_steps or (len(self.metrics) == 1 and self.bench.task.unit_cost)",
        "return self.metrics == (STEPS,) or self.bench.task.unit_cost",
        ("tests/test_puzzlewright_explore.py::test_a_metric_that_is_named_steps",),
    ),
    Fault(
        "of the states at a distance only some are looked at",
        "search/spaces/survey.py",
        "for first in range(lots):",
        "for first in range(min(lots, 1)):",
        ("tests/test_puzzlewright_explore.py::test_all_states_at_a_distance_are_looked_at",),
    ),
    Fault(
        "a state from which a goal costs nothing is no start",
        "puzzlewright/analysis/proposing.py",
        "while distance is not None:",
        "while distance:",
        ("tests/test_puzzlewright_explore.py::test_a_state_from_which_a_goal_costs_nothing_is_no_goal",),
    ),
    Fault(
        "a row is used again whatever is known of its level",
        "puzzlewright/analysis/batch.py",
        "repr((puzzle.fingerprint, puzzle.known))",
        "repr(puzzle.fingerprint)",
        ("tests/test_puzzlewright_levels.py::test_a_row_rests_on_what_is_known_of_its_level",),
    ),
    Fault(
        "a row of another version of the program is used again",
        "puzzlewright/analysis/batch.py",
        "FIGURES, program(PARTS), ",
        "FIGURES, ",
        ("tests/test_puzzlewright_levels.py::test_a_row_rests_on_the_program",),
    ),
    Fault(
        "few dead ends are rounded to none",
        "puzzlewright/analysis/level_rows.py",
        "return part / whole if rounded in (0, 1) else rounded",
        "return rounded",
        ("tests/test_puzzlewright_levels.py::test_one_dead_end_is_not_none",),
    ),
    Fault(
        "a text that looks like another value has no quotes",
        "models/values.py",
        "        case str() if quotes:\n",
        "        case str() if quotes and not value:\n",
        ("tests/test_puzzlewright_plans.py::test_a_number_and_a_text_that_looks_like_it",),
    ),
    Fault(
        "an object among numbers is written like a number",
        "models/values.py",
        'return f"{name} {number}"',
        "return number",
        ("tests/test_puzzlewright_plans.py::test_objects_among_numbers_are_told_apart",),
    ),
    Fault(
        "a word that falls apart has no quotes",
        "puzzlewright/files/planfiles.py",
        "return word if SAFE.fullmatch(word) else quoted(word)",
        "return word if SAFE.match(word) else quoted(word)",
        ("tests/test_puzzlewright_plans.py::test_texts_that_could_be_mistaken",),
    ),
    Fault(
        "of several steps with one letter the first is meant",
        "puzzlewright/files/planfiles.py",
        "if len(found) > 1:",
        "if len(found) > 2:",
        ("tests/test_puzzlewright_plans.py::test_letters_that_may_be_two_steps_are_no_plan",),
    ),
    Fault(
        "a plan that would be read as another one is written",
        "puzzlewright/files/planfiles.py",
        "raise Unreadable(error.diagnostics[0].message) from None",
        "again = report.plan",
        ("tests/test_puzzlewright_plans.py::test_random_plans_in_lurd",),
    ),
    Fault(
        "values that would be written alike are not noticed",
        "puzzlewright/files/planfiles.py",
        "if any(len(values) > 1 for values in forms.values()):",
        "if any(len(values) > 9 for values in forms.values()):",
        ("tests/test_puzzlewright_plans.py::test_what_would_be_written_alike_is_refused",),
    ),
    Fault(
        "unit cost is what the sum looks like",
        "puzzlewright/files/planfiles.py",
        'unit = "unit cost" if unit_cost(puzzle, report.metric.split(",")[0]) else',
        'unit = "unit cost" if report.cost == len(report.plan) else',
        ("tests/test_puzzlewright_plans.py::test_unit_cost_is_said_of_costs_and_not_of_a_sum",),
    ),
    Fault(
        "variables are found again by names that may be alike",
        "models/puzzle.py",
        "found[variable.name, values] = element_name(variable.name, values, types)",
        'found[variable.name, values] = f"{variable.name}{list(map(str, values))}"',
        ("tests/test_puzzlewright_plans.py::test_variables_whose_names_would_be_alike",),
    ),
    Fault(
        "1 and true may be two values of a type",
        "models/names.py",
        "if len(set(found)) < len(found):",
        "if len(set(found)) > len(found):",
        ("tests/test_puzzlewright_plans.py::test_one_and_true_are_no_two_values_of_a_type",),
    ),
    Fault(
        "twins are counted once and nothing is said of it",
        "puzzlewright/analysis/counting.py",
        '", actions that do the very same counted once" * path.twins',
        '""',
        ("tests/test_puzzlewright_sentences.py::test_counts",),
    ),
    Fault(
        "edges are counted without their twins",
        "search/spaces/machine_space.py",
        "found = len(graph.targets) if graph is not None else None if twins else edges",
        "found = len(graph.targets) if graph is not None else edges",
        (
            "tests/test_puzzlewright_explore.py"
            "::test_edges_that_were_not_looked_at_one_by_one_are_not_counted_without_their_twins",
        ),
    ),
    Fault(
        "what a limit has counted is told as a total",
        "puzzlewright/analysis/space_figures.py",
        'found = "" if figures.exhausted else " found"',
        'found = ""',
        ("tests/test_puzzlewright_explore.py::test_what_a_limit_has_counted_is_no_total",),
    ),
    Fault(
        "states known in one metric are held against those of another",
        "puzzlewright/analysis/level_rows.py",
        "self.space if self._by_default else NO_SPACE",
        "self.space",
        ("tests/test_puzzlewright_levels.py::test_known_states_are_those_of_the_first_metric",),
    ),
    Fault(
        "a bound above what the walk finds is passed over",
        "puzzlewright/analysis/level_rows.py",
        'nearest["cost"] < first.lower_bound',
        'nearest["cost"] < 0',
        ("tests/test_puzzlewright_levels.py::test_a_bound_above_what_the_walk_finds_is_a_contradiction",),
    ),
    Fault(
        "a bound above another row's plan is passed over",
        "puzzlewright/analysis/comparing.py",
        "bound > min(costs) or ",
        "",
        ("tests/test_puzzlewright_compare_plot.py::test_rows_that_exclude_each_other",),
    ),
    Fault(
        "a proven symmetry is said to be used",
        "puzzlewright/analysis/verifying.py",
        "if said.type in unused:",
        "if said.type not in found.types:",
        ("tests/test_search_symmetry_mirrors.py::test_what_is_proven_and_too_wide_to_be_used_is_said_to_be_so",),
    ),
]

WORDED = [
    Fault(
        "what actions do is said of states that were not expanded",
        "puzzlewright/analysis/explaining.py",
        '{nothing} in {case.expanded}"',
        '{nothing} in {case.seen}"',
        (
            "tests/test_puzzlewright_truth_explain.py::test_what_is_said_of_actions_is_said_of_the_states_that_were_expanded",
        ),
    ),
    Fault(
        "there are more states where none was met",
        "puzzlewright/analysis/explaining.py",
        'else "may be"',
        'else "are"',
        ("tests/test_puzzlewright_truth_explain.py::test_there_are_more_states_only_where_one_was_met",),
    ),
    Fault(
        "another start is called the file's",
        "puzzlewright/play/hints.py",
        "START if state == self.game.start else HERE",
        "START",
        ("tests/test_puzzlewright_truth_hints.py::test_reasons_are_about_the_position_and_not_about_the_files_start",),
    ),
    Fault(
        "an invariant is broken from a start that is not the file's",
        "puzzlewright/analysis/explaining.py",
        "if case.origin is not START:",
        "if case.origin is None:",
        ("tests/test_puzzlewright_truth_explain.py::test_of_another_start_nothing_is_said_that_is_about_the_files",),
    ),
    Fault(
        "an invariant that is undefined at the start is broken",
        "puzzlewright/analysis/explaining.py",
        "(each for each in task.invariants if value_in(each.defined, task.start))",
        "task.invariants",
        (
            "tests/test_puzzlewright_truth_explain.py::test_an_invariant_that_becomes_undefined_is_broken_and_one_that_starts_so_says_nothing",
        ),
    ),
    Fault(
        "an invariant that becomes undefined is not noticed",
        "puzzlewright/analysis/explaining.py",
        "evaluate(traced(invariant))",
        "evaluate(invariant.term)",
        (
            "tests/test_puzzlewright_truth_explain.py::test_an_invariant_that_becomes_undefined_is_broken_and_one_that_starts_so_says_nothing",
        ),
    ),
    Fault(
        "an invariant's value is its place among the values",
        "puzzlewright/analysis/explaining.py",
        'return "undefined" if value is None else show(value)',
        "return str(len(str(value)))",
        ("tests/test_puzzlewright_truth_explain.py::test_an_invariant_has_the_value_that_the_author_thinks_of",),
    ),
    Fault(
        "lines that may go one by one may all go",
        "puzzlewright/analysis/explaining.py",
        "together = all(",
        "together = True or all(",
        ("tests/test_puzzlewright_truth_explain.py::test_lines_of_which_each_may_go_but_not_all",),
    ),
    Fault(
        "a walk that meets a goal overrules a proof",
        "puzzlewright/analysis/explaining.py",
        "if found.outcome is Outcome.UNSOLVABLE:",
        "if found.outcome is Outcome.VALID:",
        ("tests/test_puzzlewright_truth_explain.py::test_a_walk_that_meets_a_goal_after_a_proof_is_a_disagreement",),
    ),
    Fault(
        "goal parts that hold everywhere are not counted",
        "puzzlewright/analysis/explaining.py",
        "held.bit_count() + case.certain, len(case.goals) + case.certain",
        "held.bit_count(), len(case.goals)",
        ("tests/test_puzzlewright_truth_explain.py::test_parts_that_hold_everywhere_are_counted",),
    ),
    Fault(
        "a variable's values lack one that it has",
        "puzzlewright/analysis/explaining.py",
        "sorted(case.relaxation.values[index])",
        "sorted(case.relaxation.values[index])[1:]",
        ("tests/test_puzzlewright_truth_explain.py::test_all_that_is_said_is_true",),
    ),
    Fault(
        "reasons are about another cost than the one asked for",
        "models/parts.py",
        "return ground(probed, metrics, deadline)",
        "return ground(probed, (), deadline)",
        ("tests/test_puzzlewright_truth_explain.py::test_reasons_are_about_the_cost_that_was_asked_for",),
    ),
    Fault(
        "a number is worded as a condition",
        "models/parts.py",
        "isinstance(named[0], bool)",
        "named[0] in (False, True)",
        ("tests/test_puzzlewright_truth_explain.py::test_a_number_is_no_condition",),
    ),
    Fault(
        "parts of a chain share their words",
        "models/parts.py",
        "if alike[part.values] > 1:",
        "if alike[part.values] > 9:",
        ("tests/test_puzzlewright_truth_explain.py::test_parts_that_share_their_words_are_numbered",),
    ),
    Fault(
        "variables that play no part are counted silently",
        "models/decoding.py",
        'return f" (leaving aside',
        'return "" and f" (leaving aside',
        ("tests/test_puzzlewright_truth_explain.py::test_what_plays_no_part_is_not_counted_and_that_is_said",),
    ),
    Fault(
        "choices that do the very same are not counted",
        "puzzlewright/analysis/claims.py",
        "return free * len(bindings_of(schema.rows[place[1]]))",
        "return free",
        ("tests/test_puzzlewright_truth_check.py::test_choices_are_counted_as_the_author_sees_them",),
    ),
    Fault(
        "all lists of choices count as used",
        "puzzlewright/analysis/claims.py",
        "free = self._used[place] if self._complete else",
        "free =",
        ("tests/test_puzzlewright_truth_check.py::test_lists_of_choices_are_counted_one_by_one",),
    ),
    Fault(
        "a count that is not finished is told as exact",
        "puzzlewright/analysis/claims.py",
        "f\"{'' if self.exact else 'at least '}",
        "f\"{''}",
        ("tests/test_puzzlewright_truth_check.py::test_what_was_not_decided_is_not_counted",),
    ),
    Fault(
        "a reachable example is put together from a start",
        "puzzlewright/analysis/claims.py",
        "before = walked or {",
        "before = {",
        ("tests/test_puzzlewright_truth_check.py::test_a_reachable_example_is_one_with_all_its_variables",),
    ),
    Fault(
        "claims about what plays no part are passed over",
        "puzzlewright/analysis/claims.py",
        "if name not in known and wanted(name)]",
        "if name not in known and not name]",
        ("tests/test_puzzlewright_truth_check.py::test_claims_about_what_plays_no_part_are_claims_too",),
    ),
    Fault(
        "some levels are told as all",
        "puzzlewright/analysis/verifying.py",
        'levels = ["of the levels that were chosen"] if some else []',
        "levels = []",
        ("tests/test_puzzlewright_truth_check.py::test_never_is_said_of_the_levels_that_were_looked_at",),
    ),
    Fault(
        "drawn data are told as any",
        "puzzlewright/analysis/verifying.py",
        "if document.draw else []",
        "if document.dead else []",
        ("tests/test_puzzlewright_truth_check.py::test_never_is_said_of_the_data_that_were_drawn",),
    ),
    Fault(
        "a clash that the referee does not see is believed",
        "puzzlewright/analysis/verifying.py",
        'if not example.get("conflict"):',
        'if example.get("conflict") is False:',
        ("tests/test_puzzlewright_truth_check.py::test_a_clash_that_the_referee_does_not_see_is_a_disagreement",),
    ),
    Fault(
        "a type whose words are used is not",
        "models/slips.py",
        "mentioned.isdisjoint({name, *own})",
        "mentioned.isdisjoint({name})",
        (
            "tests/test_models_errors.py::test_what_is_mentioned_and_maps_that_are_compared_with_each_other_are_no_slips",
        ),
    ),
    Fault(
        "what an unused definition mentions is not used",
        "models/slips.py",
        "used.union(*(words for owner, words in unchecked if owner != name))",
        "used",
        (
            "tests/test_models_errors.py::test_what_is_mentioned_and_maps_that_are_compared_with_each_other_are_no_slips",
        ),
    ),
    Fault(
        "letters of a map that is compared with another mean nothing",
        "models/slips.py",
        'yield from "".join(value)',
        "pass",
        (
            "tests/test_models_errors.py::test_what_is_mentioned_and_maps_that_are_compared_with_each_other_are_no_slips",
        ),
    ),
    Fault(
        "a way that is too long to tell was not found",
        "puzzlewright/play/hints.py",
        "if found.plan is None:\n            return None",
        "if found.plan is None or len(found.plan.plan or ()) > LONGEST:\n            return None",
        ("tests/test_puzzlewright_truth_hints.py::test_a_way_that_is_too_long_to_tell_was_found",),
    ),
    Fault(
        "a search that stopped for memory is told as one for time",
        "puzzlewright/play/hints.py",
        "if Outcome.MEMORY_LIMIT in stopped:",
        "if Outcome.INTERRUPTED in stopped:",
        ("tests/test_puzzlewright_truth_hints.py::test_what_was_not_enough",),
    ),
    Fault(
        "a plan below a bound is a best way",
        "puzzlewright/play/hints.py",
        "if most is not None and most < 0:",
        "if most is not None and most < -99:",
        ("tests/test_puzzlewright_truth_hints.py::test_answers_that_contradict_each_other_are_no_hints",),
    ),
    Fault(
        "a proof on a board is about the file's start",
        "puzzlewright/play/bench.py",
        'at_start = "here"',
        'at_start = "at the start"',
        ("tests/test_puzzlewright_truth_hints.py::test_a_separating_invariant_is_about_the_position",),
    ),
    Fault(
        "steps that cannot be done are none of the plan's",
        "puzzlewright/printing/showing.py",
        "whole = plan is None or len(plan) == last",
        "whole = True",
        ("tests/test_puzzlewright_pictures_files.py::test_a_plan_is_printed_whole_or_one_step",),
    ),
]

NUMBERS = [
    Fault(
        "a metric weighs 2^40 times the next",
        "models/metrics.py",
        "weights.append(weights[-1] * (steps * cost + 1 + (estimate if len(weights) == 1 else 0)))",
        "weights.append(weights[-1] * 2**40)",
        ("tests/test_puzzlewright_numbers.py::test_a_metric_larger_than_the_old_weight",),
    ),
    Fault(
        "the weights leave no room for an estimate",
        "models/metrics.py",
        " + (estimate if len(weights) == 1 else 0)",
        "",
        ("tests/test_models_numbers.py::test_estimates_are_counted",),
    ),
    Fault(
        "sums are taken to compare on paths of any length",
        "models/metrics.py",
        "return min((room // cost for",
        "return LARGEST or min((room // cost for",
        ("tests/test_search_numbers.py::test_a_search_ends_before_sums_compare_wrongly",),
    ),
    Fault(
        "where nothing fits the first metric is the cost",
        "models/metrics.py",
        "if weights else t.FALSE",
        "if weights else old.parts[0]",
        ("tests/test_search_numbers.py::test_without_weights_only_what_bounds_every_cost_is_consistent",),
    ),
    Fault(
        "what has no weights is compiled",
        "search/machine.py",
        "if why := misfit(task):",
        "if why := misfit(task) and False:",
        ("tests/test_search_numbers.py::test_what_has_no_weights_is_not_compiled",),
    ),
    Fault(
        "a search expands paths that are too long to compare",
        "search/space.py",
        "if depth >= self.exact_steps:",
        "if False:",
        ("tests/test_search_numbers.py::test_a_search_ends_before_sums_compare_wrongly",),
    ),
    Fault(
        "a plan in hand is best whatever its length",
        "search/registry.py",
        "space.check_steps(len(found.operators))",
        "pass",
        ("tests/test_search_numbers.py::test_a_plan_in_hand_is_not_called_best_beyond_the_bound",),
    ),
    Fault(
        "kernels take over whatever costs there are",
        "search/registry.py",
        "(not algorithm.by_cost or steps >= LONG_PATH)",
        "steps > 0",
        ("tests/test_search_numbers.py::test_python_takes_over_where_sums_are_larger_than_words",),
    ),
    Fault(
        "best-first kernels go on beyond the bound",
        "search/kernels/best_first.py",
        "space.check_steps(statistics.max_depth + 1)",
        "pass",
        ("tests/test_search_numbers.py::test_kernels_end_before_sums_compare_wrongly",),
    ),
    Fault(
        "deepening kernels go on beyond the bound",
        "search/kernels/deepening.py",
        "space.check_steps(deepest + 1)",
        "pass",
        ("tests/test_search_numbers.py::test_kernels_end_before_sums_compare_wrongly",),
    ),
    Fault(
        "the cost of a deep plan is a sum of words",
        "search/kernels/deepening.py",
        "sum(self.costs[steps].tolist())",
        "int(self.costs[steps].sum())",
        ("tests/test_search_numbers.py::test_the_cost_of_a_deep_plan_is_no_sum_of_words",),
    ),
    Fault(
        "counting goes on beyond the bound",
        "search/spaces/best_plans.py",
        "    space.weigh_costs(machine.exact_steps)\n",
        "",
        ("tests/test_search_numbers.py::test_counting_ends_before_sums_compare_wrongly",),
    ),
    Fault(
        "counting by kernels goes on beyond the bound",
        "search/spaces/best_plans.py",
        "        again.weigh_costs(min(machine.exact_steps, machine.word_steps))\n",
        "",
        ("tests/test_search_numbers.py::test_counting_by_kernels_ends_before_sums_overflow",),
    ),
    Fault(
        "distances go on beyond the bound",
        "search/spaces/state_space.py",
        "most = min(graph.exact_steps, MOST_COST // max(1, dearest))",
        "most = MOST_COST // max(1, dearest)",
        ("tests/test_search_numbers.py::test_distances_are_sums",),
    ),
    Fault(
        "distances may be more than 64 bits can hold",
        "search/spaces/state_space.py",
        "most = min(graph.exact_steps, MOST_COST // max(1, dearest))",
        "most = graph.exact_steps",
        ("tests/test_search_numbers.py::test_distances_end_before_sums_compare_wrongly",),
    ),
    Fault(
        "steps are counted no farther than costs compare",
        "search/spaces/state_space.py",
        "costs=None, exact_steps=UNREACHED",
        "costs=None",
        ("tests/test_search_numbers.py::test_distances_end_before_sums_compare_wrongly",),
    ),
    Fault(
        "a recorded search goes on beyond the bound",
        "search/recording.py",
        'space.weigh_costs(getattr(model, "exact_steps", INFINITY))',
        "pass",
        ("tests/test_search_numbers.py::test_a_recorded_search_ends_before_it_tells_costs_wrongly",),
    ),
    Fault(
        "a sum fits where its ends do",
        "search/compiler/term_tables.py",
        "        return abs(term.constant) + sum(",
        "        return most or sum(",
        ("tests/test_search_numbers.py::test_what_cancels_out_is_added_up_first",),
    ),
    Fault(
        "bounds are worked out of numbers that wrap around",
        "search/proofs/differences.py",
        "    if not fits(term):\n        return None\n",
        "",
        ("tests/test_search_numbers.py::test_numbers_beyond_64_bits_prove_nothing_wrong",),
    ),
    Fault(
        "conditions are tested with numbers that wrap around",
        "search/proofs/enumeration.py",
        "test is not TRUE and fits(test)",
        "test is not TRUE",
        ("tests/test_search_numbers.py::test_a_condition_beyond_64_bits_is_left_out",),
    ),
    Fault(
        "what no row extends counts",
        "search/proofs/differences.py",
        "feasible & (found[0] <= found[1])",
        "feasible",
        ("tests/test_search_numbers.py::test_bounds_are_those_of_whole_numbers",),
    ),
    Fault(
        "remainders are added up before they are taken",
        "search/proofs/differences.py",
        "        if modulus:\n            low = high = low % modulus\n",
        "    if modulus:\n        low = high = low % modulus\n",
        ("tests/test_search_numbers.py::test_sums_of_remainders_do_not_overflow",),
    ),
    Fault(
        "a change that nothing is known of is 2^60 at most",
        "search/proofs/consistency.py",
        "whole = delta.values[0], delta.values[-1]",
        "whole = -(2**60), 2**60",
        ("tests/test_search_numbers.py::test_a_quotient_of_something_large_is_not_proven",),
    ),
    Fault(
        "leaves of 16 bits are divided as such",
        "search/proofs/evaluation.py",
        "np.floor_divide(of(argument), divisor, dtype=np.int64)",
        "np.floor_divide(of(argument), divisor)",
        ("tests/test_search_numbers.py::test_short_leaves_and_long_divisors",),
    ),
    Fault(
        "a relaxed interval has its ends the wrong way round",
        "search/proofs/enumeration.py",
        "range(members[0] - high, members[-1] - low + 1)",
        "range(members[0] - low, members[-1] - high + 1)",
        ("tests/test_search_numbers.py::test_a_relaxation_excludes_nothing_that_holds",),
    ),
    Fault(
        "a sum begins at nothing",
        "encoders/formula.py",
        "least if low is None",
        "0 if low is None",
        ("tests/test_encoders_numbers.py::test_a_linear_constraint_says_what_it_says",),
    ),
    Fault(
        "a sum that fits nowhere is no constraint",
        "encoders/formula.py",
        "            self.clause([~each for each in condition])\n            return\n",
        "            return\n",
        ("tests/test_encoders_numbers.py::test_a_sum_that_fits_nowhere_fails",),
    ),
    Fault(
        "a plan may cost more in a metric before the one in which it is cheaper",
        "encoders/encoding.py",
        "for before in range(place):",
        "for before in range(0):",
        ("tests/test_encoders_numbers.py::test_the_first_metric_decides",),
    ),
    Fault(
        "a cheaper plan costs less in the first metric",
        "encoders/encoding.py",
        "((None, limit[before]),)",
        "((None, limit[before] - 1),)",
        ("tests/test_encoders_numbers.py::test_the_first_metric_decides",),
    ),
    Fault(
        "a cheaper plan is shorter in the first of several metrics",
        "encoders/statements.py",
        "less = self.uniform_cost is not None or len(counted) == 1",
        "less = True",
        ("tests/test_encoders_numbers.py::test_how_long_a_cheaper_plan_may_be",),
    ),
    Fault(
        "a plan of very many steps is none",
        "encoders/horizons.py",
        "if shared.lower_bound >= NEVER:",
        "if horizon >= NEVER:",
        ("tests/test_encoders_numbers.py::test_a_plan_of_very_many_steps_is_no_proof_that_there_is_none",),
    ),
    Fault(
        "joined intervals lack their last value",
        "encoders/value_sets.py",
        "max(high for _, high in found) + 1) if found else set()",
        "max(high for _, high in found)) if found else set()",
        ("tests/test_encoders_numbers.py::test_intervals_leave_nothing_out",),
    ),
    Fault(
        "the remainders of an interval are those of its ends",
        "encoders/value_sets.py",
        "if low // divisor == high // divisor else range(divisor)",
        "if low % divisor <= high % divisor else range(divisor)",
        ("tests/test_encoders_numbers.py::test_intervals_leave_nothing_out",),
    ),
    Fault(
        "sums are told apart however many values they have",
        "encoders/lowering.py",
        "if len(partial) * len(part) > MOST_CASES:",
        "if False:",
        ("tests/test_encoders_numbers.py::test_a_sum_of_too_many_values_is_unsupported",),
    ),
    Fault(
        "the constant of a large cost is left out",
        "encoders/sums.py",
        "(*term.terms, (term.constant, terms.TRUE))",
        "term.terms",
        ("tests/test_encoders_numbers.py::test_costs_that_are_large_sums",),
    ),
    Fault(
        "a sum may leave the range",
        "models/unrolling.py",
        "_within(_sum(pairs), node.location)",
        "_sum(pairs)",
        ("tests/test_models_numbers.py::test_no_number_leaves_the_range",),
    ),
    Fault(
        "an offset may leave the range",
        "models/unrolling.py",
        "            yield from each\n",
        "            yield 0\n",
        ("tests/test_models_numbers.py::test_no_number_leaves_the_range",),
    ),
    Fault(
        "a minimum is padded beyond its values",
        "models/unrolling.py",
        "last = max(term.values[-1] for term in terms) if",
        "last = max(term.values[-1] for term in terms) + 1 if",
        ("tests/test_models_numbers.py::test_what_stays_in_the_range_is_taken",),
    ),
    Fault(
        "any number of values is looked at",
        "models/unrolling.py",
        "check_limit(len(term.values), MOST_LISTED,",
        "check_limit(0, MOST_LISTED,",
        ("tests/test_models_numbers.py::test_too_many_values_to_look_at_are_refused",),
    ),
    Fault(
        "steps that are longer than an interval leave no gaps",
        "models/terms.py",
        "if isinstance(numbers, range) and gapless and abs(coefficient) <= len(numbers):",
        "if isinstance(numbers, range) and gapless:",
        ("tests/test_models_numbers.py::test_a_sum_has_the_values_that_its_parts_add_up_to",),
    ),
    Fault(
        "joined value sets lack their last value",
        "models/terms.py",
        "max(values[-1] for values in sets) + 1)",
        "max(values[-1] for values in sets))",
        ("tests/test_models_numbers.py::test_nobody_walks_through_an_interval",),
    ),
]

NOT_DEAD = ("tests/test_search_dead.py::test_what_is_wrong_leaves_nothing_out",)

DEAD = [
    Fault(
        "a goal state may be dead",
        "search/proofs/knowledge.py",
        "if not at_most_zero_at_goal(self.task, self.task.dead, self.proof):",
        "if False:",
        NOT_DEAD,
    ),
    Fault(
        "steps may lead out of the dead states",
        "search/proofs/knowledge.py",
        "row = left_by(self.task.dead, self.rows, self.proof)",
        "row = None",
        NOT_DEAD,
    ),
    Fault(
        "of several conditions for dead states one is looked at",
        "search/proofs/invariants.py",
        "for part in alternatives(dead))), None)",
        "for part in alternatives(dead)[:1])), None)",
        NOT_DEAD,
    ),
    Fault(
        "for CP-SAT a goal state may be dead",
        "encoders/induction.py",
        "        yield None, self._informed((*goal, terms.substitute(self.task.dead, known(goal))))\n",
        "",
        NOT_DEAD,
    ),
    Fault(
        "for CP-SAT steps may lead out of the dead states",
        "encoders/induction.py",
        "touched = [part for part in terms.alternatives(self.task.dead) if row.touches(part)]",
        "touched = [part for part in terms.alternatives(self.task.dead) if not row.touches(part)]",
        NOT_DEAD,
    ),
    Fault(
        "what is said of dead states is believed",
        "puzzlewright/solving/proofs.py",
        "        self.told[DEAD] = str(verdict)\n        return verdict.proven",
        "        self.told[DEAD] = str(verdict)\n        return True",
        NOT_DEAD,
    ),
    Fault(
        "a goal that can be reached from a dead state is not seen",
        "puzzlewright/analysis/claims.py",
        "found = next((number for number in dead if number in alive), None)",
        "found = next((number for number in dead if number not in alive), None)",
        ("tests/test_search_dead.py::test_check_tells_of_it",),
    ),
]

LISTS = ("tests/test_puzzlewright_state_lists.py::test_whatever_is_accepted_is_true",)
ALIKE = ("tests/test_puzzlewright_state_lists.py::test_values_that_a_rule_tells_apart",)
LEFT_OUT = ("tests/test_puzzlewright_state_lists.py::test_what_makes_no_difference_is_left_out",)
KEPT = ("tests/test_encoders_kept.py::test_what_has_no_model_is_true",)
BUNDLES = ("tests/test_puzzlewright_certificate_kinds.py::test_damage_is_noticed_even_with_new_digests",)

CERTIFICATES = [
    Fault(
        "a goal may have any bound",
        "puzzlewright/certificates/recheck_states.py",
        "if bound != rules.zero and rules.is_goal(code):",
        "if bound is None and rules.is_goal(code):",
        BUNDLES,
    ),
    Fault(
        "a state that is not listed may be as far as it likes",
        "puzzlewright/certificates/recheck_states.py",
        "bounds.get(after, (0, rules.zero))",
        "bounds.get(after, (0, None))",
        LISTS,
    ),
    Fault(
        "from never to anything",
        "puzzlewright/certificates/recheck_states.py",
        "if left is not None and (bound is None or bound >",
        "if left is not None and bound is not None and (bound >",
        LISTS,
    ),
    Fault(
        "a bound may be below nothing",
        "puzzlewright/certificates/recheck_states.py",
        "            right = right and tuple(bound) >= rules.zero\n",
        "",
        BUNDLES,
    ),
    Fault(
        "a list need not show what is claimed",
        "puzzlewright/certificates/state_certificates.py",
        "if found.bound != bound:",
        "if found.bound is None and bound is not None:",
        BUNDLES,
    ),
    Fault(
        "a hidden value decides whether a repeated phase would go on",
        "puzzlewright/certificates/recheck_states.py",
        "for name in sorted(repeated & hidden):",
        "for name in sorted(repeated & hidden)[:0]:",
        ("tests/test_puzzlewright_state_lists.py::test_a_list_that_leaves_out_too_much",),
    ),
    Fault(
        "a cost that may be undefined holds nothing back",
        "puzzlewright/certificates/recheck_states.py",
        "if m in self.metrics or not _sure(c)}",
        "if m in self.metrics}",
        LEFT_OUT,
    ),
    Fault(
        "what is hidden can be read",
        "models/interpreter.py",
        "    if value is HIDDEN:\n",
        "    if value is HIDDEN and node.indices:\n",
        LEFT_OUT,
    ),
    Fault(
        "a constant may stand for a value that is alike",
        "puzzlewright/certificates/alike.py",
        "if self.of_type(index, names) != self.is_type(type_):",
        "if self.of_type(index, names) and not self.is_type(type_):",
        ALIKE,
    ),
    Fault(
        "what is looked through for letters may be anybody's",
        "puzzlewright/certificates/alike.py",
        "        self.plain(names, domain)\n",
        "        self.plain(names, *e.parts(domain))\n",
        ("tests/test_puzzlewright_state_lists.py::test_values_that_are_told_apart_by_letters",),
    ),
    Fault(
        "values that are alike have a first one",
        "puzzlewright/certificates/alike.py",
        "if whole and not any_order:",
        "if whole and not any_order and loop.condition is None:",
        ALIKE,
    ),
    Fault(
        "an invariant need not stay defined",
        "encoders/kept.py",
        "    kept = list(terms.conjuncts(invariant.defined))\n",
        "    kept = list[Term]()\n",
        KEPT,
    ),
    Fault(
        "only one row is asked whether it keeps an invariant",
        "encoders/kept.py",
        "        if FALSE not in attempt:\n",
        "        if FALSE not in attempt and not attempts:\n",
        KEPT,
    ),
    Fault(
        "a clause that is named at its turn is left out",
        "encoders/lrat_hints.py",
        "        if any(-each in false for each in left):\n",
        "        if len(left) == 1 and len(known[name]) == 1:\n",
        ("tests/test_encoders_kept.py::test_clauses_that_derive_nothing_are_not_named",),
    ),
    Fault(
        "a manifest may say more than is checked",
        "puzzlewright/certificates/verifying_bundles.py",
        "if key not in said or key not in stated or not _same(",
        "if key in said and key in stated and not _same(",
        ("tests/test_puzzlewright_certificate_kinds.py::test_a_manifest_that_says_more_or_less_is_refuted",),
    ),
    Fault(
        "numbers of a manifest are only about right",
        "puzzlewright/certificates/verifying_bundles.py",
        "return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)",
        "return bool(one == other)",
        ("tests/test_puzzlewright_certificate_kinds.py::test_a_manifest_that_says_more_or_less_is_refuted",),
    ),
    Fault(
        "a manifest may claim two things at once",
        "puzzlewright/certificates/verifying_bundles.py",
        "if len(found) < len(pairs):",
        "if len(found) > len(pairs):",
        ("tests/test_puzzlewright_certificate_kinds.py::test_a_manifest_that_says_a_thing_twice",),
    ),
    Fault(
        "a certificate may have any other file",
        "puzzlewright/certificates/verifying_bundles.py",
        'told["sha256"].keys() - {*self.files}',
        'told["sha256"].keys() - {*told["sha256"]}',
        ("tests/test_puzzlewright_certificate_kinds.py::test_a_file_that_no_certificate_has",),
    ),
    Fault(
        "a refuted formula needs no plan",
        "puzzlewright/certificates/verifying_bundles.py",
        "suits = {LRAT: planned,",
        "suits = {LRAT: True,",
        ("tests/test_puzzlewright_certificate_kinds.py::test_what_is_no_manifest_is_invalid_input",),
    ),
    Fault(
        "digests may be pairs",
        "puzzlewright/certificates/recheck.py",
        "names = sorted(digests.keys())",
        "names = sorted(dict(digests))",
        ("tests/test_puzzlewright_certificate_kinds.py::test_what_is_no_manifest_is_invalid_input",),
    ),
    Fault(
        "a claim about other data is one about the level",
        "puzzlewright/certificates/bundle.py",
        "if source.settings else",
        "if source.settings and plan else",
        ("tests/test_puzzlewright_certificate_kinds.py::test_a_claim_tells_what_was_set",),
    ),
    Fault(
        "no clock is looked at while ways to act are tried",
        "models/referee.py",
        "    watch()\n",
        "",
        ("tests/test_puzzlewright_state_lists.py::test_the_clock_is_looked_at_while_one_state_has_many_joint_moves",),
    ),
    Fault(
        "whatever has a manifest is a certificate",
        "puzzlewright/certificates/certifying.py",
        'return bool(json.loads(manifest.read_bytes())["format"] == FORMAT)',
        "return manifest.is_file()",
        ("tests/test_puzzlewright_certificates.py::test_a_folder_that_only_looks_like_a_certificate",),
    ),
    Fault(
        "an older certificate is gone before the new one is there",
        "puzzlewright/certificates/certifying.py",
        "        _move_all(old, folder)\n        raise",
        "        raise",
        ("tests/test_puzzlewright_certificates.py::test_an_older_certificate_comes_back_where_a_new_one_is_stopped",),
    ),
    Fault(
        "a best plan without the certificate that was asked for is proven",
        "puzzlewright/solving/proving.py",
        "        checked = checked.noting(note)\n    for",
        "        return checked.noting(note)\n    for",
        ("tests/test_puzzlewright_certificate_kinds.py::test_a_kind_that_does_not_suit",),
    ),
    Fault(
        "a proof that was cut off is read to its end",
        "encoders/lrat_hints.py",
        "except (ValueError, IndexError):",
        "except IndexError:",
        ("tests/test_encoders_kept.py::test_clauses_that_derive_nothing_are_not_named",),
    ),
]

LEVELS = [
    Fault(
        "behind a row's end is no edge of a board",
        "models/level_files/sokoban.py",
        "or c >= len(grid[r]) - 1",
        "or c > len(grid[r])",
        ("tests/test_models_level_files_odd.py::test_boards_that_are_not_whole",),
    ),
    Fault(
        "a box keeps the keeper inside",
        "models/level_files/sokoban.py",
        "and _letter(grid, place) != WALL",
        "and _letter(grid, place) not in WALL + BOXES",
        ("tests/test_models_level_files_odd.py::test_boards_that_are_not_whole",),
    ),
    Fault(
        "a second keeper is overlooked",
        "models/level_files/sokoban.py",
        "if len(here) > 1:",
        "if len(here) > 2:",
        ("tests/test_models_level_files_odd.py::test_boards_that_are_not_whole",),
    ),
    Fault(
        "boxes on stores need no stores",
        "models/level_files/sokoban.py",
        "here, boxes, stores = _all(grid, KEEPERS), _all(grid, BOXES)",
        "here, boxes, stores = _all(grid, KEEPERS), _all(grid, BOXES[:1])",
        ("tests/test_models_level_files_odd.py::test_boards_that_are_not_whole",),
    ),
    Fault(
        "a star is a box on a store where X is a wall",
        "models/level_files/sokoban.py",
        'str.maketrans("X*&", "#$*")',
        'str.maketrans("X*&", "#*$")',
        ("tests/test_models_level_files.py::test_the_letters_of_pusher",),
    ),
    Fault(
        "blank rows cut a board into two levels",
        "models/level_files/blocks.py",
        "joined = joined + 1 if after_blank and halves",
        "joined = joined + 1 if not after_blank and halves",
        ("tests/test_models_level_files_odd.py::test_a_blank_row_is_inside_a_board",),
    ),
    Fault(
        "a whole board is joined to a slip",
        "models/level_files/xsb.py",
        "if stands_alone(upper.rows) or stands_alone(lower.rows):",
        "if stands_alone(upper.rows) and stands_alone(lower.rows):",
        ("tests/test_models_level_files_odd.py::test_boards_of_their_own_are_not_joined",),
    ),
    Fault(
        "dashes join boards to boxes without a keeper",
        "models/level_files/xsb.py",
        'not letters & set("@+$.&")',
        'not letters & set("@+")',
        ("tests/test_models_level_files_odd.py::test_a_board_without_a_keeper_does_not_lend_its_boxes",),
    ),
    Fault(
        "a board in a comment is a level",
        "models/level_files/xsb.py",
        "found.append(row if begun is None else",
        "found.append(row if begun is not row else",
        ("tests/test_models_level_files.py::test_boards_in_comments_are_none",),
    ),
    Fault(
        "brackets repeat what is before them",
        "models/level_files/run_lengths.py",
        "open_[-1] = (outer + _repeated(row, letters, times, column)",
        "open_[-1] = (_repeated(row, outer + letters, times, column)",
        ("tests/test_models_level_files.py::test_run_lengths_in_brackets",),
    ),
    Fault(
        "entities may stand for long texts",
        "models/level_files/slc.py",
        "self.parser.EntityDeclHandler = self.entity",
        "self.parser.EntityDeclHandler = None",
        ("tests/test_models_level_files.py::test_slc_that_is_wrong_says_where",),
    ),
    Fault(
        "an unknown entity is no letter",
        "models/level_files/slc.py",
        "self.parser.SkippedEntityHandler = self.skipped",
        "self.parser.SkippedEntityHandler = None",
        ("tests/test_models_level_files.py::test_slc_that_is_wrong_says_where",),
    ),
    Fault(
        "the first row of a board of tiles is a level",
        "models/level_files/numbers.py",
        "mostly = 2 * sum(map(_is_whole, run)) > len(run)",
        "mostly = any(map(_is_whole, run))",
        ("tests/test_models_level_files_odd.py::test_the_first_row_of_a_board_is_no_board",),
    ),
    Fault(
        "a tile may stand twice",
        "models/level_files/numbers.py",
        "if tile.number in seen:",
        "if tile.number in seen and not tile.number:",
        ("tests/test_models_level_files_odd.py::test_tiles_that_are_refused",),
    ),
    Fault(
        "nobody is asked which end of a tube is the bottom",
        "models/level_files/tubes.py",
        "told = variant or not any(",
        "told = variant or any(",
        ("tests/test_models_level_files_odd.py::test_which_end_of_a_tube_comes_first",),
    ),
    Fault(
        "tubes with the top first are read with the bottom first",
        "models/level_files/tubes.py",
        "if known.variant == TOP_FIRST:",
        "if known.variant == BOTTOM_FIRST:",
        ("tests/test_models_level_files_odd.py::test_which_end_of_a_tube_comes_first",),
    ),
    Fault(
        "an empty unit is a colour",
        "models/level_files/tubes.py",
        "if unit.strip() in _NOTHING]",
        "if unit in _NOTHING[1:3]]",
        ("tests/test_models_level_files_odd.py::test_tubes_that_are_refused",),
    ),
    Fault(
        "a zero is a car's empty place among letters",
        "models/level_files/rush_hour.py",
        'not re.search("[1-9]", board)',
        'not re.search("[0-9]", board)',
        ("tests/test_models_level_files_odd.py::test_rush_hour_boards_that_are_refused",),
    ),
    Fault(
        "a row that begins with a wall is a comment",
        "models/level_files/rush_hour.py",
        "if len(words) == len(near) and",
        "if len(words) < len(near) and",
        ("tests/test_models_level_files_odd.py::test_rush_hour_boards_that_are_refused",),
    ),
    Fault(
        "one letter may stand for blocks apart",
        "models/level_files/klotski.py",
        "if letter.isalpha() and places - _joined(places):",
        "if letter.isdigit() and places - _joined(places):",
        ("tests/test_models_level_files_odd.py::test_klotski_boards_that_are_refused",),
    ),
    Fault(
        "a board without an empty place is read",
        "models/level_files/klotski.py",
        'if not board & {".", "0"} and any(',
        'if not board & {".", "0", "A"} and any(',
        ("tests/test_models_level_files_odd.py::test_klotski_boards_that_are_refused",),
    ),
    Fault(
        "a map needs no hole",
        "models/level_files/bloxorz.py",
        'if not any("9" in text',
        'if not any("1" in text',
        ("tests/test_models_level_files_odd.py::test_bloxorz_maps_that_are_refused",),
    ),
    Fault(
        "the declared encoding of XML is not looked at",
        "puzzlewright/files/level_text.py",
        'return data.decode("utf-8", "replace") if declared is None else',
        'return data.decode("utf-8", "replace") if declared else',
        ("tests/test_models_level_files_odd.py::test_encodings",),
    ),
    Fault(
        "an unreadable letter is one",
        "models/level_files/choosing.py",
        "x7f\\ufffd]",
        "x7f]",
        ("tests/test_models_level_files_odd.py::test_bytes_that_are_no_text",),
    ),
    Fault(
        "a row of tiles in another notation is a board",
        "models/level_files/numbers.py",
        "return told and sorted(numbers)",
        "return sorted(numbers)",
        ("tests/test_models_level_files_odd.py::test_tiles_that_are_refused",),
    ),
    Fault(
        "two rows of four that are whole boards make levels of all four",
        "models/level_files/numbers.py",
        "mostly = 2 * sum(map(_is_whole, run)) > len(run)",
        "mostly = 2 * sum(map(_is_whole, run)) >= len(run)",
        ("tests/test_models_level_files_odd.py::test_tiles_that_are_refused",),
    ),
    Fault(
        "a list of tubes that a blank row cuts is two levels",
        "models/level_files/tubes.py",
        "or together and not apart",
        "or together and apart and not above",
        ("tests/test_models_level_files_odd.py::test_tubes_that_are_refused",),
    ),
    Fault(
        "a letter of a plan stands where other programs end lines",
        "puzzlewright/files/planfiles.py",
        "for number, line in enumerate(source_lines(text), 1):\n        for column",
        "for number, line in enumerate(text.splitlines(), 1):\n        for column",
        ("tests/test_models_level_files.py::test_plans_in_lurd",),
    ),
    Fault(
        "a slip in a row that begins or ends with floor cuts the board",
        "models/level_files/xsb.py",
        r"""re.compile(r"[\s_0-9-]*#.*#[\s_|-]*|""",
        r"""re.compile(r"\s*#.*#\s*|""",
        ("tests/test_models_level_files.py::test_letters_that_a_board_does_not_have",),
    ),
    Fault(
        "a car may be bent or split",
        "models/level_files/rush_hour.py",
        "if place != (r + far * down, c + far * right):",
        "if place < (r + far * down, c + far * right):",
        ("tests/test_models_level_files_odd.py::test_rush_hour_boards_that_are_refused",),
    ),
    Fault(
        "a car of one place is one",
        "models/level_files/rush_hour.py",
        "    if not more:",
        "    if not places:",
        ("tests/test_models_level_files_odd.py::test_rush_hour_boards_that_are_refused",),
    ),
    Fault(
        "between two commas nothing may stand",
        "models/level_files/klotski.py",
        'r"(^|[,/])\\s*(?=,)|,\\s*($|/)"',
        'r"(^|[/])\\s*(?=,)|,\\s*($|/)"',
        ("tests/test_models_level_files_odd.py::test_klotski_boards_that_are_refused",),
    ),
    Fault(
        "text between the rows of a level is left out",
        "models/level_files/slc.py",
        'if self.inside[-1] == "Level" and text.strip():',
        'if self.inside[-1] == "L" and "\\0" in text:',
        ("tests/test_models_level_files.py::test_slc_that_is_wrong_says_where",),
    ),
    Fault(
        "a level may lack rows that its height counts",
        "models/level_files/slc.py",
        "if self.height and self.height != str(len(self.rows)):",
        "if self.height and int(self.height) < len(self.rows):",
        ("tests/test_models_level_files.py::test_slc_that_is_wrong_says_where",),
    ),
    Fault(
        "a letter may stand somewhere no times",
        "models/level_files/run_lengths.py",
        "if number and not int(number):",
        "if number and int(number) < 0:",
        ("tests/test_models_level_files_odd.py::test_numbers_that_may_be_something_else",),
    ),
    Fault(
        "numbers of lines say how often letters stand there",
        "models/level_files/sokoban.py",
        "or not any(map(_written_out, rows)):",
        "or not all(map(_written_out, rows)):",
        ("tests/test_models_level_files_odd.py::test_numbers_that_may_be_something_else",),
    ),
    Fault(
        "blanks beside the end of a row are floor",
        "models/level_files/sokoban.py",
        'apart := re.search(r"\\s\\|\\s", row.text)',
        'apart := re.search(r"\\t\\|\\t", row.text)',
        ("tests/test_models_level_files_odd.py::test_numbers_that_may_be_something_else",),
    ),
    Fault(
        "a comment among tubes is one",
        "models/level_files/tubes.py",
        r"""if note := re.search(r"^\s*#|\s[#;](?=\s)", row.text):""",
        r"""if note := re.search(r"^\s*#;", row.text):""",
        ("tests/test_models_level_files_odd.py::test_tubes_that_are_refused",),
    ),
    Fault(
        "the answer is lost with a plan that cannot be written",
        "puzzlewright/printing/desk.py",
        "return replace(report, outcome=Outcome.USAGE_ERROR, diagnostics=",
        "return replace(report, plan=None, outcome=Outcome.USAGE_ERROR, diagnostics=",
        ("tests/test_puzzlewright_plans.py::test_letters_that_may_be_two_steps_are_no_plan",),
    ),
]

PYTHON = [
    Fault(
        "a kernel takes over from a Python function",
        "search/registry.py",
        "SMALL if kernels and may_grow(",
        "SMALL if may_grow(",
        ("tests/test_puzzlewright_python_solving.py::test_a_large_search_keeps_its_function",),
    ),
    Fault(
        "a Python function is believed",
        "puzzlewright/python/estimating.py",
        "Heuristic(name_of(self.function), values)",
        "Heuristic(name_of(self.function), values, True, True)",
        ("tests/test_puzzlewright_python_solving.py::test_a_function_is_not_believed_whatever_it_is_called",),
    ),
    Fault(
        "a Python function is asked again and again",
        "puzzlewright/python/estimating.py",
        "                self.values[packed] = found",
        "                pass",
        ("tests/test_puzzlewright_python_solving.py::test_no_plan_is_said_only_where_there_is_none",),
    ),
    Fault(
        "values that were forgotten prove that there is no plan",
        "puzzlewright/python/estimating.py",
        "ALGORITHMS[name].cuts and values.full",
        "ALGORITHMS[name].cuts and not values",
        ("tests/test_puzzlewright_python_solving.py::test_values_that_were_not_kept_prove_nothing",),
    ),
    Fault(
        "a Python function sees only what matters to the search",
        "puzzlewright/python/coding.py",
        "else bench.keeping_all()",
        "else bench",
        ("tests/test_puzzlewright_python_states.py::test_idle_variables_move_too",),
    ),
    Fault(
        "a negative estimate is one",
        "puzzlewright/python/estimating.py",
        "if value < 0:",
        "if value < -1:",
        ("tests/test_puzzlewright_python_solving.py::test_estimates_are_whole_numbers",),
    ),
    Fault(
        "an estimate may be a fraction",
        "puzzlewright/python/estimating.py",
        "operator.index(found)",
        "int(found)",
        ("tests/test_puzzlewright_python_solving.py::test_estimates_are_whole_numbers",),
    ),
    Fault(
        "a heuristic may fall by one too much",
        "puzzlewright/python/judging.py",
        "if value > cost + left:",
        "if value > cost + left + 1:",
        ("tests/test_puzzlewright_python_judging.py::test_what_consistent_means",),
    ),
    Fault(
        "a heuristic may be anything at a goal",
        "puzzlewright/python/judging.py",
        "if value and self.machine.is_goal(packed):",
        "if value > 1 and self.machine.is_goal(packed):",
        ("tests/test_puzzlewright_python_judging.py::test_what_consistent_means",),
    ),
    Fault(
        "a walk that was cut short proves a heuristic",
        "puzzlewright/python/judging.py",
        "if number == most:",
        "if number > most:",
        ("tests/test_puzzlewright_python_judging.py::test_a_heuristic_is_proven_over_all_states",),
    ),
    Fault(
        "what is known of other data stays known",
        "puzzlewright/python/loading.py",
        "repr(own.data) == repr(puzzle.data)",
        "own.name == puzzle.name",
        ("tests/test_puzzlewright_python_loading.py::test_what_is_known_is_known_of_the_levels_own_data",),
    ),
    Fault(
        "a certificate is about the level before it was scrambled",
        "puzzlewright/python/loading.py",
        "if collection is None and not scramble else None",
        "if collection is None else None",
        ("tests/test_puzzlewright_python_solving.py::test_a_proof_rests_on_no_function",),
    ),
    Fault(
        "a datum may be a fraction",
        "puzzlewright/python/loading.py",
        "    if isinstance(value, Integral):\n        return int(value)\n    if hasattr",
        "    if isinstance(value, (Integral, float)):\n        return int(value)\n    if hasattr",
        ("tests/test_puzzlewright_python_loading.py::test_data_that_are_none",),
    ),
    Fault(
        "states of different puzzles are equal",
        "puzzlewright/python/state.py",
        "self is other or self.places == other.places",
        "True",
        ("tests/test_puzzlewright_python_states.py::test_states_of_other_variables_are_others",),
    ),
    Fault(
        "a space expands one state too many",
        "puzzlewright/python/walking.py",
        "self.expanded >= self.node_limit",
        "self.expanded > self.node_limit",
        ("tests/test_puzzlewright_python_states.py::test_limits_count_their_own_run",),
    ),
    Fault(
        "the step of a path is taken for that of the plan",
        "puzzlewright/python/walking.py",
        "self._machine.spelt(actions)",
        "tuple(map(self._machine.operator, actions))",
        ("tests/test_puzzlewright_python_states.py::test_symmetric_states_are_one_and_their_paths_become_plans",),
    ),
    Fault(
        "what a listener raises is swallowed",
        "puzzlewright/python/asking.py",
        "            raise failure\n",
        "            return\n",
        ("tests/test_puzzlewright_python_solving.py::test_what_a_listener_raises_comes_through",),
    ),
    Fault(
        "nobody looks whether to stop",
        "search/space.py",
        "if self.limits.stop is not None and self.limits.stop():",
        "if self.limits.stop is not None and False:",
        ("tests/test_puzzlewright_python_solving.py::test_a_flag_ends_a_search_with_what_is_known",),
    ),
    Fault(
        "a limit on memory counts what was there before",
        "search/space.py",
        "return peak_memory_mb() if limits.memory_before is None else resident_memory_mb() - limits.memory_before",
        "return peak_memory_mb()",
        ("tests/test_puzzlewright_python_solving.py::test_a_limit_on_memory_counts_its_own_run",),
    ),
    Fault(
        "a better bound is told with the next 256 states",
        "search/space.py",
        "self._on_progress(self.statistics, bound)",
        "pass",
        ("tests/test_puzzlewright_python_solving.py::test_events_tell_bounds_and_the_plan",),
    ),
    Fault(
        "no number is a limit",
        "puzzlewright/configuration.py",
        "if not value >= 0:",
        "if value < 0:",
        ("tests/test_puzzlewright_python_solving.py::test_what_there_is_not_is_refused_with_what_there_is",),
    ),
    Fault(
        "a row is used again for another text of the puzzle",
        "puzzlewright/python/jobs.py",
        "(text, self, program(PARTS)",
        "(self, program(PARTS)",
        ("tests/test_puzzlewright_python_judging.py::test_rows_of_many_searches",),
    ),
    Fault(
        "CP-SAT is not stopped",
        "encoders/cpsat.py",
        "if stop is not None and stop():",
        "if stop is not None and False:",
        ("tests/test_puzzlewright_python_solving.py::test_a_proof_is_stopped_while_cpsat_works",),
    ),
    Fault(
        "a state of other variables is taken for one of the space",
        "puzzlewright/python/coding.py",
        "if state.shape.fits(self.shape):",
        "if state.shape:",
        ("tests/test_puzzlewright_python_states.py::test_states_of_another_puzzle_are_refused",),
    ),
]
OPTIONS = [
    Fault(
        "a flag is told to a process of ours with a value",
        "puzzlewright/options.py",
        "if value is True:",
        "if value is None:",
        ("tests/test_puzzlewright_commands.py::test_what_was_said_as_words",),
    ),
    Fault(
        "of an option that is given again only the last is told to a process of ours",
        "puzzlewright/options.py",
        "(value if isinstance(value, list) else [value])",
        "(value[-1:] if isinstance(value, list) else [value])",
        ("tests/test_puzzlewright_commands.py::test_what_was_said_as_words",),
    ),
    Fault(
        "what is nothing counts as not said",
        "puzzlewright/options.py",
        "if value not in (each.default, [])",
        "if value and value != each.default",
        ("tests/test_puzzlewright_commands.py::test_what_was_said_as_words",),
    ),
    Fault(
        "a command offers what it is without",
        "puzzlewright/commands/__init__.py",
        " if each not in without]",
        "]",
        ("tests/test_puzzlewright_commands.py::test_a_new_command_is_found_unasked",),
    ),
]
FAULTS = [
    *COMPILER,
    *KERNELS,
    *PROOFS,
    *MIRRORED,
    *RECORDER,
    *DEADLINES,
    *STARTS,
    *VERDICTS,
    *ENCODER,
    *GROUNDER,
    *REFEREE,
    *SAID,
    *WORDED,
    *NUMBERS,
    *DEAD,
    *CERTIFICATES,
    *LEVELS,
    *PYTHON,
    *OPTIONS,
]

SOAKED = (  # guards of which each alone keeps a wrong verdict, figure or claim away
    "an undefined estimate is what stands in the hole",
    "an invariant need not have a value",
    "an invariant need not have a value at the start",
    "CP-SAT does not ask whether an invariant has a value",
    "invariants and heuristics share their verdicts",
    "the facts that a verdict rests on are not named",
    "a walk tells of every start",
    "an invariant is kept whatever its value",
    "what CP-SAT was given is not named",
    "code for one start is used for any",
    "what is known of a level is said of any start",
    "another start is remembered under the name of the first",
    "a metric weighs 2^40 times the next",
    "a plan may cost more in a metric before the one in which it is cheaper",
    "a cheaper plan costs less in the first metric",
    "a cheaper plan is shorter in the first of several metrics",
    "a sum fits where its ends do",
    "bounds are worked out of numbers that wrap around",
    "a sum begins at nothing",
    "joined intervals lack their last value",
    "the remainders of an interval are those of its ends",
    "the constant of a large cost is left out",
    "joined value sets lack their last value",
    "only the last word tells which image is least",
    "what moves to another word is lost",
    "states are counted up to the part of a symmetry that is used",
    "a metric counts steps if it is named so",
    "an odd permutation of the values is an even one",
    "some pairs that are compared are all pairs",
    "values that may be equal are a permutation",
    "a row that copies a value permutes them",
    "counts of different values are alike",
)
WITH = {  # of which something else keeps the harm away too: both are made
    "a metric weighs 2^40 times the next": "sums are taken to compare on paths of any length",
}


# -- running -----------------------------------------------------------------------------------------------------------


def copy_project(folder: Path) -> None:
    """What the tests need of the project, into a new folder."""
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for path in (*ROOT.glob("*.md"), ROOT / "pyproject.toml"):
        shutil.copy(path, folder)


def mutated(fault: Fault, folder: Path = ROOT) -> str:
    """The text of the file with the fault; the old text must stand there just once."""
    text = (folder / fault.file).read_text(encoding="utf-8")
    found = text.count(fault.old)
    assert found == 1, f"{fault.file} has {found} times: {fault.old}"
    return text.replace(fault.old, fault.new)


def python(folder: Path, cache: Path, seconds: float, *words: str) -> subprocess.CompletedProcess[str]:
    """Run code in a copy."""
    env = os.environ | {"PYTHONPATH": str(folder), "PUZZLEWRIGHT_CACHE": str(cache)}
    command = [sys.executable, "-c", *words]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=seconds)


def run(folder: Path, tests: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run tests in a copy, until the first one fails."""
    return python(folder, folder / "cache", SECONDS, START, "-n0", "-x", "--tb=short", "-p", "no:cacheprovider", *tests)


def make(folder: Path, *faults: Fault) -> None:
    """A copy of the project that has the faults."""
    copy_project(folder)
    for fault in faults:
        (folder / fault.file).write_text(mutated(fault, folder), encoding="utf-8")


def tried(fault: Fault, folder: Path) -> subprocess.CompletedProcess[str]:
    """The run of the fault's tests in a copy that has it."""
    make(folder, fault)
    return run(folder, fault.tests)


def soaked(fault: Fault, folder: Path, cache: Path) -> str:
    """The first failure that the soak tells of in a copy that has the fault; '' for none.

    The cache keeps nothing but compiled kernels: each model is asked about in one of its own.
    """
    make(folder, fault, *(each for each in FAULTS if each.name == WITH.get(fault.name)))
    done = python(folder, cache, 60 * MINUTES + SECONDS, SOAK, "--minutes", str(MINUTES), "--first")
    if done.returncode not in (PASSED, FAILED):
        return f"exit code {done.returncode}: {done.stderr[-2000:]}"
    return next((line for line in done.stderr.splitlines() if FOUND.match(line)), "")


def table() -> str:
    """The faults as the documentation lists them."""
    rows = ["| fault | module | caught by |", "|---|---|---|"]
    for fault in FAULTS:
        tests = ", ".join(f"`{each.removeprefix('tests/')}`" for each in fault.tests)
        rows.append(f"| {fault.name} | `{fault.file}` | {tests} |")
    return "\n".join(rows)


def chosen(faults: Iterable[Fault], words: list[str]) -> Iterator[Fault]:
    """Those with one of the words in their name or file; without words all."""
    return (each for each in faults if not words or any(word in each.name or word in each.file for word in words))


def soak(words: list[str]) -> int:
    """Seconds (of a processor's time too) and what the soak has said first, for each of `SOAKED`."""
    missed = 0
    with TemporaryDirectory() as given:
        folder = Path(given).resolve()
        for fault in chosen((each for each in FAULTS if each.name in SOAKED), words):
            begin, worked = time.perf_counter(), work()
            found = soaked(fault, folder / "copy", folder / "cache")  # where compiled kernels are found again
            shutil.rmtree(folder / "copy")
            missed += not found
            seconds = f"{time.perf_counter() - begin:6.1f} s ({work() - worked:5.1f} s)"
            print(f"{seconds}  {fault.name:70} {found or 'not found'}", flush=True)
    return min(missed, 1)


def work() -> float:
    """Seconds of a processor's time that processes have had which this one has started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(words: list[str]) -> int:
    if words == ["table"]:
        print(table())
        return 0
    if words[:1] == ["soak"]:
        return soak(words[1:])
    survivors = 0
    for fault in chosen(FAULTS, words):
        begin = time.perf_counter()
        with TemporaryDirectory() as folder:
            done = tried(fault, Path(folder).resolve())
        found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        caught = found[1] if found and done.returncode == FAILED else f"NOT CAUGHT (exit code {done.returncode})"
        survivors += done.returncode != FAILED
        print(f"{time.perf_counter() - begin:6.1f} s  {fault.file:34} {fault.name:70} {caught}", flush=True)
    return min(survivors, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
