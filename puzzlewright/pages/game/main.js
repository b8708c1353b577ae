// An exported page: playing, and nothing else.

import { start } from "./play.js";

start();
