// A recorded search: its nodes, and what is true of it after each event. Nothing here is drawn.

const FIELDS = ["parent", "depth", "g", "h", "f", "sameAs", "cut", "backward", "board", "label", "cost"];

// As a page by itself holds it: a row for each node, a pair for each event.
export function ofRows(data) {
  const nodes = data.nodes.map((row) => Object.fromEntries(FIELDS.map((name, place) => [name, row[place]])));
  return new Recording({ ...data, nodes });
}

// As the server tells it, event by event.
export function ofEvents(told) {
  const head = told.find((event) => event.event === "search");
  const made = told.filter((event) => ["start", "generate"].includes(event.event));
  const nodes = made.map(({ same_as: sameAs, step, ...rest }) => ({ ...rest, sameAs, label: step?.label, cost: step?.cost }));
  const events = told.filter(({ event }) => !["search", "prune", "end"].includes(event)).map((event) => [event.event, event.node ?? event.bound]);
  const path = told.find((event) => event.path)?.path ?? [];
  return new Recording({ nodes, events, path, f: head.f, informed: head.heuristic !== null, metric: head.metric.split(",") });
}

// With several metrics figures are lists; the first one is what is drawn.
export const leading = (figure) => (Array.isArray(figure) ? figure[0] : figure ?? null);

export class Recording {
  constructor({ nodes, events, path, f, informed, metric }) {
    Object.assign(this, { events, path, f, informed, metric });
    this.nodes = nodes.map((node, number) => ({ ...node, number, tree: 0, children: [], expandedAt: [], reopenedAt: Infinity }));
    this.last = Math.max(0, events.length - 1);
    this.goalAt = events.findIndex(([kind]) => kind === "goal");
    this.onPlan = new Set(path);
    this.#date();
    this.#count();
  }

  // Which event makes, expands or reopens which node; each iteration of a search that deepens is a tree of its own.
  #date() {
    let tree = 0;
    this.trees = this.events.map(([kind, number], time) => {
      if (kind === "iteration") return ++tree;
      const node = this.nodes[number];
      if (kind === "start" || kind === "generate") [node.madeAt, node.tree] = [time, tree];
      if (kind === "generate") this.nodes[node.parent].children.push(node);
      if (kind === "expand") node.expandedAt.push(time);
      if (kind === "reopen") node.reopenedAt = time;
      return tree;
    });
  }

  // What each event changes, so that any time is shown at once. A row is a depth; backwards -1 is the depth 0.
  #count() {
    const open = new Map(); // the first node of a state -> its row
    let [expanded, generated, depth] = [0, 0, 0];
    this.changes = [];
    this.curve = [];
    this.stands = []; // by a number of expansions, the last event before the next one
    this.events.forEach(([kind, number], time) => {
      const change = { opened: null, closed: [], expanded: null };
      if (kind === "iteration") change.closed = [...open.values()], open.clear();
      else this.#change(kind, this.nodes[number], open, change);
      if (kind === "expand") this.stands.push(time - 1), (expanded += 1);
      if (kind === "generate") generated += 1;
      if (kind !== "iteration") depth = Math.max(depth, this.nodes[number].depth);
      this.changes.push(change);
      this.curve.push({ expanded, open: open.size, generated, depth });
    });
    this.stands.push(this.last);
  }

  #change(kind, node, open, change) {
    const row = rowOf(node);
    if (["start", "generate"].includes(kind) && node.sameAs === null) open.set(node.number, (change.opened = row));
    if (kind !== "expand") return;
    change.expanded = row;
    const first = node.sameAs ?? node.number;
    if (open.has(first)) change.closed.push(open.get(first)), open.delete(first);
  }

  get expansions() {
    return this.stands.length - 1;
  }

  // The event at which the search stands after so many expansions.
  after(expansions) {
    return this.stands[Math.min(expansions, this.expansions)];
  }

  // How many steps the plan has: where two searches meet, two of its nodes are one state.
  get steps() {
    return this.path.filter((number) => this.nodes[number].parent !== null).length;
  }

  // The node that an event is about, if any.
  about(time) {
    return this.events[time][0] === "iteration" ? null : this.nodes[this.events[time][1]];
  }

  // Of each row, how many states were expanded and how many wait.
  rows(time) {
    const rows = new Map();
    const row = (number) => rows.get(number) ?? rows.set(number, { expanded: 0, open: 0 }).get(number);
    for (const change of this.changes.slice(0, time + 1)) {
      for (const number of change.closed) row(number).open -= 1;
      if (change.opened !== null) row(change.opened).open += 1;
      if (change.expanded !== null) row(change.expanded).expanded += 1;
    }
    return [...rows].sort(([one], [other]) => one - other);
  }

  // The largest row that there will be.
  get most() {
    const total = new Map();
    for (const { opened, expanded } of this.changes) for (const row of [opened, expanded]) if (row !== null) total.set(row, (total.get(row) ?? 0) + 1);
    return Math.max(1, ...total.values());
  }

  isExpanded(node, time) {
    return node.expandedAt.some((each) => each <= time && this.trees[each] === this.trees[time]);
  }

  // -- figures over expansions ---------------------------------------------------------------------------------------

  // What can be drawn over the expansions, as [name, words]: figures of the node that is expanded, and how many states
  // wait. What leads an informed search comes first.
  get measures() {
    const known = ([name]) => name === "waiting" || this.nodes.some((node) => leading(node[name]) !== null);
    const [f, depth] = [["f", `f = ${this.f}`], ["depth", "depth"]];
    return [...(this.informed ? [f, depth] : [depth, f]), ["g", "g: cost so far"], ["h", "h: estimated rest"], ["waiting", "states that wait"]].filter(known);
  }

  // [expansion, figure] of each one.
  series(measure) {
    const times = this.stands.slice(0, -1).map((time) => time + 1);
    const figure = (time) => (measure === "waiting" ? this.curve[time].open : leading(this.about(time)[measure]));
    return times.map((time, number) => [number + 1, figure(time)]).filter(([, value]) => value !== null);
  }

  // Where the goal lies on that chart; null where it was not found, or has no such figure.
  goal(measure) {
    if (this.goalAt < 0) return null;
    const node = this.nodes[this.path.at(-1)];
    const whole = { depth: this.steps, g: this.cost, waiting: this.curve[this.goalAt].open };
    const figure = whole[measure] ?? (node.backward ? null : leading(node[measure]));
    return figure === null ? null : [this.expansions, figure];
  }

  get cost() {
    return this.path.reduce((sum, number) => sum + (leading(this.nodes[number].cost) ?? 0), 0);
  }

  // -- words ---------------------------------------------------------------------------------------------------------

  sentence(time) {
    const [kind, number] = this.events[time];
    if (kind === "iteration") return `iteration ${this.trees[time]} begins, with the bound ${number}`;
    const node = this.nodes[number];
    if (kind === "start") return `node ${number} is ${node.backward ? "a goal state, where the search backwards begins" : "the start"}`;
    if (kind === "goal") return `the goal is reached: ${this.steps} step${this.steps === 1 ? "" : "s"}`;
    const figures = node.f === null ? "" : ` (f ${node.f})`;
    if (kind === "expand") return `node ${number} is expanded${figures}`;
    if (kind === "reopen") return `node ${number} is a cheaper way to a state that was expanded before: it is reopened${figures}`;
    return `node ${number} is generated from node ${node.parent} by “${node.label}”${figures}`;
  }

  // What there is to know of a node: [name, figure] pairs.
  facts(node, time) {
    const rows = [["depth", node.depth], ["g", node.g]];
    if (this.informed) rows.push(["h", node.h]);
    if (node.f !== null) rows.push([`f = ${this.f}`, node.f]);
    if (node.parent !== null) rows.push([node.backward ? "step to" : "from", `node ${node.parent}`], ["step", node.label], ["its cost", node.cost]);
    if (node.sameAs !== null) rows.push(["same state", `node ${node.sameAs}, met before`]);
    rows.push(["status", this.status(node, time)]);
    const told = (value) => (Array.isArray(value) ? value.map((each, place) => `${each} ${this.metric[place]}`).join(", ") : String(value));
    return rows.map(([name, value]) => [name, told(value)]);
  }

  status(node, time) {
    if (node.madeAt > time) return "not made yet";
    if (this.goalAt >= 0 && time >= this.goalAt && node.number === this.path.at(-1)) return "the goal";
    const times = node.expandedAt.filter((each) => each <= time).length;
    if (times) return times === 1 ? "expanded" : `expanded ${times} times`;
    if (node.cut) return "beyond the bound";
    return node.sameAs !== null ? "a state met before" : "open";
  }
}

const rowOf = (node) => (node.backward ? -1 - node.depth : node.depth);
