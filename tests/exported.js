// What an exported page works out, state by state, against what is expected (`exported.py`).

const { Answers } = $module_answers;
const { Game } = $module_game;
const { Refusal } = $module_referee;
const { boardOf, motion } = $module_scene;

const wrong = [];

async function check(number, { level, palette, states, whole }) {
  const unpacked = (text) => require("zlib").inflateSync(Buffer.from(text, "base64"));
  const machine = level.machine && { ...level.machine, code: unpacked(level.machine.code) };
  const game = new Game({ ...level, machine, lifted: JSON.parse(unpacked(level.lifted).toString()) }, palette);
  const { puzzle } = game;
  game.types = level.types = [...puzzle.evaluator.slots].flatMap(([name, slots]) => [...slots].map(() => puzzle.variables.get(name).type));
  const answers = new Answers(game);
  for (const [place, expected] of states.entries()) {
    const differs = (what, mine, theirs) => {
      if (JSON.stringify(mine) !== JSON.stringify(theirs) && wrong.length < 5) wrong.push([number, place, what, mine, theirs]);
    };
    const state = expected.values.map((each, at) => game.types[at].values[each]);
    checkState(game, state, expected, differs);
    if (expected.machine) await checkMachine(game, state, expected.machine, differs);
    if (expected.hint) await checkHint(answers, state, expected.hint, whole, differs);
  }
}

function checkState(game, state, expected, differs) {
  const { puzzle } = game;
  const seen = game.scene(state);
  const spots = Object.fromEntries([...seen.spots].map(([name, s]) => [name, [s.glyph, s.colour, s.piece, s.ground, s.size, s.value, s.look, s.target]]));
  differs("spots", Object.entries(spots).sort(), Object.entries(expected.spots).sort());
  differs("caption", seen.caption, expected.caption);
  differs("lines", seen.lines, expected.lines);
  if (expected.svg) differs("svg", game.drawing.svg(seen), expected.svg);
  differs("board", boardOf(seen), expected.board);
  differs("goal", puzzle.isGoal(state), expected.goal);
  if (expected.listed) differs("listed", puzzle.successors(state).map(({ step }) => called(step)), expected.listed);
  for (const { step, ...outcome } of expected.steps) differs(JSON.stringify(step), tried(game, state, stepOf(puzzle, step)), outcome);
}

const called = ({ action, values }) => [action.name, values.map((value, at) => {
  const { type, keys } = action.parameters[at];
  return keys ? value.map((each) => type.place(each)) : type.place(value);
})];

function stepOf(puzzle, [name, places]) {
  const action = puzzle.actions.find((each) => each.name === name);
  const values = places.map((place, at) => {
    const { type, keys } = action.parameters[at];
    return keys ? place.map((each) => type.values[each]) : type.values[place];
  });
  return { action, values };
}

function tried(game, state, step) {
  const { puzzle } = game;
  try {
    const after = puzzle.apply(state, step);
    const places = after.map((value, place) => game.types[place].place(value));
    return { after: places, label: puzzle.label(state, step), costs: [...puzzle.costs(state, step)], motion: motion(game.scene(state), game.scene(after)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: [error.message, error.line, error.words] };
  }
}

async function checkMachine(game, state, [packed, goal, edges], differs) {
  const { machine } = await game.machine();
  const mine = machine.pack(state);
  differs("packed", mine && [...mine], packed);
  differs("a goal of the machine's", machine.isGoal(mine, 0), goal);
  const found = [];
  machine.expand(mine, 0, 1, (_, at, cost) => found.push([[...machine.memory.slice(at, at + machine.width)], cost]));
  differs("the machine's successors, in any order", found.map(String).sort(), edges.map(String).sort());
}

// A hint, and all the moves that follow it: they lead to a goal, and cost what the cheapest plan does. Nothing need be
// known unless the `whole` space is small.
async function checkHint(answers, state, expected, whole, differs) {
  const { game } = answers;
  const told = await answers.hint({ degree: "plan", state });
  if (told.answer === "unknown" && !told.proven && !whole) return;
  differs("hint", [told.answer, told.cost ?? null], expected);
  if (!told.plan) return;
  let [now, paid] = [state, 0];
  for (const each of told.plan) {
    const step = game.step(each.action, each.args);
    paid += game.cost(now, step);
    now = game.puzzle.apply(now, step);
  }
  differs("the plan", [paid, game.puzzle.isGoal(now)], [told.cost, true]);
  differs("the next move", (await answers.hint({ degree: "next", state })).move.label, told.plan[0].label);
}

(async () => {
  for (const [number, each] of given.entries()) await check(number, each);
  console.log(JSON.stringify(wrong));
})();
