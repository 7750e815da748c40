// What the host may ask of an extension: one function each. It answers with `value`, and `changed` for what a handler
// changed in place.
import { collected } from "./operations.mjs";
import { bounded } from "./results.mjs";
import { close, key, lines, linesOf } from "./surface.mjs";
import { state } from "./state.mjs";
import { theme } from "./virtual/agent/theme.mjs";
import { openQuestion, send } from "./wire.mjs";
import { providerCall } from "./provider.mjs";

/** Fields that a handler may change in place, as pi allows. */
const IN_PLACE = { tool_call: ["input"], context: ["messages"], before_provider_request: ["payload"], before_provider_headers: ["headers"] };
const WITH_SIGNAL = new Set(["session_before_compact", "session_before_tree", "session_stop"]);
const MOST_ROWS = 200;
const GUARDS = "a guard returns { block: true, reason }, { input }, or nothing";

export function callsFor() {
  const rows = new Map(); // what renderers of one tool call share

  async function event(extension, { handler, event: given, guards }, { id, signal }) {
    const mutable = IN_PLACE[given.type] ?? [];
    const before = mutable.map((name) => JSON.stringify(given[name]));
    if (WITH_SIGNAL.has(given.type)) given.signal = signal;
    if (given.type === "before_agent_start") given = promptFor(extension, given);
    const known = new Set(Object.keys(given));
    let value = await extension.handlers[handler](given, extension.context);
    if (guards) refuseNonsense(given, known, value, openQuestion(id));
    if (given.type === "user_bash" && value?.operations && !value.result) value = { result: await collected(value.operations, given, signal) };
    const changed = {};
    for (const [at, name] of mutable.entries()) {
      if (value?.[name] === undefined && JSON.stringify(given[name]) !== before[at]) changed[name] = given[name];
    }
    return { value, ...(Object.keys(changed).length ? { changed } : {}) };
  }

  async function tool(extension, { name, call, args }, { id, signal }) {
    const definition = extension.tools.get(name);
    const update = (partial) => send({ update: id, value: bounded(partial) });
    const rest = isOldOrder(definition.execute) ? [update, extension.context, signal] : [signal, update, extension.context];
    return { value: bounded(await definition.execute(call, args, ...rest)) };
  }

  /** Before anybody judges the call: what is judged is what runs. */
  async function prepare(extension, { name, args }) {
    return { value: await extension.tools.get(name).prepareArguments(args) };
  }

  async function command(extension, { name, args }) {
    return { value: (await extension.commands.get(name).handler(args, extension.commandContext)) ?? null };
  }

  async function complete(extension, { name, prefix }) {
    return { value: (await extension.commands.get(name).getArgumentCompletions(prefix)) ?? [] };
  }

  async function shortcut(extension, { key: pressed }) {
    await extension.shortcuts.get(pressed)(extension.context);
    return { value: null };
  }

  function render(extension, { kind, name, renderer, subject, options, width }) {
    state.width = width;
    const row = kind === "call" || kind === "result" ? rowOf(rows, options, kind) : {};
    const drawn = DRAW[kind](extension, { name, renderer, subject, options, row });
    if (row.last) row.last[kind] = drawn;
    return { value: linesOf(drawn, width) };
  }

  return {
    event, tool, prepare, command, complete, shortcut, render,
    provider: providerCall,
    "component.render": (_, { component, width }) => ({ value: lines(component, width) }),
    "component.key": (_, { component, data }) => ({ value: key(component, data) ?? null }),
    "component.close": (_, { component }) => ({ value: close(component) ?? null }),
  };
}

/** A guard whose answer means nothing has not judged. What JSON would lose on its way to the host is noticed here. */
function refuseNonsense(given, known, value, question) {
  if (question && value?.block !== true) throw new TypeError(`nobody has answered yet: write \`await ctx.${question}(...)\``);
  const added = Object.keys(given).find((key) => !known.has(key));
  if (added) throw new TypeError(`set \`event.${added}\`, which nobody reads: ${GUARDS}`);
  if (value === undefined || value === null) return;
  const says = typeof value === "object" && !Array.isArray(value) && !(value instanceof Error);
  const isPlain = says && [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (!says || (!isPlain && Object.keys(value).length === 0)) throw new TypeError(`returned ${Array.isArray(value) ? "an array" : value?.constructor?.name ?? typeof value}: ${GUARDS}`);
  for (const [key, each] of Object.entries(value)) {
    if (typeof each?.then === "function") throw new TypeError(`\`${key}\` is a promise: write \`await\` before it`);
    if (["function", "symbol"].includes(typeof each)) throw new TypeError(`\`${key}\` is a ${typeof each}: ${GUARDS}`);
  }
}

/** Early versions of pi, and omp's own examples, have `execute(id, params, onUpdate, ctx, signal)`: the names tell. */
function isOldOrder(execute) {
  const [, list = ""] = /^[^(]*\(([^)]*)\)/.exec(Function.prototype.toString.call(execute)) ?? [];
  const [, , third = "", fourth = ""] = list.split(",");
  return /update/i.test(third) && /ctx|context/i.test(fourth);
}

function promptFor(extension, given) {
  const systemPrompt = extension.dialect === "omp" ? [given.systemPrompt] : given.systemPrompt;
  return { systemPromptOptions: { cwd: state.cwd, selectedTools: state.activeTools, skills: [], contextFiles: [] }, ...given, systemPrompt };
}

const DRAW = {
  message: (extension, { renderer, subject, options }) => extension.renderers[renderer](subject, { expanded: false, ...options }, theme),
  entry: (extension, { renderer, subject, options }) => extension.renderers[renderer](subject, { expanded: false, ...options }, theme),
  call(extension, { name, subject, options, row }) {
    const render = extension.tools.get(name).renderCall;
    const more = contextOf(row, subject, options, "call");
    return extension.dialect === "omp" ? render(subject, more, theme) : render(subject, theme, more);
  },
  result(extension, { name, subject, options, row }) {
    const more = contextOf(row, options.args ?? {}, options, "result");
    const settings = { expanded: false, isPartial: false, ...options };
    return extension.tools.get(name).renderResult(subject, settings, theme, extension.dialect === "omp" ? more.args : more);
  },
};

function rowOf(rows, { callId = "" }) {
  if (!rows.has(callId)) {
    if (rows.size >= MOST_ROWS) rows.delete(rows.keys().next().value);
    rows.set(callId, { state: {}, last: {} });
  }
  return rows.get(callId);
}

function contextOf(row, args, options, kind) {
  return {
    args, toolCallId: options.callId ?? "", invalidate: () => {}, lastComponent: row.last[kind], state: row.state, cwd: state.cwd,
    executionStarted: kind === "result", argsComplete: true, isPartial: Boolean(options.isPartial), expanded: Boolean(options.expanded),
    showImages: false, isError: Boolean(options.isError),
  };
}
