// The file that is played: where it changes, the page begins anew with it.

import { get } from "./api.js";
import { say } from "./dom.js";

const LOOK = 1500; // milliseconds between two looks

export async function watch(first = null, told = "") {
  try {
    const { version, error = "" } = document.hidden ? { version: first, error: told } : await get("/api/version");
    if (version === "") return; // no file is played
    if (first !== null && version !== first) return location.reload();
    if (error !== told) say(error && `The file has changed, and cannot be read: ${error}`, "bad");
    setTimeout(() => watch(version ?? first, error), LOOK);
  } catch {
    setTimeout(() => watch(first, told), LOOK); // the server is away; whoever asks it next says so
  }
}
