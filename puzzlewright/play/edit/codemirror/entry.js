// What the workshop's page needs of CodeMirror, as one module: README.md says how it is made.

export { Annotation, Compartment, EditorState, Prec, StateEffect, StateField, Transaction } from "@codemirror/state";
export {
  Decoration, EditorView, crosshairCursor, drawSelection, dropCursor, highlightActiveLine, highlightActiveLineGutter,
  highlightSpecialChars, hoverTooltip, keymap, lineNumbers, rectangularSelection,
} from "@codemirror/view";
export {
  HighlightStyle, StreamLanguage, bracketMatching, codeFolding, foldGutter, foldKeymap, foldService, indentOnInput,
  indentUnit, syntaxHighlighting,
} from "@codemirror/language";
export { defaultKeymap, history, historyKeymap, indentWithTab, invertedEffects, isolateHistory } from "@codemirror/commands";
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion } from "@codemirror/autocomplete";
export { forEachDiagnostic, lintGutter, lintKeymap, nextDiagnostic, openLintPanel, setDiagnostics } from "@codemirror/lint";
export { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
export { MergeView } from "@codemirror/merge";
export { tags } from "@lezer/highlight";
