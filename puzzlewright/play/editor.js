// Edit mode: another start position, by choosing values or by exchanging what stands on two places.

import { aborted } from "./api.js";
import { at, button, make, options, say } from "./dom.js";
import { words } from "./joint.js";
import { placeInWords, same, value } from "./moves.js";
import { Question } from "./question.js";
import { position } from "./session.js";

export class Editor {
  constructor(session, player, go) {
    this.session = session;
    this.player = player;
    this.go = go; // to another mode
    this.question = new Question();
    this.picked = null;
    this.doing = Promise.resolve(); // changes, one after the other
    this.values = make("div", { className: "values" });
    this.answer = make("div", { id: "edit-answer", "aria-live": "polite" });
    at("edit-panel").append(
      make("section", { className: "card" },
        make("h2", {}, "Edit the start"),
        make("p", { className: "soft" }, "Tap two places to exchange what stands there, or choose values below. Then play or solve from here."),
        make("p", { className: "row" },
          button("Play from here", () => this.#leave("play"), { id: "edit-play", className: "main" }),
          button("Solve from here", () => this.#leave("solve"), { id: "edit-solve" }),
          button("Can it be solved?", () => this.#check(), { id: "edit-check" }),
          button("Reset", () => this.#reset(), { id: "edit-reset" })),
        this.answer),
      make("details", { className: "card", open: true }, make("summary", {}, "Values"), this.values),
    );
  }

  enter() {
    this.at = this.session.now;
    this.picked = null;
    this.answer.replaceChildren();
    this.player.hook = (from, to) => this.#hit(from, to);
    this.#render();
  }

  leave() {
    this.question.drop();
    this.player.hook = null;
    this.picked = null;
  }

  // -- values --------------------------------------------------------------------------------------------------------

  #render() {
    this.player.board.show(this.at.svg, this.at.board);
    this.player.board.mark({ chosen: this.picked ? [this.picked] : [] });
    const focused = document.activeElement?.dataset?.variable;
    const { variables } = this.session.info;
    this.values.replaceChildren(...variables.map((variable) => this.#field(variable)));
    if (focused) [...this.values.querySelectorAll("select")].find((each) => each.dataset.variable === focused)?.focus();
  }

  #field(variable) {
    const select = make("select", {});
    select.dataset.variable = variable.name;
    const chosen = variable.values.findIndex((each) => same(each, this.at.state[variable.name]));
    options(select, variable.values.map((each, number) => [String(number), words(each)]), String(chosen));
    select.addEventListener("change", () => {
      const wanted = variable.values[Number(select.value)];
      this.#change(() => ({ [variable.name]: wanted }));
    });
    return make("label", {}, make("span", {}, variable.name), select);
  }

  // `changes` are found in the position that the changes before have led to.
  #change(changes) {
    this.doing = this.doing.then(() => this.#changed(changes()));
  }

  async #changed(changes) {
    if (!changes) {
      say("These two cannot be exchanged by tapping; choose the values below.", "bad");
      return this.#render();
    }
    const { session } = this;
    try {
      const told = await this.question.ask("/api/edit", { game: session.game, state: this.at.state, changes });
      this.answer.replaceChildren();
      if (told.ok) {
        this.at = position(told);
        say("Changed.");
      } else say(`That cannot be: ${told.reason}.`, "bad");
    } catch (error) {
      if (aborted(error)) return;
      say(error.message, "bad");
    }
    this.#render();
  }

  // -- taps ----------------------------------------------------------------------------------------------------------

  #hit(from, to) {
    if (to) this.picked = from;
    const place = to ?? from;
    if (!this.picked) {
      this.picked = place;
      say(`${placeInWords(this.at.board, place)}. Now the other place.`);
      this.player.board.mark({ chosen: [place] });
      return;
    }
    const other = this.picked;
    this.picked = null;
    if (same(other, place)) return this.#render();
    this.#change(() => this.#exchange(value(this.at.board, other), value(this.at.board, place)));
  }

  // The values of the two places exchanged: of the one array that these places name; else of those that hold places.
  #exchange(one, other) {
    const { state } = this.at;
    const names = Object.keys(state);
    for (const array of new Set(names.filter((name) => name.includes("[")).map((name) => name.split("[", 1)[0]))) {
      const [first, second] = [one, other].map((place) => names.find((name) => same(named(name, array), place)));
      if (first && second && !same(state[first], state[second])) return { [first]: state[second], [second]: state[first] };
    }
    const holders = this.session.info.variables.filter((variable) => [one, other].every((place) => variable.values.some((each) => same(each, place))));
    const changes = {};
    for (const { name } of holders) {
      if (same(state[name], one)) changes[name] = other;
      else if (same(state[name], other)) changes[name] = one;
    }
    return Object.keys(changes).length ? changes : null;
  }

  // -- what then -----------------------------------------------------------------------------------------------------

  async #leave(mode) {
    await this.doing;
    if (!same(this.at.state, this.session.now.state)) this.session.begin(this.at, !same(this.at.state, this.session.first.state));
    this.go(mode);
  }

  async #reset() {
    await this.doing;
    this.at = this.session.first;
    this.answer.replaceChildren();
    say("");
    this.#render();
  }

  async #check() {
    await this.doing;
    this.answer.replaceChildren(make("p", { className: "busy" }, "Thinking…"));
    try {
      const told = await this.question.ask("/api/hint", { game: this.session.game, state: this.at.state, degree: "solvable", seconds: 5 });
      const parts = [make("p", { className: told.answer === "no" ? "bad" : "" }, told.says)];
      if (told.reasons?.length) parts.push(make("ul", {}, ...told.reasons.map((reason) => make("li", {}, reason))));
      this.answer.replaceChildren(...parts);
    } catch (error) {
      if (!aborted(error)) this.answer.replaceChildren(make("p", { className: "bad" }, error.message));
    }
  }
}

// The place of an array's element, from its name: "at[[0, 1]]" -> [0, 1], "unit[0, 2]" -> [0, 2], "on[3]" -> 3.
function named(name, array) {
  if (!name.startsWith(`${array}[`)) return null;
  try {
    const inner = JSON.parse(name.slice(array.length));
    return inner.length === 1 ? inner[0] : inner;
  } catch {
    return null; // named by words
  }
}
