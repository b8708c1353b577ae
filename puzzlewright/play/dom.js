// Small helpers for the document. Words of a puzzle become text nodes, never markup.

export const at = (id) => document.getElementById(id);

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export function button(words, press, properties = {}) {
  const made = make("button", { type: "button", ...properties }, words);
  made.addEventListener("click", press);
  return made;
}

export function options(select, rows, chosen) {
  select.replaceChildren(...rows.map(([value, words]) => make("option", { value, selected: value === chosen }, words)));
}

// Said in sight and to screen readers. The same words twice are said twice.
// `more` is for screen readers: it is seen elsewhere.
export function say(words, mood = "", more = "") {
  const message = at("message");
  const again = message.firstChild?.textContent === words && words !== "";
  message.className = mood;
  message.replaceChildren(again ? `${words}\u00a0` : words, ...(more ? [make("span", { className: "unseen" }, `. ${more}`)] : []));
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

export function picture(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.localName !== "svg") throw new Error("the picture of the board is damaged");
  const svg = document.importNode(root, true);
  fit(svg);
  return svg;
}

// Tell the style sheet how large the picture wants to be.
export function fit(svg) {
  const [, , wide, high] = svg.getAttribute("viewBox").split(" ").map(Number);
  svg.style.setProperty("--wide", `${wide}px`);
  svg.style.setProperty("--ratio", wide / high);
}

export const time = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;

// An element of a picture.
export function shape(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// A small drawing on a button, of lines.
export function icon(path) {
  const made = shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  made.append(shape("path", { d: path }));
  return made;
}

// A name as a title: words with blanks between them, "Water sort" and "N-puzzle".
export const title = (name) => (name ? name[0].toUpperCase() + name.replaceAll("_", " ").replace(/(?<!^\p{L})-/gu, " ").slice(1) : "");
