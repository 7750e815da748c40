// What `pi-coding-agent` exports: the built-in tools, messages and transcripts, themes and components, places.

export * from "./agent/clipboard.mjs";
export * from "./agent/pictures.mjs";
export * from "./agent/components.mjs";
export * from "./agent/conversation.mjs";
export { generateDiffString, generateUnifiedPatch } from "./agent/diff.mjs";
export * from "./agent/file_queue.mjs";
export { parseFrontmatter, stripFrontmatter } from "./agent/frontmatter.mjs";
export { uuidv7 } from "./agent/ids.mjs";
export * from "./agent/places.mjs";
export * from "./agent/registries.mjs";
export { SettingsManager } from "./agent/settings.mjs";
export * from "./agent/session_manager.mjs";
export * from "./agent/skills.mjs";
export * from "./agent/theme.mjs";
export * from "./agent/tool_events.mjs";
export * from "./agent/tools/index.mjs";
export * from "./agent/truncation.mjs";
export * from "./agent/trust.mjs";
export { Type } from "./typebox.mjs";
export { KeybindingsManager } from "./tui/keybindings.mjs";
export { Text } from "./tui/boxes.mjs";
export { truncateToWidth, wrapTextWithAnsi } from "./tui/wrap.mjs";
export { visibleWidth } from "./tui/width.mjs";
export { fuzzyFilter, fuzzyMatch } from "./tui/fuzzy.mjs";
