// What `pi-natives` of omp exports and can be done without native code: widths, keys, the clipboard, files by pattern.

export { copyToClipboard } from "./agent/clipboard.mjs";
export { matchesKey, parseKey } from "./tui/keys.mjs";
export { visibleWidth } from "./tui/width.mjs";
export { sliceWithWidth, wrapTextWithAnsi } from "./tui/wrap.mjs";
import { truncateToWidth as cut } from "./tui/wrap.mjs";

const CHARACTERS_PER_TOKEN = 4;
const MARKS = ["…", "...", ""];

export const Ellipsis = Object.freeze({ Unicode: 0, Ascii: 1, Omit: 2 });
export const FileType = Object.freeze({ File: 1, Dir: 2, Symlink: 3 });
export const GrepOutputMode = Object.freeze({ Content: "content", Count: "count", FilesWithMatches: "filesWithMatches" });
export const countTokens = (text) => Math.ceil([text].flat().join("").length / CHARACTERS_PER_TOKEN);
export const truncateToWidth = (text, width, ellipsis = Ellipsis.Unicode, pad = false) => cut(text, width, MARKS[ellipsis] ?? ellipsis, pad);
