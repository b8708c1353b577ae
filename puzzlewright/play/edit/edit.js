// The page of `edit`: the text, the board, and what is known of the text that stands there now.

import { get } from "../api.js";
import { at, button, count, make } from "../dom.js";
import { Asking } from "./asking.js";
import { Keeper } from "./keeping.js";
import { Painting } from "./paint.js";
import { Table, paid } from "./table.js";
import { Writing } from "./writing.js";

const table = new Table();
const writing = new Writing(at("writing"), changed);
const keeper = new Keeper(writing);
let revision = ""; // of the text that the answers are about
let optimal = null; // of the level that is shown, where it is proven
let plan = null;
let complained = ""; // the text that the complaints are about, also while a level is painted

function changed() {
  keeper.changed();
  ask();
}

// About the text, or about the level that is painted over it.
function ask(pause) {
  asking.changed(painting.open ? () => painting.painted() : writing.text, pause);
}

const painting = new Painting({
  text: () => writing.text,
  changed: ask,
  about: () => ({ revision, level: asking.level, optimal }),
  put(text, level) {
    asking.level = level;
    if (writing.text === text) ask(0);
    else writing.text = text;
  },
  back(level) {
    asking.level = level;
    ask(0);
  },
});

// -- what is known ---------------------------------------------------------------------------------------------------

const tell = {
  // The text has changed: no answer is about it yet.
  nothing() {
    revision = "";
    optimal = null;
    at("figures-line").textContent = "";
    document.body.classList.add("stale", "unread");
    verdict("…", "busy");
    at("levels-card").hidden = at("claims-card").hidden = true;
    if (painting.open && writing.text !== complained) complain([]);
  },

  read(told) {
    revision = told.revision;
    document.body.classList.remove("unread");
    writing.names = told.names.length || told.ready ? told.names : writing.known.names;
    if (!painting.open) complain(told.diagnostics);
    showLevels(told);
    painting.offer(told.maps, told.level, told.unpainted);
    const wrong = told.diagnostics.filter((each) => each.severity === "error").length;
    if (wrong) verdict(count(wrong, "mistake"), "bad");
    else if (told.says) verdict(told.says, "bad");
  },

  // What is painted is no level.
  refused() {
    document.body.classList.remove("unread");
    verdict("no level", "bad");
  },

  board() {
    document.body.classList.remove("stale");
    document.body.classList.add("played");
  },

  proving(seconds) {
    if (seconds < 10) verdict("proving…", "busy");
  },

  answer(told, level, last) {
    const [words, mood] = summary(told, table.session.info);
    verdict(words + (told.proven || last || mood ? "" : ", proving…"), mood, told.reasons);
    plan = told.plan ?? null;
    optimal = told.proven && Number.isSafeInteger(told.cost) && table.session.info.metrics.length === 1 ? told.cost : null;
    at("show-plan").hidden = !plan;
    mark(level, told, table.session.info);
  },

  level(name, told, info) {
    mark(name, told, info);
  },

  figures({ states, plans, dead_ends: dead }) {
    const number = (each) => (typeof each === "number" ? each.toLocaleString("en") : each);
    const known = [
      plans === null ? null : plans === 1 ? "1 best plan" : `${number(plans)} best plans`,
      dead === null ? null : dead === 1 ? "1 dead end" : `${number(dead)} dead ends`,
      states === null ? null : states === 1 ? "1 state" : `${number(states)} states`,
    ];
    at("figures-line").textContent = known.filter((each) => each !== null).join(" · ");
    at("figures-line").dataset.revision = revision;
  },

  claims(told) {
    const refuted = told.claims.filter((each) => each.status === "refuted" && each.line);
    const said = refuted.map((each) => ({ ...each, severity: "error", message: `claim refuted: ${each.name}`, hint: each.reason, code: "" }));
    if (!painting.open) complain([...told.diagnostics, ...said]);
    at("claims-card").hidden = !told.claims.length;
    at("claims").replaceChildren(...told.claims.map(claim));
    at("claims").dataset.revision = told.revision;
  },

  failed(error) {
    verdict(error.message, "bad");
  },
};

const asking = new Asking(tell, table);

// What a proof says of a level, and how it looks.
function summary(told, info) {
  if (told.answer === "no") return [told.reasons?.length ? "unsolvable, because" : "unsolvable, that is proven", "bad"];
  if (told.answer === "solved") return ["solved at the start", "proven"];
  if (told.proven) return [`proven shortest: ${paid(told.cost, info)}`, "proven"];
  if (told.cost !== undefined) return [`${paid(told.cost, info)} found, not proven shortest`, ""];
  return [told.says, ""];
}

function verdict(words, mood, reasons = []) {
  for (const each of [at("verdict"), at("verdict-below")]) {
    each.textContent = words;
    each.className = mood;
  }
  at("verdict").dataset.revision = revision;
  at("because").replaceChildren(...reasons.map((reason) => make("li", {}, reason)));
  at("because").hidden = !reasons.length;
  plan = null;
  at("show-plan").hidden = true;
}

// -- lists -----------------------------------------------------------------------------------------------------------

function complain(found) {
  complained = writing.text;
  writing.mark(found);
  at("problems").hidden = !found.length;
  at("problems").replaceChildren(...found.map(problem));
}

function problem(each) {
  const made = button("", () => each.line && goTo(each));
  made.append(make("span", { className: "where" }, each.line ? `line ${each.line}: ` : ""), make("span", { className: each.severity }, each.message));
  if (each.hint) made.append(make("span", { className: "hint" }, each.hint));
  return make("li", {}, made);
}

function claim(each) {
  const made = button("", () => each.line && goTo(each));
  made.append(make("b", { className: each.status }, each.status), ` ${each.name}: ${each.reason}`);
  return make("li", {}, made);
}

function goTo(place) {
  side("text");
  writing.goTo(place);
}

function showLevels({ levels, level }) {
  at("levels-card").hidden = !levels.length;
  at("levels").replaceChildren(...levels.map((each) => levelRow(each, each.name === level)));
}

function levelRow({ name, about }, chosen) {
  const made = button("", () => choose(name), { title: about });
  made.setAttribute("aria-pressed", String(chosen));
  made.dataset.level = name;
  made.append(make("span", {}, name), make("small", {}, ""));
  return make("li", {}, made);
}

function choose(name) {
  if (painting.open) painting.close();
  asking.level = name;
  ask(0);
}

function mark(name, told, info) {
  const row = [...at("levels").querySelectorAll("button")].find((each) => each.dataset.level === name);
  if (!row) return;
  const [words, mood] = summary(told, info);
  row.lastChild.textContent = words.replace(", because", "");
  row.lastChild.className = mood;
}

// -- the page --------------------------------------------------------------------------------------------------------

function side(name) {
  document.querySelector("main").dataset.side = name;
  for (const each of document.querySelectorAll("button[data-side]")) each.setAttribute("aria-pressed", String(each.dataset.side === name));
}

for (const each of document.querySelectorAll("button[data-side]")) each.addEventListener("click", () => side(each.dataset.side));
at("show-plan").addEventListener("click", () => plan && table.showPlan(plan));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  side("text");
  writing.view.focus();
});

async function boot() {
  try {
    writing.learn(await get("/api/words"));
    await keeper.open();
    changed();
    writing.view.focus();
  } catch (error) {
    verdict(error.message, "bad");
  }
}

addEventListener("beforeunload", (event) => painting.unsaved && event.preventDefault());

boot();
