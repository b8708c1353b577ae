// The page of `play`: which puzzle, which mode, the figures, and the keys that hold everywhere.

import { aborted, get } from "./api.js";
import { at, button, count, make, options, say, time, title } from "./dom.js";
import { Hints } from "./hints.js";
import { read, written } from "./links.js";
import { asText } from "./moves.js";
import { Player } from "./player.js";
import { record, RULE, stars, terms } from "./score.js";
import { Session } from "./session.js";

const PROOF = 2; // seconds for proving how short a solution can be
const HIDDEN = "puzzlewright:clock";

const session = new Session(changed);
const player = new Player(session);
const hints = new Hints(session, player);
const wings = new Map(); // modes besides playing: by name, what has the panel
let rows = []; // the puzzles that can be played
let usual = 0; // the seed of addresses that name none
let mode = "play";

const wing = () => wings.get(mode);
const playing = () => mode === "play" || wing()?.plays;
const all = (work) => [...wings.values()].forEach(work);

// Open the page, with these modes besides playing: [name, (session, player, setMode) => its wing].
export function start(...modes) {
  for (const [name, made] of modes) wings.set(name, made(session, player, setMode));
  document.querySelector("nav").hidden = !wings.size;
  boot();
}

// -- which puzzle ----------------------------------------------------------------------------------------------------

async function boot() {
  try {
    const told = await get("/api/puzzles");
    rows = told.puzzles;
    showHome(told.home);
    const wanted = new URLSearchParams(location.hash.slice(1));
    const row = rows.find((each) => each.name === wanted.get("puzzle")) ?? rows.find((each) => each.name === told.default) ?? rows[0];
    options(at("puzzle"), rows.map((each) => [each.name, each.title]), row.name);
    at("puzzle").parentElement.hidden = rows.length < 2;
    document.body.classList.toggle("alone", rows.length < 2);
    usual = told.seed ?? 0;
    const seed = Number(wanted.get("seed") ?? usual);
    const level = wanted.get("level") ?? (row.name === told.default ? told.level : null);
    await choose(row.name, level, Number.isInteger(seed) ? seed : 0, wanted.get("metric"), { moves: MOVES.exec(location.hash)?.[1] ?? "", ...history.state });
  } catch (error) {
    if (!aborted(error)) failed(error);
  }
}

function failed(error) {
  if (aborted(error)) return;
  at("about").textContent = session.info ? at("about").textContent : "";
  say(error.message, "bad");
}

// `from`: the moves to begin with, as a link has them, and what is known of them if they were made here.
async function choose(puzzle, level, seed = 0, metric = null, from = {}) {
  const row = rows.find((each) => each.name === puzzle);
  document.body.classList.add("loading");
  hints.stop();
  try {
    await session.open({ puzzle, level, seed, metric });
  } catch (error) {
    return failed(error);
  } finally {
    document.body.classList.remove("loading");
  }
  const { info, game } = session;
  at("puzzle").value = puzzle;
  options(at("level"), levels(row, game.level, info.level_title), game.level ?? "");
  at("level").parentElement.hidden = row.levels.length === 0;
  options(at("metric"), info.metrics.map((name) => [name, name]), info.metric);
  at("metric-choice").hidden = info.metrics.length < 2;
  at("draw").hidden = !row.drawn || Boolean(row.levels.find((level) => level.name === game.level)?.known);
  at("title").textContent = info.title;
  at("about").textContent = info.about;
  at("rules").textContent = info.rules;
  document.title = `${info.title} · Puzzlewright`;
  if (from.moves) await session.then(() => follow(from));
  addressed = session.number;
  address.write();
  wing()?.enter();
  scrollTo(0, 0);
  prove();
}

// The way to the page of all puzzles, where there is one.
function showHome(home) {
  if (!home) return;
  at("home").href = home;
  at("home").setAttribute("aria-label", "All puzzles");
  at("home").lastChild.textContent = "All puzzles";
}

function levels(row, chosen, called) {
  const known = row.levels.map((level) => [level.name, level.about ? `${level.title}: ${level.about}`.slice(0, 60) : level.title]);
  return chosen === null || known.some(([name]) => name === chosen) ? [...(chosen === null ? [["", "as in the file"]] : []), ...known] : [[chosen, called], ...known];
}

// -- the address: a link to the position -----------------------------------------------------------------------------

const MOVES = /[#&]moves=([^&]*)/; // as they are written, before anything is decoded
const PAUSE = 200; // milliseconds between two writings, of which browsers allow some hundred in half a minute
let addressed = -1; // the number of the game that the address is about

async function follow({ moves, ...mine }) {
  const steps = read(moves, session.info.actions);
  if (steps === null) return say("The moves of this link are none of this level.", "bad");
  const own = "given" in mine; // the file may have changed since
  const made = await session.follow(steps, own ? mine : null);
  if (made < steps.length) say(`Of ${own ? "your" : "the"} ${count(steps.length, "move")}${own ? "" : " of this link"} only ${made} can be made here.`, "bad");
}

function positionHash() {
  const { game, info, past, place, edited, result } = session;
  const { puzzle, level, seed, metric } = game;
  const params = new URLSearchParams({ puzzle, ...(level ? { level } : {}), ...(seed || usual ? { seed } : {}), ...(metric === info.metrics[0] ? {} : { metric }) });
  const moves = edited || result ? "" : written(past.slice(1, place + 1).map(({ move }) => move), info.actions);
  return `#${params}${moves ? `&moves=${moves}` : ""}`;
}

// What the link cannot tell is kept beside it, for who comes back here: which moves are the player's own. A game that is
// won is over: who comes back begins anew.
const address = {
  waits: null,
  write() {
    clearTimeout(this.waits);
    this.waits = null;
    if (addressed !== session.number) return;
    const { given, hints, clock, result } = session;
    history.replaceState(result ? null : { given, hints, seconds: Math.floor(clock.seconds) }, "", positionHash());
  },
  soon() {
    this.waits ??= setTimeout(() => this.write(), PAUSE);
  },
};
addEventListener("pagehide", () => address.write());

async function copyLink() {
  address.write();
  const link = new URL(location.href);
  link.search = ""; // a token is not for everybody
  const whole = !session.place || location.hash.includes("&moves=");
  try {
    await navigator.clipboard.writeText(link.href);
    say(`The link to this ${whole ? "position" : "level"} is copied.`);
  } catch {
    say("The address of this page is the link to this position.");
  }
}

// The shortest solution, proven in the background.
async function prove() {
  const opened = session.number;
  await new Promise((later) => setTimeout(later, 500)); // not for levels that are only passed through
  if (opened !== session.number || session.info.solvable === false) return;
  try {
    await session.prove(PROOF);
    figures();
  } catch (error) {
    if (!aborted(error)) figures(); // the game goes on without it
  }
}

// -- showing ---------------------------------------------------------------------------------------------------------

let shownGame = 0;

function changed(move) {
  if (shownGame !== session.number) {
    shownGame = session.number;
    player.opened();
    all((each) => each.opened?.());
    at("rule").textContent = RULE;
  }
  say("");
  hints.clear();
  all((each) => each.clear?.());
  player.show(move);
  all((each) => each.shown?.());
  hints.update();
  at("board-text").textContent = asText(session.now.board);
  at("board").setAttribute("aria-label", `board: ${session.now.board.caption || session.info.title}`);
  listMoves();
  at("undo").disabled = session.place === 0;
  at("redo").disabled = session.place === session.past.length - 1;
  at("restart").disabled = !session.started;
  at("link").disabled = session.edited;
  won();
  figures();
  if (session.result) address.write();
  else address.soon();
}

function listMoves() {
  const { moves, complete } = session.now.moves;
  const press = (move) => button(move.label, () => session.then(() => player.play(move)));
  const made = (move) => {
    const element = press(move);
    element.dataset.step = JSON.stringify([move.action, move.args]);
    return element;
  };
  const focused = at("moves").contains(document.activeElement);
  at("moves").replaceChildren(...moves.map((move) => make("li", {}, made(move))));
  at("moves-count").textContent = complete ? moves.length : "too many to list";
  if (focused) at("moves").querySelector("button")?.focus();
  const unseen = session.now.board.spots.length ? moves.filter((move) => !move.changed.length) : moves;
  const shown = unseen.length <= 24 && !session.now.goal && !player.joint ? unseen : [];
  at("chips").replaceChildren(...shown.map(press));
  at("chips").hidden = !shown.length;
}

function figures() {
  const { info, best } = session;
  at("cost-name").textContent = info.metric === "cost" ? (info.unit_cost ? "Moves" : "Cost") : title(info.metric);
  at("cost").textContent = exactly(session.cost);
  at("shortest").replaceChildren(...shortest(best, info));
  const kept = session.edited ? null : record(session.name);
  at("record").textContent = kept ? `${kept.score === null ? exactly(kept.cost) : `${kept.score} ${"★".repeat(stars(kept.score))}`}` : "–";
  at("record").title = kept ? `${exactly(kept.cost)} in ${time(kept.seconds)}` : "";
  showClock();
}

function shortest(best, info) {
  if (best?.unsolvable) return ["none", make("small", {}, "proven")];
  if (info.solvable === false && !session.edited) return ["none", make("small", {}, "known")];
  if (!best) return ["–", make("small", {}, session.edited ? "edited" : "not known")];
  return [String(exactly(best.cost)), make("small", {}, best.proven ? "proven" : "known")];
}

function showClock() {
  const hidden = at("clock-toggle").getAttribute("aria-pressed") === "false";
  at("clock").textContent = hidden ? "hidden" : time(session.clock.seconds);
}

function won() {
  const { result } = session;
  at("won").hidden = !result;
  at("stage").classList.toggle("solved", session.now.goal);
  if (!result) {
    if (session.now.goal) say("This position is solved.");
    return;
  }
  const got = stars(result.score);
  const words = `Solved in ${solvedIn(result.cost)}`;
  at("won-stars").textContent = session.edited || session.given ? "" : "★".repeat(got) + "☆".repeat(3 - got);
  at("won-title").textContent = words;
  at("won-text").textContent = wonText(result);
  at("won-next").hidden = nextLevel() === null;
  say(`${words}. ${at("won-text").textContent}`, "unseen");
}

// "the fewest possible 8 moves", and of one alone "1 move, the fewest possible".
function solvedIn(cost) {
  const [few, paid] = [fewest(cost), amount(cost)];
  return few === "" ? paid : cost === 1 ? `${paid}, ${few}` : `${few} ${paid}`;
}

// Two costs above 2^53 may be one number here, though they differ.
const fewest = (cost) => (cost !== session.best?.cost || !Number.isSafeInteger(cost) ? "" : session.best.proven ? "the fewest possible" : "the fewest known");

// Beyond 2^53 JavaScript has not all numbers.
const exactly = (cost) => (Number.isSafeInteger(cost) ? cost : "above 2^53");

function amount(cost) {
  const { metric, unit_cost: each } = session.info;
  if (!Number.isSafeInteger(cost)) return `a cost ${exactly(cost)}`;
  if (metric !== "cost") return `${cost} ${cost === 1 ? metric.replace(/(?<=[cs]h)es$|s$/, "") : metric}`;
  return each ? count(cost, "move") : `${count(cost, "point")} of cost`;
}

function wonText(result) {
  if (session.edited) return `In ${time(result.seconds)}. An edited start has no score.`;
  if (session.given) return `In ${time(result.seconds)}. ${session.given === 1 ? "The first move" : `The first ${session.given} moves`} came with the link, so there is no score.`;
  if (session.hints.plan) return "The solution was shown, so there is no score.";
  if (result.score === null) return `In ${time(result.seconds)}. The shortest solution is not known, so there is no score.`;
  return `Score ${result.score} = ${terms(session.best.cost, result.cost, result.seconds, session.hints)}${result.record ? ". Your best so far." : "."}`;
}

function nextLevel() {
  const names = rows.find((row) => row.name === session.game.puzzle).levels.map((level) => level.name);
  const place = names.indexOf(session.game.level);
  return place >= 0 && place + 1 < names.length ? names[place + 1] : null;
}

// -- modes -----------------------------------------------------------------------------------------------------------

function setMode(wanted) {
  wing()?.leave();
  hints.stop();
  mode = wanted;
  document.querySelector("main").dataset.mode = mode;
  for (const each of document.querySelectorAll("button[data-mode]")) each.setAttribute("aria-pressed", String(each.dataset.mode === mode));
  for (const panel of at("side").children) panel.hidden = panel.id !== `${mode}-panel`;
  if (!session.info) return;
  say("");
  player.show(null);
  wing()?.shown?.();
  wing()?.enter();
  if (mode === "play" && session.best === null && !session.started) prove();
}

function help() {
  const directed = session.info && player.directed;
  at("help-arrows").textContent = directed
    ? "move: what can go that way, or what was taken"
    : "move the cursor over the board; Enter or Space takes and puts down";
  at("help-letters").textContent = directed ? "takes the thing that bears it" : "goes to the thing that bears it; below stacks: chooses the stack";
  for (const row of document.querySelectorAll(".directed")) row.hidden = !directed;
  at("help").showModal();
}

// -- keys and buttons ------------------------------------------------------------------------------------------------

const back = (go) => session.then(() => {
  say(""); // also where there is nothing to undo: what was refused is over
  go();
});
const undo = () => back(() => session.undo());
const redo = () => back(() => session.redo());
const restart = () => back(() => session.restart());
const toBoard = () => at("board").focus();
const toMoves = () => {
  at("moves-card").open = true;
  at("moves").querySelector("button")?.focus();
};
const KEYS = { u: undo, z: undo, Backspace: undo, y: redo, r: restart, h: () => hints.ask("next"), m: toMoves, b: toBoard };

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (at("help").open || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || event.altKey || event.metaKey) return;
  if (key !== "Tab") hints.stop();
  if (key === "?") return help();
  if (wing()?.key) return wing().key(event);
  if (!playing() || !session.info) return;
  if (event.ctrlKey && !"zy".includes(key.toLowerCase())) return;
  const act = event.ctrlKey && event.shiftKey ? redo : KEYS[key.length === 1 ? key.toLowerCase() : key];
  if (!act && key.startsWith("Arrow") && !event.ctrlKey && !at("board").contains(target)) return player.arrow(event);
  if (!act) return;
  event.preventDefault();
  act();
});
document.addEventListener("pointerdown", () => hints.stop());

at("puzzle").addEventListener("change", () => choose(at("puzzle").value, null));
at("level").addEventListener("change", () => choose(at("puzzle").value, at("level").value || null, session.game.seed));
at("metric").addEventListener("change", () => choose(session.game.puzzle, session.game.level, session.game.seed, at("metric").value));
at("draw").addEventListener("click", () => choose(session.game.puzzle, session.game.level, 1 + Math.floor(Math.random() * 1e6)));
at("undo").addEventListener("click", undo);
at("redo").addEventListener("click", redo);
at("restart").addEventListener("click", restart);
at("won-again").addEventListener("click", restart);
at("link").addEventListener("click", () => session.then(copyLink));
at("won-next").addEventListener("click", () => choose(session.game.puzzle, nextLevel()));
at("help-open").addEventListener("click", help);
for (const each of document.querySelectorAll("button[data-mode]")) each.addEventListener("click", () => setMode(each.dataset.mode));
addEventListener("hashchange", () => location.hash.includes("puzzle=") && boot());
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  toBoard();
});

const setClock = (shown) => {
  at("clock-toggle").setAttribute("aria-pressed", String(shown));
  try {
    localStorage.setItem(HIDDEN, shown ? "shown" : "hidden");
  } catch {
    // no storage: the choice holds for this page
  }
  showClock();
};
at("clock-toggle").addEventListener("click", () => setClock(at("clock-toggle").getAttribute("aria-pressed") === "false"));
try {
  if (localStorage.getItem(HIDDEN) === "hidden") at("clock-toggle").setAttribute("aria-pressed", "false");
} catch {
  // no storage
}
setInterval(() => session.clock.running && showClock(), 500);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) session.clock.stop();
  else if (session.info && session.place && !session.now.goal) session.clock.run();
});

session.failed = failed;
session.paid = () => address.soon();
