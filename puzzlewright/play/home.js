// The page of all puzzles: their pictures, their levels, and what was solved in this browser, by way of `score.js`.

import { game, get, post } from "./api.js";
import { at, count, make, title } from "./dom.js";
import { records, stars } from "./score.js";

const FAR = "600px"; // before a picture comes into sight it is asked for

let rows = [];
let seed = 0; // of what is drawn
let kept = {}; // best results by the names of games
const near = new IntersectionObserver(
  (seen) => seen.filter((each) => each.isIntersecting).forEach(({ target }) => {
    near.unobserve(target);
    show(target);
  }),
  { rootMargin: FAR },
);

// An address of a game, as it was before there was this page.
const isGame = () => game && location.hash.includes("puzzle=");
const toGame = () => location.replace(game + location.hash);

async function boot() {
  if (isGame()) return toGame();
  try {
    ({ puzzles: rows, seed = 0 } = await get("/api/gallery"));
  } catch (error) {
    return (at("sum").textContent = error.message);
  }
  draw(history.state?.open);
  if (history.state?.top) scrollTo(0, history.state.top);
}

// -- what was solved -------------------------------------------------------------------------------------------------

// The best result of a level as it stands in the file, counted as the page counts at first.
const best = (row, level) => kept[[row.name, level.name, seed, level.metric ?? row.metric].join("|")] ?? null;

const levelsOf = (row) => (row.levels.length ? row.levels : [row.alone ?? { name: "", about: "", known: null }]);
const solvable = (row) => levelsOf(row).filter((level) => level.known?.solvable !== false);

// The least cost: what the file says, what is proven of it, or what was proven when it was played.
function shortest(row, level, mine) {
  const metric = level.metric ?? row.metric;
  const known = level.known?.optimal;
  const cost = typeof known === "object" && known !== null ? known[metric] : metric === row.metric ? known : null;
  return level.best?.cost ?? (Number.isInteger(cost) ? cost : null) ?? mine?.shortest ?? null;
}

// -- cards -----------------------------------------------------------------------------------------------------------

// `open`: the puzzles whose levels are shown.
function draw(open = shown()) {
  kept = records();
  at("puzzles").replaceChildren(...rows.map(card));
  for (const each of at("puzzles").querySelectorAll("details")) each.open = open.includes(each.dataset.puzzle);
  near.disconnect();
  at("puzzles").querySelectorAll("img").forEach((image) => near.observe(image));
  sift();
}

const shown = () => [...at("puzzles").querySelectorAll("details[open]")].map((each) => each.dataset.puzzle);

function card(row) {
  const all = solvable(row);
  const done = all.filter((level) => best(row, level));
  const next = all.find((level) => !best(row, level)) ?? levelsOf(row)[0];
  const name = row.title || title(row.name);
  const image = make("img", { alt: "", width: 320, height: 240 });
  image.dataset.puzzle = row.name;
  const made = make("li", { className: "card" },
    make("a", { href: to(row, next), className: "picture", tabIndex: -1, "aria-hidden": "true" }, image),
    make("h2", {}, make("a", { href: to(row, next) }, name)),
    make("p", { className: "soft" }, row.about),
    ...(row.levels.length ? [progress(done.length, all.length), levels(row)] : [make("p", { className: "progress" }, mark(row, levelsOf(row)[0], done.length ? best(row, all[0]) : null))]));
  made.dataset.state = all.length && done.length === all.length ? "done" : done.length ? "begun" : "new";
  made.dataset.words = `${name} ${row.name} ${row.about}`.toLowerCase();
  return made;
}

function progress(done, all) {
  const words = !all ? "nothing to solve" : `${done === all ? "✓ " : ""}${done} of ${count(all, "level")} solved`;
  return make("p", { className: done && done === all ? "progress done" : "progress" }, make("progress", { max: all || 1, value: done, "aria-hidden": "true" }), words);
}

function levels(row) {
  const lost = row.levels.length - solvable(row).length;
  const list = make("details", {}, make("summary", {}, count(row.levels.length, "level") + (lost ? `, ${lost} without a solution` : "")));
  list.dataset.puzzle = row.name;
  list.addEventListener("toggle", () => list.children.length === 1 && list.append(make("ol", {}, ...row.levels.map((level) => line(row, level)))));
  return list;
}

function line(row, level) {
  const mine = best(row, level);
  const made = make("li", {}, make("a", { href: to(row, level) }, make("span", {}, level.title || level.name), ...(level.about ? [make("small", {}, level.about)] : [])), mark(row, level, mine));
  if (mine) made.className = "solved";
  return made;
}

// "✓ ★★☆ 25 of 22": solved, with these stars, in 25 where 22 are enough.
function mark(row, level, mine) {
  const least = shortest(row, level, mine);
  if (!mine) return make("span", { className: "mark" }, level.known?.solvable === false ? "no solution" : least === null ? "" : `shortest ${least}`);
  const got = stars(mine.score);
  const figures = least === null ? `yours ${mine.cost}` : `yours ${mine.cost}, shortest ${least}`;
  return make("span", { className: "mark" },
    make("span", { "aria-hidden": "true", className: "stars" }, `✓ ${"★".repeat(got)}${"☆".repeat(3 - got)}`),
    make("span", { className: "unseen" }, `solved, ${count(got, "star")}, `), figures);
}

function to(row, { name }) {
  return `${row.page ?? game}#${new URLSearchParams({ puzzle: row.name, ...(name ? { level: name } : {}), ...(seed ? { seed } : {}) })}`;
}

// -- pictures --------------------------------------------------------------------------------------------------------

const pictures = new Map(); // by the puzzle

// As an image, in which nothing runs, whatever the puzzle's words are.
async function show(image) {
  const { puzzle } = image.dataset;
  const row = rows.find((each) => each.name === puzzle);
  try {
    if (!pictures.has(puzzle)) pictures.set(puzzle, row.picture ?? (await post("/api/picture", { puzzle })).svg);
    image.src = `data:image/svg+xml,${encodeURIComponent(pictures.get(puzzle))}`;
  } catch {
    image.remove(); // the card does without
  }
}

// -- which are shown -------------------------------------------------------------------------------------------------

function sift() {
  const words = at("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const which = at("which").value;
  const cards = [...at("puzzles").children];
  for (const each of cards) {
    const { state, words: told } = each.dataset;
    const wanted = which === "all" || (which === "open" ? state !== "done" : which === "begun" ? state === "begun" : state === "done");
    each.hidden = !(wanted && words.every((word) => told.includes(word)));
  }
  const seen = cards.filter((each) => !each.hidden).length;
  at("none").hidden = seen > 0;
  const all = rows.flatMap((row) => solvable(row).map((level) => best(row, level)));
  at("sum").textContent = `${seen === rows.length ? count(seen, "puzzle") : `${seen} of ${count(rows.length, "puzzle")}`} · ${all.filter(Boolean).length} of ${count(all.length, "level")} solved`;
}

at("find").addEventListener("input", sift);
at("which").addEventListener("change", sift);
addEventListener("pagehide", () => history.replaceState({ top: scrollY, open: shown() }, "")); // for who comes back
addEventListener("pageshow", (event) => event.persisted && draw()); // back from a game, which may be solved now
addEventListener("storage", () => draw());
addEventListener("hashchange", () => isGame() && toGame());
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  at("puzzles").focus();
});
boot();
