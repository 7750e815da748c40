// Paths as a model writes them: `@` before, `~` for home, odd spaces; relative to the folder of the session.

import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";

const ODD_SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;

export function resolved(path, cwd) {
  const plain = path.replace(/^@/, "").replace(ODD_SPACES, " ").replace(/^~(?=$|[\\/])/, homedir());
  return isAbsolute(plain) ? plain : resolve(cwd, plain);
}

export function stopIfAborted(signal) {
  if (signal?.aborted) throw new Error("Operation aborted");
}
