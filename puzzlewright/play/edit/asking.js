// What is asked about a text at each pause: the reader, the board, the proof, the claims, the other levels. All of it is
// about one text: the next letter takes every question back, and an answer that is late is dropped.

import { aborted } from "../api.js";
import { Question } from "../question.js";

const PAUSE = 300; // milliseconds without a letter
const PROOFS = [3, 20]; // seconds for proving, one after the other
const OTHERS = 3; // seconds for each other level
const CHECK = 20; // seconds for the claims

export class Asking {
  // `tell` has a function for each kind of answer; `table` opens a level.
  constructor(tell, table) {
    this.tell = tell;
    this.table = table;
    this.number = 0; // of the text
    this.level = null;
    this.questions = { look: new Question(), game: new Question(), hint: new Question(), check: new Question(), figures: new Question() };
  }

  // Another text, or another level of it; or what gives the text once it is asked for: { text, level }, perhaps none.
  changed(text, pause = PAUSE) {
    this.number += 1;
    for (const question of Object.values(this.questions)) question.drop();
    this.table.session.opening.drop();
    clearTimeout(this.later);
    this.tell.nothing();
    const { number } = this;
    this.later = setTimeout(() => this.#all(number, text), pause);
  }

  async #all(number, given) {
    try {
      const text = typeof given === "string" ? given : await this.#given(number, given);
      if (text === null) return;
      const told = await this.#ask(number, "look", "/api/look", { text, level: this.level });
      this.level = told.level;
      this.tell.read(told);
      if (!told.ready) return;
      await this.table.open({ puzzle: "draft", revision: told.revision, level: told.level });
      this.#current(number);
      this.tell.board();
      const claims = this.#claims(number, told);
      await this.#proof(number, told);
      this.tell.figures(await this.#ask(number, "figures", "/api/figures", { revision: told.revision, level: told.level }));
      await claims;
      await this.#others(number, told);
    } catch (error) {
      if (!aborted(error) && number === this.number) this.tell.failed(error);
    }
  }

  async #given(number, give) {
    const { text, level } = await give();
    this.#current(number);
    if (text === null) this.tell.refused();
    else this.level = level;
    return text;
  }

  // The answer, if the text is still the one that was asked about, and the answer is about that.
  async #ask(number, kind, path, body) {
    const told = await this.questions[kind].ask(path, body);
    this.#current(number);
    if (body.revision && told.revision !== body.revision) throw new Error("the answer is about another text");
    return told;
  }

  #current(number) {
    if (number !== this.number) throw new DOMException("the text has changed", "AbortError");
  }

  async #proof(number, { revision, level }) {
    for (const seconds of PROOFS) {
      this.tell.proving(seconds);
      const told = await this.#hint(number, this.table.session.game, revision, this.table.start, seconds);
      this.tell.answer(told, level, seconds === PROOFS.at(-1));
      if (told.proven) return;
    }
  }

  async #hint(number, game, revision, state, seconds) {
    const told = await this.questions.hint.ask("/api/hint", { game, state, degree: "plan", seconds });
    this.#current(number);
    if (told.revision !== revision) throw new Error("the answer is about another text");
    return told;
  }

  async #claims(number, { revision }) {
    try {
      const told = await this.#ask(number, "check", "/api/check", { revision, seconds: CHECK });
      this.tell.claims(told);
    } catch (error) {
      if (!aborted(error) && number === this.number) this.tell.failed(error);
    }
  }

  async #others(number, { revision, level, levels }) {
    for (const { name } of levels.filter((each) => each.name !== level)) {
      const game = { puzzle: "draft", revision, level: name };
      const info = await this.#opened(number, game);
      if (info) this.tell.level(name, await this.#hint(number, game, revision, info.state, OTHERS), info);
    }
  }

  // Another level; nothing where it cannot be read, which the check has said.
  async #opened(number, game) {
    try {
      const info = await this.questions.game.ask("/api/game", game);
      this.#current(number);
      return info;
    } catch (error) {
      if (aborted(error)) throw error;
      return null;
    }
  }
}
