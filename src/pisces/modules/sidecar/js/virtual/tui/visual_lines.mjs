// Lines of an editor as they are seen: long ones cut into rows, with the place of each row in its line.

import { characters, visibleWidth } from "./width.mjs";

/** A line cut into parts that fit, at blanks where there are some: `{ text, startIndex, endIndex }`. */
export function wordWrapLine(line, maxWidth) {
  if (!line || maxWidth <= 0) return [{ text: "", startIndex: 0, endIndex: 0 }];
  const chunks = [];
  let start = 0;
  let width = 0;
  let at = 0;
  let breakAt = -1;
  for (const { text, width: columns } of characters(line)) {
    if (width + columns > maxWidth && at > start) {
      const end = breakAt > start ? breakAt : at;
      chunks.push({ text: line.slice(start, end), startIndex: start, endIndex: end });
      width = visibleWidth(line.slice(end, at));
      start = end;
      breakAt = -1;
    }
    at += text.length;
    width += columns;
    if (text === " ") breakAt = at;
  }
  chunks.push({ text: line.slice(start), startIndex: start, endIndex: line.length });
  return chunks;
}

/** The rows of all lines: `{ text, startIndex, endIndex, line }`. */
export const visualLines = (lines, width) => lines.flatMap((text, line) => wordWrapLine(text, width).map((chunk) => ({ ...chunk, line })));

/** The row that has the cursor. */
export function rowOfCursor(rows, { cursorLine, cursorCol }) {
  return Math.max(0, rows.findLastIndex((row) => row.line === cursorLine && row.startIndex <= cursorCol));
}

/** Where the cursor comes to lie in a row, at the column wanted or at the row's end. */
export function columnIn(rows, target, wanted) {
  const isLast = rows[target + 1]?.line !== rows[target].line;
  const length = rows[target].endIndex - rows[target].startIndex - (isLast ? 0 : 1);
  return rows[target].startIndex + Math.min(wanted, length);
}

/** The place of a character before or after the cursor, over all lines: `[line, column]`, or null. */
export function placeOf(character, { lines, cursorLine, cursorCol }, direction) {
  for (let line = cursorLine; line >= 0 && line < lines.length; line += direction) {
    const isHere = line === cursorLine;
    const before = isHere ? cursorCol - 1 : lines[line].length;
    const after = lines[line].indexOf(character, isHere ? cursorCol + 1 : 0);
    const found = direction > 0 ? after : before < 0 ? -1 : lines[line].lastIndexOf(character, before);
    if (found >= 0) return [line, found];
  }
  return null;
}
