// What the workshop's page needs of CodeMirror, as one module: README.md says how it is made.

export { Compartment, EditorState, Prec } from "@codemirror/state";
export {
  Decoration, EditorView, drawSelection, dropCursor, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars,
  hoverTooltip, keymap, lineNumbers, rectangularSelection,
} from "@codemirror/view";
export { HighlightStyle, StreamLanguage, bracketMatching, indentService, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export {
  acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus,
  moveCompletionSelection, selectedCompletionIndex,
} from "@codemirror/autocomplete";
export { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
export { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
export { MergeView } from "@codemirror/merge";
export { tags } from "@lezer/highlight";
