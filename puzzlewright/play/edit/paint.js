// Painting a level: its map with the letters that the file has for it. What is painted is one more level of the text, of
// which the server tells the same as of any other.

import { aborted } from "../api.js";
import { at, button, make } from "../dom.js";
import { Question } from "../question.js";

const TONES = 7; // colours of letters
const PROPOSING = 12; // seconds for a proposal
const GROUND = [" ", ".", "-", "_"]; // letters that need no colour of their own
const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Painting {
  // `changed` is called after each stroke; `text` gives the text that the level belongs to.
  constructor({ text, changed, put, about }) {
    Object.assign(this, { text, changed, put, about });
    this.question = new Question();
    this.open = false;
    this.maps = [];
    this.past = [];
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

  // The maps of the level that is shown, none where it has none.
  offer(maps, level) {
    if (this.open) return;
    [this.maps, this.level] = [maps, level];
    at("paint-open").hidden = !maps.length;
  }

  begin() {
    this.open = true;
    this.past = [];
    this.grids = this.maps.map((map) => map.rows);
    this.number = 0; // of the map that is painted
    this.letter = this.maps[0].letters[0];
    at("paint").hidden = false;
    at("paint-open").hidden = true;
    this.#show();
  }

  close() {
    this.open = false;
    this.question.drop();
    at("paint").hidden = true;
    this.changed();
  }

  // -- what is asked -------------------------------------------------------------------------------------------------

  // The whole text with the painted level: { text, level }, or { text: null, says }.
  async painted(optimal = null) {
    const maps = Object.fromEntries(this.maps.map(({ name }, number) => [name, this.grids[number]]));
    const body = { text: this.text(), level: this.level, maps, name: at("paint-name").value || "painted" };
    const told = await this.question.ask("/api/paint", optimal === null ? body : { ...body, optimal });
    this.says(told.says);
    return told;
  }

  says(words, mood = "bad") {
    at("paint-says").textContent = words;
    at("paint-says").className = mood;
    at("paint-save").disabled = words !== "" && mood === "bad";
  }

  async #save() {
    await this.#doing(async () => {
      const told = await this.painted(this.about().optimal);
      if (told.text === null) return;
      this.put(told.text, told.level);
      this.close();
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
    if (event.button !== 0) return;
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
    this.changed();
  }

  #paintAt(event) {
    const square = document.elementFromPoint(event.clientX, event.clientY)?.closest("#canvas [data-at]");
    if (square) this.#paint(...square.dataset.at.split(",").map(Number));
  }

  #paint(row, col) {
    const grid = this.grids[this.number];
    if (grid[row][col] === this.letter) return false;
    const rows = grid.map((each, number) => (number === row ? each.with(col, this.letter) : each));
    this.grids = this.grids.with(this.number, rows);
    this.#draw(this.#square(row, col), this.letter);
    return true;
  }

  #resize(rows, cols) {
    const grid = this.grids[this.number];
    if (grid.length + rows < 1 || grid[0].length + cols < 1) return;
    this.#remember();
    let made = rows < 0 ? grid.slice(0, -1) : rows > 0 ? [...grid, grid.at(-1).map(() => this.letter)] : grid;
    if (cols) made = made.map((row) => (cols < 0 ? row.slice(0, -1) : [...row, this.letter]));
    this.grids = this.grids.with(this.number, made);
    this.#show();
    this.changed();
  }

  #key(event) {
    const place = event.target.dataset.at?.split(",").map(Number);
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = WAYS[event.key];
    const letter = this.maps[this.number].letters.find((each) => String(each) === event.key);
    if (way) this.#square(place[0] + way[0], place[1] + way[1])?.focus();
    else if (letter !== undefined || event.key === "Enter") this.#press(place, letter ?? this.letter);
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
    at("palette").replaceChildren(...others, ...letters);
    this.#choose(this.letter);
    const grid = this.grids[this.number];
    at("canvas").style.setProperty("--columns", grid[0].length);
    at("canvas").replaceChildren(...grid.map((row, y) => make("div", { role: "row" }, ...row.map((letter, x) => this.#cell(letter, y, x)))));
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

  #draw(square, letter) {
    square.textContent = letter;
    const [row, col] = square.dataset.at.split(",").map((each) => Number(each) + 1);
    square.setAttribute("aria-label", `row ${row}, column ${col}: ${letter === " " ? "blank" : letter}`);
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
