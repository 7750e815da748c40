// The tool `bash`: a command line in a shell, its output as it comes, the last part of it kept.

import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { createWriteStream, existsSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "../../typebox.mjs";
import { getShellConfig } from "../places.mjs";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, formatSize, truncateTail } from "../truncation.mjs";
import { callDrawer, drawResult } from "./drawing.mjs";

const PARAMETERS = Type.Object({
  command: Type.String({ description: "The command line" }),
  timeout: Type.Optional(Type.Number({ description: "Seconds after which it is ended; without it there is no limit" })),
});
const KEPT_BYTES = 2 * DEFAULT_MAX_BYTES;

/** End a process with all of its children. */
function endTree(child) {
  try {
    if (process.platform === "win32") spawn("taskkill", ["/F", "/T", "/PID", String(child.pid)]);
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // it has no group of its own, or is gone already
  }
}

export function createLocalBashOperations(options = {}) {
  return {
    exec: (command, cwd, { onData, signal, timeout, env }) =>
      new Promise((settle, fail) => {
        if (!existsSync(cwd)) return fail(new Error(`Working directory does not exist: ${cwd}`));
        const { shell, args } = getShellConfig(options.shellPath);
        const child = spawn(shell, [...args, command], { cwd, env: env ?? process.env, detached: process.platform !== "win32", stdio: ["ignore", "pipe", "pipe"] });
        let ended = "";
        const end = (reason) => {
          ended ||= reason;
          endTree(child);
        };
        const stop = () => end("aborted");
        const timer = timeout > 0 ? setTimeout(() => end(`timeout:${timeout}`), timeout * 1000) : undefined;
        const finish = (act) => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", stop);
          act();
        };
        child.stdout.on("data", onData);
        child.stderr.on("data", onData);
        child.on("error", (error) => finish(() => fail(error)));
        child.on("close", (exitCode) => finish(() => (ended ? fail(new Error(ended)) : settle({ exitCode }))));
        if (signal?.aborted) stop();
        else signal?.addEventListener("abort", stop, { once: true });
        return undefined;
      }),
  };
}

/** The output of a command: its end in memory, all of it in a file once it is long. */
class Output {
  #chunks = [];
  #size = 0;
  #all = [];
  #file = null;

  add(data) {
    const chunk = Buffer.from(data);
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    if (this.#file) this.#file.write(chunk);
    else this.#keepAll(chunk);
    while (this.#chunks.length > 1 && this.#kept() - this.#chunks[0].length > KEPT_BYTES) this.#chunks.shift();
  }

  #kept() {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  #keepAll(chunk) {
    this.#all.push(chunk);
    if (this.#size > DEFAULT_MAX_BYTES) this.#openFile();
  }

  #openFile() {
    this.path = join(tmpdir(), `pisces-bash-${randomBytes(8).toString("hex")}.log`);
    this.#file = createWriteStream(this.path);
    for (const chunk of this.#all) this.#file.write(chunk);
    this.#all = [];
  }

  text() {
    return Buffer.concat(this.#chunks).toString("utf8");
  }

  truncation() {
    const truncation = truncateTail(this.text());
    if (truncation.truncated && !this.#file) this.#openFile();
    return truncation;
  }

  close() {
    this.#file?.end();
  }
}

function said(output, fallback = "(no output)") {
  const truncation = output.truncation();
  if (!truncation.truncated) return { text: truncation.content || fallback };
  const first = truncation.totalLines - truncation.outputLines + 1;
  const limit = truncation.truncatedBy === "bytes" ? ` (${formatSize(DEFAULT_MAX_BYTES)} limit)` : "";
  const note = `[Showing lines ${first}-${truncation.totalLines} of ${truncation.totalLines}${limit}. Full output: ${output.path}]`;
  return { text: `${truncation.content}\n\n${note}`, details: { truncation, fullOutputPath: output.path } };
}

const ENDINGS = [
  [/^aborted$/, () => "Command aborted"],
  [/^timeout:(.*)$/, (seconds) => `Command timed out after ${seconds} seconds`],
];

function endingOf(error) {
  for (const [pattern, say] of ENDINGS) {
    const found = pattern.exec(error.message);
    if (found) return say(found[1]);
  }
  return null;
}

async function run(operations, given, { signal, onUpdate, timeout }) {
  const output = new Output();
  const onData = (data) => {
    output.add(data);
    onUpdate?.({ content: [{ type: "text", text: truncateTail(output.text()).content }], details: undefined });
  };
  try {
    const { exitCode } = await operations.exec(given.command, given.cwd, { onData, signal, timeout, env: given.env });
    const { text, details } = said(output);
    if (exitCode) throw new Error(`${text}\n\nCommand exited with code ${exitCode}`);
    return { content: [{ type: "text", text }], details };
  } catch (error) {
    const ending = endingOf(error);
    if (!ending) throw error;
    const { text } = said(output, "");
    throw new Error(text ? `${text}\n\n${ending}` : ending);
  } finally {
    output.close();
  }
}

export function createBashToolDefinition(cwd, options = {}) {
  const operations = options.operations ?? createLocalBashOperations({ shellPath: options.shellPath });
  return {
    name: "bash",
    label: "bash",
    description: `Run a shell command in the working folder and return its output. Only the last ${DEFAULT_MAX_LINES} lines or ${formatSize(DEFAULT_MAX_BYTES)} are shown; longer output is kept whole in a file. A timeout in seconds may be given.`,
    promptSnippet: "Run shell commands",
    parameters: PARAMETERS,
    async execute(_id, { command, timeout }, signal, onUpdate) {
      const line = options.commandPrefix ? `${options.commandPrefix}\n${command}` : command;
      const context = { command: line, cwd, env: { ...process.env } };
      const spawned = options.spawnHook?.(context) ?? context;
      return run(operations, spawned, { signal, onUpdate, timeout });
    },
    renderCall: callDrawer("$", (args) => args.command ?? "..."),
    renderResult: drawResult,
  };
}
