// Questions to the server. A page that is closed or left takes its questions back, and the server stops its work.

let page = new AbortController();
addEventListener("pagehide", () => page.abort());
addEventListener("pageshow", (event) => event.persisted && (page = new AbortController()));

export const game = "/play"; // the page that plays, for all puzzles

export const get = (path) => ask(path, {});

export function post(path, body, signal) {
  return ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }, signal);
}

async function ask(path, request, signal) {
  const signals = [page.signal, ...(signal ? [signal] : [])];
  let response, told;
  try {
    response = await fetch(path, { ...request, signal: AbortSignal.any(signals) });
    told = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is `puzzlewright` still running?");
  }
  if (!response.ok) throw new Error(told.error ?? `The server says ${response.status}.`);
  return told;
}

export const aborted = (error) => error.name === "AbortError";
