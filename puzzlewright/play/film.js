// Something with steps that is watched: play, pause, one step on or back, both ends, a slider, a speed.

import { button, calm, icon, make, options } from "./dom.js";

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256];
const FASTEST = 32; // pictures a second: beyond that steps are left out
const FASTER = { "+": 1, "=": 1, "-": -1 };
const ICONS = { first: "M6 5v14M19 5 9 12l10 7z", back: "M15 5l-9 7 9 7", forth: "M9 5l9 7-9 7", last: "M18 5v14M5 5l10 7-10 7z" };

export class Film {
  // `show` is called with the number of each step that is to be seen, from 0 to `last`. The `words` that it writes are
  // read out, but not while the film runs. `most` is the fastest speed, without the one that leaves all out.
  constructor(name, last, words, show, speed = 2, most = null) {
    this.words = words;
    this.last = last;
    this.show = show;
    this.now = 0;
    this.timer = null;
    this.slider = make("input", { type: "range", min: 0, max: last, value: 0, "aria-label": name });
    this.slider.addEventListener("input", () => this.jump(Number(this.slider.value)));
    this.start = button("Play", () => this.toggle(), { className: "main", "aria-label": "play", title: "play or pause (space)" });
    this.first = step("first", "to the start", "Home", () => this.jump(0));
    this.back = step("back", "one step back", "←", () => this.jump(this.now - 1));
    this.forth = step("forth", "one step on", "→", () => this.jump(this.now + 1));
    this.end = step("last", "to the end", "End", () => this.jump(this.last));
    this.speed = speeds(speed, most);
    this.controls = make("div", { className: "controls" }, this.first, this.back, this.start, this.forth, this.end, make("label", {}, "Speed ", this.speed));
    this.element = make("div", { className: "film" }, this.slider, this.controls);
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.jump(0);
  }

  jump(step) {
    this.pause();
    this.#go(step);
  }

  #go(step) {
    this.now = Math.max(0, Math.min(this.last, step));
    this.slider.value = this.now;
    this.first.disabled = this.back.disabled = this.now === 0;
    this.forth.disabled = this.end.disabled = this.now === this.last;
    this.slider.setAttribute("aria-valuetext", this.show(this.now) ?? String(this.now));
  }

  toggle() {
    if (this.timer === null) this.play();
    else this.jump(this.now);
  }

  play() {
    if (this.now === this.last) this.#go(0);
    this.#runs(true);
    this.#wait();
  }

  #wait() {
    const speed = Number(this.speed.value);
    const stride = Math.max(1, Math.round(speed / FASTEST));
    this.timer = setTimeout(() => {
      if (this.now + stride >= this.last || !this.element.isConnected) return this.jump(this.now + stride);
      this.#go(this.now + stride);
      this.#wait();
    }, Number.isFinite(speed) ? (1000 * stride) / speed : 0);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.#runs(false);
  }

  get running() {
    return this.timer !== null;
  }

  // What runs is not read out step by step.
  #runs(running) {
    this.start.textContent = running ? "Pause" : "Play";
    this.start.setAttribute("aria-label", running ? "pause" : "play");
    this.words.setAttribute("aria-live", running ? "off" : "polite");
  }

  #faster(by) {
    this.speed.selectedIndex = Math.max(0, Math.min(this.speed.length - 1, this.speed.selectedIndex + by));
  }

  key(event) {
    const steps = { ArrowLeft: this.now - 1, ArrowRight: this.now + 1, Home: 0, End: this.last };
    if (event.target.tagName === "SELECT" || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in steps) this.jump(steps[event.key]);
    else if (event.key in FASTER) this.#faster(FASTER[event.key]);
    else if (event.key === " " && !/^(BUTTON|SUMMARY)$/.test(event.target.tagName)) this.toggle();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Begin by itself, unless motion is not wanted.
  begin() {
    if (!calm()) this.play();
  }
}

function step(name, words, key, go) {
  const made = button("", go, { className: "icon", "aria-label": words, title: `${words} (${key})` });
  made.append(icon(ICONS[name]));
  return made;
}

function speeds(wanted, most) {
  const select = make("select", {});
  const offered = SPEEDS.filter((each) => each <= (most ?? Math.max(16, 4 * wanted)));
  const chosen = offered.find((each) => each >= wanted) ?? offered.at(-1);
  options(select, [...offered.map((each) => [String(each), `${each} a second`]), ...(most ? [] : [["Infinity", "all at once"]])], String(chosen));
  return select;
}
