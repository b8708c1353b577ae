// Something with steps that is watched: play, pause, one step on or back, a slider, a speed.

import { button, calm, make, options } from "./dom.js";

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256];
const FASTEST = 32; // pictures a second: beyond that steps are left out

export class Film {
  // `show` is called with the number of each step that is to be seen, from 0 to `last`. The `words` that it writes are
  // read out, but not while the film runs.
  constructor(name, last, words, show, speed = 2) {
    this.words = words;
    this.last = last;
    this.show = show;
    this.now = 0;
    this.timer = null;
    this.slider = make("input", { type: "range", min: 0, max: last, value: 0, "aria-label": name });
    this.slider.addEventListener("input", () => this.jump(Number(this.slider.value)));
    this.start = button("Play", () => (this.timer === null ? this.play() : this.pause()), { className: "main" });
    this.back = button("‹", () => this.jump(this.now - 1), { "aria-label": "one step back", title: "one step back (←)" });
    this.forth = button("›", () => this.jump(this.now + 1), { "aria-label": "one step on", title: "one step on (→)" });
    this.speed = make("select", {});
    const offered = SPEEDS.filter((each) => each <= 16 || each < 4 * speed);
    const chosen = offered.find((each) => each >= speed) ?? offered.at(-1);
    options(this.speed, [...offered.map((each) => [String(each), `${each} a second`]), ["Infinity", "all at once"]], String(chosen));
    const controls = make("div", { className: "controls" }, this.back, this.start, this.forth, make("label", {}, "Speed ", this.speed));
    this.element = make("div", { className: "film" }, this.slider, controls);
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
    this.back.disabled = this.now === 0;
    this.forth.disabled = this.now === this.last;
    this.slider.setAttribute("aria-valuetext", this.show(this.now) ?? String(this.now));
  }

  play() {
    if (this.now === this.last) this.#go(0);
    this.start.textContent = "Pause";
    this.words.setAttribute("aria-live", "off");
    this.#wait();
  }

  #wait() {
    const speed = Number(this.speed.value);
    const stride = Math.max(1, Math.round(speed / FASTEST));
    this.timer = setTimeout(() => {
      this.#go(this.now + stride);
      if (this.now === this.last || !this.element.isConnected) this.pause();
      else this.#wait();
    }, Number.isFinite(speed) ? (1000 * stride) / speed : 0);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.start.textContent = "Play";
    this.words.setAttribute("aria-live", "polite");
  }

  key(event) {
    const steps = { ArrowLeft: this.now - 1, ArrowRight: this.now + 1, Home: 0, End: this.last };
    if (event.target.tagName === "SELECT") return;
    if (event.key in steps) this.jump(steps[event.key]);
    else if (event.key === " " && event.target.tagName !== "BUTTON") this.start.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Begin by itself, unless motion is not wanted.
  begin() {
    if (!calm()) this.play();
  }
}
