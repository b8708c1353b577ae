// A move that was meant and is none: which step may that have been? The server says why it cannot be made.
//
// A guess is a move that can be made, with other arguments: what names its own places names those that were meant.

import { WORDS, glyph, meant, names, same, stacked, way, wayBetween } from "./moves.js";

// The way that nothing goes, or not what is taken.
export function stepsAlong(direction, taken, position) {
  const { board, actions } = position;
  const models = taken?.moves.length ? taken.moves : position.moves;
  const still = taken && !taken.moves.length; // what is taken has no move: guess by another thing's
  const steps = oneOfEach(models.filter((move) => way(move, actions)))
    .map((move) => analogous(move, board, still ? move.leaves : [], taken?.places ?? [], direction, actions));
  return allowed(steps, actions);
}

// From what is taken to a place.
export function stepsTo(place, taken, { moves, board, actions }) {
  const model = taken.moves[0] ?? moves[0];
  if (!model) return [];
  const direction = stacked(board) || !way(model, actions) ? null : wayBetween(taken.places[0], place);
  const from = direction ? [] : model.enters.slice(0, 1).map((each) => column(board, each));
  return allowed([analogous(model, board, from, [column(board, place)], direction, actions)], actions);
}

// From a place where nothing can move.
export function stepsFrom(place, { moves, board, actions }) {
  const models = moves.filter((move) => move.leaves.length).slice(0, 3);
  const from = (move) => (stacked(board) ? [column(board, move.leaves[0])] : move.leaves);
  return allowed(models.map((move) => analogous(move, board, from(move), [column(board, place)], null, actions)), actions);
}

// Of a stack the first place, else the place.
const column = (board, place) => (stacked(board) ? meant(board, place)[0] : place);

const oneOfEach = (moves) => [...new Map(moves.map((move) => [move.action, move])).values()];

// A move like `move`, with what names one of the places `from` naming that of `to`, and the way another one.
function analogous(move, board, from, to, direction, actions) {
  const args = { ...move.args };
  const swaps = from.map((place, index) => [place, to[Math.min(index, to.length - 1)]]);
  for (const [name, argument] of Object.entries(args)) {
    const parameter = actions.find((action) => action.name === move.action).params.find((each) => each.name === name);
    if (direction && WORDS.includes(argument)) args[name] = direction;
    else args[name] = renamed(argument, board, swaps, parameter);
  }
  return { action: move.action, args };
}

function renamed(argument, board, swaps, parameter) {
  for (const [old, fresh] of swaps) {
    const [before, after] = [names(board, old), names(board, fresh)];
    const place = before.findIndex((each) => same(each, argument));
    if (place >= 0 && parameter.values.some((each) => same(each, after[place]))) return after[place];
  }
  for (const [old, fresh] of swaps) {
    const letter = parameter.values.find((each) => String(each) === glyph(board, fresh));
    if (String(argument) === glyph(board, old) && letter !== undefined) return letter;
  }
  return argument;
}

// Those whose values the action's parameters have.
function allowed(steps, actions) {
  const has = (step) => ({ name, values, array }) => array || values.some((each) => same(each, step.args[name]));
  return steps.filter((step) => actions.find((action) => action.name === step.action).params.every(has(step)));
}
