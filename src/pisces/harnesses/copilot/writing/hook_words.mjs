// How Copilot asks hooks and what it understands of an answer, as documented in autumn 2026, for hooks of Claude Code.
// Written by pisces. Never run in the program itself.
import path from 'node:path';
import { argumentsIn, callOf, fitting, hashOf, hasPatch, patchCalls, patchFrom, renamed, serverToolNames, textOf, unknownServerCall } from './calls.mjs';
import { matched } from './protocol.mjs';

export const DATA = '.copilot/plugin-data';
const FILE = { path: 'file_path' };
const EDIT = { names: ['Edit', 'MultiEdit'], words: { ...FILE, old_str: 'old_string', new_str: 'new_string' }, isFile: true };
const SHELL = { names: ['Bash', 'PowerShell'], words: {} };
const READ = { names: ['Read', 'NotebookRead'], words: FILE, isFile: true };
const WRITE = { names: ['Write'], words: { ...FILE, file_text: 'content' }, isFile: true };
const AGENT = { names: ['Agent', 'Task'], words: { agent_type: 'subagent_type' } };
const named = (...names) => ({ names, words: {} });
// By the names of the program and by those of Claude Code, which it uses for some events.
const TOOLS = {
  bash: SHELL, powershell: SHELL, Bash: SHELL, view: READ, Read: READ, create: WRITE, Write: WRITE, edit: EDIT, Edit: EDIT, apply_patch: EDIT,
  grep: named('Grep'), rg: named('Grep'), Grep: named('Grep'), glob: named('Glob'), Glob: named('Glob'), web_fetch: named('WebFetch'), WebFetch: named('WebFetch'),
  web_search: named('WebSearch'), WebSearch: named('WebSearch'), ask_user: named('AskUserQuestion'), AskUserQuestion: named('AskUserQuestion'),
  update_todo: named('TodoWrite'), TodoWrite: named('TodoWrite'), task: AGENT, Agent: AGENT, Task: AGENT,
};
const EDITOR = { create: WRITE, view: READ };

export function sceneOf(given, env) {
  const cwd = typeof given.cwd === 'string' && given.cwd ? given.cwd : process.cwd();
  return { cwd, project: env.CLAUDE_PROJECT_DIR || cwd, session: String(given.session_id ?? given.sessionId ?? '') };
}

export function baseOf(given, entry, place) {
  const base = { session_id: place.session, transcript_path: given.transcript_path ?? given.transcriptPath ?? '', cwd: place.cwd };
  return entry.event.startsWith('Session') ? base : { ...base, permission_mode: 'default' };
}

export function callsOf(given, entry, table, place) {
  const other = OTHER_EVENTS[entry.event];
  if (other) return other(given, entry, table);
  const tool = String(given.tool_name ?? given.toolName ?? '');
  const input = argumentsIn(given.tool_input ?? given.toolArgs ?? given.toolInput);
  return toolCalls(tool, input, entry, table, place).map((call) => ({ ...call, tool, given: input, fields: fieldsOf(given, entry, call) }));
}

function toolCalls(tool, input, entry, table, place) {
  const patch = Object.values(input).find((each) => TOOLS[tool] === EDIT && hasPatch(each));
  if (patch !== undefined) return patchCalls(patch, entry, place).map((call) => ({ ...call, patch }));
  const known = tool === 'str_replace_editor' ? (EDITOR[input.command] ?? EDIT) : Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  if (!known) return serverCalls(tool, input, entry, table, place);
  const made = renamed(input, known.words);
  if (known.isFile) {
    const file = made.file_path;
    if (typeof file !== 'string') throw new Error(`a call of ${tool} names no file`);
    made.file_path = path.resolve(place.cwd, file);
  }
  return callOf(entry, place, [...known.names, ...notebookNames(known, made)], (name) => shaped(name, made));
}

function notebookNames(known, { file_path: file }) {
  return (known === EDIT || known === WRITE) && file.toLowerCase().endsWith('.ipynb') ? ['NotebookEdit'] : [];
}

function shaped(name, made) {
  if (name === 'MultiEdit') return { file_path: made.file_path, edits: [{ old_string: made.old_string, new_string: made.new_string, replace_all: false }] };
  if (name.startsWith('Notebook')) return { notebook_path: made.file_path, new_source: made.new_string ?? made.content };
  return made;
}

function serverCalls(tool, input, entry, table, place) {
  const servers = Object.keys(table.servers).concat([...String(entry.matcher ?? '').matchAll(/mcp__([A-Za-z0-9_-]+?)__/g)].map((found) => found[1]));
  const names = servers.filter((each) => tool.startsWith(`${each}-`)).flatMap((each) => serverToolNames(table, each, tool.slice(each.length + 1)));
  const calls = callOf(entry, place, [...names, tool], () => input);
  return calls.length ? calls : unknownServerCall(entry, place, table, tool, input);
}

function fieldsOf(given, entry, call) {
  const fields = { tool_name: call.name, tool_input: call.input };
  if (entry.event === 'PermissionRequest') return { ...fields, permission_suggestions: [] };
  const id = `toolu_${hashOf([given.session_id, call.name, call.input])}`;
  if (entry.event === 'PreToolUse') return { ...fields, tool_use_id: id };
  if (entry.event === 'PostToolUseFailure') return { ...fields, tool_use_id: id, error: textOf(given.error), is_interrupt: false, duration_ms: 0 };
  const text = textOf(given.tool_result?.text_result_for_llm ?? given.toolResult?.textResultForLlm ?? given.tool_response);
  const response = call.name === 'Bash' ? { stdout: text, stderr: '', interrupted: false, isImage: false } : { content: text, filePath: call.input?.file_path };
  return { ...fields, tool_response: response, tool_use_id: id, duration_ms: 0 };
}

const STOPPED = (given) => ({ stop_hook_active: given.stop_hook_active === true, last_assistant_message: given.last_assistant_message ?? '', background_tasks: [], session_crons: [] });
const SOURCES = { new: 'startup' };
const OTHER_EVENTS = {
  UserPromptSubmit: (given) => [{ fields: { prompt: given.prompt ?? '' } }],
  Stop: (given) => [{ fields: STOPPED(given) }],
  SessionStart: (given, entry) => {
    const source = SOURCES[given.source] ?? String(given.source ?? 'startup');
    return fitting(entry, source, { source });
  },
  SessionEnd: () => [{ fields: { reason: 'other' } }],
  PreCompact: (given, entry) => fitting(entry, String(given.trigger ?? ''), { trigger: given.trigger, custom_instructions: given.custom_instructions ?? null }),
  SubagentStop: (given, entry, table) => {
    const agent = String(given.agent_name ?? given.agent_type ?? '');
    const [name] = matched(entry.matcher, Object.hasOwn(table.agents, agent) ? table.agents[agent] : [agent]);
    return name === undefined ? [] : [{ fields: { ...STOPPED(given), agent_id: given.agent_id, agent_type: name, agent_transcript_path: '' } }];
  },
};

// The answer in both forms that are documented: of the command line, and of VS Code.
export function saying(said, given, entry, place) {
  const made = EFFECTS[entry.event](said, place);
  if (said.message) made.systemMessage = said.message;
  return Object.keys(made).length ? made : undefined;
}

const EFFECTS = {
  PreToolUse: beforeTool,
  PermissionRequest: (said) => {
    const decision = said.isDenied ? { behavior: 'deny', message: said.reason } : said.isAllowed && !said.rewriter ? { behavior: 'allow' } : undefined;
    return decision ? { ...decision, hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } : {};
  },
  PostToolUse: (said) => withContext('PostToolUse', [said.isDenied ? said.reason : '', said.context, ...said.outputs.map((each) => `A hook replaces this result by: ${textOf(each)}`)]),
  PostToolUseFailure: (said) => withContext('PostToolUseFailure', [said.isDenied ? said.reason : '', said.context]),
  UserPromptSubmit: (said) => (said.isDenied ? { decision: 'block', reason: said.reason } : withContext('UserPromptSubmit', [said.text])),
  SessionStart: (said) => withContext('SessionStart', [said.text]),
  SessionEnd: () => ({}),
  PreCompact: () => ({}),
  Stop: atStop,
  SubagentStop: atStop,
};

function beforeTool(said, place) {
  const reason = said.isDenied ? said.reason : said.stop === undefined ? '' : `Stopped by a hook: ${said.stop}`;
  const inner = {};
  if (said.isDenied || said.stop !== undefined) Object.assign(inner, { permissionDecision: 'deny', permissionDecisionReason: reason || 'Blocked by hook' });
  else if (said.question) Object.assign(inner, { permissionDecision: 'ask', permissionDecisionReason: said.question });
  const changed = !said.isDenied && said.stop === undefined && said.rewriter ? inputFrom(said.rewriter, place) : undefined;
  if (!Object.keys(inner).length && !changed && !said.context) return {};
  const context = said.context ? { additionalContext: said.context } : {};
  return { ...inner, ...(changed ? { modifiedArgs: changed } : {}), ...context, hookSpecificOutput: { hookEventName: 'PreToolUse', ...inner, ...(changed ? { updatedInput: changed } : {}), ...context } };
}

// A changed input in the program's own words. It replaces the whole: what has no counterpart is taken over.
function inputFrom({ call, input }, place) {
  if (call.patch !== undefined) {
    const text = patchFrom(call, input, place.cwd);
    return Object.fromEntries(Object.entries(call.given).map(([key, value]) => [key, value === call.patch ? text : value]));
  }
  if (input.edits !== undefined || call.name.startsWith('Notebook')) throw new Error('the hook changes what this program cannot say');
  const words = Object.hasOwn(TOOLS, call.tool) ? TOOLS[call.tool].words : { ...EDIT.words, ...WRITE.words };
  const back = Object.fromEntries(Object.entries(words).map(([own, theirs]) => [theirs, own]));
  const made = {};
  for (const [key, value] of Object.entries(input)) {
    const own = Object.hasOwn(back, key) && !Object.hasOwn(call.given, key) ? back[key] : key;
    made[own] = JSON.stringify(value) === JSON.stringify(call.input[key]) ? call.given[own] : value;
  }
  return made;
}

function withContext(event, texts) {
  const text = texts.filter(Boolean).join('\n');
  return text ? { additionalContext: text, hookSpecificOutput: { hookEventName: event, additionalContext: text } } : {};
}

// The program itself ends a turn after some blocks in a row.
function atStop(said) {
  return said.isDenied && said.stop === undefined ? { decision: 'block', reason: said.reason || 'Blocked by hook' } : {};
}
