// What a page without a server is asked and answers itself; in place of the `api.js` of `play`.

import { Answers } from "./answers.js";
import { Game } from "./game.js";

const page = JSON.parse(document.getElementById("data").textContent);
const games = new Map(); // by level

export const aborted = (error) => error.name === "AbortError";

export async function get() {
  const levels = page.levels.map(({ name, title, about, known }) => ({ name, title, about, known }));
  return { puzzles: [{ name: page.name, title: page.title, about: page.about, levels: levels.filter(({ name }) => name), drawn: false }], default: page.name, home: page.home };
}

export async function post(path, body, signal) {
  const { game, answers } = await opened((body.game ?? body).level);
  signal?.throwIfAborted();
  if (path === "/api/game") return { ...game.about(page), ...game.shown(game.puzzle.start) };
  if (path === "/api/move") return game.made(body.state, game.step(body.action, body.args));
  return answers.hint({ ...body, step: body.action && game.step(body.action, body.args) }, signal);
}

async function opened(name) {
  const level = page.levels.find((each) => each.name === name) ?? page.levels[0];
  if (!games.has(level.name)) games.set(level.name, open(level));
  return games.get(level.name);
}

async function open(level) {
  const [lifted, code] = await Promise.all([unpacked(level.lifted), level.machine && unpacked(level.machine.code)]);
  const whole = { ...level, lifted: JSON.parse(new TextDecoder().decode(lifted)), machine: level.machine && { ...level.machine, code } };
  const game = new Game(whole, page.palette);
  return { game, answers: new Answers(game) };
}

// Deflated and written in base64.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
