// `paths` of the nearest tsconfig.json, for the runtimes that do not read it themselves.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const read = new Map();

/** The files that an import may mean, in order. */
export function aliased(specifier, importer) {
  const config = nearest(dirname(importer));
  if (!config) return [];
  for (const [pattern, targets] of Object.entries(config.paths)) {
    const [before, after] = pattern.split("*");
    const isMatch = after === undefined ? specifier === pattern : specifier.startsWith(before) && specifier.endsWith(after);
    if (!isMatch) continue;
    const star = after === undefined ? "" : specifier.slice(before.length, specifier.length - after.length || undefined);
    return targets.map((target) => join(config.base, target.replace("*", star)));
  }
  return [];
}

function nearest(folder) {
  if (read.has(folder)) return read.get(folder);
  const file = join(folder, "tsconfig.json");
  const parent = dirname(folder);
  const found = existsSync(file) ? configIn(file) : parent === folder ? null : nearest(parent);
  read.set(folder, found);
  return found;
}

function configIn(file) {
  try {
    const { baseUrl = ".", paths = {} } = JSON.parse(withoutComments(readFileSync(file, "utf8"))).compilerOptions ?? {};
    return { base: join(dirname(file), baseUrl), paths };
  } catch {
    return { base: dirname(file), paths: {} }; // a file that only its own tools can read has no say here
  }
}

const withoutComments = (text) =>
  text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, (_, quoted) => quoted ?? "").replace(/,(\s*[}\]])/g, "$1");
