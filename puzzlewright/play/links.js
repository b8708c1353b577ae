// Positions as links: the moves that lead to them, in words that can be read and stay short: `slide:0.1:up;slide:1.1:left`.
//
// What must be true: words are looked up among the actions and values of the level that is open, and whoever makes all
// moves makes these too, so that a link leads only where moves can, whatever it says.

export const MOST = 2000; // moves of a link

// The moves as text; "" where there are none, null where they are too many.
export function written(moves, actions) {
  if (moves.length > MOST) return null;
  return moves.map((move) => step(move, actions.find(({ name }) => name === move.action))).join(";");
}

function step({ action, args }, { params }) {
  const words = params.map((parameter) => [args[parameter.name]].flat(parameter.array ? 1 : 0).map((value) => named(parameter, value)).join(","));
  return [encodeURIComponent(action), ...words].join(":");
}

// The steps that the text names; null where it names none of this level.
export function read(text, actions) {
  const steps = text === "" ? [] : text.split(";");
  if (steps.length > MOST) return null;
  try {
    return steps.map((each) => meant(each.split(":"), actions));
  } catch (error) {
    if (error instanceof URIError || error instanceof Unknown) return null;
    throw error;
  }
}

class Unknown extends Error {}

function meant([first, ...words], actions) {
  const name = decodeURIComponent(first);
  const action = actions.find((each) => each.name === name);
  if (action?.params.length !== words.length) throw new Unknown();
  const args = action.params.map((parameter, place) => [parameter.name, argument(parameter, words[place])]);
  return { action: name, args: Object.fromEntries(args) };
}

function argument(parameter, text) {
  if (!parameter.array) return valueOf(parameter, text);
  const words = parameter.array.length ? text.split(",") : [];
  if (words.length !== parameter.array.length) throw new Unknown();
  return words.map((word) => valueOf(parameter, word));
}

// -- values by their words: one that has none of its own is called by its place ------------------------------------------

const word = (value) => encodeURIComponent(Array.isArray(value) ? value.flat(Infinity).join(".") : String(value));
const places = new WeakMap(); // of a parameter: word -> place, -1 where several have it

function placesOf(parameter) {
  if (!places.has(parameter)) {
    const found = new Map();
    parameter.values.map(word).forEach((each, place) => found.set(each, found.has(each) || each.startsWith("~") ? -1 : place));
    places.set(parameter, found);
  }
  return places.get(parameter);
}

function named(parameter, value) {
  if (placesOf(parameter).get(word(value)) >= 0) return word(value);
  const told = JSON.stringify(value);
  return `~${parameter.values.findIndex((each) => JSON.stringify(each) === told)}`;
}

function valueOf(parameter, text) {
  const place = /^~\d+$/.test(text) ? Number(text.slice(1)) : (placesOf(parameter).get(text) ?? -1);
  if (!(place in parameter.values)) throw new Unknown();
  return parameter.values[place];
}
