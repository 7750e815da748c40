// node (24 and later) strips types, and nothing else: hooks find what TypeScript would have found, and strip what is left.
import { readFileSync, statSync } from "node:fs";
import module from "node:module";
import { dirname, extname, join, resolve as resolved } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { OURS } from "../packages.mjs";
import { aliased } from "../tsconfig.mjs";

const SCHEME = "pisces:";
const SOURCES = [".ts", ".mts", ".tsx", ".js", ".mjs", ".json"];
const PACKAGES = Symbol.for("pisces.packages");

export async function install(packages) {
  for (const specifier of packages.specifiers) await packages.load(specifier);
  globalThis[PACKAGES] = packages;
  module.registerHooks({ resolve: (specifier, context, next) => resolveWith(packages, specifier, context, next), load });
  return (path) => import(pathToFileURL(path).href);
}

function resolveWith(packages, specifier, context, next) {
  if (packages.has(specifier)) return { url: SCHEME + specifier, format: "module", shortCircuit: true };
  const isRequired = context.conditions?.includes("require");
  if (globalThis.Deno && !isRequired) return resolvedFirst(specifier, context, next);
  try {
    return next(specifier, context);
  } catch (error) {
    const file = isRequired ? "" : meant(specifier, context);
    if (!file) throw error;
    return { url: pathToFileURL(file).href, shortCircuit: true };
  }
}

/** deno does not say in time that there is nothing: it is asked last. */
function resolvedFirst(specifier, context, next) {
  const file = meant(specifier, context);
  if (!file && OURS.test(specifier)) throw new Error(`Cannot find module '${specifier}'`);
  return next(file ? pathToFileURL(file).href : specifier, context);
}

function meant(specifier, { parentURL }) {
  return parentURL?.startsWith("file:") ? sourceFor(specifier, fileURLToPath(parentURL)) : "";
}

/** The file that a relative or aliased specifier means to TypeScript; empty where node knows better. */
function sourceFor(specifier, importer) {
  const [plain] = specifier.split("?");
  if (plain.startsWith(".") || plain.startsWith("/")) return existing(resolved(dirname(importer), plain));
  if (plain.startsWith("node:") || plain.startsWith("file:") || module.isBuiltin(plain)) return "";
  const found = importer.includes("node_modules") ? "" : aliased(plain, importer).map(existing).find(Boolean);
  return found || (globalThis.Deno ? installed(plain, importer) : "");
}

/** deno looks for packages beside the module only when it is told to; a require does. */
function installed(specifier, importer) {
  try {
    return module.createRequire(importer).resolve(specifier);
  } catch {
    return "";
  }
}

function existing(path) {
  const isFile = (each) => statSync(each, { throwIfNoEntry: false })?.isFile();
  if (isFile(path)) return path;
  const typed = path.replace(/\.(m?)js(x?)$/, ".$1ts$2");
  const guesses = [typed, ...SOURCES.map((each) => path + each), ...SOURCES.map((each) => join(path, `index${each}`))];
  return guesses.find(isFile) ?? "";
}

function load(url, context, next) {
  if (url.startsWith(SCHEME)) return { format: "module", source: facade(url.slice(SCHEME.length)), shortCircuit: true };
  if (!url.startsWith("file:")) return next(url, context);
  const path = fileURLToPath(url);
  if (extname(path) === ".json" && !context.importAttributes?.type && context.conditions?.includes("import")) {
    return { format: "module", source: `export default ${readFileSync(path, "utf8")}`, shortCircuit: true };
  }
  if (![".ts", ".mts", ".tsx"].includes(extname(path))) return next(url, context);
  return { format: "module", source: stripped(readFileSync(path, "utf8")), shortCircuit: true };
}

function stripped(source) {
  let code;
  try {
    code = module.stripTypeScriptTypes(source, { mode: "strip" });
  } catch {
    code = transformed(source);
  }
  return withoutUnusedImports(code);
}

/** For what stripping cannot do: enums, parameter properties. The line of an error is the first thing in its stack. */
function transformed(source) {
  try {
    return module.stripTypeScriptTypes(source, { mode: "transform", sourceMap: true });
  } catch (error) {
    error.position = { line: Number(/^:(\d+)/.exec(error.stack)?.[1] ?? 0) };
    throw error;
  }
}

const IMPORT = /^([ \t]*import\s+(?:[\w$]+\s*,\s*)?)\{([^}]*)\}(\s*from\s*["'][^"']+["'])/gm;

/** An import that only types used has nobody left that needs it, and what it names may not exist when the code runs. */
export function withoutUnusedImports(code) {
  const rest = code.replace(IMPORT, "");
  return code.replace(IMPORT, (_, start, names, from) => {
    const isUsed = (each) => new RegExp(`(?<![\\w$])${each.split(/\sas\s/).pop().trim().replace(/\$/g, "\\$&")}(?![\\w$])`).test(rest);
    const used = names.split(",").filter((each) => each.trim() && isUsed(each));
    const lines = "\n".repeat(names.split("\n").length - 1);
    return `${start}{${used.map((each) => each.trim()).join(", ")}${lines}}${from}`;
  });
}

function facade(specifier) {
  const names = Object.keys(globalThis[PACKAGES].ready(specifier));
  const lines = names.map((name, at) => `const $${at} = all[${JSON.stringify(name)}]; export { $${at} as ${JSON.stringify(name)} };`);
  return `const all = globalThis[Symbol.for("pisces.packages")].ready(${JSON.stringify(specifier)});\n${lines.join("\n")}`;
}

