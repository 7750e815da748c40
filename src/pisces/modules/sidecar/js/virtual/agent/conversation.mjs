// Messages of a session as a model reads them, and as plain text; entries of a transcript as messages.

export const COMPACTION_SUMMARY_PREFIX = "The conversation history before this point was compacted into the following summary:\n\n<summary>\n";
export const COMPACTION_SUMMARY_SUFFIX = "\n</summary>";
export const BRANCH_SUMMARY_PREFIX = "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n";
export const BRANCH_SUMMARY_SUFFIX = "</summary>";
export const CURRENT_SESSION_VERSION = 3;

const asUser = (text, timestamp) => ({ role: "user", content: [{ type: "text", text }], timestamp });
const time = (timestamp) => (typeof timestamp === "number" ? timestamp : new Date(timestamp).getTime());

export function bashExecutionToText(message) {
  const output = message.output ? `\`\`\`\n${message.output}\n\`\`\`` : "(no output)";
  const failed = message.exitCode !== undefined && message.exitCode !== null && message.exitCode !== 0;
  const ending = message.cancelled ? "\n\n(command cancelled)" : failed ? `\n\nCommand exited with code ${message.exitCode}` : "";
  const cut = message.truncated && message.fullOutputPath ? `\n\n[Output truncated. Full output: ${message.fullOutputPath}]` : "";
  return `Ran \`${message.command}\`\n${output}${ending}${cut}`;
}

const TO_MODEL = {
  user: (message) => message,
  assistant: (message) => message,
  toolResult: (message) => message,
  bashExecution: (message) => (message.excludeFromContext ? null : asUser(bashExecutionToText(message), message.timestamp)),
  custom: (message) => (typeof message.content === "string" ? asUser(message.content, message.timestamp) : { role: "user", content: message.content, timestamp: message.timestamp }),
  branchSummary: (message) => asUser(BRANCH_SUMMARY_PREFIX + message.summary + BRANCH_SUMMARY_SUFFIX, message.timestamp),
  compactionSummary: (message) => asUser(COMPACTION_SUMMARY_PREFIX + message.summary + COMPACTION_SUMMARY_SUFFIX, message.timestamp),
};
TO_MODEL.hookMessage = TO_MODEL.custom;

export const convertToLlm = (messages) => messages.map((message) => TO_MODEL[message.role]?.(message) ?? null).filter(Boolean);

const RESULT_LENGTH = 2000;
const textsOf = (content) => (typeof content === "string" ? content : content.filter((part) => part.type === "text").map((part) => part.text).join(""));
const argumentsText = (given) => Object.entries(given ?? {}).map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ");

function assistantText({ content }) {
  const of = (type) => content.filter((part) => part.type === type);
  const thinking = of("thinking").map((part) => part.thinking).join("\n");
  const said = of("text").map((part) => part.text).join("\n");
  const calls = of("toolCall").map((part) => `${part.name}(${argumentsText(part.arguments)})`).join("; ");
  return [
    thinking && `[Assistant thinking]: ${thinking}`,
    said && `[Assistant]: ${said}`,
    calls && `[Assistant tool calls]: ${calls}`,
  ].filter(Boolean).join("\n\n");
}

function resultText({ content }) {
  const text = textsOf(content);
  const left = text.length - RESULT_LENGTH;
  return text && `[Tool result]: ${left > 0 ? `${text.slice(0, RESULT_LENGTH)}\n\n[... ${left} more characters truncated]` : text}`;
}

/** A conversation as one text, for a model that is to summarise it and not to go on with it. */
export function serializeConversation(messages) {
  const texts = { user: (message) => textsOf(message.content) && `[User]: ${textsOf(message.content)}`, assistant: assistantText, toolResult: resultText };
  return messages.map((message) => texts[message.role]?.(message)).filter(Boolean).join("\n\n");
}

export const createBranchSummaryMessage = (summary, fromId, timestamp) => ({ role: "branchSummary", summary, fromId, timestamp: time(timestamp) });
export const createCompactionSummaryMessage = (summary, tokensBefore, timestamp) => ({ role: "compactionSummary", summary, tokensBefore, timestamp: time(timestamp) });
export const createCustomMessage = (customType, content, display, details, timestamp) => ({
  role: "custom", customType, content, display, details, timestamp: time(timestamp),
});

/** What an entry of the transcript adds to the context, if anything. */
export function sessionEntryToContextMessages(entry) {
  if (entry.type === "message") return [entry.message];
  if (entry.type === "custom_message") return [createCustomMessage(entry.customType, entry.content, entry.display, entry.details, entry.timestamp)];
  if (entry.type === "branch_summary" && entry.summary) return [createBranchSummaryMessage(entry.summary, entry.fromId, entry.timestamp)];
  return [];
}

export const getLatestCompactionEntry = (entries) => entries.findLast((entry) => entry.type === "compaction") ?? null;

export function pathTo(entries, leafId, byId = new Map(entries.map((entry) => [entry.id, entry]))) {
  const path = [];
  for (let entry = leafId ? byId.get(leafId) : entries.at(-1); entry && path.length <= byId.size; entry = byId.get(entry.parentId)) path.unshift(entry);
  return path;
}

/** The messages from the root to a leaf; what a compaction summed up is replaced by its summary. */
export function buildSessionContext(entries, leafId, byId) {
  if (leafId === null || !entries.length) return { messages: [], thinkingLevel: "off", model: null };
  const path = pathTo(entries, leafId, byId);
  const found = { thinkingLevel: "off", model: null };
  for (const entry of path) {
    if (entry.type === "thinking_level_change") found.thinkingLevel = entry.thinkingLevel;
    else if (entry.type === "model_change") found.model = { provider: entry.provider, modelId: entry.modelId };
    else if (entry.message?.role === "assistant") found.model = { provider: entry.message.provider, modelId: entry.message.model };
  }
  return { messages: contextOf(path).flatMap((entry) => (entry.type === "compaction" ? summaryOf(entry) : sessionEntryToContextMessages(entry))), ...found };
}

const summaryOf = (entry) => [createCompactionSummaryMessage(entry.summary, entry.tokensBefore, entry.timestamp)];

/** The entries that count: the last compaction first, then what it kept, then what came after it. */
export function contextOf(path) {
  const at = path.findLastIndex((entry) => entry.type === "compaction");
  if (at < 0) return path;
  const kept = path.findIndex((entry) => entry.id === path[at].firstKeptEntryId);
  return [path[at], ...(kept >= 0 && kept < at ? path.slice(kept, at) : []), ...path.slice(at + 1)];
}

export const buildContextEntries = (entries, leafId, byId) => (leafId === null || !entries.length ? [] : contextOf(pathTo(entries, leafId, byId)));

export function parseSessionEntries(content) {
  return content.split("\n").filter((line) => line.trim()).flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return []; // a line that was cut off while it was written
    }
  });
}

export const migrateSessionEntries = () => {};

const CHARACTERS_PER_TOKEN = 4;
const IMAGE_CHARACTERS = 4800;

function charactersOf(message) {
  const content = message.content ?? message.summary ?? (message.command ?? "") + (message.output ?? "");
  if (typeof content === "string") return content.length;
  const lengths = { text: (part) => part.text.length, thinking: (part) => part.thinking.length, image: () => IMAGE_CHARACTERS };
  lengths.toolCall = (part) => part.name.length + JSON.stringify(part.arguments ?? {}).length;
  return content.reduce((sum, part) => sum + (lengths[part.type]?.(part) ?? 0), 0);
}

export const estimateTokens = (message) => Math.ceil(charactersOf(message) / CHARACTERS_PER_TOKEN);
export const calculateContextTokens = (usage) => usage.totalTokens || usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
export const DEFAULT_COMPACTION_SETTINGS = { enabled: true, reserveTokens: 16384, keepRecentTokens: 20000 };
export const shouldCompact = (tokens, window, settings) => Boolean(settings.enabled) && tokens > window - settings.reserveTokens;

const isFinished = (message) => message?.role === "assistant" && message.usage && !["aborted", "error"].includes(message.stopReason);
export const getLastAssistantUsage = (entries) => entries.findLast((entry) => entry.type === "message" && isFinished(entry.message))?.message.usage;

export function estimateContextTokens(messages) {
  const last = messages.findLastIndex(isFinished);
  const usageTokens = last < 0 ? 0 : calculateContextTokens(messages[last].usage);
  const trailingTokens = messages.slice(last + 1).reduce((sum, message) => sum + estimateTokens(message), 0);
  return { tokens: usageTokens + trailingTokens, usageTokens, trailingTokens, lastUsageIndex: last < 0 ? null : last };
}

export function parseSkillBlock(text) {
  const found = /^<skill name="([^"]+)" location="([^"]+)">\n([\s\S]*?)\n<\/skill>(?:\n\n([\s\S]+))?$/.exec(text);
  return found ? { name: found[1], location: found[2], content: found[3], userMessage: found[4]?.trim() || undefined } : null;
}
