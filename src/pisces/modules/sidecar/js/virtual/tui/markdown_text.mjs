// Markdown read into blocks and inline parts: the subset that people write in messages, in one pass over the lines.

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)(.*)$/;
const TABLE_RULE = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** The blocks of a text: heading, paragraph, code, quote, rule, list, table, space. */
export function blocks(text) {
  const reader = { lines: text.split("\n"), at: 0 };
  const found = [];
  while (reader.at < reader.lines.length) found.push(nextBlock(reader));
  return found;
}

function nextBlock(reader) {
  const line = reader.lines[reader.at];
  if (!line.trim()) return blankLines(reader);
  if (FENCE.test(line)) return fenced(reader);
  const heading = HEADING.exec(line);
  if (heading) return { kind: "heading", depth: heading[1].length, text: heading[2] ?? "", advance: reader.at++ };
  if (RULE.test(line)) return { kind: "rule", advance: reader.at++ };
  if (QUOTE.test(line)) return quote(reader);
  if (ITEM.test(line)) return list(reader);
  if (isTable(reader)) return table(reader);
  return paragraph(reader);
}

function blankLines(reader) {
  while (reader.at < reader.lines.length && !reader.lines[reader.at].trim()) reader.at++;
  return { kind: "space" };
}

function fenced(reader) {
  const [, fence, language] = FENCE.exec(reader.lines[reader.at++]);
  const code = [];
  while (reader.at < reader.lines.length && !reader.lines[reader.at].trimStart().startsWith(fence)) code.push(reader.lines[reader.at++]);
  reader.at++;
  return { kind: "code", language: language.trim().split(/\s/)[0], text: code.join("\n") };
}

function quote(reader) {
  const inner = [];
  while (reader.at < reader.lines.length && reader.lines[reader.at].trim()) {
    const line = reader.lines[reader.at];
    if (!QUOTE.test(line) && startsBlock(line)) break;
    inner.push(QUOTE.exec(line)?.[1] ?? line);
    reader.at++;
  }
  return { kind: "quote", blocks: blocks(inner.join("\n")) };
}

const startsBlock = (line) => [FENCE, HEADING, RULE, QUOTE, ITEM].some((pattern) => pattern.test(line));

function list(reader) {
  const [, , marker] = ITEM.exec(reader.lines[reader.at]);
  const isOrdered = /\d/.test(marker);
  const items = [];
  let isLoose = false;
  while (reader.at < reader.lines.length) {
    const match = ITEM.exec(reader.lines[reader.at]);
    if (!match || /\d/.test(match[2]) !== isOrdered || RULE.test(reader.lines[reader.at])) break;
    const item = listItem(reader, match);
    isLoose ||= item.isFollowedByBlank && ITEM.test(reader.lines[reader.at] ?? "");
    items.push(item);
  }
  if (items.at(-1).isFollowedByBlank && reader.at < reader.lines.length) reader.at--; // the blank line parts the list from what follows
  return { kind: "list", isOrdered, isLoose, start: isOrdered ? Number.parseInt(marker, 10) : 1, items };
}

function listItem(reader, [whole, indent, marker, gap, first]) {
  const width = whole ? indent.length + marker.length + Math.min(gap.length || 1, 4) : 2;
  const lines = [first];
  let isFollowedByBlank = false;
  reader.at++;
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at];
    const isIndented = line.search(/\S/) >= Math.min(width, 2) && line.search(/\S/) > indent.length;
    if (!line.trim()) isFollowedByBlank = true;
    else if (!isIndented && (isFollowedByBlank || startsBlock(line))) break;
    else isFollowedByBlank = false;
    lines.push(line.slice(Math.min(width, Math.max(0, line.search(/\S/)))));
    reader.at++;
  }
  const task = /^\[([ xX])\]\s+/.exec(first);
  if (task) lines[0] = first.slice(task[0].length);
  return { task: task ? (task[1] === " " ? "[ ] " : "[x] ") : "", blocks: blocks(lines.join("\n").trimEnd()), isFollowedByBlank };
}

const isTable = ({ lines, at }) => lines[at].includes("|") && TABLE_RULE.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("-") && /\|/.test(lines[at + 1]);
const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));

function table(reader) {
  const header = cells(reader.lines[reader.at]);
  const rows = [];
  reader.at += 2;
  while (reader.at < reader.lines.length && reader.lines[reader.at].includes("|")) rows.push(cells(reader.lines[reader.at++]));
  return { kind: "table", header, rows: rows.map((row) => header.map((_, column) => row[column] ?? "")) };
}

function paragraph(reader) {
  const lines = [];
  while (reader.at < reader.lines.length) {
    const line = reader.lines[reader.at];
    const isNumbered = /^ {0,3}\d/.test(line) && !/^ {0,3}1[.)]/.test(line);
    if (!line.trim() || (lines.length && startsBlock(line) && !isNumbered)) break;
    lines.push(line.trimStart());
    reader.at++;
  }
  return { kind: "paragraph", text: lines.join("\n").trimEnd() };
}

const INLINE = [
  ["escape", /^\\([!-/:-@[-`{-~])/],
  ["code", /^(`+)([\s\S]*?[^`])\1(?!`)/],
  ["image", /^!\[([^\]]*)\]\(([^)\s]*)[^)]*\)/],
  ["link", /^\[((?:[^\[\]]|\[[^\]]*\])*)\]\(<?([^)\s>]*)>?(?:\s+["'(][^)]*["')])?\)/],
  ["address", /^<((?:https?|mailto):[^>\s]+)>/],
  ["address", /^(https?:\/\/[^\s<>]*[^\s<>.,;:!?'")\]])/],
  ["both", /^(\*\*\*|___)(?=\S)([\s\S]*?\S)\1/],
  ["bold", /^(\*\*|__)(?=\S)([\s\S]*?\S)\1(?!\*)/],
  ["strike", /^(~~)(?=\S)([\s\S]*?\S)\1/],
  ["italic", /^([*_])(?=[^\s*_])((?:\*\*[\s\S]*?\*\*|[\s\S])*?[^\s*])\1(?![\w*])/],
];

/** The inline parts of a text: text, code, link, image, bold, italic, strike. */
export function inline(text) {
  const parts = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const found = inlineAt(text, at);
    if (!found) {
      plain += text[at++];
      continue;
    }
    if (found.part.kind === "text") plain += found.part.text;
    else {
      if (plain) parts.push({ kind: "text", text: plain });
      parts.push(found.part);
      plain = "";
    }
    at += found.length;
  }
  if (plain) parts.push({ kind: "text", text: plain });
  return parts;
}

function inlineAt(text, at) {
  if (!/[\\`!\[<h*_~]/.test(text[at])) return null;
  const isInsideWord = at > 0 && /\w/.test(text[at - 1]);
  if (isInsideWord && /[_h]/.test(text[at])) return null;
  const rest = text.slice(at);
  for (const [kind, pattern] of INLINE) {
    const match = pattern.exec(rest);
    if (match) return { part: partOf(kind, match), length: match[0].length };
  }
  return null;
}

function partOf(kind, [, first, second]) {
  if (kind === "escape") return { kind: "text", text: first };
  if (kind === "code") return { kind: "code", text: second.trim() || second };
  if (kind === "image") return { kind: "text", text: first };
  if (kind === "address") return { kind: "link", address: first, parts: [{ kind: "text", text: first }] };
  if (kind === "link") return { kind: "link", address: second, parts: inline(first) };
  if (kind === "both") return { kind: "italic", parts: [{ kind: "bold", parts: inline(second) }] };
  return { kind, parts: inline(second) };
}
