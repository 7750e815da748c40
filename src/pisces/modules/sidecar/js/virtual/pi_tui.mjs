// What `pi-tui` exports: components that draw lines, keys, widths.

export { CombinedAutocompleteProvider } from "./tui/autocomplete.mjs";
export * from "./tui/boxes.mjs";
export { Editor } from "./tui/editor.mjs";
export * from "./tui/fuzzy.mjs";
export * from "./tui/image.mjs";
export { Input } from "./tui/input.mjs";
export * from "./tui/keybindings.mjs";
export * from "./tui/keys.mjs";
export * from "./tui/lists.mjs";
export * from "./tui/loader.mjs";
export { Markdown } from "./tui/markdown.mjs";
export * from "./tui/screen.mjs";
export { wordWrapLine } from "./tui/visual_lines.mjs";
export { normalizeTerminalOutput, padded, stripTerminalSequences, visibleWidth } from "./tui/width.mjs";
export * from "./tui/wrap.mjs";
