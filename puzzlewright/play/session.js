// A game that is being played: its positions up to now with undo and redo, and what counts for the score.

import { post } from "./api.js";
import { Question } from "./question.js";
import { Clock, keep, score } from "./score.js";

export class Session {
  constructor(changed) {
    this.changed = changed; // called after each change of the position, with the move that led there or null
    this.clock = new Clock();
    this.opening = new Question();
    this.proving = new Question();
    this.doing = Promise.resolve();
    this.number = 0; // of the game that is open
    this.info = null;
  }

  // -- opening -------------------------------------------------------------------------------------------------------

  async open(game) {
    this.proving.drop();
    const info = await this.opening.ask("/api/game", game);
    this.number += 1;
    this.game = { ...game, level: info.level || null, metric: info.metric };
    this.info = info;
    this.known = info.best;
    this.first = position(info);
    this.hints = {}; // how often which one was taken since the level was opened
    this.begin(this.first, false);
  }

  // From here on, with nothing behind it; `edited` when it is no start of the level.
  begin(first, edited) {
    this.past = [first];
    this.place = 0;
    this.edited = edited;
    this.given = 0; // moves on the way here that came with a link
    this.best = edited ? null : this.known;
    this.clock.reset();
    this.result = null;
    this.changed(null);
  }

  get now() {
    return this.past[this.place];
  }

  get moves() {
    return this.now.moves.moves;
  }

  get cost() {
    return this.now.cost;
  }

  get name() {
    const { puzzle, level, seed, metric } = this.game;
    return [puzzle, level ?? "", seed ?? 0, metric].join("|");
  }

  get started() {
    return this.past.length > 1;
  }

  // -- moves ---------------------------------------------------------------------------------------------------------

  // One after the other, so that quick keys are all obeyed, each in the position that the one before led to.
  then(work) {
    const number = this.number;
    this.doing = this.doing.then(() => number === this.number && work()).catch((error) => this.failed?.(error));
    return this.doing;
  }

  // Make the move; the server's answer says whether it can be made.
  async play(move) {
    const number = this.number;
    const from = this.now;
    const told = await post("/api/move", { game: this.game, state: from.state, action: move.action, args: move.args });
    if (number !== this.number || from !== this.now || !told.ok) return told;
    const next = after(from, move, told);
    this.given = Math.min(this.given, this.place);
    this.past = [...this.past.slice(0, this.place + 1), next];
    this.place += 1;
    this.clock.run();
    if (next.goal) this.#won();
    this.changed(move.leaves ? move : null);
    return told;
  }

  #won() {
    this.clock.stop();
    const seconds = Math.floor(this.clock.seconds);
    const points = this.edited || this.given ? null : score(this.best?.cost ?? null, this.cost, seconds, this.hints);
    this.result = { score: points, cost: this.cost, seconds, moves: this.place, ...(this.edited || !this.best ? {} : { shortest: this.best.cost }) };
    this.result.record = !this.edited && !this.given && !this.hints.plan && keep(this.name, this.result);
  }

  // Make the moves of a link, up to the first that cannot be made; how many are made. `mine` tells what of it was played
  // here before: else all the moves are given, and count for nothing.
  async follow(steps, mine) {
    const [number, past] = [this.number, [this.first]];
    for (const step of steps) {
      const told = await post("/api/move", { game: this.game, state: past.at(-1).state, ...step });
      if (!told.ok) break;
      past.push(after(past.at(-1), step, told));
    }
    if (number !== this.number) return past.length - 1;
    this.past = past;
    this.place = past.length - 1;
    this.given = Math.min(this.place, mine?.given ?? this.place);
    this.hints = { ...mine?.hints };
    this.clock.reset(mine?.seconds);
    this.changed(null);
    return this.place;
  }

  undo() {
    this.#go(this.place - 1);
  }

  redo() {
    this.#go(this.place + 1);
  }

  #go(place) {
    if (place < 0 || place >= this.past.length) return false;
    this.place = place;
    this.result = null;
    this.changed(null);
    return true;
  }

  restart() {
    this.begin(this.past[0], this.edited);
  }

  // -- the shortest solution -----------------------------------------------------------------------------------------

  // Prove in the background how short a solution of the start can be.
  async prove(seconds) {
    const [number, start] = [this.number, this.past[0]];
    if (start.goal) return;
    const told = await this.proving.ask("/api/hint", { game: this.game, state: start.state, degree: "plan", seconds });
    if (number !== this.number || start !== this.past[0] || !told.proven) return;
    this.best = told.answer === "no" ? { unsolvable: true } : { cost: told.cost, proven: true };
    if (!this.edited) this.known = this.best;
  }
}

function after(from, { action, args }, told) {
  return { ...position(told), cost: from.cost + told.cost, move: { action, args, label: told.label } };
}

// What is kept of an answer that shows a state.
export function position(told) {
  const { state, svg, board, goal, moves } = told;
  return { state, svg, board, goal, moves, cost: 0, move: null };
}
