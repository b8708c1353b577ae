// A recorded search as a page by itself: its tree, the chosen node with its board, and its figures over expansions.

import { Chart } from "./chart.js";
import { at, make, options, picture } from "./dom.js";
import { Film } from "./film.js";
import { legend } from "./node_board.js";
import { ofRows } from "./recording.js";
import { KINDS, SearchTree } from "./search_tree.js";

const SPEED = 8; // events a second, at first
const NAMES = { slider: "time", first: "first", back: "back", start: "play", forth: "next", end: "last", speed: "speed" };

const data = JSON.parse(at("data").textContent);
const recording = ofRows(data);
const tree = new SearchTree("the tree of nodes", recording, looked);
let chart = null;
let now = 0;
const film = new Film("event", recording.last, at("event"), show, SPEED);

function show(time) {
  now = time;
  tree.show(time);
  chart?.show(recording.curve[time].expanded);
  const words = recording.sentence(time);
  at("event").textContent = `${time + 1} of ${recording.last + 1}: ${words}`;
  details();
  return words;
}

// What is chosen stands still.
function looked() {
  if (tree.board.chosen) film?.pause();
  details();
}

// The node that is looked at, else that of the event.
function details() {
  const node = tree.board.seen ?? recording.about(now) ?? recording.nodes[0];
  const facts = recording.facts(node, now).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]);
  at("details").replaceChildren(make("h2", {}, `node ${node.number}`), ...board(node), make("dl", {}, ...facts));
}

function board({ board: number }) {
  if (!data.boards[number]) return [];
  const [[left, top, wide, high], elements, lines] = data.boards[number];
  const drawn = elements.map((each) => data.elements[each]).join("");
  const svg = picture(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${wide} ${high}" width="${wide}" height="${high}">${drawn}</svg>`);
  svg.setAttribute("aria-hidden", "true");
  return [svg, make("p", { className: "unseen" }, lines)];
}

function plot() {
  const { value, selectedOptions } = at("measure");
  chart = new Chart("states expanded", selectedOptions[0].textContent, [{ name: "the search", points: recording.series(value), goal: recording.goal(value) }]);
  at("chart").replaceChildren(chart.element);
  chart.show(recording.curve[now].expanded);
}

function name(element, id) {
  element.id = id;
}

for (const [part, id] of Object.entries(NAMES)) name(film[part], id);
name(tree.board.box, "tree");
name(tree.board.zoom, "zoom");
film.slider.after(at("event"));
film.controls.append(make("label", { className: "zoom" }, "Zoom ", tree.board.zoom));
at("film").append(film.element);
at("stage").prepend(tree.board.box);
at("stage").after(legend(KINDS));
options(at("measure"), recording.measures);
at("measure").addEventListener("change", plot);
plot();

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.target.matches("input, select")) return;
  if (event.key === "Escape") tree.board.choose(null);
  else film.key(event);
});
