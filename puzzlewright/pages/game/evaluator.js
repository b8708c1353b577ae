// What expressions of the lifted tree mean: as `models/interpreter.py` has it, each node a function from a scope to a
// value. Undefined spreads to everything that is worked out from it, up to the nearest condition.
//
// A scope has `state`, an array with a value for each place; `old`, the state that the action found; `locals` and
// `parameters`, whose names have a `$` before them, so that none is a word of JavaScript's.

import {
  Grid, Type, between, cell, entries, entry, isCell, isOffset, isWhole, itemsOf, list, minus, modulo, multiplied, offset, plus, product,
  quotient, record, same, show, valuesOf,
} from "./values.js";

const DIRECTIONS = [[-1, 0], [1, 0], [0, -1], [0, 1]];

export class Evaluator {
  // `write` has a value in a text, which is given as plans print it.
  constructor(lifted, write) {
    this.write = write;
    this.value = valuesOf(lifted.values);
    this.grids = lifted.grids.map((told) => new Grid(told));
    this.types = lifted.types.map((told) => new Type(told, this.value, this.grids));
    this.functions = lifted.functions.map((told) => new Definition(this, told));
    this.slots = slotsOf(lifted, this.types);
  }

  compile([kind, ...parts]) {
    return RULES[kind](this, ...parts);
  }

  maybe(node) {
    return node === null ? null : this.compile(node);
  }

  grid(number) {
    return number === null ? null : this.grids[number];
  }

  ranks(told) {
    return told && new Map(told.map(([value, place]) => [entry(this.value(value)), place]));
  }

  loops(told) {
    return told.map(([name, domain, condition]) => ({ name: `$${name}`, domain: this.items(domain), condition: this.maybe(condition) }));
  }

  // What a loop runs over or a membership test looks through; undefined where that is undefined.
  items([kind, ...parts]) {
    if (kind in COLLECTIONS) return COLLECTIONS[kind](this, ...parts);
    const found = this.compile([kind, ...parts]);
    return (at) => {
      const value = found(at);
      return value === undefined ? undefined : itemsOf(value);
    };
  }

  // A text with its holes filled; what is undefined in one is a question mark.
  template(pieces) {
    const parts = pieces.map((piece) => (typeof piece === "string" ? () => piece : this.#hole(...piece)));
    return (at) => parts.map((part) => part(at)).join("");
  }

  #hole(kind, node, loops) {
    const value = this.compile(node);
    const filled = (at) => {
      const found = value(at);
      return found === undefined ? "?" : this.write(found, show(found));
    };
    if (kind === "shown") return filled;
    const over = this.loops(loops);
    return (at) => bindings(over, at).map(filled).join(", ");
  }
}

// name -> the place of each element in a state, by its indices.
function slotsOf({ variables }, types) {
  const slots = new Map();
  let place = 0;
  for (const { name, indices } of variables) {
    const elements = product(indices.map((number) => types[number].values));
    slots.set(name, new Map(elements.map((values) => [entries(values), place++])));
  }
  return slots;
}

// -- scopes ------------------------------------------------------------------------------------------------------------

const NONE = Object.freeze(Object.create(null));

export function named(pairs) {
  const found = Object.create(null);
  for (const [name, value] of pairs) found[`$${name}`] = value;
  return found;
}

export const scope = (state, parameters = NONE, old = state) => ({ state, old, locals: parameters, parameters });

export function bound(at, name, value) {
  const locals = Object.create(at.locals);
  locals[name] = value;
  return { state: at.state, old: at.old, locals, parameters: at.parameters };
}

// Every way to bind the loops' names, in order, until `visit` says that it is enough; says whether it did.
export function some(loops, at, visit, depth = 0) {
  if (depth === loops.length) return visit(at);
  const { name, domain, condition } = loops[depth];
  for (const value of domain(at) ?? []) {
    const inner = bound(at, name, value);
    if ((!condition || condition(inner) === true) && some(loops, inner, visit, depth + 1)) return true;
  }
  return false;
}

export function bindings(loops, at) {
  const found = [];
  some(loops, at, (inner) => (found.push(inner), false));
  return found;
}

// -- definitions -------------------------------------------------------------------------------------------------------

class Definition {
  constructor(evaluator, told) {
    Object.assign(this, told, { evaluator, names: told.parameters.map((name) => `$${name}`) });
    this.memo = new Map(); // of one that reads no state
    this.inState = new WeakMap(); // state -> what it gives there, or its least solution
  }

  get meaning() {
    return (this.compiled ??= this.evaluator.compile(this.body));
  }

  locals(values, base = NONE) {
    const found = Object.create(base);
    this.names.forEach((name, place) => (found[name] = values[place]));
    return found;
  }

  apply(values, at) {
    if (this.group.length) return this.#solution(at).get(entries(values)) ?? false;
    if (!this.pure) return this.#once(values, at);
    const memo = this.fixed ? this.memo : this.#known(at.state);
    const key = entries(values);
    if (!memo.has(key)) memo.set(key, this.#once(values, at));
    return memo.get(key);
  }

  #once(values, at) {
    const [state, base] = this.let ? [at.old, at.parameters] : [at.state, NONE];
    return this.meaning({ state, old: at.old, locals: this.locals(values, base), parameters: at.parameters });
  }

  #known(state) {
    if (!this.inState.has(state)) this.inState.set(state, new Map());
    return this.inState.get(state);
  }

  // The least solution of the recursive group in this state: all false, then repeat until nothing changes.
  #solution(at) {
    if (!this.inState.has(at.state)) {
      const members = this.group.map((number) => this.evaluator.functions[number]);
      for (const member of members) member.inState.set(at.state, new Map());
      const rows = members.flatMap((member) => member.#rows());
      while (rows.filter((row) => row.grows(at)).length);
    }
    return this.inState.get(at.state);
  }

  #rows() {
    return product(this.domains.map((number) => this.evaluator.types[number].values)).map((values) => ({ grows: (at) => this.#grows(values, at) }));
  }

  #grows(values, at) {
    const table = this.inState.get(at.state);
    const key = entries(values);
    if (table.get(key) || this.meaning({ state: at.state, old: at.old, locals: this.locals(values), parameters: NONE }) !== true) return false;
    return Boolean(table.set(key, true));
  }
}

// -- collections -------------------------------------------------------------------------------------------------------

const COLLECTIONS = {
  span: (of, start, stop) => {
    const [first, last] = [of.compile(start), of.compile(stop)];
    return (at) => {
      const [one, other] = [first(at), last(at)];
      return isWhole(one) && isWhole(other) ? between(one, other) : undefined;
    };
  },
  listing: (of, nodes) => {
    const items = nodes.map((node) => of.compile(node));
    return (at) => items.map((item) => item(at)).filter((value) => value !== undefined);
  },
  ray: (of, from, by, number) => {
    const [start, step, grid] = [of.compile(from), of.compile(by), of.grid(number)];
    return (at) => ray(start(at), step(at), grid);
  },
};

function ray(start, step, grid) {
  if (!isCell(start) || !isOffset(step)) return undefined;
  const cells = [start];
  for (;;) {
    const last = cells[cells.length - 1];
    const next = grid?.at(last.row + step.row, last.col + step.col);
    if (next === undefined || cells.includes(next)) return cells;
    cells.push(next);
  }
}

// -- numbers, cells, ways ----------------------------------------------------------------------------------------------

const SUMS = {
  "+": plus,
  "-": minus,
  "*": multiplied,
  "//": (one, other) => (other > 0 ? quotient(one, other) : undefined),
  "%": (one, other) => (other > 0 ? modulo(one, other) : undefined),
};

function arithmetic(sign, one, other, grid) {
  if (isWhole(one) && isWhole(other)) return SUMS[sign](one, other);
  const moved = sign === "+" ? plus : minus;
  if (isCell(one) && isOffset(other)) return grid?.at(moved(one.row, other.row), moved(one.col, other.col));
  if (isOffset(one) && isOffset(other)) return offset(moved(one.row, other.row), moved(one.col, other.col));
  if (isWhole(one) && isOffset(other)) return times(other, one);
  if (isOffset(one) && isWhole(other)) return times(one, other);
  return undefined;
}

const times = (way, number) => offset(multiplied(way.row, number), multiplied(way.col, number));

function negated(value) {
  if (isOffset(value)) return offset(-value.row, -value.col);
  return isWhole(value) ? -value : undefined;
}

function measure(kind, one, other, grid) {
  if (!isCell(one) || !isCell(other)) return undefined;
  if (kind === "steps") return steps(grid, one, other);
  let [rows, cols] = [Math.abs(one.row - other.row), Math.abs(one.col - other.col)];
  if (grid.wraps[0]) rows = Math.min(rows, grid.rows - rows);
  if (grid.wraps[1]) cols = Math.min(cols, grid.cols - cols);
  return kind === "distance" ? rows + cols : rows + cols === 1;
}

// The shortest walk by the four directions.
function steps(grid, start, goal) {
  const reached = new Map([[start, 0]]);
  for (const [place, far] of reached) {
    if (place === goal) return far;
    for (const [down, across] of DIRECTIONS) {
      const next = grid.at(place.row + down, place.col + across);
      if (next !== undefined && !reached.has(next)) reached.set(next, far + 1);
    }
  }
  return undefined;
}

// -- raw data ----------------------------------------------------------------------------------------------------------

function item(base, index) {
  if (base?.kind === "record") return typeof index === "string" ? base.map.get(index) : undefined;
  const items = typeof base === "string" || base?.items || isCell(base) || isOffset(base) ? itemsOf(base) : null;
  return items && isWhole(index) && index >= 0 ? items[index] : undefined;
}

function length(value) {
  if (typeof value === "string" || value?.items || isCell(value) || isOffset(value)) return itemsOf(value).length;
  return value?.kind === "record" ? value.map.size : undefined;
}

const isRaw = (value) => value?.kind === "list" || value?.kind === "record";
const elementsOf = (value) => (value.kind === "record" ? [...value.map] : [...value.items.entries()]);

// May the item name a place of the list or table? Keys are named by what they print as.
const namesPlace = (value, each) => isWhole(each) || (value.kind === "record" && (typeof each === "string" || typeof each === "boolean"));

function inverse(value) {
  if (!isRaw(value)) return undefined;
  const places = new Map(elementsOf(value).map(([place]) => [show(place), place]));
  const leading = new Map(elementsOf(value).map(([place, each]) => [show(each), place]));
  const whole = leading.size === places.size && [...leading.keys()].every((name) => places.has(name));
  if (!whole || !elementsOf(value).every(([, each]) => namesPlace(value, each))) return undefined;
  if (value.kind === "list") return list(value.items.map((_, place) => leading.get(String(place))));
  const items = new Map([...value.map.values()].map((each) => [show(each), each]));
  return record([...value.map.keys()].map((word) => [word, items.get(leading.get(word))]));
}

function composition(left, right) {
  if (!isRaw(left) || !isRaw(right)) return undefined;
  const found = elementsOf(right).map(([place, each]) => [place, atPlace(left, each)]);
  if (found.some(([, each]) => each === undefined)) return undefined;
  return right.kind === "record" ? record(found) : list(found.map(([, each]) => each));
}

function atPlace(value, each) {
  if (!namesPlace(value, each)) return undefined;
  return value.kind === "record" ? value.map.get(show(each)) : value.items[each];
}

// -- order -------------------------------------------------------------------------------------------------------------

const rank = (value, ranks) => (ranks ? (value === undefined ? undefined : ranks.get(entry(value))) : isWhole(value) ? value : undefined);

function best(kind, values, ranks) {
  const found = values.map((value) => rank(value, ranks));
  if (!found.length || found.includes(undefined)) return undefined;
  const chosen = found.reduce((one, other) => (kind === "min" ? other < one : other > one) ? other : one);
  return values[found.indexOf(chosen)];
}

const QUANTIFIERS = {
  all: (element, loops) => (at) => !some(loops, at, (inner) => element(inner) !== true),
  any: (element, loops) => (at) => some(loops, at, (inner) => element(inner) === true),
  count: (element, loops) => (at) => bindings(loops, at).length,
  first: (element, loops, otherwise) => (at) => {
    let found = null;
    if (some(loops, at, (inner) => Boolean((found = inner)))) return element(found);
    return otherwise?.(at);
  },
  sum: (element, loops) => (at) => {
    const values = bindings(loops, at).map(element);
    return values.every(isWhole) ? values.reduce(plus, 0) : undefined;
  },
  min: (element, loops, otherwise, ranks) => (at) => best("min", bindings(loops, at).map(element), ranks),
  max: (element, loops, otherwise, ranks) => (at) => best("max", bindings(loops, at).map(element), ranks),
};

// -- all nodes ---------------------------------------------------------------------------------------------------------

// A node that is a function of what its parts are.
const plainly = (meaning) => (of, ...nodes) => {
  const [first, second] = nodes.map((node) => of.compile(node));
  return second ? (at) => meaning(first(at), second(at)) : (at) => meaning(first(at));
};

const RULES = {
  constant: (of, number) => {
    const value = of.value(number);
    return () => value;
  },
  local: (of, name) => (at) => at.locals[`$${name}`],
  element: (of, name, nodes) => {
    const indices = nodes.map((node) => of.compile(node));
    return (at) => at.parameters[`$${name}`].get(entries(indices.map((index) => index(at))));
  },
  read: (of, name, nodes) => {
    const slots = of.slots.get(name);
    const indices = nodes.map((node) => of.compile(node));
    return (at) => at.state[slots.get(entries(indices.map((index) => index(at))))];
  },
  apply: (of, number, nodes) => {
    const definition = of.functions[number];
    const values = nodes.map((node) => of.compile(node));
    return (at) => definition.apply(values.map((value) => value(at)), at);
  },
  arithmetic: (of, sign, left, right, number) => {
    const [one, other, grid] = [of.compile(left), of.compile(right), of.grid(number)];
    return (at) => arithmetic(sign, one(at), other(at), grid);
  },
  negate: plainly(negated),
  absolute: plainly((value) => (isWhole(value) ? (value < 0 ? -value : value) : undefined)),
  equal: (of, left, right, negative) => {
    const [one, other] = [of.compile(left), of.compile(right)];
    return (at) => {
      const [first, second] = [one(at), other(at)];
      return first !== undefined && second !== undefined && same(first, second) !== negative;
    };
  },
  order: (of, left, right, strict, told) => {
    const [one, other, ranks] = [of.compile(left), of.compile(right), of.ranks(told)];
    return (at) => {
      const [first, second] = [rank(one(at), ranks), rank(other(at), ranks)];
      return first !== undefined && second !== undefined && (strict ? first < second : first <= second);
    };
  },
  contains: (of, node, collection, negative) => {
    const [value, items] = [of.compile(node), of.items(collection)];
    return (at) => {
      const [found, all] = [value(at), items(at)];
      return found !== undefined && all !== undefined && all.some((each) => same(found, each)) !== negative;
    };
  },
  all: (of, nodes) => {
    const parts = nodes.map((node) => of.compile(node));
    return (at) => parts.every((part) => part(at) === true);
  },
  any: (of, nodes) => {
    const parts = nodes.map((node) => of.compile(node));
    return (at) => parts.some((part) => part(at) === true);
  },
  not: plainly((value) => value !== true),
  if: (of, condition, then, otherwise) => {
    const [test, one, other] = [condition, then, otherwise].map((node) => of.compile(node));
    return (at) => (test(at) === true ? one(at) : other(at));
  },
  truth: plainly((value) => value === true),
  defined: plainly((value) => value !== undefined),
  mapped: (of, node, pairs) => {
    const value = of.compile(node);
    const table = new Map(pairs.map(([from, to]) => [entry(of.value(from)), of.value(to)]));
    return (at) => table.get(entry(value(at)));
  },
  item: plainly(item),
  coordinate: (of, node, axis) => {
    const value = of.compile(node);
    return (at) => {
      const found = value(at);
      return isCell(found) || isOffset(found) ? found[axis] : undefined;
    };
  },
  cell: (of, row, col, number) => {
    const [down, across, grid] = [of.compile(row), of.compile(col), of.grid(number)];
    return (at) => {
      const [first, second] = [down(at), across(at)];
      return isWhole(first) && isWhole(second) ? grid.exactly(first, second) : undefined;
    };
  },
  measure: (of, kind, left, right, number) => {
    const [one, other, grid] = [of.compile(left), of.compile(right), of.grid(number)];
    return (at) => measure(kind, one(at), other(at), grid);
  },
  length: plainly(length),
  inverse: plainly(inverse),
  composition: plainly(composition),
  extreme: (of, kind, nodes, told) => {
    const [parts, ranks] = [nodes.map((node) => of.compile(node)), of.ranks(told)];
    return (at) => best(kind, parts.map((part) => part(at)), ranks);
  },
  quantifier: (of, kind, element, loops, otherwise, told) =>
    QUANTIFIERS[kind](of.compile(element), of.loops(loops), of.maybe(otherwise), of.ranks(told)),
};
