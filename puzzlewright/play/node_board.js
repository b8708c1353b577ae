// A board of nodes with lines between them, as a search or a puzzle has them: enlarged, followed, and looked at one by
// one by pointer, finger and keys.

import { make, shape } from "./dom.js";

const NEAR = 16; // pixels from which a pointer means a node
const [SMALL, SMALLEST] = [0.8, 0.22]; // of the size that nodes are drawn in where the picture is small: with room between them, or with none
const ROOM = 0.055; // of a gap, for each unit of a node's size

export class NodeBoard {
  // `look` is called with the node that is looked at: pointed at, else chosen by a tap or a key; null for none.
  // `beyond` tells which node a node's arrow keys up and down lead to, given the node and 1 or -1.
  constructor(name, look, beyond) {
    [this.look, this.beyond] = [look, beyond];
    [this.layout, this.grow] = [null, 1];
    this.shows = () => false; // is a node seen now?
    [this.chosen, this.pointed, this.current] = [null, null, null]; // the last one is where keys begin
    this.box = make("div", { className: "nodes", tabIndex: 0, role: "application", "aria-label": `${name}. Arrow keys go up and down between layers, and along a layer; Escape lets go.` });
    this.zoom = make("input", { type: "range", min: -3, max: 12, value: 0, step: 1 });
    this.#listen();
  }

  #listen() {
    const { box } = this;
    box.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.#point(this.#near(event)));
    box.addEventListener("pointerleave", () => this.#point(null));
    box.addEventListener("click", (event) => this.choose(this.#near(event)));
    for (const each of ["focus", "blur"]) box.addEventListener(each, () => this.look(this.seen));
    box.addEventListener("keydown", (event) => this.#key(event));
    this.zoom.addEventListener("input", () => (this.#resize(), this.current && this.follow(this.chosen ?? this.current)));
    new ResizeObserver(() => this.#resize()).observe(box);
  }

  // Who comes by keys looks at the node that keys begin at.
  get seen() {
    return this.pointed ?? this.chosen ?? (this.box.matches(":focus-visible") ? this.current : null);
  }

  #point(node) {
    if (node === this.pointed) return;
    this.pointed = node;
    this.look(this.seen);
  }

  // Without telling: what is chosen is over.
  release() {
    [this.chosen, this.pointed] = [null, null];
  }

  choose(node) {
    if (node === null && this.chosen === null) return;
    this.chosen = node;
    this.look(this.seen);
  }

  // The nearest node that is seen, if it is near.
  #near({ clientX, clientY }) {
    if (!this.layout) return null;
    const { left, top, width } = this.image.getBoundingClientRect();
    const scale = width / this.layout.wide;
    const far = (node) => Math.hypot(this.#x(node) * scale - (clientX - left), this.#y(node) * scale - (clientY - top));
    let [best, least] = [null, NEAR];
    for (const node of this.layout.all) {
      if (!this.shows(node)) continue;
      const distance = far(node);
      if (distance < least) [best, least] = [node, distance];
    }
    return best;
  }

  #key(event) {
    const node = this.chosen ?? this.current;
    if (event.ctrlKey || event.altKey || event.metaKey || !node) return;
    if (event.key === "Escape" && !this.chosen) return;
    const along = (by) => {
      const layer = this.layout.all.filter((each) => each.y === node.y && this.shows(each)).sort((one, other) => one.x - other.x);
      return layer[layer.indexOf(node) + by];
    };
    const ways = { ArrowUp: () => this.beyond(node, -1), ArrowDown: () => this.beyond(node, 1), ArrowLeft: () => along(-1), ArrowRight: () => along(1), Escape: () => null };
    const go = ways[event.key];
    if (!go) return;
    event.preventDefault();
    event.stopPropagation();
    const next = go();
    if (next === undefined) return;
    this.choose(next);
    if (next) this.follow(next);
  }

  // -- drawing -------------------------------------------------------------------------------------------------------

  #x(node) {
    return (node.x - this.layout.left + 1.5) * this.layout.gap;
  }

  #y(node) {
    return (node.y + 0.8) * this.layout.step;
  }

  // Other nodes; a line is { from, to, ... } and is drawn from node to node, with an arrow if it is `oneWay`.
  build(layout, lines) {
    this.layout = layout;
    this.image = shape("svg", { viewBox: `0 0 ${layout.wide} ${layout.high}`, "aria-hidden": "true" });
    this.lines = lines.map((line) => {
      const ends = { x1: this.#x(line.from), y1: this.#y(line.from), x2: this.#x(line.to), y2: this.#y(line.to) };
      return { ...line, kind: null, element: shape("line", { ...ends, ...(line.oneWay ? { "marker-end": "url(#arrow)" } : {}) }) };
    });
    this.marks = layout.all.map((node) => ({ node, kind: null, size: null, element: shape("circle", { cx: this.#x(node), cy: this.#y(node), "data-node": node.number }) }));
    if (lines.some((line) => line.oneWay)) this.image.append(arrow());
    this.way = shape("polyline", { class: "way" });
    this.image.append(...this.lines.map(({ element }) => element), this.way, ...this.marks.map(({ element }) => element));
    this.box.replaceChildren(this.image);
    this.#resize();
  }

  // The class of each node and line; nodes are as large as `size` tells.
  paint(kindOf, kindOfLine, size = () => 6) {
    this.size = size;
    for (const line of this.lines) recast(line, kindOfLine(line));
    for (const mark of this.marks) recast(mark, kindOf(mark.node) + (mark.node === this.chosen ? " chosen" : ""));
    this.#measure();
  }

  // A way over these nodes, whatever lines there are.
  walk(nodes) {
    this.way.setAttribute("points", nodes.map((node) => `${this.#x(node)},${this.#y(node)}`).join(" "));
  }

  #measure() {
    for (const mark of this.marks) {
      const size = this.grow * this.size(mark.node);
      if (size !== mark.size) mark.element.setAttribute("r", (mark.size = size));
    }
  }

  #resize() {
    if (!this.layout || !this.box.clientWidth) return;
    const { wide, high } = this.layout;
    const fit = Math.min(1.4, (this.box.clientWidth - 4) / wide, (this.box.clientHeight - 4) / high);
    const scale = fit * 1.3 ** Number(this.zoom.value);
    this.image.setAttribute("width", wide * scale);
    this.image.setAttribute("height", high * scale);
    this.grow = Math.max(1, SMALLEST / scale, Math.min(SMALL / scale, ROOM * this.layout.gap));
    this.image.style.setProperty("--grow", this.grow);
    if (this.size) this.#measure();
  }

  // Bring the node into sight.
  follow(node) {
    const { box, layout, image } = this;
    const scale = Number(image.getAttribute("width")) / layout.wide;
    const [left, top] = [this.#x(node) * scale, this.#y(node) * scale];
    if (left < box.scrollLeft + 20 || left > box.scrollLeft + box.clientWidth - 20) box.scrollLeft = left - box.clientWidth / 2;
    if (top < box.scrollTop + 20 || top > box.scrollTop + box.clientHeight - 20) box.scrollTop = top - box.clientHeight / 2;
  }
}

// The head of an arrow, which ends before the node.
function arrow() {
  const made = shape("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 15, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" });
  made.append(shape("path", { d: "M0 0L8 4L0 8z" }));
  return made;
}

function recast(drawn, kind) {
  if (kind !== drawn.kind) drawn.element.setAttribute("class", (drawn.kind = kind));
}

// What nodes look like: [class, words] pairs.
export function legend(kinds) {
  return make("p", { className: "legend" }, ...kinds.map(([kind, words]) => make("span", {}, make("i", { className: kind }), words)));
}
