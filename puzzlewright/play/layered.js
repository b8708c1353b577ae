// Where nodes stand that lie in layers: each as near to where it wants to be as the others of its layer allow.

const GAP = 18; // from one to the next in a layer; more where there are many layers
const LEAST = 54; // from layer to layer; more where layers are wide
const SHAPE = 1.9; // how much wider than high the picture is, as far as it goes

// The layers from above, and those that come towards them from below. `wish` tells where a node wants to be, once all
// of the layers before have their places.
export function placed(down, up, wish) {
  for (const side of [down, up]) {
    side.forEach((layer, depth) => {
      layer.forEach((node, place) => (node.wish = depth ? wish(node) : place - (layer.length - 1) / 2));
      layer.sort((one, other) => one.wish - other.wish || one.number - other.number);
      spread(layer);
    });
  }
  const rows = down.length + up.length;
  down.forEach((layer, depth) => layer.forEach((node) => (node.y = depth)));
  up.forEach((layer, depth) => layer.forEach((node) => (node.y = rows - 1 - depth)));
  return framed([...down, ...up].flat(), rows);
}

function framed(all, rows) {
  const left = all.reduce((least, node) => Math.min(least, node.x), 0);
  const right = all.reduce((most, node) => Math.max(most, node.x), 0);
  const columns = right - left + 3;
  const gap = Math.max(GAP, Math.min(LEAST, (rows * LEAST * SHAPE) / columns));
  const step = Math.max(LEAST, (columns * gap) / rows / SHAPE);
  return { all, left, gap, step, wide: columns * gap, high: (rows + 0.6) * step };
}

// Least squares with a distance of at least 1: neighbours that come too close become one block (pool adjacent violators).
function spread(layer) {
  const blocks = [];
  layer.forEach((node, place) => {
    let block = { first: place, size: 1, mean: node.wish - place };
    while (blocks.length && blocks.at(-1).mean >= block.mean) {
      const before = blocks.pop();
      const size = before.size + block.size;
      block = { first: before.first, size, mean: (before.mean * before.size + block.mean * block.size) / size };
    }
    blocks.push(block);
  });
  for (const { first, size, mean } of blocks) {
    for (let place = first; place < first + size; place++) layer[place].x = mean + place;
  }
}
