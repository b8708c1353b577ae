// The text that is written: CodeMirror in a shadow root, since the page's policy forbids style elements.

import {
  Compartment, EditorState, EditorView, MergeView, Prec, acceptCompletion, autocompletion, bracketMatching, closeBrackets,
  closeBracketsKeymap, completionKeymap, completionStatus, defaultKeymap, drawSelection, dropCursor, highlightActiveLine,
  highlightActiveLineGutter, highlightSelectionMatches, highlightSpecialChars, history, historyKeymap, hoverTooltip, indentService,
  indentUnit, indentWithTab, keymap, lineNumbers, lintGutter, lintKeymap, moveCompletionSelection, rectangularSelection, search,
  searchKeymap, selectedCompletionIndex, setDiagnostics,
} from "./codemirror/codemirror.min.js";
import { make } from "../dom.js";
import { colours, language } from "./language.js";
import { completions, meaning } from "./names.js";

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--raised)", color: "var(--ink)", fontSize: "14px" },
  ".cm-scroller": { fontFamily: '"DejaVu Sans Mono", Menlo, Consolas, monospace', lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)", paddingBlock: ".6rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "var(--code-chosen) !important" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code-line)" },
  ".cm-selectionMatch, .cm-matchingBracket": { backgroundColor: "var(--code-chosen) !important" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: ".5rem", boxShadow: "0 6px 24px rgb(0 0 0 / .2)", maxWidth: "min(32rem, 92vw)", overflow: "hidden" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent) !important", color: "var(--on-accent) !important" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: ".75" },
  ".cm-completionInfo": { maxWidth: "18rem", padding: ".4rem .6rem" },
  ".cm-meaning": { padding: ".35rem .6rem", font: "14px/1.4 system-ui, 'DejaVu Sans', sans-serif" },
  ".cm-meaning b": { display: "block" },
  ".cm-diagnostic": { padding: ".4rem .7rem", font: "14px/1.4 system-ui, 'DejaVu Sans', sans-serif", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1.5px", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--code-word) 1.5px", textUnderlineOffset: "3px" },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panels input, .cm-panels button": { backgroundImage: "none", backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-collapsedLines": { backgroundImage: "none", backgroundColor: "var(--code-line)", color: "var(--soft)" },
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '"⋯"' },
  ".cm-mergeView &": { height: "auto" },
});

const common = () => [
  highlightSpecialChars(), history(), drawSelection(), indentUnit.of("  "), bracketMatching(), closeBrackets(), search({ top: true }),
  highlightSelectionMatches(), colours, look, EditorState.tabSize.of(2),
];
const keys = [...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab];

// Tab takes what is offered; Enter does so only where it was chosen by arrows, so that it can end a line always.
const take = Prec.high(keymap.of([{
  key: "Tab",
  run(view) {
    if (completionStatus(view.state) !== "active") return false;
    if (selectedCompletionIndex(view.state) === null) moveCompletionSelection(true)(view);
    return acceptCompletion(view);
  },
}]));

// A new line stands as the one before it, and below a key without a value two further.
const indents = indentService.of((context, pos) => {
  const line = context.lineAt(pos, -1);
  return /^\s*/.exec(line.text)[0].length + (/:\s*(#.*)?$/.test(line.text) ? 2 : 0);
});

export class Writing {
  constructor(parent, changed) {
    this.known = { schema: { $defs: {} }, words: {}, names: [] };
    this.coloured = new Compartment();
    this.kinds = new Map();
    const root = parent.attachShadow({ mode: "open" });
    const told = EditorView.updateListener.of((update) => update.docChanged && changed());
    this.view = new EditorView({ root, parent: root, extensions: [this.#extensions(), told] });
    new ResizeObserver(() => this.#keepInSight()).observe(parent);
  }

  // What comes below the text takes room away from it, and not the line that is written.
  #keepInSight() {
    if (this.view.hasFocus) this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head) });
  }

  #extensions() {
    const label = { "aria-label": "the puzzle file", tabindex: "0", spellcheck: "false", autocorrect: "off", autocapitalize: "off" };
    return [
      lineNumbers(), lintGutter(), ...common(), dropCursor(), rectangularSelection(), highlightActiveLine(), highlightActiveLineGutter(),
      EditorView.contentAttributes.of(label), this.coloured.of(this.#language()), take, indents, keymap.of(keys),
      autocompletion({ override: [(context) => completions(context, this.known)], icons: false, selectOnOpen: false, interactionDelay: 0 }),
      hoverTooltip((view, pos) => this.#hover(view, pos)),
    ];
  }

  #language() {
    return language((name) => this.kinds.get(name), this.known.words);
  }

  #hover(view, pos) {
    const found = meaning(view.state.doc, pos, this.known);
    if (!found) return null;
    const dom = () => make("div", { className: "cm-meaning" }, make("b", {}, found.title), found.says);
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: dom() }) };
  }

  get text() {
    return this.view.state.doc.toString();
  }

  // Another text, as one change that can be undone; what is alike at both ends stays, and so does the cursor there.
  set text(text) {
    const [now, next] = [this.text, text.replace(/\r\n?/g, "\n")];
    if (now === next) return;
    let [from, back] = [0, 0];
    while (from < Math.min(now.length, next.length) && now[from] === next[from]) from += 1;
    while (back < Math.min(now.length, next.length) - from && now.at(-1 - back) === next.at(-1 - back)) back += 1;
    this.view.dispatch({ changes: { from, to: now.length - back, insert: next.slice(from, next.length - back) } });
  }

  // The schema and the words of the language, which stay.
  learn({ schema, words }) {
    this.known = { ...this.known, schema, words };
    this.#recolour();
  }

  // The names of the text, as it could last be read.
  set names(names) {
    const kinds = new Map(names.map(({ name, kind }) => [name, kind]));
    const same = kinds.size === this.kinds.size && [...kinds].every(([name, kind]) => this.kinds.get(name) === kind);
    this.known = { ...this.known, names };
    this.kinds = kinds;
    if (!same) this.#recolour();
  }

  #recolour() {
    this.view.dispatch({ effects: this.coloured.reconfigure(this.#language()) });
  }

  // Mark complaints at their places, with their hints.
  mark(complaints) {
    const marks = complaints.filter((each) => each.line).map((each) => ({ ...this.#stretch(each), severity: each.severity, message: each.message, renderMessage: () => said(each) }));
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  // A stretch of a line, whose letters are counted from 1 as the reader counts them.
  #stretch({ line, column, length }) {
    const { doc } = this.view.state;
    const row = doc.line(Math.min(line, doc.lines));
    const letters = [...row.text];
    const units = (count) => letters.slice(0, count).join("").length;
    const from = row.from + units(column - 1);
    return { from, to: Math.max(Math.min(row.from + units(column - 1 + length), row.to), from) };
  }

  // Put the cursor there, and look at it.
  goTo(place) {
    const { from, to } = this.#stretch(place);
    this.view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
    this.view.focus();
  }
}

const said = ({ message, hint, code }) => {
  const parts = [make("span", {}, message), ...(hint ? [make("span", {}, `\n${hint}`)] : []), ...(code ? [make("small", {}, `  ${code}`)] : [])];
  return make("div", {}, ...parts);
};

// Two texts beside each other: theirs, and ours, which may be changed.
export class Both {
  constructor(parent) {
    this.root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  }

  show(theirs, mine) {
    this.merge?.destroy();
    const extensions = [lineNumbers(), ...common(), language(() => null, {}), keymap.of(keys), EditorView.lineWrapping];
    const fixed = [EditorState.readOnly.of(true), EditorView.editable.of(false)];
    this.merge = new MergeView({
      a: { doc: theirs, extensions: [...extensions, ...fixed, EditorView.contentAttributes.of({ "aria-label": "theirs", tabindex: "0" })] },
      b: { doc: mine, extensions: [...extensions, EditorView.contentAttributes.of({ "aria-label": "yours", tabindex: "0" })] },
      root: this.root, parent: this.root, revertControls: "a-to-b", collapseUnchanged: { margin: 3 },
    });
  }

  get text() {
    return this.merge.b.state.doc.toString();
  }
}
