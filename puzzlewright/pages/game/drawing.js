// A scene as SVG, stroke for stroke as `puzzlewright/pictures/` draws it (`board_svg.py`, `svg.py`, `outline.py`): what a
// test holds the two to. Words of a puzzle are escaped.

import { beside, sizeOf } from "./scene.js";

const UNIT = 48; // pixels of a place; wider where its words or bars need it
const BALLS = ["o", "\u25cb", "\u25cf", "\u25ef"];
const WIDEST = 260;
const THIN = 8; // of what lies between places
const REACH = 0.425; // of a pipe's arm, in places
const ROUND = 'stroke-linecap="round"';
const FONT = "DejaVu Sans, Verdana, sans-serif";
const FIXED = "DejaVu Sans Mono, Menlo, Consolas, monospace";
const [BOARD, GOAL, WOOD, GLASS, TRAY] = ["#d5ccba", "#1d6b33", "#b8a382", "#7d8b99", "#efeadf"];
const [PAPER, EDGE, INK] = ["#fffdf8", "#ddd6c8", "#343941"];
const MARGIN = 20;
const LINE = 24;
const WIDE_LETTER = 9.7;
const LONGEST = 72; // letters of a line

const placeOf = (name) => name.split(",").map(Number);

export class Drawing {
  // `letters` has what is beyond printable ASCII: what is shown, its columns, its arms; of the palette: `hex` the colours by
  // their words, `looks` the shapes of `looks.py`.
  constructor(letters, { hex, looks }) {
    Object.assign(this, { letters: new Map(Object.entries(letters)), hex, looks });
  }

  svg(scene) {
    if (!scene.spots.size) return this.#lines(scene);
    const board = new Board(this, scene);
    const [left, top, wide, high] = [-MARGIN, -board.head - MARGIN, board.width + 2 * MARGIN, board.head + board.height + board.foot + 2 * MARGIN];
    return this.#document([...elements(board), ...spotElements(board)], [left, top, wide, high], scene.caption);
  }

  #lines(scene) {
    const lines = scene.lines.flatMap((text) => wrapped(text));
    const wide = WIDE_LETTER * Math.max(0, ...lines.map((line) => this.width(line)));
    const drawn = lines.map((line, row) => `<text x="0" y="${row * LINE + 17}" font-family="${FIXED}" font-size="16" fill="${INK}" xml:space="preserve">${this.words(line)}</text>`);
    return this.#document(drawn, [-MARGIN, -MARGIN, wide + 2 * MARGIN, LINE * lines.length + 2 * MARGIN], scene.caption);
  }

  #document(parts, [x, y, w, h], title) {
    const [left, top, wide, high] = [x, y, w, h].map(number);
    const card = `<rect x="${number(x + 0.5)}" y="${number(y + 0.5)}" width="${number(w - 1)}" height="${number(h - 1)}" rx="14" fill="${PAPER}" stroke="${EDGE}"/>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${wide} ${high}" width="${wide}" height="${high}" role="img">` +
      `<title>${this.words(title) || "puzzle"}</title>${card}${parts.join("")}</svg>`;
  }

  #letter(letter) {
    return this.letters.get(letter) ?? [letter, 1, []];
  }

  words(text) {
    const shown = [...text].map((letter) => this.#letter(letter)[0]).join("");
    return shown.replace(/[&<>"'\ufffe\uffff]/g, (letter) => ESCAPES[letter] ?? "?");
  }

  width(text) {
    return [...text].reduce((sum, letter) => sum + this.#letter(letter)[1], 0);
  }

  arms(glyph) {
    return this.#letter(glyph)[2];
  }
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

// Lines of at most so many letters, broken between words where that is possible.
function wrapped(text) {
  const lines = [""];
  for (const part of text.split(/(\s+)/)) {
    const last = lines.length - 1;
    if (lines[last].length + part.length <= LONGEST) lines[last] += part;
    else if (part.trim()) lines.push(...(part.match(/.{1,72}/gs) ?? []));
  }
  return lines.map((line) => line.trimEnd());
}

// At most two decimals, and none that say nothing; halves go to the even one.
export function number(value) {
  const [whole, rest] = [Math.floor(value * 100), value * 100 - Math.floor(value * 100)];
  const rounded = rest === 0.5 ? whole + Math.abs(whole % 2) : Math.round(value * 100);
  return String(rounded / 100 + 0);
}

// -- the board ---------------------------------------------------------------------------------------------------------

class Board {
  constructor(drawing, scene) {
    const spots = [...scene.spots.values()];
    this.drawing = drawing;
    this.frame = scene.frame;
    this.largest = Math.max(...spots.map((spot) => spot.size));
    const longest = Math.max(1, ...spots.map((spot) => drawing.width(spot.glyph)));
    const high = this.largest ? 32 : UNIT;
    const wide = this.largest ? Math.min(WIDEST, 32 + 18 * this.largest) : Math.max(UNIT, Math.min(WIDEST, 10 + 0.72 * 13 * longest));
    this.between = latticed(scene.spots);
    this.spots = this.between ? joined(scene.spots) : scene.spots;
    this.letters = Math.min(0.46 * high, (wide - 10) / (0.72 * longest));
    this.lines = sizeOf(scene).map((count, axis) => this.#ends(count, axis ? wide : high)).reverse(); // of columns, of rows
    this.names = [...this.spots.keys()].sort(inOrder);
    this.columns = this.#columns();
    this.groups = this.#groups();
  }

  #ends(count, size) {
    const ends = [0];
    for (let place = 0; place < count; place += 1) ends.push(ends[place] + (this.between && place % 2 === 0 ? THIN : size));
    return ends;
  }

  get width() {
    return this.lines[0].at(-1);
  }

  get height() {
    return this.lines[1].at(-1);
  }

  get head() {
    return this.frame === "tube" || this.frame === "peg" ? 10 : 0;
  }

  get foot() {
    return this.frame === "peg" ? 14 : this.frame ? 6 : 0;
  }

  // The places of each thing; layers and bars are things by themselves.
  #groups() {
    const alone = this.frame === "tube";
    const things = this.names.filter((name) => this.spots.get(name).colour);
    return pieces(new Map(things.map((name) => [name, alone || this.spots.get(name).size ? "" : this.spots.get(name).piece])));
  }

  // Of each column the first and the last row that is not void.
  #columns() {
    const rows = new Map();
    for (const name of this.names) {
      const [row, col] = placeOf(name);
      const spot = this.spots.get(name);
      if (spot.ground !== "void" || spot.colour) rows.set(col, [rows.get(col)?.[0] ?? row, row]);
    }
    return rows;
  }

  box(row, col) {
    const [xs, ys] = this.lines;
    return [xs[col], ys[row], xs[col + 1] - xs[col], ys[row + 1] - ys[row]];
  }

  // x and y of the middle of a place, or of the point between places.
  middle(row, col) {
    const [left, top] = this.box(Math.floor(row), Math.floor(col));
    const [x, y, wide, high] = this.box(Math.ceil(row), Math.ceil(col));
    return [(left + x + wide) / 2, (top + y + high) / 2];
  }

  hex(spot) {
    return this.drawing.hex[spot.colour];
  }
}

const inOrder = (one, other) => {
  const [[row, col], [down, across]] = [placeOf(one), placeOf(other)];
  return row - down || col - across;
};

// Does every other line of places hold nothing but walls, so that these lie between the places?
function latticed(spots) {
  const others = new Set([...spots].filter(([name]) => !placeOf(name).every((axis) => axis % 2)).map(([, spot]) => spot.ground));
  return spots.size > 1 && others.has("wall") && [...others].every((ground) => ground === "wall" || ground === "void");
}

// Walls that lie between places meet at the posts.
function joined(spots) {
  const walls = [...spots].filter(([, spot]) => spot.ground === "wall").map(([name]) => name);
  const posts = new Set(walls.flatMap(beside).filter((name) => spots.has(name) && placeOf(name).every((axis) => axis % 2 === 0)));
  return new Map([...spots].map(([name, spot]) => [name, posts.has(name) ? { ...spot, ground: "wall" } : spot]));
}

// Touching places with the same word, each group in reading order; "" stands by itself.
function pieces(words) {
  const left = new Map([...words].sort(([one], [other]) => inOrder(one, other)));
  const found = [];
  while (left.size) {
    const [[first, word]] = left;
    const [todo, group] = [[first], []];
    while (todo.length) {
      const name = todo.pop();
      if (left.get(name) !== word) continue;
      left.delete(name);
      group.push(name);
      if (word) todo.push(...beside(name));
    }
    found.push(group.sort(inOrder));
  }
  return found;
}

function elements(board) {
  return [
    ...grounds(board), ...frames(board), ...rings(board), ...board.groups.map((group) => looking(board, group) || thing(board, group)),
    ...(board.frame === "tube" ? [...board.columns.keys()].map((col) => glass(board, col)) : []),
    ...board.groups.flatMap((group) => labels(board, group)),
  ];
}

// A transparent rectangle for each place, which a page can hit.
function spotElements(board) {
  return board.names.map((name) => {
    const [x, y, wide, high] = board.box(...placeOf(name)).map(number);
    return `<rect class="spot" data-place="${name}" x="${x}" y="${y}" width="${wide}" height="${high}" fill-opacity="0"/>`;
  });
}

// -- grounds and frames ------------------------------------------------------------------------------------------------

// Tiles on a common base; walls join, and stacks have no floor.
function grounds(board) {
  const places = new Map();
  for (const name of board.names) {
    const { ground } = board.spots.get(name);
    places.set(ground, [...(places.get(ground) ?? []), name]);
  }
  const [empty, drawn] = [places.get("void") ?? [], []];
  places.delete("void");
  if (board.frame) places.delete("floor");
  else if (places.size) {
    const everything = [...[...places.values()].flat(), ...(board.between ? empty : [])];
    drawn.push(`<path d="${outline(everything, board.lines, -4, 9, 1)}" fill="${BOARD}"/>`);
  }
  const walls = places.get("wall") ?? [];
  places.delete("wall");
  for (const [ground, group] of places) drawn.push(`<path d="${group.map((name) => tile(board, name)).join("")}" fill="${board.drawing.hex[ground]}"/>`);
  if (walls.length) drawn.push(`<path d="${outline(walls, board.lines, 0.75, board.between ? 3 : 6, 3)}" fill="${board.drawing.hex.wall}"/>`);
  return drawn;
}

function tile(board, name) {
  const [x, y, wide, high] = board.box(...placeOf(name));
  return `M${number(x + 0.75)} ${number(y + 0.75)}h${number(wide - 1.5)}v${number(high - 1.5)}h${number(1.5 - wide)}z`;
}

// What stands behind the things of stacks.
function frames(board) {
  if (!board.frame) return [];
  const drawn = [...board.columns.keys()].map((col) => {
    const [left, top, wide, high] = column(board, col);
    if (board.frame === "peg") return rect(left + wide / 2 - 4, top - 6, 8, high + 8, 4, WOOD);
    if (board.frame === "tube") return `<path d="${tube(left + 6, top - 6, wide - 12, high + 6, 15)}" fill="#f1f5f7"/>`;
    const base = `M${number(left + 4)} ${number(top + high + 3)}h${number(wide - 8)}`;
    return rect(left + 1.5, top, wide - 3, high + 2, 8, TRAY) + stroke(base, WOOD, 4, ROUND);
  });
  return board.frame === "peg" ? [...drawn, rect(4, board.height + 1, board.width - 8, 9, 4.5, WOOD)] : drawn;
}

function column(board, col) {
  const [first, last] = board.columns.get(col);
  const [left, top, wide] = board.box(first, col);
  return [left, top, wide, board.lines[1][last + 1] - top];
}

// The wall of a tube, before its layers, with a gleam.
function glass(board, col) {
  const [left, top, wide, high] = column(board, col);
  const gleam = `M${number(left + 13)} ${number(top + 6)}v${number(high - 24)}`;
  return stroke(gleam, "#ffffff", 3, `stroke-opacity="0.5" ${ROUND}`) + stroke(tube(left + 6, top - 6, wide - 12, high + 6, 15), GLASS, 2.5, ROUND);
}

function tube(left, top, wide, high, radius) {
  const arc = `a${number(radius)} ${number(radius)} 0 0 0 ${number(radius)} `;
  return `M${number(left)} ${number(top)}v${number(high - radius)}${arc}${number(radius)}h${number(wide - 2 * radius)}${arc}${number(-radius)}V${number(top)}`;
}

// -- things ------------------------------------------------------------------------------------------------------------

// A thing that has a look of its own; "" where it is a tile.
function looking(board, group) {
  const { look } = board.spots.get(group[0]);
  if (!look) return "";
  const { shapes, side, raised: heights, card } = board.drawing.looks;
  const [left, top, wide, high] = room(board, group);
  const colour = board.hex(board.spots.get(group[0]));
  const whole = wide * high === group.reduce((sum, name) => sum + area(board.box(...placeOf(name))), 0);
  if (heights[look] && whole) return raised(left + 4, top + 4, wide - 8, high - 9, heights[look], colour);
  if (look === "card" && group.length === 1) {
    return `<rect x="${number(left + 3)}" y="${number(top + 1.5)}" width="${number(wide - 6)}" height="${number(high - 3)}" rx="5" fill="${card[0]}" stroke="${card[1]}"/>`;
  }
  if (!shapes[look] || group.length > 1) return "";
  const scale = Math.min(wide, high) / side;
  const at = [left + (wide - scale * side) / 2, top + (high - scale * side) / 2];
  return shapes[look].map((part) => shaped(...part, at, scale)).join("").replaceAll("$1", colour).replaceAll("$2", darker(colour));
}

const area = ([, , wide, high]) => wide * high;

// The least box round the places.
function room(board, group) {
  const boxes = group.map((name) => board.box(...placeOf(name)));
  const [left, top] = [0, 1].map((axis) => Math.min(...boxes.map((box) => box[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...boxes.map((box) => box[axis] + box[axis + 2])));
  return [left, top, right - left, bottom - top];
}

// A box seen from above and a little from the front.
function raised(x, y, wide, high, by, colour) {
  const gleam = `M${number(x + 5)} ${number(y - by + 4)}h${number(wide - 10)}`;
  return rect(x, y - by, wide, high + by, 4, darker(colour)) + rect(x, y - by, wide, high, 4, colour) + stroke(gleam, "#ffffff", 2, `stroke-opacity="0.35" ${ROUND}`);
}

// A part of a shape: a path, or the middle and the radius of a circle.
function shaped(part, paint, [x, y], scale) {
  if (typeof part !== "string") {
    const [across, down, radius] = part;
    return `<circle cx="${number(x + scale * across)}" cy="${number(y + scale * down)}" r="${number(scale * radius)}" ${paint}/>`;
  }
  const placed = part.replace(/([\d.]+) ([\d.]+)/g, (_, across, down) => `${number(x + scale * Number(across))} ${number(y + scale * Number(down))}`);
  return `<path d="${placed}" ${paint}/>`;
}

// A piece with a darker edge below, or a layer of a liquid.
function thing(board, group) {
  const [colour, path] = [board.hex(board.spots.get(group[0])), shape(board, group)];
  if (board.frame === "tube") return `<path d="${path}" fill="${colour}"/>`;
  const dark = darker(colour);
  return `<path d="${path}" fill="${dark}" transform="translate(0 2)"/><path d="${path}" fill="${colour}" stroke="${dark}"/>`;
}

function shape(board, group) {
  const [row, col] = placeOf(group[0]);
  const { size, glyph } = board.spots.get(group[0]);
  const [left, top, wide, high] = board.box(row, col);
  if (board.frame === "tube") {
    const lowest = row === board.columns.get(col)[1] ? 1 : 0;
    return `${tube(left + 7.25, top, wide - 14.5, high - 1.25 * lowest, 13.75 * lowest)}z`;
  }
  if (size) {
    const inset = 5 + (wide - 12) * 0.4 * (1 - size / board.largest);
    return bar(left + inset, top + 2.5, wide - 2 * inset, high - 6);
  }
  if (group.length === 1 && BALLS.includes(glyph)) return ball(left + wide / 2, top + high / 2, Math.min(wide, high) / 2 - 4.5);
  return outline(group, board.lines, 3.5, 9, 5);
}

function ball(x, y, radius) {
  const arc = `a${number(radius)} ${number(radius)} 0 0 1 `;
  return `M${number(x - radius)} ${number(y)}${arc}${number(2 * radius)} 0${arc}${number(-2 * radius)} 0z`;
}

function bar(x, y, wide, high) {
  const arc = "a8 8 0 0 1 ";
  return `M${number(x + 8)} ${number(y)}h${number(wide - 16)}${arc}8 8v${number(high - 16)}${arc}-8 8h${number(16 - wide)}${arc}-8 -8v${number(16 - high)}${arc}8 -8z`;
}

// Goals: a dashed line of two colours, so far out that it is seen round a tile too.
function rings(board) {
  const goals = new Map(board.names.filter((name) => board.spots.get(name).ground === "goal").map((name) => [name, "goal"]));
  return pieces(goals).map((group) => {
    const path = outline(group, board.lines, 2.25, 5, 5);
    return stroke(path, "#ffffff", 4, 'stroke-opacity="0.85"') + stroke(path, GOAL, 2.25, 'stroke-dasharray="6 4"');
  });
}

// -- letters -----------------------------------------------------------------------------------------------------------

// The glyph once if it is the same all over the thing, else in each place; a card has its own letters.
function labels(board, group) {
  const spots = group.map((name) => board.spots.get(name));
  const card = spots[0].look === "card" && group.length === 1;
  if (!card && looking(board, group)) return [];
  const { inks, card: [, , dark] } = board.drawing.looks;
  const colour = card ? inks[spots[0].colour] ?? dark : ink(board.hex(spots[0]));
  const alike = spots.every((spot) => spot.glyph === spots[0].glyph);
  const places = alike ? [middleOf(group)] : group.map(placeOf);
  return places.map((place, index) => label(board, place, group[0], card, spots[index].glyph, colour));
}

function label(board, place, first, card, glyph, colour) {
  const [x, y] = board.middle(...place);
  const arms = board.drawing.arms(glyph);
  const [, , wide, high] = board.box(...placeOf(first));
  if (arms.length) return pipe(x, y, arms.map(([dx, dy]) => [dx * wide * REACH, dy * high * REACH]), colour);
  const shown = card ? cardWords(glyph, board.drawing.looks.suits) : glyph;
  return `<text x="${number(x)}" y="${number(y + 0.36 * board.letters)}" font-family="${FONT}" font-size="${number(board.letters)}" ` +
    `font-weight="bold" text-anchor="middle" fill="${colour}">${board.drawing.words(shown)}</text>`;
}

// A rank with the sign of its suit.
const cardWords = (glyph, suits) => (glyph.length > 1 && suits[glyph.at(-1)] ? glyph.slice(0, -1) + suits[glyph.at(-1)] : glyph);

// The centre of a piece if the piece is there, else the middle of its place that is nearest.
function middleOf(group) {
  const places = group.map(placeOf);
  const [row, col] = [0, 1].map((axis) => (Math.min(...places.map((place) => place[axis])) + Math.max(...places.map((place) => place[axis]))) / 2);
  const round = [Math.floor(row), Math.ceil(row)].flatMap((down) => [Math.floor(col), Math.ceil(col)].map((across) => `${down},${across}`));
  if (round.every((name) => group.includes(name))) return [row, col];
  const far = ([down, across]) => (down - row) ** 2 + (across - col) ** 2;
  return places.reduce((best, place) => (far(place) < far(best) ? place : best));
}

// Lines from the middle of a place to the sides that its letter reaches to.
function pipe(x, y, arms, colour) {
  const path = arms.map(([dx, dy]) => `M${number(x)} ${number(y)}l${number(dx)} ${number(dy)}`).join("");
  return `${stroke(path, colour, 9)}<circle cx="${number(x)}" cy="${number(y)}" r="4.5" fill="${colour}"/>`;
}

// -- elements and colours ----------------------------------------------------------------------------------------------

const stroke = (path, colour, wide, more = "") => `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${number(wide)}"${more && ` ${more}`}/>`;

const rect = (x, y, wide, high, radius, colour) =>
  `<rect x="${number(x)}" y="${number(y)}" width="${number(wide)}" height="${number(high)}" rx="${number(radius)}" fill="${colour}"/>`;

const channels = (hex) => [1, 3, 5].map((place) => parseInt(hex.slice(place, place + 2), 16));

const darker = (hex) => `#${channels(hex).map((channel) => Math.round(channel * 0.68).toString(16).padStart(2, "0")).join("")}`;

// Black or white, whichever is easier to read on a colour.
const ink = (hex) => (contrast("#000000", hex) >= contrast("#ffffff", hex) ? "#000000" : "#ffffff");

function contrast(one, other) {
  const [low, high] = [one, other].map(luminance).sort((first, second) => first - second);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex) {
  const [red, green, blue] = channels(hex).map((channel) => (channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// -- outlines: the border of places is walked with the places on the right hand, as `outline.py` does --------------------

function outline(names, lines, inset, outer, inner) {
  return loopsOf(new Set(names)).map((loop) => path(loop, lines, inset, outer, inner)).join("");
}

function path(corners, [xs, ys], inset, outer, inner) {
  const parts = corners.map(([[x, y], [inX, inY], [outX, outY]]) => {
    const right = inX * outY - inY * outX > 0;
    const radius = right ? outer : inner;
    const [atX, atY] = [xs[x] - (inY + outY) * inset, ys[y] + (inX + outX) * inset];
    const [begin, end] = [pair(atX - inX * radius, atY - inY * radius), pair(atX + outX * radius, atY + outY * radius)];
    return begin + (radius ? `A${number(radius)} ${number(radius)} 0 0 ${Number(right)} ${end}` : "");
  });
  return `M${parts.join("L")}Z`;
}

const pair = (x, y) => `${number(x)} ${number(y)}`;
const edgeName = ([x, y], [dx, dy]) => [x, y, dx, dy].join();

function loopsOf(names) {
  const edges = [...names].flatMap((name) => edgesOf(name, names));
  const all = new Set(edges.map((edge) => edgeName(...edge)));
  const left = new Map(edges.sort(byNumbers).map((edge) => [edgeName(...edge), edge]));
  const loops = [];
  while (left.size) {
    const loop = [];
    let [[, edge]] = left;
    while (left.delete(edgeName(...edge))) {
      const after = next(edge, all);
      if (String(after[1]) !== String(edge[1])) loop.push([after[0], edge[1], after[1]]);
      edge = after;
    }
    loops.push(loop);
  }
  return loops;
}

function byNumbers(one, other) {
  const [mine, theirs] = [one.flat(), other.flat()];
  const place = mine.findIndex((each, index) => each !== theirs[index]);
  return place < 0 ? 0 : mine[place] - theirs[place];
}

// The sides of a place beyond which there is none of the places, clockwise.
function edgesOf(name, names) {
  const [row, col] = placeOf(name);
  const corners = [[col, row], [col + 1, row], [col + 1, row + 1], [col, row + 1]];
  const ways = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  return beside(name).flatMap((other, side) => (names.has(other) ? [] : [[corners[side], ways[side]]]));
}

// The next edge of the border: to the right if there is one, else ahead, else to the left.
function next([[x, y], [dx, dy]], all) {
  const point = [x + dx, y + dy];
  const way = [[-dy, dx], [dx, dy], [dy, -dx]].map(([across, down]) => [across + 0, down + 0]).find((turn) => all.has(edgeName(point, turn)));
  return [point, way];
}
