// Wrapping and cutting of styled text: a line never gets wider than asked, and styles go on over the break.

import { Styles } from "./styles.mjs";
import { pieces, visibleWidth } from "./width.mjs";

const RESET = "\x1b[0m";
const BREAKS_ANYWHERE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;

export function wrapTextWithAnsi(text, width) {
  if (!text) return [""];
  const styles = new Styles();
  const lines = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const opening = lines.length ? styles.opening() : "";
    lines.push(...wrappedLine(opening + line, width));
    readSequences(line, styles);
  }
  return lines;
}

function readSequences(text, styles) {
  if (!text.includes("\x1b")) return;
  for (const piece of pieces(text)) if (piece.width < 0) styles.read(piece.text);
}

function wrappedLine(line, width) {
  if (visibleWidth(line) <= width) return [line];
  const wrapper = new Wrapper(Math.max(1, width));
  for (const word of PLAIN.test(line) ? plainWords(line) : words(line)) wrapper.add(word);
  return wrapper.finished();
}

const PLAIN = /^[\x20-\x7e]*$/;
const plainWord = (text) => ({ text, width: text.length, isBlank: text[0] === " ", isAlone: false });
const plainWords = (line) => line.match(/ +|[^ ]+/g).map(plainWord);
const MAY_HAVE_BLANKS = /\x1b[^[]/; // a link or a title

/** Runs of blanks and of other characters; a sequence belongs to the run after it. Most runs are plain, and known at once. */
function* words(line) {
  let before = "";
  for (const run of MAY_HAVE_BLANKS.test(line) ? [line] : line.match(/ +|[^ ]+/g)) {
    if (PLAIN.test(run)) {
      const word = plainWord(run);
      yield before ? { ...word, text: before + run } : word;
      before = "";
    } else before = yield* piecewise(before + run);
  }
  if (before) yield { isBlank: false, isAlone: false, width: 0, text: before };
}

/** The words of a run, character by character; returns the sequences at its end. */
function* piecewise(run) {
  let word = null;
  let before = "";
  for (const piece of pieces(run)) {
    if (piece.width < 0) {
      before += piece.text;
      continue;
    }
    const isBlank = piece.text === " ";
    const isAlone = piece.text > "\x7f" && BREAKS_ANYWHERE.test(piece.text);
    if (word && (word.isBlank !== isBlank || isAlone || word.isAlone)) {
      yield word;
      word = null;
    }
    word ??= { isBlank, isAlone, width: 0, text: "" };
    word.text += before + piece.text;
    word.width += piece.width;
    before = "";
  }
  if (word) yield word;
  return before;
}

class Wrapper {
  constructor(width) {
    this.limit = width;
    this.styles = new Styles();
    this.lines = [];
    this.line = "";
    this.width = 0;
  }

  add(word) {
    if (this.width + word.width > this.limit && this.width > 0) {
      this.#endLine();
      if (word.isBlank) {
        readSequences(word.text, this.styles);
        this.line = this.styles.opening();
        return;
      }
    }
    if (this.width + word.width > this.limit) for (const piece of pieces(word.text)) this.#append(piece);
    else this.#appendWhole(word);
  }

  #appendWhole(word) {
    readSequences(word.text, this.styles);
    this.line += word.text;
    this.width += word.width;
  }

  #append(piece) {
    if (piece.width < 0) this.styles.read(piece.text);
    else if (this.width + piece.width > this.limit && this.width > 0) this.#endLine();
    this.line += piece.text;
    this.width += Math.max(0, piece.width);
  }

  #endLine() {
    this.lines.push(this.line.trimEnd() + this.styles.closing());
    this.line = this.styles.opening();
    this.width = 0;
  }

  finished() {
    const last = this.line.trimEnd();
    if (last || !this.lines.length) this.lines.push(last);
    return this.lines;
  }
}

/** The text cut to `maxWidth` columns with an ellipsis where something was left out. */
export function truncateToWidth(text, maxWidth, ellipsis = "...", pad = false) {
  if (maxWidth <= 0) return "";
  const width = visibleWidth(text);
  if (width <= maxWidth) return pad ? text + " ".repeat(maxWidth - width) : text;
  const mark = leading(ellipsis, maxWidth);
  const room = visibleWidth(ellipsis) >= maxWidth ? 0 : maxWidth - mark.width;
  if (!mark.text && ellipsis) return pad ? " ".repeat(maxWidth) : "";
  const kept = room ? leading(text, room) : { text: "", width: 0 };
  const cut = kept.text + RESET + (mark.text ? mark.text + RESET : "");
  return pad ? cut + " ".repeat(Math.max(0, maxWidth - kept.width - mark.width)) : cut;
}

/** As much from the beginning as fits, with the sequences before the last character; a link that was opened is closed. */
function leading(text, room) {
  if (PLAIN.test(text)) return { text: text.slice(0, room), width: Math.min(room, text.length) };
  const styles = new Styles();
  let kept = "";
  let waiting = "";
  let width = 0;
  for (const piece of pieces(text)) {
    if (piece.width < 0) {
      waiting += piece.text;
      continue;
    }
    if (width + piece.width > room) break;
    for (const each of pieces(waiting)) styles.read(each.text);
    kept += waiting + piece.text;
    waiting = "";
    width += piece.width;
  }
  return { text: kept + styles.closingLink(), width };
}

/** The columns from `start` on, `length` of them; `strict` leaves out a wide character that would stick out. */
export function sliceWithWidth(line, start, length, strict = false) {
  let text = "";
  let waiting = "";
  let width = 0;
  let column = 0;
  for (const piece of pieces(line)) {
    if (piece.width < 0) {
      if (column >= start && column < start + length) text += piece.text;
      else if (column < start) waiting += piece.text;
      continue;
    }
    const isInside = column >= start && column < start + length;
    if (isInside && !(strict && column + piece.width > start + length)) {
      text += waiting + piece.text;
      waiting = "";
      width += piece.width;
    }
    column += piece.width;
    if (column >= start + length) break;
  }
  return { text, width };
}

export const sliceByColumn = (line, start, length, strict = false) => sliceWithWidth(line, start, length, strict).text;

export function applyBackgroundToLine(line, width, background) {
  return background(line + " ".repeat(Math.max(0, width - visibleWidth(line))));
}

/** The address of the hyperlink at a column, if there is one. */
export function getOsc8LinkAtColumn(line, column) {
  const styles = new Styles();
  let at = 0;
  for (const piece of pieces(line)) {
    if (piece.width < 0) styles.read(piece.text);
    else if (column >= at && column < at + piece.width) return linkOf(styles);
    else at += piece.width;
  }
  return undefined;
}

const linkOf = (styles) => /^\x1b\]8;[^;]*;(.*?)(?:\x07|\x1b\\)$/s.exec(styles.link?.open ?? "")?.[1];
