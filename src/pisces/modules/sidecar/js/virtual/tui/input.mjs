// A line of text to edit: cursor, words, undo, kill and yank; scrolls sideways when it is too long.

import { CURSOR_MARKER } from "./boxes.mjs";
import { getKeybindings } from "./keybindings.mjs";
import { decodePrintableKey } from "./keys.mjs";
import { characters, visibleWidth } from "./width.mjs";

const PROMPT = "> ";
const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
let wordSegments; // made when first needed: making one is slow

const clusters = (text) => [...characters(text)].map((each) => each.text);
export const previousBoundary = (text, at) => at - (clusters(text.slice(0, at)).at(-1)?.length ?? 0);
export const nextBoundary = (text, at) => at + (clusters(text.slice(at))[0]?.length ?? 0);

const isBlank = (segment) => /^\s+$/.test(segment);
const segmentsOf = (text) => [...(wordSegments ??= new Intl.Segmenter(undefined, { granularity: "word" })).segment(text)].map((each) => ({ text: each.segment, isWord: Boolean(each.isWordLike) }));

/** How many of the segments one step over a word takes: the blanks first, then a word or a run of punctuation. */
function stepLength(segments) {
  let at = 0;
  let length = 0;
  while (at < segments.length && isBlank(segments[at].text)) length += segments[at++].text.length;
  if (at < segments.length && segments[at].isWord) return length + segments[at].text.length;
  while (at < segments.length && !segments[at].isWord && !isBlank(segments[at].text)) length += segments[at++].text.length;
  return length;
}

export const previousWord = (text, at) => at - stepLength(segmentsOf(text.slice(0, at)).reverse());
export const nextWord = (text, at) => at + stepLength(segmentsOf(text.slice(at)));

/** What a paste says, once the terminal has sent all of it; `text` is undefined while it has not. */
export class Paste {
  #buffer = null;

  /** Returns null where `data` is no paste, else `{ text, rest }`. */
  take(data) {
    if (this.#buffer === null && !data.includes(PASTE_START)) return null;
    this.#buffer = (this.#buffer ?? "") + data.replace(PASTE_START, "");
    const end = this.#buffer.indexOf(PASTE_END);
    if (end < 0) return { text: undefined, rest: "" };
    const taken = { text: this.#buffer.slice(0, end), rest: this.#buffer.slice(end + PASTE_END.length) };
    this.#buffer = null;
    return taken;
  }
}

/** What was deleted last, to be put back; deletions in a row are one entry. */
export class KillRing {
  entries = [];

  push(text, options) {
    if (!text) return;
    const last = options.isContinued ? this.entries.pop() : undefined;
    this.entries.push(last === undefined ? text : options.isBackward ? text + last : last + text);
  }

  rotate() {
    if (this.entries.length > 1) this.entries.unshift(this.entries.pop());
  }

  get last() {
    return this.entries.at(-1) ?? "";
  }
}

/** The text that a key press inserts, or undefined. */
export function insertable(data) {
  const decoded = decodePrintableKey(data);
  if (decoded !== undefined) return decoded;
  return /[\x00-\x1f\x7f\x80-\x9f]/.test(data) ? undefined : data;
}

export class Input {
  value = "";
  cursor = 0;
  focused = false;
  #paste = new Paste();
  #kills = new KillRing();
  #undo = [];
  #last = "";

  getValue() {
    return this.value;
  }

  setValue(value) {
    this.value = value;
    this.cursor = Math.min(this.cursor, value.length);
  }

  invalidate() {}

  handleInput(data) {
    const paste = this.#paste.take(data);
    if (!paste) return this.#key(data);
    if (paste.text !== undefined) this.#insert(paste.text.replace(/\r\n|\r|\n/g, "").replaceAll("\t", "    "));
    return paste.rest ? this.handleInput(paste.rest) : undefined;
  }

  #key(data) {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel")) return this.onEscape?.();
    if (keys.matches(data, "tui.input.submit") || data === "\n") return this.onSubmit?.(this.value);
    const action = Object.keys(ACTIONS).find((name) => keys.matches(data, `tui.editor.${name}`));
    if (action) return ACTIONS[action](this);
    const text = insertable(data);
    return text === undefined ? undefined : this.#insert(text);
  }

  #insert(text, kind = "type") {
    if (this.#last !== "type" || kind !== "type" || isBlank(text)) this.#remember();
    this.value = this.value.slice(0, this.cursor) + text + this.value.slice(this.cursor);
    this.cursor += text.length;
    this.#last = kind;
  }

  #remember() {
    this.#undo.push({ value: this.value, cursor: this.cursor });
  }

  moveTo(cursor) {
    this.cursor = cursor;
    this.#last = "";
  }

  delete(from, to) {
    if (from === to) return;
    this.#remember();
    this.value = this.value.slice(0, from) + this.value.slice(to);
    this.cursor = from;
    this.#last = "";
  }

  kill(from, to) {
    if (from === to) return;
    this.#kills.push(this.value.slice(from, to), { isContinued: this.#last === "kill", isBackward: to === this.cursor });
    this.delete(from, to);
    this.#last = "kill";
  }

  yank() {
    if (this.#kills.last) this.#insert(this.#kills.last, "yank");
  }

  yankPop() {
    if (this.#last !== "yank" || this.#kills.entries.length < 2) return;
    const length = this.#kills.last.length;
    this.delete(this.cursor - length, this.cursor);
    this.#kills.rotate();
    this.#insert(this.#kills.last, "yank");
  }

  undo() {
    Object.assign(this, this.#undo.pop() ?? {});
    this.#last = "";
  }

  render(width) {
    const room = width - PROMPT.length;
    if (room <= 0) return [PROMPT];
    const { text, cursor } = visiblePart(this.value, this.cursor, room);
    const under = clusters(text.slice(cursor))[0] ?? " ";
    const marker = this.focused ? CURSOR_MARKER : "";
    const line = `${text.slice(0, cursor)}${marker}\x1b[7m${under}\x1b[27m${text.slice(cursor + under.length)}`;
    return [PROMPT + line + " ".repeat(Math.max(0, room - visibleWidth(line)))];
  }
}

const ACTIONS = {
  undo: (input) => input.undo(),
  deleteCharBackward: (input) => input.delete(previousBoundary(input.value, input.cursor), input.cursor),
  deleteCharForward: (input) => input.delete(input.cursor, nextBoundary(input.value, input.cursor)),
  deleteWordBackward: (input) => input.kill(previousWord(input.value, input.cursor), input.cursor),
  deleteWordForward: (input) => input.kill(input.cursor, nextWord(input.value, input.cursor)),
  deleteToLineStart: (input) => input.kill(0, input.cursor),
  deleteToLineEnd: (input) => input.kill(input.cursor, input.value.length),
  yank: (input) => input.yank(),
  yankPop: (input) => input.yankPop(),
  cursorLeft: (input) => input.moveTo(previousBoundary(input.value, input.cursor)),
  cursorRight: (input) => input.moveTo(nextBoundary(input.value, input.cursor)),
  cursorLineStart: (input) => input.moveTo(0),
  cursorLineEnd: (input) => input.moveTo(input.value.length),
  cursorWordLeft: (input) => input.moveTo(previousWord(input.value, input.cursor)),
  cursorWordRight: (input) => input.moveTo(nextWord(input.value, input.cursor)),
};

/** The part of the value around the cursor that fits, with the cursor's place in it. */
function visiblePart(value, cursor, room) {
  if (visibleWidth(value) < room) return { text: value, cursor };
  const columns = cursor === value.length ? room - 1 : room;
  const before = [...characters(value.slice(0, cursor))];
  const after = [...characters(value.slice(cursor))];
  const half = Math.floor(columns / 2);
  const wanted = Math.max(half, columns - after.reduce((sum, each) => sum + each.width, 0));
  const left = fitting([...before].reverse(), wanted).reverse();
  const right = fitting(after, columns - left.reduce((sum, each) => sum + each.width, 0));
  const head = left.map((each) => each.text).join("");
  return { text: head + right.map((each) => each.text).join(""), cursor: head.length };
}

function fitting(parts, room) {
  let width = 0;
  return parts.filter((each) => (width += each.width) <= room);
}
