// Taps, drags and keys that put a joint move together on the board: first a thing, then where it goes.

import { say } from "./dom.js";
import { words } from "./joint.js";
import { WAYS, glyph, samePlace, wayBetween, wayOf, waysAmong } from "./moves.js";

export class JointInput {
  constructor(joint, session) {
    this.joint = joint;
    this.session = session;
  }

  reset() {
    this.joint.reset();
  }

  // Does one of the things go some way?
  get directed() {
    return this.joint.elements.some((part) => part.parameter.values.some(wayOf));
  }

  // -- what is marked on the board -----------------------------------------------------------------------------------

  get chosenPlaces() {
    const place = this.joint.chosen && this.#called(this.joint.chosen.element);
    return place ? [place] : [];
  }

  get arrows() {
    const arrows = this.joint.arrows.map(({ element, step, far }) => ({ place: this.#called(element), step, far }));
    return arrows.filter((arrow) => arrow.place);
  }

  // The place of the thing whose glyph is this.
  #called(name) {
    const spot = this.session.now.board.spots.find(([, , letters]) => letters === name);
    return spot ? [spot[0], spot[1]] : null;
  }

  // What an arrow from the place is for: does it say a way to the other one?
  grasp(place) {
    const part = this.joint.part(glyph(this.session.now.board, place));
    return part && { places: [place], moves: [], aims: this.directed ? (to) => this.#valueTo(part, place, to) !== null : undefined };
  }

  // -- taps ----------------------------------------------------------------------------------------------------------

  // The first tap takes a thing, the second one says where it goes, be that where another thing stands.
  hit(from, to) {
    if (!this.joint.elements.length) return say("There are too many moves to list; put one together below.");
    const part = this.joint.part(glyph(this.session.now.board, from));
    const taken = this.joint.chosen;
    if (to && part) return this.#aim(part, from, to);
    if (!taken) return part ? this.#pick(part) : say("Choose what moves first.");
    const start = this.#called(taken.element);
    if (samePlace(start, from)) {
      this.joint.still(taken);
      return this.#pick(null);
    }
    if (!this.#aim(taken, start, from)) return part ? this.#pick(part) : say(`${taken.element} cannot go there at once.`, "bad");
  }

  #pick(part) {
    this.joint.pick(part);
    say(part ? `${part.element}: choose its way; then Go.` : "");
  }

  // The way from one place to the other, if it is straight and there is one that long.
  #aim(part, from, to) {
    const value = this.#valueTo(part, from, to);
    if (value === null) return false;
    this.joint.set(part, value);
    this.joint.pick(null);
    this.#told(part);
    return true;
  }

  #valueTo(part, from, to) {
    const direction = wayBetween(from, to);
    const straight = from[0] === to[0] || from[1] === to[1];
    const far = Math.abs(to[0] - from[0]) + Math.abs(to[1] - from[1]) - 1;
    return (direction && straight && waysAmong(part.parameter.values, direction)[far]) || null;
  }

  #told(part) {
    const drawn = this.arrows.length;
    say(`${part.element}: ${words(part.value)}${drawn ? ". Draw more arrows, or Go." : ""}`);
  }

  // -- keys ----------------------------------------------------------------------------------------------------------

  // Says whether the key was taken.
  key(event) {
    const direction = WAYS[event.key];
    const taken = this.joint.chosen;
    if (event.key === "Enter") this.joint.go(this.joint.move);
    else if (event.key === "Escape") this.joint.reset();
    else if (event.key === "Tab") return this.#cycle(event.shiftKey ? -1 : 1);
    else if (this.joint.part(event.key)) this.#pick(this.joint.part(event.key));
    else if (!this.joint.elements.length) return false;
    else if (direction && !taken) say("Choose what moves first: by its letter, or by Tab.");
    else if (direction) this.joint.turn(taken, direction) ? this.#told(taken) : say(`${taken.element} cannot go ${direction}.`, "bad");
    else if (event.key === " " && taken) this.joint.still(taken);
    else return false;
    return true;
  }

  // The next thing; after the last one the browser's own way.
  #cycle(by) {
    const parts = this.joint.elements;
    const place = this.joint.chosen ? parts.indexOf(this.joint.chosen) + by : by > 0 ? 0 : -1;
    if (!(place in parts)) return false;
    this.#pick(parts[place]);
    return true;
  }
}
