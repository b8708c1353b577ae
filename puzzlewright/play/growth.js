// How a search grows, event by event: its tree, and for each depth the states that are expanded and those that wait.

import { make } from "./dom.js";
import { ofEvents } from "./recording.js";
import { MOST, SearchTree } from "./search_tree.js";

export class Growth {
  // `look` is called with this and the node that is looked at, or null.
  constructor(name, told, look) {
    Object.assign(this, { name, told, look });
    this.recording = ofEvents(told.events);
    this.tree = new SearchTree(`the tree of ${name}`, this.recording, (node) => this.#looked(node));
    this.facts = make("p", { className: "facts", "aria-live": "polite" });
    this.figures = make("dl", { className: "figures" });
    this.layers = make("div", { className: "layers", role: "img" });
    this.most = this.recording.most;
    const rows = make("details", { open: true }, make("summary", {}, "By depth"), this.layers);
    this.element = make("div", { className: "growth" }, ...this.#drawn(), this.figures, rows);
  }

  #drawn() {
    const { tree, recording } = this;
    const made = recording.nodes.length.toLocaleString("en");
    if (!tree.fits) return [make("p", { className: "soft" }, `${made} nodes are more than ${MOST.toLocaleString("en")}: there are their layers, not the tree.`)];
    return [tree.board.box, make("label", { className: "zoom" }, "Zoom ", tree.board.zoom), this.facts];
  }

  get found() {
    return this.recording.goalAt >= 0;
  }

  // The values of the state that is looked at, else of that which the last event is about.
  get state() {
    const node = this.tree.board.seen ?? this.#about();
    return node?.board ?? null;
  }

  // Of the event, or of the last one before that is about a node.
  #about() {
    const { recording, time } = this;
    return recording.about(time) ?? recording.about(Math.max(0, time - 1));
  }

  show(time) {
    this.time = time;
    if (this.tree.fits) this.tree.show(time);
    this.facts.textContent = "";
    const now = this.recording.curve[time];
    const rows = [["expanded", now.expanded], ["frontier", now.open], ["generated", now.generated], ["depth", now.depth]];
    this.figures.replaceChildren(...rows.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value.toLocaleString("en")))));
    this.#rows(this.recording.rows(time));
  }

  #rows(rows) {
    this.layers.replaceChildren(...rows.map(([row, { expanded, open }]) => {
      const bar = make("div", { className: "bar" }, part("expanded", expanded / this.most), part("open", open / this.most));
      return make("div", { className: "layer" }, make("span", {}, called(row)), bar, make("span", {}, `${expanded} + ${open}`));
    }));
    this.layers.setAttribute("aria-label", rows.map(([row, { expanded, open }]) => `depth ${called(row)}: ${expanded} expanded, ${open} waiting`).join("; "));
  }

  #looked(node) {
    const facts = node ? this.recording.facts(node, this.time) : [];
    this.facts.textContent = node ? `node ${node.number}: ${facts.map((pair) => pair.join(" ")).join(", ")}` : "";
    this.look(this, node);
  }
}

// A row by its depth; those of a search from the goals are told apart.
const called = (row) => (row < 0 ? `←${-1 - row}` : String(row));

function part(name, share) {
  const made = make("i", { className: name, hidden: share === 0 });
  made.style.width = `${100 * share}%`;
  return made;
}
