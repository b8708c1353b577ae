// Hints in four degrees. What is proven is told apart from what is only likely.

import { aborted } from "./api.js";
import { at, button, calm, make } from "./dom.js";
import { Question } from "./question.js";

const SECONDS = 2;

export class Hints {
  constructor(session, player) {
    this.session = session;
    this.player = player;
    this.question = new Question();
    this.playing = null;
    for (const each of document.querySelectorAll("[data-degree]")) each.addEventListener("click", () => this.ask(each.dataset.degree));
  }

  clear() {
    this.question.drop();
    at("hint").hidden = true;
    at("hint").replaceChildren();
  }

  stop() {
    clearTimeout(this.playing);
    this.playing = null;
  }

  update() {
    for (const each of document.querySelectorAll("[data-degree]")) each.disabled = this.session.now.goal;
    at("play-panel").querySelector('[data-degree="wrong"]').disabled = this.session.place === 0 || this.session.now.goal;
  }

  async ask(degree) {
    const { session } = this;
    if (session.now.goal || (degree === "wrong" && !session.place)) return;
    const [now, before] = [session.now, session.past[session.place - 1]];
    this.#show([make("p", { className: "busy" }, "Thinking…")], "");
    const body = { game: session.game, state: now.state, degree, seconds: SECONDS };
    if (degree === "wrong") Object.assign(body, { previous: before.state, action: now.move.action, args: now.move.args });
    try {
      const told = await this.question.ask("/api/hint", body);
      if (session.now !== now) return;
      this.#pay(degree, told);
      this.#tell(degree, told);
    } catch (error) {
      if (!aborted(error)) this.#show([make("p", {}, error.message)], "bad");
    }
  }

  // Only what was answered costs points.
  #pay(degree, told) {
    if (told.answer === "unknown") return;
    this.session.hints[degree] = (this.session.hints[degree] ?? 0) + 1;
    this.session.paid?.();
  }

  #tell(degree, told) {
    const parts = [make("p", {}, make("span", { className: told.proven ? "badge proven" : "badge" }, told.proven ? "proven" : "not proven"), ` ${told.says}`)];
    if (told.reasons?.length) parts.push(make("ul", {}, ...told.reasons.map((words) => make("li", {}, words))));
    if (told.move) this.player.hint(told.move);
    if (degree === "next" && told.move) parts.push(make("p", {}, button("Play it", () => this.session.then(() => this.player.play(told.move)), { id: "hint-play" })));
    if (degree === "plan" && told.plan) parts.push(this.#plan(told.plan));
    if (degree === "wrong" && ["wrong", "unsolvable"].includes(told.answer)) parts.push(make("p", {}, button("Take it back", () => this.session.undo())));
    this.#show(parts, told.answer === "no" || told.answer === "unsolvable" ? "bad" : "");
  }

  #plan(plan) {
    const list = make("ol", { className: "plan" }, ...plan.map((step) => make("li", {}, step.label)));
    const go = button("Play it on the board", () => this.play(plan), { id: "hint-play" });
    return make("div", {}, make("p", {}, go), make("details", {}, make("summary", {}, `All ${plan.length} moves`), list));
  }

  // The moves one after the other, until one is made by hand.
  play(plan) {
    this.stop();
    const steps = [...plan];
    const next = async () => {
      const step = steps.shift();
      const known = this.session.moves.find((move) => move.action === step.action && JSON.stringify(move.args) === JSON.stringify(step.args));
      const ok = await this.player.play(known ?? step);
      if (ok && steps.length && this.playing !== null) this.playing = setTimeout(() => this.session.then(next), calm() ? 900 : 450);
      else this.stop();
    };
    this.playing = 0;
    this.session.then(next);
  }

  #show(parts, mood) {
    at("hint").className = mood;
    at("hint").replaceChildren(...parts);
    at("hint").hidden = false;
  }
}
