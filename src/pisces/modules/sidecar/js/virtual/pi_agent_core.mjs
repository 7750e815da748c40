// What `pi-agent-core` exports: a small agent over the host's models, messages, sizes and results.

export * from "./agent/agent.mjs";
export * from "./agent/loop.mjs";
export * from "./agent/conversation.mjs";
export * from "./agent/ids.mjs";
export { formatSkillsForPrompt as formatSkillsForSystemPrompt, loadSkills } from "./agent/skills.mjs";
export * from "./agent/truncation.mjs";

export const ThinkingLevel = Object.freeze({ Off: "off", Minimal: "minimal", Low: "low", Medium: "medium", High: "high", XHigh: "xhigh" });

export const ok = (value) => ({ ok: true, value });
export const err = (error) => ({ ok: false, error });
export const toError = (value) => (value instanceof Error ? value : new Error(String(value)));
export const getOrUndefined = (result) => (result.ok ? result.value : undefined);

export function getOrThrow(result) {
  if (result.ok) return result.value;
  throw result.error;
}

/** Words of a command line; quotes hold blanks together. */
export function parseCommandArgs(text) {
  const found = text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...found].map(([, double, single, plain]) => double ?? single ?? plain);
}

/** `$1` is a word, `$@` and `$ARGUMENTS` are all, `${@:2:1}` some of them. What comes in is not looked at again. */
export function substituteArgs(content, words) {
  return content.replace(/\$\{@:(\d+)(?::(\d+))?\}|\$(\d+)|\$@|\$ARGUMENTS/g, (_, from, count, number) => {
    if (from) return words.slice(Math.max(0, Number(from) - 1), count ? Math.max(0, Number(from) - 1) + Number(count) : undefined).join(" ");
    return number ? (words[Number(number) - 1] ?? "") : words.join(" ");
  });
}

/** Output without what would disturb a terminal or a model. */
export const sanitizeBinaryOutput = (text) => [...text].filter((each) => /[\t\n\r]|[^\p{Cc}\p{Cs}\ufff9-\ufffb]/u.test(each)).join("");

export class AgentHarnessError extends Error {}
export class BranchSummaryError extends Error {}
export class CompactionError extends Error {}
export class ExecutionError extends Error {}
export class FileError extends Error {}
export class SessionError extends Error {}
