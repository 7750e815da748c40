// What goes wrong in other people's code: whose it is, in which line, and what is missing.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { OURS } from "./packages.mjs";
import { trouble, turn } from "./wire.mjs";

const MOST_FILES = 400;
const SOURCES = new Set([".ts", ".mts", ".tsx", ".js", ".mjs"]);

export function explain(error, path) {
  const first = error?.errors?.[0] ?? error;
  const message = (first?.message ?? String(first)).split("\n    at ")[0].replace(/^Error: /, "");
  const name = first?.name && !["Error", "BuildMessage", "ResolveMessage"].includes(first.name) ? `${first.name}: ` : "";
  const said = error?.errors?.length > 1 ? `${message} (and ${error.errors.length - 1} more)` : message;
  return { message: name + said, line: lineOf(first, path), trace: typeof first?.stack === "string" ? first.stack : "" };
}

/** In the file of the extension, else in the first file of its folder: 0 where nobody knows. */
function lineOf(error, path) {
  if (error?.position?.line) return error.position.line;
  const stack = typeof error?.stack === "string" ? error.stack : "";
  const at = stack.indexOf(`${path}:`);
  return at < 0 ? 0 : Number.parseInt(stack.slice(at + path.length + 1), 10) || 0;
}

/** Whose code is on the stack; else whose turn it is. */
export function owner(extensions, stack = new Error().stack ?? "") {
  const there = extensions.filter(Boolean); // a path that is left out has a number all the same
  const named = there.find((each) => stack.includes(each.path)) ?? there.find((each) => stack.includes(`${dirname(each.path)}/`));
  return named ?? turn.getStore()?.extension;
}

/** Exiting is for the host to decide. While modules load it is an error like any other; later it ends this process only. */
export function guardProcess(extensions, isLoading) {
  const leave = globalThis.Deno ? Deno.exit.bind(Deno) : process.exit.bind(process);
  const refused = (code) => {
    const who = owner(extensions);
    if (isLoading()) throw new Error(`called process.exit(${code ?? ""}) while it was loaded`);
    trouble("exit", who, `called process.exit(${code ?? ""})`);
    return leave(code ?? 0);
  };
  process.exit = refused;
  if (globalThis.Deno) Deno.exit = refused;
  const report = (kind) => (error) => {
    const stack = typeof error?.stack === "string" ? error.stack : undefined;
    trouble("failed", owner(extensions, stack), `${kind}: ${error?.message ?? error}`, { trace: stack });
  };
  process.on("unhandledRejection", report("unhandled rejection"));
  process.on("uncaughtException", report("uncaught exception"));
  return leave;
}

const MISSING = [
  [/Export named '([^']+)' not found in module '([^']+)'/, (found) => [found[2], found[1]]],
  [/requested module '([^']+)' does not provide an export named '([^']+)'/, (found) => [found[1], found[2]]],
  [/Cannot find (?:module|package) '([^']+)'/, (found) => [found[1], ""]],
  [/require\(\) async module "([^"]+)" is unsupported/, (found) => [found[1], ""]],
];

/** The names of host packages that this extension imports and nobody has, by specifier; nothing for any other error. */
export function missingNames(error, path, packages) {
  const text = error?.errors?.[0]?.message ?? error?.message ?? "";
  for (const [pattern, read] of MISSING) {
    const found = pattern.exec(text);
    if (!found) continue;
    const [specifier, name] = read(found);
    const plain = specifier.replace(/^pisces:/, "");
    if (!OURS.test(plain)) return undefined;
    const names = importedNames(dirname(path));
    names.set(plain, new Set([...(names.get(plain) ?? []), ...(name ? [name] : [])]));
    const isMeant = (each) => each === plain || each.startsWith(`${plain}/`) || packages.has(each);
    return Object.fromEntries([...names].filter(([each]) => isMeant(each)).map(([each, set]) => [each, [...set]]));
  }
  return undefined;
}

const LIST = /\b(?:import|export)\s+(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\s*["']([^"']+)["']/g;

function importedNames(folder) {
  const names = new Map();
  for (const file of sources(folder)) {
    for (const [, list, specifier] of readFileSync(file, "utf8").matchAll(LIST)) {
      if (!OURS.test(specifier)) continue;
      const plain = list.split(",").map((each) => each.trim()).filter((each) => each && !each.startsWith("type "));
      const known = names.get(specifier) ?? new Set();
      for (const each of plain) known.add(each.split(/\sas\s/)[0].trim());
      names.set(specifier, known);
    }
  }
  return names;
}

function sources(folder) {
  const found = [];
  const pending = [folder];
  while (pending.length && found.length < MOST_FILES) {
    const current = pending.shift();
    for (const name of readdirSync(current)) {
      if (name === "node_modules" || name.startsWith(".")) continue;
      const path = join(current, name);
      const status = statSync(path, { throwIfNoEntry: false });
      if (status?.isDirectory()) pending.push(path);
      else if (status?.isFile() && SOURCES.has(extname(name)) && found.length < MOST_FILES) found.push(path);
    }
  }
  return found;
}
