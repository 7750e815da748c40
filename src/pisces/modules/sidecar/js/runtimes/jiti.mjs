// An older node, with jiti to compile what it imports. Names that a host package lacks are stubs that nobody had to ask for.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stub } from "../virtual/stub.mjs";

const PLAIN = new Set(["__esModule", "default", "then", "module.exports"]);

export async function install(packages) {
  const { createJiti } = await import(pathToFileURL(join(process.argv[2], "lib", "jiti.mjs")).href);
  const virtualModules = {};
  for (const specifier of packages.specifiers) virtualModules[specifier] = tolerant(await packages.load(specifier), specifier);
  const imported = (path, tsconfigPaths) => createJiti(path, { virtualModules, tsconfigPaths, fsCache: false, moduleCache: false }).import(path);
  return async (path) => {
    try {
      return await imported(path, true);
    } catch (error) {
      if (!/^File '.*' not found/.test(error?.message)) throw error;
      return imported(path, false); // its tsconfig builds on one that was not published with it
    }
  };
}

function tolerant(exported, specifier) {
  const isThere = (target, name) => name in target || typeof name === "symbol" || PLAIN.has(name);
  return new Proxy(exported, {
    has: (target, name) => name in target || !isThere(target, name),
    get: (target, name) => (isThere(target, name) ? target[name] : stub(name, specifier)),
  });
}
