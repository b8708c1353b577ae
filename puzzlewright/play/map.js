// The map: all states that the level has from its start, in layers, with the player's own way among them. One plays on
// while it is seen.

import { aborted } from "./api.js";
import { at, button, count, make } from "./dom.js";
import { placed } from "./layered.js";
import { Looking } from "./looking.js";
import { legend, NodeBoard } from "./node_board.js";
import { Question } from "./question.js";

const SECONDS = 10;
const KINDS = [["start", "start"], ["goal", "goal"], ["dead", "dead end"], ["path", "your way"], ["now", "you are here"]];

export class SpaceMap {
  plays = true; // the board is played on

  constructor(session, player) {
    Object.assign(this, { session, player });
    this.question = new Question();
    this.looking = new Looking(session);
    this.board = new NodeBoard("the states of the level", (node) => this.#look(node), (node, by) => this.#beyond(node, by));
    this.board.shows = () => true;
    this.says = make("p", { id: "map-says", "aria-live": "polite" });
    this.facts = make("p", { className: "facts", "aria-live": "polite" });
    this.back = button("Back to your position", () => this.board.choose(null), { id: "map-back", hidden: true });
    this.drawing = make("div", { className: "watched", hidden: true }, legend(KINDS), this.board.box, make("div", { className: "row" }, make("label", { className: "zoom" }, "Zoom ", this.board.zoom), this.back), this.facts);
    at("map-panel").append(make("section", { className: "card watched" }, make("h2", {}, "All states"), this.says, this.drawing));
    at("board").addEventListener("pointerdown", () => this.board.choose(null), true);
  }

  enter() {
    this.inside = true;
    if (!this.start && this.session.past) this.#ask();
  }

  leave() {
    this.inside = false;
    if (this.question.open) this.#empty();
    this.looking.drop();
    this.board.release();
  }

  // Another position: the way goes on. Another start: another map.
  shown() {
    this.looking.drop();
    this.board.release();
    this.#tell(null);
    if (this.start !== this.session.past[0]) this.#empty();
    if (this.start) this.#paint();
    else if (this.inside) this.#ask();
  }

  #empty() {
    this.question.drop();
    this.start = this.nodes = null;
    this.drawing.hidden = true;
    this.says.textContent = "";
  }

  async #ask() {
    const { session } = this;
    const start = session.past[0];
    this.#empty();
    this.start = start;
    this.says.textContent = "Walking through all states…";
    try {
      const told = await this.question.ask("/api/states", { game: session.game, state: start.state, seconds: SECONDS });
      if (session.past[0] !== start) return;
      if (told.ok) this.#draw(told);
      else this.says.textContent = told.says;
    } catch (error) {
      if (aborted(error)) return;
      this.#empty();
      this.says.textContent = error.message;
    }
  }

  // -- drawing -------------------------------------------------------------------------------------------------------

  #draw(told) {
    this.told = told;
    this.nodes = nodesOf(told);
    this.keys = new Map(this.nodes.map((node) => [this.#key(node.values), node]));
    this.drawing.hidden = false;
    this.says.textContent = summary(told, this.nodes);
    const lines = linesOf(told.moves, this.nodes);
    const layers = told.layers.map((_, depth) => this.nodes.filter((node) => node.depth === depth));
    this.board.build(placed(layers, [], wish), lines);
    this.board.current = this.nodes[0];
    this.#paint();
  }

  // What tells states apart.
  #key(values) {
    return JSON.stringify(this.told.counts.map((place) => values[place]));
  }

  // The nodes of the positions up to this one.
  get #way() {
    const { past, place, info } = this.session;
    return past.slice(0, place + 1).map(({ state }) => this.keys.get(this.#key(info.variables.map(({ name }) => state[name])))).filter(Boolean);
  }

  #paint() {
    if (!this.nodes) return;
    const way = this.#way;
    const [on, here] = [new Set(way), way.at(-1)];
    const kind = (node) => [
      node.goal ? "goal" : node.left === null ? "dead" : "", node.number === 0 && "start", on.has(node) && "path", node === here && "now",
    ].filter(Boolean).join(" ");
    this.board.current = here ?? this.nodes[0];
    this.board.paint(kind, () => "", (node) => (node === here || node === this.board.seen ? 9 : node.goal ? 8 : 6));
    this.board.walk(way);
    if (here) this.board.follow(here);
  }

  // In the next layer up or down, a state that a move leads to or from, else the nearest one.
  #beyond(node, by) {
    const layer = this.nodes.filter((other) => other.depth === node.depth + by);
    const far = (other) => Math.abs(other.x - node.x) + (node.beside.has(other) ? 0 : this.nodes.length);
    return layer.reduce((best, other) => (best && far(best) <= far(other) ? best : other), undefined);
  }

  // -- looking -------------------------------------------------------------------------------------------------------

  #look(node) {
    this.#paint();
    this.#tell(node);
    if (node) return this.looking.show(node.values);
    this.looking.drop();
    this.player.show(null);
  }

  #tell(node) {
    this.back.hidden = !this.board.chosen;
    this.facts.textContent = node ? facts(node, this.told, this.#way) : "";
  }
}

function nodesOf({ layers, states, left, goals }) {
  const goal = new Set(goals);
  const depths = layers.flatMap((size, depth) => Array(size).fill(depth));
  return states.map((values, number) => ({ number, values, depth: depths[number], left: left[number], goal: goal.has(number), beside: new Set() }));
}

// Below the middle of the states that it comes from.
function wish(node) {
  const above = [...node.beside].filter((other) => other.depth < node.depth);
  return above.reduce((sum, other) => sum + other.x, 0) / (above.length || 1);
}

// A line for each two states; it is an arrow where no move leads back.
function linesOf(moves, nodes) {
  const known = new Set(moves.map(([from, to]) => `${from},${to}`));
  const found = moves.filter(([from, to]) => from < to || !known.has(`${to},${from}`));
  return found.map(([from, to]) => {
    nodes[from].beside.add(nodes[to]);
    nodes[to].beside.add(nodes[from]);
    return { from: nodes[from], to: nodes[to], oneWay: !known.has(`${to},${from}`) };
  });
}

function summary({ layers, aside, goals, pairs, moves }, nodes) {
  const dead = nodes.filter((node) => node.left === null).length;
  const kinds = `${count(goals.length, "goal")}, ${count(dead, "dead end")}`;
  const lines = moves.length < pairs ? ` The ${pairs.toLocaleString("en")} moves between them are too many to draw.` : "";
  return `${count(nodes.length, "state")}${aside} can be reached, in ${count(layers.length, "layer")} by their least number of moves from the start: ${kinds}.${lines}`;
}

function facts(node, { steps }, way) {
  const from = node.number ? `${count(node.depth, "move")} from the start` : "the start";
  const rest = steps ? `${count(node.left, "move")} from the nearest goal` : `cost ${node.left} to the nearest goal`;
  const to = node.goal ? "a goal" : node.left === null ? "a dead end: no goal can be reached from here" : rest;
  const own = node === way.at(-1) ? "; you are here" : way.includes(node) ? "; you were here" : "";
  return `State ${node.number}: ${from}; ${to}${own}.`;
}
