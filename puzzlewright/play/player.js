// Taps, drags and keys on the board: what they mean in this position, and what is said where they mean nothing.

import { post } from "./api.js";
import { Board } from "./board.js";
import { at, button, count, say } from "./dom.js";
import { stepsAlong, stepsFrom, stepsTo } from "./guesses.js";
import { Joint } from "./joint.js";
import { JointInput } from "./joint_input.js";
import {
  WAYS, farthest, glyph, hasDirections, leading, meant, nearest, ofTaken, ofThing, placeInWords, placesSet, same, samePlace, stacked,
  stepOf, things, touching, way, wayBetween,
} from "./moves.js";

const COMMANDS = "uzyrhmb"; // letters of play.js, which stay so where arrows lead to every place

export class Player {
  constructor(session) {
    this.session = session;
    this.board = new Board(at("board"), (from, to, moves) => this.#hit(from, to, moves), (place) => this.#grasp(place), () => this.mark());
    this.hook = null; // what takes the taps in the editor
    this.clear();
    at("board").addEventListener("keydown", (event) => this.#key(event));
    at("board").addEventListener("focus", () => this.mark());
    at("board").addEventListener("blur", () => this.mark());
  }

  clear() {
    this.chosen = null; // { places, moves, kept }: what was taken, and what can become of it
    this.cursor = null;
    this.hinted = [];
    this.grasped = null; // what follows the pointer, as `chosen`
    this.played = null; // the move that a single tap has just made
    this.parts = null;
    this.#closeMenu();
  }

  // -- showing -------------------------------------------------------------------------------------------------------

  opened() {
    const { actions } = this.session.info;
    this.clear();
    this.directed = hasDirections(actions);
    const put = actions.filter((action) => action.joint || !this.session.now.moves.complete);
    at("joint").hidden = !put.length;
    const go = (move) => this.session.then(() => this.play(move));
    if (put.length) this.parts = new JointInput(new Joint(at("joint"), put, go, () => this.mark()), this.session);
  }

  // What the board puts together: parts that go some way, or what is not listed. Else it is for the listed moves, and
  // parts such as "he" or "both" are for the form.
  get joint() {
    return this.parts?.directed || !this.session.now?.moves.complete ? this.parts : null;
  }

  show(move) {
    const { svg, board } = this.session.now;
    const before = this.chosen;
    this.#closeMenu();
    this.hinted = [];
    this.board.show(svg, board, move);
    this.board.movable(board.spots.map(([row, col]) => [row, col]).filter((place) => this.#graspable(place)));
    this.chosen = null;
    this.played = null;
    if (move?.enters.length && before?.kept) this.#take(move.enters, undefined, true);
    this.parts?.reset();
    this.mark();
  }

  mark() {
    if (!this.board.svg) return;
    const focused = at("board").matches(":focus-visible");
    const { moves } = this.session;
    const taken = this.board.held ? this.grasped : this.chosen;
    const chosen = this.joint ? this.joint.chosenPlaces : taken?.places ?? [];
    const own = placesSet(chosen);
    const targets = taken && !this.joint ? taken.moves.flatMap((move) => fresh(move, own)) : this.hinted[1] ?? [];
    this.board.mark({
      chosen, targets, hint: this.hinted,
      cursor: focused && !this.joint && !this.directed ? this.#cursor() : null,
      arrows: this.joint?.arrows ?? [],
      choices: focused && this.directed && !chosen.length && !this.joint && !this.session.now.goal ? this.#choices(moves) : [],
    });
  }

  // Things that can move, where there are several.
  #choices(moves) {
    const found = things(moves);
    return found.length > 1 ? found.map((thing) => thing.places) : [];
  }

  // Both ends: what goes, and where it comes to stand.
  hint({ leaves, enters, changed }) {
    const there = fresh({ enters, changed: [] }, placesSet(leaves));
    this.hinted = leaves.length ? [leaves, there] : [changed];
    this.mark();
  }

  // -- moves ---------------------------------------------------------------------------------------------------------

  async play(move) {
    const told = await this.session.play(move);
    if (!told.ok) say(`Not possible: ${reason(told)}.`, "bad");
    else if (!this.session.result) say(told.label, "", told.board.caption);
    return told.ok;
  }

  // One of these moves: the only one, or the one that the player says.
  #decide(moves, words) {
    if (moves.length === 1) return this.play(moves[0]);
    this.#menu(moves, words);
  }

  #menu(moves, words, focus = true) {
    at("menu-title").textContent = words ?? "Which move?";
    at("menu-moves").replaceChildren(
      ...moves.slice(0, 60).map((move) => button(move.label, () => {
        this.#closeMenu();
        at("board").focus({ preventScroll: true });
        this.session.then(() => this.play(move));
      })),
    );
    at("menu").hidden = false;
    if (focus) at("menu-moves").firstElementChild.focus();
  }

  #closeMenu() {
    at("menu").hidden = true;
    at("menu-moves").replaceChildren();
  }

  // Why a move that was meant is none, in the server's words.
  async #explain(steps, words) {
    for (const step of steps.slice(0, 4)) {
      try {
        const told = await post("/api/move", { game: this.session.game, state: this.session.now.state, ...step });
        if (told.ok) continue;
        say(`${words}: ${reason(told)}.`, "bad");
        return;
      } catch (error) {
        if (error.name === "AbortError") throw error;
      }
    }
    say(`${words}.`, "bad");
  }

  // -- taps ----------------------------------------------------------------------------------------------------------

  #hit(from, to, moves = []) {
    if (from && this.hook) return this.hook(from, to);
    this.session.then(async () => {
      if (from) await this.#mean(from, to, moves);
      this.board.release();
      this.mark();
    });
  }

  #mean(from, to, moves) {
    if (this.joint) return this.joint.hit(from, to);
    if (moves.length) return this.#decide(moves);
    return to ? this.#drag(from, to) : this.#tap(from);
  }

  // What follows a pointer from the place: the least of what can move there, as what lies on top of a stack.
  #grasp(place) {
    const found = this.hook ? null : this.#graspable(place);
    this.grasped = found;
    return this.hook ? { places: [place], moves: [] } : found;
  }

  #graspable(place) {
    const { now, moves } = this.session;
    if (this.joint) return this.joint.grasp(place);
    const found = ofThing(moves, meant(now.board, place));
    if (!found.length) return null;
    const { leaves } = found.reduce((least, move) => (move.leaves.length < least.leaves.length ? move : least));
    return { places: leaves, moves: ofTaken(found, leaves) };
  }

  // In stacks the first tap only takes, however few moves there are: the second one says where to.
  #tap(place) {
    const { moves, now } = this.session;
    this.#closeMenu();
    this.cursor = place;
    if (this.chosen) return this.#second(place);
    const found = touching(moves, now.board, place);
    const second = stacked(now.board) && found.length && fresh(found[0], placesSet(meant(now.board, place))).length;
    if (found.length === 1 && !second) return this.#only(found[0], place);
    if (!found.length) return this.#stuck(place);
    this.#take(this.#anchor(found, place), found);
    const still = this.#placeless(found);
    const where = still.length === found.length ? "Choose which one." : "Choose where to.";
    say(`${this.#words(place)}: ${count(found.length, "move")}. ${where}`);
    if (still.length) this.#menu(still, still.length === found.length ? "Which move?" : "Or", false);
    this.mark();
  }

  // The only move that the tap can mean. Right after one that a tap has made, a tap on where that led was meant to say
  // where to: it does not take the move back, the next one does.
  async #only(move, place) {
    const { session, played } = this;
    this.played = null;
    if (played && placesSet(played).has(place.join(",")) && same(move.state, session.past[session.place - 1]?.state)) {
      return say(`It is there already. The next tap takes it back: ${move.label}.`);
    }
    const there = fresh(move, placesSet([place]));
    if (await this.play(move)) this.played = there;
  }

  // Of moves that are chosen from, those that no second place tells: they lead to where the things stand already, or off
  // the board.
  #placeless(moves) {
    const own = placesSet(this.chosen?.places.flatMap((place) => meant(this.session.now.board, place)) ?? []);
    return moves.filter((move) => !fresh(move, own).length);
  }

  // The places that are shown as taken: the thing, if all the moves are its own.
  #anchor(moves, place) {
    const thing = moves[0].leaves;
    const own = placesSet(meant(this.session.now.board, place));
    const touched = thing.some((each) => own.has(each.join(",")));
    return touched && moves.every((move) => String(move.leaves) === String(thing)) ? thing : [place];
  }

  #second(place) {
    const { moves, now } = this.session;
    const taken = this.chosen;
    const own = placesSet(taken.places.flatMap((each) => meant(now.board, each)));
    const found = leading(taken.moves, now.board, place);
    const still = this.#placeless(taken.moves);
    this.chosen = null;
    if (own.has(place.join(","))) {
      if (still.length) return this.#decide(still);
      say("");
      return this.mark();
    }
    if (found.length) return this.#decide(found);
    const other = touching(moves, now.board, place).filter((move) => !taken.moves.includes(move));
    if (other.length && !stacked(now.board) && other.some((move) => move.leaves.some((each) => samePlace(each, place)))) return this.#tap(place);
    this.mark();
    return this.#explain(stepsTo(place, taken, this.#position), "Not possible");
  }

  // Nothing that stands here can move: why?
  #stuck(place) {
    return this.#explain(stepsFrom(place, this.#position), `No move from ${this.#words(place)}`);
  }

  #words(place) {
    return placeInWords(this.session.now.board, place, this.session.info.stack);
  }

  // What guesses need to know.
  get #position() {
    return { moves: this.session.moves, board: this.session.now.board, actions: this.session.info.actions };
  }

  #drag(from, to) {
    const { moves, now, info } = this.session;
    const found = ofThing(moves, meant(now.board, from));
    if (!found.length) return this.#tap(from);
    const places = this.#anchor(found, from);
    const direction = wayBetween(from, to);
    const straight = nearest(found.filter((move) => way(move, info.actions) === direction));
    const there = leading(found, now.board, to);
    this.chosen = null;
    if (there.length || straight.length) return this.#decide(there.length ? there : straight);
    this.mark();
    return this.#explain(stepsTo(to, { places, moves: found }, this.#position), "Not possible");
  }

  // What is `kept` stays taken when it moves, for the next key.
  #take(places, moves = ofThing(this.session.moves, places), kept = false) {
    this.chosen = { places, moves, kept };
  }

  // -- keys ----------------------------------------------------------------------------------------------------------

  // Arrows mean the board wherever the focus is on nothing that uses them; others only on the board.
  arrow(event) {
    if (!this.session.now?.board.spots.length) return;
    at("board").focus({ preventScroll: true });
    this.#key(event);
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || this.hook || !this.session.info) return;
    const taken = this.joint ? this.joint.key(event) : this.#keyPlain(event);
    if (taken) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  #keyPlain(event) {
    const { key, shiftKey } = event;
    const { board } = this.session.now;
    if (key === "Tab") return this.#cycle(shiftKey ? -1 : 1);
    if (key === "Escape") return this.#letGo();
    if (stacked(board) && [...this.board.columns().values()].includes(key)) return this.#digit(key);
    if (key.length === 1 && key !== " " && this.#letter(key)) return true;
    if (key in WAYS || (key.toLowerCase() in WAYS && shiftKey)) {
      this.session.then(() => this.#arrow(WAYS[key] ?? WAYS[key.toLowerCase()], shiftKey));
      return true;
    }
    if (key === "Enter" || key === " ") {
      this.session.then(() => this.#press());
      return true;
    }
    return false;
  }

  #arrow(direction, far) {
    if (!this.directed) return this.#moveCursor(direction);
    const { moves, now, info } = this.session;
    const wanted = moves.filter((move) => way(move, info.actions) === direction);
    const own = this.chosen ? ofTaken(wanted, this.chosen.places) : wanted;
    const found = far ? farthest(own) : nearest(own);
    if (found.length === 1) return this.play(found[0]);
    if (found.length) return this.#menu(found, `What goes ${direction}?`);
    return this.#explain(stepsAlong(direction, this.chosen, this.#position), `Nothing can go ${direction}`);
  }

  // Tab: the next thing that can move; after the last one the browser's own way.
  #cycle(by) {
    if (!this.directed) return false;
    const found = things(this.session.moves);
    const index = this.chosen ? found.findIndex((thing) => String(thing.places) === String(this.chosen.places)) : by > 0 ? -1 : found.length;
    const next = found[index + by];
    if (found.length < 2 || !next) return this.#letGo() && false;
    this.#chooseThing(next.places, next.moves);
    return true;
  }

  #chooseThing(places, moves) {
    const { board } = this.session.now;
    this.#take(places, moves, true);
    this.cursor = places[0];
    say(`${glyph(board, places[0])}, ${count(moves.length, "move")}`);
    this.mark();
  }

  // A letter takes the thing that bears it, or the next one of them; last what only moves it along.
  #letter(key) {
    const { moves, now } = this.session;
    const bears = ([, , words]) => words.toLowerCase() === key.toLowerCase();
    if (!now.board.spots.some(bears) || [".", "#"].includes(key) || (!this.directed && COMMANDS.includes(key.toLowerCase()))) return false;
    const named = (place) => bears([0, 0, glyph(now.board, place)]);
    const borne = things(moves).filter((thing) => thing.places.some(named));
    const found = borne.sort((one, other) => other.places.every(named) - one.places.every(named));
    if (!this.directed || !found.length) {
      const [row, col] = now.board.spots.find(bears);
      if (!this.directed) return this.#cursorTo([row, col]);
      return /^[a-z]$/i.test(key) && !WAYS[key.toLowerCase()] && this.#chooseStill(now.board.spots.filter(bears));
    }
    const index = found.findIndex((thing) => String(thing.places) === String(this.chosen?.places));
    const next = found[(index + 1) % found.length];
    this.#chooseThing(next.places, next.moves);
    return true;
  }

  #chooseStill(spots) {
    const places = spots.map(([row, col]) => [row, col]);
    this.#take(places, [], true);
    say(`${spots[0][2]} cannot move now`);
    this.mark();
    return true;
  }

  #letGo() {
    this.chosen = null;
    this.#closeMenu();
    say("");
    this.mark();
    return true;
  }

  #digit(key) {
    const [col] = [...this.board.columns()].find(([, name]) => name === key);
    const [place] = meant(this.session.now.board, [0, col]);
    this.session.then(() => this.#tap(place));
    return true;
  }

  #press() {
    const only = at("chips").children;
    if (this.directed) return only.length === 1 ? only[0].click() : this.#menuOfChosen();
    if (this.session.now.board.spots.length) return this.#tap(this.#cursor());
  }

  #menuOfChosen() {
    if (this.chosen?.moves.length) this.#decide(this.chosen.moves);
  }

  // -- the cursor ----------------------------------------------------------------------------------------------------

  #cursor() {
    const spots = this.session.now.board.spots;
    const known = this.cursor && spots.some(([row, col]) => samePlace([row, col], this.cursor));
    return known ? this.cursor : spots.length ? [spots[0][0], spots[0][1]] : null;
  }

  #cursorTo(place) {
    this.cursor = place;
    say(this.#words(place));
    this.mark();
    return true;
  }

  // The nearest place that way.
  #moveCursor(direction) {
    const from = this.#cursor();
    if (!from) return;
    const [down, across] = stepOf(direction);
    const ahead = ([row, col]) => (row - from[0]) * down + (col - from[1]) * across;
    const aside = ([row, col]) => Math.abs((row - from[0]) * across) + Math.abs((col - from[1]) * down);
    const far = (place) => ahead(place) + 3 * aside(place);
    const there = this.session.now.board.spots.filter((spot) => ahead(spot) > 0 && spot[2] !== " ");
    if (there.length) this.#cursorTo(there.reduce((best, spot) => (far(spot) < far(best) ? spot : best)).slice(0, 2));
  }
}

// The server's words, for people.
const reason = (told) => told.reason.replace(/^`when` fails: /, "it needs ").replace(/^`always` would fail: /, "afterwards this would not hold: ");

// Where a move leads to, besides where the thing stands already.
function fresh(move, own) {
  const there = move.enters.filter((place) => !own.has(place.join(",")));
  return there.length ? there : move.changed.filter((place) => !own.has(place.join(",")));
}
