// The file: what it held when the text was taken from it, saving over just that, and what others do to it meanwhile.
// What is not saved is kept in the browser, by the file's path and with the digest of what it was made from.

import { get, post } from "../api.js";
import { at, button } from "../dom.js";
import { Both } from "./writing.js";

const LOOK = 1500; // milliseconds between two looks at the file
const KEEP = 250; // milliseconds of rest until a text is kept

export class Keeper {
  constructor(writing) {
    this.writing = writing;
    this.base = ""; // the digest of the file that the text was made from
    this.saved = ""; // its text
    this.refused = ""; // the digest of what others wrote, once the user has decided to go on with his own
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
    this.key = `puzzlewright:edit:${file.path}`;
    at("file-name").textContent = file.name;
    at("file-name").title = file.path;
    document.title = `${file.name} · Puzzlewright`;
    const kept = this.#kept();
    this.#takeOver(file);
    if (kept && plain(kept.text) !== plain(file.text)) this.#restore(kept, file);
    else if (file.starter) this.#begin(file.starter);
    setInterval(() => this.look(), LOOK);
  }

  get dirty() {
    return this.writing.text !== this.saved;
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
    if (!this.key) return true;
    try {
      if (this.dirty) localStorage.setItem(this.key, JSON.stringify({ text: this.writing.text, base: this.base, when: Date.now() }));
      else localStorage.removeItem(this.key);
      return true;
    } catch {
      return false; // no storage, or none left: the browser asks before it leaves
    }
  }

  #kept() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.key));
      return typeof kept?.text === "string" ? kept : null;
    } catch {
      return null;
    }
  }

  // A new file: with nothing, or with a small puzzle that explains itself.
  #begin(starter) {
    const take = () => {
      this.writing.text = starter;
      this.#notice("");
    };
    this.#notice("This file is new; it is made when you save.", button("Begin with a small puzzle", take, { id: "begin" }), this.#fine());
  }

  #restore(kept, file) {
    this.writing.text = kept.text;
    if (kept.base !== file.digest) return this.#conflict(file, "What you had not saved was made from another text than the file has now.");
    const when = new Date(kept.when).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const drop = button("Load the file instead", () => this.#load(file));
    this.#notice(`What you had not saved at ${when} is here again.`, drop, this.#fine());
  }

  // -- the file ------------------------------------------------------------------------------------------------------

  async save() {
    return this.#doing(async () => {
      const mine = this.writing.text;
      const told = await post("/api/save", { text: mine, base: this.base });
      if (!told.saved) return this.#conflict(told, "The file was changed elsewhere, so yours was not saved.");
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
      if (version === this.base && this.refused) this.#settled();
      if ([this.base, this.refused].includes(version)) return;
      const file = await get("/api/file");
      if (plain(file.text) === this.writing.text) return this.#takeOver(file, false);
      if (this.dirty) return this.#conflict(file, "The file was changed elsewhere, and you have changes that are not saved.");
      this.#load(file);
      this.#notice("The file was changed elsewhere; here is what it holds now. Undo brings the text before it back.", this.#fine());
    });
  }

  // The file is again what the text was made from.
  #settled() {
    this.refused = "";
    this.#notice("");
  }

  async #doing(work) {
    this.busy = true;
    try {
      await work();
      if (this.silent) this.#notice("");
      this.silent = false;
    } catch (error) {
      if (error.name === "AbortError") return;
      this.silent = true;
      this.#notice(`${error.message} What you write is kept in this browser.`);
    } finally {
      this.busy = false;
    }
  }

  // The file holds this; is the text the same?
  #takeOver({ text, digest }, written = true) {
    this.saved = plain(text);
    this.base = digest;
    this.refused = "";
    if (written) this.writing.text = text;
    this.changed();
  }

  #load(file) {
    this.#takeOver(file);
    this.#notice("");
  }

  // -- both ----------------------------------------------------------------------------------------------------------

  #conflict(file, words) {
    this.keep();
    this.#notice(words,
      button("Load theirs", () => this.#load(file), { id: "load-theirs" }),
      button("Save mine over it", () => this.#over(file), { id: "keep-mine" }),
      button("Show both", () => this.#show(file), { id: "show-both" }));
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
