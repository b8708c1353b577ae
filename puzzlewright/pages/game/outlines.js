// Borders of places, and numbers, as `puzzlewright/pictures/outline.py` has them.

import { beside } from "./scene.js";

const placeOf = (name) => name.split(",").map(Number);

export const inOrder = (one, other) => {
  const [[row, col], [down, across]] = [placeOf(one), placeOf(other)];
  return row - down || col - across;
};

// At most two decimals, and none that say nothing; halves, of which only odd eighths have one, go to the even one.
export function number(value) {
  const hundred = Math.floor(value * 100);
  const half = Number.isInteger(value * 8) && !Number.isInteger(value * 4);
  return String((half ? (hundred + Math.abs(hundred % 2)) / 100 : Number(value.toFixed(2))) + 0);
}

// Touching places with the same word, each group in reading order; "" stands by itself.
export function pieces(words) {
  const left = new Map([...words].sort(([one], [other]) => inOrder(one, other)));
  const found = [];
  while (left.size) {
    const [[first, word]] = left;
    const [todo, group] = [[first], []];
    while (todo.length) {
      const name = todo.pop();
      if (left.get(name) !== word) continue;
      left.delete(name);
      group.push(name);
      if (word) todo.push(...beside(name));
    }
    found.push(group.sort(inOrder));
  }
  return found;
}

// The border of places is walked with the places on the right hand, as `outline.py` does

export function outline(names, lines, inset, outer, inner) {
  return loopsOf(new Set(names)).map((loop) => path(loop, lines, inset, outer, inner)).join("");
}

function path(corners, [xs, ys], inset, outer, inner) {
  const parts = corners.map(([[x, y], [inX, inY], [outX, outY]]) => {
    const right = inX * outY - inY * outX > 0;
    const radius = right ? outer : inner;
    const [atX, atY] = [xs[x] - (inY + outY) * inset, ys[y] + (inX + outX) * inset];
    const [begin, end] = [pair(atX - inX * radius, atY - inY * radius), pair(atX + outX * radius, atY + outY * radius)];
    return begin + (radius ? `A${number(radius)} ${number(radius)} 0 0 ${Number(right)} ${end}` : "");
  });
  return `M${parts.join("L")}Z`;
}

const pair = (x, y) => `${number(x)} ${number(y)}`;
const edgeName = ([x, y], [dx, dy]) => [x, y, dx, dy].join();

function loopsOf(names) {
  const edges = [...names].flatMap((name) => edgesOf(name, names));
  const all = new Set(edges.map((edge) => edgeName(...edge)));
  const left = new Map(edges.sort(byNumbers).map((edge) => [edgeName(...edge), edge]));
  const loops = [];
  while (left.size) {
    const loop = [];
    let [[, edge]] = left;
    while (left.delete(edgeName(...edge))) {
      const after = next(edge, all);
      if (String(after[1]) !== String(edge[1])) loop.push([after[0], edge[1], after[1]]);
      edge = after;
    }
    loops.push(loop);
  }
  return loops;
}

function byNumbers(one, other) {
  const [mine, theirs] = [one.flat(), other.flat()];
  const place = mine.findIndex((each, index) => each !== theirs[index]);
  return place < 0 ? 0 : mine[place] - theirs[place];
}

// The sides of a place beyond which there is none of the places, clockwise.
function edgesOf(name, names) {
  const [row, col] = placeOf(name);
  const corners = [[col, row], [col + 1, row], [col + 1, row + 1], [col, row + 1]];
  const ways = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  return beside(name).flatMap((other, side) => (names.has(other) ? [] : [[corners[side], ways[side]]]));
}

// The next edge of the border: to the right if there is one, else ahead, else to the left.
function next([[x, y], [dx, dy]], all) {
  const point = [x + dx, y + dy];
  const way = [[-dy, dx], [dx, dy], [dy, -dx]].map(([across, down]) => [across + 0, down + 0]).find((turn) => all.has(edgeName(point, turn)));
  return [point, way];
}
