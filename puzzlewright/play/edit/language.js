// How a puzzle file is coloured: YAML, with the words of expressions in its values.

import { HighlightStyle, StreamLanguage, syntaxHighlighting, tags } from "./codemirror/codemirror.min.js";

const KEYWORDS = new Set(["and", "or", "not", "in", "if", "else", "for"]);
const PROSE = new Set(["puzzle", "about", "otherwise", "label", "caption"]); // keys of texts
const TOKENS = { // what a name of the file is: how it looks
  "type": "typeName", "symbol": "atom", "variable": "variableName", "data": "variableName", "drawn data": "variableName",
  "definition": "macroName", "action": "macroName", "heuristic": "macroName", "invariant": "macroName",
};

// `named` tells what a name of the file is, or nothing.
export function language(named, words) {
  return StreamLanguage.define({
    name: "puzzle",
    startState: () => ({ block: -1, indent: 0, fresh: true, prose: false }),
    copyState: (state) => ({ ...state }),
    token: (stream, state) => token(stream, state, named, words),
    languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"', "'"] } },
  });
}

function token(stream, state, named, words) {
  if (stream.sol()) {
    state.indent = stream.indentation();
    state.fresh = true;
    state.prose = false;
    if (state.block >= 0 && state.indent <= state.block) state.block = -1;
    if (state.block >= 0) {
      stream.skipToEnd();
      return "string";
    }
  }
  if (stream.eatSpace()) return null;
  const before = stream.string[stream.pos - 1];
  if (stream.peek() === "#" && (before === undefined || /\s/.test(before))) {
    stream.skipToEnd();
    return "comment";
  }
  if (state.fresh && stream.match(/^-(?=\s|$)/)) return "punctuation";
  if (state.fresh && stream.match(/^[^\s#"'{}[\]|>&*!%@`,-][^#]*?(?=\s*:(\s|$))/)) {
    state.fresh = false;
    state.prose = PROSE.has(stream.current());
    return "propertyName";
  }
  state.fresh = false;
  if (state.prose && stream.match(/^:(?=\s)/)) return "punctuation";
  if (state.prose && stream.match(/^[^"'|>\s](?:[^#]|\S#)*/)) return "string";
  if (stream.match(/^[\w-]+(?=:\s)/)) return "propertyName";
  if (stream.match(/^[|>][+-]?\d*(?=\s*$)/)) {
    state.block = state.indent;
    return "punctuation";
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^']|'')*'?/)) return "string";
  if (stream.match(/^\d+/)) return "number";
  if (stream.match(/^[A-Za-z_]\w*/)) return word(stream.current(), named, words);
  if (stream.match(/^(?:[=!<>]=?|\.\.|[+*%-]|\/\/)/)) return "operator";
  stream.next();
  return "punctuation";
}

function word(name, named, words) {
  if (KEYWORDS.has(name)) return "keyword";
  const kind = named(name);
  if (kind) return TOKENS[kind] ?? null;
  return Object.hasOwn(words, name) ? "keyword" : null;
}

export const colours = syntaxHighlighting(HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--code-key)", fontWeight: "600" },
  { tag: tags.keyword, color: "var(--code-word)" },
  { tag: tags.string, color: "var(--code-text)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.atom, color: "var(--code-number)" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.macroName, color: "var(--code-name)" },
  { tag: tags.variableName, color: "var(--code-name)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.operator, color: "var(--soft)" },
  { tag: tags.punctuation, color: "var(--soft)" },
]));
