// All that `play` has: a game, the solver, the editor.

import { Editor } from "./editor.js";
import { start } from "./play.js";
import { Solver } from "./solver.js";
import { watch } from "./watching.js";

start(["solve", (session, player) => new Solver(session, player)], ["edit", (session, player, go) => new Editor(session, player, go)]);
watch();
