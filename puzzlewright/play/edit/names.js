// What may stand at a place of the text: keys by the schema, names of the file, words of the language.

// The keys that lead to a line, by indentation: ["actions", "move", "when"] for what stands below `when`.
export function pathAt(doc, number, indent) {
  const path = [];
  let edge = indent;
  for (let line = number - 1; line >= 1 && edge > 0; line -= 1) {
    const text = doc.line(line).text;
    const found = /^(\s*)(?:- )?("[^"]*"|'[^']*'|[^\s#"'][^#]*?)\s*:(?:\s|$)/.exec(text);
    if (!text.trim() || text.trimStart().startsWith("#") || /^\s*/.exec(text)[0].length >= edge) continue;
    edge = /^\s*/.exec(text)[0].length;
    if (found) path.unshift(found[2].replace(/^["']|["']$/g, ""));
  }
  return path;
}

// The parts of the schema that hold below these keys.
export function partsAt(schema, path) {
  let parts = unfolded(schema, schema);
  for (const key of path) parts = parts.flatMap((part) => below(part, key)).flatMap((part) => unfolded(schema, part));
  return parts;
}

function below(part, key) {
  const named = part.properties?.[key];
  const others = typeof part.additionalProperties === "object" ? [part.additionalProperties] : [];
  return [...(named ? [named] : others), ...(part.items ? below(part.items, key) : [])];
}

function unfolded(schema, part) {
  const described = (each) => ({ ...each, description: each.description ?? part.description });
  if (part.$ref) return unfolded(schema, described(schema.$defs[part.$ref.split("/").pop()]));
  const inner = [...(part.anyOf ?? []), ...(part.items ? [part.items] : [])];
  return [part, ...inner.flatMap((each) => unfolded(schema, each))];
}

// The keys that may stand there, with what the schema says of them.
export function keysAt(schema, path) {
  const found = new Map();
  for (const part of partsAt(schema, path)) {
    for (const [key, value] of Object.entries(part.properties ?? {})) {
      if (!found.has(key)) found.set(key, value.description ?? schema.$defs[value.$ref?.split("/").pop()]?.description ?? "");
    }
  }
  return found;
}

// CodeMirror's completions at a place: keys where a line begins, names behind a colon.
export function completions(context, { schema, words, names }) {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const typed = /[\w-]*$/.exec(before)[0];
  if (!typed && !context.explicit) return null;
  if (/(^|\s)#/.test(before) || inText(before)) return null;
  const atKey = /^\s*(?:- )?[\w-]*$/.test(before);
  const indent = /^\s*/.exec(before)[0].length;
  const path = pathAt(context.state.doc, line.number, indent);
  const options = atKey ? keyOptions(schema, path, names) : [...wordOptions(schema, path, before), ...nameOptions(words, names)];
  return options.length ? { from: context.pos - typed.length, options, validFor: /^[\w-]*$/ } : null;
}

const inText = (before) => (before.replace(/\\./g, "").match(/"/g) ?? []).length % 2 === 1;

function keyOptions(schema, path, names) {
  const keys = [...keysAt(schema, path)].map(([key, says]) => ({ label: key, type: "property", info: says || undefined, apply: `${key}: ` }));
  const inEffect = path.some((key) => ["effect", "then", "state"].includes(key));
  const targets = inEffect ? names.filter((name) => name.kind === "variable").map(option) : [];
  const inList = ["goal", "always", "require", "dead", "when"].includes(path.at(-1)) ? names.map(option) : [];
  return [...keys, ...targets, ...inList];
}

// The words that the schema has for the value of a key, as `look: player`.
function wordOptions(schema, path, before) {
  const key = /^\s*([\w-]+):/.exec(before)?.[1];
  const words = key ? partsAt(schema, [...path, key]).flatMap((part) => part.examples ?? []) : [];
  return [...new Set(words)].map((word) => ({ label: word, type: "enum", detail: key, boost: 10 }));
}

const nameOptions = (words, names) => [
  ...names.map(option),
  ...Object.entries(words).map(([word, [form, says]]) => ({ label: word, type: "keyword", detail: form === word ? "" : form, info: says, boost: -10 })),
];

const TYPES = { type: "type", variable: "variable", data: "constant", "drawn data": "constant", definition: "function", action: "function", symbol: "enum" };
const option = ({ name, kind, says }) => ({ label: name, type: TYPES[kind] ?? "text", detail: kind, info: says });

// What is said of the word at a place: { title, says } or nothing.
export function meaning(doc, pos, { schema, words, names }) {
  const line = doc.lineAt(pos);
  const [from, to] = wordAround(line.text, pos - line.from);
  const word = line.text.slice(from, to);
  if (!word) return null;
  const place = { from: line.from + from, to: line.from + to };
  const isKey = /^\s*(?:- )?$/.test(line.text.slice(0, from)) && /^\s*:(\s|$)/.test(line.text.slice(to));
  const key = isKey || /^:(\s|$)/.test(line.text.slice(to)) ? keysAt(schema, pathAt(doc, line.number, from)).get(word) : undefined;
  if (key) return { ...place, title: word, says: key };
  const name = names.find((each) => each.name === word);
  if (name) return { ...place, title: `${name.kind}, line ${name.line}`, says: name.says };
  return Object.hasOwn(words, word) ? { ...place, title: words[word][0], says: words[word][1] } : null;
}

function wordAround(text, at) {
  let [from, to] = [at, at];
  while (from > 0 && /[\w-]/.test(text[from - 1])) from -= 1;
  while (to < text.length && /[\w-]/.test(text[to])) to += 1;
  return [from, to];
}
