// A package as extensions see it: what is made here, and a stub for each other name that the real one exports.

import { stub } from "./stub.mjs";

/** `names` is every public name of the real package; a missing name would stop an import that only mentions it. */
export function namespaceOf(specifier, made, names) {
  const exported = { ...made };
  for (const name of names) if (!(name in exported)) exported[name] = stub(name, specifier);
  return exported;
}
