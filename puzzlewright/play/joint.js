// A move of several parts, put together one by one: a choice for each element, then Go.

import { button, make } from "./dom.js";
import { listInWords, same, stepOf, wayOf, waysAmong } from "./moves.js";

const NEUTRAL = ["stay", "none", "nothing", "wait", 0, false];

export class Joint {
  // `go` is called with the move, `changed` after each choice.
  constructor(form, actions, go, changed) {
    this.form = form;
    this.actions = actions;
    this.changed = changed;
    this.go = go;
    this.choose(actions[0]);
    form.onsubmit = (event) => {
      event.preventDefault();
      go(this.move);
    };
  }

  choose(action) {
    this.action = action;
    this.parts = action.params.flatMap((parameter) =>
      (parameter.array ?? [null]).map((element) => ({ parameter, element, value: neutral(parameter.values) })),
    );
    this.chosen = null;
    this.#render();
  }

  get move() {
    const args = {};
    for (const { parameter, value } of this.parts) {
      if (parameter.array) (args[parameter.name] ??= []).push(value);
      else args[parameter.name] = value;
    }
    return { action: this.action.name, args };
  }

  // The parts that are for a thing.
  get elements() {
    return this.parts.filter((part) => part.element !== null);
  }

  reset() {
    for (const part of this.parts) part.value = neutral(part.parameter.values);
    this.chosen = null;
    this.#render();
  }

  // The part of the element that is called so, as a thing on the board is.
  part(name) {
    return this.elements.find((part) => part.element === name) ?? null;
  }

  set(part, value) {
    part.value = value;
    this.#render();
  }

  // Choose the way for a part. The same way again means the next value that says it ("right", then "hop_right").
  turn(part, direction) {
    const values = waysAmong(part.parameter.values, direction);
    if (!values.length) return false;
    this.set(part, values[(values.findIndex((value) => same(value, part.value)) + 1) % values.length]);
    return true;
  }

  still(part) {
    this.set(part, neutral(part.parameter.values));
  }

  // The ways that are chosen: element, step, and whether it is a long one.
  get arrows() {
    return this.elements
      .filter((part) => wayOf(part.value))
      .map((part) => {
        const direction = wayOf(part.value);
        return { element: part.element, step: stepOf(direction), far: waysAmong(part.parameter.values, direction).indexOf(part.value) > 0 };
      });
  }

  #render() {
    const focused = document.activeElement?.dataset?.part;
    this.form.replaceChildren(
      ...(this.actions.length > 1 ? [this.#which()] : []),
      make("div", { className: "parts" }, ...this.parts.map((part, index) => this.#row(part, index))),
      make("p", {}, make("button", { className: "main", type: "submit", id: "go" }, "Go"), " ", button("Clear", () => this.reset())),
    );
    if (focused !== undefined) this.form.querySelector(`[data-part="${focused}"]`)?.focus();
    this.changed();
  }

  #which() {
    const rows = this.actions.map((action) => make("option", { value: action.name, selected: action === this.action }, action.name));
    const select = make("select", {}, ...rows);
    select.addEventListener("change", () => this.choose(this.actions.find((action) => action.name === select.value)));
    return make("label", {}, "Action ", select);
  }

  #row(part, index) {
    const arrays = this.action.params.filter((parameter) => parameter.array).length;
    const name = part.element === null ? part.parameter.name : arrays > 1 ? `${part.parameter.name}[${part.element}]` : part.element;
    const rows = part.parameter.values.map((value, number) =>
      make("option", { value: String(number), selected: same(value, part.value) }, words(value)),
    );
    const select = make("select", {}, ...rows);
    select.dataset.part = index;
    select.addEventListener("change", () => this.set(part, part.parameter.values[Number(select.value)]));
    return make("label", { className: part === this.chosen ? "part chosen" : "part" }, make("span", {}, name), select);
  }

  pick(part) {
    this.chosen = part;
    this.#render();
  }
}

const neutral = (values) => values.find((value) => NEUTRAL.some((each) => same(each, value))) ?? values[0];

export const words = (value) => (typeof value === "string" ? value.replaceAll("_", " ") : Array.isArray(value) ? listInWords(value) : String(value));
