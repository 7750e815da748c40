// What `pi-ai` exports: models and how to ask them, streams of events, JSON that is still coming, types of tools.

import { marked } from "./typebox/schema.mjs";

export * from "./ai/completion.mjs";
export * from "./ai/providers.mjs";
export * from "./ai/event_stream.mjs";
export * from "./ai/json.mjs";
export * from "./ai/models.mjs";
export { getOAuthApiKey, getOAuthProvider, getOAuthProviders, refreshOAuthToken, registerOAuthProvider, unregisterOAuthProvider } from "./ai/oauth.mjs";
export * from "./ai/tool_arguments.mjs";
export { uuidv7 } from "./agent/ids.mjs";
export { Type } from "./typebox.mjs";

/** One of some texts, as every provider understands it: `enum`, not `anyOf`. */
export function StringEnum(values, options = {}) {
  return marked({ type: "string", enum: [...values], ...options }, { kind: "Unsafe" });
}

export const Effort = Object.freeze({ Minimal: "minimal", Low: "low", Medium: "medium", High: "high", XHigh: "xhigh" });
export const THINKING_EFFORTS = Object.freeze(Object.values(Effort));

export const fauxText = (text) => ({ type: "text", text });
export const fauxThinking = (thinking) => ({ type: "thinking", thinking });
export const fauxToolCall = (name, given, options = {}) => ({ type: "toolCall", id: options.id ?? `tool:${Math.random().toString(36).slice(2)}`, name, arguments: given });

export function fauxAssistantMessage(content, options = {}) {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const parts = typeof content === "string" ? [fauxText(content)] : [content].flat();
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost };
  return { role: "assistant", content: parts, api: "faux", provider: "faux", model: "faux-1", usage, stopReason: "stop", timestamp: Date.now(), ...options };
}

export const formatThrownValue = (value) => (value instanceof Error ? value.message || value.name : String(value));
export const extractDiagnosticError = (value) =>
  value instanceof Error ? { name: value.name, message: formatThrownValue(value), stack: value.stack, code: value.code } : { name: "ThrownValue", message: formatThrownValue(value) };
export const createAssistantMessageDiagnostic = (type, error, details) => ({ type, timestamp: Date.now(), error: extractDiagnosticError(error), details });
export const appendAssistantMessageDiagnostic = (message, diagnostic) => void (message.diagnostics = [...(message.diagnostics ?? []), diagnostic]);
