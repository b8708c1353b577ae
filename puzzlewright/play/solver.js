// Solver mode: one search with its figures and its plan as a film, or the same search recorded as it grows.

import { aborted } from "./api.js";
import { still } from "./board.js";
import { at, button, count, make, options, say } from "./dom.js";
import { Film } from "./film.js";
import { Growth } from "./growth.js";
import { Question } from "./question.js";

const FIGURES = ["expanded", "generated", "reopened", "max_frontier", "max_depth", "seconds", "peak_memory_mb", "states"];

export class Solver {
  constructor(session, player) {
    this.session = session;
    this.player = player;
    this.question = new Question();
    this.#build();
  }

  #build() {
    this.backend = make("select", { id: "backend" });
    this.heuristic = make("select", { id: "heuristic" });
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
        make("div", { className: "fields" }, field("Algorithm", this.backend), field("Heuristic", this.heuristic), field("Seconds", this.seconds), field("States", this.nodes)),
        make("p", { className: "row" }, this.run, this.grow, this.halt)),
      this.out,
    );
  }

  opened() {
    const { backends, heuristics } = this.session.info;
    options(this.backend, backends.map((name) => [name, name === "auto" ? "auto: the one that fits" : name]), backends.includes("astar") ? "astar" : "auto");
    options(this.heuristic, [["", "default"], ...heuristics.map((name) => [name, name === "blind" ? "blind (none)" : name])], "");
    this.clear();
  }

  clear() {
    this.stop();
    this.out.replaceChildren();
  }

  shown() {
    this.from.textContent = this.session.started || this.session.edited ? "It searches from the position on the board." : "It searches from the start of the level.";
  }

  stop() {
    this.question.drop();
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
    this.player.show(null);
    say(work === "solve" ? "Searching…" : "Searching, and recording it…");
    this.out.replaceChildren();
    const limits = { seconds: Number(this.seconds.value) || 10, nodes: Number(this.nodes.value) || null };
    const body = { game: session.game, state: session.now.state, backend: this.backend.value, heuristic: this.heuristic.value || null };
    const from = session.now;
    try {
      const told = work === "solve"
        ? await this.question.ask("/api/solve", { ...body, limits })
        : await this.question.ask("/api/trace", { ...body, seconds: limits.seconds, nodes: Math.min(limits.nodes ?? 1000, 3000) });
      if (session.now !== from) return;
      say("");
      if (work === "solve") this.#solved(told);
      else this.#grown(told);
    } catch (error) {
      say(aborted(error) ? "Stopped." : error.message, aborted(error) ? "" : "bad");
    } finally {
      if (!this.question.open) this.#busy(false);
    }
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
    const card = make("section", { className: "card" }, make("h2", { id: "outcome" }, told.says));
    this.out.append(card, this.#figures(told));
    if (!told.events.length) return;
    const growth = new Growth(told.events);
    this.film = new Film("event of the search", growth.last, growth.words, (step) => growth.show(step), 16);
    growth.words.after(this.film.element);
    card.append(growth.element);
    this.film.start.focus({ preventScroll: true });
    this.film.begin();
  }
}

function figure(value) {
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toPrecision(3)));
}
