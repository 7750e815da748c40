// The `pi` object. Registering works from the start; acting works once the host has bound a session.
import { exec } from "./exec.mjs";
import { schemaOf } from "./schema.mjs";
import { append, state } from "./state.mjs";
import { ask, send, tell, trouble, unsupported } from "./wire.mjs";
import { z } from "./zod.mjs";

const NOT_YET = "Extension runtime not initialized. Action methods cannot be called during extension loading.";
const TOOL_HINTS = ["promptSnippet", "promptGuidelines", "executionMode", "hidden", "defaultInactive", "loadMode", "approval", "strict", "deferrable", "renderShell"];

export function apiFor(extension, packages) {
  const acting = (name, act) => (...args) => {
    if (extension.isGone) throw new Error(`pi.${name}: this module was loaded again; what is called here is the old one`);
    if (extension.isLoading || !state.bound) throw new Error(`pi.${name}: ${NOT_YET}`);
    return act(...args);
  };
  const api = { ...registering(extension), ...without(extension) };
  Object.defineProperties(api, Object.getOwnPropertyDescriptors(packagesOf(packages)));
  for (const [name, act] of Object.entries(actions(extension))) api[name] = acting(name, act);
  return Object.assign(api, { events: extension.bus, exec: (command, args, options) => exec(command, args, { cwd: state.cwd || undefined, ...options }) });
}

function registering(extension) {
  const register = (kind, value) => send({ register: kind, ext: extension.index, value });
  const keep = (list, thing) => list.push(thing) - 1;
  const draws = (kind, name, draw) => register("renderer", { kind, name: text(name, "a renderer"), renderer: keep(extension.renderers, draw) });
  return {
    on(event, handler) {
      if (typeof handler !== "function") throw new TypeError(`pi.on("${event}"): the handler is not a function`);
      register("handler", { event: text(event, "an event"), handler: keep(extension.handlers, handler) });
    },
    registerTool(tool) {
      if (!tool?.name || typeof tool.execute !== "function") throw new TypeError("pi.registerTool: a tool has a name and execute()");
      extension.tools.set(text(tool.name, "a tool"), tool);
      const hints = Object.fromEntries(TOOL_HINTS.filter((each) => tool[each] !== undefined && typeof tool[each] !== "function").map((each) => [each, tool[each]]));
      register("tool", {
        name: tool.name,
        label: tool.label ?? "",
        description: String(tool.description ?? ""),
        parameters: schemaOf(tool.parameters),
        hints,
        prepares: typeof tool.prepareArguments === "function",
        call: typeof tool.renderCall === "function",
        result: typeof tool.renderResult === "function",
      });
    },
    registerCommand(name, options = {}) {
      if (typeof options.handler !== "function") throw new TypeError(`pi.registerCommand("${name}"): the handler is not a function`);
      extension.commands.set(text(name, "a command"), options);
      register("command", { name, description: options.description ?? "", completes: typeof options.getArgumentCompletions === "function" });
    },
    registerShortcut(key, { description = "", handler } = {}) {
      extension.shortcuts.set(text(key, "a shortcut"), handler);
      register("shortcut", { key, description });
    },
    registerFlag(name, { description = "", type = "boolean", default: value } = {}) {
      extension.flags.set(text(name, "a flag"), value);
      register("flag", { name, description, type, default: value ?? null });
    },
    getFlag: (name) => (extension.flags.has(name) ? (state.flags[name] ?? extension.flags.get(name)) : undefined),
    registerMessageRenderer: (name, draw) => draws("message", name, draw),
    registerEntryRenderer: (name, draw) => draws("entry", name, draw),
    /** A name and its settings; in newer versions of pi one object that has an id. */
    registerProvider(given, more = {}) {
      const [name, config] = typeof given === "object" && given !== null ? [given.id, given] : [given, more];
      extension.providers.set(text(name, "a provider"), config);
      register("provider", { name, config, functions: functionsOf(config) });
    },
    unregisterProvider(name) {
      extension.providers.delete(name);
      register("no-provider", { name });
    },
    /** omp: one text is the extension's own label. pi: an entry and its label. */
    setLabel(entryOrLabel, ...label) {
      if (label.length === 0) register("label", { label: entryOrLabel });
      else if (extension.isLoading || !state.bound) throw new Error(`pi.setLabel: ${NOT_YET}`);
      else tell("label", extension, { entry: entryOrLabel, label: label[0] ?? null });
    },
  };
}

/** What is not a text would be nonsense to the host, and is this module's mistake alone. */
function text(name, what) {
  if (typeof name === "string" && name) return name;
  throw new TypeError(`${what} has a name, which is a text, not ${JSON.stringify(name) ?? name}`.slice(0, 200));
}

function functionsOf(config, prefix = "") {
  return Object.entries(config ?? {}).flatMap(([name, value]) => {
    if (typeof value === "function") return [prefix + name];
    return name === "oauth" && value ? functionsOf(value, "oauth.") : [];
  });
}

function actions(extension) {
  return {
    sendMessage(message, options = {}) {
      tell("send_message", extension, { message, deliver_as: options.deliverAs ?? "", trigger_turn: Boolean(options.triggerTurn) });
    },
    sendUserMessage: (content, options = {}) => tell("send_user_message", extension, { content, deliver_as: options.deliverAs ?? "" }),
    appendEntry(customType, data) {
      tell("append_entry", extension, { kind: customType, value: data ?? null });
      append({ type: "custom", customType, data });
    },
    getSessionName: () => state.session.name || undefined,
    async setSessionName(name) {
      state.session = { ...state.session, name };
      tell("session_name", extension, { name });
    },
    getActiveTools: () => [...state.activeTools],
    getAllTools: () => state.allTools.map((tool) => ({ ...tool })),
    async setActiveTools(names) {
      state.activeTools = [...names];
      tell("set_active_tools", extension, { names: [...names] });
    },
    getCommands: () => (state.commands.length ? state.commands.map((command) => ({ ...command })) : commandsOf(extension.all)),
    async setModel(model) {
      return Boolean(await ask("set_model", extension, { model }));
    },
    getThinkingLevel: () => state.thinkingLevel,
    setThinkingLevel(level) {
      state.thinkingLevel = level;
      tell("set_thinking_level", extension, { level });
    },
  };
}

/** Those of this process, for as long as the host does not tell of others. */
function commandsOf(extensions) {
  return extensions.filter(Boolean).flatMap(({ path, commands }) =>
    [...commands].map(([name, { description }]) => ({ name, description, source: "extension", sourceInfo: { path, source: path } })),
  );
}

function without(extension) {
  const not = (name, instead, answer = undefined) => () => {
    unsupported(extension, `pi.${name}`, instead);
    return answer;
  };
  return {
    registerAssistantThinkingRenderer: not("registerAssistantThinkingRenderer", "thinking is drawn by the host"),
    registerComposerShape: not("registerComposerShape", "the host's own editor stays"),
    registerFileWriteFallback: not("registerFileWriteFallback", "files are written by the host's own tools"),
    registerFileDeleteFallback: not("registerFileDeleteFallback", "files are deleted by the host's own tools"),
    getServiceTiers: () => ({}),
    getServiceTier: () => undefined,
    setServiceTier: not("setServiceTier", "the host decides how models are called"),
  };
}

/** omp hands its own packages to extensions. They are here once something has imported them. */
function packagesOf(packages) {
  const logged = (level) => (message, more) => console.error(`[${level}] ${message}`, more ?? "");
  const logger = Object.fromEntries(["debug", "info", "warn", "error"].map((level) => [level, logged(level)]));
  return {
    logger,
    get typebox() { return packages.ready("@sinclair/typebox"); },
    zod: z,
    get arktype() { throw new Error("`pi.arktype` is not available in pisces: describe parameters with pi.zod or pi.typebox"); },
    get pi() { return { ...packages.ready("@oh-my-pi/pi-coding-agent"), logger }; },
  };
}

/** Topics between extensions, those in other processes too: the host passes them on. */
export function makeBus() {
  const listeners = new Map();
  const deliver = (topic, value) => {
    for (const { extension, listener } of [...(listeners.get(topic) ?? [])]) {
      try {
        const answer = listener(value);
        if (answer?.catch) answer.catch((error) => broke(extension, topic, error));
      } catch (error) {
        broke(extension, topic, error);
      }
    }
  };
  const broke = (extension, topic, error) => trouble("failed", extension, `event bus \`${topic}\`: ${error?.message ?? error}`, { trace: error?.stack });
  const busFor = (extension) => ({
    emit(topic, value) {
      if (extension.isGone) return;
      deliver(topic, value);
      try {
        send({ bus: topic, value: value ?? null });
      } catch {
        // What JSON cannot say stays among the extensions of this process.
      }
    },
    on(topic, listener) {
      const one = { extension, listener };
      if (!listeners.has(topic)) {
        listeners.set(topic, []);
        send({ listen: topic });
      }
      listeners.get(topic).push(one);
      return () => {
        const all = listeners.get(topic);
        if (all.includes(one)) all.splice(all.indexOf(one), 1);
      };
    },
    off() {},
  });
  const forget = (extension) => {
    for (const all of listeners.values()) all.splice(0, all.length, ...all.filter((one) => one.extension !== extension));
  };
  return { deliver, busFor, forget };
}
