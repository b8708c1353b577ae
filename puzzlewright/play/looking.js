// States that are looked at on the board. Of those that pass while a picture is asked for only the last one is asked for.

import { post } from "./api.js";
import { still } from "./board.js";
import { at } from "./dom.js";
import { asText } from "./moves.js";

const KEPT = 500; // pictures

export class Looking {
  constructor(session) {
    this.session = session;
    this.pictures = new Map(); // the game and the values of a state -> its picture and caption
    this.turn = 0; // counts how often it was dropped
    this.busy = false;
    this.drop();
  }

  // The values of a state, in the order of the puzzle's variables.
  async show(values) {
    if (values === null) return;
    this.wanted = { values, turn: this.turn, key: JSON.stringify([this.session.number, values]) };
    if (this.busy || this.wanted.key === this.seen) return;
    this.busy = true;
    while (this.wanted) {
      const { wanted } = this;
      const told = this.pictures.get(wanted.key) ?? (await this.#ask(wanted.values));
      if (told && wanted.turn === this.turn) this.#put(wanted.key, told);
      if (this.wanted === wanted) this.wanted = null;
    }
    this.busy = false;
  }

  // The figures go on without a picture that cannot be had.
  #ask(values) {
    const { info, game } = this.session;
    const state = Object.fromEntries(info.variables.map(({ name }, place) => [name, values[place]]));
    return post("/api/seen", { game, state }).catch(() => null);
  }

  #put(key, told) {
    if (this.pictures.size >= KEPT) this.pictures.clear();
    this.pictures.set(key, told);
    this.seen = key;
    still(at("board"), told.svg, told.caption);
    at("board-text").textContent = asText(told.board);
  }

  // Nothing is looked at any more: what is on its way is not shown.
  drop() {
    this.turn += 1;
    if (this.seen) at("board-text").textContent = asText(this.session.now.board);
    this.wanted = this.seen = null;
  }
}
