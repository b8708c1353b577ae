// A scene as SVG, stroke for stroke as `puzzlewright/pictures/` draws it (`board_svg.py`, `svg.py`, `outline.py`): what a
// test holds the two to. Words of a puzzle are escaped.

import { cube, sideOf, sizeOfCube } from "./cube.js";
import { inOrder, number, outline, pieces } from "./outlines.js";
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
const MORTAR = "#7b8590"; // between bricks
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
    if (sideOf(scene)) return this.#cube(scene);
    const board = new Board(this, scene);
    const [left, top, wide, high] = [-MARGIN, -board.head - MARGIN, board.width + 2 * MARGIN, board.head + board.height + board.foot + 2 * MARGIN];
    return this.#document([...elements(board), ...spotElements(board)], [left, top, wide, high], scene.caption);
  }

  #cube(scene) {
    const [wide, high] = sizeOfCube(scene);
    const letters = (at, size, glyph, hex) => lettering(this, at, size, glyph, ink(hex));
    return this.#document(cube(scene, this.hex, letters), [-MARGIN, -MARGIN, wide + 2 * MARGIN, high + 2 * MARGIN], scene.caption);
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

// -- the board ---------------------------------------------------------------------------------------------------------

class Board {
  constructor(drawing, scene) {
    const spots = [...scene.spots.values()];
    this.drawing = drawing;
    this.frame = scene.frame === "cube" ? "" : scene.frame; // no net: `cube.js` draws those
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

function elements(board) {
  return [
    ...grounds(board), ...frames(board), ...rings(board), ...hollows(board), ...targets(board),
    ...board.groups.map((group) => looking(board, group) || thing(board, group)),
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
  if (walls.length && !board.between) drawn.push(stroke(walls.map((name) => bricks(board, name, new Set(walls))).join(""), MORTAR, 1.5, 'stroke-opacity="0.55"'));
  return drawn;
}

// The lines between three rows of bricks, of which the second is shifted; one to the wall above.
function bricks(board, name, walls) {
  const [row, col] = placeOf(name);
  const [x, y, wide, high] = board.box(row, col);
  const third = high / 3;
  const rows = [1, 2].map((line) => `M${number(x + 2)} ${number(y + third * line)}h${number(wide - 4)}`).join("");
  const above = walls.has(`${row - 1},${col}`) ? `M${number(x + 2)} ${number(y)}h${number(wide - 4)}` : "";
  const left = walls.has(`${row},${col - 1}`) ? `M${number(x)} ${number(y + third)}v${number(third)}` : "";
  return `${rows}${above}${left}M${number(x + wide / 2)} ${number(y + 2)}v${number(third - 2)}m0 ${number(third)}v${number(third - 2)}`;
}

// Looks of places where nothing stands, in shades of the ground; a name on it goes before.
function hollows(board) {
  const { hex, looks } = board.drawing;
  return board.names.flatMap((name) => {
    const { look, colour, ground, target } = board.spots.get(name);
    if (!look || ground === "void" || colour || target || !looks.empty[look]) return [];
    const shade = darker(hex[ground]);
    return [shaped(board, [name], looks.empty[look], shade, darker(shade))];
  });
}

// Names on the ground, once for touching places of one name, wherever nothing stands on them.
function targets(board) {
  const named = board.names.filter((name) => board.spots.get(name).target && !board.spots.get(name).colour);
  return pieces(new Map(named.map((name) => [name, board.spots.get(name).target]))).map((group) => {
    const { ground, target } = board.spots.get(group[0]);
    const wide = room(board, isWhole(board, group) ? group : group.slice(0, 1))[2];
    const size = Math.min(0.32 * board.box(...placeOf(group[0]))[3], (wide - 8) / (0.72 * Math.max(1, board.drawing.width(target))));
    const colour = ground === "goal" || ground === "void" ? GOAL : ink(board.drawing.hex[ground]);
    return lettering(board.drawing, board.middle(...middleOf(group)), size, target, colour);
  });
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
  if (!hasLook(board, group)) return "";
  const { shapes, stretched } = board.drawing.looks;
  const spot = board.spots.get(group[0]);
  const [colour, dark, parts] = [board.hex(spot), darker(board.hex(spot)), shapes[spot.look]];
  if (group.length === 1 || stretched.includes(spot.look)) return shaped(board, group, parts, colour, dark);
  const beads = group.map((name) => shaped(board, [name], parts, colour, dark)).join("");
  return `<path d="${outline(group, board.lines, 17, 6, 3)}" fill="${dark}"/>${beads}`;
}

// Has the thing a look that fits? Bars and layers have none; a look that stretches fills a rectangle of places, disks hang
// together, others stand on one place.
function hasLook(board, group) {
  const { look, size } = board.spots.get(group[0]);
  const { shapes, stretched } = board.drawing.looks;
  if (!look || size || board.frame === "tube" || !shapes[look]) return false;
  return stretched.includes(look) ? isWhole(board, group) : group.length === 1 || look === "disk";
}

// Are the places a rectangle?
function isWhole(board, group) {
  const [, , wide, high] = room(board, group);
  return wide * high === group.reduce((sum, name) => sum + area(board.box(...placeOf(name))), 0);
}

const area = ([, , wide, high]) => wide * high;

// The least box round the places.
function room(board, group) {
  const boxes = group.map((name) => board.box(...placeOf(name)));
  const [left, top] = [0, 1].map((axis) => Math.min(...boxes.map((box) => box[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...boxes.map((box) => box[axis] + box[axis + 2])));
  return [left, top, right - left, bottom - top];
}

// The shape in the room of the group, or in the square in the middle of it.
function shaped(board, group, parts, colour, dark) {
  const { side, stretched, papers, paper } = board.drawing.looks;
  const spot = board.spots.get(group[0]);
  const scale = unitOf(board, group) / side;
  let [left, top, wide, high] = room(board, group);
  if (!stretched.includes(spot.look) && spot.look !== "card") {
    const square = scale * side;
    [left, top, wide, high] = [left + (wide - square) / 2, top + (high - square) / 2, square, square];
  }
  const turns = turnsOf(spot, wide, high, board.drawing.looks.ways);
  const drawn = parts.map(([part, paint]) => partOf(part, paint, (x, y) => pointOf(x, y, [left, top, wide, high], scale, turns, side), scale)).join("");
  return [colour, dark, papers[spot.colour] ?? paper].reduce((text, each, index) => text.replaceAll(`$${index + 1}`, each), drawn);
}

const unitOf = (board, group) => Math.min(...board.box(...placeOf(group[0])).slice(2));

// By how many quarters the shape is turned: a car along its places, an arrow as it says.
const turnsOf = ({ look, glyph }, wide, high, ways) => (look === "arrow" ? (Object.hasOwn(ways, glyph) ? ways[glyph] : 0) : Number(look === "car" && high > wide));

// A part of a shape: a path, or the middle and the radius of a circle.
function partOf(part, paint, point, scale) {
  if (typeof part !== "string") {
    const [x, y] = point(part[0], part[1]);
    return `<circle cx="${number(x)}" cy="${number(y)}" r="${number(scale * part[2])}" ${paint}/>`;
  }
  const placed = part.replace(/(-?[\d.]+) (-?[\d.]+)/g, (_, across, down) => point(Number(across), Number(down)).map(number).join(" "));
  return `<path d="${placed}" ${paint}/>`;
}

// Each from the nearer end.
function pointOf(x, y, [left, top, wide, high], scale, turns, side) {
  for (let turn = 0; turn < turns; turn += 1) [x, y] = [side - y, x];
  const along = (at, begin, long) => begin + (2 * at <= side ? scale * at : long - scale * (side - at));
  return [along(x, left, wide), along(y, top, high)];
}

// A piece with a darker edge below, or a layer of a liquid.
function thing(board, group) {
  const [colour, path] = [board.hex(board.spots.get(group[0])), shape(board, group)];
  if (board.frame === "tube") return `<path d="${path}" fill="${colour}"/>${surface(board, group[0])}`;
  const dark = darker(colour);
  return `<path d="${path}" fill="${dark}" transform="translate(0 2)"/><path d="${path}" fill="${colour}" stroke="${dark}"/>${gleam(board, group[0])}`;
}

// The gleam on the uppermost layer of a liquid.
function surface(board, name) {
  const [row, col] = placeOf(name);
  if (board.spots.get(`${row - 1},${col}`)?.colour) return "";
  const [left, top, wide] = board.box(row, col);
  return stroke(`M${number(left + 11)} ${number(top + 2.5)}h${number(wide - 22)}`, "#ffffff", 3, `stroke-opacity="0.45" ${ROUND}`);
}

// Of a bar.
function gleam(board, name) {
  const { size } = board.spots.get(name);
  if (!size) return "";
  const [left, top, wide] = board.box(...placeOf(name));
  const inset = 13 + (wide - 12) * 0.4 * (1 - size / board.largest);
  return stroke(`M${number(left + inset)} ${number(top + 7)}h${number(wide - 2 * inset)}`, "#ffffff", 2, `stroke-opacity="0.4" ${ROUND}`);
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

// The glyph once if it is the same all over the thing, else in each place; a look has its own letters.
function labels(board, group) {
  if (hasLook(board, group)) return lookLabels(board, group);
  const spots = group.map((name) => board.spots.get(name));
  const alike = spots.every((spot) => spot.glyph === spots[0].glyph);
  const places = alike ? [middleOf(group)] : group.map(placeOf);
  return places.map((place, index) => label(board, place, group[0], spots[index].glyph, ink(board.hex(spots[0]))));
}

function label(board, place, first, glyph, colour) {
  const [x, y] = board.middle(...place);
  const arms = board.drawing.arms(glyph);
  const [, , wide, high] = board.box(...placeOf(first));
  if (arms.length) return pipe(x, y, arms.map(([dx, dy]) => [dx * wide * REACH, dy * high * REACH]), colour);
  return lettering(board.drawing, [x, y], board.letters, glyph, colour);
}

// Centred.
function lettering(drawing, [x, y], size, glyph, colour) {
  return `<text x="${number(x)}" y="${number(y + 0.36 * size)}" font-family="${FONT}" font-size="${number(size)}" ` +
    `font-weight="bold" text-anchor="middle" fill="${colour}">${drawing.words(glyph)}</text>`;
}

// The letters of a look in the room that it has for them: once where one shape fills all places.
function lookLabels(board, group) {
  const { labels: rooms, stretched, figures } = board.drawing.looks;
  const { look } = board.spots.get(group[0]);
  const whole = stretched.includes(look);
  const shows = (name) => rooms[look] && (!figures.includes(look) || /[\p{L}\p{N}]/u.test(board.spots.get(name).glyph));
  return (whole ? group.slice(0, 1) : group).filter(shows).map((name) => lookLabel(board, whole ? group : [name]));
}

// The glyph about the middle of its look's room, no larger than the board's letters.
function lookLabel(board, group) {
  const { labels: rooms, side, stretched, suits } = board.drawing.looks;
  const spot = board.spots.get(group[0]);
  const [x, y] = board.middle(...middleOf(group));
  const [across, down, wide, high] = rooms[spot.look];
  const [half, scale] = [side / 2, unitOf(board, group) / side];
  const whole = stretched.includes(spot.look) || spot.look === "card" ? room(board, group)[2] : 2 * half * scale;
  const glyph = spot.look === "card" ? cardWords(spot.glyph, suits) : spot.glyph;
  const size = Math.min(board.letters, scale * high, (whole - scale * (2 * half - wide)) / (0.72 * Math.max(1, board.drawing.width(glyph))));
  return lettering(board.drawing, [x + scale * (across - half), y + scale * (down - half)], size, glyph, lookInk(board, spot));
}

function lookInk(board, spot) {
  const { ink: dark, inks, beside: outside } = board.drawing.looks;
  if (spot.look === "card") return inks[spot.colour] ?? dark;
  return ink(outside.includes(spot.look) && spot.ground !== "void" ? board.drawing.hex[spot.ground] : board.hex(spot));
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
