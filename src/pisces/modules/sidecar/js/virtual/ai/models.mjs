// The models that the host knows, what they cost, and how hard they can think.

import { state } from "../host_link.mjs";

const all = () => state().models ?? [];

export const getProviders = () => [...new Set(all().map((model) => model.provider))];
export const getModels = (provider) => all().filter((model) => provider === undefined || model.provider === provider);
export const getModel = (provider, id) => all().find((model) => model.provider === provider && model.id === id);
export const modelsAreEqual = (first, second) => Boolean(first && second) && first.id === second.id && first.provider === second.provider;
export const hasApi = (model, api) => model?.api === api;

const MILLION = 1_000_000;

export function calculateCost(model, usage) {
  const kinds = ["input", "output", "cacheRead", "cacheWrite"];
  const cost = Object.fromEntries(kinds.map((kind) => [kind, ((model.cost?.[kind] ?? 0) / MILLION) * (usage[kind] ?? 0)]));
  usage.cost = { ...cost, total: kinds.reduce((sum, kind) => sum + cost[kind], 0) };
  return usage.cost;
}

const LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"];

export function getSupportedThinkingLevels(model) {
  if (!model.reasoning) return ["off"];
  const map = model.thinkingLevelMap ?? {};
  return LEVELS.filter((level) => (level === "xhigh" ? map[level] !== undefined && map[level] !== null : map[level] !== null));
}

/** The level asked for, or the nearest that the model has: a higher one first, then a lower one. */
export function clampThinkingLevel(model, level) {
  const supported = getSupportedThinkingLevels(model);
  if (supported.includes(level)) return level;
  const at = LEVELS.indexOf(level);
  return LEVELS.slice(at + 1).find((each) => supported.includes(each)) ?? LEVELS.slice(0, at).findLast((each) => supported.includes(each)) ?? "off";
}

export const supportsXhigh = (model) => getSupportedThinkingLevels(model).includes("xhigh");

const KEYS = {
  anthropic: ["ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY"], openai: ["OPENAI_API_KEY"], google: ["GEMINI_API_KEY"], groq: ["GROQ_API_KEY"],
  cerebras: ["CEREBRAS_API_KEY"], xai: ["XAI_API_KEY"], openrouter: ["OPENROUTER_API_KEY"], mistral: ["MISTRAL_API_KEY"], zai: ["ZAI_API_KEY"],
  deepseek: ["DEEPSEEK_API_KEY"], huggingface: ["HF_TOKEN"], minimax: ["MINIMAX_API_KEY"], "kimi-coding": ["KIMI_API_KEY"], opencode: ["OPENCODE_API_KEY"],
  "vercel-ai-gateway": ["AI_GATEWAY_API_KEY"], "azure-openai-responses": ["AZURE_OPENAI_API_KEY"], "google-vertex": ["GOOGLE_CLOUD_API_KEY"],
  "github-copilot": ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"], fireworks: ["FIREWORKS_API_KEY"], together: ["TOGETHER_API_KEY"],
};

export function findEnvKeys(provider) {
  const set = (KEYS[provider] ?? []).filter((name) => process.env[name]);
  return set.length ? set : undefined;
}
export const getEnvApiKey = (provider) => process.env[findEnvKeys(provider)?.[0] ?? ""] || undefined;
export const getEnvApiKeyName = (provider) => KEYS[provider]?.[0];
export const listProvidersWithEnvKey = () => Object.keys(KEYS).filter((provider) => findEnvKeys(provider));

// What providers answer when a prompt does not fit into the context of the model.
const OVERFLOWS = [
  /prompt is too long/i, /request_too_large/i, /input is too long/i, /exceeds the context window/i, /exceeds? the (?:model'?s )?maximum context/i,
  /maximum context length/i, /context[_ ]length[_ ]exceeded/i, /input token count.*exceeds/i, /maximum prompt length/i, /reduce the length of the messages/i,
  /exceeds the limit of \d+/i, /exceeds the available context size/i, /greater than the context length/i, /context window exceeds limit/i,
  /exceeded model token limit/i, /too large for model/i, /too many tokens/i, /token limit exceeded/i, /model_context_window_exceeded/i,
];

export const getOverflowPatterns = () => [...OVERFLOWS];

export function isContextOverflow(message, contextWindow) {
  const text = message.errorMessage ?? "";
  const isThrottled = /rate limit|throttl|too many requests/i.test(text);
  if (message.stopReason === "error" && !isThrottled && OVERFLOWS.some((pattern) => pattern.test(text))) return true;
  const read = (message.usage?.input ?? 0) + (message.usage?.cacheRead ?? 0);
  return Boolean(contextWindow) && message.stopReason === "stop" && read > contextWindow;
}
