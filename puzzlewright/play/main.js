// All that `play` has: a game, the map of its states, the solver, the editor.

import { Editor } from "./editor.js";
import { SpaceMap } from "./map.js";
import { start } from "./play.js";
import { Solver } from "./solver.js";
import { watch } from "./watching.js";

start(["map", (session, player) => new SpaceMap(session, player)], ["solve", (session, player) => new Solver(session, player)], ["edit", (session, player, go) => new Editor(session, player, go)]);
watch();
