// How Claude Code asks hooks and what it understands of an answer, for hooks that were written for Gemini CLI.
// Written by pisces.
import { argumentsIn, renamed, textOf } from './calls.mjs';
import { denialIn, isObject, whole } from './protocol.mjs';

export const DATA = '.claude/plugin-data';
const GUARDED = new Set(['BeforeTool', 'BeforeAgent']);
const DECIDING = new Set([...GUARDED, 'AfterTool', 'AfterAgent']);
const NO_REASON = 'No reason provided';
const shell = { names: ['run_shell_command'], words: { run_in_background: 'is_background' } };
const agent = { names: ['invoke_agent'], words: { subagent_type: 'agent_name' } };
const folder = (name) => ({ names: [name], words: { path: 'dir_path', glob: 'include_pattern' } });
// What Claude Code's tools are called there. What is not listed keeps its name.
const TOOLS = {
  Bash: shell, PowerShell: shell, Agent: agent, Task: agent,
  Read: { names: ['read_file'], words: { offset: 'start_line' } },
  Write: { names: ['write_file'], words: {} },
  Edit: { names: ['replace'], words: { replace_all: 'allow_multiple' } },
  NotebookEdit: { names: ['replace', 'write_file'], words: { notebook_path: 'file_path', new_source: 'new_string' } },
  Grep: folder('grep_search'), Glob: folder('glob'), LS: folder('list_directory'),
  WebFetch: { names: ['web_fetch'], words: {} }, WebSearch: { names: ['google_web_search'], words: {} },
  TodoWrite: { names: ['write_todos'], words: {} }, AskUserQuestion: { names: ['ask_user'], words: {} },
  Skill: { names: ['activate_skill'], words: { skill: 'name' } }, ExitPlanMode: { names: ['exit_plan_mode'], words: {} },
};

export function sceneOf(given, env, entry) {
  const cwd = typeof given.cwd === 'string' && given.cwd ? given.cwd : process.cwd();
  const [project, session] = [env.CLAUDE_PROJECT_DIR || cwd, String(given.session_id ?? '')];
  Object.assign(env, { GEMINI_PROJECT_DIR: project, GEMINI_CWD: cwd, GEMINI_SESSION_ID: session }, entry.hook.env);
  return { cwd, project, session };
}

export function baseOf(given, entry, place) {
  return { session_id: place.session, transcript_path: given.transcript_path ?? '', cwd: place.cwd, timestamp: new Date().toISOString() };
}

export function callsOf(given, entry, table) {
  if (entry.event === 'BeforeTool' || entry.event === 'AfterTool') return toolCalls(given, entry, table);
  const { cause, fields } = OTHER_EVENTS[entry.event](given);
  const matcher = isOpen(entry.matcher) ? cause : String(entry.matcher).trim();
  return fields && (cause === undefined || matcher === cause) ? [{ fields }] : [];
}

function toolCalls(given, entry, table) {
  const input = argumentsIn(given.tool_input);
  const server = serverTool(String(given.tool_name ?? ''), table);
  const kind = server ?? (Object.hasOwn(TOOLS, given.tool_name) ? TOOLS[given.tool_name] : { names: [String(given.tool_name ?? '')], words: {} });
  const name = kind.names.find((each) => fits(entry.matcher, each));
  if (name === undefined) return [];
  const made = renamed(input, kind.words);
  if (given.tool_name === 'WebFetch') made.prompt = `${made.url ?? ''} ${made.prompt ?? ''}`; // addresses are a part of it there
  const fields = { tool_name: name, tool_input: made, ...(server ? { mcp_context: server.context } : {}) };
  if (entry.event === 'AfterTool') fields.tool_response = responseOf(given);
  return [{ name: given.tool_name, given: input, input: made, words: kind.words, fields }];
}

function serverTool(tool, { package: whole, plugin, servers }) {
  const found = /^mcp__(.+?)__(.+)$/.exec(tool);
  if (!found) return undefined;
  const plain = (text) => text.replace(/[^\w-]/g, '_');
  const prefix = [whole, plugin].map((each) => `plugin_${plain(each)}_`).find((each) => found[1].startsWith(each)) ?? '';
  const short = found[1].slice(prefix.length);
  const server = Object.keys(servers).find((each) => plain(each) === short) ?? short;
  return { names: [`mcp_${server}_${found[2]}`], words: {}, context: { server_name: server, tool_name: found[2] } };
}

function responseOf(given) {
  if (given.hook_event_name === 'PostToolUseFailure') return { llmContent: textOf(given.error), returnDisplay: '', error: { message: textOf(given.error) } };
  const response = given.tool_response;
  const text = typeof response?.stdout === 'string' ? [response.stdout, response.stderr].filter(Boolean).join('\n') : textOf(response?.content ?? response);
  return { llmContent: text, returnDisplay: text };
}

function isOpen(matcher) {
  return matcher === undefined || matcher === null || matcher === '' || matcher === '*';
}

// An expression that may fit anywhere in the name. One that is none fits everything: it is too seldom otherwise.
function fits(matcher, name) {
  if (isOpen(matcher) || typeof matcher !== 'string') return true;
  try {
    return new RegExp(matcher.trim()).test(name);
  } catch {
    return true;
  }
}

const OTHER_EVENTS = {
  BeforeAgent: (given) => ({ fields: { prompt: given.prompt ?? '' } }),
  AfterAgent: (given) => ({
    fields: { prompt: '', prompt_response: given.last_assistant_message || '[no response text]', stop_hook_active: given.stop_hook_active === true },
  }),
  SessionStart: (given) => ({ cause: given.source, fields: given.source === 'compact' ? undefined : { source: given.source } }),
  SessionEnd: (given) => ({ cause: given.reason, fields: { reason: given.reason } }),
  PreCompress: (given) => ({ cause: given.trigger, fields: { trigger: given.trigger } }),
  Notification: (given) => ({
    fields: given.notification_type === 'permission_prompt' ? { notification_type: 'ToolPermission', message: given.message ?? '', details: {} } : undefined,
  }),
};

// What an outcome means in Gemini CLI, and a denial in whatever words, as everywhere.
export function answerOf(hook, event, outcome) {
  const answer = { decision: '', reason: '', context: '', message: '', plain: '', problem: '' };
  const text = outcome.stdout.trim() || outcome.stderr.trim();
  const object = objectOf(text);
  const inner = isObject(object?.hookSpecificOutput) ? object.hookSpecificOutput : {};
  answer.message = textOf(object?.systemMessage);
  const deny = (reason) => ({ ...answer, decision: 'deny', reason: reason || NO_REASON });
  if (DECIDING.has(event)) {
    if (object?.continue === false) return { ...deny(textOf(object.stopReason ?? object.reason)), stop: textOf(object.stopReason ?? object.reason) || NO_REASON };
    const reason = denialIn(JSON.stringify(object) ?? outcome.stdout) ?? denialIn(outcome.stderr);
    if (reason !== undefined) return deny(reason);
    if (!outcome.ended && outcome.exit > 1 && (!object || outcome.exit === 2) && (text || GUARDED.has(event))) return deny(object ? '' : text);
    if (GUARDED.has(event) && outcome.ended === 'too much output') return deny('its output is too long to be read');
  }
  if (outcome.ended) return { ...answer, problem: `it ended with ${outcome.ended}` };
  if (!object) return { ...answer, message: text };
  if (event === 'BeforeTool') {
    if (object.decision === 'ask') return { ...answer, decision: 'ask', reason: textOf(object.reason) };
    if (isObject(inner.tool_input)) answer.input = inner.tool_input;
  }
  return { ...answer, context: textOf(inner.additionalContext) };
}

// An object may be written as a text in JSON.
function objectOf(text) {
  const object = whole(text);
  if (object || !text.startsWith('"')) return object;
  try {
    return whole(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function saying(said, given) {
  const event = given.hook_event_name;
  const made = { ...EFFECTS[event]?.(said, event), ...(said.message ? { systemMessage: said.message } : {}) };
  if (said.stop !== undefined) Object.assign(made, { continue: false, stopReason: said.stop });
  return Object.keys(made).length ? made : undefined;
}

const blocked = (said, event) => (said.isDenied ? { decision: 'block', reason: said.reason } : withContext(event, said.context));
const EFFECTS = {
  PreToolUse: (said, event) => {
    const inner = { hookEventName: event };
    if (said.isDenied) Object.assign(inner, { permissionDecision: 'deny', permissionDecisionReason: said.reason });
    else if (said.question) Object.assign(inner, { permissionDecision: 'ask', permissionDecisionReason: said.question });
    else if (said.rewriter) inner.updatedInput = inputFrom(said.rewriter); // without a decision: the usual question is put
    else return {};
    return { hookSpecificOutput: inner };
  },
  PostToolUse: (said, event) => ({ ...blocked(said, event), ...withContext(event, said.context) }),
  PostToolUseFailure: (said, event) => withContext(event, [said.isDenied ? said.reason : '', said.context].filter(Boolean).join('\n')),
  UserPromptSubmit: blocked,
  Stop: (said) => (said.isDenied ? { decision: 'block', reason: said.reason } : {}),
  SessionStart: (said, event) => withContext(event, said.context),
};

function withContext(event, text) {
  return text ? { hookSpecificOutput: { hookEventName: event, additionalContext: text } } : {};
}

// A changed input in Claude Code's words. It replaces the whole, as it does there.
function inputFrom({ call, input }) {
  const back = Object.fromEntries(Object.entries(call.words).map(([own, theirs]) => [theirs, own]));
  const isKnown = (key) => Object.hasOwn(back, key) || Object.hasOwn(call.given, key) || String(call.name).startsWith('mcp__');
  const odd = Object.keys(input).find((key) => !isKnown(key));
  if (odd !== undefined || call.name === 'WebFetch') throw new Error('the hook changes what this program cannot say');
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [Object.hasOwn(back, key) ? back[key] : key, value]));
}
