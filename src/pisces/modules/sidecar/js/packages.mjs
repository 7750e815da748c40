// The packages that pi and omp hand to their extensions, from our own table instead of anybody's node_modules.
// Names that the table lacks and somebody imports are stubs: using one is an error that says its name, importing is not.
import { state } from "./state.mjs";
import { bind, virtualModules } from "./virtual/index.mjs";
import { stub } from "./virtual/stub.mjs";
import { ask, trouble, turn } from "./wire.mjs";

export const OURS = /^(?:@(?:oh-my-pi|mariozechner|earendil-works)\/|typebox(?:\/|$)|@sinclair\/typebox(?:\/|$))/;

/** `wanted` has the names to be stubbed, by specifier: those that an earlier start found missing. */
export function openPackages(wanted) {
  bind({ state, call: (name, args) => ask(name, turn.getStore()?.extension, args), report });
  const opened = new Map();
  const specifiers = new Set([...virtualModules.keys(), ...Object.keys(wanted)]);

  async function load(specifier) {
    if (opened.has(specifier)) return opened.get(specifier);
    const found = virtualModules.has(specifier) ? await virtualModules.get(specifier)() : {};
    const exported = { ...found };
    for (const name of wanted[specifier] ?? []) if (!(name in exported)) exported[name] = stub(name, specifier);
    exported.default ??= found.default ?? exported;
    opened.set(specifier, exported);
    return exported;
  }

  function ready(specifier) {
    if (opened.has(specifier)) return opened.get(specifier);
    throw new Error(`${specifier} is not there yet: import it`);
  }

  return {
    specifiers, load, ready,
    has: (specifier) => specifiers.has(specifier),
    isOpen: (specifier) => opened.has(specifier),
    wanted: Object.keys(wanted),
  };
}

const report = (message) => trouble("unsupported", turn.getStore()?.extension, message, { name: "import" });
