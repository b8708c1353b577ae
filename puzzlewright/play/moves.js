// Which moves a tap, a key or a drag can mean. Plain functions over what the server tells; nothing of the document.

export const WAYS = {
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", w: "up", s: "down", a: "left", d: "right",
};
const STEPS = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] };
export const WORDS = Object.keys(STEPS);

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
export const samePlace = (one, other) => Boolean(one && other) && one[0] === other[0] && one[1] === other[1];
const key = (place) => `${place[0]},${place[1]}`;
const meets = (places, set) => places.some((place) => set.has(key(place)));
export const placesSet = (places) => new Set(places.map(key));

// -- what the puzzle's actions are like ------------------------------------------------------------------------------

const directed = (parameter) => !parameter.array && WORDS.some((word) => parameter.values.includes(word));

export const hasDirections = (actions) => actions.some((action) => action.params.some(directed));

// The way that a move goes: the argument that is one of the four words.
export function way(move, actions) {
  const parameter = actions.find((action) => action.name === move.action)?.params.find(directed);
  const word = parameter && move.args[parameter.name];
  return WORDS.includes(word) ? word : null;
}

// -- things: what moves go from --------------------------------------------------------------------------------------

// Moves by the places that they empty or alter, in reading order.
export function things(moves) {
  const found = new Map();
  for (const move of moves.filter((move) => move.leaves.length)) {
    const name = JSON.stringify(move.leaves);
    if (!found.has(name)) found.set(name, { places: move.leaves, moves: [] });
    found.get(name).moves.push(move);
  }
  return [...found.values()].sort((one, other) => compare(one.places.flat(), other.places.flat()));
}

function compare(one, other) {
  const place = one.findIndex((number, index) => number !== other[index]);
  return place < 0 ? one.length - other.length : one[place] - (other[place] ?? -1);
}

export const ofThing = (moves, places) => {
  const set = placesSet(places);
  return moves.filter((move) => meets(move.leaves, set));
};

// Those of just this thing, else all that take it along: what pushes it goes the same way too.
export const ofTaken = (moves, places) => {
  const own = moves.filter((move) => same(move.leaves, places));
  return own.length ? own : ofThing(moves, places);
};

// -- taps ------------------------------------------------------------------------------------------------------------

export const stacked = (board) => !["", "cube"].includes(board.frame) && board.cols > 1;

// All the places that a tap means: in stacks the whole column, else the place.
export function meant(board, place) {
  if (!stacked(board)) return [place];
  return board.spots.filter(([, col]) => col === place[1]).map(([row, col]) => [row, col]);
}

export function value(board, place) {
  return board.spots.find(([row, col]) => row === place[0] && col === place[1])?.[4] ?? null;
}

export const glyph = (board, place) => board.spots.find(([row, col]) => row === place[0] && col === place[1])?.[2] ?? "";

// What plans call the place, or its column.
export function names(board, place) {
  const own = value(board, place);
  if (own === null) return [];
  return stacked(board) && Array.isArray(own) ? [own, own[0]] : [own];
}

const takes = (move, values) => Object.values(move.args).some((argument) => values.some((each) => same(argument, each)));

// The moves that a first tap can mean: the only one that names the place; else those of what stands there; else those
// that lead there; else those that change it.
export function touching(moves, board, place) {
  const set = placesSet(meant(board, place));
  const from = moves.filter((move) => meets(move.leaves, set));
  const named = stacked(board) ? [] : moves.filter((move) => takes(move, names(board, place)) && meets(move.changed, set));
  if (named.length === 1) return named;
  if (from.length) return from;
  const into = moves.filter((move) => meets(move.enters, set));
  if (into.length || named.length) return [...new Set([...into, ...named])];
  return moves.filter((move) => meets(move.changed, set));
}

// Of moves that are chosen from, those that a second tap means.
export function leading(moves, board, place) {
  const set = placesSet(meant(board, place));
  const there = moves.filter((move) => meets(move.enters, set));
  const into = there.length ? there : moves.filter((move) => takes(move, names(board, place)));
  const fresh = into.filter((move) => !meets(move.leaves, set));
  const found = fresh.length ? fresh : into.length ? into : moves.filter((move) => meets(move.changed, set));
  return nearest(found);
}

// -- the shortest and the longest of moves that go the same way ------------------------------------------------------

export const nearest = (moves) => extreme(moves, 1);
export const farthest = (moves) => extreme(moves, -1);

// Of moves of one thing that differ only in how far they go, those that go so far; else all of them.
function extreme(moves, sign) {
  const [first] = moves;
  const alike = moves.every((move) => same(move.leaves, first.leaves) && move.action === first.action && alongside(move, first));
  if (moves.length < 2 || !alike) return moves;
  const far = (move) => sign * Math.hypot(...rigid(move));
  const least = Math.min(...moves.map(far));
  return moves.filter((move) => far(move) === least);
}

// Do both shift all that they move, the same way? Two that make things change places may look alike else.
function alongside(one, other) {
  const [a, b] = [rigid(one), rigid(other)];
  return Boolean(a && b) && a[0] * b[1] === a[1] * b[0] && a[0] * b[0] + a[1] * b[1] > 0;
}

const total = (places) => [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0));

// The shift of a move that does the same to all that it moves; else null. Of sums, since middles may be no whole numbers.
export function rigid({ leaves, enters }) {
  if (!leaves.length || leaves.length !== enters.length) return null;
  const by = total(enters).map((sum, axis) => (sum - total(leaves)[axis]) / leaves.length);
  const there = placesSet(enters);
  return leaves.every(([row, col]) => there.has(key([row + by[0], col + by[1]]))) ? by : null;
}

// -- ways between places -----------------------------------------------------------------------------------------------

// The way from one place to another, if it is more or less one of the four.
export function wayBetween(from, to) {
  const [down, across] = [to[0] - from[0], to[1] - from[1]];
  if (!down && !across) return null;
  if (Math.abs(down) > Math.abs(across)) return down > 0 ? "down" : "up";
  return across > 0 ? "right" : "left";
}

// -- values of joint moves -------------------------------------------------------------------------------------------

// Values whose word says this way, the plain word first: "right", then "hop_right".
export function waysAmong(values, direction) {
  const found = values.filter((each) => typeof each === "string" && each.split(/[^a-z]+/i).includes(direction));
  return found.sort((one, other) => one.length - other.length);
}

export const wayOf = (word) => (typeof word === "string" ? word.split(/[^a-z]+/i).find((part) => WORDS.includes(part)) ?? null : null);

export const stepOf = (direction) => STEPS[direction];

// -- the board in words ----------------------------------------------------------------------------------------------

export function asText(board) {
  if (!board.spots.length) return [...board.lines, board.caption].filter(Boolean).join("\n");
  const width = Math.max(...board.spots.map(([, , words]) => words.length));
  const rows = Array.from({ length: board.rows }, () => Array(board.cols).fill(" ".repeat(width)));
  for (const [row, col, words] of board.spots) rows[row][col] = words.padEnd(width);
  const lines = rows.map((row) => row.join(width > 1 ? "  " : " ").trimEnd());
  return [...lines, board.caption].filter((each, index) => each || index < lines.length).join("\n");
}

// `stack` is what the puzzle calls one of its stacks.
export function placeInWords(board, place, stack) {
  if (stacked(board)) return `${stack || "column"} ${names(board, place).at(-1) ?? place[1] + 1}`;
  return `row ${place[0] + 1}, column ${place[1] + 1}: ${thingInWords(board, place)}`;
}

const TILES = ["card", "tile"]; // looks that are called by their letters alone
const LETTERED = ["player", "disk", "car", "gem", "key", "door", "knight"]; // and those that are told apart by them

// By its letters; by the name of its piece where these are none.
function thingInWords(board, place) {
  const [words, piece] = [glyph(board, place).trim(), board.spots.find((spot) => samePlace(spot, place))?.[3] ?? ""];
  if (words === "" || words === ".") return "nothing";
  if (board.walls?.some((wall) => samePlace(wall, place))) return "wall";
  const look = board.looks?.find((each) => samePlace(each, place))?.[2];
  if (look && !TILES.includes(look)) return LETTERED.includes(look) && /[\p{L}\p{N}]/u.test(words) ? `${look} ${words}` : look === "tower" ? "block" : look;
  return /[\p{L}\p{N}]/u.test(words) || !/^\p{L}[\p{L} _]*$/u.test(piece) ? words : piece;
}

// A place, or another list of values, as people read it: cells are counted from one.
export const listInWords = (value) => `(${value.map((each) => (value.length === 2 && Number.isInteger(each) ? each + 1 : each)).join(", ")})`;
