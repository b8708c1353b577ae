// The rules of a lifted puzzle, as `models/referee.py` has them: moves, refusals in the author's words, costs, the goal,
// labels. A state is an array with a value for each place, in the order of the file, and is never changed.

import { Evaluator, bindings, named, scope, some } from "./evaluator.js";
import { TooLarge, entries, isWhole, product, same, show } from "./values.js";

const UNTIL_REST = 10_000; // rounds of a phase that is repeated until nothing changes

export class Refusal extends Error {
  constructor(reason, line = null, words = "") {
    super(reason);
    Object.assign(this, { line, words });
  }
}

// There are more bindings of parameters than may be tried.
export class TooMany extends Error {}

export class Puzzle {
  constructor(lifted, write) {
    this.evaluator = new Evaluator(lifted, write);
    this.lifted = lifted;
    this.metrics = lifted.metrics;
    this.places = lifted.places; // what they are called
    this.start = lifted.start.map(this.evaluator.value);
    this.variables = new Map(lifted.variables.map((told) => [told.name, { ...told, type: this.evaluator.types[told.type] }]));
    this.actions = lifted.actions.map((told) => this.#action(told));
    [this.goal, this.always] = [lifted.goal, lifted.always].map((told) => told.map((each) => this.#condition(each)));
  }

  #condition(told) {
    return { ...told, node: told.expression, holds: this.evaluator.compile(told.expression) };
  }

  #action(told) {
    const of = this.evaluator;
    return {
      ...told,
      parameters: told.parameters.map((each) => new Parameter(each, of.types)),
      when: told.when.map((each) => this.#condition(each)),
      costs: told.costs.map(([metric, node]) => [metric, of.compile(node)]),
      phases: told.phases.map((phase) => ({ ...phase, lines: phase.lines.map((line) => this.#line(line)) })),
      label: told.label.length ? of.template(told.label) : null,
      hopeful: hopeful(told, of),
    };
  }

  #line(told) {
    const of = this.evaluator;
    return {
      ...told, value: of.compile(told.value), loops: of.loops(told.loops), condition: of.maybe(told.condition),
      indices: told.indices.map((node) => of.compile(node)), slots: of.slots.get(told.variable),
      type: this.variables.get(told.variable).type,
    };
  }

  // -- a step: { action, values }, where the values are those of the parameters, of an array a list ----------------------

  // The state that it leads to; Refusal where it is not applicable.
  apply(state, { action, values }) {
    try {
      return this.#applied(state, action, scopeOf(action, values, state));
    } catch (error) {
      if (error instanceof TooLarge) throw new Refusal(error.message, action.line);
      if (error instanceof Refusal) error.words ||= action.otherwise;
      throw error;
    }
  }

  #applied(state, action, at) {
    for (const each of action.when) this.#check(each, at, "`when` fails: ");
    paid(action, at);
    const now = action.phases.reduce((before, phase) => this.#phase(phase, at, before), state);
    for (const each of this.always) this.#check(each, scope(now), "`always` would fail: ");
    return now;
  }

  #check(condition, at, what) {
    if (condition.holds(at) === true) return;
    throw new Refusal(what + this.failing(condition, at), condition.line, condition.otherwise);
  }

  #phase(phase, at, state) {
    if (phase.stable) return this.#atRest(phase, at, state);
    let now = state;
    for (let round = 0; round < (phase.repeat ?? 1); round += 1) now = this.#round(phase, at, now);
    if (phase.repeat !== null && !alike(this.#round(phase, at, now), now)) {
      throw new Refusal(`the phase would go on after ${phase.repeat} rounds`, phase.lines[0].line);
    }
    return now;
  }

  #atRest(phase, at, state) {
    const seen = new Set();
    let now = state;
    while (!seen.has(nameOf(now)) && seen.size < UNTIL_REST) {
      seen.add(nameOf(now));
      const after = this.#round(phase, at, now);
      if (alike(after, now)) return now;
      now = after;
    }
    const long = `takes ${UNTIL_REST.toLocaleString("en")} rounds or more to be at rest`;
    const why = seen.has(nameOf(now)) ? "never comes to rest: it comes back to where it was" : long;
    throw new Refusal(`the phase ${why}`, phase.lines[0].line);
  }

  #round(phase, at, state) {
    const here = scope(state, at.parameters, at.old);
    const assigned = new Map();
    for (const line of phase.lines) {
      some(line.loops, here, (inner) => {
        if (!line.condition || line.condition(inner) === true) this.#assign(line, inner, assigned);
        return false;
      });
    }
    const after = [...state];
    for (const [place, value] of assigned) after[place] = value;
    return after;
  }

  #assign(line, at, assigned) {
    const place = line.slots.get(entries(line.indices.map((index) => index(at))));
    if (place === undefined) throw new Refusal(`\`${line.words}\`: the target is undefined`, line.line);
    const value = line.value(at);
    if (!line.type.has(value)) {
      const what = value === undefined ? "undefined" : `${show(value)}, no value of \`${line.type.name}\``;
      throw new Refusal(`\`${line.words}\`: the value of ${this.#called(place)} is ${what}`, line.line);
    }
    if (assigned.has(place) && !same(assigned.get(place), value)) {
      throw new Refusal(`${this.#called(place)} would become ${show(assigned.get(place))} and ${show(value)} at once`, line.line);
    }
    assigned.set(place, value);
  }

  // A state variable in a message.
  #called(place) {
    return (this.spelt ??= spelt(this))[place];
  }

  costs(state, { action, values }) {
    return new Map(paid(action, scopeOf(action, values, state)));
  }

  isGoal(state) {
    return this.goal.every(({ holds }) => holds(scope(state)) === true);
  }

  // The step in the author's words, or the action with its arguments.
  label(state, { action, values }) {
    if (action.label) return action.label(scopeOf(action, values, state));
    return [action.name, ...action.parameters.map((parameter, place) => parameter.word(values[place], this.evaluator.write))].join(" ");
  }

  // Every applicable step with the state that it leads to, in the order of the file; TooMany where more are tried.
  successors(state, most = Infinity) {
    const found = [];
    const left = { tries: most };
    for (const action of this.actions) {
      for (const values of bindingsOf(action, state, left)) {
        try {
          found.push({ step: { action, values }, after: this.apply(state, { action, values }) });
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      }
    }
    return found;
  }

  // The condition's words, and the values that make it false.
  failing({ node, words }, at) {
    const of = this.evaluator;
    const names = [];
    for (;;) {
      const [kind, ...parts] = node;
      if (kind === "all") node = parts[0].find((part) => of.compile(part)(at) !== true);
      else if (kind === "quantifier" && parts[0] === "all") {
        const element = of.compile(parts[1]);
        at = bindings(of.loops(parts[2]), at).find((inner) => element(inner) !== true);
        for (const [name] of parts[2]) names.push(`${name} = ${show(at.locals[`$${name}`])}`);
        node = parts[1];
      } else break;
    }
    const [kind, left, right] = node;
    if (kind === "equal" || kind === "order") names.push([left, right].map((side) => show(of.compile(side)(at))).join(" against "));
    return words + (names.length ? ` (${names.join(", ")})` : "");
  }
}

function paid(action, at) {
  return action.costs.map(([metric, cost]) => {
    const value = cost(at);
    if (!isWhole(value) || value < 0) throw new Refusal(`the cost is ${show(value)}`, action.line);
    if (typeof value === "bigint") throw new Refusal(`a cost of ${value} is too large for this page`, action.line);
    return [metric, value];
  });
}

export const alike = (one, other) => one.every((value, place) => same(value, other[place]));
export const nameOf = (state) => entries(["", ...state]);

function spelt({ lifted, evaluator }) {
  return lifted.variables.flatMap(({ name, indices }) =>
    product(indices.map((number) => evaluator.types[number].values)).map((values) => (values.length ? `${name}[${values.map(show).join(", ")}]` : name)),
  );
}

// -- parameters --------------------------------------------------------------------------------------------------------

class Parameter {
  constructor(told, types) {
    Object.assign(this, { name: told.name, type: types[told.type] });
    this.indices = told.array && product(told.array.map((number) => types[number].values)); // of an array, its elements'
    this.keys = this.indices?.map(entries);
    this.elements = this.indices?.map((values) => values.map(show).join(", "));
  }

  // What it can be, one after the other.
  *values(from = 0) {
    if (!this.keys) yield* this.type.values;
    else if (from === this.keys.length) yield [];
    else for (const value of this.type.values) for (const rest of this.values(from + 1)) yield [value, ...rest];
  }

  bound(value) {
    return this.keys ? new Map(this.keys.map((key, place) => [key, value[place]])) : value;
  }

  word(value, write) {
    const word = (each) => write(each, this.type.word(each));
    return this.keys ? `[${value.map(word).join(", ")}]` : word(value);
  }
}

function scopeOf({ parameters }, values, state) {
  return scope(state, named(values.map((value, place) => [parameters[place].name, parameters[place].bound(value)])));
}

// The values of the parameters that `when` may let pass: a part of it that fails for those bound so far spares the rest.
function* bindingsOf(action, state, left, values = []) {
  left.tries -= 1;
  if (left.tries < 0) throw new TooMany();
  const at = scopeOf(action, values, state);
  if (!passes(action.hopeful[values.length], at)) return;
  const parameter = action.parameters[values.length];
  if (!parameter) yield values;
  else for (const value of parameter.values()) yield* bindingsOf(action, state, left, [...values, value]);
}

function passes(parts, at) {
  try {
    return parts.every((part) => part(at) === true);
  } catch (error) {
    if (error instanceof TooLarge) return false;
    throw error;
  }
}

// The parts of `when` that name the first n parameters at most, and not fewer: for n = 0, 1, 2, ...
function hopeful({ parameters, when }, of) {
  const names = parameters.map((parameter) => parameter.name);
  const found = [[], ...names.map(() => [])];
  for (const part of when.flatMap(({ expression }) => conjuncts(expression))) {
    const mentioned = mentions(part, of);
    found[1 + names.findLastIndex((name) => mentioned.has(name))].push(of.compile(part));
  }
  return found;
}

const conjuncts = (node) => (node[0] === "all" ? node[1].flatMap(conjuncts) : [node]);

// The names in an expression, and in the definitions that it uses.
function mentions(node, of, found = new Set(), seen = new Set()) {
  if (!Array.isArray(node)) return found;
  const [kind, first] = node;
  if (kind === "local" || kind === "element") found.add(first);
  if (kind === "apply" && typeof first === "number" && !seen.has(first)) {
    seen.add(first);
    mentions(of.functions[first].body, of, found, seen);
  }
  for (const part of node) mentions(part, of, found, seen);
  return found;
}

