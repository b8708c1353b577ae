// The board beside the text: the page of `play` without its hints and scores.

import { at, button, count, make, say } from "../dom.js";
import { asText } from "../moves.js";
import { Player } from "../player.js";
import { Session } from "../session.js";

const STEP = 400; // milliseconds between two moves of a plan that is shown
const FEW = 24; // moves that are buttons below the board

export class Table {
  constructor() {
    this.session = new Session((move) => this.#changed(move));
    this.player = new Player(this.session);
    this.session.failed = (error) => error.name !== "AbortError" && say(error.message, "bad");
    this.opened = 0;
    for (const work of ["undo", "redo", "restart"]) at(work).addEventListener("click", () => this.#then(work));
    at("board").addEventListener("keydown", (event) => this.#key(event));
  }

  // A level of a text.
  async open(game) {
    await this.session.open(game);
  }

  get start() {
    return this.session.past[0].state;
  }

  #then(work) {
    clearTimeout(this.showing);
    this.session.then(() => this.session[work]());
  }

  // Make these moves from the start, one after the other.
  showPlan(plan) {
    const steps = [...plan];
    const { number } = this.session;
    const next = async () => {
      const ok = number === this.session.number && (await this.player.play(steps.shift()));
      if (ok && steps.length) this.showing = setTimeout(() => this.session.then(next), STEP);
    };
    this.#then("restart");
    this.session.then(next);
  }

  #changed(move) {
    const { session, player } = this;
    if (this.opened !== session.number) {
      this.opened = session.number;
      clearTimeout(this.showing);
      player.opened();
      say("");
    }
    player.show(move);
    at("about").textContent = session.info.about;
    at("board-text").textContent = asText(session.now.board);
    at("board").setAttribute("aria-label", `board: ${session.now.board.caption || session.info.title}`);
    at("undo").disabled = session.place === 0;
    at("redo").disabled = session.place === session.past.length - 1;
    at("restart").disabled = !session.started;
    at("cost").textContent = session.place ? paid(session.cost, session.info) : "";
    at("stage").classList.toggle("solved", session.now.goal);
    if (session.now.goal) say(session.place ? `Solved in ${paid(session.cost, session.info)}.` : "This position is solved.");
    this.#list();
  }

  #list() {
    const { session, player } = this;
    const { moves, complete } = session.now.moves;
    const press = (move) => button(move.label, () => session.then(() => player.play(move)));
    at("moves").replaceChildren(...moves.map((move) => make("li", {}, press(move))));
    at("moves-count").textContent = complete ? moves.length : "too many to list";
    const unseen = session.now.board.spots.length ? moves.filter((move) => !move.changed.length) : moves;
    const shown = unseen.length <= FEW && !session.now.goal && !player.joint ? unseen : [];
    at("chips").replaceChildren(...shown.map(press));
    at("chips").hidden = !shown.length;
  }

  #key(event) {
    const work = { u: "undo", z: "undo", Backspace: "undo", y: "redo", r: "restart" }[event.key];
    if (!work || event.altKey || event.metaKey || event.defaultPrevented) return;
    event.preventDefault();
    this.#then(work);
  }
}

// A cost in words.
export function paid(cost, { metric, unit_cost: each }) {
  if (metric !== "cost") return `${cost} ${cost === 1 ? metric.replace(/(?<=[cs]h)es$|s$/, "") : metric}`;
  return each ? count(cost, "move") : `a cost of ${cost}`;
}
