// The score of a game, the clock, and the best results, which stay in this browser.

import { count } from "./dom.js";

const WHERE = "puzzlewright:best";
const PRICES = { solvable: 2, wrong: 2, next: 10 };
const SLOW = 10; // points that time can take at most

export const RULE =
  "100 × shortest ÷ yours, less 2 for each of the questions “still solvable?” and “was that wrong?”, 10 for each move shown, and 1 for each full minute (10 at most). " +
  "After the whole solution was shown there is no score. Undo is free: only the moves of the way to the goal count. Hints count until the level is opened anew. Three stars from 90 points on, two from 70 on.";

// `best` is the cost of the shortest solution, null where it is not known: then there is no score.
export function score(best, cost, seconds, hints) {
  if (best === null || hints.plan) return null;
  const length = cost === 0 ? 100 : Math.min(100, (100 * best) / cost);
  const paid = Object.entries(PRICES).reduce((sum, [degree, price]) => sum + price * (hints[degree] ?? 0), 0);
  return Math.max(0, Math.round(length - paid - Math.min(SLOW, Math.floor(seconds / 60))));
}

export const stars = (points) => (points === null ? 1 : points >= 90 ? 3 : points >= 70 ? 2 : 1);

export function terms(best, cost, seconds, hints) {
  const parts = [`100 × ${best} ÷ ${cost}`];
  const asked = (hints.solvable ?? 0) + (hints.wrong ?? 0);
  if (asked) parts.push(`− ${2 * asked} for ${count(asked, "question")}`);
  if (hints.next) parts.push(`− ${10 * hints.next} for ${count(hints.next, "move")} shown`);
  if (seconds >= 60) parts.push(`− ${Math.min(SLOW, Math.floor(seconds / 60))} for the time`);
  return parts.join(" ");
}

export function records() {
  try {
    return JSON.parse(localStorage.getItem(WHERE)) ?? {};
  } catch {
    return {}; // no storage, or not ours
  }
}

export const record = (game) => records()[game] ?? null;

// Keeps the better of this result and the one before; says whether it is this one.
export function keep(game, result) {
  const all = records();
  if (all[game] && !better(result, all[game])) return false;
  try {
    localStorage.setItem(WHERE, JSON.stringify({ ...all, [game]: result }));
  } catch {
    return false;
  }
  return true;
}

function better(one, other) {
  const order = (result) => [-(result.score ?? -1), result.cost, result.seconds];
  const [mine, theirs] = [order(one), order(other)];
  const place = mine.findIndex((figure, index) => figure !== theirs[index]);
  return place >= 0 && mine[place] < theirs[place];
}

// Runs from the first move to the goal, while the page can be seen.
export class Clock {
  #before = 0;
  #since = null;

  get seconds() {
    return (this.#before + (this.#since === null ? 0 : performance.now() - this.#since)) / 1000;
  }

  run() {
    this.#since ??= performance.now();
  }

  stop() {
    this.#before = 1000 * this.seconds;
    this.#since = null;
  }

  reset(seconds = 0) {
    this.#before = 1000 * seconds;
    this.#since = null;
  }

  get running() {
    return this.#since !== null;
  }
}
