// What there is to see of a state, as `puzzlewright/pictures/scene.py` has it, and what a move moves (`play/board.py`).

import { bound, scope, some } from "./evaluator.js";
import { isWhole, product, show } from "./values.js";

const NOTHING = ["", " ", "."]; // glyphs of places where no thing stands
const GROUNDS = ["floor", "wall", "goal", "void"];

// `palette`: { colours, wheel, looks }, words of colours, in what order values are given them, and words of looks.
export class View {
  constructor(puzzle, palette) {
    const [told, of] = [puzzle.lifted.view, puzzle.evaluator];
    Object.assign(this, { puzzle, told, palette });
    this.loops = of.loops(told.loops);
    this.types = told.types.map((number) => of.types[number]);
    for (const name of ["glyph", "colour", "piece", "ground", "size", "look", "target"]) this[name] = of.maybe(told[name]);
    this.caption = of.template(told.caption);
    this.lines = told.lines.map((line) => of.template(line));
    this.known = new Map(told.colours);
  }

  // { spots: Map of "row,col" to a spot, caption, lines, frame }
  scene(state) {
    const at = scope(state);
    const spots = this.#seen(at);
    for (const spot of spots.values()) spot.colour = this.#colour(spot.colour);
    const lines = spots.size ? [] : this.lines.length ? this.lines.map((line) => line(at)) : this.#listed(state);
    return { spots, caption: this.caption(at), lines, frame: spots.size ? this.told.frame : "" };
  }

  #seen(at) {
    if (!this.glyph) return this.told.array === null ? new Map() : this.#array(at.state);
    const spots = this.#outside();
    some(this.loops, at, (inner) => {
      const values = this.loops.map(({ name }) => inner.locals[name]);
      const spot = this.#viewed(values, inner);
      spots.set(this.#place(this.types, values, this.told.frame !== ""), spot);
      return false;
    });
    return spots;
  }

  #viewed(values, at) {
    const value = this.glyph(at);
    const glyph = value === undefined ? "?" : show(value);
    const inner = bound(at, "$glyph", value);
    const aim = word(this.target, inner);
    const target = NOTHING.includes(aim) ? "" : aim;
    const spot = { ...spotOf(glyph, this.#ground(word(this.ground, inner), glyph, target), named(values)), target };
    if (holdsThing(spot)) {
      const size = this.size ? this.size(inner) : this.told.frame === "peg" ? value : 0;
      Object.assign(spot, { colour: word(this.colour, inner, glyph), piece: word(this.piece, inner), size: isWhole(size) && size > 0 ? Number(size) : 0 });
    }
    return { ...spot, look: this.#look(word(this.look, inner), spot) };
  }

  // The look if it can be seen there: where nothing stands, only one of those that are for such places.
  #look(words, { colour, ground }) {
    const { looks } = this.palette;
    const known = NOTHING.includes(colour) ? looks.hollow : looks.words;
    return ground !== "wall" && ground !== "void" && known.includes(words) ? words : "";
  }

  #ground(words, glyph, target = "") {
    if (GROUNDS.includes(words) || this.palette.colours.includes(words)) return words;
    if (target) return "goal";
    return glyph === "" || glyph === " " ? "void" : glyph === "#" ? "wall" : "floor";
  }

  // Walls wherever the board's rectangle has no cell, if they are wanted.
  #outside() {
    const spots = new Map();
    const grid = this.types[0].grid;
    if (this.told.outside !== "wall" || !grid) return spots;
    for (let row = 0; row < grid.rows; row += 1) {
      for (let col = 0; col < grid.cols; col += 1) if (!grid.exactly(row, col)) spots.set(`${row},${col}`, spotOf("#", "wall", [row, col]));
    }
    return spots;
  }

  #place(types, values, stacked = false) {
    const [first, second] = values;
    if (values.length === 1 && first.kind === "cell") return `${first.row},${first.col}`;
    const across = types[0].place(first);
    if (values.length === 2) return `${types[1].values.length - 1 - types[1].place(second)},${across}`;
    return stacked ? `${across},0` : `0,${across}`;
  }

  #colour(value) {
    if (NOTHING.includes(value)) return "";
    const { colours, wheel } = this.palette;
    if (colours.includes(value)) return value;
    if (this.known.get(value)) return this.known.get(value);
    const given = new Set(this.known.values());
    const unused = wheel.filter((colour) => !given.has(colour));
    const left = unused.length ? unused : wheel;
    return left[crc32(value) % left.length];
  }

  #array(state) {
    const { indices } = this.puzzle.variables.get(this.told.array);
    const types = indices.map((number) => this.puzzle.evaluator.types[number]);
    const slots = [...this.puzzle.evaluator.slots.get(this.told.array).values()];
    return new Map(product(types.map((type) => type.values)).map((values, place) => {
      const glyph = show(state[slots[place]]);
      const spot = spotOf(glyph, this.#ground("", glyph), named(values));
      return [this.#place(types, values), holdsThing(spot) ? { ...spot, colour: glyph } : spot];
    }));
  }

  // A line for each variable, with all its elements.
  #listed(state) {
    const { places, evaluator } = this.puzzle;
    return [...evaluator.slots.values()].map((slots) => [...slots.values()].map((place) => `${places[place]} = ${show(state[place])}`).join("  "));
  }
}

const spotOf = (glyph, ground, value) => ({ glyph, colour: "", piece: "", ground, size: 0, look: "", target: "", value });

const holdsThing = ({ glyph, ground }) => !NOTHING.includes(glyph) && ground !== "wall" && ground !== "void";

function word(part, at, otherwise = "") {
  const value = part?.(at);
  return value === undefined ? otherwise : show(value);
}

// The place as plans in JSON name it.
const named = (values) => (values.length === 1 ? plain(values[0]) : values.map(plain));

function plain(value) {
  switch (value?.kind) {
    case "cell":
      return [value.row, value.col];
    case "offset":
      return show(value);
    case "thing":
      return value.word || value.number;
    case "list":
      return value.items.map(plain);
    case "record":
      return Object.fromEntries([...value.map].map(([name, each]) => [name, plain(each)]));
  }
  return value;
}

// The checksum by which late values have their colours.
function crc32(text) {
  let sum = -1;
  for (const byte of new TextEncoder().encode(text)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

// -- what a page knows beside the picture ------------------------------------------------------------------------------

const placeOf = (name) => name.split(",").map(Number);
const inOrder = (one, other) => one[0] - other[0] || one[1] - other[1];
export const sizeOf = ({ spots }) => [0, 1].map((axis) => 1 + Math.max(-1, ...[...spots.keys()].map((name) => placeOf(name)[axis])));

export function boardOf(scene) {
  const [rows, cols] = sizeOf(scene);
  const spots = [...scene.spots].map(([name, { glyph, piece, value }]) => [...placeOf(name), glyph, piece, value]);
  const walls = sorted([...scene.spots.keys()].filter((name) => scene.spots.get(name).ground === "wall"));
  const looks = [...scene.spots].filter(([, spot]) => spot.look).map(([name, spot]) => [...placeOf(name), spot.look]).sort(inOrder);
  return { rows, cols, frame: scene.frame, spots: spots.sort(inOrder), lines: scene.lines, caption: scene.caption, walls, looks };
}

// A value as a page writes it, given as plans print it: cells are counted from one.
export function fromOne(value, printed) {
  if (value?.kind === "cell") return `(${value.row + 1}, ${value.col + 1})`;
  const cells = value?.kind === "list" && value.items.some((each) => each?.kind === "cell");
  return cells ? `[${value.items.map((each) => fromOne(each, show(each))).join(", ")}]` : printed;
}

// The places that look different; those of things that go (in whole pieces), and of things that have come.
export function motion(before, after) {
  const names = new Set([...before.spots.keys(), ...after.spots.keys()]);
  const changed = [...names].filter((name) => look(before.spots.get(name)) !== look(after.spots.get(name)));
  return { changed: sorted(changed), leaves: things(before.spots, changed), enters: things(after.spots, changed) };
}

const look = (spot) => spot && JSON.stringify([spot.glyph, spot.colour, spot.ground, spot.size]);
const sorted = (names) => names.map(placeOf).sort(inOrder);

// The places of all things that touch these places.
function things(spots, names) {
  const found = new Set();
  const waiting = names.filter((name) => spots.get(name)?.colour);
  while (waiting.length) {
    const name = waiting.pop();
    if (found.has(name)) continue;
    found.add(name);
    const own = spots.get(name);
    waiting.push(...beside(name).filter((other) => own.piece && spots.get(other)?.colour && spots.get(other).piece === own.piece));
  }
  return sorted([...found]);
}

export function beside(name) {
  const [row, col] = placeOf(name);
  return [`${row - 1},${col}`, `${row},${col + 1}`, `${row + 1},${col}`, `${row},${col - 1}`];
}
