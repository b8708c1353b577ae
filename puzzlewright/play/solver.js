// Solver mode: one search with its figures and its plan as a film; or recorded as it grows, beside another one if wanted.

import { aborted } from "./api.js";
import { still } from "./board.js";
import { at, button, count, make, options, say } from "./dom.js";
import { Film } from "./film.js";
import { Looking } from "./looking.js";
import { Question } from "./question.js";
import { Race } from "./race.js";

const FIGURES = ["expanded", "generated", "reopened", "max_frontier", "max_depth", "seconds", "peak_memory_mb", "states"];

export class Solver {
  constructor(session, player) {
    this.session = session;
    this.player = player;
    this.questions = [new Question(), new Question()]; // the second one is about the search beside
    this.looking = new Looking(session);
    this.#build();
  }

  #build() {
    this.backend = make("select", { id: "backend" });
    this.heuristic = make("select", { id: "heuristic" });
    this.beside = make("select", { id: "beside" });
    this.other = make("select", { id: "beside-heuristic" });
    this.beside.addEventListener("change", () => (this.other.disabled = !this.beside.value));
    this.seconds = make("input", { id: "seconds", type: "number", min: 1, max: 120, value: 10 });
    this.nodes = make("input", { id: "nodes", type: "number", min: 1, placeholder: "no limit" });
    this.from = make("p", { className: "soft" });
    this.run = button("Solve", () => this.#ask("solve"), { id: "run", className: "main" });
    this.grow = button("Watch the search grow", () => this.#ask("trace"), { id: "grow" });
    this.halt = button("Stop", () => this.stop(), { id: "halt", hidden: true });
    this.out = make("div", { id: "solved" });
    const field = (words, input) => make("label", {}, make("span", {}, words), input);
    at("solve-panel").append(
      make("section", { className: "card" },
        make("h2", {}, "Solver"), this.from,
        make("div", { className: "fields" }, field("Algorithm", this.backend), field("Heuristic", this.heuristic), field("Seconds", this.seconds), field("States", this.nodes),
          field("Beside it grows", this.beside), field("by the heuristic", this.other)),
        make("p", { className: "row" }, this.run, this.grow, this.halt)),
      this.out,
    );
  }

  enter() {
    this.player.hook = () => say("In solver mode the board only shows. Choose Play to move.");
  }

  leave() {
    this.stop();
    this.looking.drop();
    this.player.hook = null;
  }

  opened() {
    const { backends, heuristics } = this.session.info;
    options(this.backend, backends.map((name) => [name, name === "auto" ? "auto: the one that fits" : name]), backends.includes("astar") ? "astar" : "auto");
    options(this.beside, [["", "nothing"], ...backends.map((name) => [name, name])], "");
    for (const select of [this.heuristic, this.other]) options(select, [["", "default"], ...heuristics.map((name) => [name, name === "blind" ? "blind (none)" : name])], "");
    this.other.disabled = true;
    this.clear();
  }

  clear() {
    this.stop();
    this.#empty();
  }

  #empty() {
    this.looking.drop();
    this.out.replaceChildren();
    document.querySelector("main").classList.remove("watching");
  }

  shown() {
    this.from.textContent = this.session.started || this.session.edited ? "It searches from the position on the board." : "It searches from the start of the level.";
  }

  stop() {
    for (const question of this.questions) question.drop();
    this.film?.pause();
    this.#busy(false);
  }

  #busy(busy) {
    this.halt.hidden = !busy;
    this.run.disabled = this.grow.disabled = busy;
  }

  async #ask(work) {
    const { session } = this;
    this.film?.pause();
    this.#busy(true);
    this.#empty();
    this.player.show(null);
    say(work === "solve" ? "Searching…" : "Searching, and recording it…");
    const from = session.now;
    try {
      const told = await (work === "solve" ? this.#solve() : Promise.all(this.#searches()));
      if (session.now !== from) return;
      say("");
      if (work === "solve") this.#solved(told);
      else this.#grown(told);
    } catch (error) {
      say(aborted(error) ? "Stopped." : error.message, aborted(error) ? "" : "bad");
      if (session.now === from) this.stop();
    } finally {
      if (!this.questions.some((each) => each.open)) this.#busy(false);
    }
  }

  #body(backend, heuristic) {
    const { game, now } = this.session;
    return { game, state: now.state, backend: backend.value, heuristic: heuristic.value || null };
  }

  #solve() {
    return this.questions[0].ask("/api/solve", { ...this.#body(this.backend, this.heuristic), limits: this.#limits });
  }

  // One search, or two at the same time.
  #searches() {
    const { seconds, nodes } = this.#limits;
    const limits = { seconds, nodes: Math.min(nodes ?? 1000, 3000) };
    const asked = [this.#body(this.backend, this.heuristic), ...(this.beside.value ? [this.#body(this.beside, this.other)] : [])];
    return asked.map((body, number) => this.questions[number].ask("/api/trace", { ...body, ...limits }));
  }

  get #limits() {
    return { seconds: Number(this.seconds.value) || 10, nodes: Number(this.nodes.value) || null };
  }

  key(event) {
    if (!this.film?.element.isConnected || event.ctrlKey || event.target.tagName === "BUTTON") return;
    this.film.key(event);
  }

  // -- what came of it -----------------------------------------------------------------------------------------------

  #solved(told) {
    const card = make("section", { className: "card" }, make("h2", { id: "outcome" }, told.says));
    this.out.append(card, this.#figures(told));
    if (told.plan?.length) this.#watch(told, card);
  }

  #figures(told) {
    const known = Object.entries(told.statistics ?? {}).filter(([, value]) => typeof value === "number");
    const order = (name) => (FIGURES.includes(name) ? FIGURES.indexOf(name) : FIGURES.length);
    known.sort(([one], [other]) => order(one) - order(other));
    const rows = [["algorithm", told.backend], ["heuristic", told.heuristic], ["cost", told.cost], ["moves", told.length], ["at least", told.lower_bound], ...known];
    const list = make("dl", { className: "table" });
    for (const [name, value] of rows) {
      if (value !== null && value !== undefined) list.append(make("div", {}, make("dt", {}, name.replaceAll("_", " ")), make("dd", {}, figure(value))));
    }
    const notes = (told.notes ?? []).map((note) => make("p", { className: "soft" }, note));
    return make("section", { className: "card" }, make("h2", {}, "Figures"), list, ...notes);
  }

  #watch(told, card) {
    const list = make("ol", { className: "plan" }, ...told.plan.map((step) => make("li", {}, step.label)));
    const words = make("p", { className: "step" });
    const show = (step) => {
      still(at("board"), told.frames[step], told.captions[step]);
      words.textContent = step ? `${step} of ${told.plan.length}: ${told.plan[step - 1].label}` : `start, ${count(told.plan.length, "move")} to go`;
      list.querySelector("[aria-current]")?.removeAttribute("aria-current");
      list.children[step - 1]?.setAttribute("aria-current", "step");
      return words.textContent;
    };
    this.film = new Film("step of the solution", told.frames.length - 1, words, show);
    card.append(words, this.film.element, make("details", {}, make("summary", {}, `All ${told.plan.length} moves`), list));
    if (!told.complete) card.append(make("p", { className: "soft" }, `The film shows the first ${told.frames.length - 1} moves.`));
    this.film.start.focus({ preventScroll: true });
    this.film.begin();
  }

  #grown(told) {
    const both = told.length > 1;
    const words = both ? "Two searches on one clock" : told[0].says;
    const card = make("section", { className: "card" }, make("h2", { id: "outcome" }, words));
    this.out.append(card);
    if (!both) this.out.append(this.#figures(told[0]));
    const searches = told.filter((each) => each.events.length).map((each, number) => ({ name: called(each, number, told), told: each }));
    if (both && searches.length < 2) card.append(...told.map((each) => make("p", {}, each.says)));
    if (!searches.length) return;
    document.querySelector("main").classList.add("watching");
    const race = new Race(searches, (values) => this.looking.show(values));
    this.film = race.film;
    card.append(race.element);
    card.scrollIntoView();
    this.film.start.focus({ preventScroll: true });
    this.film.begin();
  }
}

// The search in words; two of the same are numbered.
function called({ backend, heuristic }, number, all) {
  const twice = all.length > 1 && all.every((each) => each.backend === backend && each.heuristic === heuristic);
  return `${backend}${heuristic ? ` with ${heuristic}` : ""}${twice ? ` (${number + 1})` : ""}`;
}

function figure(value) {
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toPrecision(3)));
}
