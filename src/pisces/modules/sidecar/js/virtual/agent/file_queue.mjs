// One change of a file at a time: whoever comes second waits, other files go on.

import { realpathSync } from "node:fs";
import { resolve } from "node:path";

const waiting = new Map();

function keyOf(path) {
  const absolute = resolve(path);
  try {
    return realpathSync.native(absolute);
  } catch {
    return absolute; // a file that is about to be made
  }
}

export async function withFileMutationQueue(path, act) {
  const key = keyOf(path);
  const before = waiting.get(key) ?? Promise.resolve();
  const mine = before.then(act, act);
  const settled = mine.then(() => {}, () => {});
  waiting.set(key, settled);
  try {
    return await mine;
  } finally {
    if (waiting.get(key) === settled) waiting.delete(key);
  }
}
