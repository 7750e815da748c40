// ctx: what handlers, tools and commands get besides their event. Everything that pi answers at once is answered from the
// mirrored state; everything that takes time asks the host.
import { sessionManager } from "./session.mjs";
import { state } from "./state.mjs";
import { ask, tell, trouble, unsupported } from "./wire.mjs";
import { userInterface } from "./ui.mjs";

export function contextFor(extension) {
  const timers = managedTimers(extension);
  return {
    ui: userInterface(extension),
    get hasUI() { return state.hasUI; },
    get mode() { return state.hasUI ? "tui" : "print"; },
    get cwd() { return state.cwd; },
    get model() { return state.model ?? undefined; },
    get signal() { return extension.signal; },
    sessionManager,
    modelRegistry: registryFor(extension),
    models: {
      list: () => state.models,
      current: () => state.model ?? undefined,
      resolve: (wanted) => state.models.find((each) => each.id === wanted || `${each.provider}/${each.id}` === wanted),
      family: () => undefined,
    },
    isIdle: () => state.idle,
    hasPendingMessages: () => state.pending,
    isProjectTrusted: () => state.trusted,
    getContextUsage: () => state.usage ?? undefined,
    getSystemPrompt: () => (extension.dialect === "omp" ? [state.systemPrompt] : state.systemPrompt),
    getSystemPromptOptions: () => ({ cwd: state.cwd }),
    getAsyncJobSnapshot: () => null,
    abort: () => tell("abort", extension),
    shutdown: () => tell("shutdown", extension),
    compact(options) {
      const instructions = typeof options === "string" ? options : options?.customInstructions;
      return ask("compact", extension, { instructions: instructions ?? "" }).then(
        (result) => options?.onComplete?.(result ?? undefined),
        (error) => (options?.onError ? options.onError(error) : trouble("failed", extension, `ctx.compact: ${error.message}`)),
      );
    },
    ...timers,
  };
}

/** What only a command of the user may do: change to another session, wait, reload. */
export function commandContextFor(extension) {
  const context = Object.create(extension.context);
  const control = async (action, options, more = {}) => {
    const answer = (await ask("control", extension, { action, options })) ?? {};
    if (!answer.cancelled && more.withSession) await more.withSession(replaced(extension, context));
    return { cancelled: false, ...answer };
  };
  return Object.assign(context, {
    waitForIdle: async () => void (await control("wait_for_idle", {})),
    newSession(options = {}) {
      if (options.setup) unsupported(extension, "ctx.newSession({ setup })", "write to the new session from withSession");
      return control("new_session", { parent_session: options.parentSession ?? "" }, options);
    },
    fork: (id, options = {}) => control("fork", { entry_id: id, position: options.position ?? "before" }, options),
    branch: (id) => control("fork", { entry_id: id, position: "before" }),
    navigateTree: (id, { summarize = false, customInstructions = "", replaceInstructions = false, label = "" } = {}) =>
      control("navigate_tree", { target_id: id, summarize, instructions: customInstructions, replace_instructions: replaceInstructions, label }),
    switchSession: (path, options = {}) => control("switch_session", { path }, options),
    reload: async () => void (await control("reload", {})),
  });
}

function replaced(extension, context) {
  return Object.assign(Object.create(context), {
    sendMessage: async (message, options) => extension.api.sendMessage(message, options),
    sendUserMessage: async (content, options) => extension.api.sendUserMessage(content, options),
  });
}

const STAND_IN = "pisces"; // in the place of a key: the host has the real one, and calls the model itself

/** Models are known; keys are not handed out. Where the host calls models for extensions they get a stand-in for it. */
function registryFor(extension) {
  const refuse = "pisces does not hand out API keys to extensions";
  const same = (provider, id) => state.models.find((each) => each.provider === provider && each.id === id);
  return {
    getAll: () => state.models,
    getAvailable: () => state.models,
    find: same,
    getError: () => undefined,
    refresh: () => {},
    hasConfiguredAuth: () => state.completes,
    isUsingOAuth: () => false,
    getProviderAuthStatus: () => ({ configured: false }),
    getProviderDisplayName: (provider) => provider,
    registerProvider: (name, config) => extension.api.registerProvider(name, config),
    unregisterProvider: (name) => extension.api.unregisterProvider(name),
    async getApiKeyAndHeaders() {
      if (state.completes) return { ok: true, apiKey: STAND_IN, headers: {} };
      unsupported(extension, "ctx.modelRegistry.getApiKeyAndHeaders", refuse);
      return { ok: false, error: refuse };
    },
    async getApiKey() {
      if (state.completes) return STAND_IN;
      unsupported(extension, "ctx.modelRegistry.getApiKey", refuse);
      return undefined;
    },
    async getApiKeyForProvider() {
      if (state.completes) return STAND_IN;
      unsupported(extension, "ctx.modelRegistry.getApiKeyForProvider", refuse);
      return undefined;
    },
    authStorage: {
      get: () => undefined,
      has: () => false,
      hasAuth: () => false,
      list: () => [],
      async getApiKey() {
        unsupported(extension, "ctx.modelRegistry.authStorage", refuse);
        return undefined;
      },
    },
  };
}

/** omp's timers: what breaks in them is reported, and they keep nobody from ending. */
function managedTimers(extension) {
  const contained = (callback) => async (...args) => {
    try {
      await callback(...args);
    } catch (error) {
      trouble("failed", extension, `timer: ${error?.message ?? error}`, { trace: error?.stack });
    }
  };
  const kept = (timer) => {
    timer.unref?.();
    return timer;
  };
  return {
    setInterval: (callback, ms, ...args) => kept(setInterval(contained(callback), ms, ...args)),
    setTimeout: (callback, ms, ...args) => kept(setTimeout(contained(callback), ms, ...args)),
    clearTimer: (timer) => clearTimeout(timer),
  };
}
