"""Deliberate faults, one at a time, each with the tests that must notice it (DeMillo, Lipton and Sayward 1978).

A fault is one change of the code of one function, or of a constant, in a copy of the project (`mutating.py`). It counts
as caught only if the tests it names run and fail there; an import that fails, or a crash, does not count. `python
tests/mutations.py [WORDS...]` tries all faults, or those whose name, place or file contains one of the words, and
prints what came of each; `table` prints `docs/testing.md`'s.
`python tests/mutations.py soak [WORDS...]` makes those of `SOAKED` instead, and lets `soak.py` look for each of them.
"""

from __future__ import annotations

import ast
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

from mutating import changed, whereabouts

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
    """A fault in words, where it is made, the code that stands there once and what replaces it, the tests to notice."""

    name: str
    place: str
    old: str
    new: str
    tests: tuple[str, ...]


ROWS = ("tests/test_search_machine.py::test_every_kind_of_row",)
NUMBERED = ("tests/test_search_machine.py::test_rows_that_differ_in_numbers",)
TASKS = ("tests/test_search_codegen.py::test_random_tasks",)
TERMS = ("tests/test_search_codegen.py::test_random_terms",)
SETS = ("tests/test_search_bit_sets.py::test_random_relations",)
PAINTED = ("tests/test_search_bit_sets.py::test_random_puzzles",)
BOARDS = ("tests/test_search_row_boards.py::test_random_boards",)
LAYERS = ("tests/test_search_kernels_layers.py::test_all_figures_agree",)
TAGS = ("tests/test_search_kernels_layers.py::test_states_with_equal_tags_are_told_apart",)
BEST = ("tests/test_search_kernels_best_first.py::test_graphs",)
DEEPENING = ("tests/test_search_kernels_deepening.py::test_random_models",)
EVALUATORS = ("tests/test_crosscheck_random.py::test_evaluators_agree",)
RECURSION = ("tests/test_models_recursion.py::test_the_least_solution_is_that_of_naive_iteration",)
LET = ("tests/test_models_evaluators.py::test_a_let_keeps_its_meaning_in_later_phases",)
ENCODED = ("tests/test_encoders_cpsat.py::test_random_task",)
PRUNED = ("tests/test_search_pruning.py::test_random_models",)
FALSE_CLAIMS = ("tests/test_search_knowledge.py::test_nothing_proven_is_false",)
CONSTRUCTORS = ("tests/test_models_evaluators.py::test_constructors_keep_the_meaning",)
BACKWARD = ("tests/test_search_machine_symmetry.py::test_predecessors_of_reachable_states",)
MIRROR = ("tests/test_search_symmetry_mirrors.py::test_mirrors_that_map_the_puzzle_onto_itself",)
CANONICAL = ("tests/test_search_machine_symmetry.py::test_canonical_states_and_what_follows_them",)
CASES = ("tests/test_puzzlewright_export_sas.py::test_random_tasks",)
ONE_OF_MANY = ("tests/test_models_pddl.py::test_groups_are_what_no_action_breaks",)

COMPILER = [
    Fault(
        "1 and true are one within lists",
        "values.exact",
        "type(value) is tuple",
        "value is None",
        ("tests/test_models_evaluators.py::test_a_list_with_one_is_none_with_true",),
    ),
    Fault(
        "a special case of a split row is forgotten",
        "codegen.split",
        "for value in field.values: ...",
        "for value in field.values[1:]: ...",
        ROWS,
    ),
    Fault(
        "strides of choices are one place off",
        "Numbering.strides",
        "_product(sizes[k + 1 :])",
        "_product(sizes[k:])",
        TASKS,
    ),
    Fault(
        "straight-line rows forget what must always hold",
        "write_steps",
        "require(emitter, stack, plan.always, 0)",
        "require(emitter, stack, (), 0)",
        TASKS,
    ),
    Fault(
        "the guard of the second phase is dropped",
        "write_steps",
        "if number: ...",
        "if number > 1: ...",
        TASKS,
    ),
    Fault(
        "rows under a shared test lose the last one",
        "RowWriter.write",
        "rows[:count]",
        "rows[: count - 1]",
        TASKS,
    ),
    Fault(
        "negative estimates are not cut off",
        "write_estimate",
        "term.values[0] < least",
        "term.values[-1] < least",
        ("tests/test_search_machine.py::test_an_estimate_with_and_without_a_bound",),
    ),
    Fault(
        "what must always hold is tested in the old state",
        "prepare",
        "{old[index]: now[index] for index in changed}",
        "{old[index]: old[index] for index in changed}",
        TASKS,
    ),
    Fault(
        "a phase reads what it has itself written",
        "rows.phases",
        "found.append(list(now))",
        "found.append(now)",
        TASKS,
    ),
    Fault(
        "a later phase reads the newest value instead of its stage's",
        "current_leaves",
        "found[leaf.stage][leaf.index]",
        "found[-1][leaf.index]",
        TASKS,
    ),
    Fault(
        "a field may cross the end of a word",
        "layout.place",
        "if shift + width > WORD: ...",
        "if shift + width > WORD + 1: ...",
        ROWS,
    ),
    Fault(
        "values that follow from new values get no code",
        "reachable_values",
        "waiting.update(dict.fromkeys(readers.get(home[index], ())))",
        "waiting.update({})",
        ROWS,
    ),
    Fault(
        "a negated test leaves the wrong value",
        "layout._left",
        "frozenset((0,))",
        "frozenset((1,))",
        ("tests/test_search_machine.py::test_a_row_that_applies_where_a_switch_is_off",),
    ),
    Fault(
        "at most is compiled as less than",
        "emitter._SIGNS",
        '{"==": "eq", "!=": "ne", "<": "slt", "<=": "sle"}',
        '{"==": "eq", "!=": "ne", "<": "slt", "<=": "slt"}',
        TASKS,
    ),
    Fault(
        "quotients of negative numbers are rounded up",
        "Emitter.divided",
        '"sub i64 "',
        '"add i64 "',
        TERMS,
    ),
    Fault("an interval lacks its upper end", "Emitter.between", '"icmp ule i64 "', '"icmp ult i64 "', TERMS),
    Fault(
        "a field is written without clearing those before it",
        "Emitter.state_after",
        "cleared[field.word] |= field.mask",
        "cleared[field.word] = field.mask",
        TASKS,
    ),
    Fault(
        "a decision over branches is off by one",
        "Emitter.decided",
        '"icmp slt i64 "',
        '"icmp sle i64 "',
        TERMS,
    ),
    Fault(
        "a minimum is compiled as a maximum",
        "Emitter._number",
        'self.extreme("slt", arguments)',
        'self.extreme("sgt", arguments)',
        TERMS,
    ),
    Fault(
        "rows that fill up a bucket may apply",
        "_filled_up",
        "{**rows[0].forbidden, key.plane: 1 << bit}",
        "rows[0].forbidden",
        ROWS,
    ),
    Fault(
        "mask rows forget what must always hold",
        "mask_row",
        "[*plan.tests, *(test for step in plan.steps for test in step.tests), *plan.always]",
        "[*plan.tests, *(test for step in plan.steps for test in step.tests)]",
        ROWS,
    ),
    Fault(
        "a plane looks at the lowest bit of its code only",
        "_equal_plane",
        "code >> bit",
        "code",
        ROWS,
    ),
    Fault(
        "a copied field loses its highest bit",
        "MaskRecords.__init__",
        "pair[0].width",
        "pair[0].width - 1",
        ROWS,
    ),
    Fault(
        "a set of bits leads round the edge of the board",
        "_Rounds.mask",
        "plain and led == needed.keys()",
        "plain",
        SETS,
    ),
    Fault(
        "a bit is found among parts that are only some of its own",
        "Layout.inside",
        "own.issuperset(inner.arguments)",
        "True",
        ("tests/test_search_bit_sets.py::test_a_bit_is_found_where_all_its_parts_are",),
    ),
    Fault(
        "a set of bits is left after one round",
        "_Rounds.added",
        "any_of(self.emitter, changes)",
        '"0"',
        SETS,
    ),
    Fault(
        "what goes with a condition that always holds is lost",
        "_without_constants",
        "disjunction((base, *known))",
        "base",
        SETS,
    ),
    Fault(
        "a set of bits is worked out from itself",
        "bit_sets.bits_of",
        "term not in own",
        "True",
        ("tests/test_search_bit_sets.py::test_nothing_needs_itself",),
    ),
    Fault(
        "all that leads to a bit asks for the same",
        "bit_sets._bit_set",
        "len(factors) == 1",
        "factors",
        SETS,
    ),
    Fault(
        "two bits of a set share a place",
        "bit_sets._homes",
        "len(set(found.values())) == len(found)",
        "found",
        SETS,
    ),
    Fault(
        "what is not in a set is in it",
        "bit_sets._bits",
        "Bit(whole, *home, False)",
        "Bit(whole, *home, True)",
        SETS,
    ),
    Fault(
        "codes are compared of fields that have other values",
        "alike._same",
        "one.values != two.values or not one.width",
        "not one.width",
        SETS,
    ),
    Fault(
        "what fields hold is told by their lowest bit",
        "alike._differing",
        "range(1, fields.width)",
        "range(1, 1)",
        SETS,
    ),
    Fault(
        "the rarer codes of a field are the wanted ones",
        "alike._held",
        "fewer is codes",
        "True",
        SETS,
    ),
    Fault(
        "a relation that is no sum is taken for one",
        "recursion.closure",
        "len(forms) < len(equations)",
        "not forms",
        PAINTED,
    ),
    Fault(
        "bit planes are shifted the wrong way",
        "_shifted",
        "part.distance > 0",
        "part.distance < 0",
        BOARDS,
    ),
    Fault(
        "a disjunction on a board wants all its parts",
        "_decided",
        "any(_decided(layout, part, -1, known) for part in layout.grouped(term))",
        "all(_decided(layout, part, -1, known) for part in layout.grouped(term))",
        BOARDS,
    ),
    Fault(
        "a changed cell of a board is not cleared in full",
        "row_boards._after",
        "(1 << width) - 1",
        "1 << width - 1",
        BOARDS,
    ),
    Fault(
        "fields that touch in the first row are taken to touch in all",
        "common_pieces",
        "links = dict(links.items() & _links(layout, row).items())",
        "links = dict(links.items())",
        ROWS,
    ),
    Fault(
        "rows over fields of different widths share one template",
        "shaped",
        "(work, results, tuple(place[i] for i in written), fields)",
        "(work, results, tuple(place[i] for i in written), ())",
        ROWS,
    ),
    Fault(
        "a pattern compares with a number wherever it should not be one",
        "row_patterns.compared",
        "('!=', sum(values) - sum(members))",
        "('==', sum(values) - sum(members))",
        NUMBERED,
    ),
    Fault(
        "a leaf of a pattern has the values of one row only",
        "row_patterns._leaves",
        "max(len(name.values) for name in column)",
        "min(len(name.values) for name in column)",
        ("tests/test_search_machine.py::test_a_pattern_gives_values_of_all_its_rows",),
    ),
    Fault(
        "a number that differs between rows is that of the first one",
        "row_patterns._leaves",
        "len(set(column)) > 1",
        "False",
        NUMBERED,
    ),
    Fault(
        "the rows of a pattern are filed one code too late",
        "row_patterns._filed",
        "codes.get(code, ())",
        "codes.get(code - 1, ())",
        NUMBERED,
    ),
    Fault(
        "all fields by which a pattern is filed begin with the codes of the first",
        "row_patterns._filed",
        "(own, len(starts))",
        "(own, 0)",
        NUMBERED,
    ),
    Fault(
        "the last block is not sorted in",
        "_sort",
        "for last in range(1, len(keys)): ...",
        "for last in range(1, len(keys) - 1): ...",
        CANONICAL,
    ),
    Fault(
        "an object that was met is named anew",
        "_rename",
        "name = emitter.choose(met, old, following)",
        "name = following",
        CANONICAL,
    ),
    Fault(
        "backward steps forget what the new values must satisfy",
        "_Inversion.schema",
        "[*self.tests, *checks, *(self._told(part) for part in (*self.row.guard, *touched))]",
        "[*self.tests, *(self._told(part) for part in (*self.row.guard, *touched))]",
        BACKWARD,
    ),
    Fault(
        "backward steps lead to states that break what must always hold",
        "_Inversion.schema",
        "(*self.row.guard, *touched)",
        "self.row.guard",
        BACKWARD,
    ),
    Fault(
        "of two old values with one outcome only the first is seen",
        "_table_inverse",
        "return None",
        "continue",
        BACKWARD,
    ),
]

GUARDED = ("tests/test_search_kernels_records.py::test_what_is_not_as_annotated_never_reaches_machine_code",)
KERNELS = [
    Fault(
        "states with equal tags are taken to be equal",
        "find_node",
        "not same_state(kept, (table[at] & NUMBER) * width, states, first, words)",
        "False",
        TAGS,
    ),
    Fault(
        "the last word of a state is not compared",
        "same_state",
        "range(words)",
        "range(words - 1)",
        TAGS,
    ),
    Fault(
        "kernels take arrays of any kind",
        "_packing_of_arrays",
        "array.dtype != dtype or array.ndim != 1 or not array.flags.c_contiguous",
        "False",
        GUARDED,
    ),
    Fault(
        "numbers that are too large for kernels are cut",
        "_packing_of_numbers",
        "not least <= number <= most",
        "False",
        GUARDED,
    ),
    Fault(
        "an entry that found no place is lost when a table grows",
        "grow_cells",
        "for i in range(waiting): ...",
        "for i in range(1, waiting): ...",
        ("tests/test_search_kernels_layers.py::test_keys_are_a_set",),
    ),
    Fault(
        "the parent is that of another successor",
        "grow_layers",
        "out.parents[out.hashes[number - count]]",
        "out.parents[number - count]",
        LAYERS,
    ),
    Fault(
        "a layer is called refuted before it is expanded",
        "kernels.breadth_first.breadth_first",
        "while layers.width:\n"
        "    space.prove_length(layers.depth + 1)\n"
        "    if layers.step(space, machine.goal, space.limits.max_horizon) == Status.FOUND:\n"
        "        space.prove_length(layers.depth + 1)\n"
        "        return actions_along(machine, layers.path_to(layers.reached), cheapest=False)",
        "while layers.width:\n"
        "    space.prove_length(layers.depth + 2)\n"
        "    if layers.step(space, machine.goal, space.limits.max_horizon) == Status.FOUND:\n"
        "        space.prove_length(layers.depth + 1)\n"
        "        return actions_along(machine, layers.path_to(layers.reached), cheapest=False)",
        LAYERS,
    ),
    Fault(
        "a number is written into another one of its record",
        "_field",
        "record[name] = value",
        "record[0] = value",
        ("tests/test_search_kernels_records.py::test_kernel_and_driver_share_a_ledger",),
    ),
    Fault(
        "a number may have the name of something that NumPy's records have",
        "Ledger.__init_subclass__",
        "hasattr(np.void, name)",
        "False",
        ("tests/test_search_kernels_records.py::test_a_name_that_records_have_is_refused",),
    ),
    Fault(
        "layers let go of the machine whose code they call",
        "breadth_first.Layers.__init__",
        "self.machine, self.words = machine, machine.words",
        "self.words = machine.words",
        ("tests/test_search_kernels_layers.py::test_layers_keep_the_machine_whose_code_they_call",),
    ),
    Fault(
        "a path that is cheaper by one is not taken",
        "accept",
        "if cost >= signed(known >> _ONE): ...",
        "if cost + 1 >= signed(known >> _ONE): ...",
        BEST,
    ),
    Fault(
        "of equal priorities the larger estimate goes first",
        "best_first.before",
        "return buckets[a].h < buckets[b].h",
        "return buckets[a].h > buckets[b].h",
        BEST,
    ),
    Fault(
        "the cost of a path is that of its last step",
        "accept",
        "cost = g + out.costs[i]",
        "cost = out.costs[i]",
        BEST,
    ),
    Fault(
        "one more than the last priority is called proven",
        "best_first.run",
        "course.bound = max(course.bound, bucket.priority)",
        "course.bound = max(course.bound, bucket.priority + 1)",
        ("tests/test_search_kernels_best_first.py::test_limits_on_nodes",),
    ),
    Fault(
        "the limit on nodes is exceeded by one",
        "best_first.run",
        "if course.expanded == rules.limit: ...",
        "if course.expanded > rules.limit: ...",
        ("tests/test_search_kernels_best_first.py::test_limits_on_nodes",),
    ),
    Fault(
        "a search that reopens nothing proves bounds on plans below a cost",
        "algorithms.best_first.best_first",
        "reopen or below == INFINITY",
        "True",
        ("tests/test_search_improving.py::test_a_search_that_reopens_nothing_proves_nothing_below_a_cost",),
    ),
    Fault(
        "that such a search comes to its end proves that no plan is cheaper",
        "prove_exhausted",
        "reopen and space.below < INFINITY",
        "space.below < INFINITY",
        ("tests/test_search_improving.py::test_a_search_that_reopens_nothing_proves_nothing_below_a_cost",),
    ),
    Fault(
        "an estimate that nobody has proven cuts paths off",
        "algorithms.best_first.best_first",
        "h_weight == 0 or space.heuristic.admissible",
        "True",
        ("tests/test_search_improving.py::test_an_estimate_that_is_not_admissible_cuts_nothing",),
    ),
    Fault(
        "it does in a beam",
        "algorithms.beam.best_of",
        "space.heuristic.admissible",
        "True",
        ("tests/test_search_improving.py::test_an_estimate_that_is_not_admissible_cuts_nothing",),
    ),
    Fault(
        "it does in machine code",
        "BestFirst.__init__",
        "h_weight == 0 or space.heuristic.admissible",
        "True",
        ("tests/test_search_kernels_best_first.py::test_only_plans_below_a_cost_are_wanted",),
    ),
    Fault(
        "plans that cost just what they are to be below are wanted",
        "open_all",
        "out.costs[i] + h * rules.cuts >= rules.below",
        "out.costs[i] + h * rules.cuts > rules.below",
        ("tests/test_search_kernels_best_first.py::test_only_plans_below_a_cost_are_wanted",),
    ),
    Fault(
        "a beam in machine code drops paths that are one cheaper than that",
        "expand_layer",
        "below != NO_LIMIT and cost >= below",
        "below != NO_LIMIT and cost >= below - 1",
        ("tests/test_search_kernels_best_first.py::test_only_plans_below_a_cost_are_wanted",),
    ),
    Fault(
        "any heuristic leads the search in a window",
        "Windows.lead",
        "heuristic if heuristic.consistent else BLIND",
        "heuristic",
        ("tests/test_search_improving.py::test_a_heuristic_that_is_not_consistent_leads_no_window",),
    ),
    Fault(
        "a window is left without what its end has to pay",
        "Windows._asked",
        "cost + left",
        "cost",
        ("tests/test_search_improving.py::test_a_window_is_as_short_as_breadth_first_search_says",),
    ),
    Fault(
        "the largest windows are left out where the plan gets shorter meanwhile",
        "Windows.improved",
        "self.stopped is not None or not ended or size >= steps",
        "self.stopped is not None or not ended or size >= len(self._route.actions)",
        ("tests/test_search_improving.py::test_windows_come_to_the_optimum",),
    ),
    Fault(
        "every heuristic bounds an anytime search",
        "anytime.Run._settled",
        "[each for each in self.named if self._proven(each, ask)]",
        "list(self.named)",
        ("tests/test_puzzlewright_anytime.py::test_a_heuristic_that_is_not_proven_bounds_nothing",),
    ),
    Fault(
        "a plan is optimal when an anytime search is ended",
        "anytime.Run._ended",
        "if self.agreed.cost == self.standing.bound: ...",
        "if True: ...",
        ("tests/test_puzzlewright_anytime.py::test_a_limit_leaves_the_best_plan_and_the_gap",),
    ),
    Fault(
        "a plan is optimal because of another one that the referee has not seen",
        "anytime.Run._ended",
        "if self.agreed.cost == self.standing.bound: ...",
        "if self.standing.closed: ...",
        ("tests/test_puzzlewright_anytime.py::test_a_plan_that_the_referee_has_no_time_for_proves_nothing",),
    ),
    Fault(
        "nobody holds the plan of an anytime search to what is proven",
        "anytime.Run._ended",
        "if doubt := self._doubt(self.agreed): ...",
        "if doubt := '': ...",
        ("tests/test_puzzlewright_anytime.py::test_what_is_proven_and_wrong_on_the_plan_is_a_disagreement",),
    ),
    Fault(
        "deepening counts steps where it should add costs",
        "deepening.walk",
        "g[depth - 1] + (1 if count_steps else costs[node])",
        "g[depth - 1] + 1",
        DEEPENING,
    ),
    Fault(
        "a state met as cheaply as before is walked again",
        "deepening.walk",
        "if f >= least_f[number]: ...",
        "if f > least_f[number]: ...",
        DEEPENING,
    ),
    Fault(
        "a state stays on the path when the walk has left it",
        "deepening.walk",
        "path.entries[path.slots[depth]] = NOT_THERE",
        "path.entries[path.slots[depth]] = path.entries[path.slots[depth]]",
        DEEPENING,
    ),
    Fault(
        "depth-first search tries only the first successor",
        "depth_first.go_on",
        "place[depth] += 1",
        "place[depth] = end[depth]",
        ("tests/test_search_kernels_deepening.py::test_all_of_a_space_depth_first",),
    ),
    Fault(
        "two layers that have not met are counted twice",
        "kernels.bidirectional.bidirectional",
        "forward.depth + backward.depth + 1",
        "forward.depth + backward.depth + 2",
        LAYERS,
    ),
    Fault(
        "the parent of a candidate is counted from the first node",
        "expand_layer",
        "origins[number] = sweep.cursor + out.parents[i]",
        "origins[number] = out.parents[i]",
        BEST,
    ),
    Fault(
        "a plan takes the first of several actions instead of the cheapest",
        "actions_along",
        "min(steps, key=lambda step: step[1]) if cheapest else steps[0]",
        "steps[0]",
        BEST,
    ),
    Fault(
        "edges are counted at the first state of a batch",
        "list_edges",
        "head + out.parents[i]",
        "head",
        ("tests/test_puzzlewright_explore.py::test_kernels_find_the_same_as_python",),
    ),
]

PROOFS = [
    Fault(
        "an estimate may fall by one more than the cost",
        "shortcoming",
        "change_range(term, row, row.cost, proof)[0] < 0",
        "change_range(term, row, row.cost, proof)[0] < -1",
        FALSE_CLAIMS,
    ),
    Fault(
        "the fall of a quotient is rounded to nothing",
        "by_parts",
        "low // divisor",
        "-(-low // divisor)",
        ("tests/test_search_knowledge.py::test_a_quotient_falls_by_the_fall_rounded_up",),
    ),
    Fault(
        "what shares no leaves is bounded together",
        "change_range",
        "found[0] < enough and many and not nested and not row.guard",
        "found[0] < enough and many and nested and not row.guard",
        ("tests/test_search_knowledge.py::test_what_goes_round_is_followed_from_place_to_place",),
    ),
    Fault(
        "an estimate may be positive at a goal",
        "at_most_zero_at_goal",
        "all(_never_positive(part, goal, proof) for part in parts)",
        "any(_never_positive(part, goal, proof) for part in parts)",
        FALSE_CLAIMS,
    ),
    Fault(
        "a sum may leave its values at the other end",
        "stays_inside",
        "(high <= 0 or at_least) and (low >= 0 or at_most)",
        "(high <= 0 or at_most) and (low >= 0 or at_least)",
        ("tests/test_search_knowledge.py::test_a_sum_may_move_away_from_one_end_only",),
    ),
    Fault(
        "pairs of actions are looked at for as long as it takes",
        "pruning.inverses",
        "look()",
        "None",
        ("tests/test_search_pruning.py::test_proofs_of_pairs_end_where_time_does",),
    ),
    Fault(
        "a machine prunes by no clock",
        "Machine.pruning",
        "pruning(self.task, lambda: self.clock().look())",
        "pruning(self.task)",
        ("tests/test_search_pruning.py::test_proofs_of_pairs_end_where_time_does",),
    ),
    Fault(
        "rows commute though the second writes what the first reads",
        "pruning.conflicts",
        "return found | found.T",
        "return found",
        PRUNED,
    ),
    Fault(
        "rows commute though one writes what the other's cost reads",
        "pruning.conflicts",
        "row.read.union(leaves(row.cost))",
        "row.read",
        ("tests/test_search_pruning.py::test_what_reads_and_what_is_written_do_not_commute",),
    ),
    Fault(
        "a row undoes another one if it restores one variable",
        "undoes",
        "all(equal(substitute(following.after.get(v, v), last.after, memo), v, guard) for v in written)",
        "any(equal(substitute(following.after.get(v, v), last.after, memo), v, guard) for v in written)",
        PRUNED,
    ),
    Fault(
        "a heuristic that tells objects apart is used with symmetry",
        "respects",
        "return all(prover.keeps(each, term) for each in symmetry.exchanges)",
        "return True",
        ("tests/test_search_symmetry.py::test_heuristics_may_tell_objects_apart",),
    ),
    Fault(
        "states before canonical ones are not canonical",
        "Machine._backward",
        "found.steps = self.steps",
        "found.steps = ()",
        ("tests/test_search_machine_symmetry.py::test_what_precedes_canonical_states",),
    ),
]

ENCODER = [
    Fault(
        "a plan may act again after it has been idle",
        "Unrolling.step",
        "self.formula.clause((~self.steps[-1].idle, step.idle))",
        "pass",
        ("tests/test_encoders_cpsat.py::test_every_auxiliary_literal_is_determined",),
    ),
    Fault(
        "a plan that is cheaper by one does not count",
        "Unrolling.cost_less_than",
        "((None, limit[place] - 1),)",
        "((None, limit[place] - 2),)",
        ENCODED,
    ),
    Fault(
        "the next layer is asked for the values of this one",
        "Unrolling._possible_after",
        "window.holds(layer + 1, self.horizon)",
        "window.holds(layer, self.horizon)",
        ENCODED,
    ),
    Fault(
        "choices of an action that does not act are free",
        "_new_choices",
        "formula.clause((acts, literals[0]))",
        "pass",
        ("tests/test_encoders_cpsat.py::test_a_plan_is_one_solution",),
    ),
    Fault(
        "an effect that can leave a value cannot change it",
        "link",
        "cases.keys() != {value}",
        "value not in cases",
        ENCODED,
    ),
    Fault(
        "a variable that no effect touches may change",
        "link",
        "touched = formula.any_of([fires for fires, _ in firings])",
        "touched = 0",
        ("tests/test_encoders_cpsat.py::test_frames_agree",),
    ),
    Fault(
        "less than is encoded as at most",
        "Lowering._make_literal",
        "w > value",
        "w >= value",
        ENCODED,
    ),
    Fault(
        "later cases do not exclude the earlier ones",
        "Lowering.branches",
        "none = self.formula.all_of((none, ~holds))",
        "none = self.formula.all_of((none, holds))",
        ENCODED,
    ),
    Fault(
        "a required less than is at most",
        "_require_compare",
        'gap = 1 if comparison == "<" else 0',
        "gap = 0",
        ENCODED,
    ),
    Fault(
        "a disjunction is required of rows that do not act",
        "_require_one",
        "require(layer, prefix, complex_[-1], levels - 1)",
        "require(layer, prefix[len(unless) :], complex_[-1], levels - 1)",
        ENCODED,
    ),
    Fault(
        "the constant of a sum is taken with the wrong sign",
        "sums._less",
        "end - total.constant",
        "end + total.constant",
        ("tests/test_encoders_cpsat.py::test_sums_as_linear_constraints",),
    ),
    Fault(
        "the complement of an interval lacks its first value",
        "complement",
        "first = high + 1",
        "first = high + 2",
        ("tests/test_encoders_cpsat.py::test_sums_as_linear_constraints",),
    ),
    Fault(
        "a negated literal in a sum loses its constant",
        "Formula.linear",
        "constant += coefficient\ncoefficient, literal = (-coefficient, ~literal)",
        "coefficient, literal = (-coefficient, ~literal)",
        ("tests/test_encoders_cpsat.py::test_weighted_literals_may_be_negated",),
    ),
    Fault(
        "a choice that selects nothing is open",
        "Formula.choose",
        "self.clause((~found, *(s for s, _ in key)))",
        "pass",
        ("tests/test_encoders_cpsat.py::test_every_auxiliary_literal_is_determined",),
    ),
    Fault(
        "rows are left out one step too early",
        "_row_tails",
        "1 + _nearest(values, distances[effect.target])",
        "2 + _nearest(values, distances[effect.target])",
        ENCODED,
    ),
    Fault(
        "only the first row that assigns some values leads back to others",
        "reachability._backward",
        "sources.setdefault(new, set()).update(old)",
        "sources.setdefault(new, set(old))",
        ENCODED,
    ),
    Fault(
        "at most is taken to fail where both sides can only be equal",
        "value_sets._compared",
        "holds = low < most + (not strict)",
        "holds = low < most",
        ENCODED,
    ),
    Fault(
        "a dearer row stands for two cheaper ones",
        "_is_wasted",
        "cost.values[-1] <= both",
        "cost.values[0] <= both + 1",
        ("tests/test_encoders_implied.py::test_a_dearer_row_does_not_stand_for_two",),
    ),
    Fault(
        "rows commute though the first writes what the second asks",
        "out_of_order",
        "apart = written.isdisjoint(asked[following]) and overwritten.isdisjoint(asked[last])",
        "apart = overwritten.isdisjoint(asked[last])",
        ("tests/test_encoders_implied.py::test_best_plans_stay_best",),
    ),
    Fault(
        "steps that a cheaper plan may have are counted too few",
        "Outline.steps_below",
        "return (costs[first] - less) // self.cheapest[first]",
        "return costs[first] // self.cheapest[first] - less",
        ("tests/test_encoders_cpsat.py::test_a_cheaper_plan_may_be_longer",),
    ),
]

GROUNDER = [
    Fault(
        "two assignments may give one variable different values",
        "_Grounder._conflicts",
        "yield t.negation(clash)",
        "yield TRUE",
        EVALUATORS,
    ),
    Fault(
        "a repeated phase may stop while it would go on",
        "_Grounder._unchanged",
        'return t.compare("==", assignment.value, self._current(assignment.target, env))',
        "return TRUE",
        EVALUATORS,
    ),
    Fault(
        "an action whose cost is undefined applies",
        "_Grounder._row",
        "(when, *(defined(cost) for cost in costs.values()))",
        "(when,)",
        ("tests/test_models_evaluators.py::test_every_cost_has_to_be_defined",),
    ),
    Fault(
        "a repeated phase compares with the old state",
        "_Grounder._current",
        "env.stages.of.get(target, 0)",
        "0",
        EVALUATORS,
    ),
    Fault(
        "an undefined value may be assigned",
        "_place_in_domain",
        "t.conjunction((value.defined, valid))",
        "valid",
        EVALUATORS,
    ),
    Fault(
        "an undefined target is passed over",
        "_Grounder._assign",
        "t.conjunction((t.disjunction(named), valid))",
        "valid",
        EVALUATORS,
    ),
    Fault(
        "rows of different costs are joined as twins",
        "_merge_twins",
        "key = (row.phases, row.costs)",
        "key = row.phases",
        EVALUATORS,
    ),
    Fault(
        "a variable that only the cost reads is dropped",
        "_relevant",
        "[task.goal, task.always, *(cost for row in rows for cost in row.costs), *(phase.guard for row in "
        "rows for phase in row.phases)]",
        "[task.goal, task.always, *(phase.guard for row in rows for phase in row.phases)]",
        EVALUATORS,
    ),
    Fault(
        "steps are said to cost 1 if one of them does",
        "Task.unit_cost",
        "all(row.cost is TRUE for row in self.rows.values())",
        "any(row.cost is TRUE for row in self.rows.values())",
        ("tests/test_models_execution.py::test_a_task_knows_its_rows_and_whether_steps_cost_one",),
    ),
    Fault(
        "what must always hold is no part of what a task means",
        "execution.apply",
        "value(task.always, stages[-1:])",
        "stages",
        ("tests/test_models_execution.py::test_successors_worked_out_by_hand",),
    ),
    Fault(
        "what a task means is told of holes too",
        "execution.value",
        'assert found is not None, "a hole has no value"',
        "found = found or 0",
        ("tests/test_models_execution.py::test_nobody_looks_at_a_hole",),
    ),
    Fault(
        "the first metric asked for weighs least",
        "_weights",
        "return tuple(reversed(weights))",
        "return tuple(weights)",
        ("tests/test_puzzlewright_cli.py::test_metrics",),
    ),
    Fault(
        "membership of something undefined counts",
        "Unroller.contains",
        "t.conjunction((known, t.negation(found) if node.negated else found))",
        "t.negation(found) if node.negated else found",
        EVALUATORS,
    ),
    Fault(
        "a let reads what the phase before has left",
        "Unroller._applied",
        "Env({**env.parameters, **bound}, env.parameters, env.arrays)",
        "Env({**env.parameters, **bound}, env.parameters, env.arrays, env.stages)",
        LET,
    ),
    Fault(
        "a recursive definition is left after two rounds",
        "_iterated",
        "for _ in equations: ...",
        "for _ in range(2): ...",
        RECURSION,
    ),
    Fault(
        "a term with many leaves has few",
        "_few_of",
        "len(found) > FEW_LEAVES",
        "len(found) > FEW_LEAVES + 1",
        ("tests/test_models_terms.py::test_few_leaves_are_the_leaves",),
    ),
    Fault(
        "a step of a tall term is written where a choice is not known yet",
        "Emitter._steps_below",
        "self.floor(part)",
        "0",
        ("tests/test_search_codegen.py::test_random_tasks_in_small_steps",),
    ),
    Fault(
        "tall terms are written by recursion alone",
        "Emitter._steps_below",
        "not self.steps.is_step(term)",
        "True",
        ("tests/test_search_codegen.py::test_terms_of_a_thousand_levels",),
    ),
    Fault(
        "conditions are taken apart however tall they are",
        "requirements.require",
        "known is not None or not levels",
        "known is not None",
        ("tests/test_encoders_cpsat.py::test_conditions_of_a_thousand_levels",),
    ),
    Fault(
        "nobody looks at the clock while code is written",
        "Scopes.value",
        "number % PACE == 0",
        "False",
        ("tests/test_puzzlewright_limits.py::test_code_generation_keeps_the_time_limit",),
    ),
    Fault(
        "nobody looks at the clock while rows are prepared",
        "codegen.prepared",
        "look()",
        "None",
        ("tests/test_puzzlewright_limits.py::test_code_generation_keeps_the_time_limit",),
    ),
    Fault(
        "LLVM begins whatever time is left",
        "compile_text",
        "left < lines * SECONDS_A_LINE",
        "left < 0",
        ("tests/test_puzzlewright_limits.py::test_llvm_is_not_begun_where_it_would_end_too_late",),
    ),
    Fault(
        "spaces are alike whose values Python takes for equal",
        "unrolling._alike",
        "space_of(one).number == space_of(other).number",
        "one == other",
        ("tests/test_models_evaluators.py::test_a_list_with_one_is_none_with_true",),
    ),
    Fault(
        "rounds that need not come to rest are folded",
        "_is_loop",
        "not _one_more(row.phases[first + 1], first + 1, end, own, sizes) <= set(conjuncts(later[0].guard))",
        "False",
        ("tests/test_search_folding.py::test_rounds_that_must_not_come_to_rest_are_none_of_a_loop",),
    ),
    Fault(
        "a folded loop has one round less",
        "_with_loops",
        "count + 1",
        "count",
        ("tests/test_search_folding.py::test_five_rounds_are_enough_for_five_heights",),
    ),
    Fault(
        "stages within a loop may be read behind it",
        "_is_loop",
        "not any(stage in within for read in reads[end:] for _, stage in read)",
        "True",
        ("tests/test_search_folding.py::test_stages_within_that_are_read_behind_keep_the_rounds_apart",),
    ),
    Fault(
        "rounds that read what the first one found are folded with it",
        "folding._rounds",
        "any((index, first) in reads[first + 1] for index in own)",
        "False",
        ("tests/test_search_folding.py::test_rounds_that_read_what_the_loop_began_with_are_none",),
    ),
    Fault(
        "a round that reads older values is not grounded anew",
        "_Grounder._next_round",
        "old <= first",
        "False",
        ("tests/test_search_folding.py::test_names_outside_a_phase_mean_what_they_meant_before_it",),
    ),
    Fault(
        "a plan shorter than what was ruled out is let pass",
        "Gap.ask",
        "len(answer.operators) < self.least",
        "False",
        ("tests/test_encoders_cpsat.py::test_a_plan_shorter_than_what_was_ruled_out_is_a_contradiction",),
    ),
    Fault(
        "a horizon beyond the limit is asked about",
        "Gap.horizon",
        "min(self.least + self.stride - 1, limit)",
        "self.least + self.stride - 1",
        ("tests/test_encoders_cpsat.py::test_a_limit_on_steps_is_asked_about_and_no_more",),
    ),
    Fault(
        "what is ruled out counts a step more",
        "Gap.rise",
        "self.least, self.conflicts, self.stride = horizon + 1, conflicts, self.stride * RISE if gentle else 1",
        "self.least, self.conflicts, self.stride = horizon + 2, conflicts, self.stride * RISE if gentle else 1",
        ("tests/test_encoders_cpsat.py::test_horizons_rise_and_the_gap_is_halved",),
    ),
    Fault(
        "code is made better whatever time is left",
        "Draft._affordable",
        "left > 3 * self._price",
        "True",
        ("tests/test_search_drafts.py::test_code_stays_where_little_is_left",),
    ),
    Fault(
        "code is made better whatever memory is left",
        "Draft._affordable",
        "room > 3 * self._room",
        "True",
        ("tests/test_search_drafts.py::test_code_stays_where_little_is_left",),
    ),
    Fault(
        "code is made better before it has run for long",
        "Draft.running",
        "self._used >= self._price",
        "True",
        ("tests/test_search_drafts.py::test_code_that_has_not_run_for_long_stays",),
    ),
    Fault(
        "code is in use while its process waits for the user",
        "Draft.running",
        "min(now - self._last, LONGEST_GAP)",
        "now - self._last",
        ("tests/test_search_drafts.py::test_a_rest_of_the_process_is_no_use_of_the_code",),
    ),
    Fault(
        "machine code is made anew for each start",
        "Machine.restarted",
        "assert self._code",
        "pass",
        ("tests/test_search_machine_starts.py::test_hints_share_their_machine_code",),
    ),
    Fault(
        "machine code keeps the clock of whoever asked first",
        "Machine.restarted",
        "self.clock = clock",
        "pass",
        ("tests/test_search_machine_starts.py::test_a_restarted_machine_has_another_clock",),
    ),
    Fault(
        "better code is never called",
        "Draft._lead_to",
        "code.addresses[name]",
        "self._codes[0].addresses[name]",
        ("tests/test_search_drafts.py::test_an_entry_leads_to_the_better_code_when_its_time_is_paid",),
    ),
    Fault(
        "rows are grounded without a look at the clock",
        "_Grounder._schema",
        "self.deadline.look()",
        "None",
        ("tests/test_puzzlewright_limits.py::test_every_row_looks_at_the_clock",),
    ),
    Fault(
        "grounding forgets the memory limit",
        "Limits.deadline",
        "None if self.memory_mb is None else Gauge(self)",
        "None",
        ("tests/test_puzzlewright_limits.py::test_grounding_and_code_generation_keep_the_memory_limit",),
    ),
    Fault(
        "what an unknown needs of itself is forgotten",
        "_System.add",
        "self.times(factor, FALSE)",
        "self.kind.zero",
        RECURSION,
    ),
    Fault(
        "an equation is read as linear where it has two unknowns in one product",
        "_Linear._form",
        "len(inside) == 1",
        "len(inside) > 0",
        RECURSION,
    ),
    Fault(
        "the guard of a branch is not turned round in a product of sums",
        "Kind.only_where",
        "condition if self.zero is FALSE else t.negation(condition)",
        "condition",
        RECURSION,
    ),
    Fault(
        "groups of unknowns are solved before those that they use",
        "least_solution",
        "_groups(uses)",
        "reversed(_groups(uses))",
        RECURSION,
    ),
    Fault(
        "elimination forgets the clock",
        "_System.eliminate",
        "look()",
        "None",
        ("tests/test_models_recursion.py::test_elimination_looks_at_the_clock",),
    ),
    Fault(
        "the least of nothing is defined",
        "unrolling._best",
        "known.append(t.disjunction(c for c, _ in values))",
        "known.append(TRUE)",
        EVALUATORS,
    ),
    Fault(
        "a range includes its end",
        "unrolling._span",
        't.compare("<", t.const(n), high)',
        't.compare("<=", t.const(n), high)',
        EVALUATORS,
    ),
    Fault(
        "distance does not look across joined edges",
        "unrolling._distance",
        "min(rows, grid.rows - rows) if grid.wraps_rows else rows",
        "rows",
        ("tests/test_models_evaluators.py::test_distances_across_joined_edges",),
    ),
    Fault(
        "a ray leaves out the cell that it begins at",
        "unrolling._ray",
        "return seen",
        "return seen[1:]",
        EVALUATORS,
    ),
    Fault(
        "a choice between values is always defined",
        "unrolling.merge",
        "where = t.cases(zip(conditions, known, strict=False), known[-1])",
        "where = TRUE",
        EVALUATORS,
    ),
    Fault(
        "a remainder is taken for the number itself at the divisor",
        "modulo",
        "term.values[-1] < divisor",
        "term.values[-1] <= divisor",
        CONSTRUCTORS,
    ),
    Fault(
        "a table over a negated condition is not turned round",
        "lookup",
        "lookup(argument.argument, tuple(reversed(table)))",
        "lookup(argument.argument, table)",
        CONSTRUCTORS,
    ),
    Fault(
        "a minimum leaves out what is sometimes the least",
        "minimum",
        "bound = min(term.values[-1] for term in arguments)",
        "bound = min(term.values[0] for term in arguments) + 1",
        CONSTRUCTORS,
    ),
    Fault(
        "a constant beside a single summand is lost",
        "_scaled",
        "if coefficient == 1 and constant == 0: ...",
        "if coefficient == 1: ...",
        CONSTRUCTORS,
    ),
    Fault(
        "a case that gives the last value is dropped wherever it stands",
        "terms.cases",
        "while kept and kept[-1][1] is otherwise: ...",
        "kept = [pair for pair in kept if pair[1] is not otherwise]",
        CONSTRUCTORS,
    ),
]

REFEREE = [
    Fault(
        "every phase reads the old state",
        "referee._round",
        "Scope(state, at.old, dict(at.parameters), at.parameters)",
        "Scope(at.old, at.old, dict(at.parameters), at.parameters)",
        EVALUATORS,
    ),
    Fault(
        "of two values for one variable the last one wins",
        "referee._assign",
        "if place in assigned and assigned[place] != value: ...",
        "if place in assigned and assigned[place] is UNDEFINED: ...",
        EVALUATORS,
    ),
    Fault(
        "a repeated phase is not asked whether it would go on",
        "referee._phase",
        "phase.repeat is not None",
        "phase.repeat == 0",
        EVALUATORS,
    ),
    Fault(
        "a plan need not end in a goal",
        "referee.replay",
        "if is_goal(puzzle, state): ...",
        "if is_goal(puzzle, state) or plan: ...",
        ("tests/test_puzzlewright_cli.py::test_a_plan_that_stops_early",),
    ),
    Fault(
        "what must always hold is asked of the state before",
        "referee._applied",
        "if not holds(condition.expression, scope(now)): ...",
        "if not holds(condition.expression, scope(state)): ...",
        ("tests/test_models_evaluators.py::test_what_must_always_hold_is_asked_of_the_state_after",),
    ),
    Fault(
        "a step may be taken whose cost is undefined",
        "referee._applied",
        "costs(puzzle, state, step)",
        "",
        ("tests/test_models_evaluators.py::test_every_cost_has_to_be_defined",),
    ),
    Fault(
        "the first step costs nothing",
        "_total",
        "sum(step[metric] for step in steps)",
        "sum(step[metric] for step in steps[1:])",
        ("tests/test_puzzlewright_cli.py::test_metrics",),
    ),
    Fault(
        "a comparison with one undefined side counts",
        "_equal",
        "left is UNDEFINED or right is UNDEFINED",
        "left is UNDEFINED and right is UNDEFINED",
        EVALUATORS,
    ),
    Fault(
        "the least of some undefined values is defined",
        "interpreter._best",
        "if not ranks or any(rank is UNDEFINED for rank in ranks): ...",
        "ranks = [rank for rank in ranks if rank is not UNDEFINED]\nif not ranks: ...",
        EVALUATORS,
    ),
    Fault(
        "a let reads the state as the phase finds it",
        "interpreter._apply",
        "Scope(at.old, at.old, {**at.parameters, **bound}, at.parameters, at.solutions)",
        "Scope(at.state, at.old, {**at.parameters, **bound}, at.parameters, at.solutions)",
        LET,
    ),
    Fault(
        "a definition keeps what it gave in another state",
        "_in_state",
        "if state is not at.state: ...",
        "if not given: ...",
        EVALUATORS,
    ),
    Fault(
        "a condition is looked at before all its parameters are bound",
        "referee._parts",
        "e.Local | e.ArrayElement",
        "e.Local",
        EVALUATORS,
    ),
    Fault(
        "adjacency includes the cell itself",
        "interpreter._measure",
        "rows + cols == 1",
        "rows + cols <= 1",
        EVALUATORS,
    ),
]

MIRRORED = [
    Fault(
        "of the cells that a mirror exchanges some stay",
        "exchange._moves",
        "ordered((places[one], places[other]) for one, other in pairs)",
        "ordered((places[one], places[other]) for one, other in pairs[:1])",
        MIRROR,
    ),
    Fault(
        "a mirror may break the goal",
        "ExchangeProver.broken",
        'for what, term in (("the goal", self.task.goal), ("`always`", self.task.always)): ...',
        'for what, term in (("`always`", self.task.always),): ...',
        ("tests/test_search_symmetry_boards.py::test_boards_with_and_without_mirrors",),
    ),
    Fault(
        "a mirror moves stored cells and leaves them what they are",
        "symmetry._moved",
        "source, tuple(swapped(value, swap) for value in table)",
        "source, table",
        MIRROR,
    ),
    Fault(
        "two mirrors are not combined",
        "symmetry._group",
        "if after not in images: ...",
        "if after not in images and image is images[0]: ...",
        MIRROR,
    ),
    Fault(
        "one image of a word is forgotten",
        "canonical._mirror",
        "for image in step.images[1:]: ...",
        "for image in step.images[2:]: ...",
        MIRROR,
    ),
    Fault(
        "what holds of all states is said of their images",
        "Machine._backward",
        "facts = shared_facts(self.task, self.symmetry, facts)",
        "facts = list(facts)",
        ("tests/test_search_symmetry_mirrors.py::test_a_fact_about_one_side_says_nothing_about_its_image",),
    ),
    Fault(
        "a fact is kept whose image is none",
        "shared_facts",
        "not images[form] <= parts.keys()",
        "images[form].isdisjoint(parts)",
        ("tests/test_search_symmetry_mirrors.py::test_facts_that_hold_for_images_too_are_kept",),
    ),
]

RECORDER = [
    Fault(
        "a recorded way costs what its last step costs",
        "RecordedSpace._beyond",
        "node.g + cost",
        "cost",
        (
            "tests/test_puzzlewright_trace.py::test_events_counted_by_hand",
            "tests/test_puzzlewright_trace.py::test_a_cheaper_way_reopens",
        ),
    ),
    Fault(
        "every node is the first of its state",
        "RecordedSpace._numbered",
        "node.same_as = None if first is node else first.number",
        "node.same_as = None",
        ("tests/test_puzzlewright_trace.py::test_a_node_knows_the_first_of_its_state",),
    ),
    Fault(
        "a node of the way back is taken for one of the way there",
        "RecordedSpace._beyond",
        "RecordedNode(state, -1, h, node, operator, cost, node.g + cost, node.depth + 1, node.backward)",
        "RecordedNode(state, -1, h, node, operator, cost, node.g + cost, node.depth + 1, False)",
        ("tests/test_puzzlewright_trace.py::test_backward_nodes_step_towards_the_goal",),
    ),
]

COMPOSED = ("tests/test_puzzlewright_explain.py::test_a_row_of_many_phases_is_composed_by_the_clock",)

DEADLINES = [
    Fault(
        "an interrupt that comes while a kernel is compiled is lost",
        "loading.undisturbed",
        "signal.raise_signal(came[0])",
        "...",
        ("tests/test_puzzlewright_limits.py::test_an_interrupt_waits_for_the_compiler_and_a_second_one_does_not",),
    ),
    Fault(
        "an interrupt that Python drops is lost",
        "desk.obey_ctrl_c",
        "sys.unraisablehook = dropped",
        "...",
        (
            "tests/test_puzzlewright_limits.py::test_an_interrupt_that_python_drops_comes_again_and_a_second_one_ends_the_process",
        ),
    ),
    Fault(
        "a proof that is cut short is one",
        "Prover.judge",
        'reason = f"not proven within {most:g} s" if time.monotonic() - started >= most else CUT_SHORT',
        'reason = ""',
        ("tests/test_search_machine_starts.py::test_a_deadline_that_is_over_proves_nothing",),
    ),
    Fault(
        "the phases of a row are composed without a clock",
        "compose",
        "look()",
        "",
        COMPOSED,
    ),
    Fault(
        "the phases of a row are composed without a clock, for claims",
        "regression.transition",
        "look()",
        "",
        COMPOSED,
    ),
]

STARTS = [
    Fault(
        "code for one start is used for any",
        "Bench.machine",
        "if known is None or not known.covers(self.task.start): ...",
        "if known is None: ...",
        ("tests/test_search_machine_starts.py::test_hints_do_not_mix_up_starts",),
    ),
    Fault(
        "a constant of the code may have any value that has a code",
        "_covered",
        "not settled",
        "values",
        ("tests/test_search_machine_starts.py::test_a_constant_of_the_code_is_no_constant_elsewhere",),
    ),
    Fault(
        "another start is remembered under the name of the first",
        "with_start",
        "sha256(repr((puzzle.fingerprint, list(state.items()))).encode())",
        "sha256(repr((puzzle.fingerprint,)).encode())",
        ("tests/test_puzzlewright_scramble.py::test_the_start_is_part_of_the_fingerprint",),
    ),
    Fault(
        "what is known of a level is said of any start",
        "with_start",
        "replace(puzzle, variables=_all_fixed(puzzle, state), known={}, fingerprint=fingerprint)",
        "replace(puzzle, variables=_all_fixed(puzzle, state), fingerprint=fingerprint)",
        ("tests/test_puzzlewright_scramble.py::test_known_values_are_of_the_levels_own_start",),
    ),
    Fault(
        "a start is read in another order than its type has",
        "starts._items",
        "return [raw[word] for word in words]",
        "return [raw[word] for word in sorted(words)]",
        ("tests/test_search_machine_starts.py::test_a_table_of_start_values_is_read_by_its_words",),
    ),
    Fault(
        "steps that lead to a start are made from the first one each",
        "after_steps",
        "state = apply(puzzle, state, step)",
        "state = apply(puzzle, start_state(puzzle), step)",
        ("tests/test_crosscheck_random.py::test_evaluators_agree_after_steps",),
    ),
    Fault(
        "what holds is asked of the start before the steps to it",
        "loader.load",
        "if own.after is not None: ...",
        "check_start(puzzle)\nif own.after is not None: ...",
        ("tests/test_models_after.py::test_conditions_hold_of_the_start_that_the_steps_lead_to",),
    ),
    Fault(
        "a level key takes the name of a datum",
        "_with_own_words",
        "{*document.data, *document.draw}",
        "{*document.data}",
        ("tests/test_models_after.py::test_a_datum_of_the_files_own_keeps_the_name",),
    ),
    Fault(
        "a bound holds that a proven bound exceeds",
        "_at_most",
        'return ("missed", _words(low, high)) if low > numbers else ("open", "")',
        'return "open", ""',
        ("tests/test_puzzlewright_levels.py::test_a_bound_and_a_search_that_was_stopped",),
    ),
    Fault(
        "a plan that costs more than a bound keeps to it",
        "_at_most",
        "high is not None and high <= numbers",
        "high is not None",
        ("tests/test_puzzlewright_levels.py::test_a_bound_and_a_search_that_was_stopped",),
    ),
    Fault(
        "a list is converted where the datum itself stands only",
        "Checker.collection",
        "Typed(typed.expression, self._items(typed.static, source), typed.static.data or ())",
        "Typed(typed.expression, self._items(typed.static, source))",
        ("tests/test_models_evaluators.py::test_data_lists_of_cells_wherever_they_come_from",),
    ),
    Fault(
        "the unroller composes the other way round",
        "unrolling._RULES",
        "apply2(_composition, u.ground(node.left, env), u.ground(node.right, env))",
        "apply2(_composition, u.ground(node.right, env), u.ground(node.left, env))",
        ("tests/test_models_permutations.py::test_values_counted_by_hand",),
    ),
    Fault(
        "the unroller takes a permutation for its inverse",
        "unrolling._inverse",
        "return tuple(sorted(range(len(value)), key=lambda place: value[place]))",
        "return value",
        EVALUATORS,
    ),
    Fault(
        "the referee takes a list for a permutation that names other places",
        "interpreter._inverse",
        "leading.keys() != places.keys()",
        "len(leading) != len(places)",
        ("tests/test_models_permutations.py::test_what_is_no_permutation_has_no_inverse",),
    ),
    Fault(
        "a new function takes the name of what a file has",
        "Checker.call",
        "word in _CALLS and not self._own(word, names)",
        "word in _CALLS",
        ("tests/test_models_permutations.py::test_the_files_own_meaning_is_no_function_besides",),
    ),
]

MARKS = "tests/test_models_marks.py"
KNOWN = "tests/test_puzzlewright_known.py"

MARKED = [
    Fault(
        "marks of different letters are said to be alike",
        "_by_letter",
        "found.setdefault(thing.letter, [])",
        "found.setdefault('', [])",
        (f"{MARKS}::test_marks_of_one_letter_are_alike_where_no_rule_tells_them_apart",),
    ),
    Fault(
        "a mark has an origin that is no cell",
        "Checker._origin",
        "{mark: mark.origin for mark in marks if mark.origin in board.place}",
        "{mark: mark.origin for mark in marks}",
        (f"{MARKS}::test_values_counted_by_hand",),
    ),
    Fault(
        "the maker of marks takes the name of a definition",
        "LevelNames._own",
        "word == 'marks' and word in self.definitions",
        "False",
        (f"{MARKS}::test_a_definition_by_the_name_of_the_maker_stays_what_it_is",),
    ),
    Fault(
        "what a definition reads that is called marks is a text map",
        "text_maps",
        "_defines(document, 'marks')",
        "False",
        (f"{MARKS}::test_a_definition_by_the_name_of_the_maker_stays_what_it_is",),
    ),
    Fault(
        "two marks are called alike",
        "_words_of_marks",
        "return words if len(set(words)) == len(words) else [''] * len(words)",
        "return words",
        (f"{MARKS}::test_words_are_short_and_plans_are_read_back",),
    ),
    Fault(
        "a digit that stands on the map twice is followed by another digit",
        "_words_of_marks",
        "letter[-1:].isdigit()",
        "False",
        (f"{MARKS}::test_words_are_short_and_plans_are_read_back",),
    ),
    Fault(
        "marks stand on the cells of their map, whatever the author names",
        "LevelNames.boards",
        "if sheet.on: ...",
        "if False: ...",
        (f"{MARKS}::test_the_places_of_a_map_are_those_of_one_type",),
    ),
    Fault(
        "the places of a map are those of one type, though there are several",
        "Checker._board",
        "len(found) == 1",
        "found",
        (f"{MARKS}::test_the_places_of_a_map_are_those_of_one_type",),
    ),
    Fault(
        "for the referee true is a place",
        "interpreter._element",
        "type(index) is int",
        "isinstance(index, int)",
        (f"{MARKS}::test_values_counted_by_hand",),
    ),
    Fault(
        "a place beyond the ends of a type is none of its errors",
        "Checker._at_place",
        "known is not None and not 0 <= known < size",
        "False",
        (f"{MARKS}::test_what_is_refused",),
    ),
    Fault(
        "a plan's array may have any size",
        "_from_word",
        "len(parts) != size",
        "False",
        (f"{MARKS}::test_levels_replace_the_map_and_name_its_marks",),
    ),
    Fault(
        "an array without values is no word of a plan",
        "steps.EMPTY",
        "'|'",
        "''",
        (f"{MARKS}::test_a_level_without_such_letters_has_no_objects",),
    ),
    Fault(
        "a letter that another file may bring is said to be on no map",
        "_absent_letters",
        "sheet.words in filled or Text(sheet.words) not in document.data",
        "Text(sheet.words) not in document.data",
        (f"{MARKS}::test_letters_that_no_map_has_or_nothing_explains",),
    ),
    Fault(
        "a hole with a loop shows its first value only",
        "_filled",
        "', '.join(_filled(hole.element, inner, write) for inner in bindings(hole.loops, at))",
        "next((_filled(hole.element, inner, write) for inner in bindings(hole.loops, at)), '')",
        (f"{MARKS}::test_several_values_in_a_hole",),
    ),
    Fault(
        "steps that cost nothing count as if they cost something",
        "_at_start",
        "int(bench.task.unit_cost)",
        "1",
        (f"{KNOWN}::test_what_costs_nothing_has_no_bound",),
    ),
    Fault(
        "a start that is a goal is the best plan in the first metric only",
        "known_values._missed",
        "if found.plan == (): ...",
        "if False: ...",
        (f"{KNOWN}::test_what_costs_nothing_has_no_bound",),
    ),
    Fault(
        "a bound that is the optimum contradicts it",
        "known_values._beside",
        "best > bound",
        "best >= bound",
        (f"{KNOWN}::test_what_is_right_is_not_told",),
    ),
    Fault(
        "steps from another start show what is enough for a level",
        "missed_together",
        "other.after is None and (other.data, other.state) == (level.data, level.state)",
        "other.after is None",
        (f"{KNOWN}::test_steps_of_the_file_show_that_less_is_enough",),
    ),
    Fault(
        "a walk that was ended has seen all states",
        "known_values._space",
        "claims.walk.complete",
        "True",
        (f"{KNOWN}::test_a_search_that_was_cut_short_refutes_nothing",),
    ),
]

HELD = ("tests/test_encoders_claims.py::test_an_invariant_has_to_keep_its_having_a_value",)
OTHER_START = ("tests/test_search_verdicts.py::test_what_a_walk_has_shown_of_one_start_is_not_said_of_another",)

VERDICTS = [
    Fault(
        "an undefined estimate is what stands in the hole",
        "_Grounder._heuristic",
        "t.cases([(defined(value), _code(value))], FALSE)",
        "_code(value)",
        ("tests/test_models_holes.py::test_an_undefined_estimate_is_nothing",),
    ),
    Fault(
        "an invariant need not have a value",
        "Prover._broken",
        "row = broken_by(invariant.defined, start, self.rows, proof)",
        "row = None",
        HELD,
    ),
    Fault(
        "an invariant need not have a value at the start",
        "Prover._broken",
        "if not value_in(invariant.defined, start): ...",
        "if invariant.defined is None: ...",
        HELD,
    ),
    Fault(
        "CP-SAT does not ask whether an invariant has a value",
        "induction.Prover.invariant",
        'if undefined.status != "proven": ...',
        'if undefined.status == "never": ...',
        HELD,
    ),
    Fault(
        "the facts that a verdict rests on are not named",
        "Claim.key",
        "return json.dumps(list(asdict(self).values()))",
        "return json.dumps([self.by, self.kind, self.name, self.start])",
        ("tests/test_search_verdicts.py::test_a_verdict_is_found_only_with_its_facts", *OTHER_START),
    ),
    Fault(
        "invariants and heuristics share their verdicts",
        "Claim.key",
        "return json.dumps(list(asdict(self).values()))",
        "return json.dumps([self.by, self.name, self.given, self.start])",
        ("tests/test_search_verdicts.py::test_keys_tell_all_parts_apart",),
    ),
    Fault(
        "an invariant is kept whatever its value",
        "claims.said",
        "return json.dumps([invariant.name, value])",
        "return json.dumps([invariant.name])",
        ("tests/test_search_verdicts.py::test_a_fact_has_the_value_of_the_start",),
    ),
    Fault(
        "a walk tells of every start",
        "Proofs.walked",
        'replace(about("walk", declared, self.task.start), start=self.task.start)',
        'about("walk", declared, self.task.start)',
        OTHER_START,
    ),
    Fault(
        "what CP-SAT was given is not named",
        "Proofs.by_cpsat",
        'about("cpsat", declared, self.task.start, self._given(proven))',
        'about("cpsat", declared, self.task.start)',
        OTHER_START,
    ),
    Fault(
        "what another version has kept is read",
        "cache_file",
        'f"verdicts-{program(PROGRAM)}-{fingerprint}.json"',
        'f"verdicts-{fingerprint}.json"',
        ("tests/test_search_verdicts.py::test_what_another_version_has_kept_is_not_read",),
    ),
    Fault(
        "the memory is asked by who must not believe it",
        "Workbench.__init__",
        'Memory(self.task.fingerprint if memory else "")',
        "Memory(self.task.fingerprint)",
        ("tests/test_search_verdicts.py::test_nothing_on_disk_is_believed_without_memory",),
    ),
    Fault(
        "a plan that is cheaper than what is proven is passed over",
        "registry.contradiction",
        "if found.cost < space.lower_bound: ...",
        "if found.cost < 0: ...",
        ("tests/test_search_algorithms.py::test_a_proof_that_the_plan_contradicts_is_a_disagreement",),
    ),
    Fault(
        "an estimate above the rest of the plan is passed over",
        "registry.contradiction",
        "if algorithm.informed and space.heuristic.admissible and overestimated(space, found): ...",
        "if algorithm.informed and not space.heuristic.admissible and overestimated(space, found): ...",
        ("tests/test_search_algorithms.py::test_a_proof_that_the_plan_contradicts_is_a_disagreement",),
    ),
    Fault(
        "reopened states say nothing of a consistent estimate",
        "registry.contradiction",
        "space.statistics.reopened",
        "space.statistics.reopened > 9",
        ("tests/test_search_algorithms.py::test_reopening_contradicts_a_consistent_estimate",),
    ),
    Fault(
        "a plan of CP-SAT is no contradiction where search has found none",
        "proving._proven",
        "beside.plan is not None",
        "beside.plan is None",
        ("tests/test_puzzlewright_beside.py::test_a_plan_of_a_puzzle_without_one_is_a_disagreement",),
    ),
    Fault(
        "CP-SAT is said not to have been asked when it was",
        "proving._proven",
        "NO_BOUND if beside.asked else NOT_ASKED",
        "NOT_ASKED",
        ("tests/test_puzzlewright_beside.py::test_a_puzzle_without_a_plan_ends_it",),
    ),
    Fault(
        "a shorter plan that CP-SAT has found beside the search is nothing",
        "Check.shorter",
        "len(plan.operators or ()) <= last",
        "len(plan.operators or ()) > last + 99",
        ("tests/test_puzzlewright_beside.py::test_a_shorter_plan_of_cpsat_is_a_disagreement",),
    ),
    Fault(
        "CP-SAT may have ruled out what it accepts",
        "Check.shorter",
        "self.without > last",
        "self.without > last + 99",
        ("tests/test_puzzlewright_beside.py::test_a_plan_that_cpsat_has_ruled_out_is_a_disagreement",),
    ),
    Fault(
        "what CP-SAT has failed of beside a search is forgotten",
        "Beside.ended",
        "self._failure is not None",
        "self._failure is None",
        ("tests/test_puzzlewright_beside.py::test_the_verdict_is_that_of_one_after_the_other",),
    ),
    Fault(
        "CP-SAT shares a memory that is limited",
        "Beside.__init__",
        "processors() > 1 and request.limits.memory_mb is None",
        "processors() > 1",
        ("tests/test_puzzlewright_beside.py::test_where_memory_is_limited_or_one_processor_is_there_is_nobody_beside",),
    ),
    Fault(
        "the other thread tells by itself",
        "Beside._tell",
        'words = {"infeasible": "no plan", "feasible": "a plan"}.get(solve.status, "not decided: a plan")',
        'words = {"infeasible": "no plan", "feasible": "a plan"}.get(solve.status, "not decided: a plan")\n'
        "self._show()",
        ("tests/test_puzzlewright_beside.py::test_lines_come_from_the_thread_that_searches",),
    ),
    Fault(
        "prove believes what is on disk",
        "proving.prove",
        "Workbench(puzzle, request.metrics, request.limits.deadline(), memory=False)",
        "Workbench(puzzle, request.metrics, request.limits.deadline())",
        ("tests/test_search_verdicts.py::test_an_answer_that_a_forged_proof_contradicts_is_a_disagreement",),
    ),
    Fault(
        "an odd permutation of the values is an even one",
        "is_odd",
        "return exchanges % 2 == 1",
        "return exchanges % 2 == 2",
        ("tests/test_search_permutations.py::test_against_all_permutations",),
    ),
    Fault(
        "some pairs that are compared are all pairs",
        "inversions",
        "complete = compared and len(compared) == len(variables) * (len(variables) - 1) // 2",
        "complete = compared",
        ("tests/test_search_permutations.py::test_each_pair_counts_once",),
    ),
    Fault(
        "values that may be equal are a permutation",
        "are_distinct",
        "return all(_held_once(variables, value, held) for value in values)",
        "return any(_held_once(variables, value, held) for value in values)",
        ("tests/test_search_permutations.py::test_values_that_may_be_equal_have_no_parity",),
    ),
    Fault(
        "a row that copies a value permutes them",
        "permutations.moved",
        "return sources if set(sources.values()) == set(written) else None",
        "return sources",
        ("tests/test_search_permutations.py::test_a_value_that_is_copied_is_not_moved",),
    ),
    Fault(
        "counts of different values are alike",
        "permutations.counted",
        "len(asked) == 1 and len(variables) == len(total.terms) and all(isinstance(v, Var) for v in variables)",
        "len(variables) == len(total.terms) and all(isinstance(v, Var) for v in variables)",
        ("tests/test_search_permutations.py::test_counts_of_values_that_are_moved",),
    ),
    Fault(
        "as many other facts make values a permutation",
        "_are_distinct",
        'key = ("distinct", variables, *proof.facts)',
        'key = ("distinct", variables, len(proof.facts))',
        ("tests/test_search_permutations.py::test_what_other_facts_have_told_is_not_remembered",),
    ),
]

SAID = [
    Fault(
        "only the last word tells which image is least",
        "canonical._below",
        'smaller = emitter.value(f"select i1 {same}, i1 {found}, i1 {smaller}")',
        'smaller = emitter.value(f"select i1 {same}, i1 {smaller}, i1 {smaller}")',
        ("tests/test_search_symmetry_boards.py::test_boards_with_and_without_mirrors",),
    ),
    Fault(
        "what moves to another word is lost",
        "_image",
        "for word in sorted({new.word for _, new, _ in moved}): ...",
        "for word in sorted({old.word for old, _, _ in moved}): ...",
        ("tests/test_search_symmetry_boards.py::test_boards_with_and_without_mirrors",),
    ),
    Fault(
        "states are counted up to the part of a symmetry that is used",
        "_reduced",
        "None if machine.unused else count_states(machine, limits, watch.walking)",
        "count_states(machine, limits, watch.walking)",
        ("tests/test_search_symmetry_mirrors.py::test_objects_that_are_too_many_are_told_apart",),
    ),
    Fault(
        "a metric counts steps if it is named so",
        "Exploration.unit_cost",
        "return self.in_steps or (len(self.metrics) == 1 and self.bench.task.unit_cost)",
        "return self.metrics == (STEPS,) or self.bench.task.unit_cost",
        ("tests/test_puzzlewright_explore.py::test_a_metric_that_is_named_steps",),
    ),
    Fault(
        "of the states at a distance only some are looked at",
        "Survey.portions",
        "for first in range(lots): ...",
        "for first in range(min(lots, 1)): ...",
        ("tests/test_puzzlewright_explore.py::test_all_states_at_a_distance_are_looked_at",),
    ),
    Fault(
        "a state from which a goal costs nothing is no start",
        "proposing._distances",
        "while distance is not None: ...",
        "while distance: ...",
        ("tests/test_puzzlewright_explore.py::test_a_state_from_which_a_goal_costs_nothing_is_no_goal",),
    ),
    Fault(
        "a row is used again whatever is known of its level",
        "fingerprint_of",
        "repr((puzzle.fingerprint, puzzle.known))",
        "repr(puzzle.fingerprint)",
        ("tests/test_puzzlewright_levels.py::test_a_row_rests_on_what_is_known_of_its_level",),
    ),
    Fault(
        "a row of another version of the program is used again",
        "batch._key",
        "(level.fingerprint, level.name, wanted, FIGURES, program(PARTS), sorted(versions().items()))",
        "(level.fingerprint, level.name, wanted, FIGURES, sorted(versions().items()))",
        ("tests/test_puzzlewright_levels.py::test_a_row_rests_on_the_program",),
    ),
    Fault(
        "few dead ends are rounded to none",
        "_share",
        "return part / whole if rounded in (0, 1) else rounded",
        "return rounded",
        ("tests/test_puzzlewright_levels.py::test_one_dead_end_is_not_none",),
    ),
    Fault(
        "a text that looks like another value has no quotes",
        "_longer",
        "quotes",
        "quotes and not value",
        ("tests/test_puzzlewright_plans.py::test_a_number_and_a_text_that_looks_like_it",),
    ),
    Fault(
        "an object among numbers is written like a number",
        "_longer",
        'return f"{name} {number}"',
        "return number",
        ("tests/test_puzzlewright_plans.py::test_objects_among_numbers_are_told_apart",),
    ),
    Fault(
        "a word that falls apart has no quotes",
        "steps._word",
        "return word if SAFE.fullmatch(word) else quoted(word)",
        "return word if SAFE.match(word) else quoted(word)",
        ("tests/test_puzzlewright_plans.py::test_texts_that_could_be_mistaken",),
    ),
    Fault(
        "of several steps with one letter the first is meant",
        "_from_lurd",
        "if len(found) > 1: ...",
        "if len(found) > 2: ...",
        ("tests/test_puzzlewright_plans.py::test_letters_that_may_be_two_steps_are_no_plan",),
    ),
    Fault(
        "a plan that would be read as another one is written",
        "planfiles.write_plan",
        "raise Unreadable(error.diagnostics[0].message) from None",
        "again = report.plan",
        ("tests/test_puzzlewright_plans.py::test_random_plans_in_lurd",),
    ),
    Fault(
        "values that would be written alike are not noticed",
        "planfiles.obstacle",
        "if any(len(values) > 1 for values in forms.values()): ...",
        "if any(len(values) > 9 for values in forms.values()): ...",
        ("tests/test_puzzlewright_plans.py::test_what_would_be_written_alike_is_refused",),
    ),
    Fault(
        "unit cost is what the sum looks like",
        "planfiles.plan_text",
        'unit_cost(puzzle, report.metric.split(",")[0])',
        "report.cost == len(report.plan)",
        ("tests/test_puzzlewright_plans.py::test_unit_cost_is_said_of_costs_and_not_of_a_sum",),
    ),
    Fault(
        "variables are found again by names that may be alike",
        "Puzzle.place_names",
        "found[variable.name, values] = element_name(variable.name, values, types)",
        'found[variable.name, values] = f"{variable.name}{list(map(str, values))}"',
        ("tests/test_puzzlewright_plans.py::test_variables_whose_names_would_be_alike",),
    ),
    Fault(
        "1 and true may be two values of a type",
        "LevelNames._values",
        "if len(set(found)) < len(found): ...",
        "if len(set(found)) > len(found): ...",
        ("tests/test_puzzlewright_plans.py::test_one_and_true_are_no_two_values_of_a_type",),
    ),
    Fault(
        "twins are counted once and nothing is said of it",
        "counting._number",
        '", actions that do the very same counted once" * path.twins',
        '""',
        ("tests/test_puzzlewright_sentences.py::test_counts",),
    ),
    Fault(
        "edges are counted without their twins",
        "machine_space._walk_by_kernels",
        "found = len(graph.targets) if graph is not None else None if twins else edges",
        "found = len(graph.targets) if graph is not None else edges",
        (
            "tests/test_puzzlewright_explore.py"
            "::test_edges_that_were_not_looked_at_one_by_one_are_not_counted_without_their_twins",
        ),
    ),
    Fault(
        "what a limit has counted is told as a total",
        "_goals",
        'found = "" if figures.exhausted else " found"',
        'found = ""',
        ("tests/test_puzzlewright_explore.py::test_what_a_limit_has_counted_is_no_total",),
    ),
    Fault(
        "states known in one metric are held against those of another",
        "_Work.row",
        "self.space if self._by_default else NO_SPACE",
        "self.space",
        ("tests/test_puzzlewright_levels.py::test_known_states_are_those_of_the_first_metric",),
    ),
    Fault(
        "a bound above what the walk finds is passed over",
        "_contradicts",
        'nearest["cost"] < first.lower_bound',
        'nearest["cost"] < 0',
        ("tests/test_puzzlewright_levels.py::test_a_bound_above_what_the_walk_finds_is_a_contradiction",),
    ),
    Fault(
        "a bound above another row's plan is passed over",
        "comparing._apart",
        "unsolvable or bound > min(costs) or (bool(proven) and proven != {min(costs)})",
        "unsolvable or (bool(proven) and proven != {min(costs)})",
        ("tests/test_puzzlewright_compare_plot.py::test_rows_that_exclude_each_other",),
    ),
    Fault(
        "a proven symmetry is said to be used",
        "_symmetries",
        "if said.type in unused: ...",
        "if said.type not in found.types: ...",
        ("tests/test_search_symmetry_mirrors.py::test_what_is_proven_and_too_wide_to_be_used_is_said_to_be_so",),
    ),
]

WORDED = [
    Fault(
        "what actions do is said of states that were not expanded",
        "_vain_actions",
        'f"`{action.name}` applies, but {nothing} in {case.expanded}"',
        'f"`{action.name}` applies, but {nothing} in {case.seen}"',
        (
            "tests/test_puzzlewright_truth_explain.py::test_what_is_said_of_actions_is_said_of_the_states_that_were_expanded",
        ),
    ),
    Fault(
        "there are more states where none was met",
        "Case._of",
        '"may be"',
        '"are"',
        ("tests/test_puzzlewright_truth_explain.py::test_there_are_more_states_only_where_one_was_met",),
    ),
    Fault(
        "another start is called the file's",
        "Hints._reasons",
        "START if state == self.game.start else HERE",
        "START",
        ("tests/test_puzzlewright_truth_hints.py::test_reasons_are_about_the_position_and_not_about_the_files_start",),
    ),
    Fault(
        "an invariant is broken from a start that is not the file's",
        "explaining._broken",
        "if case.origin is not START: ...",
        "if case.origin is None: ...",
        ("tests/test_puzzlewright_truth_explain.py::test_of_another_start_nothing_is_said_that_is_about_the_files",),
    ),
    Fault(
        "an invariant that is undefined at the start is broken",
        "explaining._broken",
        "(each for each in task.invariants if value_in(each.defined, task.start))",
        "task.invariants",
        (
            "tests/test_puzzlewright_truth_explain.py::test_an_invariant_that_becomes_undefined_is_broken_and_one_that_starts_so_says_nothing",
        ),
    ),
    Fault(
        "an invariant that becomes undefined is not noticed",
        "explaining._broken",
        "traced(invariant)",
        "invariant.term",
        (
            "tests/test_puzzlewright_truth_explain.py::test_an_invariant_that_becomes_undefined_is_broken_and_one_that_starts_so_says_nothing",
        ),
    ),
    Fault(
        "an invariant's value is its place among the values",
        "explaining._value",
        'return "undefined" if value is None else show(value)',
        "return str(len(str(value)))",
        ("tests/test_puzzlewright_truth_explain.py::test_an_invariant_has_the_value_that_the_author_thinks_of",),
    ),
    Fault(
        "lines that may go one by one may all go",
        "_vain_lines",
        "all(_needless(case, [{each for each in vain if each[0] == place} for place in places]))",
        "True or all(_needless(case, [{each for each in vain if each[0] == place} for place in places]))",
        ("tests/test_puzzlewright_truth_explain.py::test_lines_of_which_each_may_go_but_not_all",),
    ),
    Fault(
        "a walk that meets a goal overrules a proof",
        "explaining._checked",
        "if found.outcome is Outcome.UNSOLVABLE: ...",
        "if found.outcome is Outcome.VALID: ...",
        ("tests/test_puzzlewright_truth_explain.py::test_a_walk_that_meets_a_goal_after_a_proof_is_a_disagreement",),
    ),
    Fault(
        "goal parts that hold everywhere are not counted",
        "explaining._nearest",
        "held.bit_count() + case.certain, len(case.goals) + case.certain",
        "held.bit_count(), len(case.goals)",
        ("tests/test_puzzlewright_truth_explain.py::test_parts_that_hold_everywhere_are_counted",),
    ),
    Fault(
        "a variable's values lack one that it has",
        "explaining._why",
        "sorted(case.relaxation.values[index])",
        "sorted(case.relaxation.values[index])[1:]",
        ("tests/test_puzzlewright_truth_explain.py::test_all_that_is_said_is_true",),
    ),
    Fault(
        "reasons are about another cost than the one asked for",
        "with_probes",
        "return ground(probed, metrics, deadline)",
        "return ground(probed, (), deadline)",
        ("tests/test_puzzlewright_truth_explain.py::test_reasons_are_about_the_cost_that_was_asked_for",),
    ),
    Fault(
        "a number is worded as a condition",
        "test_words",
        "isinstance(named[0], bool)",
        "named[0] in (False, True)",
        ("tests/test_puzzlewright_truth_explain.py::test_a_number_is_no_condition",),
    ),
    Fault(
        "parts of a chain share their words",
        "parts.instances",
        "if alike[part.values] > 1: ...",
        "if alike[part.values] > 9: ...",
        ("tests/test_puzzlewright_truth_explain.py::test_parts_that_share_their_words_are_numbered",),
    ),
    Fault(
        "variables that play no part are counted silently",
        "left_aside",
        "f\" (leaving aside {', '.join([*names[:FEW], *more])})\"",
        '"" and f" (leaving aside {\', \'.join([*names[:FEW], *more])})"',
        ("tests/test_puzzlewright_truth_explain.py::test_what_plays_no_part_is_not_counted_and_that_is_said",),
    ),
    Fault(
        "choices that do the very same are not counted",
        "Claims._choices",
        "return free * len(bindings_of(schema.rows[place[1]]))",
        "return free",
        ("tests/test_puzzlewright_truth_check.py::test_choices_are_counted_as_the_author_sees_them",),
    ),
    Fault(
        "all lists of choices count as used",
        "Claims._choices",
        "self._used[place] if self._complete else prod(len(choice.domain) for choice in schema.choices)",
        "prod(len(choice.domain) for choice in schema.choices)",
        ("tests/test_puzzlewright_truth_check.py::test_lists_of_choices_are_counted_one_by_one",),
    ),
    Fault(
        "a count that is not finished is told as exact",
        "Idle.__str__",
        '"" if self.exact else "at least "',
        '""',
        ("tests/test_puzzlewright_truth_check.py::test_what_was_not_decided_is_not_counted",),
    ),
    Fault(
        "a reachable example is put together from a start",
        "Claims.example",
        "walked or {**start_state(self.puzzle), **state_of(self.puzzle, self.task, numbers)}",
        "{**start_state(self.puzzle), **state_of(self.puzzle, self.task, numbers)}",
        ("tests/test_puzzlewright_truth_check.py::test_a_reachable_example_is_one_with_all_its_variables",),
    ),
    Fault(
        "claims about what plays no part are passed over",
        "Claims.findings",
        "wanted(name)",
        "not name",
        ("tests/test_puzzlewright_truth_check.py::test_claims_about_what_plays_no_part_are_claims_too",),
    ),
    Fault(
        "some levels are told as all",
        "_which",
        'levels = ["of the levels that were chosen"] if some else []',
        "levels = []",
        ("tests/test_puzzlewright_truth_check.py::test_never_is_said_of_the_levels_that_were_looked_at",),
    ),
    Fault(
        "drawn data are told as any",
        "_which",
        '["with the data that seed 0 draws"] if document.draw else []',
        '["with the data that seed 0 draws"] if document.dead else []',
        ("tests/test_puzzlewright_truth_check.py::test_never_is_said_of_the_data_that_were_drawn",),
    ),
    Fault(
        "a clash that the referee does not see is believed",
        "_Known.add_besides",
        'if not example.get("conflict"): ...',
        'if example.get("conflict") is False: ...',
        ("tests/test_puzzlewright_truth_check.py::test_a_clash_that_the_referee_does_not_see_is_a_disagreement",),
    ),
    Fault(
        "a type whose words are used is not",
        "slips._unused",
        "mentioned.isdisjoint({name, *own})",
        "mentioned.isdisjoint({name})",
        (
            "tests/test_models_errors.py::test_what_is_mentioned_and_maps_that_are_compared_with_each_other_are_no_slips",
        ),
    ),
    Fault(
        "what an unused definition mentions is not used",
        "slips._unused",
        "used.union(*(words for owner, words in unchecked if owner != name))",
        "used",
        (
            "tests/test_models_errors.py::test_what_is_mentioned_and_maps_that_are_compared_with_each_other_are_no_slips",
        ),
    ),
    Fault(
        "letters of a map that is compared with another mean nothing",
        "slips._words",
        'yield from "".join(value)',
        "pass",
        (
            "tests/test_models_errors.py::test_what_is_mentioned_and_maps_that_are_compared_with_each_other_are_no_slips",
        ),
    ),
    Fault(
        "a way that is too long to tell was not found",
        "Hints._way",
        "found.plan is None",
        "found.plan is None or len(found.plan.plan or ()) > LONGEST",
        ("tests/test_puzzlewright_truth_hints.py::test_a_way_that_is_too_long_to_tell_was_found",),
    ),
    Fault(
        "a search that stopped for memory is told as one for time",
        "hints._short",
        "if Outcome.MEMORY_LIMIT in stopped: ...",
        "if Outcome.INTERRUPTED in stopped: ...",
        ("tests/test_puzzlewright_truth_hints.py::test_what_was_not_enough",),
    ),
    Fault(
        "a plan below a bound is a best way",
        "Hints._wrong",
        "if most is not None and most < 0: ...",
        "if most is not None and most < -99: ...",
        ("tests/test_puzzlewright_truth_hints.py::test_answers_that_contradict_each_other_are_no_hints",),
    ),
    Fault(
        "a proof on a board is about the file's start",
        "Bench.at_start",
        '"here"',
        '"at the start"',
        ("tests/test_puzzlewright_truth_hints.py::test_a_separating_invariant_is_about_the_position",),
    ),
    Fault(
        "steps that cannot be done are none of the plan's",
        "showing.step_of",
        "whole = plan is None or len(plan) == last",
        "whole = True",
        ("tests/test_puzzlewright_pictures_files.py::test_a_plan_is_printed_whole_or_one_step",),
    ),
]

NUMBERS = [
    Fault(
        "a metric weighs 2^40 times the next",
        "_weights",
        "weights.append(weights[-1] * (steps * cost + 1 + (estimate if len(weights) == 1 else 0)))",
        "weights.append(weights[-1] * 2**40)",
        ("tests/test_puzzlewright_numbers.py::test_a_metric_larger_than_the_old_weight",),
    ),
    Fault(
        "the weights leave no room for an estimate",
        "_weights",
        "steps * cost + 1 + (estimate if len(weights) == 1 else 0)",
        "steps * cost + 1",
        ("tests/test_models_numbers.py::test_estimates_are_counted",),
    ),
    Fault(
        "sums are taken to compare on paths of any length",
        "metrics.exact_steps",
        "min((room // cost for room, cost in zip(rooms, _largest(task)[1:], strict=True) if cost), default=LARGEST)",
        "LARGEST or min((room // cost for room, cost in zip(rooms, _largest(task)[1:], strict=True) if "
        "cost), default=LARGEST)",
        ("tests/test_search_numbers.py::test_a_search_ends_before_sums_compare_wrongly",),
    ),
    Fault(
        "where nothing fits the first metric is the cost",
        "weighed",
        "t.add(zip(weights, old.parts, strict=True)) if weights else t.FALSE",
        "t.add(zip(weights, old.parts, strict=True)) if weights else old.parts[0]",
        ("tests/test_search_numbers.py::test_without_weights_only_what_bounds_every_cost_is_consistent",),
    ),
    Fault(
        "what has no weights is compiled",
        "Machine.__init__",
        "if why := misfit(task): ...",
        "if why := misfit(task) and False: ...",
        ("tests/test_search_numbers.py::test_what_has_no_weights_is_not_compiled",),
    ),
    Fault(
        "a search expands paths that are too long to compare",
        "SearchSpace._count_expansion",
        "if depth >= self.exact_steps: ...",
        "if False: ...",
        ("tests/test_search_numbers.py::test_a_search_ends_before_sums_compare_wrongly",),
    ),
    Fault(
        "a plan in hand is best whatever its length",
        "conclude",
        "space.check_steps(len(found.operators))",
        "pass",
        ("tests/test_search_numbers.py::test_a_plan_in_hand_is_not_called_best_beyond_the_bound",),
    ),
    Fault(
        "kernels take over whatever costs there are",
        "may_grow",
        "not algorithm.by_cost or steps >= LONG_PATH",
        "steps > 0",
        ("tests/test_search_numbers.py::test_python_takes_over_where_sums_are_larger_than_words",),
    ),
    Fault(
        "best-first kernels go on beyond the bound",
        "BestFirst._count",
        "space.check_steps(statistics.max_depth + 1)",
        "pass",
        ("tests/test_search_numbers.py::test_kernels_end_before_sums_compare_wrongly",),
    ),
    Fault(
        "deepening kernels go on beyond the bound",
        "deepening.count",
        "space.check_steps(deepest + 1)",
        "pass",
        ("tests/test_search_numbers.py::test_kernels_end_before_sums_compare_wrongly",),
    ),
    Fault(
        "the cost of a deep plan is a sum of words",
        "Stack.plan",
        "sum(self.costs[steps].tolist())",
        "int(self.costs[steps].sum())",
        ("tests/test_search_numbers.py::test_the_cost_of_a_deep_plan_is_no_sum_of_words",),
    ),
    Fault(
        "counting goes on beyond the bound",
        "best_plans",
        "space.weigh_costs(machine.exact_steps)",
        "",
        ("tests/test_search_numbers.py::test_counting_ends_before_sums_compare_wrongly",),
    ),
    Fault(
        "counting by kernels goes on beyond the bound",
        "best_plans",
        "again.weigh_costs(min(machine.exact_steps, machine.word_steps))",
        "",
        ("tests/test_search_numbers.py::test_counting_by_kernels_ends_before_sums_overflow",),
    ),
    Fault(
        "distances go on beyond the bound",
        "distances",
        "most = min(graph.exact_steps, MOST_COST // max(1, dearest))",
        "most = MOST_COST // max(1, dearest)",
        ("tests/test_search_numbers.py::test_distances_are_sums",),
    ),
    Fault(
        "distances may be more than 64 bits can hold",
        "distances",
        "most = min(graph.exact_steps, MOST_COST // max(1, dearest))",
        "most = graph.exact_steps",
        ("tests/test_search_numbers.py::test_distances_end_before_sums_compare_wrongly",),
    ),
    Fault(
        "steps are counted no farther than costs compare",
        "state_space.in_steps",
        "replace(space.graph, costs=None, exact_steps=UNREACHED)",
        "replace(space.graph, costs=None)",
        ("tests/test_search_numbers.py::test_distances_end_before_sums_compare_wrongly",),
    ),
    Fault(
        "a recorded search goes on beyond the bound",
        "recording.record",
        'space.weigh_costs(getattr(model, "exact_steps", INFINITY))',
        "pass",
        ("tests/test_search_numbers.py::test_a_recorded_search_ends_before_it_tells_costs_wrongly",),
    ),
    Fault(
        "a sum fits where its ends do",
        "term_tables.largest",
        "abs(term.constant) + sum(abs(c) * max(abs(t.values[0]), abs(t.values[-1])) for c, t in term.terms)",
        "most or sum(abs(c) * max(abs(t.values[0]), abs(t.values[-1])) for c, t in term.terms)",
        ("tests/test_search_numbers.py::test_what_cancels_out_is_added_up_first",),
    ),
    Fault(
        "bounds are worked out of numbers that wrap around",
        "bounds",
        "if not fits(term): ...",
        "",
        ("tests/test_search_numbers.py::test_numbers_beyond_64_bits_prove_nothing_wrong",),
    ),
    Fault(
        "conditions are tested with numbers that wrap around",
        "_extend_by",
        "test is not TRUE and fits(test)",
        "test is not TRUE",
        ("tests/test_search_numbers.py::test_a_condition_beyond_64_bits_is_left_out",),
    ),
    Fault(
        "what no row extends counts",
        "bounds",
        "feasible & (found[0] <= found[1])",
        "feasible",
        ("tests/test_search_numbers.py::test_bounds_are_those_of_whole_numbers",),
    ),
    Fault(
        "remainders are added up before they are taken",
        "bounds",
        "for group in groups(term, inside):\n"
        "    found = _group(group, columns, renamed, guard, key, proof, modulus)\n"
        "    if found is None:\n"
        "        return None\n"
        "    low, high, feasible = (low + found[0], high + found[1], feasible & (found[0] <= found[1]))\n"
        "    if modulus:\n"
        "        low = high = low % modulus",
        "for group in groups(term, inside):\n"
        "    found = _group(group, columns, renamed, guard, key, proof, modulus)\n"
        "    if found is None:\n"
        "        return None\n"
        "    low, high, feasible = (low + found[0], high + found[1], feasible & (found[0] <= found[1]))\n"
        "if modulus:\n"
        "    low = high = low % modulus",
        ("tests/test_search_numbers.py::test_sums_of_remainders_do_not_overflow",),
    ),
    Fault(
        "a change that nothing is known of is 2^60 at most",
        "change_range",
        "whole = delta.values[0], delta.values[-1]",
        "whole = -(2**60), 2**60",
        ("tests/test_search_numbers.py::test_a_quotient_of_something_large_is_not_proven",),
    ),
    Fault(
        "leaves of 16 bits are divided as such",
        "_from_parts",
        "np.floor_divide(of(argument), divisor, dtype=np.int64)",
        "np.floor_divide(of(argument), divisor)",
        ("tests/test_search_numbers.py::test_short_leaves_and_long_divisors",),
    ),
    Fault(
        "a relaxed interval has its ends the wrong way round",
        "enumeration._relax",
        "range(members[0] - high, members[-1] - low + 1)",
        "range(members[0] - low, members[-1] - high + 1)",
        ("tests/test_search_numbers.py::test_a_relaxation_excludes_nothing_that_holds",),
    ),
    Fault(
        "a sum begins at nothing",
        "formula._within",
        "least if low is None else max(least, low)",
        "0 if low is None else max(least, low)",
        ("tests/test_encoders_numbers.py::test_a_linear_constraint_says_what_it_says",),
    ),
    Fault(
        "a sum that fits nowhere is no constraint",
        "Formula.linear",
        "self.clause([~each for each in condition])",
        "",
        ("tests/test_encoders_numbers.py::test_a_sum_that_fits_nowhere_fails",),
    ),
    Fault(
        "a plan may cost more in a metric before the one in which it is cheaper",
        "Unrolling.cost_less_than",
        "for before in range(place): ...",
        "for before in range(0): ...",
        ("tests/test_encoders_numbers.py::test_the_first_metric_decides",),
    ),
    Fault(
        "a cheaper plan costs less in the first metric",
        "Unrolling.cost_less_than",
        "((None, limit[before]),)",
        "((None, limit[before] - 1),)",
        ("tests/test_encoders_numbers.py::test_the_first_metric_decides",),
    ),
    Fault(
        "a cheaper plan is shorter in the first of several metrics",
        "Outline.steps_below",
        "less = self.uniform_cost is not None or len(counted) == 1",
        "less = True",
        ("tests/test_encoders_numbers.py::test_how_long_a_cheaper_plan_may_be",),
    ),
    Fault(
        "a plan of very many steps is none",
        "_first_plan",
        "if shared.lower_bound >= NEVER: ...",
        "if horizon >= NEVER: ...",
        ("tests/test_encoders_numbers.py::test_a_plan_of_very_many_steps_is_no_proof_that_there_is_none",),
    ),
    Fault(
        "joined intervals lack their last value",
        "value_sets._union",
        "max(high for _, high in found) + 1",
        "max(high for _, high in found)",
        ("tests/test_encoders_numbers.py::test_intervals_leave_nothing_out",),
    ),
    Fault(
        "the remainders of an interval are those of its ends",
        "_remainders",
        "low // divisor == high // divisor",
        "low % divisor <= high % divisor",
        ("tests/test_encoders_numbers.py::test_intervals_leave_nothing_out",),
    ),
    Fault(
        "sums are told apart however many values they have",
        "Lowering._summed",
        "if len(partial) * len(part) > MOST_CASES: ...",
        "if False: ...",
        ("tests/test_encoders_numbers.py::test_a_sum_of_too_many_values_is_unsupported",),
    ),
    Fault(
        "the constant of a large cost is left out",
        "addends",
        "(*term.terms, (term.constant, terms.TRUE))",
        "term.terms",
        ("tests/test_encoders_numbers.py::test_costs_that_are_large_sums",),
    ),
    Fault(
        "a sum may leave the range",
        "Unroller.quantifier",
        "_within(_sum(pairs), node.location)",
        "_sum(pairs)",
        ("tests/test_models_numbers.py::test_no_number_leaves_the_range",),
    ),
    Fault(
        "an offset may leave the range",
        "unrolling._numbers",
        "yield from each",
        "yield 0",
        ("tests/test_models_numbers.py::test_no_number_leaves_the_range",),
    ),
    Fault(
        "a minimum is padded beyond its values",
        "unrolling._best",
        "max(term.values[-1] for term in terms)",
        "max(term.values[-1] for term in terms) + 1",
        ("tests/test_models_numbers.py::test_what_stays_in_the_range_is_taken",),
    ),
    Fault(
        "any number of values is looked at",
        "unrolling.listed",
        "len(term.values)",
        "0",
        ("tests/test_models_numbers.py::test_too_many_values_to_look_at_are_refused",),
    ),
    Fault(
        "steps that are longer than an interval leave no gaps",
        "terms._sums",
        "if isinstance(numbers, range) and gapless and abs(coefficient) <= len(numbers): ...",
        "if isinstance(numbers, range) and gapless: ...",
        ("tests/test_models_numbers.py::test_a_sum_has_the_values_that_its_parts_add_up_to",),
    ),
    Fault(
        "joined value sets lack their last value",
        "terms._union",
        "max(values[-1] for values in sets) + 1",
        "max(values[-1] for values in sets)",
        ("tests/test_models_numbers.py::test_nobody_walks_through_an_interval",),
    ),
]

NOT_DEAD = ("tests/test_search_dead.py::test_what_is_wrong_leaves_nothing_out",)

DEAD = [
    Fault(
        "a goal state may be dead",
        "Prover._way_out",
        "if not at_most_zero_at_goal(self.task, self.task.dead, self.proof): ...",
        "if False: ...",
        NOT_DEAD,
    ),
    Fault(
        "steps may lead out of the dead states",
        "Prover._way_out",
        "row = left_by(self.task.dead, self.rows, self.proof)",
        "row = None",
        NOT_DEAD,
    ),
    Fault(
        "of several conditions for dead states one is looked at",
        "left_by",
        "alternatives(dead)",
        "alternatives(dead)[:1]",
        NOT_DEAD,
    ),
    Fault(
        "for CP-SAT a goal state may be dead",
        "Prover._ways_out",
        "yield None, self._informed((*goal, terms.substitute(self.task.dead, known(goal))))",
        "",
        NOT_DEAD,
    ),
    Fault(
        "for CP-SAT steps may lead out of the dead states",
        "Prover._ways_out",
        "touched = [part for part in terms.alternatives(self.task.dead) if row.touches(part)]",
        "touched = [part for part in terms.alternatives(self.task.dead) if not row.touches(part)]",
        NOT_DEAD,
    ),
    Fault(
        "what is said of dead states is believed",
        "Proofs.loses_dead",
        "return verdict.proven",
        "return True",
        NOT_DEAD,
    ),
    Fault(
        "a goal that can be reached from a dead state is not seen",
        "Claims._dead_by_walk",
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
        "_check_state",
        "if bound != rules.zero and rules.is_goal(code): ...",
        "if bound is None and rules.is_goal(code): ...",
        BUNDLES,
    ),
    Fault(
        "a state that is not listed may be as far as it likes",
        "_check_state",
        "bounds.get(after, (0, rules.zero))",
        "bounds.get(after, (0, None))",
        LISTS,
    ),
    Fault(
        "from never to anything",
        "_check_state",
        "left is not None and (bound is None or bound > tuple(map(sum, zip(cost, left, strict=True))))",
        "left is not None and bound is not None and (bound > tuple(map(sum, zip(cost, left, strict=True))))",
        LISTS,
    ),
    Fault(
        "a bound may be below nothing",
        "recheck_states._entry",
        "right = right and tuple(bound) >= rules.zero",
        "",
        BUNDLES,
    ),
    Fault(
        "a list need not show what is claimed",
        "_settle",
        "if found.bound != bound: ...",
        "if found.bound is None and bound is not None: ...",
        BUNDLES,
    ),
    Fault(
        "a hidden value decides whether a repeated phase would go on",
        "Rules._without_idle_costs",
        "for name in sorted(repeated & hidden): ...",
        "for name in sorted(repeated & hidden)[:0]: ...",
        ("tests/test_puzzlewright_state_lists.py::test_a_list_that_leaves_out_too_much",),
    ),
    Fault(
        "a cost that may be undefined holds nothing back",
        "Rules._without_idle_costs",
        "m in self.metrics or not _sure(c)",
        "m in self.metrics",
        LEFT_OUT,
    ),
    Fault(
        "what is hidden can be read",
        "interpreter._read",
        "if value is HIDDEN: ...",
        "if value is HIDDEN and node.indices: ...",
        LEFT_OUT,
    ),
    Fault(
        "a constant may stand for a value that is alike",
        "_Judge.indices",
        "if self.of_type(index, names) != self.is_type(type_): ...",
        "if self.of_type(index, names) and not self.is_type(type_): ...",
        ALIKE,
    ),
    Fault(
        "what is looked through for letters may be anybody's",
        "_Judge.items",
        "self.plain(names, domain)",
        "self.plain(names, *e.parts(domain))",
        ("tests/test_puzzlewright_state_lists.py::test_values_that_are_told_apart_by_letters",),
    ),
    Fault(
        "values that are alike have a first one",
        "_Judge.loops",
        "if whole and not any_order: ...",
        "if whole and not any_order and loop.condition is None: ...",
        ALIKE,
    ),
    Fault(
        "an invariant need not stay defined",
        "_losses",
        "kept = list(terms.conjuncts(invariant.defined))",
        "kept = list[Term]()",
        KEPT,
    ),
    Fault(
        "only one row is asked whether it keeps an invariant",
        "loss",
        "if FALSE not in attempt: ...",
        "if FALSE not in attempt and not attempts: ...",
        KEPT,
    ),
    Fault(
        "a clause that is named at its turn is left out",
        "_needed",
        "if any(-each in false for each in left): ...",
        "if len(left) == 1 and len(known[name]) == 1: ...",
        ("tests/test_encoders_kept.py::test_clauses_that_derive_nothing_are_not_named",),
    ),
    Fault(
        "a manifest may say more than is checked",
        "Examination.same",
        "key not in said or key not in stated or (not _same(said[key], stated[key]))",
        "key in said and key in stated and (not _same(said[key], stated[key]))",
        ("tests/test_puzzlewright_certificate_kinds.py::test_a_manifest_that_says_more_or_less_is_refuted",),
    ),
    Fault(
        "numbers of a manifest are only about right",
        "verifying_bundles._same",
        "return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)",
        "return bool(one == other)",
        ("tests/test_puzzlewright_certificate_kinds.py::test_a_manifest_that_says_more_or_less_is_refuted",),
    ),
    Fault(
        "a manifest may claim two things at once",
        "verifying_bundles._once",
        "if len(found) < len(pairs): ...",
        "if len(found) > len(pairs): ...",
        ("tests/test_puzzlewright_certificate_kinds.py::test_a_manifest_that_says_a_thing_twice",),
    ),
    Fault(
        "a certificate may have any other file",
        "Examination.same",
        'told["sha256"].keys() - {*self.files}',
        'told["sha256"].keys() - {*told["sha256"]}',
        ("tests/test_puzzlewright_certificate_kinds.py::test_a_file_that_no_certificate_has",),
    ),
    Fault(
        "a refuted formula needs no plan",
        "_is_right",
        '{LRAT: planned, LISTED: True, INVARIANT: not planned and type(told.get("invariants")) is list}',
        '{LRAT: True, LISTED: True, INVARIANT: not planned and type(told.get("invariants")) is list}',
        ("tests/test_puzzlewright_certificate_kinds.py::test_what_is_no_manifest_is_invalid_input",),
    ),
    Fault(
        "digests may be pairs",
        "check_digests",
        "names = sorted(digests.keys())",
        "names = sorted(dict(digests))",
        ("tests/test_puzzlewright_certificate_kinds.py::test_what_is_no_manifest_is_invalid_input",),
    ),
    Fault(
        "a claim about other data is one about the level",
        "bundle.claim",
        'f", with {\' and \'.join(source.settings)}" if source.settings else ""',
        'f", with {\' and \'.join(source.settings)}" if source.settings and plan else ""',
        ("tests/test_puzzlewright_certificate_kinds.py::test_a_claim_tells_what_was_set",),
    ),
    Fault(
        "no clock is looked at while ways to act are tried",
        "_hopeful",
        "watch()",
        "",
        ("tests/test_puzzlewright_state_lists.py::test_the_clock_is_looked_at_while_one_state_has_many_joint_moves",),
    ),
    Fault(
        "whatever has a manifest is a certificate",
        "_is_ours",
        'return bool(json.loads(manifest.read_bytes())["format"] == FORMAT)',
        "return manifest.is_file()",
        ("tests/test_puzzlewright_certificates.py::test_a_folder_that_only_looks_like_a_certificate",),
    ),
    Fault(
        "an older certificate is gone before the new one is there",
        "publish",
        "_move_all(old, folder)",
        "",
        ("tests/test_puzzlewright_certificates.py::test_an_older_certificate_comes_back_where_a_new_one_is_stopped",),
    ),
    Fault(
        "a best plan without the certificate that was asked for is proven",
        "_certified",
        "checked = checked.noting(note)",
        "return checked.noting(note)",
        ("tests/test_puzzlewright_certificate_kinds.py::test_a_kind_that_does_not_suit",),
    ),
    Fault(
        "a proof that was cut off is read to its end",
        "_tidied",
        "(ValueError, IndexError)",
        "IndexError",
        ("tests/test_encoders_kept.py::test_clauses_that_derive_nothing_are_not_named",),
    ),
]

STATES = "tests/test_puzzlewright_play_states.py"
PAGES = [
    Fault(
        "what a linker would change in code for a page is not looked at",
        "compiler.wasm.wasm",
        "all(site.settled for site in sites(code))",
        "True",
        ("tests/test_puzzlewright_export_page.py::test_code_that_a_linker_would_change_is_refused",),
    ),
    Fault(
        "a place that a linker would change is never read",
        "compiler.wasm._site",
        "Bytes(reader.code, target.body + place).number(signed)",
        "wanted(symbols, number, added)",
        ("tests/test_puzzlewright_export_page.py::test_a_place_in_the_code_is_read_as_it_stands",),
    ),
    Fault(
        "a page has numbers that JavaScript has not",
        "lifting.Lift._value",
        "abs(value) > MOST",
        "False",
        ("tests/test_puzzlewright_export_page.py::test_what_a_page_cannot_have_is_refused_by_name",),
    ),
    Fault(
        "marks of one number are one thing to a page",
        "lifting.Lift._value",
        '["thing", *value]',
        '["thing", value.type, value.number]',
        ("tests/test_puzzlewright_export_page.py::test_random_models",),
    ),
    Fault(
        "a page says of any plan that it is proven",
        "game_page._plan",
        "report.outcome is Outcome.OPTIMAL",
        "True",
        ("tests/test_puzzlewright_export_page.py::test_only_what_is_proven_is_said_to_be",),
    ),
    Fault(
        "a page knows of its levels what the file says of others",
        "game_page._best",
        "known_optimum(puzzle, metric) if known else None",
        "known_optimum(puzzle, metric)",
        ("tests/test_puzzlewright_export_page.py::test_only_what_is_proven_is_said_to_be",),
    ),
    Fault(
        "a page counts the first of several metrics",
        "game_page._metric",
        "len(metrics) > 1",
        "False",
        ("tests/test_puzzlewright_export_page.py::test_what_a_page_cannot_have_is_refused_by_name",),
    ),
    Fault(
        "a map is drawn however many states there are",
        "exploring.small_space",
        "found.space.size > most",
        "False",
        (f"{STATES}::test_many_states_are_refused_in_words",),
    ),
    Fault(
        "a walk that ended early counts as the whole space",
        "exploring.small_space",
        "found.outcome is not Outcome.VALID",
        "False",
        (f"{STATES}::test_time_that_is_up_is_told",),
    ),
    Fault(
        "what plays no part tells the states of a map apart",
        "states._drawn",
        "name in kept",
        "True",
        (f"{STATES}::test_what_plays_no_part_tells_no_states_apart",),
    ),
    Fault(
        "a map begins at the start of the level wherever the player is",
        "states.graph",
        "benches.at(state)",
        "benches.at(benches.game.start)",
        (f"{STATES}::test_from_where_the_player_is",),
    ),
    Fault(
        "a map has all lines however many there are",
        "states._drawn",
        "len(pairs) <= MOST_LINES",
        "True",
        (f"{STATES}::test_many_lines_are_left_out",),
    ),
    Fault(
        "charts in a page keep their colours in the dark",
        "plotting._inline",
        "_TAG.sub(_in_colours, panels.saved_figure(figure, 'svg', title).decode())",
        "panels.saved_figure(figure, 'svg', title).decode()",
        ("tests/test_puzzlewright_compare_plot.py::test_charts_in_a_page_follow_light_and_dark",),
    ),
    Fault(
        "parts of divided code leave states of two words as if they had one",
        "compiler.wasm._joined",
        'f"  %w{number} = mul i64 {at}, {words}"',
        'f"  %w{number} = mul i64 {at}, 1"',
        ("tests/test_puzzlewright_export_page.py::test_code_that_is_divided",),
    ),
    Fault(
        "a site is written among somebody else's files",
        "OwnFolder.obstacle",
        "not others or self.owned is not None or self.overwrite",
        "True",
        ("tests/test_puzzlewright_site.py::test_a_folder_of_somebody_else_is_left_alone",),
    ),
    Fault(
        "a list of somebody else makes a folder ours",
        "own_folder._listed",
        """files if told["made_by"] == f"puzzlewright {made_by}" else None""",
        "files",
        ("tests/test_puzzlewright_site.py::test_a_list_that_is_none_of_ours",),
    ),
    Fault(
        "what has appeared meanwhile is replaced",
        "OwnFolder.write",
        "self.others([name])",
        "False",
        ("tests/test_puzzlewright_site.py::test_a_file_that_appears_meanwhile_is_not_replaced",),
    ),
    Fault(
        "a file is listed after it was written, which a crash may come before",
        "OwnFolder.write",
        "{**before, name: [*before.get(name, []), self.written[name]]}",
        "before",
        ("tests/test_puzzlewright_site.py::test_what_was_written_before_a_crash_is_ours",),
    ),
    Fault(
        "what a list names outside of its folder is taken away",
        "OwnFolder.finish",
        "PLAIN.fullmatch(name) and self._ours(name)",
        "self._ours(name)",
        ("tests/test_puzzlewright_site.py::test_pages_of_before_are_taken_away_unless_they_were_changed",),
    ),
    Fault(
        "a page of before is taken away though somebody has changed it",
        "OwnFolder.finish",
        "PLAIN.fullmatch(name) and self._ours(name)",
        "PLAIN.fullmatch(name)",
        ("tests/test_puzzlewright_site.py::test_pages_of_before_are_taken_away_unless_they_were_changed",),
    ),
    Fault(
        "two puzzles of a site have one page",
        "site.file_names",
        "each not in found",
        "True",
        ("tests/test_puzzlewright_site.py::test_names_of_pages",),
    ),
    Fault(
        "a site that lacks a page is called whole",
        "site._report",
        "next((each for each in WORST if each in outcomes), Outcome.VALID)",
        "Outcome.VALID",
        ("tests/test_puzzlewright_site.py::test_what_is_wrong_is_told",),
    ),
    Fault(
        "the page of all puzzles takes another metric for the one that is counted",
        "Catalogue.gallery",
        "self.document(name).metrics[0]",
        '"cost"',
        ("tests/test_puzzlewright_play_home.py::test_what_the_page_of_all_is_told",),
    ),
    Fault(
        "the page of all puzzles knows of what a seed draws what the file says of its own levels",
        "Catalogue.gallery",
        "if self.seed: ...",
        "if False: ...",
        ("tests/test_puzzlewright_play_home.py::test_what_the_page_of_all_is_told",),
    ),
    Fault(
        "all files have one port, and one's best results are another's",
        "server.own_ports",
        "int.from_bytes(sha256(os.fsencode(name)).digest()[:4])",
        "0",
        ("tests/test_puzzlewright_play_home.py::test_a_file_keeps_its_port",),
    ),
]

LEVELS = [
    Fault(
        "pieces of a made level lose their forms",
        "level_changes.changed",
        "after != grid and _keeps(forms, _forms(after, letters))",
        "after != grid",
        ("tests/test_puzzlewright_design.py::test_pieces_keep_their_forms",),
    ),
    Fault(
        "a file with one more level is not read again",
        "level_writing.with_level",
        "not _says_more(before, made, source, level)",
        "False",
        ("tests/test_puzzlewright_design.py::test_a_file_that_takes_no_level_is_refused",),
    ),
    Fault(
        "a file that was changed elsewhere is overwritten",
        "OnDisk.save",
        "(NONE if old is None else digest(old)) != base",
        "False",
        ("tests/test_puzzlewright_edit.py::test_so_it_is_on_a_disk_without_second_names",),
    ),
    Fault(
        "what is written while a file is saved is thrown away",
        "OnDisk._exchanged",
        "digest(kept.read_bytes()) != base",
        "False",
        ("tests/test_puzzlewright_edit.py::test_what_is_written_at_that_very_moment_comes_back",),
    ),
    Fault(
        "a new file takes the place of one that has come meanwhile",
        "OnDisk._created",
        "return False",
        "return True",
        ("tests/test_puzzlewright_edit.py::test_a_new_file_is_made_where_none_has_come_meanwhile",),
    ),
    Fault(
        "lines lose their own ends when a file is saved",
        "with_ends",
        "_alike(before, after)",
        "0",
        ("tests/test_puzzlewright_edit.py::test_lines_keep_their_ends",),
    ),
    Fault(
        "an answer names no text",
        "api._stamped",
        "revision.encode()",
        "b''",
        ("tests/test_puzzlewright_edit.py::test_answers_name_their_text",),
    ),
    Fault(
        "a level that states its start is painted",
        "painting.maps_of",
        "level is not None and (level.state is not None or level.after is not None)",
        "False",
        ("tests/test_puzzlewright_edit.py::test_a_painted_level_is_one_more_of_the_text",),
    ),
    Fault(
        "figures of a space that was not seen whole",
        "painting.figures",
        "found is None or not found.exhausted",
        "found is None",
        ("tests/test_puzzlewright_edit.py::test_figures_are_those_of_a_whole_space",),
    ),
    Fault(
        "a claim is marked at another heuristic",
        "places._key",
        "re.match(r'\\w*', key)[0] == name",
        "True",
        ("tests/test_puzzlewright_edit.py::test_claims_are_told_at_their_places",),
    ),
    Fault(
        "a level that is added takes the place of what a file gave",
        "level_writing.with_level",
        'f"{newline}levels:{newline}  {OWN}: {{}}{newline}"',
        'f"{newline}levels:{newline}"',
        ("tests/test_puzzlewright_design.py::test_what_a_file_without_levels_gives_is_what_it_gives_with_one_more",),
    ),
    Fault(
        "what a level says may end before it did",
        "level_writing._says_more",
        "repr(after) == repr({**before, _LEVELS: {**levels, **added}})",
        "[*after[_LEVELS]] == [*levels, *added]",
        ("tests/test_puzzlewright_design.py::test_a_file_that_takes_no_level_is_refused",),
    ),
    Fault(
        "a level with a step is easier than one that is solved",
        "designing.Designing._is_wanted",
        'self.wanted.want != "easier" or tried.cost < first.cost',
        "True",
        ("tests/test_puzzlewright_design.py::test_what_cannot_be_better_is_not",),
    ),
    Fault(
        "Ctrl-C while plans are counted is overheard",
        "designing.Designing._with_figures",
        "if report.outcome is Outcome.INTERRUPTED: ...",
        "if report is None: ...",
        ("tests/test_puzzlewright_design.py::test_ctrl_c_while_plans_are_counted_ends_it",),
    ),
    Fault(
        "an expression that was read before stands where that one stood",
        "syntax.parse",
        "(text.location, text.style, text.raw)",
        "()",
        ("tests/test_models_reader.py::test_equal_expressions_are_told_at_their_own_places",),
    ),
    Fault(
        "behind a row's end is no edge of a board",
        "sokoban._way_out",
        "c >= len(grid[r]) - 1",
        "c > len(grid[r])",
        ("tests/test_models_level_files_odd.py::test_boards_that_are_not_whole",),
    ),
    Fault(
        "a box keeps the keeper inside",
        "_reached",
        "_letter(grid, place) != WALL",
        "_letter(grid, place) not in WALL + BOXES",
        ("tests/test_models_level_files_odd.py::test_boards_that_are_not_whole",),
    ),
    Fault(
        "a second keeper is overlooked",
        "sokoban._check",
        "if len(here) > 1: ...",
        "if len(here) > 2: ...",
        ("tests/test_models_level_files_odd.py::test_boards_that_are_not_whole",),
    ),
    Fault(
        "boxes on stores need no stores",
        "sokoban._check",
        "_all(grid, BOXES)",
        "_all(grid, BOXES[:1])",
        ("tests/test_models_level_files_odd.py::test_boards_that_are_not_whole",),
    ),
    Fault(
        "a star is a box on a store where X is a wall",
        "sokoban._PUSHER",
        'str.maketrans("X*&", "#$*")',
        'str.maketrans("X*&", "#*$")',
        ("tests/test_models_level_files.py::test_the_letters_of_pusher",),
    ),
    Fault(
        "blank rows cut a board into two levels",
        "rejoined",
        "after_blank and halves(found[-1], block)",
        "not after_blank and halves(found[-1], block)",
        ("tests/test_models_level_files_odd.py::test_a_blank_row_is_inside_a_board",),
    ),
    Fault(
        "a whole board is joined to a slip",
        "_rejoined",
        "if stands_alone(upper.rows) or stands_alone(lower.rows): ...",
        "if stands_alone(upper.rows) and stands_alone(lower.rows): ...",
        ("tests/test_models_level_files_odd.py::test_boards_of_their_own_are_not_joined",),
    ),
    Fault(
        "dashes join boards to boxes without a keeper",
        "_is_scenery",
        'not letters & set("@+$.&")',
        'not letters & set("@+")',
        ("tests/test_models_level_files_odd.py::test_a_board_without_a_keeper_does_not_lend_its_boxes",),
    ),
    Fault(
        "a board in a comment is a level",
        "_without_comments",
        "begun is None",
        "begun is not row",
        ("tests/test_models_level_files.py::test_boards_in_comments_are_none",),
    ),
    Fault(
        "brackets repeat what is before them",
        "unrolled",
        "outer + _repeated(row, letters, times, column)",
        "_repeated(row, outer + letters, times, column)",
        ("tests/test_models_level_files.py::test_run_lengths_in_brackets",),
    ),
    Fault(
        "entities may stand for long texts",
        "_Elements.__init__",
        "self.parser.EntityDeclHandler = self.entity",
        "self.parser.EntityDeclHandler = None",
        ("tests/test_models_level_files.py::test_slc_that_is_wrong_says_where",),
    ),
    Fault(
        "an unknown entity is no letter",
        "_Elements.__init__",
        "self.parser.SkippedEntityHandler = self.skipped",
        "self.parser.SkippedEntityHandler = None",
        ("tests/test_models_level_files.py::test_slc_that_is_wrong_says_where",),
    ),
    Fault(
        "the first row of a board of tiles is a level",
        "numbers._levels",
        "mostly = 2 * sum(map(_is_whole, run)) > len(run)",
        "mostly = any(map(_is_whole, run))",
        ("tests/test_models_level_files_odd.py::test_the_first_row_of_a_board_is_no_board",),
    ),
    Fault(
        "a tile may stand twice",
        "_check_tiles",
        "if tile.number in seen: ...",
        "if tile.number in seen and not tile.number: ...",
        ("tests/test_models_level_files_odd.py::test_tiles_that_are_refused",),
    ),
    Fault(
        "nobody is asked which end of a tube is the bottom",
        "_check_order",
        "not any(isinstance(value, list) for value in values)",
        "any(isinstance(value, list) for value in values)",
        ("tests/test_models_level_files_odd.py::test_which_end_of_a_tube_comes_first",),
    ),
    Fault(
        "tubes with the top first are read with the bottom first",
        "tubes.read",
        "if known.variant == TOP_FIRST: ...",
        "if known.variant == BOTTOM_FIRST: ...",
        ("tests/test_models_level_files_odd.py::test_which_end_of_a_tube_comes_first",),
    ),
    Fault(
        "an empty unit is a colour",
        "tubes._check",
        "unit.strip() in _NOTHING",
        "unit in _NOTHING[1:3]",
        ("tests/test_models_level_files_odd.py::test_tubes_that_are_refused",),
    ),
    Fault(
        "a zero is a car's empty place among letters",
        "rush_hour._check",
        'not re.search("[1-9]", board)',
        'not re.search("[0-9]", board)',
        ("tests/test_models_level_files_odd.py::test_rush_hour_boards_that_are_refused",),
    ),
    Fault(
        "a row that begins with a wall is a comment",
        "rush_hour._checked",
        "len(words) == len(near)",
        "len(words) < len(near)",
        ("tests/test_models_level_files_odd.py::test_rush_hour_boards_that_are_refused",),
    ),
    Fault(
        "one letter may stand for blocks apart",
        "klotski._check",
        "if letter.isalpha() and places - _joined(places): ...",
        "if letter.isdigit() and places - _joined(places): ...",
        ("tests/test_models_level_files_odd.py::test_klotski_boards_that_are_refused",),
    ),
    Fault(
        "a board without an empty place is read",
        "klotski._check",
        '{".", "0"}',
        '{".", "0", "A"}',
        ("tests/test_models_level_files_odd.py::test_klotski_boards_that_are_refused",),
    ),
    Fault(
        "a map needs no hole",
        "bloxorz._start",
        '"9" in text',
        '"1" in text',
        ("tests/test_models_level_files_odd.py::test_bloxorz_maps_that_are_refused",),
    ),
    Fault(
        "the declared encoding of XML is not looked at",
        "level_text.level_text",
        "declared is None",
        "declared",
        ("tests/test_models_level_files_odd.py::test_encodings",),
    ),
    Fault(
        "an unreadable letter is one",
        "_UNREADABLE",
        '"[\\x00-\\x08\\x0e-\\x1f\\x7f�]"',
        '"[\\x00-\\x08\\x0e-\\x1f\\x7f]"',
        ("tests/test_models_level_files_odd.py::test_bytes_that_are_no_text",),
    ),
    Fault(
        "a row of tiles in another notation is a board",
        "_is_whole",
        "told and sorted(numbers) == list(range(len(numbers)))",
        "sorted(numbers) == list(range(len(numbers)))",
        ("tests/test_models_level_files_odd.py::test_tiles_that_are_refused",),
    ),
    Fault(
        "two rows of four that are whole boards make levels of all four",
        "numbers._levels",
        "mostly = 2 * sum(map(_is_whole, run)) > len(run)",
        "mostly = 2 * sum(map(_is_whole, run)) >= len(run)",
        ("tests/test_models_level_files_odd.py::test_tiles_that_are_refused",),
    ),
    Fault(
        "a list of tubes that a blank row cuts is two levels",
        "tubes._halves",
        "together and not apart",
        "together and apart and not above",
        ("tests/test_models_level_files_odd.py::test_tubes_that_are_refused",),
    ),
    Fault(
        "a letter of a plan stands where other programs end lines",
        "planfiles._letters",
        "source_lines(text)",
        "text.splitlines()",
        ("tests/test_models_level_files.py::test_plans_in_lurd",),
    ),
    Fault(
        "a slip in a row that begins or ends with floor cuts the board",
        "_SLIP",
        '"[\\\\s_0-9-]*#.*#[\\\\s_|-]*|\\\\s*#[#@+$*.].*|\\\\s*X.*X\\\\s*"',
        '"\\\\s*#.*#\\\\s*|\\\\s*#[#@+$*.].*|\\\\s*X.*X\\\\s*"',
        ("tests/test_models_level_files.py::test_letters_that_a_board_does_not_have",),
    ),
    Fault(
        "a car may be bent or split",
        "_check_car",
        "if place != (r + far * down, c + far * right): ...",
        "if place < (r + far * down, c + far * right): ...",
        ("tests/test_models_level_files_odd.py::test_rush_hour_boards_that_are_refused",),
    ),
    Fault(
        "a car of one place is one",
        "_check_car",
        "if not more: ...",
        "if not places: ...",
        ("tests/test_models_level_files_odd.py::test_rush_hour_boards_that_are_refused",),
    ),
    Fault(
        "between two commas nothing may stand",
        "klotski._rows",
        'r"(^|[,/])\\s*(?=,)|,\\s*($|/)"',
        'r"(^|[/])\\s*(?=,)|,\\s*($|/)"',
        ("tests/test_models_level_files_odd.py::test_klotski_boards_that_are_refused",),
    ),
    Fault(
        "text between the rows of a level is left out",
        "_Elements.text",
        'if self.inside[-1] == "Level" and text.strip(): ...',
        'if self.inside[-1] == "L" and "\\0" in text: ...',
        ("tests/test_models_level_files.py::test_slc_that_is_wrong_says_where",),
    ),
    Fault(
        "a level may lack rows that its height counts",
        "_Elements.wrong",
        "if self.height and self.height != str(len(self.rows)): ...",
        "if self.height and int(self.height) < len(self.rows): ...",
        ("tests/test_models_level_files.py::test_slc_that_is_wrong_says_where",),
    ),
    Fault(
        "a letter may stand somewhere no times",
        "_times",
        "if number and not int(number): ...",
        "if number and int(number) < 0: ...",
        ("tests/test_models_level_files_odd.py::test_numbers_that_may_be_something_else",),
    ),
    Fault(
        "numbers of lines say how often letters stand there",
        "_check_numbers",
        "any(map(_written_out, rows))",
        "all(map(_written_out, rows))",
        ("tests/test_models_level_files_odd.py::test_numbers_that_may_be_something_else",),
    ),
    Fault(
        "blanks beside the end of a row are floor",
        "_check_numbers",
        '"\\\\s\\\\|\\\\s"',
        '"\\\\t\\\\|\\\\t"',
        ("tests/test_models_level_files_odd.py::test_numbers_that_may_be_something_else",),
    ),
    Fault(
        "a comment among tubes is one",
        "tubes._words",
        'if note := re.search(r"^\\s*#|\\s[#;](?=\\s)", row.text): ...',
        'if note := re.search(r"^\\s*#;", row.text): ...',
        ("tests/test_models_level_files_odd.py::test_tubes_that_are_refused",),
    ),
    Fault(
        "the answer is lost with a plan that cannot be written",
        "desk.written",
        "replace(report, outcome=Outcome.USAGE_ERROR, diagnostics=(Diagnostic(wrong, None),), notes=notes)",
        "replace(report, plan=None, outcome=Outcome.USAGE_ERROR, diagnostics=(Diagnostic(wrong, None),), notes=notes)",
        ("tests/test_puzzlewright_plans.py::test_letters_that_may_be_two_steps_are_no_plan",),
    ),
]

PYTHON = [
    Fault(
        "a kernel takes over from a Python function",
        "registry.attempt",
        "kernels and may_grow(algorithm, model)",
        "may_grow(algorithm, model)",
        ("tests/test_puzzlewright_python_solving.py::test_a_large_search_keeps_its_function",),
    ),
    Fault(
        "a Python function is believed",
        "CallableSearch.__call__",
        "Heuristic(name_of(self.function), values)",
        "Heuristic(name_of(self.function), values, True, True)",
        ("tests/test_puzzlewright_python_solving.py::test_a_function_is_not_believed_whatever_it_is_called",),
    ),
    Fault(
        "a Python function is asked again and again",
        "Remembered.__call__",
        "self.values[packed] = found",
        "pass",
        ("tests/test_puzzlewright_python_solving.py::test_no_plan_is_said_only_where_there_is_none",),
    ),
    Fault(
        "values that were forgotten prove that there is no plan",
        "CallableSearch.__call__",
        "result.outcome is Outcome.UNSOLVABLE and ALGORITHMS[name].cuts and values.full",
        "result.outcome is Outcome.UNSOLVABLE and ALGORITHMS[name].cuts and not values",
        ("tests/test_puzzlewright_python_solving.py::test_values_that_were_not_kept_prove_nothing",),
    ),
    Fault(
        "a Python function sees only what matters to the search",
        "full_bench",
        "bench.keeping_all()",
        "bench",
        ("tests/test_puzzlewright_python_states.py::test_idle_variables_move_too",),
    ),
    Fault(
        "a negative estimate is one",
        "estimating.value_of",
        "if value < 0: ...",
        "if value < -1: ...",
        ("tests/test_puzzlewright_python_solving.py::test_estimates_are_whole_numbers",),
    ),
    Fault(
        "an estimate may be a fraction",
        "estimating.value_of",
        "operator.index(found)",
        "int(found)",
        ("tests/test_puzzlewright_python_solving.py::test_estimates_are_whole_numbers",),
    ),
    Fault(
        "a heuristic may fall by one too much",
        "_Walk._fault",
        "if value > cost + left: ...",
        "if value > cost + left + 1: ...",
        ("tests/test_puzzlewright_python_judging.py::test_what_consistent_means",),
    ),
    Fault(
        "a heuristic may be anything at a goal",
        "_Walk._fault",
        "if value and self.machine.is_goal(packed): ...",
        "if value > 1 and self.machine.is_goal(packed): ...",
        ("tests/test_puzzlewright_python_judging.py::test_what_consistent_means",),
    ),
    Fault(
        "a walk that was cut short proves a heuristic",
        "_Walk.verdict",
        "if number == most: ...",
        "if number > most: ...",
        ("tests/test_puzzlewright_python_judging.py::test_a_heuristic_is_proven_over_all_states",),
    ),
    Fault(
        "what is known of other data stays known",
        "_without_foreign_facts",
        "repr(own.data) == repr(puzzle.data)",
        "own.name == puzzle.name",
        ("tests/test_puzzlewright_python_loading.py::test_what_is_known_is_known_of_the_levels_own_data",),
    ),
    Fault(
        "a certificate is about the level before it was scrambled",
        "loading.load",
        "collection is None and not scramble",
        "collection is None",
        ("tests/test_puzzlewright_python_solving.py::test_a_proof_rests_on_no_function",),
    ),
    Fault(
        "a datum may be a fraction",
        "loading._plain",
        "isinstance(value, Integral)",
        "isinstance(value, (Integral, float))",
        ("tests/test_puzzlewright_python_loading.py::test_data_that_are_none",),
    ),
    Fault(
        "states of different puzzles are equal",
        "Shape.fits",
        "self is other or self.places == other.places",
        "True",
        ("tests/test_puzzlewright_python_states.py::test_states_of_other_variables_are_others",),
    ),
    Fault(
        "a space expands one state too many",
        "Space._successors",
        "self.expanded >= self.node_limit",
        "self.expanded > self.node_limit",
        ("tests/test_puzzlewright_python_states.py::test_limits_count_their_own_run",),
    ),
    Fault(
        "the step of a path is taken for that of the plan",
        "Space.plan",
        "self._machine.spelt(actions)",
        "tuple(map(self._machine.operator, actions))",
        ("tests/test_puzzlewright_python_states.py::test_symmetric_states_are_one_and_their_paths_become_plans",),
    ),
    Fault(
        "what a listener raises is swallowed",
        "Guarded.reraise",
        "raise failure",
        "return",
        ("tests/test_puzzlewright_python_solving.py::test_what_a_listener_raises_comes_through",),
    ),
    Fault(
        "nobody looks whether to stop",
        "SearchSpace.check_resources",
        "if self.limits.stop is not None and self.limits.stop(): ...",
        "if self.limits.stop is not None and False: ...",
        ("tests/test_puzzlewright_python_solving.py::test_a_flag_ends_a_search_with_what_is_known",),
    ),
    Fault(
        "a limit on memory counts what was there before",
        "Limits.used_memory_mb",
        "peak_memory_mb() if self.memory_before is None else resident_memory_mb() - self.memory_before",
        "peak_memory_mb()",
        ("tests/test_puzzlewright_python_solving.py::test_a_limit_on_memory_counts_its_own_run",),
    ),
    Fault(
        "a better bound is told with the next 256 states",
        "SearchSpace._raise_bound",
        "self._on_progress(self.statistics, bound)",
        "pass",
        ("tests/test_puzzlewright_python_solving.py::test_events_tell_bounds_and_the_plan",),
    ),
    Fault(
        "no number is a limit",
        "_limit",
        "if not value >= 0: ...",
        "if value < 0: ...",
        ("tests/test_puzzlewright_python_solving.py::test_what_there_is_not_is_refused_with_what_there_is",),
    ),
    Fault(
        "a row is used again for another text of the puzzle",
        "Job.key",
        "(text, self, program(PARTS), sorted(versions().items()))",
        "(self, program(PARTS), sorted(versions().items()))",
        ("tests/test_puzzlewright_python_judging.py::test_rows_of_many_searches",),
    ),
    Fault(
        "CP-SAT is not stopped",
        "_waited",
        "if stop is not None and stop(): ...",
        "if stop is not None and False: ...",
        ("tests/test_puzzlewright_python_solving.py::test_a_proof_is_stopped_while_cpsat_works",),
    ),
    Fault(
        "a state of other variables is taken for one of the space",
        "Codec.packed",
        "if state.shape.fits(self.shape): ...",
        "if state.shape: ...",
        ("tests/test_puzzlewright_python_states.py::test_states_of_another_puzzle_are_refused",),
    ),
]
OPTIONS = [
    Fault(
        "a flag is told to a process of ours with a value",
        "options._words",
        "if value is True: ...",
        "if value is None: ...",
        ("tests/test_puzzlewright_commands.py::test_what_was_said_as_words",),
    ),
    Fault(
        "of an option that is given again only the last is told to a process of ours",
        "options._words",
        "(value if isinstance(value, list) else [value])",
        "(value[-1:] if isinstance(value, list) else [value])",
        ("tests/test_puzzlewright_commands.py::test_what_was_said_as_words",),
    ),
    Fault(
        "what is nothing counts as not said",
        "Group.given",
        "value not in (each.default, [])",
        "value and value != each.default",
        ("tests/test_puzzlewright_commands.py::test_what_was_said_as_words",),
    ),
    Fault(
        "a command offers what it is without",
        "commands.command",
        "[_as_told(option, otherwise.get(each)) for each, option in options.items() if each not in without]",
        "[_as_told(option, otherwise.get(each)) for each, option in options.items()]",
        ("tests/test_puzzlewright_commands.py::test_a_new_command_is_found_unasked",),
    ),
]
RESTING = [
    Fault(
        "the referee waits one round too long for rest",
        "referee._at_rest",
        "len(seen) < UNTIL_REST",
        "len(seen) <= UNTIL_REST",
        ("tests/test_models_phases.py::test_a_phase_that_takes_very_long_counts_as_endless",),
    ),
    Fault(
        "a task waits one round too long for rest",
        "execution.at_rest",
        "len(seen) < UNTIL_REST",
        "len(seen) <= UNTIL_REST",
        ("tests/test_models_phases.py::test_a_phase_that_takes_very_long_counts_as_endless",),
    ),
    Fault(
        "machine code waits one round too long for rest",
        "Rounds.end",
        '"icmp sge i64 "',
        '"icmp sgt i64 "',
        ("tests/test_models_phases.py::test_a_phase_that_takes_very_long_counts_as_endless",),
    ),
    Fault(
        "a loop that changes something is at rest",
        "Rounds.end",
        "self._same(self.names)",
        "self._same(self.names[1:])",
        ("tests/test_models_phases.py::test_until_nothing_changes",),
    ),
    Fault(
        "a loop begins with what the start has",
        "rows.enter",
        "entry = tuple(now[index] for index in targets)",
        "entry = tuple(old[index] for index in targets)",
        ("tests/test_models_phases.py::test_until_nothing_changes",),
    ),
    Fault(
        "values that a later round gives have no code",
        "layout._repeated",
        "found, grown = after, after != found",
        "found, grown = after, False",
        ("tests/test_models_phases.py::test_until_nothing_changes",),
    ),
    Fault(
        "what only a loop reads is left out",
        "grounding._relevant",
        "_read_by(roots) | repeated",
        "_read_by(roots)",
        ("tests/test_models_phases.py::test_until_nothing_changes",),
    ),
    Fault(
        "a loop is the first phase",
        "_Grounder._loop",
        "if guard.whole is not TRUE or not phases: ...",
        "if guard.whole is not TRUE: ...",
        ("tests/test_models_phases.py::test_until_nothing_changes",),
    ),
    Fault(
        "a round of a loop reads what the phase before has left",
        "_Grounder._loop",
        "env.stages.of | own",
        "env.stages.of",
        ("tests/test_models_phases.py::test_until_nothing_changes",),
    ),
    Fault(
        "`stable` is the word whatever has the name",
        "_Builder._is_stable",
        "written.strip() == STABLE and STABLE not in self.names.known()",
        "written.strip() == STABLE",
        ("tests/test_models_phases.py::test_a_datum_may_be_called_stable",),
    ),
    Fault(
        "one round too few is enough",
        "rounds._enough",
        "_comes_to_rest(loop, sizes, rounds + 1, deadline)",
        "_comes_to_rest(loop, sizes, rounds + 2, deadline)",
        ("tests/test_models_phases.py::test_until_nothing_changes",),
    ),
    Fault(
        "a loop need not be at rest",
        "encoders.rounds._Row._add",
        "terms.conjunction((*self.needed, phase.guard))",
        "phase.guard",
        ("tests/test_models_phases.py::test_until_nothing_changes",),
    ),
    Fault(
        "each round written out reads what the first one found",
        "encoders.rounds._round",
        "number if leaf.stage == stage and leaf.index in own else 0",
        "0",
        ("tests/test_models_phases.py::test_until_nothing_changes",),
    ),
    Fault(
        "a loop leaves what it found",
        "transitions.compose",
        "choice(next(free), sizes[a.target])",
        "var(a.target, sizes[a.target])",
        ("tests/test_search_loops.py::test_what_is_proven_of_loops",),
    ),
    Fault(
        "a loop may be left before it is at rest",
        "Phase.at_rest",
        "[self.guard, *(disjunction((negation(a.condition), compare('==', a.value, now))) for a, now in pairs)]",
        "[self.guard for _ in pairs][:1]",
        ("tests/test_search_loops.py::test_what_is_proven_of_loops",),
    ),
    Fault(
        "a phase that takes long is said to come back to where it was",
        "referee._at_rest",
        "never if values in seen else long",
        "never",
        (
            "tests/test_models_phases.py::test_a_phase_that_takes_very_long_counts_as_endless",
            "tests/test_puzzlewright_resting.py::test_a_phase_that_takes_very_long_is_not_said_to_go_on_for_ever",
        ),
    ),
    Fault(
        "what a loop leaves is taken for a parameter",
        "consistency.describe",
        "isinstance(leaf, Choice) and leaf.index < len(free)",
        "isinstance(leaf, Choice)",
        ("tests/test_search_loops.py::test_an_estimate_that_falls_too_far_over_a_loop_is_told",),
    ),
    Fault(
        "loops are pruned",
        "pruning.conflicts",
        "number not in rows or not rows[number].exact",
        "number not in rows",
        ("tests/test_search_loops.py::test_loops_are_not_pruned",),
    ),
    Fault(
        "loops are run backwards",
        "inversion.backward_task",
        "if task.loops: ...",
        "if task is None: ...",
        ("tests/test_search_loops.py::test_nothing_goes_back_over_a_loop",),
    ),
    Fault(
        "a move that more rounds would not save is told of",
        "resting._walk",
        "after.restless or after.rounds and _can_be_made(patient, state, step)",
        "after.restless or after.rounds",
        ("tests/test_puzzlewright_resting.py::test_moves_that_rounds_lose",),
    ),
    Fault(
        "a hidden value decides whether a loop would go on",
        "PuzzlePhase.rests",
        "self.stable or self.repeat is not None",
        "self.repeat is not None",
        ("tests/test_puzzlewright_state_lists.py::test_a_list_that_leaves_out_too_much",),
    ),
    Fault(
        "a recursive definition may be negated within itself",
        "checker._signed_calls",
        "[(argument, -sign)]",
        "[(argument, sign)]",
        ("tests/test_models_evaluators.py::test_recursion_that_is_no_least_solution_is_refused",),
    ),
    Fault(
        "what all are tested by counts as what they are",
        "checker._signed_calls",
        "sign if kind == 'any' else -sign",
        "sign",
        ("tests/test_models_evaluators.py::test_recursion_that_is_no_least_solution_is_refused",),
    ),
    Fault(
        "a recursive definition may decide between branches of itself",
        "checker._signed_calls",
        "[(condition, 0), (then, sign), (otherwise, sign)]",
        "[(condition, sign), (then, sign), (otherwise, sign)]",
        ("tests/test_models_evaluators.py::test_recursion_that_is_no_least_solution_is_refused",),
    ),
    Fault(
        "a definition that goes back by one that is done is none",
        "Checker._instance",
        "if key in self.pending: ...",
        "if key in self.pending and key in self.open: ...",
        (
            "tests/test_models_evaluators.py::test_recursion_that_is_no_least_solution_is_refused",
            "tests/test_models_errors.py::test_a_wrong_file",
        ),
    ),
    Fault(
        "a number may be recursive",
        "Checker._check_monotone",
        "if not self._may_recur(key): ...",
        "if key is None: ...",
        ("tests/test_models_errors.py::test_a_wrong_file",),
    ),
    Fault(
        "what is being checked is worked out",
        "checker._known_integer",
        "if any(isinstance(node, e.Apply) and node.function.body is None for node in inside): ...",
        "if not inside: ...",
        ("tests/test_models_evaluators.py::test_recursion_that_is_no_least_solution_is_refused",),
    ),
]

AUTO = "tests/test_puzzlewright_auto.py"
CHOOSING = [
    Fault(
        "auto takes the search that has proven most, be it by little",
        "choosing.Contest._best",
        "growth(first.found) ** (best.bound - first.bound) < DEARER",
        "False",
        (f"{AUTO}::test_the_first_choice_goes_on_where_nothing_is_clearly_better",),
    ),
    Fault(
        "each search of auto has the whole limit on states",
        "choosing.Contest._left",
        "nodes - self.spent",
        "nodes",
        (f"{AUTO}::test_a_limit_on_states_is_for_all_searches_together",),
    ),
    Fault(
        "auto forgets what the searches before have proven",
        "choosing.Contest._taken",
        "max(self.bound, attempt.bound)",
        "attempt.bound",
        (f"{AUTO}::test_what_any_search_has_proven_holds",),
    ),
]
IMAGES = ("tests/test_search_abstractions.py::test_every_step_and_goal_has_its_image",)
ESTIMATES = ("tests/test_search_abstractions_deriving.py::test_estimates_are_consistent",)
DEAD_ENDS = "tests/test_search_abstractions_dead_ends.py"
BYTES = ("tests/test_search_abstractions_tables.py::test_what_no_byte_holds_is_the_most_that_one_does",)
SPOILT = ("tests/test_search_abstractions_tables.py::test_a_table_that_is_no_estimate_is_found_out",)
HAND_COUNTED = ("tests/test_search_abstractions_tokens.py::test_rows_that_do_more_are_no_moves_of_tokens",)
TOLD = ("tests/test_puzzlewright_derived.py::test_tokens_that_are_wrong_are_refuted",)
NEVER = ("tests/test_puzzlewright_derived.py::test_of_what_never_is_no_prover_thinks",)
READ = ("tests/test_search_abstractions_tokens.py::test_machine_code_reads_what_the_table_says",)
DERIVED = [
    Fault(
        "what some unknown value makes true has to be so for all",
        "elimination._one_of",
        "disjunction(found)",
        "conjunction(found)",
        IMAGES,
    ),
    Fault(
        "what is too much to be tried counts as false",
        "elimination._freed",
        "TRUE",
        "FALSE",
        ("tests/test_search_abstractions.py::test_more_than_is_tried_counts_as_possible",),
    ),
    Fault(
        "what must hold is what may hold",
        "elimination.must",
        "negation(may((negation(condition),), unknown))",
        "may((condition,), unknown)",
        ("tests/test_search_abstractions.py::test_what_may_and_what_must_hold",),
    ),
    Fault(
        "an image costs the most that a step may cost",
        "_Maker._cost",
        "cost.values[0]",
        "cost.values[-1]",
        IMAGES,
    ),
    Fault(
        "an image counts costs, not units of them",
        "_Maker._cost",
        "floor_divide(self.told(row.cost), self.unit)",
        "self.told(row.cost)",
        IMAGES,
    ),
    Fault(
        "of rows with one image the dearest is kept",
        "images.schemas_of",
        "row.cost.values[0] < known[0].cost.values[0]",
        "row.cost.values[0] > known[0].cost.values[0]",
        IMAGES,
    ),
    Fault(
        "the image of a goal is one only if all its states are",
        "_Maker.goal",
        "may(parts, hidden(parts))",
        "must(conjunction(parts), hidden(parts))",
        IMAGES,
    ),
    Fault(
        "every variable that is changed pays",
        "payers.by_variable",
        "owner(row) in pattern",
        "bool(row.after)",
        ("tests/test_search_abstractions_deriving.py::test_a_step_that_changes_two_variables_is_paid_for_once",),
    ),
    Fault(
        "every value on the board pays",
        "payers.by_value",
        "member(owners[row.place], pattern)",
        "TRUE",
        ("tests/test_search_abstractions_deriving.py::test_a_step_that_moves_two_values_is_paid_for_once",),
    ),
    Fault(
        "two digits of a number weigh the same",
        "ranking.by_positions",
        "len(places) ** digit",
        "len(places) ** min(digit, 1)",
        ("tests/test_search_abstractions_tables.py::test_positions_tell_of_all_images_that_count",),
    ),
    Fault(
        "a value that is the only one weighs nothing",
        "ranking.always",
        "sum(weights[index][each.values[0]] for index, each in enumerate(fields) if not each.width)",
        "0",
        ESTIMATES,
    ),
    Fault(
        "what is too far for a byte is lost, in lists",
        "listing.listed_table",
        "np.minimum(far, FULL)",
        "np.minimum(far, DEAD)",
        BYTES,
    ),
    Fault(
        "what is too far for a byte is lost, by machine code",
        "Tabling.backwards",
        "while course.level <= FULL: ...",
        "while course.level < FULL: ...",
        BYTES,
    ),
    Fault(
        "a goal need not be at 0",
        "tabling.refute",
        "far[numbers[at]] != 0",
        "False",
        SPOILT,
    ),
    Fault(
        "what is lost may lead on",
        "tabling.refute",
        "far[source] == DEAD",
        "False",
        ("tests/test_search_abstractions_tables.py::test_what_is_far_away_is_not_lost",),
    ),
    Fault(
        "a table is believed unseen",
        "Workshop._entries",
        "tabling.refuted(far) is not None",
        "False",
        ("tests/test_search_abstractions_tables.py::test_steps_that_lead_out_of_the_table_are_found_out",),
    ),
    Fault(
        "a list is believed unseen",
        "listing.is_estimate",
        "not bool(np.any((after != DEAD) & ((before == DEAD) | ((after < FULL) & (before > after + steps.costs)))))",
        "True",
        ("tests/test_search_abstractions_tables.py::test_lists_are_looked_through_too",),
    ),
    Fault(
        "a row may move several tokens",
        "moves.mover",
        "len(loud) != 2",
        "len(loud) < 2",
        ("tests/test_search_abstractions_deriving.py::test_two_tokens_at_once_are_no_matter_of_each_alone",),
    ),
    Fault(
        "a token may come to where none of its kind ever is",
        "moves.changes_of",
        "after.intersection(values[index])",
        "after",
        ("tests/test_search_abstractions_tokens.py::test_a_move_that_waits_for_what_never_comes_is_none",),
    ),
    Fault(
        "a case may lead to values that nothing has",
        "moves.steps_of",
        "all(each.old and each.new for each in changes)",
        "all(each.old for each in changes)",
        ("tests/test_search_abstractions_tokens.py::test_a_move_that_waits_for_what_never_comes_is_none",),
    ),
    Fault(
        "all kinds that may leave a square come to the other",
        "moves.mover",
        "one.old & other.new & kinds",
        "one.old & kinds",
        ("tests/test_search_abstractions_tokens.py::test_only_kinds_that_come_to_a_square_move_there",),
    ),
    Fault(
        "each square has a value that is no token",
        "Reader.__init__",
        "any(rows) and 0 in rows",
        "any(rows)",
        ("tests/test_search_abstractions_tokens.py::test_a_square_may_have_nothing_but_tokens",),
    ),
    Fault(
        "tokens may change places",
        "moves.mover",
        "follows and not (one.new | other.old) & kinds",
        "follows",
        HAND_COUNTED,
    ),
    Fault(
        "a token may become another on its way",
        "moves.mover",
        "len(one.old) == 1 and one.old == other.new",
        "len(one.old) == 1",
        HAND_COUNTED,
    ),
    Fault(
        "what rows do to tokens otherwise is no matter",
        "moves.moved_alone",
        "mover(step, kinds) is not None",
        "True",
        HAND_COUNTED,
    ),
    Fault(
        "tokens are where an end wants some, also where there are more",
        "tokens.homes_of",
        "must if len(must) == count else may",
        "must or may",
        ("tests/test_search_abstractions_tokens.py::test_tokens_on_a_line",),
    ),
    Fault(
        "an end may want more tokens than there are",
        "tokens.homes_of",
        "len(must) <= count <= len(may)",
        "count <= len(may)",
        ("tests/test_search_abstractions_tokens.py::test_tokens_on_a_line",),
    ),
    Fault(
        "an end may want tokens where none of them comes to",
        "tokens.homes_of",
        "all(kept.intersection(values[index]) for index, kept in end.items())",
        "True",
        ("tests/test_search_abstractions_tokens.py::test_an_end_on_squares_that_no_such_token_comes_to_is_none",),
    ),
    Fault(
        "tokens together may be farther than a number holds",
        "tokens.table_of",
        "max(1, min(LOST - 1, max(FULL, MOST_DEAD // unit)) // total)",
        "LOST - 1",
        ("tests/test_search_abstractions_deriving.py::test_many_tokens_that_are_far_away_are_not_lost",),
    ),
    Fault(
        "ends that count as one are as far as the farther",
        "tokens.table_of",
        "part.min(axis=1)",
        "part.max(axis=1)",
        ("tests/test_search_abstractions_tokens.py::test_ends_beyond_so_many_count_as_one",),
    ),
    Fault(
        "a table of tokens may be as large as it likes",
        "tokens.table_of",
        "(1 + len(pairs)) * padded(min(MOST_COLUMNS, max(1, len(homes)))) * 2 > BYTES",
        "False",
        ("tests/test_search_abstractions_deriving.py::test_tokens_that_are_dear_to_move_have_no_longer_a_table",),
    ),
    Fault(
        "a case may do as if a condition could not fail",
        "cases.cases_of",
        "(negation(condition), condition)",
        "(condition,)",
        ("tests/test_search_abstractions_tokens.py::test_one_of_the_cases_of_a_row_tells_what_it_does",),
    ),
    Fault(
        "what follows from a condition is believed of its opposite",
        "cases.assuming",
        "{negation(part): FALSE for part in parts}",
        "{negation(part): TRUE for part in parts}",
        ("tests/test_search_abstractions_tokens.py::test_one_of_the_cases_of_a_row_tells_what_it_does",),
    ),
    Fault(
        "a sum that is not the least tells of its summands as if it were",
        "ends.summands",
        "all(value == bound for value in members if value in total.values)",
        "bound in members",
        (
            "tests/test_search_abstractions_tokens.py::test_sums_that_are_as_small_or_as_large_as_can_be_tell_of_their_summands",
        ),
    ),
    Fault(
        "ends beyond so many are left out",
        "ends.either",
        "[ANY]",
        "[]",
        ("tests/test_search_abstractions_tokens.py::test_where_a_goal_holds_one_of_the_ends_does",),
    ),
    Fault(
        "what rests is nothing but zeros",
        "Reader.masks",
        "sum(resting(rows) << each.shift for each, rows in inside)",
        "0",
        ("tests/test_search_abstractions_tokens.py::test_what_is_empty_need_not_be_the_first_value",),
    ),
    Fault(
        "a new value counts as possible where its condition cannot hold",
        "layout._possible",
        "_may_hold(condition, sets, narrowed)",
        "True",
        ("tests/test_search_abstractions_tokens.py::test_no_token_comes_to_a_wall",),
    ),
    Fault(
        "a new value counts as impossible where only one of its tests can hold",
        "layout._may_hold",
        "any(left.isdisjoint(narrowed.get(index, sets[index])) for index, left in _tests_in(condition))",
        "all(left.isdisjoint(narrowed.get(index, sets[index])) for index, left in _tests_in(condition))",
        ROWS,
    ),
    Fault(
        "the values that conditions of new values look at are not looked at again",
        "layout._looked_at",
        "found += [index for condition, _ in pairs for index, _ in _tests_in(condition)]",
        "pass",
        ("tests/test_search_abstractions_tokens.py::test_what_a_condition_asks_of_may_become_true_later",),
    ),
    Fault(
        "any map of the board is a mirror image",
        "mirrors.automorphisms",
        "keeps(task, rows, made)",
        "True",
        ESTIMATES,
    ),
    Fault(
        "a mirror image keeps the names of values",
        "mirrors.mirrored",
        "image.values[value]",
        "value",
        ("tests/test_search_abstractions_deriving.py::test_a_mirror_image_is_as_far_from_the_goal",),
    ),
    Fault(
        "values that are there twice have a place",
        "values.board_of_values",
        "there.count(value) == 1",
        "there.count(value) >= 1",
        ("tests/test_search_abstractions_deriving.py::test_values_that_are_there_twice_are_told_of_in_no_place",),
    ),
    Fault(
        "what no row writes may be anything",
        "deriving.job_of",
        "never_written(task, rows)",
        "{}",
        ("tests/test_search_abstractions_deriving.py::test_what_no_row_writes_is_known",),
    ),
    Fault(
        "a dead entry is one like others",
        "reading._greatest",
        'yield f"  {either} = or i1 {dead}, {alive}"',
        'yield f"  {either} = and i1 {dead}, {alive}"',
        ("tests/test_search_abstractions_tables.py::test_one_dead_entry_decides",),
    ),
    Fault(
        "what is lost is a million units, however large these are",
        "reading.lost_of",
        "min(LEAST_DEAD, MOST_DEAD // unit)",
        "LEAST_DEAD",
        ("tests/test_search_abstractions_tables.py::test_what_is_lost_is_more_than_any_sum_and_can_be_weighed",),
    ),
    Fault(
        "what is lost may be less than a sum",
        "reading.lost_of",
        "max(1 + most, min(LEAST_DEAD, MOST_DEAD // unit))",
        "min(LEAST_DEAD, MOST_DEAD // unit // 8)",
        ("tests/test_search_abstractions_tables.py::test_what_is_lost_is_more_than_any_sum_and_can_be_weighed",),
    ),
    Fault(
        "guards play no part in what tables are kept for",
        "keeping.key_of",
        "digest.add(list(row.after.items()), row.cost, row.guard)",
        "digest.add(list(row.after.items()), row.cost)",
        ("tests/test_puzzlewright_derived.py::test_other_rules_have_other_tables",),
    ),
    Fault(
        "the goal plays no part in what tables are kept for",
        "keeping.key_of",
        "digest.add(task.goal, task.always)",
        "digest.add(task.always)",
        ("tests/test_puzzlewright_derived.py::test_other_rules_have_other_tables",),
    ),
    Fault(
        "tables on disk are believed however damaged",
        "keeping.mapped",
        "hashlib.sha256(view[DIGEST:]).digest() != view[:DIGEST]",
        "False",
        ("tests/test_puzzlewright_derived.py::test_a_file_that_is_damaged_is_made_again",),
    ),
    Fault(
        "nobody asks whether an image goes astray",
        "ImageTold.astray",
        "certain(disjunction(wrong))",
        "FALSE",
        ("tests/test_puzzlewright_derived.py::test_an_image_that_is_wrong_is_refuted_and_drawn",),
    ),
    Fault(
        "nobody asks what is paid for a row",
        "obligations.questions",
        'compare("<", row.cost, certain(paid))',
        "FALSE",
        ("tests/test_puzzlewright_derived.py::test_an_image_that_is_wrong_is_refuted_and_drawn",),
    ),
    Fault(
        "nobody asks whether a row does more than to move a token",
        "TokensTold.questions",
        "(*row.guard, before(row, self.values), *self.astray(row))",
        "(FALSE,)",
        TOLD,
    ),
    Fault(
        "a prover thinks of costs that no step has",
        "obligations.before",
        "leaves(*row.guard, *row.after, *row.after.values(), row.cost)",
        "leaves(*row.guard, *row.after, *row.after.values())",
        NEVER,
    ),
    Fault(
        "a prover thinks of goals that nobody comes to",
        "TokensTold.away",
        "(*leaves(*goal), *map(self.square, self.tokens.squares))",
        "map(self.square, self.tokens.squares)",
        NEVER,
    ),
    Fault(
        "nobody asks what a token's move costs",
        "TokensTold.differs",
        'compare("<", cost, const(move.cost * self.table.unit))',
        "FALSE",
        TOLD,
    ),
    Fault(
        "nobody asks whether tokens are at home at goals",
        "TokensTold.questions",
        "tuple(self.away())",
        "(FALSE,)",
        TOLD,
    ),
    Fault(
        "nobody looks up the moves of tokens",
        "tokens.falls",
        "np.any((after < LOST) & ((before >= LOST) | (before > after + move.cost)))",
        "False",
        ("tests/test_puzzlewright_derived.py::test_a_row_of_tokens_that_is_wrong_is_refuted",),
    ),
    Fault(
        "tables are taken alone under a name that may be another's",
        "Contest._lighter",
        "declared is None or not derives(self.bench.puzzle, DERIVED)",
        "declared is None",
        (f"{AUTO}::test_tables_are_not_taken_alone_under_a_name_that_the_file_gives_to_something_else",),
    ),
    Fault(
        "tables are taken alone though what is beside them says more",
        "Contest._lighter",
        "any(other(state) > estimate(state) for state in walk(machine))",
        "False",
        (f"{AUTO}::test_what_says_more_somewhere_stays_beside_the_tables",),
    ),
    Fault(
        "nobody looks through the tables that are to be proven",
        "_Derived._refuted",
        "tabling.refuted(table.far) is not None",
        "False",
        ("tests/test_puzzlewright_derived.py::test_a_table_that_is_wrong_is_refuted",),
    ),
    Fault(
        "what is derived makes a proof of what is beside it",
        "deriving.with_derived",
        "beside.admissible",
        "True",
        ("tests/test_puzzlewright_derived.py::test_one_that_is_not_proven_beside_it_is_no_proof",),
    ),
    Fault(
        "what is far away counts as lost",
        "deriving.with_derived",
        "Heuristic(name, used.evaluate, beside.admissible, consistent, lambda: used.address, found.least_lost,"
        " Estimated(term, found.sums))",
        "Heuristic(name, used.evaluate, beside.admissible, consistent, lambda: used.address, 254,"
        " Estimated(term, found.sums))",
        (f"{DEAD_ENDS}::test_what_is_far_away_is_no_dead_end",),
    ),
    Fault(
        "whatever is beside tables may call a state lost",
        "reading._of_all",
        "lost - 1",
        "MOST",
        (f"{DEAD_ENDS}::test_what_is_large_beside_them_is_no_dead_end",),
    ),
    Fault(
        "searches look at dead ends",
        "SearchSpace.is_dead_end",
        "h >= self.heuristic.lost",
        "h > self.heuristic.lost",
        (f"{DEAD_ENDS}::test_what_they_leave_out",),
    ),
    Fault(
        "search by turns takes what is large for lost",
        "algorithms.alternating.alternating",
        "h >= heuristic.lost",
        "h >= min(heuristic.lost, 1)",
        (f"{DEAD_ENDS}::test_what_is_far_away_is_no_dead_end",),
    ),
    Fault(
        "the kernel of best-first search looks at dead ends",
        "best_first.open_all",
        "h >= rules.lost",
        "h > rules.lost",
        ("tests/test_search_kernels_best_first.py::test_dead_ends_are_left_out",),
    ),
    Fault(
        "the kernel of walks looks at dead ends",
        "deepening.walk",
        "stack.estimates[entry] >= manner.lost",
        "stack.estimates[entry] > manner.lost",
        ("tests/test_search_kernels_deepening.py::test_dead_ends_are_left_out",),
    ),
    Fault(
        "the kernel of beams looks at dead ends",
        "Beam._wanted",
        "estimates < heuristic.lost",
        "estimates <= heuristic.lost",
        ("tests/test_search_kernels_best_first.py::test_dead_ends_are_left_out",),
    ),
    Fault(
        "tables may take all of the memory",
        "Workbench.derived",
        "request.limits.sharing(FOR_TABLES)",
        "request.limits",
        ("tests/test_puzzlewright_derived.py::test_tables_have_a_part_of_the_memory",),
    ),
    Fault(
        "where tables have used up their memory a search has none",
        "deriving._derived",
        "reason.outcome is not Outcome.MEMORY_LIMIT or request.limits.memory_is_full()",
        "True",
        ("tests/test_puzzlewright_derived.py::test_tables_have_a_part_of_the_memory",),
    ),
    Fault(
        "what was made for want of memory is kept for others",
        "deriving.derive",
        "not job.refused",
        "True",
        ("tests/test_puzzlewright_derived.py::test_a_kind_that_there_is_no_memory_for_is_left_out",),
    ),
    Fault(
        "tables hold for all images of what no row writes",
        "Starts.have_images",
        "self.have(each.state.apply(start)) and self._kept(each.state)",
        "self._kept(each.state)",
        ("tests/test_puzzlewright_derived.py::test_tables_that_do_not_hold_for_images_know_no_symmetry",),
    ),
    Fault(
        "tables hold for images that have something else where it is known",
        "Starts.have_images",
        "self.have(each.state.apply(start)) and self._kept(each.state)",
        "self.have(each.state.apply(start))",
        (
            "tests/test_search_abstractions_deriving.py"
            "::test_tables_hold_for_images_whose_board_and_what_is_known_stay_in_place",
        ),
    ),
    Fault(
        "tables are consistent on canonical states",
        "deriving.with_derived",
        "beside.consistent and not canonical",
        "beside.consistent",
        ("tests/test_search_machine_symmetry.py::test_tables_with_symmetry",),
    ),
    Fault(
        "horizons begin at what tables say of costs",
        "by_cpsat.asks_tables",
        "bench.task.unit_cost and any(derives(bench.puzzle, name) for name in request.heuristics)",
        "any(derives(bench.puzzle, name) for name in request.heuristics)",
        ("tests/test_puzzlewright_derived.py::test_horizons_do_not_begin_at_costs",),
    ),
    Fault(
        "horizons begin too late",
        "by_cpsat.steps_by_tables",
        "estimate_of(machine, tables.found).evaluate(machine.initial)",
        "estimate_of(machine, tables.found).evaluate(machine.initial) + 1",
        ("tests/test_puzzlewright_derived.py::test_horizons_begin_where_tables_say_that_plans_do",),
    ),
    Fault(
        "what tables have ruled out is CP-SAT's own",
        "by_cpsat._stopped",
        "both if least else alone",
        "alone",
        ("tests/test_puzzlewright_derived.py::test_what_is_ruled_out_where_horizons_begin_later",),
    ),
    Fault(
        "CP-SAT is said to have ruled out what tables have",
        "by_cpsat._stopped",
        "_ruled_out(bench, told, 0)[0]",
        "_ruled_out(bench, told, least)[0]",
        ("tests/test_puzzlewright_derived.py::test_nothing_is_said_of_cpsat_where_it_has_ruled_out_nothing",),
    ),
    Fault(
        "CP-SAT is said to have begun where it was asked nothing",
        "by_cpsat.begun_notes",
        "told and told[0].horizon == least",
        "True",
        ("tests/test_puzzlewright_derived.py::test_nothing_is_said_of_cpsat_where_it_has_ruled_out_nothing",),
    ),
    Fault(
        "the largest estimate is a dead end to kernels, tables or not",
        "kernels.best_first.LARGEST_WORD",
        "(1 << 63) - 1",
        "1 << 62",
        ("tests/test_search_abstractions_dead_ends.py::test_what_is_large_without_them_is_no_dead_end",),
    ),
    Fault(
        "a shortest plan needs no refutation where tables have given the first opinion",
        "horizons._confirmed",
        "len(best.operators) <= session.least_steps",
        "len(best.operators) <= max(session.least_steps, session.at_least)",
        ("tests/test_puzzlewright_derived.py::test_horizons_begin_where_tables_say_that_plans_do",),
    ),
    Fault(
        "tables hold whatever no row writes",
        "Starts.have",
        "all(start[index] == value for index, value in self.known.items())",
        "True",
        ("tests/test_search_abstractions_deriving.py::test_what_no_row_writes_is_known",),
    ),
    Fault(
        "tables of a board hold however often a value is there",
        "Starts.have",
        "kept and tuple(sorted(start[index] for index in self.places)) == self.values",
        "kept",
        ("tests/test_search_abstractions_deriving.py::test_tables_of_a_board_hold_where_each_value_is_as_often",),
    ),
    Fault(
        "tables are not made while nobody asks",
        "Hints._distance",
        "state if found.late and not self.prepared else self.hard",
        "None",
        ("tests/test_puzzlewright_play_game.py::test_a_game_is_hard_where_a_hint_had_too_little_time",),
    ),
    Fault(
        "a server for the network asks for no token",
        "Handler._check_token",
        "any(_same(each, token) for each in self._cookies())",
        "True",
        ("tests/test_puzzlewright_play_server.py::test_others_of_the_network_need_the_token",),
    ),
    Fault(
        "the token in the address need not be whole",
        "server._same",
        "hmac.compare_digest(given.encode('utf-8', 'replace'), token.encode())",
        "token.startswith(given) or given.startswith(token)",
        ("tests/test_puzzlewright_play_server.py::test_others_of_the_network_need_the_token",),
    ),
    Fault(
        "equal pieces side by side are one slab in the terminal",
        "text._apart",
        "first.colour == second.colour and not (first.piece and first.piece == second.piece)",
        "False",
        ("tests/test_puzzlewright_pictures_scene.py::test_equal_things_side_by_side_are_no_slab",),
    ),
    Fault(
        "a look of things is seen where nothing stands",
        "scene._look",
        "HOLLOW if spot.colour in NOTHING else LOOKS",
        "LOOKS",
        ("tests/test_puzzlewright_pictures_scene.py::test_a_look_is_seen_where_it_can_be",),
    ),
    Fault(
        "the name of a target lies under what stands there",
        "board_svg._targets",
        "spot.target and not spot.colour",
        "spot.target",
        ("tests/test_puzzlewright_pictures_svg.py::test_targets_have_names_below_what_stands_there",),
    ),
    Fault(
        "a net that does not fold is drawn as a cube",
        "loader._Builder._check_frame",
        "grid is None or grid.rows * 4 != grid.cols * 3 or grid.rows % 3",
        "grid is None",
        ("tests/test_models_errors.py::test_a_wrong_file",),
    ),
    Fault(
        "a file's own datum is taken for the title of its levels",
        "document._with_own_words",
        "{AFTER, TITLE}",
        "{AFTER}",
        ("tests/test_models_titles.py::test_a_datum_may_have_the_name",),
    ),
    Fault(
        "the bottom of a cube is laid the other way round",
        "cube_svg.FACES",
        "(-SLANT, -0.5)",
        "(SLANT, 0.5)",
        ("tests/test_puzzlewright_pictures_svg.py::test_faces_of_a_cube_meet_at_their_edges",),
    ),
    Fault(
        "pages count cells from nought",
        "board.from_one",
        "f'({row + 1}, {col + 1})'",
        "f'({row}, {col})'",
        ("tests/test_puzzlewright_play_game.py::test_texts_of_the_file_are_never_markup",),
    ),
    Fault(
        "nobody says that a verdict without a certificate rests on tables",
        "proving.rests_on_tables",
        "LOST in found.notes",
        "False",
        ("tests/test_puzzlewright_derived.py::test_a_certificate_does_not_rest_on_tables",),
    ),
]

STEPS = ("tests/test_search_layers_scopes.py::test_what_is_proven_of_steps_is_true",)
ON_DISK = ("tests/test_search_layers.py::test_layers_of_random_graphs",)
BACK = ("tests/test_search_layers.py::test_plans_of_random_graphs",)
WHOLE_FILES = ("tests/test_search_layers.py::test_a_file_that_is_not_as_it_was_written_is_noticed",)
SIEVE = ("tests/test_search_kernels_partitions.py::test_what_a_sieve_leaves",)
COUNTED = ("tests/test_search_layers.py::test_shortest_plans_are_counted",)

BUCKETED = ("tests/test_search_layers_buckets.py::test_random_graphs",)

LAYERED = [
    Fault(
        "two layers are known though nothing is proven",
        "solving.proofs.Proofs.known_layers",
        "return 2 if self.undone else None",
        "return 2",
        ("tests/test_search_layers_scopes.py::test_scopes_of_puzzles",),
    ),
    Fault(
        "a row undoes another that need not apply after it",
        "proofs.reversal.undone_by",
        "return back and all(implied(part, given) for part in wanted)",
        "return back",
        STEPS,
    ),
    Fault(
        "a row undoes another whatever it leaves",
        "proofs.reversal.undone_by",
        "return back and all(implied(part, given) for part in wanted)",
        "return all(implied(part, given) for part in wanted)",
        STEPS,
    ),
    Fault(
        "CP-SAT does not ask whether a row applies that undoes another",
        "encoders.induction._back",
        "yield from (terms.substitute(row.regress(part), row.known) for part in other.guard)",
        "yield from ()",
        STEPS,
    ),
    Fault(
        "a grade may grow by more and by less",
        "proofs.grading.raised_alike",
        "return len(amounts) == 1 and 0 not in amounts",
        "return 0 not in amounts",
        ("tests/test_search_layers_scopes.py::test_a_sum_that_some_row_does_not_raise_is_no_grade",),
    ),
    Fault(
        "of the last two layers one is not known",
        "layers.walk.Walk._first_known",
        "return 0 if self.scope is None else max(0, depth + 1 - self.scope)",
        "return 0 if self.scope is None else max(0, depth + 2 - self.scope)",
        ON_DISK,
    ),
    Fault(
        "the filter of a sieve has only what was struck",
        "kernels.partitions.filter_keys",
        "cells[at] != filler and not struck[at]",
        "cells[at] != filler and struck[at]",
        SIEVE,
    ),
    Fault(
        "it has no bits of states of several words",
        "kernels.partitions.filter_nodes",
        "not struck[i]",
        "struck[i]",
        SIEVE,
    ),
    Fault(
        "it is that of the task before",
        "Sieve.begin",
        "self._bits, self._patience = None, candidates // 2",
        "self._patience = candidates // 2",
        SIEVE,
    ),
    Fault(
        "a state's last word plays no part in its bit, but in its candidate's",
        "kernels.partitions.strain_nodes",
        "bit_of(states, i * words, words, shift)",
        "bit_of(states, i * words, 1, shift)",
        SIEVE,
    ),
    Fault(
        "a fourth of the words plays no part in a checksum",
        "kernels.partitions.digest",
        "stirred(four, words[i + 3])",
        "stirred(four, words[i + 2])",
        ("tests/test_search_kernels_partitions.py::test_a_checksum_changes_with_every_bit_and_place",),
    ),
    Fault(
        "highest bits cancel in a checksum",
        "kernels.partitions.stirred",
        "return check ^ (check >> _HALF)",
        "return check",
        ("tests/test_search_kernels_partitions.py::test_two_bits_at_the_end_of_words_do_not_cancel",),
    ),
    Fault(
        "a path counts once for each state that it may go on to, not for each way from there",
        "layers.shortest._before",
        "mine[source] += ways[target]",
        "mine[source] += 1",
        COUNTED,
    ),
    Fault(
        "steps are listed as of the first states of a file",
        "kernels.partitions.list_leading",
        "sources[found] = look.head + out.parents[i]",
        "sources[found] = out.parents[i]",
        COUNTED,
    ),
    Fault(
        "a merge takes candidates of other ranges",
        "layers.tasks.Worker._within",
        "if task.low <= low and high <= task.high:\n    return states",
        "if states is not None:\n    return states",
        ON_DISK,
    ),
    Fault(
        "the filter of recent states believes in what was never written",
        "kernels.partitions.remember",
        "if dealt.valid[at] and same_state(dealt.recent, at * words, states, first, words): ...",
        "if same_state(dealt.recent, at * words, states, first, words): ...",
        ("tests/test_search_layers.py::test_a_state_may_be_nothing_but_zeros",),
    ),
    Fault(
        "the filter of recent states outlives a task that was cut off",
        "kernels.partitions.Dealer.begin",
        "self.dealt.valid[:] = False",
        "self.dealt.valid[:] |= False",
        ("tests/test_search_layers.py::test_a_walk_goes_on_after_it_was_stopped",),
    ),
    Fault(
        "states are used whose checksum is wrong",
        "layers.files._frame",
        "if checksum(packed, zlib.crc32(head[:2].data, site.seed)) != head[2]: ...",
        "if not len(packed): ...",
        WHOLE_FILES,
    ),
    Fault(
        "a file may be exchanged for another one of its walk",
        "layers.files.packed_frames",
        "if check != file.check: ...",
        "if check == -1: ...",
        WHOLE_FILES,
    ),
    Fault(
        "a line that was cut off is a layer",
        "layers.manifest.Manifest._lines",
        'end = whole.rfind(b"\\n") + 1',
        "end = len(whole)",
        ("tests/test_search_layers.py::test_a_layer_whose_line_is_torn_was_not_finished",),
    ),
    Fault(
        "a layer is begun beyond the limit on nodes",
        "layers.searching.require_nodes",
        "if most is not None and walk.known > most: ...",
        "if most is not None and walk.known > most + 5: ...",
        ("tests/test_search_layers.py::test_limits_leave_the_bound_of_the_last_layer",),
    ),
    Fault(
        "a process that dies takes its task along",
        "layers.pool._Process.answer",
        "for _ in range(TRIALS): ...",
        "for _ in range(1): ...",
        ("tests/test_search_layers.py::test_processes_of_which_one_is_killed",),
    ),
    Fault(
        "the step before may come from any layer",
        "layers.paths._in_layer",
        "if any(found == after for _, found, _ in machine.successors(state)) and has(walk, layer, state): ...",
        "if any(found == after for _, found, _ in machine.successors(state)): ...",
        BACK,
    ),
    Fault(
        "a goal that was explored is not the nearest",
        "layers.searching._goal",
        "for depth, layer in enumerate(walk.layers): ...",
        "for depth, layer in reversed(list(enumerate(walk.layers))): ...",
        ("tests/test_search_layers.py::test_a_search_goes_on_where_all_was_explored",),
    ),
    Fault(
        "a bucket two steps back is not known",
        "layers.buckets.Buckets._near_ones",
        "g - self.reach <= line.g <= g",
        "g - self.reach < line.g <= g",
        BUCKETED,
    ),
    Fault(
        "a state of two grades is new twice",
        "layers.best_first.Leading.reach",
        "self._scope == NONE and self.machine.unit_cost",
        "self._scope == NONE",
        ("tests/test_search_layers_buckets.py::test_two_grades_that_meet",),
    ),
    Fault(
        "steps that undo cost nothing",
        "layers.best_first.Leading.reach",
        "2 * self.most_cost",
        "self.most_cost",
        BUCKETED,
    ),
    Fault(
        "a dear step hides a cheap one from the filter",
        "kernels.pricing.remember_price",
        "dealt.valid[at] and same_state(dealt.recent, at * words, states, first, words) and prices[at] <= cost",
        "dealt.valid[at] and same_state(dealt.recent, at * words, states, first, words)",
        BUCKETED,
    ),
    Fault(
        "dead ends have buckets",
        "kernels.pricing.deal_priced",
        "h >= bucketed.lost",
        "h > bucketed.lost",
        ("tests/test_search_layers_buckets.py::test_dead_ends_have_no_bucket",),
    ),
    Fault(
        "an estimate that falls by too much is not noticed",
        "kernels.pricing.deal_priced",
        "h < bucketed.h - cost",
        "h < bucketed.h - cost - 99",
        ("tests/test_search_layers_buckets.py::test_an_estimate_that_was_taken_for_proven_is_a_disagreement",),
    ),
    Fault(
        "candidates that wait are swept away",
        "layers.buckets.Buckets.__init__",
        "self.manifest.runs = self._sizes.keys()",
        "self.manifest.runs = ()",
        ("tests/test_search_layers_buckets.py::test_what_is_cut_off_anywhere_goes_on",),
    ),
    Fault(
        "what a line names is swept away, whose writer was not told that it is there",
        "layers.manifest.Manifest.commit",
        "self._last = _names(layer)",
        "self._last = set()",
        ("tests/test_search_layers_buckets.py::test_what_is_cut_off_while_it_is_made_lasting_goes_on",),
    ),
    Fault(
        "candidates are used whose checksum is wrong",
        "layers.files.candidates",
        "if checksum(packed, site.seed) != extent.check: ...",
        "if not len(packed): ...",
        ("tests/test_search_layers_buckets.py::test_files_that_are_not_as_they_were_written_are_noticed",),
    ),
    Fault(
        "a bucket is begun beyond the limit on nodes",
        "layers.buckets.Buckets._finish",
        "if self.known + sum(file.states for file in files) > self._most_states: ...",
        "if self.known > self._most_states: ...",
        ("tests/test_search_layers_buckets.py::test_limits_leave_the_bound_of_the_bucket",),
    ),
    Fault(
        "the way back goes through states that were never found",
        "layers.paths._in_buckets",
        "if (found.g, found.h) == place and has(walk, number, state): ...",
        "if (found.g, found.h) == place: ...",
        BUCKETED,
    ),
    Fault(
        "the way back takes a dear step for a cheap one",
        "layers.paths._by_expansion_of_buckets",
        "if _step_cost(machine, state, after) == g - found.g: ...",
        "if _step_cost(machine, state, after) is not None: ...",
        ("tests/test_search_layers_buckets.py::test_the_way_back_is_the_cheap_one",),
    ),
    Fault(
        "files take a heuristic that is admissible only",
        "layers.best_first.bucketed",
        "if not space.heuristic.consistent: ...",
        "if not space.heuristic.admissible: ...",
        ("tests/test_search_layers_buckets.py::test_an_estimate_that_is_not_consistent_is_refused",),
    ),
    Fault(
        "buckets of canonical states are led by tables",
        "solving.searching._searched",
        "name == BUCKETS and tables.found is not None",
        "name == LOST and tables.found is not None",
        ("tests/test_search_layers_buckets.py::test_with_tables_states_are_looked_at_as_they_are",),
    ),
    Fault(
        "buckets of one estimate are taken for those of another",
        "layers.guides.digest_of",
        "check = 0 if parts.term is None else zlib.crc32(machine.estimate_text(parts.term).encode())",
        "check = 0",
        ("tests/test_search_layers_buckets.py::test_what_tells_one_estimate_from_another",),
    ),
    Fault(
        "tables whose entries are added are taken for those of which the greater counts",
        "layers.guides.digest_of",
        "told = number, table.weights, table.unit, table.ends",
        "told = table.weights, table.unit, table.ends",
        ("tests/test_search_layers_buckets.py::test_what_tells_one_estimate_from_another",),
    ),
]

EXCHANGED = [
    Fault(
        "the values that are left are numbered anew",
        "cubes._restricted",
        "tuple(cube[key][place] for place in places)",
        "tuple(places)",
        CASES,
    ),
    Fault(
        "a step leaves the marks of what it assigns as they are",
        "_Compiler._assigned",
        "{each in chosen for each in cube['var', index]} != {value in chosen}",
        "False",
        CASES,
    ),
    Fault(
        "an effect happens wherever the step does",
        "_Compiler._conditional",
        "values != case.cube.get(key)",
        "False",
        ("tests/test_puzzlewright_export_sas.py::test_effects_that_need_conditions",),
    ),
    Fault(
        "of choices only the guard decides where effects have conditions",
        "_Compiler._rules",
        "isinstance(leaf, Choice)",
        "False",
        ("tests/test_puzzlewright_export_sas.py::test_effects_that_need_conditions",),
    ),
    Fault(
        "a planner's plan is believed",
        "planners._judged",
        "if not walked.valid: ...",
        "if False: ...",
        ("tests/test_puzzlewright_planners.py::test_a_plan_is_judged_by_the_referee",),
    ),
    Fault(
        "a planner's cost is believed",
        "planners._judged",
        "counted != price",
        "False",
        ("tests/test_puzzlewright_planners.py::test_a_plan_is_judged_by_the_referee",),
    ),
    Fault(
        "a cost of PDDL is a number of floating point",
        "pddl.forms.whole",
        "int(found[1])",
        "int(float(found[1]))",
        ("tests/test_models_pddl.py::test_a_cost_keeps_its_digits",),
    ),
    Fault(
        "a fact that goes need not hold",
        "pddl.groups.certain",
        "any(isinstance(each, Form) and _is_fact(each, words) for each in stated)",
        "True",
        ONE_OF_MANY,
    ),
    Fault(
        "what comes may come under other conditions",
        "pddl.groups.moves",
        "g.block == loses.block and _key(group, g) == key",
        "_key(group, g) == key",
        ONE_OF_MANY,
    ),
    Fault(
        "two things that move at once are two",
        "pddl.groups._differ",
        "a not in free and b not in free and _told_apart(world, action, a, b)",
        "a != b",
        ("tests/test_models_pddl.py::test_two_that_move_at_once_are_told_apart",),
    ),
    Fault(
        "what comes may be many for one that goes",
        "pddl.groups._once",
        "return loops & set(move.gains.arguments) <= {*move.key, *move.loses.arguments}",
        "return True",
        ONE_OF_MANY,
    ),
    Fault(
        "two facts of one key may hold at the start",
        "pddl.groups._starts",
        "len(set(held)) == len(held)",
        "True",
        ("tests/test_models_pddl.py::test_a_fact_that_starts_twice_is_no_group",),
    ),
    Fault(
        "of a list that binds a parameter the last value is lost",
        "_Grounder._among",
        "each in listed",
        "each in listed[:-1]",
        ("tests/test_models_pddl.py::test_small_classics_step_by_step",),
    ),
    Fault(
        "a fact that goes leaves another one of its variable in its place",
        "_PddlBuilder._has_successor",
        "move.loses == literal and move.gains is not None",
        "move.loses == literal",
        ("tests/test_models_pddl.py::test_names_that_are_words_of_ours",),
    ),
    Fault(
        "a loop's own values are those of the effect it is held against",
        "_PddlBuilder._about",
        '{name: f"{name}\'" for name, _ in other.block.loops}',
        "{name: name for name, _ in other.block.loops}",
        ("tests/test_models_pddl.py::test_what_is_made_false_and_true_is_true",),
    ),
    Fault(
        "what is made false and true is false",
        "_PddlBuilder._made_true",
        "return [self._about(other, here) for other in others]",
        "return []",
        ("tests/test_models_pddl.py::test_what_is_made_false_and_true_is_true",),
    ),
]

FAULTS = [
    *COMPILER,
    *KERNELS,
    *LAYERED,
    *PROOFS,
    *MIRRORED,
    *RECORDER,
    *DEADLINES,
    *STARTS,
    *MARKED,
    *VERDICTS,
    *ENCODER,
    *GROUNDER,
    *REFEREE,
    *SAID,
    *WORDED,
    *NUMBERS,
    *DEAD,
    *CERTIFICATES,
    *PAGES,
    *LEVELS,
    *PYTHON,
    *OPTIONS,
    *RESTING,
    *DERIVED,
    *CHOOSING,
    *EXCHANGED,
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


def file_of(fault: Fault, folder: Path = ROOT) -> Path:
    return whereabouts(fault.place, folder)[1]


def mutated(fault: Fault, folder: Path = ROOT) -> ast.Module:
    """The module that has the fault."""
    return changed(fault.place, fault.old, fault.new, folder)


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
        file_of(fault, folder).write_text(ast.unparse(mutated(fault, folder)), encoding="utf-8")


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
    rows = ["| fault | where | caught by |", "|---|---|---|"]
    for fault in FAULTS:
        tests = ", ".join(f"`{each.removeprefix('tests/')}`" for each in fault.tests)
        rows.append(f"| {fault.name} | `{fault.place}` | {tests} |")
    return "\n".join(rows)


def chosen(faults: Iterable[Fault], words: list[str]) -> Iterator[Fault]:
    """Those with one of the words in their name, place or file; without words all."""
    return (each for each in faults if not words or any(word in text for text in told(each) for word in words))


def told(fault: Fault) -> tuple[str, str, str]:
    return fault.name, fault.place, file_of(fault).relative_to(ROOT).as_posix()


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
        print(f"{time.perf_counter() - begin:6.1f} s  {fault.place:34} {fault.name:70} {caught}", flush=True)
    return min(survivors, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
