// A plan as a page by itself: the board of each step, and the list of steps.

import { at, button, make } from "./dom.js";
import { Film } from "./film.js";

const NAMES = { slider: "slider", first: "first", back: "back", start: "play", forth: "forth", end: "last", speed: "speed" };

const data = JSON.parse(at("data").textContent);
const last = data.frames.length - 1;
const buttons = data.frames.map((_, step) => button(step ? data.labels[step - 1] : "start", () => film.jump(step)));
let film = null;

// Of each frame the numbers of its elements: frames have most of them in common. All of them are the tool's own SVG.
function draw(step) {
  const elements = data.frames[step].map((number) => data.elements[number]).join("");
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${data.box.join(" ")}" width="${data.box[2]}">${elements}</svg>`;
  at("board").replaceChildren(document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true));
}

function words(step) {
  const caption = data.captions[step] ? ` · ${data.captions[step]}` : "";
  return step ? `step ${step} of ${last}: ${data.labels[step - 1]}${caption}` : `start, ${last} step${last === 1 ? "" : "s"} to go${caption}`;
}

function show(step) {
  at("steps").querySelector("[aria-current]")?.removeAttribute("aria-current");
  buttons[step].setAttribute("aria-current", "step");
  follow(buttons[step]);
  draw(step);
  at("step").textContent = words(step);
  at("text").textContent = data.texts[step];
  if (film && !film.running) link(step); // not while it plays: browsers limit how often
  return words(step);
}

function link(step) {
  try {
    history.replaceState(null, "", `#${step}`);
  } catch {
    // a frame without an address of its own, as in a notebook
  }
}

// The list scrolls, the page does not.
function follow(element) {
  const list = at("steps").parentElement;
  const { top, bottom } = element.getBoundingClientRect();
  const room = list.getBoundingClientRect();
  if (top < room.top || bottom > room.bottom) list.scrollTop += (top + bottom - room.top - room.bottom) / 2;
}

function linked() {
  const step = /^#(\d+)$/.exec(location.hash);
  return step ? Number(step[1]) : 0;
}

at("steps").append(...buttons.map((each) => make("li", {}, each)));
film = new Film("step", last, at("step"), show, data.speed, data.fastest);
for (const [part, id] of Object.entries(NAMES)) film[part].id = id;
at("film").append(film.element);
document.addEventListener("keydown", (event) => !event.defaultPrevented && film.key(event));
addEventListener("hashchange", () => film.jump(linked()));
film.jump(linked());
