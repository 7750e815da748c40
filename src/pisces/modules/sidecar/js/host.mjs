// Runs extensions of pi and omp for a host in another process. The protocol is described in ../__init__.py.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { apiFor, makeBus } from "./api.mjs";
import { callsFor } from "./calls.mjs";
import { commandContextFor, contextFor } from "./context.mjs";
import { explain, guardProcess, missingNames } from "./faults.mjs";
import { openPackages } from "./packages.mjs";
import { apply } from "./state.mjs";
import { answered, open, send, turn } from "./wire.mjs";

const bus = makeBus();
const extensions = [];
const running = new Map(); // the id of a call -> how to abort it
const calls = callsFor(extensions);
let isLoading = true;
const leave = guardProcess(extensions, () => isLoading);

function receive(message) {
  apply(message.state);
  if ("do" in message) run(message);
  else if ("answer" in message) answered(message);
  else if ("cancel" in message) running.get(message.cancel)?.abort();
  else if ("ping" in message) send({ pong: message.ping });
  else if ("bus" in message) bus.deliver(message.bus, message.value);
  else if ("drop" in message) drop(extensions[message.drop]);
  else if ("hello" in message) start(message.hello);
}

/** It was loaded again, in another process. Its timers cannot be found and go on, but it cannot act any more. */
function drop(extension) {
  if (!extension) return;
  extension.isGone = true;
  bus.forget(extension);
}

async function run({ do: what, id, ext, args }) {
  const controller = new AbortController();
  const extension = extensions[ext];
  running.set(id, controller);
  try {
    const done = await turn.run({ extension, call: id }, () => calls[what](extension, args, { id, signal: controller.signal }));
    send({ answer: id, ...done });
  } catch (error) {
    send({ answer: id, error: explain(error, extension?.path ?? "") });
  } finally {
    running.delete(id);
  }
}

async function start({ runtime, cwd, paths, stubs }) {
  try {
    process.chdir(cwd);
    const packages = openPackages(stubs);
    const { install } = await import(`./runtimes/${runtime}.mjs`);
    const load = await install(packages);
    send({ ready: { runtime, version: process.versions[runtime] ?? process.version, pid: process.pid } });
    for (const [index, path] of paths.entries()) if (path) await admit(prepared(path, index, packages), load, packages);
    isLoading = false;
    send({ done: true });
  } catch (error) {
    send({ broken: explain(error, "") });
    leave(1);
  }
}

function prepared(path, index, packages) {
  const extension = {
    index, path, dialect: dialectOf(path), isLoading: true, all: extensions,
    handlers: [], tools: new Map(), commands: new Map(), shortcuts: new Map(), flags: new Map(), renderers: [], providers: new Map(),
  };
  extensions[index] = extension;
  extension.bus = bus.busFor(extension);
  extension.api = apiFor(extension, packages);
  extension.context = contextFor(extension);
  extension.commandContext = commandContextFor(extension);
  return extension;
}

/** pi and omp differ in a few arguments; which one a module was written for shows in what it imports. */
function dialectOf(path) {
  try {
    const text = readFileSync(path, "utf8");
    if (/@(mariozechner|earendil-works)\//.test(text)) return "pi";
    return text.includes("@oh-my-pi/") || isDeclaredForOmp(dirname(path)) ? "omp" : "pi";
  } catch {
    return "pi"; // importing it says what is wrong
  }
}

/** The nearest package.json has the last word where the module itself imports nothing. */
function isDeclaredForOmp(folder) {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) return dirname(folder) !== folder && isDeclaredForOmp(dirname(folder));
  const { omp, pi } = JSON.parse(readFileSync(manifest, "utf8"));
  return omp !== undefined && pi === undefined;
}

async function admit(extension, load, packages) {
  try {
    await turn.run({ extension }, async () => {
      const found = await load(extension.path);
      const factory = typeof found === "function" ? found : factoryIn(found);
      if (typeof factory !== "function") throw new TypeError("exports no factory: `export default function (pi) { ... }`");
      if (extension.dialect === "omp") await handPackages(packages);
      await factory(extension.api);
    });
    extension.isLoading = false;
    send({ loaded: extension.index });
  } catch (error) {
    send({ failed: extension.index, ...explain(error, extension.path), missing: missingNames(error, extension.path, packages) });
  }
}

function factoryIn(found) {
  const exported = found.default ?? found["module.exports"];
  return typeof exported === "object" && exported !== null && typeof exported.default === "function" ? exported.default : exported;
}

async function handPackages(packages) {
  for (const specifier of ["@sinclair/typebox", "@oh-my-pi/pi-coding-agent"]) {
    if (packages.has(specifier)) await packages.load(specifier);
  }
}

const descriptors = (process.env.PISCES_WIRE ?? "0,1").split(",").map(Number);
delete process.env.PISCES_WIRE;
if (descriptors[1] === 1) {
  for (const name of ["log", "info", "debug", "table", "dir"]) console[name] = console.error;
  process.stdout.write = process.stderr.write.bind(process.stderr);
}
open(descriptors, receive, () => leave(0));
