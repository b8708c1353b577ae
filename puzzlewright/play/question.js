// A question that is asked again and again.

import { post } from "./api.js";

// Of one kind of question only the last one counts: asking again takes the one before back.
export class Question {
  #asked = null;

  async ask(path, body) {
    this.drop();
    const mine = (this.#asked = new AbortController());
    try {
      return await post(path, body, mine.signal);
    } finally {
      if (this.#asked === mine) this.#asked = null;
    }
  }

  drop() {
    this.#asked?.abort();
    this.#asked = null;
  }

  get open() {
    return this.#asked !== null;
  }
}
