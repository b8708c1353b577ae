// The file: what it held when the text was taken from it, saving over just that, and what others do to it meanwhile.
// What is not saved is kept in the browser, by the file's path and with the digest of what it was made from; each page that
// is open has its own, and one that is opened later takes over what those have left that are gone.

import { get, post } from "../api.js";
import { at, button } from "../dom.js";
import { Both } from "./writing.js";

const LOOK = 1500; // milliseconds between two looks at the file
const KEEP = 250; // milliseconds of rest until a text is kept
const WHERE = "puzzlewright:edit:";
const MINE = `${WHERE}${crypto.getRandomValues(new Uint32Array(2)).join("-").padStart(21, "0")}:`; // and the file's path
navigator.locks?.request(MINE, () => new Promise(() => {})); // until this page is gone

export class Keeper {
  constructor(writing) {
    this.writing = writing;
    this.base = ""; // the digest of the file that the text was made from
    this.saved = ""; // its text
    this.refused = null; // the digest of what others wrote, once the user has decided to go on with his own
    this.gone = false; // was there a file, and is none now?
    this.turn = Promise.resolve(); // what is done with the file, one after the other
    this.both = new Both(at("both-texts"));
    at("save").addEventListener("click", () => this.save());
    at("both-close").addEventListener("click", () => at("both").close());
    at("both-use").addEventListener("click", () => this.#useBoth());
    addEventListener("keydown", (event) => this.#key(event), true);
    addEventListener("pagehide", () => this.keep());
    addEventListener("beforeunload", (event) => this.dirty && !this.keep() && event.preventDefault());
  }

  // Take the text from the file, or what was not saved of it.
  async open() {
    const file = await get("/api/file");
    this.path = file.path;
    at("file-name").textContent = file.name;
    at("file-name").title = file.path;
    document.title = `${file.name} · Puzzlewright`;
    const left = await this.#left(plain(file.text));
    this.#takeOver(file);
    if (left.length) this.#restore(left, file);
    else if (file.starter) this.#begin(file.starter);
    setInterval(() => this.look(), LOOK);
  }

  get dirty() {
    return this.gone || this.writing.text !== this.saved;
  }

  // The text has changed.
  changed() {
    at("unsaved").hidden = !this.dirty;
    clearTimeout(this.later);
    this.later = setTimeout(() => this.keep(), KEEP);
  }

  // -- in the browser ------------------------------------------------------------------------------------------------

  // Is what is not saved kept?
  keep() {
    if (!this.path) return true;
    try {
      if (this.dirty) localStorage.setItem(MINE + this.path, JSON.stringify({ text: this.writing.text, base: this.base, when: Date.now() }));
      else localStorage.removeItem(MINE + this.path);
      return true;
    } catch {
      return false; // no storage, or none left: the browser asks before it leaves
    }
  }

  // What pages that are gone have kept of this file, the newest first.
  async #left(text) {
    const open = await pages();
    const kept = stored().filter(({ page, path }) => path === this.path && !open.has(page));
    return kept.filter((each) => plain(each.text) !== text).sort((one, other) => other.when - one.when);
  }

  // A new file: with nothing, or with a small puzzle that explains itself.
  #begin(starter) {
    const take = () => {
      this.writing.text = starter;
      this.#notice("");
    };
    this.#notice("This file is new; it is made when you save.", button("Begin with a small puzzle", take, { id: "begin" }), this.#fine());
  }

  // The newest text that was left, and buttons for the others.
  #restore([kept, ...others], file) {
    this.writing.text = kept.text;
    this.base = kept.base; // what the file has now was never seen by who wrote this
    if (this.keep()) localStorage.removeItem(kept.page + kept.path);
    const rest = others.map((each) => button(`The one of ${clock(each)}`, () => this.#other(each, [kept, ...others], file), { className: "other" }));
    if (kept.base !== file.digest) return this.#conflict(file, "What you had not saved was made from another text than the file has now.", ...rest);
    const drop = button("Load the file instead", () => this.#load(file));
    this.#notice(`What you had not saved at ${clock(kept)} is here again.`, drop, this.#fine(), ...rest);
  }

  // Another text that was left; this one is left again.
  #other(wanted, [kept, ...others], file) {
    const mine = { ...kept, text: this.writing.text, base: this.base };
    localStorage.setItem(kept.page + kept.path, JSON.stringify(mine));
    this.#restore([wanted, mine, ...others.filter((each) => each !== wanted)], file);
  }

  // -- the file ------------------------------------------------------------------------------------------------------

  async save() {
    return this.#doing(async () => {
      const mine = this.writing.text;
      const told = await post("/api/save", { text: mine, base: this.base });
      if (!told.saved && !told.digest) return this.#vanished("The file is not there any more, so yours was not saved. Saving again makes it anew.");
      if (!told.saved && plain(told.text) !== mine) return this.#conflict(told, "The file was changed elsewhere, so yours was not saved.");
      this.#takeOver({ text: mine, digest: told.digest }, false);
      this.#notice("");
      at("save").textContent = "Saved";
      setTimeout(() => (at("save").textContent = "Save"), 1200);
    });
  }

  // Has somebody else changed the file?
  async look() {
    if (document.hidden || at("both").open || this.busy) return;
    return this.#doing(async () => {
      const { version } = await get("/api/version");
      if (version === this.base && this.refused !== null) this.#calm();
      if ([this.base, this.refused].includes(version)) return;
      const file = await get("/api/file");
      if (!file.digest) return this.#vanished("The file is not there any more. Saving makes it anew.");
      if (plain(file.text) === this.writing.text) return this.#settled(file);
      if (this.writing.text !== this.saved) return this.#conflict(file, "The file was changed elsewhere, and you have changes that are not saved.");
      this.#load(file);
      this.#notice("The file was changed elsewhere; here is what it holds now. Undo brings the text before it back.", this.#fine());
    }, true);
  }

  // The file holds the text that is here.
  #settled(file) {
    if (this.gone || this.refused !== null) this.#calm();
    this.#takeOver(file, false);
  }

  // There is nothing to be decided any more.
  #calm() {
    this.refused = null;
    this.#notice("");
  }

  // The file is gone, and the text here is all there is of it.
  #vanished(words) {
    [this.base, this.gone, this.refused] = ["", true, null];
    this.changed();
    this.#notice(words, this.#fine());
  }

  #doing(work, passing = false) {
    return (this.turn = this.turn.then(() => this.#done(work, passing)));
  }

  // What went wrong is said until it goes well again, if it is `passing`; that a text was not saved stays.
  async #done(work, passing) {
    this.busy = true;
    try {
      await work();
      if (this.silent && at("notice-words").textContent === this.silent) this.#notice("");
      this.silent = "";
    } catch (error) {
      if (error.name === "AbortError") return;
      const words = `${error.message}${/[.?!]$/.test(error.message) ? "" : "."}${this.keep() ? " What you write is kept in this browser." : ""}`;
      this.#notice(words, this.#fine());
      this.silent = passing ? words : "";
    } finally {
      this.busy = false;
    }
  }

  // The file holds this; is the text the same?
  #takeOver({ text, digest }, written = true) {
    this.saved = plain(text);
    this.base = digest;
    this.refused = null;
    this.gone = false;
    if (written) this.writing.text = text;
    this.changed();
  }

  #load(file) {
    this.#takeOver(file);
    this.#notice("");
  }

  // -- both ----------------------------------------------------------------------------------------------------------

  #conflict(file, words, ...rest) {
    this.keep();
    this.#notice(words,
      button("Load theirs", () => this.#load(file), { id: "load-theirs" }),
      button("Save mine over it", () => this.#over(file), { id: "keep-mine" }),
      button("Show both", () => this.#show(file), { id: "show-both" }),
      ...rest);
    this.refused = file.digest;
  }

  async #over(file) {
    this.#from(file);
    await this.save();
  }

  #show(file) {
    this.theirs = file;
    at("both").showModal();
    this.both.show(plain(file.text), this.writing.text);
  }

  #useBoth() {
    this.#from(this.theirs);
    this.writing.text = this.both.text;
    at("both").close();
    this.#notice("");
  }

  // From here on the text is one that was made from theirs.
  #from(file) {
    this.#takeOver(file, false);
  }

  #fine() {
    return button("Fine", () => this.#notice(""));
  }

  #notice(words, ...choices) {
    at("notice").hidden = !words;
    at("notice-words").textContent = words;
    at("notice-choices").replaceChildren(...choices);
  }

  #key(event) {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (!at("both").open) this.save();
  }
}

const plain = (text) => text.replace(/\r\n?/g, "\n");

const clock = ({ when }) => new Date(when).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

// What all pages have kept in this browser; what cannot be read is left alone.
function stored() {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(WHERE)).map(read).filter((each) => typeof each?.text === "string");
  } catch {
    return []; // no storage
  }
}

function read(name) {
  try {
    return { ...JSON.parse(localStorage.getItem(name)), page: name.slice(0, MINE.length), path: name.slice(MINE.length) };
  } catch {
    return null; // something else's
  }
}

// The names of the pages that are open; of none where the browser does not tell.
async function pages() {
  const told = await navigator.locks?.query();
  return new Set(told?.held.map((each) => each.name) ?? []);
}
