// How Codex asks hooks and what it understands of an answer (0.166.0), for hooks of Claude Code. Written by pisces.
// Codex takes an answer with one field that it does not know for none, so nothing more than needed is said.
import path from 'node:path';
import { callOf, hashOf, hasPatch, mayBlock, patchCalls, patchFrom, serverToolNames, textOf } from './calls.mjs';
import { isObject, matched } from './protocol.mjs';

export const DATA = '.codex/plugins/data';
const CHANGE_DIRECTORY = /^\s*cd\s+(?:'([^']+)'|"([^"]+)"|([^\s;&|]+))\s*&&/;
const GUARDS = new Set(['PreToolUse', 'PermissionRequest']);
const TOOLS = {
  spawn_agent: { names: ['Agent', 'Task'], words: { message: 'prompt', agent_type: 'subagent_type' } },
  update_plan: { names: ['TodoWrite'], words: { plan: 'todos' } },
  request_user_input: { names: ['AskUserQuestion'], words: {} },
};

export function sceneOf(given, env) {
  const cwd = typeof given.cwd === 'string' && given.cwd ? given.cwd : process.cwd();
  return { cwd, project: env.CLAUDE_PROJECT_DIR || cwd, session: String(given.session_id ?? '') };
}

export function baseOf(given, entry) {
  const base = { session_id: given.session_id, transcript_path: given.transcript_path ?? '', cwd: given.cwd };
  if (given.permission_mode !== undefined) base.permission_mode = given.permission_mode;
  for (const key of ['agent_id', 'agent_type']) if (given[key] !== undefined) base[key] = given[key];
  return { ...base, hook_event_name: entry.event };
}

export function callsOf(given, entry, table, place) {
  const other = OTHER_EVENTS[entry.event];
  if (other) return other(given, entry, table);
  const tool = String(given.tool_name ?? '');
  const input = isObject(given.tool_input) ? given.tool_input : {};
  return toolCalls(tool, input, entry, table, place).map((call) => ({ ...call, tool, given: input, fields: fieldsOf(given, entry, call) }));
}

function toolCalls(tool, input, entry, table, place) {
  if (tool === 'apply_patch') return patchCalls(input.command, entry, place);
  if (tool === 'Bash') {
    const line = callOf(entry, place, ['Bash', 'PowerShell'], () => ({ command: input.command }));
    // Codex takes a patch out of a command line and applies it itself, without a word to hooks about files.
    if (!GUARDS.has(entry.event) || !hasPatch(input.command)) return line;
    const [, ...folders] = CHANGE_DIRECTORY.exec(input.command) ?? [];
    const cwd = path.resolve(place.cwd, folders.find(Boolean) ?? '.');
    return [...line, ...patchCalls(input.command, entry, { ...place, cwd })];
  }
  if (tool.startsWith('mcp__')) return callOf(entry, place, serverNames(table, tool), () => input);
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : { names: [tool], words: {} };
  return callOf(entry, place, known.names, () => renamed(tool, input, known.words));
}

function serverNames(table, tool) {
  const rest = tool.slice(5);
  const own = Object.keys(table.servers).find((each) => rest.startsWith(`${each.replace(/\W/g, '_')}__`) || rest.startsWith(`${each}__`));
  const cut = own === undefined ? rest.indexOf('__') : own.length;
  return [...new Set([tool, ...serverToolNames(table, own ?? rest.slice(0, cut), rest.slice(cut + 2))])];
}

function renamed(tool, input, words) {
  const made = {};
  for (const [key, value] of Object.entries(input)) made[Object.hasOwn(words, key) ? words[key] : key] = value;
  if (tool === 'update_plan' && Array.isArray(made.todos)) {
    made.todos = made.todos.map((each) => ({ content: each?.step, status: each?.status, activeForm: each?.step }));
  }
  if (tool === 'spawn_agent') made.description ??= String(input.message ?? '').slice(0, 60);
  return made;
}

function fieldsOf(given, entry, call) {
  const fields = { tool_name: call.name, tool_input: call.input };
  if (entry.event === 'PermissionRequest') return { ...fields, permission_suggestions: [] };
  const id = given.tool_use_id ?? `toolu_${hashOf([given.session_id, given.tool_input])}`;
  if (entry.event === 'PreToolUse') return { ...fields, tool_use_id: id };
  return { ...fields, tool_response: responseOf(call, given.tool_response), tool_use_id: id, duration_ms: 0 };
}

function responseOf({ name, input }, response) {
  if (name === 'Bash') return { stdout: textOf(response), stderr: '', interrupted: false, isImage: false };
  if (name === 'Write') return { type: 'create', filePath: input.file_path, content: input.content, structuredPatch: [] };
  if (name === 'Edit') return { filePath: input.file_path, oldString: input.old_string, newString: input.new_string, structuredPatch: [] };
  return response;
}

const STOPPED = (given) => ({ stop_hook_active: given.stop_hook_active === true, last_assistant_message: given.last_assistant_message ?? '', background_tasks: [], session_crons: [] });
const fitting = (key) => (given, entry, table) => {
  const names = key === 'agent_type' && Object.hasOwn(table.agents, given[key]) ? table.agents[given[key]] : [given[key]];
  const [name] = matched(entry.matcher, names.map(String));
  return name === undefined ? [] : [{ fields: { ...FIELDS[entry.event](given), [key]: name } }];
};
const FIELDS = {
  SessionStart: (given) => ({ source: given.source }),
  SessionEnd: (given) => ({ reason: given.reason }),
  PreCompact: (given) => ({ trigger: given.trigger, custom_instructions: null }),
  PostCompact: (given) => ({ trigger: given.trigger, compact_summary: '' }),
  SubagentStart: (given) => ({ agent_id: given.agent_id, agent_type: given.agent_type }),
  SubagentStop: (given) => ({ ...STOPPED(given), agent_id: given.agent_id, agent_type: given.agent_type, agent_transcript_path: given.agent_transcript_path ?? '' }),
};
const OTHER_EVENTS = {
  UserPromptSubmit: (given) => [{ fields: { prompt: given.prompt ?? '' } }],
  Stop: (given) => [{ fields: STOPPED(given) }],
  SessionStart: fitting('source'),
  SessionEnd: fitting('reason'),
  PreCompact: fitting('trigger'),
  PostCompact: fitting('trigger'),
  SubagentStart: fitting('agent_type'),
  SubagentStop: fitting('agent_type'),
};

// The answer in words of Codex; undefined where there is nothing to say.
export function saying(said, given, entry, place) {
  const made = EFFECTS[entry.event](said, given, entry, place);
  if (said.message) made.systemMessage = said.message;
  return Object.keys(made).length ? made : undefined;
}

const EFFECTS = {
  PreToolUse: beforeTool,
  PermissionRequest: permission,
  PostToolUse: (said) => withContext('PostToolUse', [said.isDenied ? said.reason : '', said.context, ...said.outputs.map((each) => `A hook replaces this result by: ${textOf(each)}`)]),
  UserPromptSubmit: (said) => {
    if (said.isDenied) return { decision: 'block', reason: said.reason };
    return said.stop === undefined ? withContext('UserPromptSubmit', [said.text]) : stopped(said);
  },
  SessionStart: (said) => withContext('SessionStart', [said.text]),
  SubagentStart: (said) => withContext('SubagentStart', [said.text]),
  SessionEnd: () => ({}),
  PreCompact: (said) => (said.isDenied ? { continue: false, stopReason: said.reason } : {}),
  PostCompact: () => ({}),
  Stop: atStop,
  SubagentStop: atStop,
};

function beforeTool(said, given, entry, place) {
  const inner = { hookEventName: 'PreToolUse' };
  const reason = refusal(said);
  if (reason) Object.assign(inner, { permissionDecision: 'deny', permissionDecisionReason: reason });
  else if (said.rewriter) Object.assign(inner, { permissionDecision: 'allow', updatedInput: inputFrom(said.rewriter, place) });
  if (said.context) inner.additionalContext = said.context;
  return Object.keys(inner).length > 1 ? { hookSpecificOutput: inner } : {};
}

// Codex can put no question for a hook and cannot end a session before a tool: both are denied.
function refusal(said) {
  if (said.isDenied) return said.reason.trim() || 'Blocked by hook';
  if (said.question) return `A hook wants the user to be asked, which Codex cannot do here: ${said.question}`;
  return said.stop === undefined ? '' : `Stopped by a hook: ${said.stop || 'it gave no reason'}`;
}

function permission(said) {
  const decision = said.isDenied ? { behavior: 'deny', message: said.reason.trim() || 'Blocked by hook' } : said.isAllowed && !said.rewriter ? { behavior: 'allow' } : undefined;
  return decision ? { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } : {};
}

// A changed input in words of Codex, for which a hook cannot say more than it was told.
function inputFrom({ call, input }, place) {
  if (call.tool === 'apply_patch') return { command: patchFrom(call, input, place.cwd) };
  if (call.tool === 'Bash') {
    if (call.file || typeof input.command !== 'string') throw new Error('the hook changes a command line into something else');
    return { command: input.command };
  }
  const words = Object.hasOwn(TOOLS, call.tool) ? TOOLS[call.tool].words : {};
  const back = Object.fromEntries(Object.entries(words).map(([own, theirs]) => [theirs, own]));
  const made = {};
  for (const [key, value] of Object.entries(input)) {
    const own = Object.hasOwn(back, key) ? back[key] : key;
    if (Object.hasOwn(TOOLS, call.tool) && !Object.hasOwn(call.given, own)) continue; // no such argument
    made[own] = JSON.stringify(value) === JSON.stringify(call.input[key]) ? call.given[own] : value;
  }
  return made;
}

function withContext(event, texts) {
  const text = texts.filter(Boolean).join('\n');
  return text ? { hookSpecificOutput: { hookEventName: event, additionalContext: text } } : {};
}

function stopped(said) {
  return { continue: false, stopReason: said.stop || 'Stopped by a hook' };
}

// Codex would go on for ever.
function atStop(said, given, entry, place) {
  if (said.stop !== undefined) return stopped(said);
  if (!said.isDenied) return {};
  if (mayBlock(place, entry, given.stop_hook_active === true)) return { decision: 'block', reason: said.reason.trim() || 'Blocked by hook' };
  return { systemMessage: 'A hook has blocked the end of this turn too often in a row: it ends now' };
}
