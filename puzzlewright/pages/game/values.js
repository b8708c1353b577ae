// Values of the language. Numbers, truths and texts are JavaScript's own, and `undefined` is undefined; all others are
// objects, of which there is one for each value as it is written. `key` is what equal values have in common: the order
// of a record's keys makes no difference to it.
//
// Whole numbers are JavaScript's own where it has them exactly, else its big ones: each number in one way.

const MOST = 65_536; // values that a loop runs over
const WAYS = { "-1,0": "up", "1,0": "down", "0,-1": "left", "0,1": "right", "-1,-1": "up_left", "-1,1": "up_right", "1,-1": "down_left", "1,1": "down_right" };
const pool = new Map(); // by what is written
const firsts = new Map(); // by key

// What a page cannot work out; a move that needs it is not made.
export class TooLarge extends Error {}

function made(written, key, parts) {
  let found = pool.get(written);
  if (!found) {
    found = { ...parts, written, key };
    if (!firsts.has(key)) firsts.set(key, found);
    pool.set(written, found);
  }
  return found;
}

export const isWhole = (value) => typeof value === "number" || typeof value === "bigint";
export const isCell = (value) => value?.kind === "cell";
export const isOffset = (value) => value?.kind === "offset";

const written = (value) => (typeof value === "object" ? value.written : typeof value === "string" ? JSON.stringify(value) : String(value));
const key = (value) => (typeof value === "object" ? value.key : typeof value === "string" ? JSON.stringify(value) : String(value));

// What stands for a value in a Map, and for several of them.
export const entry = (value) => (typeof value === "object" ? firsts.get(value.key) : value);
export const entries = (values) => (values.length === 1 ? entry(values[0]) : values.map(key).join(";"));

export const same = (one, other) => one === other || (typeof one === "object" && typeof other === "object" && one.key === other.key);

export function cell(row, col) {
  const name = `c${row},${col}`;
  return made(name, name, { kind: "cell", row, col });
}

export function offset(row, col) {
  const name = `o${row},${col}`;
  return made(name, name, { kind: "offset", row, col });
}

export function thing(type, number, word, letter, origin) {
  const name = `t${JSON.stringify([type, number, word, letter, origin])}`;
  return made(name, name, { kind: "thing", number, word });
}

export const list = (items) => made(`[${items.map(written).join(";")}]`, `[${items.map(key).join(";")}]`, { kind: "list", items });

export function record(pairs) {
  const map = new Map(pairs);
  const all = [...map].map(([name, value]) => [key(name), value]);
  const sorted = all.map(([name, value]) => `${name}:${key(value)}`).sort();
  return made(`{${all.map(([name, value]) => `${name}:${written(value)}`).join(";")}}`, `{${sorted.join(";")}}`, { kind: "record", map });
}

// -- whole numbers -----------------------------------------------------------------------------------------------------

const isShort = (number) => number >= Number.MIN_SAFE_INTEGER && number <= Number.MAX_SAFE_INTEGER;
const shortest = (number) => (isShort(number) ? Number(number) : number);

// What is worked out of numbers that JavaScript has exactly is right if it is such a number again; else big ones are taken.
const exactly = (work, big = work) => (one, other) => {
  const found = typeof one === "number" && typeof other === "number" ? work(one, other) : NaN;
  return Number.isSafeInteger(found) ? found : shortest(big(BigInt(one), BigInt(other)));
};

export const plus = exactly((one, other) => one + other);
export const minus = exactly((one, other) => one - other);
export const multiplied = exactly((one, other) => one * other);

// Nothing on the way is farther from 0 than what is given.
export const modulo = exactly((one, other) => (one % other < 0 ? (one % other) + other : one % other));
export const quotient = exactly(
  (one, other) => (one - (one % other)) / other - (one % other < 0 ? 1 : 0),
  (one, other) => (one - (one % other)) / other - (one % other < 0 ? 1n : 0n),
);

export function between(start, stop) {
  const length = minus(stop, start);
  if (length > MOST) throw new TooLarge("a loop has too many values for this page");
  return Array.from({ length: Math.max(0, Number(length)) }, (_, place) => plus(start, place));
}

// -- what they are made of and print as --------------------------------------------------------------------------------

// What a loop runs over.
export function itemsOf(value) {
  if (typeof value === "string") return [...value];
  if (value.kind === "record") return [...value.map.keys()];
  return value.items ?? [value.row, value.col];
}

// A value as plans and messages print it.
export function show(value) {
  switch (value?.kind) {
    case "cell":
      return `[${value.row}, ${value.col}]`;
    case "offset":
      return WAYS[`${value.row},${value.col}`] ?? `[${value.row}, ${value.col}]`;
    case "thing":
      return value.word || String(value.number);
    case "record":
      return `{${[...value.map].map(([name, each]) => `${name}: ${show(each)}`).join(", ")}}`;
    case "list":
      return `[${value.items.map(show).join(", ")}]`;
  }
  return String(value); // numbers, truths, texts, undefined
}

// -- what is told by number --------------------------------------------------------------------------------------------

// The values of a lifted puzzle, each made when it is asked for.
export function valuesOf(told) {
  const found = new Map();
  const get = (number) => {
    if (!found.has(number)) found.set(number, decoded(told[number], get));
    return found.get(number);
  };
  return get;
}

function decoded(told, get) {
  if (!Array.isArray(told)) return told;
  const [kind, ...parts] = told;
  if (kind === "cell") return cell(...parts);
  if (kind === "offset") return offset(...parts);
  if (kind === "thing") return thing(...parts);
  if (kind === "list") return list(parts[0].map(get));
  return record(parts[0].map(([name, value]) => [get(name), get(value)]));
}

export class Type {
  constructor(told, get, grids) {
    Object.assign(this, told, { values: told.values.map(get), grid: told.grid === null ? null : grids[told.grid] });
    this.places = new Map(this.values.map((value, place) => [entry(value), place]));
  }

  has(value) {
    return value !== undefined && this.places.has(entry(value));
  }

  place(value) {
    return this.places.get(entry(value));
  }

  // What messages print for a value, and what JSON has for it.
  word(value) {
    return this.written[this.place(value)];
  }

  json(value) {
    return this.plain[this.place(value)];
  }
}

// A board: its cells, and which of its edges are joined.
export class Grid {
  constructor({ rows, cols, wraps, cells }) {
    Object.assign(this, { rows, cols, wraps, cells: new Map(cells.map(([row, col]) => [row * cols + col, cell(row, col)])) });
  }

  // The cell there; undefined where there is none.
  at(row, col) {
    if (this.wraps[0]) row = modulo(row, this.rows);
    if (this.wraps[1]) col = modulo(col, this.cols);
    return this.exactly(row, col);
  }

  exactly(row, col) {
    return row >= 0 && row < this.rows && col >= 0 && col < this.cols ? this.cells.get(row * this.cols + col) : undefined;
  }
}

export function product(columns) {
  return columns.reduce((rows, column) => rows.flatMap((row) => column.map((value) => [...row, value])), [[]]);
}
