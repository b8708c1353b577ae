// A net of six faces as the cube that it folds to, seen twice, as `puzzlewright/pictures/cube_svg.py` draws it.

import { number, pieces } from "./outlines.js";
import { beside, sizeOf } from "./scene.js";

const SLANT = 0.866; // of a side that goes back, by one place: so far across, and half a place up or down
const EDGE = 40; // pixels of a place's side
const BETWEEN = 40; // pixels between the two pictures
const GAP = 0.05; // of a place, round it
const BODY = "#23262b";
const [DOWN, FORTH, BACK] = [[0, 1], [SLANT, 0.5], [SLANT, -0.5]]; // ways on the picture
const FACES = new Map([
  // in the net: its upper left corner in sides of the cube, the ways of a row and of a column, which picture
  ["0,1", [[SLANT, 0], FORTH, [-SLANT, 0.5], 0]],
  ["1,1", [[0, 0.5], FORTH, DOWN, 0]],
  ["1,2", [[SLANT, 1], BACK, DOWN, 0]],
  ["1,3", [[0, 0.5], BACK, DOWN, 1]],
  ["1,0", [[SLANT, 0], FORTH, DOWN, 1]],
  ["2,1", [[2 * SLANT, 1.5], [-SLANT, 0.5], [-SLANT, -0.5], 1]],
]);

// The places of a face's side; 0 where the scene is no net, or something is seen beside the six faces.
export function sideOf(scene) {
  const [rows, cols] = sizeOf(scene);
  const long = rows / 3;
  if (scene.frame !== "cube" || !Number.isInteger(long) || cols !== 4 * long) return 0;
  return [...scene.spots].some(([name, { ground }]) => ground !== "void" && !FACES.has(faceOf(name, long))) ? 0 : long;
}

// Width and height of both pictures.
export const sizeOfCube = (scene) => [4 * SLANT * EDGE * sideOf(scene) + BETWEEN, 2 * EDGE * sideOf(scene)];

// Bodies, facelets, and letters once for each piece of a face; then a transparent parallelogram for each place.
export function cube(scene, hex, lettering) {
  const long = sideOf(scene);
  const found = facelets(scene);
  const coloured = [...found.keys()].filter((name) => scene.spots.get(name).colour);
  return [
    ...[...FACES.keys()].map((face) => `<path d="${facelet(face, 0, 0, long, [0, 0, 0, 0], long).path}" fill="${BODY}"/>`),
    ...coloured.map((name) => `<path d="${found.get(name).path}" fill="${hex[scene.spots.get(name).colour]}"/>`),
    ...letters(scene, coloured, found, hex, lettering),
    ...[...found].map(([name, each]) => spot(name, each)),
  ];
}

function spot(name, { middle, path }) {
  const [x, y] = middle.map((at) => number(at - EDGE / 4));
  return `<path class="spot" data-place="${name}" x="${x}" y="${y}" width="${number(EDGE / 2)}" height="${number(EDGE / 2)}" d="${path}" fill-opacity="0"/>`;
}

const placeOf = (name) => name.split(",").map(Number);
const faceOf = (name, long) => placeOf(name).map((at) => Math.floor(at / long)).join();

// Of all places on the six faces, in reading order; places of one piece touch.
function facelets(scene) {
  const long = sideOf(scene);
  const inOrder = (one, other) => placeOf(one)[0] - placeOf(other)[0] || placeOf(one)[1] - placeOf(other)[1];
  const names = [...scene.spots.keys()].filter((name) => FACES.has(faceOf(name, long))).sort(inOrder);
  return new Map(names.map((name) => {
    const [row, col] = placeOf(name).map((at) => at % long);
    const gaps = beside(name).map((other) => (joined(scene.spots, name, other, long) ? 0 : GAP));
    return [name, facelet(faceOf(name, long), row, col, long, gaps)];
  }));
}

function joined(spots, name, other, long) {
  const { piece } = spots.get(name);
  return piece !== "" && faceOf(name, long) === faceOf(other, long) && spots.get(other)?.piece === piece;
}

// So many places long; the gaps are above, right, below and left of it.
function facelet(face, row, col, long, [above, right, below, left], sides = 1) {
  const [[x, y], across, down, picture] = FACES.get(face);
  const point = (i, j) => {
    const at = [x * long + j * across[0] + i * down[0], y * long + j * across[1] + i * down[1]];
    return [EDGE * at[0] + picture * (2 * SLANT * EDGE * long + BETWEEN), EDGE * at[1]];
  };
  const [top, bottom, first, last] = [row + above, row + sides - below, col + left, col + sides - right];
  const corners = [point(top, first), point(top, last), point(bottom, last), point(bottom, first)];
  return { middle: point(row + sides / 2, col + sides / 2), path: `M${corners.map((corner) => corner.map(number).join(" ")).join("L")}Z` };
}

function letters(scene, names, found, hex, lettering) {
  const long = sideOf(scene);
  const words = new Map(names.map((name) => [name, scene.spots.get(name).piece && `${faceOf(name, long)} ${scene.spots.get(name).piece}`]));
  return pieces(words).map((group) => {
    const { glyph, colour } = scene.spots.get(group[0]);
    const mean = [0, 1].map((axis) => group.reduce((sum, name) => sum + found.get(name).middle[axis], 0) / group.length);
    return lettering(mean, 14, glyph, hex[colour]);
  });
}
