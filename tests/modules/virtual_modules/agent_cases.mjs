// What the functions of pi-coding-agent and pi-ai answer, for one implementation at a time.

const attempted = async (act) => {
  try {
    return (await act()) ?? null;
  } catch (error) {
    return `error: ${error.message}`;
  }
};

const MESSAGES = [
  { role: "user", content: "hi", timestamp: 1 },
  { role: "assistant", content: [{ type: "thinking", thinking: "hm" }, { type: "text", text: "yo" }, { type: "toolCall", id: "1", name: "read", arguments: { path: "a" } }], timestamp: 2, provider: "p", model: "m" },
  { role: "toolResult", toolCallId: "1", toolName: "read", content: [{ type: "text", text: "res" }], isError: false, timestamp: 3 },
  { role: "bashExecution", command: "ls", output: "a\n", exitCode: 0, cancelled: false, truncated: false, timestamp: 4 },
  { role: "bashExecution", command: "ls", output: "", exitCode: 2, cancelled: true, truncated: true, fullOutputPath: "/x", timestamp: 4 },
  { role: "bashExecution", command: "ls", output: "a", excludeFromContext: true, timestamp: 4 },
  { role: "custom", customType: "c", content: "cc", display: true, timestamp: 5 },
  { role: "branchSummary", summary: "bs", fromId: "z", timestamp: 6 },
  { role: "compactionSummary", summary: "cs", tokensBefore: 4, timestamp: 7 },
];
const entry = (id, parentId, type, more) => ({ id, parentId, type, timestamp: "2026-01-01T00:00:00.000Z", ...more });
const ENTRIES = [
  entry("1", null, "message", { message: MESSAGES[0] }),
  entry("2", "1", "model_change", { provider: "p", modelId: "m" }),
  entry("3", "2", "message", { message: MESSAGES[1] }),
  entry("4", "3", "thinking_level_change", { thinkingLevel: "high" }),
  entry("5", "4", "custom_message", { customType: "c", content: "x", display: true }),
  entry("6", "5", "compaction", { summary: "S", firstKeptEntryId: "3", tokensBefore: 9 }),
  entry("7", "6", "message", { message: { role: "user", content: "after" } }),
  entry("8", "7", "branch_summary", { fromId: "q", summary: "B" }),
  entry("9", "8", "custom", { customType: "z", data: 1 }),
];
const FRONTMATTER = ["---\nname: x\nlist:\n  - a\n  - b\nn: 3\nb: true\nq: \"a: b\"\n---\n\nbody\n", "no", "---\nunclosed", "---\r\na: 1\r\n---\r\nx", "---\nd: |\n  one\n  two\nf: [x, 'y']\ng: {k: v}\n---\n"];

export async function agentCases(agent, folder) {
  const run = (tool, args) => attempted(async () => (await tool.execute("id", args, undefined, undefined, {})).content);
  const { createReadTool, createWriteTool, createEditTool, createLsTool, createBashTool, createFindTool } = agent;
  return {
    head: [agent.truncateHead("a\nb\nc\nd", { maxLines: 2 }), agent.truncateHead("aaaa\nbbbb\ncccc", { maxBytes: 10 }), agent.truncateHead("aaaaaaaaaaaaa", { maxBytes: 10 }), agent.truncateHead("a\nb\n")],
    tail: [agent.truncateTail("a\nb\nc\nd", { maxLines: 2 }), agent.truncateTail("aaaa\nbbbb\ncccc", { maxBytes: 10 }), agent.truncateTail("aaaaaaaaaaaaé", { maxBytes: 5 })],
    line: [agent.truncateLine("abc"), agent.truncateLine("xxxxxxxxxx", 5)],
    sizes: [0, 999, 1024, 1536, 1048576].map((size) => agent.formatSize(size)),
    frontmatter: FRONTMATTER.map((text) => agent.parseFrontmatter(text)),
    write: await run(createWriteTool(folder), { path: "new/x.txt", content: "hello\nworld\n" }),
    edit: await attempted(async () => (await createEditTool(folder).execute("id", { path: "new/x.txt", edits: [{ oldText: "world", newText: "there" }] })).details.diff),
    editMissing: String(await run(createEditTool(folder), { path: "new/x.txt", edits: [{ oldText: "zzz", newText: "q" }] })).startsWith('error: '),
    editTwice: String(await run(createEditTool(folder), { path: "new/x.txt", edits: [{ oldText: "e", newText: "q" }] })).startsWith('error: '),
    read: await run(createReadTool(folder), { path: "new/x.txt" }),
    readPart: await run(createReadTool(folder), { path: "new/x.txt", offset: 2, limit: 1 }),
    readBeyond: String(await run(createReadTool(folder), { path: "new/x.txt", offset: 20 })).startsWith('error: '),
    list: await run(createLsTool(folder), {}),
    listLimited: await run(createLsTool(folder), { path: "new", limit: 1 }),
    bash: await run(createBashTool(folder), { command: "echo hi; echo there" }),
    bashComplains: await run(createBashTool(folder), { command: "echo err >&2" }),
    bashFails: await run(createBashTool(folder), { command: "echo hi; exit 3" }),
    bashSilent: await run(createBashTool(folder), { command: "true" }),
    found: await run(createFindTool(folder, { operations: { exists: () => true, glob: () => [`${folder}/a.txt`] } }), { pattern: "*.txt" }),
    toModel: agent.convertToLlm(MESSAGES),
    serialized: agent.serializeConversation(agent.convertToLlm(MESSAGES)),
    context: [agent.buildSessionContext(ENTRIES), agent.buildSessionContext(ENTRIES, "4"), agent.buildSessionContext(ENTRIES, null)],
    skill: [agent.parseSkillBlock('<skill name="a" location="/x">\nbody\n</skill>\n\nuser text'), agent.parseSkillBlock("no")],
    tokens: MESSAGES.map((message) => agent.estimateTokens(message)),
    languages: ["a.ts", "b.py", "Dockerfile", "x", "m.md"].map((path) => agent.getLanguageFromPath(path) ?? null),
    visual: agent.truncateToVisualLines("a\nb\nc\nd", 2, 10),
    border: new agent.DynamicBorder((text) => text).render(5),
  };
}

export async function aiCases(ai) {
  const model = { id: "m", provider: "p", api: "x", cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }, reasoning: true };
  const tool = { name: "t", description: "", parameters: { type: "object", properties: { n: { type: "number" }, s: { type: "string" } }, required: ["n"] } };
  const events = ai.createAssistantMessageEventStream();
  events.push({ type: "start", partial: {} });
  events.push({ type: "done", reason: "stop", message: { role: "assistant" } });
  events.end();
  const seen = [];
  for await (const event of events) seen.push(event.type);
  return {
    cost: ai.calculateCost(model, { input: 1000, output: 2000, cacheRead: 10, cacheWrite: 20, cost: {} }),
    words: [ai.StringEnum(["a", "b"]), ai.StringEnum(["a"], { description: "d", default: "a" })],
    levels: [ai.getSupportedThinkingLevels(model), ai.getSupportedThinkingLevels({ ...model, reasoning: false }), ai.clampThinkingLevel(model, "xhigh")],
    partial: ['{"a":1', '{"a":"x', '{"a":[1,2', '{"a":{"b":tr', "", '{"a', '[1,{"x":"y"'].map((text) => ai.parseStreamingJson(text)),
    repaired: ai.parseJsonWithRepair('{"a":"x\ny"}'),
    arguments: await attempted(() => ai.validateToolArguments(tool, { name: "t", arguments: { n: "3" } })),
    wrong: await attempted(() => ai.validateToolArguments(tool, { name: "t", arguments: { s: 1 } })),
    unknown: await attempted(() => ai.validateToolCall([tool], { name: "zz", arguments: {} })),
    overflow: [ai.isContextOverflow({ stopReason: "error", errorMessage: "prompt is too long: 213462 tokens > 200000 maximum" }), ai.isContextOverflow({ stopReason: "error", errorMessage: "rate limit" })],
    events: [seen, await events.result()],
  };
}

const TOOLS = [
  {
    name: "add", label: "add", description: "", parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
    async execute(_id, { a, b }, _signal, onUpdate) {
      onUpdate({ content: [], details: {} });
      return { content: [{ type: "text", text: String(a + b) }], details: {} };
    },
  },
  {
    name: "bad", label: "bad", description: "", parameters: { type: "object", properties: {} },
    execute: async () => {
      throw new Error("boom");
    },
  },
];
const called = (id, name, given) => ({ type: "toolCall", id, name, arguments: given });

/** What an agent does with a model that calls a tool, one that fails, one that is not there, and then answers; then a second question. */
export async function loopCases({ Agent }, ai, toolExecution) {
  const script = [
    { content: [called("1", "add", { a: 1, b: "2" }), called("2", "nope", {}), called("3", "bad", {})], stopReason: "toolUse" },
    { content: [{ type: "text", text: "3" }], stopReason: "stop" },
    { content: [{ type: "text", text: "more" }], stopReason: "stop" },
  ];
  const asked = [];
  const streamFn = (_model, context, options) => {
    asked.push([context.messages.map((message) => message.role), options.reasoning ?? null]);
    const message = { role: "assistant", api: "x", provider: "p", model: "m", usage: {}, timestamp: 1, ...script.shift() };
    const events = ai.createAssistantMessageEventStream();
    queueMicrotask(() => {
      events.push({ type: "start", partial: { ...message, content: [] } });
      events.push({ type: "done", reason: message.stopReason, message });
    });
    return events;
  };
  const model = { id: "m", provider: "p", api: "x" };
  const agent = new Agent({ initialState: { systemPrompt: "s", model, tools: TOOLS, thinkingLevel: "low" }, streamFn, toolExecution });
  const said = [];
  agent.subscribe((event) => said.push([event.type, event.toolName ?? event.message?.role ?? "", event.isError ?? null]));
  agent.followUp({ role: "user", content: "and?", timestamp: 1 });
  await agent.prompt("what is 1 + 2");
  return { said, asked, content: agent.state.messages.map((message) => message.content), isStreaming: agent.state.isStreaming };
}
