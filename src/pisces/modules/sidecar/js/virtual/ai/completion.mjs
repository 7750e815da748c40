// Asking a model: by a function that an extension registered for its own kind of service, else through the host.

import { callHost } from "../host_link.mjs";
import { AssistantMessageEventStream, eventsOf } from "./event_stream.mjs";

const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
const services = new Map();

export const registerApiProvider = (service, sourceId) => void services.set(service.api, { ...service, sourceId });
export const getApiProvider = (api) => services.get(api);
export const getApiProviders = () => [...services.values()];
export const clearApiProviders = () => services.clear();
export const resetApiProviders = clearApiProviders;
export const registerBuiltInApiProviders = () => {};
export const registerCustomApi = (api, streamSimple, sourceId) => registerApiProvider({ api, stream: streamSimple, streamSimple }, sourceId);
export const getCustomApi = getApiProvider;
export const clearCustomApis = clearApiProviders;

export function unregisterApiProviders(sourceId) {
  for (const [api, service] of services) if (service.sourceId === sourceId) services.delete(api);
}
export const unregisterCustomApis = unregisterApiProviders;

/** What can be sent to another process: no functions, no signal. */
const plain = (options = {}) => Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value !== "function" && !(value instanceof AbortSignal)));
const plainContext = ({ systemPrompt, messages, tools = [] }) => ({
  systemPrompt, messages, tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
});

/** The message as people expect it, whatever little the host answered. */
function whole(model, answer) {
  const given = typeof answer === "string" ? { content: answer } : (answer ?? {});
  const content = typeof given.content === "string" ? [{ type: "text", text: given.content }] : (given.content ?? []);
  return { role: "assistant", api: model.api, provider: model.provider, model: model.id, usage: NO_USAGE, stopReason: "stop", timestamp: Date.now(), ...given, content };
}

async function askHost(model, context, options) {
  const call = callHost("model.complete", { model, context: plainContext(context), options: plain(options) });
  const answer = options?.signal ? await Promise.race([call, aborted(options.signal)]) : await call;
  if (answer === null || answer === undefined) throw new Error(`the host has no model to ask: ${model?.provider}/${model?.id}`);
  return whole(model, answer);
}

const aborted = (signal) =>
  new Promise((_, fail) => {
    const stop = () => fail(Object.assign(new Error("Request was aborted"), { name: "AbortError" }));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });

function failed(model, error) {
  const reason = error.name === "AbortError" ? "aborted" : "error";
  return whole(model ?? {}, { content: [], stopReason: reason, errorMessage: error.message });
}

/** A stream never throws: what went wrong is its last event. */
export function throughHost(model, context, options) {
  const events = new AssistantMessageEventStream();
  askHost(model, context, options)
    .catch((error) => failed(model, error))
    .then((message) => {
      for (const event of eventsOf(message)) events.push(event);
      events.end(message);
    });
  return events;
}

const by = (act) => (model, context, options) => {
  const service = services.get(model?.api);
  const run = service?.[act] ?? service?.streamSimple;
  return run ? run(model, context, options) : throughHost(model, context, options);
};

export const stream = by("stream");
export const streamSimple = by("streamSimple");

/** One answer. Unlike a stream this throws when there is nobody to ask, so that the reason is seen. */
const completing = (streamed) => async (model, context, options) => {
  if (services.has(model?.api)) return streamed(model, context, options).result();
  try {
    return await askHost(model, context, options);
  } catch (error) {
    if (error.name === "AbortError") return failed(model, error);
    throw error;
  }
};

export const complete = completing(stream);
export const completeSimple = completing(streamSimple);
