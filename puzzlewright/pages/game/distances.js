// How far packed states are from a goal: for all states that can be reached, where they are few enough, or from one state
// on. Costs are whole numbers that are not negative, so that the first way to a state that a search settles is cheapest.

const SLICE = 25; // milliseconds of work before the page has its turn
const NEVER = -1;

export class Limit extends Error {}

// A sum of costs, which JavaScript must have exactly.
function sum(one, other) {
  if (!Number.isSafeInteger(one + other)) throw new Limit();
  return one + other;
}

// States by their numbers, found again by hashing.
export class States {
  constructor(width) {
    Object.assign(this, { width, count: 0, store: new Uint32Array(1024 * width), cells: new Int32Array(4096) });
  }

  // The number of the state that lies there; a new one has the number that `count` was.
  add(source, from) {
    let cell = this.#cell(source, from);
    if (this.cells[cell]) return this.cells[cell] - 1;
    if (2 * this.count > this.cells.length) {
      this.#grow();
      cell = this.#cell(source, from);
    }
    if ((this.count + 1) * this.width > this.store.length) this.store = larger(this.store);
    for (let word = 0; word < this.width; word += 1) this.store[this.count * this.width + word] = source[from + word];
    this.cells[cell] = this.count + 1;
    return this.count++;
  }

  // The number of a state; -1 where it is none of them.
  find(source, from = 0) {
    return this.cells[this.#cell(source, from)] - 1;
  }

  // Where the state lies among the cells, or would.
  #cell(source, from) {
    const { width, cells, store } = this;
    let hash = 0;
    for (let word = 0; word < width; word += 1) {
      hash = Math.imul(hash ^ source[from + word], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    for (let cell = hash & (cells.length - 1); ; cell = (cell + 1) & (cells.length - 1)) {
      const found = cells[cell] - 1;
      if (found < 0) return cell;
      let word = 0;
      while (word < width && store[found * width + word] === source[from + word]) word += 1;
      if (word === width) return cell;
    }
  }

  #grow() {
    this.cells = new Int32Array(2 * this.cells.length);
    for (let number = 0; number < this.count; number += 1) this.cells[this.#cell(this.store, number * this.width)] = number + 1;
  }
}

function larger(array) {
  const found = new array.constructor(2 * array.length);
  found.set(array);
  return found;
}

// Numbers one after the other.
class Numbers {
  constructor(kind) {
    this.array = new kind(1024);
    this.count = 0;
  }

  push(number) {
    if (this.count === this.array.length) this.array = larger(this.array);
    this.array[this.count++] = number;
  }
}

// What is to be settled, the cheapest first; of one cost in the order of arrival.
class Queue {
  constructor() {
    this.byCost = new Map();
    this.costs = []; // a heap
  }

  push(item, cost) {
    if (!this.byCost.has(cost)) {
      this.byCost.set(cost, { items: [], next: 0 });
      this.#rise(cost);
    }
    this.byCost.get(cost).items.push(item);
  }

  // [item, cost], or null.
  pop() {
    while (this.costs.length) {
      const cost = this.costs[0];
      const bucket = this.byCost.get(cost);
      if (bucket.next < bucket.items.length) return [bucket.items[bucket.next++], cost];
      this.byCost.delete(cost);
      this.#sink();
    }
    return null;
  }

  #rise(cost) {
    let place = this.costs.push(cost) - 1;
    for (; place && this.costs[(place - 1) >> 1] > cost; place = (place - 1) >> 1) this.costs[place] = this.costs[(place - 1) >> 1];
    this.costs[place] = cost;
  }

  #sink() {
    const last = this.costs.pop();
    if (!this.costs.length) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child + 1 < this.costs.length && this.costs[child + 1] < this.costs[child]) child += 1;
      if (child >= this.costs.length || this.costs[child] >= last) break;
      this.costs[place] = this.costs[child];
      place = child;
    }
    this.costs[place] = last;
  }
}

// -- the whole space ---------------------------------------------------------------------------------------------------

// The cost of the cheapest way from every state that can be reached from `start` to a goal.
export class Table {
  // Limit where there are more states, or steps between them, than that.
  static async make(machine, start, limits, turn) {
    const table = new Table();
    const edges = await table.#walk(machine, start, limits, turn);
    await table.#backwards(machine, edges, turn);
    return table;
  }

  async #walk(machine, start, limits, turn) {
    const edges = { from: new Numbers(Int32Array), to: new Numbers(Int32Array), cost: new Numbers(Float64Array) };
    const states = (this.states = new States(machine.width));
    states.add(start, 0);
    for (let head = 0; head < states.count; ) {
      const count = Math.min(machine.batch, states.count - head);
      machine.expand(states.store, head * states.width, count, (parent, at, cost) => {
        edges.from.push(head + parent);
        edges.to.push(states.add(machine.memory, at));
        edges.cost.push(cost);
      });
      head += count;
      if (states.count > limits.states || edges.to.count > limits.edges) throw new Limit();
      if (turn.due) await turn.pause();
    }
    return edges;
  }

  // From all goals at once. An edge is settled with the state that it comes from, so that `next` leads to a goal.
  async #backwards(machine, { from, to, cost }, turn) {
    const { count, store, width } = this.states;
    const [first, into] = incoming(to, count);
    this.costs = new Float64Array(count).fill(NEVER);
    this.next = new Int32Array(count).fill(NEVER);
    const queue = new Queue();
    const settle = (state, far) => {
      this.costs[state] = far;
      for (const edge of into.subarray(first[state], first[state + 1])) {
        if (this.costs[from.array[edge]] === NEVER) queue.push(edge, sum(far, cost.array[edge]));
      }
    };
    for (let state = 0; state < count; state += 1) if (machine.isGoal(store, state * width)) settle(state, 0);
    for (let item = queue.pop(); item; item = queue.pop()) {
      const [edge, far] = item;
      const state = from.array[edge];
      if (this.costs[state] !== NEVER) continue;
      this.next[state] = to.array[edge];
      settle(state, far);
      if (turn.due) await turn.pause();
    }
  }

  // The states of a cheapest way from one that has one, packed, the first of them its own; at most so many steps.
  path(packed, most = Infinity) {
    const { store, width } = this.states;
    const path = [];
    let number = this.states.find(packed);
    for (; number !== NEVER && path.length <= most; number = this.next[number]) path.push(store.slice(number * width, (number + 1) * width));
    return path;
  }

  // Infinity where no goal can be reached; null for a state that the table is not about.
  of(packed) {
    const number = packed ? this.states.find(packed) : -1;
    if (number < 0) return null;
    return this.costs[number] === NEVER ? Infinity : this.costs[number];
  }
}

// The edges by the states that they lead to: where each one's begin, and their numbers.
function incoming(to, count) {
  const first = new Int32Array(count + 1);
  for (let edge = 0; edge < to.count; edge += 1) first[to.array[edge] + 1] += 1;
  for (let state = 0; state < count; state += 1) first[state + 1] += first[state];
  const [next, into] = [first.slice(), new Int32Array(to.count)];
  for (let edge = 0; edge < to.count; edge += 1) into[next[to.array[edge]]++] = edge;
  return [first, into];
}

// -- from one state on -------------------------------------------------------------------------------------------------

// The cheapest way to a goal: { cost, path }, packed states from the first to the goal; null where there is none.
// Limit where it is not found within so many states.
export async function cheapest(machine, start, limits, turn) {
  const states = new States(machine.width);
  const [parents, costs, settled] = [new Numbers(Int32Array), new Numbers(Float64Array), new Set()];
  const queue = new Queue();
  const reach = (number, parent, cost) => {
    if (number === parents.count) {
      parents.push(parent);
      costs.push(cost);
    } else if (cost < costs.array[number]) {
      parents.array[number] = parent;
      costs.array[number] = cost;
    } else return;
    queue.push(number, cost);
  };
  reach(states.add(start, 0), -1, 0);
  for (let item = queue.pop(); item; item = queue.pop()) {
    const [number, cost] = item;
    if (settled.has(number)) continue;
    settled.add(number);
    if (machine.isGoal(states.store, number * states.width)) return { cost, path: pathTo(number, states, parents.array) };
    machine.expand(states.store, number * states.width, 1, (_, at, paid) => reach(states.add(machine.memory, at), number, sum(cost, paid)));
    if (states.count > limits.states) throw new Limit();
    if (turn.due) await turn.pause();
  }
  return null;
}

function pathTo(number, { store, width }, parents) {
  const path = [];
  for (let state = number; state >= 0; state = parents[state]) path.unshift(store.slice(state * width, (state + 1) * width));
  return path;
}

// -- turns -------------------------------------------------------------------------------------------------------------

// Long work looks at `due` often, and waits for `pause` then: the page has its turn, and may end what is not wanted.
export class Turn {
  constructor(signal) {
    this.signal = signal;
    this.looks = 0;
    this.ends = performance.now() + SLICE;
  }

  get due() {
    this.looks += 1;
    return this.looks % 64 === 0 && performance.now() > this.ends;
  }

  async pause() {
    await new Promise((later) => setTimeout(later));
    this.signal?.throwIfAborted();
    this.ends = performance.now() + SLICE;
  }
}
