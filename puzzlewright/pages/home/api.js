// What the page of all puzzles knows without a server; in place of the `api.js` of `play`.

export const game = null; // each puzzle has a page of its own

export const get = async () => JSON.parse(document.getElementById("data").textContent);

export const post = async () => {
  throw new Error("there is no server");
};
