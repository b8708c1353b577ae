// The tree of a recorded search as a board of nodes, event by event.

import { placed } from "./layered.js";
import { NodeBoard } from "./node_board.js";

export const MOST = 6000; // nodes; of more only the layers are shown
export const KINDS = [["expanded", "expanded"], ["open", "waiting"], ["again", "a state met before"], ["cut", "beyond the bound"], ["now", "this event"], ["path", "on the plan"]];
const BIG = 8; // this event's node, and the one that is looked at
const SMALL = 4; // a state that was met before

export class SearchTree {
  // `look` is called with the node that is looked at, or null.
  constructor(name, recording, look) {
    this.recording = recording;
    this.time = 0;
    this.tree = null;
    const beyond = (node, by) => (by < 0 ? recording.nodes[node.parent] : node.children.find((each) => this.#seen(each)));
    this.board = new NodeBoard(name, (node) => (this.#paint(), look(node)), beyond);
    this.board.shows = (node) => node.madeAt <= this.time;
  }

  get fits() {
    return this.recording.nodes.length <= MOST;
  }

  #seen(node) {
    return this.#within(node) && node.madeAt <= this.time;
  }

  // Is it of the iteration that is shown?
  #within(node) {
    return node.tree === this.tree || node.parent === null;
  }

  show(time) {
    this.time = time;
    const { recording, board } = this;
    board.release();
    if (recording.trees[time] !== this.tree) this.#build(recording.trees[time]);
    const about = recording.about(time);
    board.current = about ?? recording.nodes[0];
    this.#paint();
    if (about) board.follow(about);
  }

  #build(tree) {
    const { nodes, path } = this.recording;
    this.tree = tree;
    const sides = [[], []];
    const all = nodes.filter((node) => this.#within(node));
    for (const node of all) (sides[Number(Boolean(node.backward))][node.depth] ??= []).push(node);
    const layout = placed(...sides, (node) => this.#wish(node));
    const links = all.filter((node) => node.parent !== null).map((node) => ({ from: nodes[node.parent], to: node, plan: false }));
    const plan = path.slice(1).map((number, place) => ({ from: nodes[path[place]], to: nodes[number], plan: true }));
    this.board.build(layout, [...links, ...plan.filter(({ from, to }) => this.#within(from) && this.#within(to))]);
  }

  // Below its parent, beside its siblings.
  #wish(node) {
    const parent = this.recording.nodes[node.parent];
    const siblings = parent.children.filter((each) => this.#within(each));
    return parent.x + siblings.indexOf(node) - (siblings.length - 1) / 2;
  }

  #paint() {
    const { recording, time, board } = this;
    const about = recording.about(time);
    const found = recording.goalAt >= 0 && time >= recording.goalAt;
    const line = ({ to, plan }) => (plan ? (found ? "path" : "later") : to.madeAt > time ? "later" : "");
    const expanded = (node) => recording.isExpanded(node, time);
    const kind = (node) => [
      node.madeAt > time && "later", expanded(node) ? "expanded" : node.sameAs !== null && "again", node.cut && "cut",
      node.reopenedAt <= time && "reopened", found && recording.onPlan.has(node.number) && "path", node === about && "now",
    ].filter(Boolean).join(" ");
    const size = (node) => (node === about || node === board.seen ? BIG : node.sameAs !== null && !expanded(node) ? SMALL : 6);
    board.paint(kind, line, size);
  }
}
