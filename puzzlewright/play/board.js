// The board as it is seen: the server's picture, marks on it, and where it is hit.

import { at, calm, fit, picture } from "./dom.js";
import { placesSet, shift, stacked } from "./moves.js";

const SVG = "http://www.w3.org/2000/svg";
const SLIDE = 150; // milliseconds
const LABELS = 26; // the room of the numbers below stacks

const key = (place) => `${place[0]},${place[1]}`;
const placeOf = (words) => words.split(",").map(Number);

export class Board {
  // `hit` is called with a place, and with the place where the pointer was let go if that is another one.
  constructor(element, hit) {
    this.element = element;
    this.spots = new Map(); // "row,col" -> the place's rectangle: x, y, width, height
    let down = null;
    element.addEventListener("pointerdown", (event) => (down = this.#at(event.clientX, event.clientY)));
    element.addEventListener("pointercancel", () => (down = null));
    element.addEventListener("pointerup", (event) => {
      const up = this.#at(event.clientX, event.clientY);
      if (down && up) hit(down, key(down) === key(up) ? null : up);
      down = null;
    });
  }

  #at(x, y) {
    const spot = document.elementFromPoint(x, y)?.closest("[data-place]");
    return spot && this.element.contains(spot) ? placeOf(spot.dataset.place) : null;
  }

  // `move` is the one that led here: what it shifted slides to its new place.
  show(text, board, move = null) {
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
    if (before && !calm()) this.#slide(own.filter((each) => !each.dataset.place && !before.has(each.outerHTML)), move);
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

  #slide(elements, move) {
    const by = shift(move);
    if (!by || !rigid(move, by)) return;
    const enters = move.enters.map((place) => this.spots.get(key(place)));
    const [from, to] = [move.leaves[0], [move.leaves[0][0] + by[0], move.leaves[0][1] + by[1]]].map((place) => this.spots.get(key(place)));
    const [x, y] = [from.x - to.x, from.y - to.y];
    for (const element of elements) {
      const box = element.getBBox?.();
      if (!box || !enters.some((spot) => holds(spot, box.x + box.width / 2, box.y + box.height / 2))) continue;
      element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: SLIDE, easing: "ease-out" });
    }
  }

  // Where things stand that can be dragged: a finger there does not scroll the page.
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
    if (hint.length) this.#outline(hint, "hinted");
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
    const [dx, dy] = [step[1] * (far ? 62 : 24), step[0] * (far ? 62 : 24)];
    const [tipX, tipY] = [x + dx, y + dy];
    const back = `l${-7 * step[1] - 6 * step[0]} ${-7 * step[0] - 6 * step[1]}M${tipX} ${tipY}l${-7 * step[1] + 6 * step[0]} ${-7 * step[0] + 6 * step[1]}`;
    for (const kind of ["halo", "arrow"]) this.#draw("path", { d: `M${x} ${y}L${tipX} ${tipY}${back}`, class: kind });
  }

  #draw(tag, attributes, parent = this.marks) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    parent.append(element);
    return element;
  }
}

const rectangle = (spot) => Object.fromEntries(["x", "y", "width", "height"].map((name) => [name, Number(spot.getAttribute(name))]));

const holds = (spot, x, y) => x >= spot.x && x <= spot.x + spot.width && y >= spot.y && y <= spot.y + spot.height;

// Does the move shift all that it moves by the same way?
function rigid(move, by) {
  const there = placesSet(move.enters);
  return move.leaves.length === move.enters.length && move.leaves.every(([row, col]) => there.has(key([row + by[0], col + by[1]])));
}

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
