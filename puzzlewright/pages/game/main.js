// An exported page: playing, and nothing else.

import { start } from "./page.js";

start();
