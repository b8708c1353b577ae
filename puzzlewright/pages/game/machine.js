// The puzzle's own machine code in the page (`search/compiler/wasm.py`): successors and goals of packed states.
//
// A packed state is `width` numbers of 32 bits. In memory: the code's constants, a stack, then the buffers.

const STACK = 1 << 20;
const PAGE = 1 << 16;
const BATCH = 1 << 15; // successors that there is room for, if one state has not more
const LARGEST = 2 ** 21; // of the upper half of a cost: below, JavaScript has it exactly

export class Machine {
  // `told`: { code, end, words, branching, unit, fields }, of which each field is [place, word, shift, values].
  static async load(told, puzzle) {
    const machine = new Machine();
    Object.assign(machine, { told, width: 2 * told.words, unit: told.unit });
    machine.fields = told.fields.map(([place, word, shift, values]) => [
      place, 2 * word + (shift >> 5), shift & 31, new Map(values.map((number, code) => [puzzle.evaluator.value(number), code])),
    ]);
    await machine.#start();
    return machine;
  }

  async #start() {
    const { code, end, branching, words } = this.told;
    this.batch = Math.max(1, Math.min(1024, Math.floor(BATCH / branching)));
    const room = this.batch * branching;
    const base = (end + STACK + 15) & ~15;
    this.states = base;
    this.out = this.states + 8 * words * this.batch;
    this.costs = this.out + 8 * words * room;
    this.actions = this.costs + 8 * room;
    this.parents = this.actions + 4 * room;
    const memory = new WebAssembly.Memory({ initial: Math.ceil((this.parents + 4 * room) / PAGE) });
    const pointer = new WebAssembly.Global({ value: "i32", mutable: true }, base);
    const { instance } = await WebAssembly.instantiate(code, { env: { __linear_memory: memory, __stack_pointer: pointer } });
    this.code = instance.exports;
    this.memory = new Uint32Array(memory.buffer);
  }

  // The state of the puzzle as packed numbers; null for one that the code is not about.
  pack(state) {
    const packed = new Uint32Array(this.width);
    for (const [place, at, shift, codes] of this.fields) {
      const code = codes.get(state[place]);
      if (code === undefined) return null;
      packed[at] |= code << shift;
      if (shift && !(at & 1)) packed[at + 1] |= code >>> (32 - shift);
    }
    return packed;
  }

  isGoal(store, from) {
    this.memory.set(store.subarray(from, from + this.width), this.states / 4);
    return this.code.goal(this.states, 1n) === 0n;
  }

  // The successors of `count` states that lie one after the other: calls visit(parent, place in the memory, cost).
  expand(store, from, count, visit) {
    const { width, memory } = this;
    memory.set(store.subarray(from, from + count * width), this.states / 4);
    const found = Number(this.code.plain(this.states, BigInt(count), this.out, this.actions, this.parents, this.costs));
    for (let each = 0; each < found; each += 1) {
      visit(memory[this.parents / 4 + each], this.out / 4 + each * width, this.#cost(each));
    }
  }

  #cost(each) {
    if (this.unit) return 1;
    const [low, high] = [this.memory[this.costs / 4 + 2 * each], this.memory[this.costs / 4 + 2 * each + 1]];
    if (high >= LARGEST) throw new RangeError("a cost is too large for this page");
    return high * 2 ** 32 + low;
  }
}
