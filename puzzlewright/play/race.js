// A recorded search that is watched, or two of them side by side on one clock: that of their expansions.

import { Chart } from "./chart.js";
import { count, make, options } from "./dom.js";
import { Film } from "./film.js";
import { Growth } from "./growth.js";
import { legend } from "./node_board.js";
import { KINDS } from "./search_tree.js";

const WATCHED = 15; // seconds that all of it takes, about
const FIGURES = [["expanded", "expanded"], ["generated", "generated"], ["max depth", "max_depth"], ["reopened", "reopened"]];

export class Race {
  // A search is { name, told }; `look` is called with the values of the state that is to be seen.
  constructor(searches, look) {
    this.look = look;
    this.sides = searches.map(({ name, told }) => new Growth(name, told, (growth, node) => this.#looked(growth, node)));
    this.seen = this.sides[0]; // whose states are on the board
    this.both = this.sides.length > 1;
    this.last = Math.max(...this.sides.map(({ recording }) => (this.both ? recording.expansions : recording.last)));
    this.words = make("p", { className: "step", "aria-live": "polite" });
    this.measure = make("select", {});
    this.measure.addEventListener("change", () => this.#plot());
    this.figure = make("figure", {}, make("label", {}, "Chart ", this.measure));
    this.#offer();
    this.#plot();
    this.verdict = make("p", { className: "verdict", hidden: true }, this.both ? verdict(this.sides) : "");
    this.columns = make("div", { className: this.both ? "sides" : "" }, ...this.sides.map((each) => this.#column(each)));
    const clock = this.both ? "expansions of both searches" : "event of the search";
    this.film = new Film(clock, this.last, this.words, (step) => this.show(step), this.last / WATCHED);
    this.element = make("div", { className: "watched race" }, this.words, this.film.element, this.verdict, this.columns, legend(KINDS), this.figure, ...(this.both ? [table(this.sides)] : []));
  }

  #column(growth) {
    if (!this.both) return growth.element;
    return make("section", { className: "side" }, make("h3", {}, growth.name), make("p", { className: "soft" }, growth.told.says), growth.element);
  }

  show(step) {
    this.step = step;
    for (const growth of this.sides) growth.show(this.both ? growth.recording.after(step) : step);
    this.chart.show(this.#expansions);
    this.verdict.hidden = !this.both || step < this.last;
    this.words.textContent = this.both ? this.#standing() : `${step + 1} of ${this.last + 1}: ${this.seen.recording.sentence(step)}`;
    this.look(this.seen.state);
    return this.words.textContent;
  }

  get #expansions() {
    return this.both ? this.step : this.seen.recording.curve[this.step].expanded;
  }

  #standing() {
    const told = this.sides.map(({ name, recording, found, time }) => {
      const { depth, open } = recording.curve[time];
      if (this.step < recording.expansions) return `${name} is at depth ${depth}, ${open} wait`;
      return `${name} ${found ? "has found the goal" : "has ended without a goal"}`;
    });
    return `After ${count(this.step, "expansion")}: ${told.join("; ")}.`;
  }

  // What is chosen stands still.
  #looked(growth, node) {
    if (node) this.seen = growth;
    if (growth.tree.board.chosen) this.film?.pause();
    for (const other of this.sides) if (node && other !== growth) other.tree.board.release();
    this.look(this.seen.state);
  }

  // -- the chart -----------------------------------------------------------------------------------------------------

  // What all of the searches have in the same meaning.
  #offer() {
    const [first, ...others] = this.sides.map(({ recording }) => recording.measures);
    const has = (all, words) => all.some((each) => each[1] === words);
    options(this.measure, first.filter(([, words]) => others.every((each) => has(each, words))));
  }

  #plot() {
    const { value, selectedOptions } = this.measure;
    this.chart?.element.remove();
    this.chart = new Chart("states expanded", selectedOptions[0].textContent, this.sides.map(({ name, recording }) => ({ name, points: recording.series(value), goal: recording.goal(value) })));
    this.figure.append(this.chart.element);
    if (this.both) this.#key();
    if (this.step !== undefined) this.chart.show(this.#expansions);
  }

  #key() {
    this.figure.querySelector("figcaption")?.remove();
    const entry = ({ name }, number) => make("span", {}, make("i", { className: `line s${number}` }), name);
    this.figure.append(make("figcaption", { className: "legend" }, ...this.sides.map(entry)));
  }
}

// Who found the goal first, on the clock of expansions, and what it costs.
export function verdict(sides) {
  const spent = ({ recording }) => count(recording.expansions, "expansion");
  const [first, second] = [...sides].sort((one, other) => other.found - one.found || one.recording.expansions - other.recording.expansions);
  if (!first.found) return "Neither has found a goal.";
  if (!second.found) return `${first.name} has found the goal, after ${spent(first)}; ${second.name} has not, in ${spent(second)}.`;
  const costs = first.told.cost === second.told.cost ? `Both plans cost ${first.told.cost}.` : `Their plans cost ${first.told.cost} and ${second.told.cost}.`;
  if (spent(first) === spent(second)) return `Both have found the goal after ${spent(first)}. ${costs}`;
  return `${first.name} was first: it has found the goal after ${spent(first)}, ${second.name} after ${spent(second)}. ${costs}`;
}

function table(sides) {
  const row = (name, figure) => make("tr", {}, make("th", { scope: "row" }, name), ...sides.map((each) => make("td", {}, shown(figure(each)))));
  const head = make("tr", {}, make("td", {}), ...sides.map(({ name }) => make("th", { scope: "col" }, name)));
  const rows = FIGURES.map(([name, key]) => row(name, ({ told }) => told.statistics?.[key]));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, row("cost", ({ told }) => told.cost), row("moves", ({ told }) => told.length), ...rows));
}

const shown = (figure) => (typeof figure === "number" ? figure.toLocaleString("en") : "–");
