// A level that is played in the page: what `puzzlewright/play/game.py` tells of it, told by the page itself.

import { Drawing } from "./drawing.js";
import { Machine } from "./machine.js";
import { Puzzle, Refusal, TooMany, nameOf } from "./referee.js";
import { View, boardOf, fromOne, motion } from "./scene.js";

const MOST_MOVES = 300; // listed; where there are more, a move is put together by hand
const MOST_TRIED = 20_000; // bindings of parameters for that list
const KEPT = 500; // scenes

export class Game {
  // `level`: { name, lifted, machine or why there is none, plan, best, solvable }
  constructor(level, palette) {
    this.level = level;
    this.puzzle = new Puzzle(level.lifted, fromOne);
    this.view = new View(this.puzzle, palette);
    this.drawing = new Drawing(level.lifted.letters, palette);
    this.scenes = new Map();
    this.metric = level.metric;
  }

  // -- what the game is ----------------------------------------------------------------------------------------------

  about(page) {
    const { name, title, best, solvable, unit } = this.level;
    return {
      title: page.title, level: name, level_title: title, about: this.level.lifted.about, rules: page.rules, metrics: [this.metric], metric: this.metric, unit_cost: unit, solvable,
      best: solvable === false ? { unsolvable: true } : best, // that was proven when the page was made
      stack: this.view.types[0]?.name ?? "",
      actions: this.puzzle.actions.map((action) => ({
        name: action.name, params: action.parameters.map(told), joint: action.parameters.some((each) => each.indices),
      })),
    };
  }

  // A cost in words.
  amount(cost) {
    if (this.metric !== "cost") return `${cost} ${cost === 1 ? this.metric.replace(/(?<=[cs]h)es$|s$/, "") : this.metric}`;
    return this.level.unit ? `${cost} move${cost === 1 ? "" : "s"}` : `a cost of ${cost}`;
  }

  // -- states --------------------------------------------------------------------------------------------------------

  scene(state) {
    const name = nameOf(state);
    if (this.scenes.size > KEPT) this.scenes.clear();
    if (!this.scenes.has(name)) this.scenes.set(name, this.view.scene(state));
    return this.scenes.get(name);
  }

  // What the page shows of a state, and what can be done there.
  shown(state) {
    const now = this.scene(state);
    return { state, svg: this.drawing.svg(now), board: boardOf(now), caption: now.caption, goal: this.puzzle.isGoal(state), moves: this.#moves(state) };
  }

  // Every move that can be made, once if several do the very same; none of them where they are too many.
  #moves(state) {
    const found = new Map();
    try {
      for (const { step, after } of this.puzzle.successors(state, MOST_TRIED)) {
        const move = this.move(state, step, after);
        const name = `${nameOf(after)} ${JSON.stringify(move.costs)}`;
        if (!found.has(name)) found.set(name, move);
      }
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
      return { moves: [], complete: false };
    }
    const complete = found.size <= MOST_MOVES;
    return { moves: complete ? [...found.values()] : [], complete };
  }

  // -- moves ---------------------------------------------------------------------------------------------------------

  edges(state, most) {
    return this.puzzle.successors(state, most).map(({ step, after }) => ({ step, after, cost: this.cost(state, step) }));
  }

  cost(state, step) {
    return this.puzzle.costs(state, step).get(this.metric);
  }

  // A step as plans in JSON name it.
  named({ action, values }) {
    const json = (parameter, value) => (parameter.keys ? value.map((each) => parameter.type.json(each)) : parameter.type.json(value));
    return { action: action.name, args: Object.fromEntries(action.parameters.map((parameter, place) => [parameter.name, json(parameter, values[place])])) };
  }

  move(state, step, after) {
    const costs = Object.fromEntries(this.puzzle.costs(state, step));
    return { ...this.named(step), label: this.puzzle.label(state, step), cost: this.cost(state, step), costs, state: after, ...motion(this.scene(state), this.scene(after)) };
  }

  // The step that is named so.
  step(name, args) {
    const action = this.puzzle.actions.find((each) => each.name === name);
    return { action, values: action.parameters.map((parameter) => valueOf(parameter, args[parameter.name])) };
  }

  // The state after a move, or why it cannot be made.
  made(state, step) {
    try {
      const after = this.puzzle.apply(state, step);
      return { ok: true, label: this.puzzle.label(state, step), cost: this.cost(state, step), ...this.shown(after) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ok: false, reason: error.words || error.message, line: error.line };
    }
  }

  // -- what was found when the page was made ---------------------------------------------------------------------------

  // The rest of the plan for a state on its way: the rest of a cheapest way is one from each of its states.
  planned(state) {
    this.plan ??= this.#walked();
    return this.plan.get(nameOf(state)) ?? null;
  }

  #walked() {
    const { plan, proven } = this.level;
    const [way, found] = [[], new Map()];
    let state = this.puzzle.start;
    for (const [action, args] of plan ?? []) {
      const step = this.step(action, args);
      const after = this.puzzle.apply(state, step);
      way.push({ step, state, after, cost: this.cost(state, step) });
      state = after;
    }
    for (let [place, cost] = [way.length - 1, 0]; place >= 0; place -= 1) {
      cost += way[place].cost;
      const name = nameOf(way[place].state); // from the last time that the plan comes there, so that it leads on
      if (!found.has(name)) found.set(name, { cost, proven, way: () => way.slice(place) });
    }
    return found;
  }

  // { machine }, or { why } there is none.
  async machine() {
    return (this.loading ??= this.#load());
  }

  async #load() {
    const { machine, why } = this.level;
    if (!machine) return { why };
    try {
      return { machine: await Machine.load(machine, this.puzzle) };
    } catch {
      return { why: "this browser does not run the puzzle's machine code" };
    }
  }
}

function told(parameter) {
  const { type, indices } = parameter;
  const kind = type.values.length && type.values.every((value) => value.kind === "cell") ? "cell" : type.directed ? "direction" : "other";
  return { name: parameter.name, values: type.plain, kind, array: indices && parameter.elements };
}

function valueOf({ type, keys }, told) {
  const find = (json) => type.values[type.plain.findIndex((each) => JSON.stringify(each) === JSON.stringify(json))];
  return keys ? told.map(find) : find(told);
}
