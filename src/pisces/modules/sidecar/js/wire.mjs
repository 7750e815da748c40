// The line to the program that runs us: one JSON text a line, both ways. Nothing else is ever written to it.
// Writing is synchronous, so that what was said before an exit has been said.
import { AsyncLocalStorage } from "node:async_hooks";
import { createReadStream, openSync, writeSync } from "node:fs";

const INPUT_CHUNK = 1 << 20;
const QUESTIONS = new Set(["ui.confirm", "ui.select", "ui.input", "ui.editor"]);

/** Whose code runs: `{ extension, call }`. Follows awaits and timers. */
export const turn = new AsyncLocalStorage();

const pause = new Int32Array(new SharedArrayBuffer(4));
const asked = new Map();
let output = 1;
let lastAsked = 0;

export function open([inputDescriptor, outputDescriptor], receive, ended) {
  output = globalThis.Deno && outputDescriptor > 2 ? openSync(`/dev/fd/${outputDescriptor}`, "w") : outputDescriptor;
  const options = { fd: inputDescriptor, highWaterMark: INPUT_CHUNK };
  const input = inputDescriptor === 0 ? process.stdin : createReadStream("", options);
  input.setEncoding("latin1"); // the host escapes whatever is not ASCII
  let started = [];
  input.on("data", (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", from)) {
      started.push(chunk.slice(from, end));
      const line = started.join("");
      started = [];
      from = end + 1;
      receive(JSON.parse(line));
    }
    if (from < chunk.length) started.push(chunk.slice(from));
  });
  input.on("end", ended);
  input.on("error", ended);
}

export function send(message) {
  let rest = Buffer.from(`${JSON.stringify(message)}\n`, "utf8");
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(output, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

/** One way: nobody answers. */
export function tell(what, extension, args = {}) {
  send({ tell: what, ext: extension?.index ?? -1, call: turn.getStore()?.call, args });
}

/** The answer of the host. With a signal, waiting ends when it fires, and the host is told to stop asking. */
export function ask(what, extension, args = {}, signal = undefined) {
  if (signal?.aborted) return Promise.resolve(undefined);
  const id = ++lastAsked;
  const call = turn.getStore()?.call;
  const answer = new Promise((resolve, reject) => asked.set(id, { resolve, reject, what, call }));
  send({ ask: what, id, ext: extension?.index ?? -1, call, args });
  signal?.addEventListener("abort", () => forget(id), { once: true });
  return answer;
}

/** A question to the user that was asked during this call and is not answered yet. */
export function openQuestion(call) {
  return [...asked.values()].find((each) => each.call === call && QUESTIONS.has(each.what))?.what;
}

function forget(id) {
  const waiting = asked.get(id);
  if (!waiting) return;
  asked.delete(id);
  send({ forget: id });
  waiting.resolve(undefined);
}

export function answered({ answer, value, error }) {
  const waiting = asked.get(answer);
  asked.delete(answer);
  if (error === undefined) waiting?.resolve(value);
  else waiting?.reject(new Error(error));
}

const reported = new Set();

/** What does not work here is said by its name, once for each extension; the extension goes on. */
export function unsupported(extension, name, instead = "") {
  const key = `${extension?.index}:${name}`;
  if (reported.has(key)) return;
  reported.add(key);
  trouble("unsupported", extension, `\`${name}\` does nothing here${instead ? `: ${instead}` : ""}`, { name });
}

export function trouble(kind, extension, message, more = {}) {
  send({ trouble: kind, ext: extension?.index ?? -1, message, ...more });
}
