// How many terminal columns a text takes: escape sequences take none, wide characters two, a tab three.

const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]_PX^][^\x07\x1b]*(?:\x07|\x1b\\)|[NO].|[ -/]*[0-Z\\^`-~])/y;
const EVERY_SEQUENCE = new RegExp(SEQUENCE.source, "g");
const NOT_ASCII = /[^\x20-\x7e]+/g;
const MOST_REMEMBERED = 2000;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const EMOJI = /\p{Emoji_Presentation}/u;
const EMOJI_WITH_SELECTOR = /^\p{Emoji}[\u{1f3fb}-\u{1f3ff}]?\ufe0f/u;
const ZERO = /^[\p{Control}\p{Mark}\p{Default_Ignorable_Code_Point}\p{Surrogate}]+$/u;
const LEADING_ZERO = /^[\p{Control}\p{Format}\p{Mark}\p{Surrogate}\p{Default_Ignorable_Code_Point}]+/u;
const TAB_COLUMNS = 3;

// East Asian Width W and F of Unicode, without the emoji that EMOJI finds: first and last code point of each range.
const WIDE = [
  0x1100, 0x115f, 0x2329, 0x232a, 0x2630, 0x2637, 0x268a, 0x268f, 0x2e80, 0x303e, 0x3041, 0x3247, 0x3250, 0xa4c6, 0xa960, 0xa97c,
  0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6b, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x18d08,
  0x1aff0, 0x1b2fb, 0x1d300, 0x1d376, 0x1f200, 0x1f265, 0x20000, 0x2fffd, 0x30000, 0x3fffd,
];

// Making a segmenter is slow, and most texts are plain ASCII.
let graphemes;
const segmenter = () => (graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" }));

/** The escape sequence that begins at `index`, or "". */
export function sequenceAt(text, index) {
  if (text.charCodeAt(index) !== 0x1b) return "";
  SEQUENCE.lastIndex = index;
  return SEQUENCE.exec(text)?.[0] ?? "";
}

/** The pieces of a text in order: escape sequences (`width` -1) and what a reader sees as one character. */
export function* pieces(text) {
  let index = 0;
  while (index < text.length) {
    const sequence = sequenceAt(text, index);
    if (sequence) {
      yield { text: sequence, width: -1 };
      index += sequence.length;
      continue;
    }
    const next = text.indexOf("\x1b", index + 1);
    const plain = text.slice(index, next < 0 ? text.length : next);
    yield* characters(plain);
    index += plain.length;
  }
}

/** The characters of a text without escape sequences, each with its columns. */
export function* characters(plain) {
  for (const { text, isAscii } of runs(plain)) {
    if (isAscii) for (const each of text) yield { text: each, width: 1 };
    else for (const { segment } of segmenter().segment(text)) yield { text: segment, width: characterWidth(segment) };
  }
}

/** Stretches of ASCII and of other characters. What follows ASCII may belong to its last character, which goes with it. */
function* runs(plain) {
  let index = 0;
  for (const { 0: other, index: start } of plain.matchAll(NOT_ASCII)) {
    const from = start > index ? start - 1 : start;
    if (from > index) yield { text: plain.slice(index, from), isAscii: true };
    index = start + other.length;
    yield { text: plain.slice(from, index), isAscii: false };
  }
  if (index < plain.length) yield { text: plain.slice(index), isAscii: true };
}

const remembered = (measure) => {
  const known = new Map();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const width = measure(text);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(text, width);
    return width;
  };
};

export const characterWidth = remembered((character) => {
  if (character === "\t") return TAB_COLUMNS;
  if (ZERO.test(character)) return 0;
  if (EMOJI_WITH_SELECTOR.test(character)) return 2;
  const seen = character.replace(LEADING_ZERO, "");
  const first = seen.codePointAt(0);
  if (first === undefined) return 0;
  if (first >= 0x1f1e6 && first <= 0x1f1ff) return 2;
  if (EMOJI.test(String.fromCodePoint(first))) return 2;
  return codePointWidth(first) + trailingWidth(seen);
});

/** Half-width marks join the character before them, and yet take a column of their own. */
function trailingWidth(character) {
  let width = 0;
  for (const each of [...character].slice(1)) {
    const code = each.codePointAt(0);
    if (code >= 0xff00 && code <= 0xffef) width += codePointWidth(code);
  }
  return width;
}

function codePointWidth(code) {
  if (code < WIDE[0]) return 1;
  for (let at = 0; at < WIDE.length; at += 2) if (code >= WIDE[at] && code <= WIDE[at + 1]) return 2;
  return 1;
}

export const visibleWidth = (text) => (PRINTABLE_ASCII.test(text) ? text.length : measuredWidth(text));

const measuredWidth = remembered((text) => {
  let width = 0;
  for (const { text: run, isAscii } of runs(stripTerminalSequences(text))) {
    if (isAscii) width += run.length;
    else for (const { segment } of segmenter().segment(run)) width += characterWidth(segment);
  }
  return width;
});

export const stripTerminalSequences = (text) => (text.includes("\x1b") ? text.replace(EVERY_SEQUENCE, "") : text);

export const normalizeTerminalOutput = (text) => text;

export const padded = (text, width) => text + " ".repeat(Math.max(0, width - visibleWidth(text)));
