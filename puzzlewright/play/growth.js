// How a search grows: for each depth the states that are expanded and those that wait, event by event.

import { make } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const CHART = { wide: 320, high: 90 };

export class Growth {
  // `look` is called with the state that an event is about, by its values.
  constructor(events, look) {
    this.look = look;
    this.events = events.filter((event) => event.event !== "search" && event.event !== "end");
    this.last = Math.max(0, this.events.length - 1);
    this.#count();
    this.words = make("p", { className: "step" });
    this.figures = make("dl", { className: "figures" });
    this.layers = make("div", { className: "layers", role: "img" });
    this.chart = chart(this.curve);
    this.element = make("div", { className: "growth" }, this.words, this.figures, this.chart, legend(), this.layers);
  }

  // Events a second, so that all of them take some quarter of a minute.
  get speed() {
    return this.events.length / 15;
  }

  // What is true after each event: kept as differences, so that any step is shown at once.
  #count() {
    const open = new Map(); // the first node of a state -> its depth
    const expanded = new Set();
    const seen = new Map(); // a node -> its state
    let [generated, depth] = [0, 0];
    this.steps = [];
    this.curve = [];
    for (const event of this.events) {
      const step = { add: null, take: null, expand: null };
      const state = event.same_as ?? event.node;
      if (event.board) seen.set(event.node, event.board);
      step.board = seen.get(event.node ?? event.path?.at(-1));
      if (event.event === "iteration") step.clear = [...open.values()], open.clear();
      if (["start", "generate"].includes(event.event)) {
        generated += event.event === "generate";
        if (event.same_as === null || event.same_as === undefined) open.set(event.node, event.depth), (step.add = event.depth);
      }
      if (["expand", "reopen"].includes(event.event) && event.depth !== undefined) {
        for (const node of [event.node, state]) if (open.has(node)) (step.take = open.get(node)), open.delete(node);
        step.expand = event.event === "expand" ? event.depth : null;
        if (step.expand !== null) expanded.add(this.steps.length);
      }
      depth = Math.max(depth, event.depth ?? 0);
      this.steps.push(step);
      this.curve.push({ open: open.size, expanded: expanded.size, generated, depth });
    }
  }

  show(number) {
    const rows = new Map();
    const row = (depth) => rows.get(depth) ?? rows.set(depth, { expanded: 0, open: 0 }).get(depth);
    for (const step of this.steps.slice(0, number + 1)) {
      for (const depth of step.clear ?? []) row(depth).open -= 1;
      if (step.add !== null) row(step.add).open += 1;
      if (step.take !== null) row(step.take).open -= 1;
      if (step.expand !== null) row(step.expand).expanded += 1;
    }
    const now = this.curve[number];
    this.words.textContent = told(this.events[number], number);
    this.figures.replaceChildren(...[["expanded", now.expanded], ["frontier", now.open], ["generated", now.generated], ["depth", now.depth]]
      .map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, String(value)))));
    this.#draw(rows);
    this.#follow(number);
    this.chart.lastChild.setAttribute("x1", across(number, this.last));
    this.chart.lastChild.setAttribute("x2", across(number, this.last));
    return this.words.textContent;
  }

  // The board of the last event that is about a state.
  #follow(number) {
    const state = this.steps.slice(0, number + 1).findLast((step) => step.board)?.board;
    if (state && state !== this.shown) this.look((this.shown = state));
  }

  #draw(rows) {
    this.most ??= this.#most();
    const depths = [...rows.keys()].sort((one, other) => one - other);
    this.layers.replaceChildren(...depths.map((depth) => {
      const { expanded, open } = rows.get(depth);
      const bar = make("div", { className: "bar" }, part("expanded", expanded / this.most), part("open", open / this.most));
      return make("div", { className: "layer" }, make("span", {}, String(depth)), bar, make("span", {}, `${expanded} + ${open}`));
    }));
    this.layers.setAttribute("aria-label", depths.map((depth) => `depth ${depth}: ${rows.get(depth).expanded} expanded, ${rows.get(depth).open} waiting`).join("; "));
  }

  // The largest layer there will be, so that bars do not shrink while they grow.
  #most() {
    const total = new Map();
    for (const step of this.steps) for (const depth of [step.add, step.expand]) if (depth !== null) total.set(depth, (total.get(depth) ?? 0) + 1);
    return Math.max(1, ...total.values());
  }
}

function part(name, share) {
  const made = make("i", { className: name, hidden: share === 0 });
  made.style.width = `${100 * share}%`;
  return made;
}

const across = (number, last) => (last ? (number / last) * CHART.wide : 0).toFixed(1);

// The frontier and the states expanded, over all events.
function chart(curve) {
  const svg = element("svg", { viewBox: `-2 -4 ${CHART.wide + 4} ${CHART.high + 8}`, role: "img", class: "chart" });
  svg.append(element("title", {}), element("line", { x1: 0, x2: CHART.wide, y1: CHART.high, y2: CHART.high, class: "base" }));
  svg.firstChild.textContent = "states expanded and states that wait, over the events";
  const most = Math.max(1, ...curve.map((each) => Math.max(each.open, each.expanded)));
  for (const name of ["expanded", "open"]) {
    const points = curve.map((each, number) => `${across(number, curve.length - 1)},${(CHART.high * (1 - each[name] / most)).toFixed(1)}`);
    svg.append(element("polyline", { points: points.join(" "), class: name }));
  }
  svg.append(element("line", { y1: 0, y2: CHART.high, x1: 0, x2: 0, class: "now" }));
  return svg;
}

function element(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

const legend = () => make("p", { className: "legend" }, make("i", { className: "expanded" }), "expanded ", make("i", { className: "open" }), "frontier: waiting; the rows are depths");

const WORDS = { start: "the start", generate: "makes", expand: "expands", reopen: "reopens", prune: "prunes", goal: "reaches the goal with", iteration: "begins again, up to" };

function told(event, number) {
  const figures = ["depth", "g", "h", "f"].filter((name) => event[name] !== undefined && event[name] !== null).map((name) => `${name} ${event[name]}`);
  const node = event.node === undefined || event.node === null ? "" : ` node ${event.node}`;
  const step = event.step?.label ? ` by “${event.step.label}”` : "";
  const again = event.same_as !== undefined && event.same_as !== null ? ", a state met before" : "";
  const bound = event.bound !== undefined ? ` ${event.bound}` : "";
  return `${number + 1}: ${WORDS[event.event] ?? event.event}${node}${bound}${step}${again}${figures.length ? ` (${figures.join(", ")})` : ""}`;
}
