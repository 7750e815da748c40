// Key presses as terminals send them, read into names such as `ctrl+c`: the legacy codes, xterm's and kitty's protocol.

const MODIFIERS = { shift: 1, alt: 2, ctrl: 4, super: 8 };
const LOCKS = 64 + 128;
const ORDER = ["shift", "ctrl", "alt", "super"];
const SYMBOLS = "\"`-=[]\\;',./!@#$%^&*()_+|~{}:<>?";
const NAMES = "escape enter tab space backspace delete insert clear home end pageUp pageDown up down left right".split(" ");
const FUNCTION_KEYS = Array.from({ length: 12 }, (_, at) => `f${at + 1}`);
const LETTER_FINALS = { A: "up", B: "down", C: "right", D: "left", H: "home", F: "end" };
const TILDE_NUMBERS = { 2: "insert", 3: "delete", 5: "pageUp", 6: "pageDown", 7: "home", 8: "end" };
const KITTY_CODES = { 27: "escape", 13: "enter", 9: "tab", 127: "backspace", 32: "space", 57414: "enter" };
const KEYPAD = ["left", "right", "up", "down", "pageUp", "pageDown", "home", "end", "insert", "delete"];
const KEYPAD_SYMBOLS = { 57409: ".", 57410: "/", 57411: "*", 57412: "-", 57413: "+", 57415: "=" };

let kittyActive = false;
export const setKittyProtocolActive = (active) => void (kittyActive = active);
export const isKittyProtocolActive = () => kittyActive;

const symbolNames = {
  backtick: "`", hyphen: "-", equals: "=", leftbracket: "[", rightbracket: "]", backslash: "\\", semicolon: ";", quote: "'",
  comma: ",", period: ".", slash: "/", exclamation: "!", at: "@", hash: "#", dollar: "$", percent: "%", caret: "^",
  ampersand: "&", asterisk: "*", leftparen: "(", rightparen: ")", underscore: "_", plus: "+", pipe: "|", tilde: "~",
  leftbrace: "{", rightbrace: "}", colon: ":", lessthan: "<", greaterthan: ">", question: "?",
};

const combination = (...modifiers) => (key) => [...modifiers, key].join("+");
const pairs = Object.keys(MODIFIERS).flatMap((first) =>
  Object.keys(MODIFIERS).filter((second) => second !== first).map((second) => [first, second]),
);
const camel = ([first, ...rest]) => first + rest.map((word) => word[0].toUpperCase() + word.slice(1)).join("");

export const Key = Object.freeze({
  ...Object.fromEntries([...NAMES, ...FUNCTION_KEYS, "esc", "return"].map((name) => [name, name])),
  ...symbolNames,
  ...Object.fromEntries(Object.keys(MODIFIERS).map((name) => [name, combination(name)])),
  ...Object.fromEntries([...pairs, ["ctrl", "shift", "alt"], ["ctrl", "shift", "super"]].map((each) => [camel(each), combination(...each)])),
});

// Whole sequences of older terminals: application cursor keys, rxvt's modified keys, the Linux console's.
const LEGACY = {
  "\x1b[E": "clear", "\x1bOE": "clear", "\x1b[Z": "shift+tab", "\x1bOM": "enter", "\x1b[[5~": "pageUp", "\x1b[[6~": "pageDown",
  "\x1b[1~": "home", "\x1b[4~": "end", "\x1bOP": "f1", "\x1bOQ": "f2", "\x1bOR": "f3", "\x1bOS": "f4",
  ..."ABCDE".split("").reduce((table, final, at) => ({ ...table, [`\x1b[[${final}`]: `f${at + 1}` }), {}),
  ...[11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24].reduce((table, number, at) => ({ ...table, [`\x1b[${number}~`]: `f${at + 1}` }), {}),
  ...Object.entries(LETTER_FINALS).reduce((table, [final, key]) => ({ ...table, [`\x1b[${final}`]: key, [`\x1bO${final}`]: key }), {}),
  ...["up", "down", "right", "left", "clear"].reduce(
    (table, key, at) => ({ ...table, [`\x1b[${"abcde"[at]}`]: `shift+${key}`, [`\x1bO${"abcde"[at]}`]: `ctrl+${key}` }), {},
  ),
  ...Object.entries(TILDE_NUMBERS).reduce(
    (table, [number, key]) => ({
      ...table, [`\x1b[${number}~`]: key, [`\x1b[${number}$`]: `shift+${key}`, [`\x1b[${number}^`]: `ctrl+${key}`,
    }), {},
  ),
};

const KITTY = /^\x1b\[(\d+)(?::(\d*))?(?::(\d+))?(?:;(\d+)?(?::(\d+))?)?(?:;[\d:]*)?u$/;
const CURSOR = /^\x1b\[1;(\d+)(?::(\d+))?([ABCDHF])$/;
const TILDE = /^\x1b\[(\d+)(?:;(\d+))?(?::(\d+))?~$/;
const OTHER_KEYS = /^\x1b\[27;(\d+);(\d+)~$/;

const named = (key, modifiers) => [...ORDER.filter((name) => modifiers & MODIFIERS[name]), key].join("+");
const modifiersOf = (parameter) => (Number(parameter || 1) - 1) & ~LOCKS;

/** Every name the data may be called by; the first is the usual one. */
function meanings(data) {
  return meaningsOfSequence(data) ?? meaningsOfCharacters(data) ?? [];
}

function meaningsOfSequence(data) {
  if (!data.startsWith("\x1b") || data.length < 3) return null;
  const other = OTHER_KEYS.exec(data);
  if (other) return keyOfCode(Number(other[2]), modifiersOf(other[1]));
  const kitty = KITTY.exec(data);
  if (kitty) return meaningsOfKitty(kitty);
  const cursor = CURSOR.exec(data);
  if (cursor) return [named(LETTER_FINALS[cursor[3]], modifiersOf(cursor[1]))];
  const tilde = TILDE.exec(data);
  if (tilde?.[2] && TILDE_NUMBERS[tilde[1]]) return [named(TILDE_NUMBERS[tilde[1]], modifiersOf(tilde[2]))];
  return data in LEGACY ? [LEGACY[data]] : null;
}

function meaningsOfKitty([, code, , other, modifiers]) {
  const number = Number(code);
  const isLatin = number < 128;
  return keyOfCode(!isLatin && other && !keypadKey(number) ? Number(other) : number, modifiersOf(modifiers));
}

function keyOfCode(code, modifiers) {
  if (modifiers & ~15) return [];
  const special = KITTY_CODES[code] ?? keypadKey(code);
  if (special) return [named(special, modifiers)];
  const character = code < 128 ? String.fromCharCode(code) : "";
  if (/^[A-Z]$/.test(character) && modifiers & MODIFIERS.shift) return [named(character.toLowerCase(), modifiers)];
  return isPlainKey(character) ? [named(character, modifiers)] : [];
}

function keypadKey(code) {
  if (code >= 57399 && code <= 57408) return String(code - 57399);
  if (code >= 57417 && code <= 57426) return KEYPAD[code - 57417];
  return KEYPAD_SYMBOLS[code];
}

const isPlainKey = (character) => character !== "" && (/^[a-z0-9]$/.test(character) || SYMBOLS.includes(character));

function meaningsOfCharacters(data) {
  if (data.length === 2 && data[0] === "\x1b") return kittyActive ? altKittyMeanings(data[1]) : altMeanings(data[1]);
  if (data.length !== 1) return null;
  if (/^[A-Z]$/.test(data)) return [data, `shift+${data.toLowerCase()}`];
  if (isPlainKey(data)) return [data];
  return controlMeanings(data);
}

function controlMeanings(data) {
  const code = data.charCodeAt(0);
  if (data === "\n") return kittyActive ? ["shift+enter", "ctrl+j"] : ["enter", "ctrl+j"];
  if (data === "\0") return ["ctrl+space"];
  if (data === " ") return ["space"];
  if (data === "\x7f") return ["backspace"];
  if (data === "\x1e") return [];
  const fixed = { "\b": "backspace", "\t": "tab", "\r": "enter", "\x1b": "escape" }[data];
  if (code >= 1 && code <= 26) return [...(fixed ? [fixed] : []), `ctrl+${String.fromCharCode(code + 96)}`];
  return { "\x1b": ["escape", "ctrl+["], "\x1c": ["ctrl+\\"], "\x1d": ["ctrl+]"], "\x1f": ["ctrl+-", "ctrl+_"] }[data] ?? null;
}

const ALT_ARROWS = { b: "alt+left", f: "alt+right", p: "alt+up", n: "alt+down" };

function altMeanings(character) {
  const code = character.charCodeAt(0);
  if (character === "\r") return ["alt+enter", "ctrl+alt+m"];
  if (character === "\x7f") return ["alt+backspace"];
  if (character === "\b") return ["alt+backspace", "ctrl+alt+h"];
  if (character === " ") return ["alt+space"];
  if (character === "B") return ["alt+left"];
  if (character === "F") return ["alt+right"];
  if (code >= 1 && code <= 26) return [`ctrl+alt+${String.fromCharCode(code + 96)}`];
  if ("\x1b\x1c\x1d\x1f".includes(character)) return [`ctrl+alt+${{ "\x1b": "[", "\x1c": "\\", "\x1d": "]", "\x1f": "-" }[character]}`];
  if (character in ALT_ARROWS) return [ALT_ARROWS[character], `alt+${character}`];
  return isPlainKey(character) ? [`alt+${character}`] : [];
}

function altKittyMeanings(character) {
  if (character === "\r") return ["shift+enter"];
  if (character === "\x7f" || character === "\b") return ["alt+backspace"];
  return character in ALT_ARROWS ? [ALT_ARROWS[character]] : [];
}

/** `return` and `esc` are other words, and the order of modifiers says nothing. */
function canonical(name) {
  const lower = name.toLowerCase();
  const words = lower === "+" || lower.endsWith("++") ? [...lower.slice(0, -1).split("+").filter(Boolean), "+"] : lower.split("+");
  const key = { esc: "escape", return: "enter" }[words.at(-1)] ?? words.at(-1);
  return [...words.slice(0, -1).sort(), key].join("+");
}

export function parseKey(data) {
  return meanings(data)[0];
}

export function matchesKey(data, name) {
  const wanted = canonical(String(name));
  return meanings(data).some((meaning) => !/^[A-Z]$/.test(meaning) && canonical(meaning) === wanted);
}

const eventOf = (data) => (data.includes("\x1b[200~") ? "" : /^\x1b\[[\d:;]*;\d*:(\d)(?:;[\d:]*)?[u~A-H]$/.exec(data)?.[1]);
export const isKeyRelease = (data) => eventOf(data) === "3";
export const isKeyRepeat = (data) => eventOf(data) === "2";

/** The character that a kitty sequence stands for, if it is one to be inserted. */
export function decodeKittyPrintable(data) {
  const kitty = KITTY.exec(data);
  if (!kitty) return undefined;
  const modifiers = modifiersOf(kitty[4]);
  if (modifiers & ~MODIFIERS.shift) return undefined;
  const shifted = modifiers & MODIFIERS.shift && kitty[2] ? Number(kitty[2]) : Number(kitty[1]);
  const keypad = keypadKey(shifted);
  if (keypad) return keypad.length === 1 ? keypad : undefined;
  return shifted >= 32 ? String.fromCodePoint(shifted) : undefined;
}

/** The character to insert for this key press, however the terminal sent it. */
export function decodePrintableKey(data) {
  const kitty = decodeKittyPrintable(data);
  if (kitty !== undefined) return kitty;
  const other = OTHER_KEYS.exec(data);
  if (!other || modifiersOf(other[1]) & ~MODIFIERS.shift) return undefined;
  return Number(other[2]) >= 32 ? String.fromCodePoint(Number(other[2])) : undefined;
}
