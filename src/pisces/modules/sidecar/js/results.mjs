// What a tool returned, no larger than a line to the host may be. The host cuts what is merely long for a model.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LARGEST = 16 << 20; // characters of JSON
const SHOWN = 200_000; // bytes of a text that is cut

export function bounded(result) {
  const isText = typeof result === "string";
  if (isText ? result.length <= LARGEST : size(result) <= LARGEST) return result;
  const given = isText ? { content: [{ type: "text", text: result }] } : result;
  if (!Array.isArray(given?.content)) return { content: [{ type: "text", text: stored(JSON.stringify(given), ".json", "the result") }], isError: true };
  const content = given.content.map((part) => (size(part) <= LARGEST / 8 ? part : smaller(part)));
  const details = size(given.details) <= LARGEST / 8 ? given.details : { truncated: true, stored: stored(JSON.stringify(given.details), ".json", "it") };
  const made = { ...given, content, details };
  return size(made) <= LARGEST ? made : { ...made, content: [smaller({ type: "text", text: JSON.stringify(content) })] };
}

const size = (value) => JSON.stringify(value)?.length ?? 0;

function smaller(part) {
  if (part?.type !== "text") return { type: "text", text: `[${part?.mimeType ?? part?.type} too large to be shown: ${stored(JSON.stringify(part), ".json", "it")}]` };
  const bytes = Buffer.from(String(part.text), "utf8");
  const shown = bytes.subarray(0, SHOWN).toString("utf8").replace(/\uFFFD+$/, "");
  return { ...part, text: `${shown}\n[cut here: the result has ${bytes.length} bytes of text. ${stored(bytes, ".txt", "All of it")}]` };
}

function stored(content, ending, what) {
  try {
    const path = join(mkdtempSync(join(tmpdir(), "pisces-result-")), `result${ending}`);
    writeFileSync(path, content, { mode: 0o600 });
    return `${what} is in ${path}`;
  } catch (error) {
    return `${what} is lost, because it could not be stored: ${error.message}`;
  }
}
