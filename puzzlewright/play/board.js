// The board as it is seen: the server's picture, marks on it, and where it is hit.

import { at, calm, fit, picture } from "./dom.js";
import { placesSet, rigid, stacked } from "./moves.js";

const SVG = "http://www.w3.org/2000/svg";
const SLIDE = 150; // milliseconds
const DRAG = 6; // pixels that a pointer may go before what it took follows it
const RAISED = 18; // pixels by which a picture may stand above its place
const OPEN = ["tube", "peg"]; // frames out of which things are lifted
const LABELS = 26; // the room of the numbers below stacks

const key = (place) => `${place[0]},${place[1]}`;
const placeOf = (words) => words.split(",").map(Number);

export class Board {
  // `hit` is called with a place; with the place where the pointer was let go if that is another one; and with the moves
  // that lead next to where what was dragged was let go; with null where that means nothing. `grasp` tells of a place what
  // follows the pointer from there, and its moves; or, by `aims`, whether an arrow from there to another place says a way.
  constructor(element, hit, grasp = () => null, taken = () => {}) {
    this.element = element;
    this.hit = hit;
    this.grasp = grasp;
    this.taken = taken; // is told that something follows
    this.spots = new Map(); // "row,col" -> the place's rectangle: x, y, width, height
    this.down = null; // where the pointer is down: { place, x, y }
    this.held = null; // what follows it: { elements, ends, by }, or the place that an arrow comes from: { elements, aims }
    element.addEventListener("pointerdown", (event) => event.isPrimary && this.#press(event));
    element.addEventListener("pointermove", (event) => this.down && event.isPrimary && this.#follow(event));
    element.addEventListener("pointercancel", () => this.hit(null));
    element.addEventListener("pointerup", (event) => event.isPrimary && this.#letGo(event));
    // A finger on what can be dragged does not scroll the page. Shapes in SVG have no `touch-action` of their own.
    const stays = (event) => event.touches.length === 1 && event.target.closest(".movable") && event.preventDefault();
    element.addEventListener("touchstart", stays, { passive: false });
  }

  #at(x, y) {
    const spot = document.elementFromPoint(x, y)?.closest("[data-place]");
    return spot && this.element.contains(spot) ? placeOf(spot.dataset.place) : null;
  }

  // -- what follows the pointer --------------------------------------------------------------------------------------

  #press({ clientX: x, clientY: y, button }) {
    this.release();
    const place = button === 0 ? this.#at(x, y) : null;
    this.down = place && { place, x, y };
  }

  #follow(event) {
    const by = [event.clientX - this.down.x, event.clientY - this.down.y];
    if (this.held === null && Math.hypot(...by) < DRAG) return;
    if (this.held === null) this.#take(event.pointerId);
    if (this.held.aims) return this.#aim(event);
    const { scale, ends } = this.held;
    const within = (value, axis) => (ends ? clamp(value, ends.map((end) => end.by[axis])) : value);
    this.held.by = by.map((value, axis) => within(value / scale, axis));
    for (const element of this.held.elements) element.style.transform = `translate(${this.held.by.map((value) => `${value}px`).join(", ")})`;
  }

  // Things go over all else while they are held, and no farther than one of their moves takes them where all of these
  // are shifts. In stacks they are lifted over what is in between.
  #take(pointer) {
    const taken = this.grasp(this.down.place);
    const ends = taken && !taken.aims && !stacked(this.board) ? taken.moves.map((move) => ({ move, by: this.#shift(move) })) : [];
    this.held = {
      elements: taken && !taken.aims ? this.#standing(taken.places) : [],
      aims: taken?.aims ?? null,
      ends: ends.length && ends.every((end) => end.by) ? ends : null,
      scale: this.svg.getScreenCTM().a,
      by: [0, 0],
    };
    this.order = [...this.svg.children];
    for (const element of this.held.elements) {
      element.classList.add("held");
      this.svg.append(element);
    }
    this.element.setPointerCapture(pointer);
    if (taken) this.taken();
  }

  // The arrow that is being drawn; it is faint where it says no way.
  #aim({ clientX, clientY }) {
    const { place } = this.down;
    const [to, spot] = [this.#at(clientX, clientY), this.spots.get(key(place))];
    const tip = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    for (const drawn of this.marks.querySelectorAll(".aiming")) drawn.remove();
    const [x, y] = [spot.x + spot.width / 2, spot.y + spot.height / 2];
    if (Math.hypot(tip.x - x, tip.y - y) < 2 * DRAG) return;
    const way = to && this.held.aims(to) ? "aiming" : "aiming vague";
    for (const kind of ["halo aiming", `arrow ${way}`]) this.#draw("path", { d: arrow([x, y], [tip.x, tip.y]), class: kind });
  }

  #letGo(event) {
    const { down, held } = this;
    const up = this.#at(event.clientX, event.clientY);
    this.down = null;
    if (!down) return;
    const moves = held?.ends ? nearest(held) : [];
    const other = up && key(down.place) !== key(up) ? up : null;
    const little = !held || Math.hypot(event.clientX - down.x, event.clientY - down.y) < 2 * DRAG;
    if (moves.length || other || (up && little)) this.hit(down.place, other, moves);
    else this.hit(null);
  }

  // What is held goes home, unless a new picture comes.
  release() {
    const { held } = this;
    [this.down, this.held] = [null, null];
    if (!held) return;
    this.svg.append(...this.order);
    for (const element of held.elements) {
      const from = element.style.transform;
      element.removeAttribute("style");
      element.classList.remove("held");
      if (!element.classList.length) element.removeAttribute("class");
      if (!calm()) element.animate([{ transform: from }, { transform: "none" }], { duration: SLIDE, easing: "ease-out" });
    }
  }

  // The elements of what stands on the places, and maybe above them; grounds fill theirs, and rings are dashed.
  #standing(places) {
    const found = places.map((place) => this.spots.get(key(place))).filter(Boolean);
    const [left, top] = ["x", "y"].map((side) => Math.min(...found.map((spot) => spot[side])));
    const [right, bottom] = [["x", "width"], ["y", "height"]].map(([side, size]) => Math.max(...found.map((spot) => spot[side] + spot[size])));
    return [...this.svg.children].filter((element) => {
      const box = element.dataset.place || element === this.marks || element.hasAttribute("stroke-dasharray") ? null : element.getBBox?.();
      if (!box || box.width > right - left - 4 || box.height > bottom - top + RAISED || box.y < top - RAISED || box.y + box.height > bottom + 4) return false;
      return found.some((spot) => holds(spot, box.x + box.width / 2, box.y + box.height / 2)) && box.x >= left && box.x + box.width <= right;
    });
  }

  // The pixels of the picture by which the move shifts all that it moves; null if it does more than that.
  #shift(move) {
    const by = rigid(move);
    if (!by) return null;
    const [from, to] = [move.leaves[0], [move.leaves[0][0] + by[0], move.leaves[0][1] + by[1]]].map((place) => this.spots.get(key(place)));
    return [to.x - from.x, to.y - from.y];
  }

  // -- showing -------------------------------------------------------------------------------------------------------

  // `move` is the one that led here: what it shifted slides to its new place.
  show(text, board, move = null) {
    const by = this.held?.by ?? null; // where it was let go it goes on from there
    this.release();
    const before = move && this.svg ? new Set([...this.svg.children].map((each) => each.outerHTML)) : null;
    this.svg = picture(text);
    this.board = board;
    const own = [...this.svg.children];
    this.marks = document.createElementNS(SVG, "g");
    this.marks.setAttribute("class", "marks");
    this.svg.append(this.marks);
    this.spots = new Map([...this.svg.querySelectorAll("[data-place]")].map((spot) => [spot.dataset.place, rectangle(spot)]));
    if (stacked(board)) this.#label();
    this.element.replaceChildren(this.svg);
    at("caption").textContent = board.caption;
    this.element.classList.toggle("lines", !board.spots.length);
    if (before && !calm()) this.#slide(own.filter((each) => !each.dataset.place && !before.has(each.outerHTML)), move, by);
  }

  // Numbers below the stacks, for the keys that choose them.
  #label() {
    const [left, top, wide, high] = this.svg.getAttribute("viewBox").split(" ").map(Number);
    this.svg.setAttribute("viewBox", [left, top, wide, high + LABELS].join(" "));
    fit(this.svg);
    for (const [col, name] of this.columns()) {
      const spot = [...this.spots].find(([place]) => placeOf(place)[1] === col)[1];
      const label = this.#draw("text", { x: spot.x + spot.width / 2, y: top + high + 8, class: "column" }, this.svg);
      label.textContent = name;
    }
  }

  // The columns of stacks with what plans call them.
  columns() {
    const found = new Map();
    for (const [, col, , , value] of this.board.spots) if (!found.has(col)) found.set(col, String(Array.isArray(value) ? value[0] : value));
    return found;
  }

  // From where it was, or was let go `by` so many pixels from there. In stacks things go over what stands in between.
  #slide(elements, move, by) {
    const shifted = this.#shift(move);
    if (!shifted) return;
    const enters = move.enters.map((place) => this.spots.get(key(place)));
    const [x, y] = shifted.map((pixels, axis) => (by ? by[axis] : 0) - pixels);
    const over = OPEN.includes(this.board.frame) && x ? Math.min(y, 0, top(this.spots) - Math.max(...enters.map((spot) => spot.y + spot.height))) : null;
    const way = over === null ? [[x, y]] : [...(by ? [] : [[x, y]]), [x, over], [0, over]];
    const frames = [...way.map((at) => ({ transform: `translate(${at[0]}px, ${at[1]}px)` })), { transform: "none" }];
    for (const element of elements) {
      const box = element.getBBox?.();
      if (!box || !enters.some((spot) => holds(spot, box.x + box.width / 2, box.y + box.height / 2))) continue;
      element.animate(frames, { duration: SLIDE * (over === null ? 1 : 2), easing: "ease-out" });
    }
  }

  // Where things stand that can be dragged.
  movable(places) {
    const set = placesSet(places);
    for (const spot of this.svg.querySelectorAll("[data-place]")) spot.classList.toggle("movable", set.has(spot.dataset.place));
  }

  // What is chosen, where it can go, what can be chosen, the cursor of the keys, and the ways of a joint move.
  mark({ chosen = [], targets = [], choices = [], hint = [], cursor = null, arrows = [] }) {
    this.marks.replaceChildren();
    if (cursor) this.#outline(stacked(this.board) ? this.#column(cursor[1]) : [cursor], "cursor");
    for (const places of choices) this.#outline(places, "choice");
    if (chosen.length) this.#outline(chosen, "chosen");
    for (const places of hint) this.#outline(places, "hinted");
    for (const place of targets) this.#dot(place);
    for (const { place, step, far } of arrows) this.#arrow(place, step, far);
  }

  #column(col) {
    return [...this.spots.keys()].map(placeOf).filter((place) => place[1] === col);
  }

  #outline(places, kind) {
    const path = border(places, this.spots);
    if (!path) return;
    this.#draw("path", { d: path, class: "halo" });
    this.#draw("path", { d: path, class: kind });
  }

  #dot(place) {
    const spot = this.spots.get(key(place));
    if (spot) this.#draw("circle", { cx: spot.x + spot.width / 2, cy: spot.y + spot.height / 2, r: 8, class: "target" });
  }

  #arrow(place, step, far) {
    const spot = this.spots.get(key(place));
    if (!spot) return;
    const [x, y] = [spot.x + spot.width / 2 + step[1] * 10, spot.y + spot.height / 2 + step[0] * 10];
    const tip = [x + step[1] * (far ? 72 : 30), y + step[0] * (far ? 72 : 30)];
    for (const kind of ["halo", "arrow"]) this.#draw("path", { d: arrow([x, y], tip), class: kind });
  }

  #draw(tag, attributes, parent = this.marks) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    parent.append(element);
    return element;
  }
}

// The moves that lead next to where the thing is held; none if that is where it came from.
function nearest({ ends, by }) {
  const far = (end) => Math.hypot(end[0] - by[0], end[1] - by[1]);
  const least = Math.min(...ends.map((end) => far(end.by)));
  return least < far([0, 0]) ? ends.filter((end) => far(end.by) === least).map((end) => end.move) : [];
}

// A line with a head, from one point to another.
function arrow([x, y], [tipX, tipY]) {
  const long = Math.hypot(tipX - x, tipY - y);
  const [right, down] = [(tipX - x) / long, (tipY - y) / long];
  const end = (side) => `${tipX - 9 * right + side * 7 * down} ${tipY - 9 * down - side * 7 * right}`;
  return `M${x} ${y}L${tipX} ${tipY}M${end(1)}L${tipX} ${tipY}L${end(-1)}`;
}

// The number, or the end that it is beyond of those from none to these.
const clamp = (number, ends) => Math.max(Math.min(0, ...ends), Math.min(Math.max(0, ...ends), number));

const rectangle = (spot) => Object.fromEntries(["x", "y", "width", "height"].map((name) => [name, Number(spot.getAttribute(name))]));

const holds = (spot, x, y) => x >= spot.x && x <= spot.x + spot.width && y >= spot.y && y <= spot.y + spot.height;

const top = (spots) => Math.min(...[...spots.values()].map((spot) => spot.y));

// The border of touching places, a little inside; with round corners if they are a rectangle.
function border(places, spots) {
  const set = placesSet(places);
  const found = places.map((place) => spots.get(key(place))).filter(Boolean);
  const [left, top] = ["x", "y"].map((side) => Math.min(...found.map((spot) => spot[side])) + 2.5);
  const right = Math.max(...found.map((spot) => spot.x + spot.width)) - 2.5;
  const bottom = Math.max(...found.map((spot) => spot.y + spot.height)) - 2.5;
  const [rows, cols] = [0, 1].map((axis) => new Set(places.map((place) => place[axis])).size);
  if (found.length && rows * cols === set.size) return rounded(left, top, right, bottom);
  const parts = [];
  for (const [row, col] of places) {
    const spot = spots.get(key([row, col]));
    if (!spot) continue;
    const free = (down, across) => !set.has(key([row + down, col + across]));
    const inset = (down, across) => (free(down, across) ? 2.5 : 0);
    const [top, bottom, left, right] = [
      spot.y + inset(-1, 0), spot.y + spot.height - inset(1, 0), spot.x + inset(0, -1), spot.x + spot.width - inset(0, 1),
    ];
    if (free(-1, 0)) parts.push(`M${left} ${top}H${right}`);
    if (free(1, 0)) parts.push(`M${left} ${bottom}H${right}`);
    if (free(0, -1)) parts.push(`M${left} ${top}V${bottom}`);
    if (free(0, 1)) parts.push(`M${right} ${top}V${bottom}`);
  }
  return parts.join("");
}

const rounded = (left, top, right, bottom, radius = 9) =>
  `M${left + radius} ${top}H${right - radius}q${radius} 0 ${radius} ${radius}V${bottom - radius}q0 ${radius} ${-radius} ${radius}` +
  `H${left + radius}q${-radius} 0 ${-radius} ${-radius}V${top + radius}q0 ${-radius} ${radius} ${-radius}z`;

// A picture that is only looked at, in solver mode.
export function still(element, text, caption) {
  const svg = picture(text);
  for (const spot of svg.querySelectorAll("[data-place]")) spot.remove();
  element.replaceChildren(svg);
  at("caption").textContent = caption;
}
