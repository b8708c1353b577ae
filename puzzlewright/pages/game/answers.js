// Hints in degrees, as `puzzlewright/play/hints.py` has them: can it still be solved, was that move wrong, what is a good
// next move, the whole plan. A table of distances decides where the space is small; else the plan that was proven when the
// page was made, for the states on its way; else a search from the state on; else nothing is said to be known.

import { Limit, Table, Turn, cheapest } from "./distances.js";
import { TooMany, nameOf } from "./referee.js";

const WHOLE = { states: 400_000, edges: 4_000_000 }; // of a space that a table is made of
const SEARCH = { states: 400_000 }; // of a search from one state on
const MOST_TRIED = 200_000; // bindings of parameters, for the move behind a step of the machine

// What is known of a state: `cost` of the cheapest known way, whether that is `proven` to be the cheapest, the `way`, a
// function that gives its steps; or `dead`: no goal can be reached. Neither: `why` that is not known.
export class Answers {
  constructor(game) {
    this.game = game;
    this.found = new Map(); // by the name of the state, what a search has proven
    this.table = undefined; // null: the space is too large
  }

  async hint({ degree, state, previous, step }, signal) {
    try {
      return { degree, ...(await this[`_${degree}`](state, signal, previous, step)) };
    } catch (error) {
      if (error instanceof TooMany) return { degree, ...told("unknown", false, "Not known: there are too many moves here to tell which one it is.") };
      throw error;
    }
  }

  // -- degrees -------------------------------------------------------------------------------------------------------

  async _solvable(state, signal) {
    if (this.game.puzzle.isGoal(state)) return told("yes", true, "This position is solved already.");
    const known = await this.#distance(state, signal);
    if (known.dead) return told("no", true, "No, it cannot be solved from here; that is proven.");
    if (known.cost !== undefined) return told("yes", true, "Yes, it can still be solved from here.");
    return told("unknown", false, `Not known: ${known.why}.`);
  }

  async _wrong(state, signal, previous, step) {
    const paid = this.game.cost(previous, step);
    const [old, now] = [await this.#distance(previous, signal), await this.#distance(state, signal)];
    if (old.dead) return told("fine", true, "It could not be solved before that move either.");
    if (now.dead && old.cost !== undefined) return told("unsolvable", true, "After that move it can no longer be solved. Take it back.");
    if (now.dead) return told("unsolvable", true, "It cannot be solved from here; whether it could before is not known.");
    if (!old.proven || !now.proven) return told("unknown", false, `Can't tell: ${(old.proven ? now : old).why ?? "no way is proven best"}.`);
    const more = paid + now.cost - old.cost;
    if (more === 0) return { ...told("fine", true, "That move is on a best way."), extra: 0 };
    return { ...told("wrong", true, `That move costs ${this.game.amount(more)} more than the best way.`), extra: more };
  }

  async _next(state, signal) {
    const [known, answer] = await this.#way(state, signal);
    if (!known) return answer;
    const [{ step, after }] = await known.way(1);
    const move = this.game.move(state, step, after);
    const left = this.game.amount(known.cost);
    const says = known.proven ? `${move.label}: a best move, ${left} to the goal; that is proven.` : `${move.label}: on the best way known (${left} to the goal); a better one may exist.`;
    return { ...answer, says, move };
  }

  async _plan(state, signal) {
    const [known, answer] = await this.#way(state, signal);
    if (!known) return answer;
    const way = await known.way();
    const steps = `${way.length} move${way.length === 1 ? "" : "s"}`;
    const paid = known.cost === way.length ? "" : `, ${this.game.amount(known.cost)}`;
    const says = known.proven ? `A best solution: ${steps}${paid}. That none is better is proven.` : `A solution: ${steps}${paid}. A better one may exist.`;
    const before = [state, ...way.map(({ after }) => after)];
    return {
      ...answer, says, move: this.game.move(state, way[0].step, way[0].after),
      plan: way.map(({ step }, place) => ({ ...this.game.named(step), label: this.game.puzzle.label(before[place], step) })),
    };
  }

  // What is known of a way of at least one step, and the answer as far as it does not depend on it.
  async #way(state, signal) {
    if (this.game.puzzle.isGoal(state)) return [null, told("solved", true, "This position is solved already.")];
    const known = await this.#distance(state, signal);
    if (known.dead) return [null, told("no", true, "No, it cannot be solved from here; that is proven.")];
    if (known.cost === undefined) return [null, told("unknown", false, `Not known: ${known.why}.`)];
    return [known, { ...told(known.proven ? "best" : "suggested", known.proven, ""), cost: known.cost }];
  }

  // -- what they rest on ---------------------------------------------------------------------------------------------

  async #distance(state, signal) {
    if (this.game.level.solvable === false) return { dead: true }; // the start is proven to lead to no goal, so nothing does
    const planned = this.game.planned(state);
    if (planned?.proven) return planned;
    const proven = await this.#proven(state, signal);
    return proven.why && planned ? planned : proven;
  }

  async #proven(state, signal) {
    const { machine, why } = await this.game.machine();
    const packed = machine?.pack(state);
    if (!packed) return { why: why ?? "the machine code of this page is not about this position" };
    const turn = new Turn(signal);
    const far = (await this.#whole(machine, turn))?.of(packed) ?? null;
    if (far === Infinity) return { dead: true };
    if (far !== null) return { cost: far, proven: true, way: (most) => this.#along(machine, state, this.table.path(packed, most)) };
    return this.#searched(machine, state, packed, turn);
  }

  // The table of all states, made once; null where they are too many.
  async #whole(machine, turn) {
    if (this.table === undefined) {
      try {
        this.table = await Table.make(machine, machine.pack(this.game.puzzle.start), WHOLE, turn);
      } catch (error) {
        if (!(error instanceof Limit)) throw error;
        this.table = null;
      }
    }
    return this.table;
  }

  async #searched(machine, state, packed, turn) {
    const name = nameOf(state);
    if (!this.found.has(name)) {
      try {
        const found = await cheapest(machine, packed, SEARCH, turn);
        this.found.set(name, found ? { cost: found.cost, proven: true, way: () => this.#along(machine, state, found.path) } : { dead: true });
      } catch (error) {
        if (!(error instanceof Limit)) throw error;
        return { why: `a search of ${SEARCH.states.toLocaleString("en")} positions in this page was not enough` };
      }
    }
    return this.found.get(name);
  }

  // The steps along packed states, the first of which is the state's.
  #along(machine, state, path) {
    const way = [];
    for (const wanted of path.slice(1)) {
      const found = this.game.edges(way.at(-1)?.after ?? state, MOST_TRIED).filter(({ after }) => String(machine.pack(after)) === String(wanted));
      if (!found.length) throw new Error("the page's two evaluators contradict each other, which is a bug");
      way.push(found.reduce((best, edge) => (edge.cost < best.cost ? edge : best)));
    }
    return way;
  }
}

const told = (answer, proven, says) => ({ answer, proven, says });
