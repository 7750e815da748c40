// Stands for what a real package exports and this one does not have: it can be imported, subclassed and passed on; using it
// is an error with its name.

import { reportOnce } from "./host_link.mjs";

const PASSED_OVER = new Set(["then", "toJSON", "$$typeof", "nodeType", "asymmetricMatch"]);

const made = new WeakSet();
export const isStub = (value) => typeof value === "function" && made.has(value);

export function stub(name, specifier) {
  const refuse = () => {
    const message = `\`${name}\` of ${specifier} is not available in pisces`;
    reportOnce(message);
    throw new Error(message);
  };
  const members = new Map();
  class Stub {
    constructor() {
      refuse();
    }
  }
  const proxy = new Proxy(Stub, {
    apply: refuse,
    get(target, key, receiver) {
      if (key === "name") return name;
      if (typeof key === "symbol" || key in target || PASSED_OVER.has(key)) return Reflect.get(target, key, receiver);
      if (!members.has(key)) members.set(key, stub(`${name}.${key}`, specifier));
      return members.get(key);
    },
  });
  made.add(proxy);
  return proxy;
}
