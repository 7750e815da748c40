// Colours by meaning. Without a theme of the host the sixteen colours of the terminal are used, so the user decides how they look.

import { hostTheme } from "../host_link.mjs";
import { highlighted } from "./highlight.mjs";

const FOREGROUND = {
  accent: 36, border: 34, borderAccent: 36, borderMuted: 90, success: 32, error: 31, warning: 33, muted: 90, dim: 90, text: 39,
  thinkingText: 90, userMessageText: 39, customMessageText: 39, customMessageLabel: 35, toolTitle: 39, toolOutput: 90,
  mdHeading: 33, mdLink: 34, mdLinkUrl: 90, mdCode: 36, mdCodeBlock: 32, mdCodeBlockBorder: 90, mdQuote: 90, mdQuoteBorder: 90,
  mdHr: 90, mdListBullet: 36, toolDiffAdded: 32, toolDiffRemoved: 31, toolDiffContext: 90,
  syntaxComment: 90, syntaxKeyword: 34, syntaxFunction: 33, syntaxVariable: 36, syntaxString: 32, syntaxNumber: 35, syntaxType: 36,
  syntaxOperator: 39, syntaxPunctuation: 39, bashMode: 32,
  thinkingOff: 90, thinkingMinimal: 90, thinkingLow: 34, thinkingMedium: 36, thinkingHigh: 35, thinkingXhigh: 31,
};
const BACKGROUND = { selectedBg: 100, userMessageBg: 100, customMessageBg: 45, toolPendingBg: 100, toolSuccessBg: 42, toolErrorBg: 41 };
const SIXTEEN = "16color";

const around = (on, off) => (text) => `\x1b[${on}m${text}\x1b[${off}m`;

/** The parameters of a colour: a hexadecimal text, a number of the 256 colours, nothing for the terminal's own. */
function parameters(colour, mode, isBackground) {
  if (mode === SIXTEEN) return String(colour);
  const extended = isBackground ? 48 : 38;
  if (colour === "" || colour === undefined) return isBackground ? "49" : "39";
  if (typeof colour === "number") return `${extended};5;${colour}`;
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return mode === "truecolor" ? `${extended};2;${red};${green};${blue}` : `${extended};5;${nearestOf256(red, green, blue)}`;
}

function nearestOf256(red, green, blue) {
  const step = (part) => Math.round((part / 255) * 5);
  return 16 + 36 * step(red) + 6 * step(green) + step(blue);
}

export class Theme {
  #foreground;
  #background;
  #mode;

  constructor(foreground = FOREGROUND, background = BACKGROUND, mode = SIXTEEN, options = {}) {
    this.#foreground = foreground;
    this.#background = background;
    this.#mode = mode;
    this.name = options.name;
    this.sourcePath = options.sourcePath;
    this.sourceInfo = options.sourceInfo;
  }

  getFgAnsi(colour) { return `\x1b[${parameters(this.#foreground[colour] ?? (this.#mode === SIXTEEN ? 39 : ""), this.#mode, false)}m`; }
  getBgAnsi(colour) { return `\x1b[${parameters(this.#background[colour] ?? (this.#mode === SIXTEEN ? 49 : ""), this.#mode, true)}m`; }
  getColorMode() { return this.#mode === SIXTEEN ? "256color" : this.#mode; }
  fg(colour, text) { return `${this.getFgAnsi(colour)}${text}\x1b[39m`; }
  bg(colour, text) { return `${this.getBgAnsi(colour)}${text}\x1b[49m`; }
  bold(text) { return around(1, 22)(text); }
  italic(text) { return around(3, 23)(text); }
  underline(text) { return around(4, 24)(text); }
  inverse(text) { return around(7, 27)(text); }
  strikethrough(text) { return around(9, 29)(text); }
  getThinkingBorderColor(level) { return (text) => this.fg(`thinking${level[0].toUpperCase()}${level.slice(1)}`, text); }
  getBashModeBorderColor() { return (text) => this.fg("bashMode", text); }
}

const own = new Theme(FOREGROUND, BACKGROUND, SIXTEEN, { name: "pisces" });
const current = () => {
  const given = hostTheme();
  return given && given !== theme ? given : own;
};

/** Always the theme of the moment, also where it was taken earlier. */
export const theme = new Proxy(own, {
  get(_target, name) {
    const member = current()[name];
    return typeof member === "function" ? member.bind(current()) : member;
  },
});

export const initTheme = () => {};
export const getAvailableThemes = () => [current().name ?? "pisces"];
export const getThemeByName = (name) => (name === current().name ? current() : undefined);
export const onThemeChange = () => () => {};
export const isLightTheme = () => false;

const painting = (colour) => (text) => theme.fg(colour, text);

export function highlightCode(code, language) {
  return highlighted(code, language, (colour, text) => theme.fg(colour, text));
}

export function getMarkdownTheme() {
  const colours = {
    heading: "mdHeading", link: "mdLink", linkUrl: "mdLinkUrl", code: "mdCode", codeBlock: "mdCodeBlock", codeBlockBorder: "mdCodeBlockBorder",
    quote: "mdQuote", quoteBorder: "mdQuoteBorder", hr: "mdHr", listBullet: "mdListBullet",
  };
  const styles = { bold: (text) => theme.bold(text), italic: (text) => theme.italic(text), underline: (text) => theme.underline(text), strikethrough: (text) => theme.strikethrough(text) };
  return { ...Object.fromEntries(Object.entries(colours).map(([name, colour]) => [name, painting(colour)])), ...styles, highlightCode };
}

export const getSelectListTheme = () => ({
  selectedPrefix: painting("accent"), selectedText: painting("accent"), description: painting("muted"), scrollInfo: painting("muted"), noMatch: painting("muted"),
});

export const getEditorTheme = () => ({ borderColor: painting("borderMuted"), selectList: getSelectListTheme() });

export const getSettingsListTheme = () => ({
  label: (text, selected) => (selected ? theme.fg("accent", text) : text),
  value: (text, selected) => theme.fg(selected ? "accent" : "muted", text),
  description: painting("dim"),
  cursor: theme.fg("accent", "→ "),
  hint: painting("dim"),
});

const LANGUAGES = {
  typescript: "ts tsx mts cts", javascript: "js jsx mjs cjs", python: "py pyi", ruby: "rb", rust: "rs", go: "go", java: "java", kotlin: "kt kts",
  swift: "swift", c: "c h", cpp: "cpp cc cxx hpp hh", csharp: "cs", php: "php", bash: "sh bash zsh", fish: "fish", powershell: "ps1",
  sql: "sql", html: "html htm", css: "css", scss: "scss", sass: "sass", less: "less", json: "json", yaml: "yaml yml", toml: "toml", xml: "xml",
  markdown: "md markdown", dockerfile: "dockerfile", makefile: "makefile", cmake: "cmake", lua: "lua", perl: "pl", r: "r", scala: "scala",
  clojure: "clj", elixir: "ex exs", erlang: "erl", haskell: "hs", ocaml: "ml", vim: "vim", graphql: "graphql", protobuf: "proto", hcl: "tf hcl",
};
const BY_SUFFIX = Object.fromEntries(Object.entries(LANGUAGES).flatMap(([language, suffixes]) => suffixes.split(" ").map((suffix) => [suffix, language])));

export const getLanguageFromPath = (path) => BY_SUFFIX[path.split(/[\\/]/).at(-1).split(".").at(-1).toLowerCase()];
