// Painting a level: its map with the letters that the file has for it. What is painted is one more level of the text, of
// which the server tells the same as of any other.

import { aborted } from "../api.js";
import { at, button, make } from "../dom.js";
import { Question } from "../question.js";

const TONES = 7; // colours of letters
const PROPOSING = 12; // seconds for a proposal
const END = null; // in place of a letter: the row ends there
const GROUND = [" ", ".", "-", "_"]; // letters that need no colour of their own
const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Painting {
  // `changed` is called after each stroke; `text` gives the text that the level belongs to; `put` puts another one in its
  // place, and shows a level of it; `back` shows a level again that is not painted any more.
  constructor({ text, changed, put, back, about }) {
    Object.assign(this, { text, changed, put, back, about });
    this.question = new Question();
    this.saving = new Question();
    this.open = false;
    this.maps = [];
    this.past = [];
    this.left = []; // what was painted and closed: { name, maps, grids, past } of a level
    const canvas = at("canvas");
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.stroke && this.#paintAt(event));
    addEventListener("pointerup", () => this.#up());
    addEventListener("pointercancel", () => this.#up());
    canvas.addEventListener("keydown", (event) => this.#key(event));
    at("paint").addEventListener("keydown", (event) => this.#undoKey(event));
    at("paint-open").addEventListener("click", () => this.begin());
    at("paint-close").addEventListener("click", () => this.close());
    at("paint-undo").addEventListener("click", () => this.undo());
    at("paint-save").addEventListener("click", () => this.#save());
    at("paint-name").addEventListener("input", () => this.changed());
    for (const each of document.querySelectorAll("[data-resize]")) each.addEventListener("click", () => this.#resize(...each.dataset.resize.split(",").map(Number)));
    for (const each of document.querySelectorAll("[data-want]")) each.addEventListener("click", () => this.#propose(each.dataset.want));
  }

  // The maps of the level that is shown; where it has none, `why`.
  offer(maps, level, why) {
    if (this.open) return;
    [this.maps, this.level] = [maps, level];
    at("paint-open").hidden = !maps.length;
    at("paint-why").textContent = why;
  }

  // With the level's maps, or as the painting of just these was left.
  begin() {
    const left = this.left.find(({ level, maps }) => level === this.level && maps === JSON.stringify(this.maps));
    this.open = true;
    this.past = left?.past ?? [];
    this.grids = left?.grids ?? this.maps.map((map) => map.rows);
    at("paint-undo").disabled = !this.past.length;
    this.number = 0; // of the map that is painted
    this.letter = this.maps[0].letters[0];
    this.#unfold(true);
    at("paint-open").hidden = true;
    this.#show();
    if (left) this.changed();
  }

  close() {
    const maps = JSON.stringify(this.maps);
    this.left = this.left.filter((each) => each.level !== this.level);
    if (this.past.length) this.left.push({ level: this.level, maps, grids: this.grids, past: this.past });
    this.#shut();
    this.back(this.level);
  }

  // Is there something that is in no text?
  get unsaved() {
    return this.open && this.past.length > 0;
  }

  #shut() {
    this.open = false;
    this.question.drop();
    this.saving.drop();
    this.#unfold(false);
  }

  // What comes and goes above the canvas has its room there always, so that the canvas stays where it is.
  #unfold(open) {
    at("paint").hidden = !open;
    document.body.classList.toggle("painting", open);
  }

  // -- what is asked -------------------------------------------------------------------------------------------------

  // The whole text with the painted level: { text, level }, or { text: null, says }.
  async painted(question = this.question, optimal = null) {
    const maps = Object.fromEntries(this.maps.map(({ name }, number) => [name, this.grids[number]]));
    const body = { text: this.text(), level: this.level, maps, name: at("paint-name").value || "painted" };
    const told = await question.ask("/api/paint", optimal === null ? body : { ...body, optimal });
    this.says(told.says);
    return told;
  }

  says(words, mood = "bad") {
    at("paint-says").textContent = words;
    at("paint-says").className = mood;
    at("paint-save").disabled = words !== "" && mood === "bad";
  }

  // Into the text as it stands when the answer is there: what is typed meanwhile stays.
  async #save() {
    await this.#doing(async () => {
      const [text, { grids }] = [this.text(), this];
      const told = await this.painted(this.saving, this.about().optimal);
      if (told.text === null) return;
      if (text !== this.text() || grids !== this.grids) return this.#save();
      this.left = this.left.filter((each) => each.level !== this.level);
      this.#shut();
      this.put(told.text, told.level);
    });
  }

  // A level by the server's own changes, from the one that is painted.
  async #propose(want) {
    const { revision, level } = this.about();
    if (!revision) return this.says("what is painted is not read yet");
    this.says("Looking for a level…", "busy");
    await this.#doing(async () => {
      const told = await this.question.ask("/api/design", { revision, level, want, seconds: PROPOSING, random: Math.floor(Math.random() * 1e6) });
      if (told.maps === null) return this.says(told.says, "soft");
      this.#remember();
      this.grids = this.maps.map(({ name }, number) => told.maps.find((each) => each.name === name)?.rows ?? this.grids[number]);
      this.#show();
      this.changed();
    });
  }

  async #doing(work) {
    try {
      await work();
    } catch (error) {
      if (!aborted(error)) this.says(error.message);
    }
  }

  // -- strokes -------------------------------------------------------------------------------------------------------

  #remember() {
    this.past.push(this.grids);
    at("paint-undo").disabled = false;
  }

  undo() {
    if (!this.past.length) return;
    this.grids = this.past.pop();
    at("paint-undo").disabled = !this.past.length;
    this.#show();
    this.changed();
  }

  #down(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    this.stroke = true;
    this.before = this.grids;
    this.#paintAt(event);
  }

  #up() {
    if (!this.stroke) return;
    this.stroke = false;
    if (this.grids === this.before) return;
    this.past.push(this.before);
    at("paint-undo").disabled = false;
    if (this.ragged) this.#show(); // the longest row may be another one
    this.changed();
  }

  #paintAt(event) {
    const square = document.elementFromPoint(event.clientX, event.clientY)?.closest("#canvas [data-at]");
    if (square) this.#paint(...square.dataset.at.split(",").map(Number));
  }

  #paint(row, col) {
    const grid = this.grids[this.number];
    const made = brushed(grid[row], col, this.letter);
    if (made.length === grid[row].length && made[col] === grid[row][col]) return false;
    this.grids = this.grids.with(this.number, grid.with(row, made));
    for (const square of at("canvas").children[row].children) this.#draw(square, made[square.dataset.at.split(",")[1]]);
    return true;
  }

  get ragged() {
    return this.maps[this.number].ragged;
  }

  #resize(rows, cols) {
    const grid = this.grids[this.number];
    if (grid.length + rows < 1 || (cols && grid[0].length + cols < 1)) return;
    this.#remember();
    const added = () => (this.ragged ? [] : grid.at(-1).map(() => this.letter));
    let made = rows < 0 ? grid.slice(0, -1) : rows > 0 ? [...grid, added()] : grid;
    if (cols) made = made.map((row) => (cols < 0 ? row.slice(0, -1) : [...row, this.letter]));
    this.grids = this.grids.with(this.number, made);
    this.#show();
    this.changed();
  }

  #key(event) {
    const place = event.target.dataset.at?.split(",").map(Number);
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = WAYS[event.key];
    const ends = this.ragged && ["Delete", "Backspace"].includes(event.key);
    const letter = ends ? END : this.maps[this.number].letters.find((each) => String(each) === event.key);
    if (way) this.#square(place[0] + way[0], place[1] + way[1])?.focus();
    else if (letter !== undefined || event.key === "Enter") this.#press(place, letter === undefined ? this.letter : letter);
    else return;
    event.preventDefault();
  }

  #undoKey(event) {
    if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.target.tagName === "INPUT") return;
    event.preventDefault();
    this.undo();
  }

  #press(place, letter) {
    this.#choose(letter);
    const before = this.grids;
    if (!this.#paint(...place)) return;
    this.past.push(before);
    at("paint-undo").disabled = false;
    if (this.ragged) this.#show();
    this.#square(...place)?.focus();
    this.changed();
  }

  // -- showing -------------------------------------------------------------------------------------------------------

  #square(row, col) {
    return at("canvas").querySelector(`[data-at="${row},${col}"]`);
  }

  #choose(letter) {
    this.letter = letter;
    for (const each of at("palette").querySelectorAll("[data-letter]")) each.setAttribute("aria-pressed", String(each.dataset.letter === JSON.stringify(letter)));
  }

  #show() {
    const map = this.maps[this.number];
    const letters = map.letters.map((letter) => {
      const made = button(letter === " " ? "␣" : String(letter), () => this.#choose(letter), { title: letter === " " ? "blank" : `letter ${letter}` });
      made.dataset.letter = JSON.stringify(letter);
      return this.#tone(made, letter);
    });
    const others = this.maps.length > 1 ? [this.#which()] : [];
    at("palette").replaceChildren(...others, ...letters, ...(this.ragged ? [this.#end()] : []));
    this.#choose(this.letter);
    for (const each of document.querySelectorAll('[data-resize^="0,"]')) each.hidden = this.ragged;
    const grid = this.grids[this.number];
    const wide = Math.max(...grid.map((row) => row.length)) + (this.ragged ? 1 : 0);
    at("canvas").style.setProperty("--columns", wide);
    at("canvas").replaceChildren(...grid.map((row, y) => make("div", { role: "row" }, ...Array.from({ length: wide }, (_, x) => this.#cell(row[x], y, x)))));
  }

  // Takes away the rest of a row.
  #end() {
    const made = button("✂", () => this.#choose(END), { title: "the row ends before this square", "aria-label": "the row ends here" });
    made.dataset.letter = JSON.stringify(END);
    return made;
  }

  // Which map is painted, where there are several.
  #which() {
    const select = make("select", { "aria-label": "which map" });
    select.append(...this.maps.map(({ name }, number) => make("option", { value: number, selected: number === this.number }, name)));
    select.addEventListener("change", () => {
      this.number = Number(select.value);
      this.letter = this.maps[this.number].letters[0];
      this.#show();
    });
    return select;
  }

  #cell(letter, row, col) {
    const made = make("div", { role: "gridcell", tabIndex: row + col ? -1 : 0 });
    made.dataset.at = `${row},${col}`;
    return this.#draw(made, letter);
  }

  // Without a letter there is no square yet: a row may get longer there.
  #draw(square, letter) {
    const there = letter !== undefined;
    square.textContent = there ? letter : "";
    square.classList.toggle("absent", !there);
    const [row, col] = square.dataset.at.split(",").map((each) => Number(each) + 1);
    square.setAttribute("aria-label", `row ${row}, column ${col}: ${there ? (letter === " " ? "blank" : letter) : "no square"}`);
    return this.#tone(square, letter);
  }

  #tone(element, letter) {
    const place = this.maps[this.number].letters.filter((each) => !GROUND.includes(each)).indexOf(letter);
    element.classList.add("toned");
    if (place < 0) delete element.dataset.tone;
    else element.dataset.tone = letter === "#" ? 0 : 1 + (place % (TONES - 1));
    return element;
  }
}

// A row with the letter there. It is filled up to there where it is shorter, and ends before that for END.
function brushed(row, col, letter) {
  if (letter === END) return row.slice(0, col);
  return Array.from({ length: Math.max(row.length, col + 1) }, (_, place) => (place < row.length && place !== col ? row[place] : letter));
}
