"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const names = ["parent", "depth", "g", "h", "f", "sameAs", "cut", "backward", "board", "label", "cost"];
  const nodes = data.nodes.map((row, number) => {
    const node = { number, tree: 0, children: [], expandedAt: [], reopenedAt: Infinity };
    names.forEach((name, i) => { node[name] = row[i]; });
    return node;
  });
  const events = data.events;

  // -- which event makes, expands or reopens which node; each iteration of a search that deepens is a tree of its own
  let tree = 0;
  events.forEach(([kind, number], time) => {
    if (kind === "iteration") tree += 1;
    const node = nodes[number];
    if (kind === "start" || kind === "generate") { node.madeAt = time; node.tree = tree; }
    if (kind === "expand") node.expandedAt.push(time);
    if (kind === "reopen") node.reopenedAt = time;
    if (kind === "generate") nodes[node.parent].children.push(node);
  });
  const trees = events.map(((count) => ([kind]) => (kind === "iteration" ? ++count : count))(0));
  const bounds = events.filter(([kind]) => kind === "iteration").map(([, bound]) => bound);
  const plan = new Set(data.path);
  const meet = (i) => nodes[data.path[i]].backward && !nodes[data.path[i - 1]].backward;  // two nodes of one state
  const steps = data.path.filter((_, i) => i > 0 && !meet(i)).length;
  const goalAt = events.findIndex(([kind]) => kind === "goal");
  const within = (node, shown) => node.tree === shown || node.parent === null;

  // -- where nodes stand: layers by depth, a child as near to below its parent as the others in its layer allow
  const STEP = 18;
  let high = 54;  // from layer to layer; more where layers are wide, so that the tree is not flat

  function placed(shown) {
    const layers = { false: [], true: [] };
    for (const node of nodes) {
      if (within(node, shown)) (layers[Boolean(node.backward)][node.depth] ||= []).push(node);
    }
    for (const side of [layers.false, layers.true]) {
      side.forEach((layer, depth) => {
        layer.forEach((node, i) => { node.wish = depth ? wish(node, shown) : i - (layer.length - 1) / 2; });
        layer.sort((a, b) => a.wish - b.wish || a.number - b.number);
        spread(layer);
      });
    }
    const rows = layers.false.length + layers.true.length;
    const all = nodes.filter((node) => within(node, shown));
    for (const node of all) node.y = node.backward ? rows - 1 - node.depth : node.depth;
    const left = all.reduce((least, node) => Math.min(least, node.x), 0);
    const right = all.reduce((most, node) => Math.max(most, node.x), 0);
    const wide = (right - left + 3) * STEP;
    high = Math.max(54, wide / rows / 1.9);
    return { all, left, wide, high: (rows + 0.6) * high };
  }

  function wish(node, shown) {
    const parent = nodes[node.parent];
    const siblings = parent.children.filter((each) => within(each, shown));
    return parent.x + (siblings.indexOf(node) - (siblings.length - 1) / 2);
  }

  // least squares with a distance of at least 1: neighbours that come too close become one block (pool adjacent violators)
  function spread(layer) {
    const blocks = [];
    layer.forEach((node, i) => {
      let block = { first: i, size: 1, mean: node.wish - i };
      while (blocks.length && blocks[blocks.length - 1].mean >= block.mean) {
        const before = blocks.pop(), size = before.size + block.size;
        block = { first: before.first, size, mean: (before.mean * before.size + block.mean * block.size) / size };
      }
      blocks.push(block);
    });
    for (const block of blocks) {
      for (let i = block.first; i < block.first + block.size; i++) layer[i].x = block.mean + i;
    }
  }

  // -- the drawing
  const SVG = "http://www.w3.org/2000/svg";
  let now = 0, shown = -1, layout = null, grow = 1, chosen = null, playing = null, marks = [], links = [];

  function made(name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  const point = (node) => [(node.x - layout.left + 1.5) * STEP, (node.y + 0.8) * high];

  function build() {
    layout = placed(shown);
    const image = made("svg", { viewBox: `0 0 ${layout.wide} ${layout.high}`, "aria-hidden": "true" });
    marks = []; links = [];
    for (const node of layout.all) {
      const [x, y] = point(node);
      if (node.parent !== null) link(node, nodes[node.parent], node.madeAt, "");
      marks.push([node, made("circle", { cx: x, cy: y, r: 6, "data-node": node.number })]);
    }
    for (let i = 1; i < data.path.length; i++) {
      const pair = [nodes[data.path[i - 1]], nodes[data.path[i]]];
      if (pair.every((node) => within(node, shown))) link(pair[0], pair[1], goalAt, "path");
    }
    for (const [line] of links) image.append(line);
    for (const [, circle] of marks) image.append(circle);
    at("tree").replaceChildren(image);
    resize();
  }

  function link(a, b, from, kind) {
    const [x1, y1] = point(a), [x2, y2] = point(b);
    links.push([made("line", { x1, y1, x2, y2 }), from, kind]);
  }

  function resize() {
    const box = at("tree"), image = box.firstChild;
    const fit = Math.min(1.4, (box.clientWidth - 4) / layout.wide, (box.clientHeight - 4) / layout.high);
    const scale = fit * 1.3 ** Number(at("zoom").value);
    image.setAttribute("width", layout.wide * scale);
    image.setAttribute("height", layout.high * scale);
    grow = Math.max(1, 0.22 / scale);
    image.style.setProperty("--grow", grow);
    for (const [node, circle] of marks) circle.setAttribute("r", radius(node));
  }

  function radius(node) {
    const current = node === chosen || node === nodes[events[now][0] === "iteration" ? -1 : events[now][1]];
    return grow * (current ? 8 : node.sameAs !== null && !isExpanded(node) ? 4 : 6);
  }

  function paint() {
    if (trees[now] !== shown) { shown = trees[now]; build(); }
    const current = nodes[events[now][1]];
    const about = events[now][0] === "iteration" ? null : current;
    for (const [line, from, kind] of links) line.setAttribute("class", from > now ? "later" : kind);
    for (const [node, circle] of marks) {
      const classes = [];
      if (node.madeAt > now) classes.push("later");
      if (isExpanded(node)) classes.push("expanded");
      else if (node.sameAs !== null) classes.push("again");
      if (node.cut) classes.push("cut");
      if (node.reopenedAt <= now) classes.push("reopened");
      if (goalAt >= 0 && now >= goalAt && plan.has(node.number)) classes.push("path");
      if (node === chosen) classes.push("chosen");
      if (node === about) classes.push("now");
      circle.setAttribute("class", classes.join(" "));
      circle.setAttribute("r", radius(node));
    }
    at("time").value = now;
    const words = sentence();
    at("time").setAttribute("aria-valuetext", words);
    at("event").textContent = `${now + 1} of ${events.length}: ${words}`;
    details(chosen || about || nodes[0]);
    if (about) follow(about);
  }

  function isExpanded(node) {
    return node.expandedAt.some((time) => time <= now && trees[time] === shown);
  }

  function follow(node) {
    const box = at("tree"), image = box.firstChild, [x, y] = point(node);
    const scale = Number(image.getAttribute("width")) / layout.wide, [left, top] = [x * scale, y * scale];
    if (left < box.scrollLeft + 20 || left > box.scrollLeft + box.clientWidth - 20) box.scrollLeft = left - box.clientWidth / 2;
    if (top < box.scrollTop + 20 || top > box.scrollTop + box.clientHeight - 20) box.scrollTop = top - box.clientHeight / 2;
  }

  function sentence() {
    const [kind, number] = events[now];
    const node = nodes[number];
    if (kind === "iteration") return `iteration ${shown} begins, with the bound ${number}`;
    if (kind === "start") return `node ${number} is ${node.backward ? "a goal state, where the search backwards begins" : "the start"}`;
    if (kind === "goal") return `the goal is reached: ${steps} steps`;
    const figures = node.f === null ? "" : ` (f ${node.f})`;
    if (kind === "expand") return `node ${number} is expanded${figures}`;
    if (kind === "reopen") return `node ${number} is a cheaper way to a state that was expanded before: it is reopened${figures}`;
    return `node ${number} is generated from node ${node.parent} by “${node.label}”${figures}`;
  }

  function details(node) {
    const rows = [["depth", node.depth], ["g", node.g]];
    if (data.informed) rows.push(["h", node.h]);
    if (node.f !== null) rows.push(["f = " + data.f, node.f]);
    if (node.parent !== null) {
      rows.push([node.backward ? "step to" : "from", `node ${node.parent}`], ["step", node.label], ["its cost", node.cost]);
    }
    if (node.sameAs !== null) rows.push(["same state", `node ${node.sameAs}, met before`]);
    rows.push(["status", status(node)]);
    const list = document.createElement("dl");
    for (const [name, value] of rows) {
      const [term, figure] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      figure.textContent = Array.isArray(value) ? value.map((each, i) => `${each} ${data.metric[i]}`).join(", ") : value;
      list.append(term, figure);
    }
    const head = document.createElement("h2");
    head.textContent = `node ${node.number}`;
    at("details").replaceChildren(head, ...picture(node), list);
  }

  function status(node) {
    if (node.madeAt > now) return "not made yet";
    if (goalAt >= 0 && now >= goalAt && node.number === data.path[data.path.length - 1]) return "the goal";
    const times = node.expandedAt.filter((time) => time <= now).length;
    if (times) return times === 1 ? "expanded" : `expanded ${times} times`;
    if (node.cut) return "beyond the bound";
    return node.sameAs !== null ? "a state met before" : "open";
  }

  function picture(node) {
    const board = data.boards[node.board];
    if (!board) return [];
    const [box, elements, lines] = board;
    const [left, top, wide, high] = box;
    const source = `<svg xmlns="${SVG}" viewBox="${left} ${top} ${wide} ${high}" width="${wide}" height="${high}">`
      + elements.map((number) => data.elements[number]).join("") + "</svg>";
    const image = document.createElement("img");
    image.src = "data:image/svg+xml," + encodeURIComponent(source);
    image.alt = "";
    const text = document.createElement("p");
    text.className = "unseen";
    text.textContent = lines;
    return [image, text];
  }

  // -- what people do
  function go(time) { now = Math.max(0, Math.min(events.length - 1, time)); paint(); }
  function pause() {
    clearInterval(playing);
    playing = null;
    at("play").firstChild.data = "\u25B6";
    at("play").lastChild.textContent = "play";
    at("event").setAttribute("aria-live", "polite");
    at("details").setAttribute("aria-live", "polite");
  }
  function play() {
    if (playing !== null) { pause(); return; }
    if (now === events.length - 1) go(0);
    choose(null);
    at("play").firstChild.data = "\u2016";
    at("play").lastChild.textContent = "pause";
    at("event").setAttribute("aria-live", "off");  // nobody could listen as fast
    at("details").setAttribute("aria-live", "off");
    const speed = Number(at("speed").value), stride = Math.max(1, Math.round(speed / 30));
    playing = setInterval(() => { go(now + stride); if (now === events.length - 1) pause(); }, 1000 * stride / speed);
  }
  function choose(node) { chosen = node; paint(); }

  at("time").max = events.length - 1;
  at("time").addEventListener("input", () => { pause(); chosen = null; go(Number(at("time").value)); });
  at("first").addEventListener("click", () => { pause(); chosen = null; go(0); });
  at("back").addEventListener("click", () => { pause(); chosen = null; go(now - 1); });
  at("next").addEventListener("click", () => { pause(); chosen = null; go(now + 1); });
  at("last").addEventListener("click", () => { pause(); chosen = null; go(events.length - 1); });
  at("play").addEventListener("click", play);
  at("speed").addEventListener("change", () => { if (playing !== null) { pause(); play(); } });
  at("zoom").addEventListener("input", () => { resize(); follow(chosen || nodes[events[now][1]] || nodes[0]); });
  window.addEventListener("resize", resize);
  at("tree").addEventListener("click", (event) => {
    const number = event.target.dataset.node;
    pause();
    choose(number === undefined ? null : nodes[number]);
  });
  at("tree").addEventListener("keydown", (event) => {
    const node = chosen || nodes[events[now][0] === "iteration" ? 0 : events[now][1]];
    const seen = (each) => within(each, shown) && each.madeAt <= now;
    const layer = nodes.filter((each) => seen(each) && each.y === node.y).sort((a, b) => a.x - b.x);
    const next = {
      ArrowUp: () => nodes[node.parent],
      ArrowDown: () => node.children.find(seen),
      ArrowLeft: () => layer[layer.indexOf(node) - 1],
      ArrowRight: () => layer[layer.indexOf(node) + 1],
    }[event.key];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    pause();
    const found = next();
    if (found) { choose(found); follow(found); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, button") && event.key !== "Escape") return;
    const work = {
      " ": play,
      ArrowLeft: () => go(now - 1),
      ArrowRight: () => go(now + 1),
      Home: () => go(0),
      End: () => go(events.length - 1),
      Escape: () => choose(null),
    }[event.key];
    if (!work) return;
    event.preventDefault();
    work();
  });
  go(0);
})();
