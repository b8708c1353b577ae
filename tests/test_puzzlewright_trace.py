"""`trace`: what is told of a search is what happened, event by event, on standard output, in files and on a page."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from browser import Told as Heard
from browser import chromium, page, told  # noqa: F401 - fixtures
from running import run

from models.outcomes import Limits, Outcome
from puzzlewright.analysis.tracing import Told, Traced, trace
from puzzlewright.files.disk_cache import read_puzzle
from puzzlewright.files.library import find
from puzzlewright.pages.trace_page import trace_to_page
from puzzlewright.report import Report
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from search.recording import Event, record
from search.registry import ALGORITHMS
from search.space import Heuristic, State, Successor

TRACED = sorted(ALGORITHMS.keys() - {"genetic"})
NO_LIMITS = Limits()


# -- small graphs, counted by hand -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Graph:
    """Edges with costs between letters; an operator is the two letters, `goal` one of them, the start the first."""

    edges: dict[str, int]
    goal: str

    initial = "S"

    @property
    def unit_cost(self) -> bool:
        return set(self.edges.values()) == {1}

    def is_goal(self, state: State) -> bool:
        return bool(state == self.goal)

    def successors(self, state: State) -> list[Successor]:
        return [(edge, edge[1], cost) for edge, cost in self.edges.items() if edge[0] == state]

    def predecessors(self, state: State) -> list[Successor]:
        return [(edge, edge[0], cost) for edge, cost in self.edges.items() if edge[1] == state]

    def goal_states(self) -> list[State]:
        return ["S", self.goal]  # a superset is allowed


DIAMOND = Graph({"SA": 1, "SB": 1, "AC": 1, "BC": 1, "CG": 1}, "G")  # S over A or B to C, and on to G
EXACT = {"S": 3, "A": 2, "B": 2, "C": 1, "G": 0}
DETOUR = Graph({"SA": 3, "SB": 1, "BA": 1, "AG": 3}, "G")  # the cheaper way to A is over B, 5 in all
MISLED = {"S": 0, "A": 0, "B": 4, "G": 0}  # admissible, and it hides that way: not consistent


def recorded(name: str, graph: Graph, h: dict[str, int], limits: Limits = NO_LIMITS) -> list[Event]:
    events: list[Event] = []
    heuristic = Heuristic("h", h.__getitem__, True, h is EXACT)
    result = record(name, graph, heuristic, limits, {"width": 1}, events.append)
    counted = result.statistics
    assert (counted.expanded, counted.generated, counted.reopened) == tuple(
        sum(event.kind == kind for event in events) for kind in ("expand", "generate", "reopen")
    )
    assert events[-1].kind == "goal"
    path = events[-1].path
    steps = [a.state + b.state for a, b in zip(path, path[1:], strict=False) if a != b]  # two searches meet in one
    assert steps == list(result.operators or ())
    return events


def states(events: list[Event], kind: str) -> str:
    return "".join(event.node.state for event in events if event.kind == kind and event.node)


@pytest.mark.parametrize(
    ("name", "expanded", "generated", "plan"),
    [
        ("bfs", "SABC", "ABCCG", "SACG"),
        ("dfs", "SAC", "ABCG", "SACG"),
        ("ids", "S" + "SAB" + "SACB" + "SAC", "AB" + "ABCC" + "ABCGC" + "ABCG", "SACG"),
        ("ucs", "SBAC", "ABCCG", "SBCG"),  # ties: last in, first out
        ("greedy", "SBC", "ABCG", "SBCG"),
        ("astar", "SBC", "ABCG", "SBCG"),
        ("wastar", "SBC", "ABCG", "SBCG"),
        ("idastar", "SAC", "ABCG", "SACG"),
        ("rbfs", "SAC", "ABCG", "SACG"),
        ("bidirectional", "SGC", "ABCAB", "SAACG"),  # forwards S, backwards G and C, which meet in A
        ("beam", "SAC", "ABCG", "SACG"),
    ],
)
def test_events_counted_by_hand(name: str, expanded: str, generated: str, plan: str) -> None:
    events = recorded(name, DIAMOND, EXACT)
    assert (states(events, "expand"), states(events, "generate")) == (expanded, generated)
    assert "".join(node.state for node in events[-1].path) == plan


def test_a_cheaper_way_reopens() -> None:
    events = recorded("astar", DETOUR, MISLED)
    assert states(events, "expand") == "SABA" and states(events, "reopen") == "A"
    assert [(node.state, node.g) for node in events[-1].path] == [("S", 0), ("B", 1), ("A", 2), ("G", 5)]
    assert states(recorded("greedy", DETOUR, MISLED), "expand") == "SA"


def test_a_plan_over_a_reopened_state_that_was_not_expanded_again() -> None:
    """The limit strikes when A is open again, with G behind its older way: the plan takes the cheaper one."""
    events = recorded("astar", DETOUR, MISLED, limits=Limits(nodes=3))
    path = events[-1].path
    assert states(events, "expand") == "SAB" and [(node.state, node.g) for node in path[1:]] == [
        *(("B", 1), ("A", 2), ("G", 6)),
    ]


def test_iterations_have_bounds() -> None:
    ids = recorded("ids", DIAMOND, EXACT)
    assert [event.bound for event in ids if event.kind == "iteration"] == [0, 1, 2, 3]
    ida = recorded("idastar", DETOUR, MISLED)
    assert [event.bound for event in ida if event.kind == "iteration"] == [0, 3, 5]


def test_backward_nodes_step_towards_the_goal() -> None:
    events = recorded("bidirectional", DIAMOND, EXACT)
    backward = [event.node for event in events if event.kind == "generate" and event.node and event.node.backward]
    assert [(node.state, node.operator, node.g) for node in backward] == [
        ("C", "CG", 1),
        ("A", "AC", 2),
        ("B", "BC", 2),
    ]
    assert [event.node.state for event in events if event.kind == "start" and event.node] == ["S", "G"]


def test_a_node_knows_the_first_of_its_state() -> None:
    events = recorded("bfs", DIAMOND, EXACT)
    made = [(node.state, node.same_as) for kind, node, *_ in events if kind == "generate" and node]
    assert made == [("A", None), ("B", None), ("C", None), ("C", 3), ("G", None)]


# -- puzzles -----------------------------------------------------------------------------------------------------------


def traced(puzzle: str, level: str, **asked: Any) -> tuple[Report, list[Told]]:
    lines: list[Told] = []
    return trace(read_puzzle(*find(puzzle), level, (), 0), Request(**asked), lines.append), lines


def kinds(lines: list[Told], kind: str) -> list[Told]:
    return [event for event in lines if event["event"] == kind]


@pytest.mark.parametrize("name", TRACED)
@pytest.mark.parametrize(
    ("puzzle", "level"), [("n_puzzle", "two-by-two"), ("hanoi", "three"), ("wolf_goat_cabbage", "hungry")]
)
def test_a_trace_is_the_search(name: str, puzzle: str, level: str) -> None:
    options = {"width": 10} if name == "beam" else {}
    asked: dict[str, Any] = {"backend": name, "limits": Limits(nodes=3000), "symmetry": False, "options": options}
    report, lines = traced(puzzle, level, **asked)
    searched = solve(read_puzzle(*find(puzzle), level, (), 0), Request(**asked, invariants=False))
    counts = ("expanded", "generated", "reopened", "max_depth", "max_frontier")
    assert report.outcome == searched.outcome and report.plan == searched.plan
    assert [report.statistics[key] for key in counts] == [searched.statistics[key] for key in counts]
    assert [len(kinds(lines, kind)) for kind in ("expand", "generate", "reopen")] == [
        report.statistics[key] for key in counts[:3]
    ]
    assert [event["order"] for event in lines[1:]] == list(range(len(lines) - 1))
    found = report.payload(Traced)
    layers = [*found.layers, *(found.backward_layers or ())] if found else []
    assert [sum(row[i] for row in layers) for i in (1, 2)] == [
        report.statistics["generated"],
        report.statistics["expanded"],
    ]
    nodes = {event["node"]: event for event in lines if event["event"] in ("start", "generate")}
    assert sorted(nodes) == list(range(len(nodes)))
    assert all(event["parent"] is None or event["parent"] < number for number, event in nodes.items())
    if report.plan is None:
        assert not kinds(lines, "goal")
        return
    (goal,) = kinds(lines, "goal")
    path = [nodes[number] for number in goal["path"]]
    steps = [node["step"] for node in path if node["step"]]  # of those backwards, to the node after
    assert [step["label"] for step in steps] == list(report.labels)
    assert goal["node"] == path[-1]["node"]


def test_a_star_with_a_consistent_heuristic_never_reopens_and_f_never_falls() -> None:
    report, lines = traced("n_puzzle", "seed-8", backend="astar", heuristics=("manhattan",))
    expanded = kinds(lines, "expand")
    assert report.cost == 22 and not kinds(lines, "reopen") and len(expanded) > 100
    values = [event["f"] for event in expanded]
    assert values == sorted(values) and values[-1] == 22
    assert all(event["f"] == event["g"] + event["h"] for event in expanded)
    assert len({event["node"] for event in expanded}) == len(expanded)


def test_what_f_is() -> None:
    wastar, lines = traced("n_puzzle", "easy-8", backend="wastar", options={"weight": 1.5})
    assert lines[0]["f"] == "g + 3/2 * h"
    assert all(event["f"] == event["g"] + 1.5 * event["h"] for event in kinds(lines, "generate"))
    for name, formula in (("bfs", None), ("ids", "depth"), ("ucs", "g"), ("greedy", "h"), ("rbfs", "g + h")):
        _, lines = traced("n_puzzle", "easy-8", backend=name)
        assert lines[0]["f"] == formula
        assert all((event["h"] is None) == (name in ("bfs", "ids", "ucs")) for event in kinds(lines, "generate"))


def test_what_lies_beyond_the_bound_is_not_expanded() -> None:
    _, lines = traced("n_puzzle", "seed-8", backend="idastar")
    bound, cut = 0, set()
    for event in lines[1:]:
        if event["event"] == "iteration":
            bound = event["bound"]
        elif event["event"] == "generate":
            assert event.get("cut", False) == (event["f"] > bound)
            cut |= {event["node"]} if event.get("cut") else set()
    assert cut and not cut & {event["node"] for event in kinds(lines, "expand")}


def test_pruned_actions_are_told() -> None:
    report, lines = traced("n_puzzle", "easy-8", backend="ids", options={"transpositions": 0})
    pruned = kinds(lines, "prune")
    assert pruned and all(event["node"] is None and event["step"] for event in pruned)
    assert len(kinds(lines, "generate")) == report.statistics["generated"]


def test_several_metrics_are_lists() -> None:
    report, lines = traced("sokoban", "little", backend="ucs", metrics=("pushes", "moves"))
    nodes = {event["node"]: event for event in lines if event["event"] in ("start", "generate")}
    assert nodes[kinds(lines, "goal")[0]["path"][-1]]["g"] == [
        report.replay.costs[name] for name in ("pushes", "moves")
    ]


def test_interchangeable_objects_count_as_one() -> None:
    """Every path of the trace is a plan up to exchanges, and it is as long."""
    report, lines = traced("water_sort", "one-spare", backend="bfs")
    assert lines[0]["canonical"] and len(kinds(lines, "goal")[0]["path"]) == len(report.plan) + 1
    assert len(kinds(lines, "expand")) == report.statistics["expanded"]


def test_an_invariant_does_not_spare_the_search() -> None:
    report, lines = traced("n_puzzle", "odd-8", backend="bfs", limits=Limits(nodes=20))
    assert report.outcome is Outcome.NODE_LIMIT and len(kinds(lines, "expand")) == 20


@pytest.mark.parametrize("name", ["genetic", "cpsat"])
def test_backends_without_a_trace(name: str) -> None:
    report, lines = traced("n_puzzle", "easy-8", backend=name)
    assert report.outcome is Outcome.UNSUPPORTED and report.outcome.exit_code == 34 and not lines
    assert name in report.notes[0]
    assert "layers" not in run("trace", "water_jugs", "--backend", name, "--json").json


# -- the command -------------------------------------------------------------------------------------------------------


EASY = ("n_puzzle", "--level", "easy-8")


def test_lines_on_standard_output_and_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "trace.jsonl"
    streamed = run("trace", *EASY, "--backend", "bfs", "--reproducible")
    written = run("trace", *EASY, "--backend", "bfs", "--reproducible", "--out", file)
    lines = list(map(json.loads, streamed.out.splitlines()))
    assert streamed.code == written.code == 0
    assert lines == list(map(json.loads, file.read_text(encoding="utf-8").splitlines()))
    assert lines[0]["event"] == "search" and lines[1]["state"]["at[[1, 0]]"] == 0
    assert lines[-1]["event"] == "end" and lines[-1]["outcome"] == "optimal" and lines[-1]["length"] == 3
    assert lines[-1]["layers"][0] == [0, 0, 1, 0] and "optimal: 3 steps" in written.out


def test_one_object() -> None:
    found = json.loads(run("trace", *EASY, "--backend", "astar", "--json", "--node-limit", "2").out)
    assert found["outcome"] == "node-limit" and found["exit_code"] == 24
    assert [event["event"] for event in found["events"]].count("expand") == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--out", "x.txt"), ".jsonl or .html"),
        (("--heuristic", "manhattan,blind"), "one heuristic"),
        (("--backend", "nope"), "'nope' is none of"),
        (("--heuristic", "manhatan"), "did you mean 'manhattan'?"),
    ],
)
def test_usage(words: tuple[str, ...], message: str) -> None:
    found = run("trace", *EASY, *words)
    assert found.code == 2 and message in found.err and not found.out


def test_ctrl_c_leaves_a_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "trace.jsonl"
    words = ("n_puzzle", "--level", "seed-8", "--backend", "bfs", "--node-limit", "10000000", "--out", file)
    running = subprocess.Popen([sys.executable, "-m", "puzzlewright", "trace", *map(str, words)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    deadline = time.monotonic() + 60
    while not (file.exists() and file.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=300)
    lines = list(map(json.loads, file.read_text(encoding="utf-8").splitlines()))
    assert running.returncode == 130 and lines[-1]["outcome"] == "interrupted" and len(lines) > 10


# -- the html ----------------------------------------------------------------------------------------------------------

HOSTILE = """
puzzle: "walk </script><img src=x onerror=alert(1)>"
types:
  cell: grid(1, 3)
state:
  at: cell = [0, 0]
actions:
  go:
    params: {d: direction}
    when: at + d in cell
    effect: {at: at + d}
    label: "</script><b>{d}</b>"
goal: at == [0, 2]
"""


def paged(folder: Path, text: str, level: str | None = None, **asked: Any) -> tuple[Report, str]:
    puzzle = read_puzzle(text, "walk.yaml", level, (), 0)
    file = folder / "trace.html"
    report = trace_to_page(puzzle, Request(**asked), file, lambda report: report)
    return report, file.read_text(encoding="utf-8")


def data_of(html: str) -> Any:
    return json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)[0])


def test_a_page_has_the_events_and_escapes_what_it_shows(tmp_path: Path) -> None:
    _, html = paged(tmp_path, HOSTILE, backend="bfs")
    data = data_of(html)
    assert "<img src" not in html and "<b>" not in html and html.count("</script>") == 2
    assert [row[9] for row in data["nodes"]][1:2] == ["</script><b>right</b>"]
    assert [kind for kind, _ in data["events"]] == [
        "start",
        "expand",
        "generate",
        "expand",
        "generate",
        "generate",
        "goal",
    ]
    assert not re.search(r"<link|<iframe|href=|https?://(?!www\.w3\.org/2000/svg)", html)


def test_a_large_search_has_its_layers_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlewright.pages.trace_page.MOST_DRAWN", 23)
    text, _ = find("n_puzzle")
    report, html = paged(tmp_path, text, "easy-8", backend="bfs")  # 23 nodes are generated, after the start
    assert report.notes[-1] == "24 nodes are more than 23: the page has their layers, not the tree"
    assert data_of(html) == {} and report.notes[-1] in html and "<td>3</td><td>12</td><td>0</td>" in html


def test_the_page_in_a_browser(page: Any, told: Heard, tmp_path: Path) -> None:  # noqa: F811
    paged(tmp_path, find("n_puzzle")[0], "easy-8", backend="idastar")
    page.goto((tmp_path / "trace.html").as_uri())
    assert page.inner_text("#event").endswith("node 0 is the start")  # where a story begins
    assert page.locator("circle:not(.later)").count() == 1
    page.keyboard.press("End")
    assert page.inner_text("#event").endswith("the goal is reached: 3 steps")
    assert page.locator("line.path").count() == 3
    page.keyboard.press("Home")
    page.click("#next")
    page.click("#next")
    assert page.inner_text("#event").endswith("node 0 is expanded (f 3)")
    page.locator("#tree").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    assert page.inner_text("#details h2") == "node 7"
    page.hover('circle[data-node="0"]')
    assert page.inner_text("#details h2") == "node 0" and page.locator("#details svg").count() == 1
    page.mouse.move(1, 1)
    assert page.inner_text("#details h2") == "node 7"
    assert page.locator(".chart .goal").count() == 1
    assert all(request.startswith(("file:", "data:")) for request in told.requests)
