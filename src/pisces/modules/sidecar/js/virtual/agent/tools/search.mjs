// The tools `ls`, `find` and `grep`, without programs beside them. `find` and `grep` leave out what git ignores.

import { existsSync, readFileSync, statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { Type } from "../../typebox.mjs";
import { DEFAULT_MAX_BYTES, formatSize, truncateHead, truncateLine } from "../truncation.mjs";
import { callDrawer, drawResult } from "./drawing.mjs";
import { resolved, stopIfAborted } from "./paths.mjs";

const LS_LIMIT = 500;
const FIND_LIMIT = 1000;
const GREP_LIMIT = 100;
const NEVER = new Set([".git", "node_modules"]);

/** A glob as a regular expression on a path with `/`. */
export function globPattern(glob) {
  const source = glob.replace(/\*\*\/|\*\*|\*|\?|\{[^}]*\}|\[[^\]]*\]|[.+^$()|\\]/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part[0] === "{") return `(?:${part.slice(1, -1).split(",").map((each) => globPattern(each).source.slice(1, -1)).join("|")})`;
    return part[0] === "[" ? part.replace("[!", "[^") : `\\${part}`;
  });
  return new RegExp(`^${source}$`);
}

/** The rules of a `.gitignore`: later ones win, `!` takes back. */
function ignoreRules(folder) {
  const file = join(folder, ".gitignore");
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").split(/\r?\n/).filter((line) => line.trim() && !line.startsWith("#")).map((line) => {
    const isKept = line.startsWith("!");
    const pattern = line.trim().replace(/^!/, "").replace(/^\//, "");
    const plain = pattern.replace(/\/$/, "");
    const isAnchored = line.trim().replace(/^!/, "").replace(/\/$/, "").includes("/");
    return { folder, isKept, isFolder: pattern.endsWith("/"), pattern: globPattern(isAnchored ? plain : `**/${plain}`) };
  });
}

function isIgnored(path, isFolder, rules) {
  let ignored = false;
  for (const rule of rules) {
    const inside = relative(rule.folder, path).split(sep).join("/");
    if ((!rule.isFolder || isFolder) && rule.pattern.test(inside)) ignored = !rule.isKept;
  }
  return ignored;
}

/** Every file below a folder that git would not ignore, in the order of names. */
async function* filesBelow(folder, signal, rules = []) {
  const known = [...rules, ...ignoreRules(folder)];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((first, second) => (first.name < second.name ? -1 : 1))) {
    stopIfAborted(signal);
    const path = join(folder, entry.name);
    if (NEVER.has(entry.name) || isIgnored(path, entry.isDirectory(), known)) continue;
    if (entry.isDirectory()) yield* filesBelow(path, signal, known);
    else yield path;
  }
}

const matcherFor = (glob) => {
  const pattern = globPattern(glob.includes("/") ? glob.replace(/^\//, "") : `**/${glob}`);
  return (path) => pattern.test(path);
};

const posix = (path) => path.split(sep).join("/");

/** A text cut to size, with notes on what was left out, and the details that say the same to a program. */
function answer(content, notes, details) {
  const truncation = truncateHead(content, { maxLines: Number.MAX_SAFE_INTEGER });
  const all = truncation.truncated ? [...notes, `${formatSize(DEFAULT_MAX_BYTES)} limit reached`] : notes;
  const told = truncation.truncated ? { ...details, truncation } : details;
  const text = truncation.content + (all.length ? `\n\n[${all.join(". ")}]` : "");
  return { content: [{ type: "text", text }], details: Object.keys(told).length ? told : undefined };
}

export function createLsToolDefinition(cwd, options = {}) {
  const operations = options.operations ?? { exists: existsSync, stat, readdir };
  return {
    name: "ls",
    label: "ls",
    description: `List a folder in the order of names, folders with a slash behind them, hidden files too. At most ${LS_LIMIT} entries.`,
    promptSnippet: "List folders",
    parameters: Type.Object({
      path: Type.Optional(Type.String({ description: "The folder; the working folder if left out" })),
      limit: Type.Optional(Type.Number({ description: `How many entries at most (${LS_LIMIT} if left out)` })),
    }),
    async execute(_id, { path = ".", limit = LS_LIMIT }, signal) {
      const folder = resolved(path, cwd);
      stopIfAborted(signal);
      if (!(await operations.exists(folder))) throw new Error(`Path not found: ${folder}`);
      if (!(await operations.stat(folder)).isDirectory()) throw new Error(`Not a directory: ${folder}`);
      const names = [...(await operations.readdir(folder))].sort((first, second) => first.toLowerCase().localeCompare(second.toLowerCase()));
      const marked = await Promise.all(names.slice(0, limit).map(async (name) => ((await isFolder(operations, join(folder, name))) ? `${name}/` : name)));
      if (!names.length) return answer("(empty directory)", [], {});
      if (names.length <= limit) return answer(marked.join("\n"), [], {});
      return answer(marked.join("\n"), [`${limit} entries limit reached. Use limit=${limit * 2} for more`], { entryLimitReached: limit });
    },
    renderCall: callDrawer("ls", (args) => args.path ?? "."),
    renderResult: drawResult,
  };
}

async function isFolder(operations, path) {
  try {
    return (await operations.stat(path)).isDirectory();
  } catch {
    return false; // a link that leads nowhere
  }
}

const localFind = {
  exists: existsSync,
  async glob(pattern, folder, { limit, signal }) {
    const matches = matcherFor(pattern);
    const found = [];
    for await (const path of filesBelow(folder, signal)) {
      if (matches(posix(relative(folder, path)))) found.push(path);
      if (found.length >= limit) break;
    }
    return found;
  },
};

export function createFindToolDefinition(cwd, options = {}) {
  const operations = options.operations ?? localFind;
  return {
    name: "find",
    label: "find",
    description: `Find files by a glob pattern. Paths are relative to the folder searched; what git ignores is left out. At most ${FIND_LIMIT} results.`,
    promptSnippet: "Find files by name",
    parameters: Type.Object({
      pattern: Type.String({ description: "A glob such as `*.py` or `src/**/*.test.ts`" }),
      path: Type.Optional(Type.String({ description: "Where to look; the working folder if left out" })),
      limit: Type.Optional(Type.Number({ description: `How many files at most (${FIND_LIMIT} if left out)` })),
    }),
    async execute(_id, { pattern, path = ".", limit = FIND_LIMIT }, signal) {
      const folder = resolved(path, cwd);
      stopIfAborted(signal);
      if (!(await operations.exists(folder))) throw new Error(`Path not found: ${folder}`);
      const found = await operations.glob(pattern, folder, { ignore: ["**/node_modules/**", "**/.git/**"], limit, signal });
      if (!found.length) return answer("No files found matching pattern", [], {});
      const paths = found.map((each) => posix(each.startsWith(folder) ? relative(folder, each) : each));
      const isFull = found.length >= limit;
      return answer(paths.join("\n"), isFull ? [`${limit} results limit reached`] : [], isFull ? { resultLimitReached: limit } : {});
    },
    renderCall: callDrawer("find", (args) => `${args.pattern ?? "..."} in ${args.path ?? "."}`),
    renderResult: drawResult,
  };
}

const localGrep = { isDirectory: (path) => statSync(path).isDirectory(), readFile: (path) => readFile(path, "utf8") };

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The matching lines of one file, with those around them; a colon after the number of a match, a dash after the others. */
function* matchesIn(text, name, pattern, around) {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  for (const [at, line] of lines.entries()) {
    if (!pattern.test(line)) continue;
    const from = Math.max(0, at - around);
    const shown = lines.slice(from, at + around + 1).map((each, index) => {
      const number = from + index + 1;
      const sign = number === at + 1 ? ":" : "-";
      return { ...truncateLine(each), head: `${name}${sign}${number}${sign} ` };
    });
    yield { lines: shown.map((each) => each.head + each.text), isCut: shown.some((each) => each.wasTruncated) };
  }
}

export function createGrepToolDefinition(cwd, options = {}) {
  const operations = { ...localGrep, ...options.operations };
  return {
    name: "grep",
    label: "grep",
    description: `Search the contents of files for a regular expression or a text. What git ignores is left out. At most ${GREP_LIMIT} matches; long lines are cut.`,
    promptSnippet: "Search in files",
    parameters: Type.Object({
      pattern: Type.String({ description: "A regular expression, or a text with `literal`" }),
      path: Type.Optional(Type.String({ description: "A folder or a file; the working folder if left out" })),
      glob: Type.Optional(Type.String({ description: "Only files that match this glob, such as `*.py`" })),
      ignoreCase: Type.Optional(Type.Boolean({ description: "Take upper and lower case for the same" })),
      literal: Type.Optional(Type.Boolean({ description: "Take the pattern as a plain text" })),
      context: Type.Optional(Type.Number({ description: "How many lines to show around each match" })),
      limit: Type.Optional(Type.Number({ description: `How many matches at most (${GREP_LIMIT} if left out)` })),
    }),
    async execute(_id, { pattern, path = ".", glob, ignoreCase, literal, context = 0, limit = GREP_LIMIT }, signal) {
      const target = resolved(path, cwd);
      stopIfAborted(signal);
      const isDirectory = await Promise.resolve(target).then(operations.isDirectory).catch(() => {
        throw new Error(`Path not found: ${target}`);
      });
      const wanted = new RegExp(literal ? escaped(pattern) : pattern, ignoreCase ? "i" : "");
      const isWanted = glob ? matcherFor(glob) : () => true;
      const found = [];
      for await (const file of isDirectory ? filesBelow(target, signal) : [target]) {
        const name = isDirectory ? posix(relative(target, file)) : basename(target);
        if (!isWanted(name)) continue;
        const text = await Promise.resolve(operations.readFile(file)).catch(() => "");
        if (text.includes("\0")) continue;
        for (const match of matchesIn(text, name, wanted, context)) if (found.push(match) >= limit) break;
        if (found.length >= limit) break;
      }
      return grepAnswer(found, limit);
    },
    renderCall: callDrawer("grep", (args) => `/${args.pattern ?? ""}/ in ${args.path ?? "."}`),
    renderResult: drawResult,
  };
}

function grepAnswer(found, limit) {
  if (!found.length) return answer("No matches found", [], {});
  const isFull = found.length >= limit;
  const isCut = found.some((match) => match.isCut);
  const notes = [isFull && `${limit} matches limit reached. A narrower pattern or limit=${limit * 2} shows more`, isCut && "Some lines truncated. `read` shows them whole"];
  const details = { ...(isFull ? { matchLimitReached: limit } : {}), ...(isCut ? { linesTruncated: true } : {}) };
  return answer(found.flatMap((match) => match.lines).join("\n"), notes.filter(Boolean), details);
}
