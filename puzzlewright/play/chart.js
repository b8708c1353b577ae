// A chart of figures over expansions: axes with numbers and names, a line for each search, and where it met the goal.

import { shape } from "./dom.js";

const SIZE = { wide: 420, high: 190, left: 46, right: 24, top: 16, bottom: 38 };
const TICKS = 5; // on an axis, about

export class Chart {
  // A series is { name, points: [x, y] pairs, goal: such a pair or null }.
  constructor(across, up, series) {
    this.words = [across, up];
    const points = series.flatMap(({ points, goal }) => [...points, ...(goal ? [goal] : [])]);
    const most = [0, 1].map((axis) => points.reduce((largest, point) => Math.max(largest, point[axis]), 1));
    this.ticks = most.map(ticks);
    this.ends = this.ticks.map((each, axis) => Math.max(each.at(-1), most[axis]));
    this.element = shape("svg", { viewBox: `0 0 ${SIZE.wide} ${SIZE.high}`, role: "img", class: "chart" });
    this.element.setAttribute("aria-label", `${up} over ${across}. ${series.map(inWords).join(" ")}`);
    this.#axes();
    series.forEach((each, number) => this.#line(each, number));
    this.now = this.#add("line", { y1: this.#y(0), y2: SIZE.top, class: "now" });
    series.forEach((each, number) => each.goal && this.#goal(each, number));
    this.show(0);
  }

  show(x) {
    for (const end of ["x1", "x2"]) this.now.setAttribute(end, this.#x(Math.min(x, this.ends[0])));
  }

  #x(value) {
    return round(SIZE.left + (value / this.ends[0]) * (SIZE.wide - SIZE.left - SIZE.right));
  }

  #y(value) {
    return round(SIZE.high - SIZE.bottom - (value / this.ends[1]) * (SIZE.high - SIZE.bottom - SIZE.top));
  }

  #add(tag, attributes, words = "") {
    const made = shape(tag, attributes);
    made.textContent = words;
    this.element.append(made);
    return made;
  }

  #axes() {
    const [bottom, right] = [this.#y(0), SIZE.wide - SIZE.right];
    for (const value of this.ticks[1]) {
      this.#add("line", { x1: SIZE.left, x2: right, y1: this.#y(value), y2: this.#y(value), class: value ? "grid" : "axis" });
      this.#add("text", { x: SIZE.left - 6, y: this.#y(value) + 4, class: "end" }, value.toLocaleString("en"));
    }
    this.#add("line", { x1: SIZE.left, x2: SIZE.left, y1: bottom, y2: SIZE.top, class: "axis" });
    for (const value of this.ticks[0]) {
      this.#add("line", { x1: this.#x(value), x2: this.#x(value), y1: bottom, y2: bottom + 4, class: "axis" });
      this.#add("text", { x: this.#x(value), y: bottom + 17, class: "middle" }, value.toLocaleString("en"));
    }
    this.#add("text", { x: (SIZE.left + right) / 2, y: SIZE.high - 5, class: "middle name" }, this.words[0]);
    this.#add("text", { x: 0, y: 0, class: "middle name", transform: `translate(11 ${(bottom + SIZE.top) / 2}) rotate(-90)` }, this.words[1]);
  }

  #line({ points }, number) {
    this.#add("polyline", { points: points.map(([x, y]) => `${this.#x(x)},${this.#y(y)}`).join(" "), class: `series s${number}` });
  }

  #goal({ goal: [x, y] }, number) {
    this.#add("path", { d: `M${this.#x(x)} ${this.#y(y) - 7}l7 7l-7 7l-7 -7z`, class: `goal s${number}` });
    const right = x < this.ends[0] / 2;
    this.#add("text", { x: this.#x(x) + (right ? 9 : -9), y: Math.max(12, this.#y(y) - 7), class: right ? "mark" : "mark end" }, "goal");
  }
}

const round = (number) => Number(number.toFixed(1));

function inWords({ name, goal }) {
  return goal ? `${name} reaches the goal after ${goal[0]}, at ${goal[1]}.` : `${name} reaches no goal.`;
}

// Round numbers from 0 to the largest figure.
function ticks(most) {
  const rough = most / TICKS;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ten * [1, 2, 5, 10].find((each) => each * ten >= rough));
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, number) => number * step);
}
