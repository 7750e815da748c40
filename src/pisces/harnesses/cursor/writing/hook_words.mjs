// How Cursor asks hooks and what it understands of an answer, as documented in autumn 2026, for hooks of Claude Code.
// Written by pisces. Never run in the program itself.
import path from 'node:path';
import { argumentsIn, callOf, fitting, hashOf, hasPatch, patchCalls, patchFrom, renamed, textOf, unknownServerCall } from './calls.mjs';
import { matched, whole } from './protocol.mjs';

export const DATA = '.cursor/plugin-data';
const SERVER_TOOL = 'MCP:';
const PASS = { permission: 'allow' }; // an empty answer is a failure, which blocks
const MOST_CONTEXT = 10_000; // characters; more is dropped as a whole
const KEPT = ['working_directory', 'cwd']; // of a command line, which Claude Code has no word for
const FILE = { path: 'file_path', filePath: 'file_path', target_file: 'file_path', notebook_path: 'file_path', target_notebook: 'file_path' };
const TEXT = { contents: 'content', file_text: 'content', old_str: 'old_string', new_str: 'new_string' };
const changing = (...names) => ({ names, words: { ...FILE, ...TEXT }, isFile: true, hasText: true });
const named = (...names) => ({ names, words: {} });
const SHELL = named('Bash', 'PowerShell');
const WRITE = changing('Write', 'Edit', 'MultiEdit'); // the documented name of every edit
const EDIT = changing('Edit', 'MultiEdit');
const AGENT = named('Agent', 'Task');
const TOOLS = {
  Shell: SHELL, Bash: SHELL, Read: { names: ['Read', 'NotebookRead'], words: FILE, isFile: true }, Write: WRITE, StrReplace: EDIT, Edit: EDIT, MultiEdit: EDIT,
  ApplyPatch: EDIT, EditNotebook: changing('NotebookEdit'), Delete: { names: ['Edit', 'Write', 'MultiEdit'], words: FILE, isFile: true }, Grep: named('Grep'),
  Glob: { names: ['Glob'], words: { glob_pattern: 'pattern', target_directory: 'path' } }, WebFetch: named('WebFetch'),
  WebSearch: { names: ['WebSearch'], words: { search_term: 'query' } }, TodoWrite: named('TodoWrite'), AskQuestion: named('AskUserQuestion'), Task: AGENT,
};

export function sceneOf(given, env) {
  const [root] = Array.isArray(given.workspace_roots) ? given.workspace_roots : [];
  const cwd = [given.cwd, root].find((each) => typeof each === 'string' && each) ?? process.cwd();
  return { cwd, project: env.CURSOR_PROJECT_DIR || env.CLAUDE_PROJECT_DIR || root || cwd, session: String(given.session_id ?? given.conversation_id ?? '') };
}

export function baseOf(given, entry, place) {
  const base = { session_id: place.session, transcript_path: given.transcript_path ?? '', cwd: place.cwd };
  return entry.event.startsWith('Session') ? base : { ...base, permission_mode: 'default' };
}

export function callsOf(given, entry, table, place) {
  const other = OTHER_EVENTS[entry.event];
  if (other) return other(given, entry, table);
  const tool = String(given.tool_name ?? '');
  const input = argumentsIn(given.tool_input);
  return toolCalls(tool, input, entry, table, place).map((call) => ({ ...call, given: input, fields: fieldsOf(given, entry, call) }));
}

function toolCalls(tool, input, entry, table, place) {
  if (tool.startsWith(SERVER_TOOL)) return unknownServerCall(entry, place, table, tool.slice(SERVER_TOOL.length), input);
  const files = filesIn(input);
  const kind = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : likely(input, files);
  if (!kind && !tool) throw new Error('a call names no tool');
  if (!kind) return callOf(entry, place, [tool], () => input);
  const patch = kind.hasText && (tool === 'ApplyPatch' || !files.length) ? Object.values(input).find(hasPatch) : undefined;
  if (patch !== undefined) return patchCalls(patch, entry, place).map((call) => ({ ...call, patch }));
  const made = renamed(input, kind.words);
  if (kind.isFile) made.file_path = path.resolve(place.cwd, theFile(files, tool));
  if (kind.hasText && entry.event === 'PreToolUse' && freshIn(made) === undefined) throw new Error(`a call of ${tool} does not say what it writes`);
  const names = kind.hasText && /\.ipynb$/i.test(made.file_path) ? [...kind.names, 'NotebookEdit'] : kind.names;
  return callOf(entry, place, names, (name) => shaped(name, made)).map((call) => ({ ...call, words: call.input === made ? kind.words : undefined }));
}

// What a tool without a known name does, by what it is given.
function likely(input, files) {
  if (typeof input.command === 'string') return SHELL;
  const isChange = files.length ? freshIn(renamed(input, TEXT)) !== undefined : Object.values(input).some(hasPatch);
  return isChange ? WRITE : undefined;
}

function filesIn(input) {
  return ['file_path', ...Object.keys(FILE)].map((key) => input[key]).filter((each) => typeof each === 'string' && each);
}

function theFile(files, tool) {
  const [file, ...others] = new Set(files);
  if (file === undefined || others.length) throw new Error(`a call of ${tool} does not name one file`);
  return file;
}

function freshIn(made) {
  return [made.new_string, made.content, piecesIn(made, 'new_string')].find((each) => typeof each === 'string');
}

function piecesIn({ edits }, key) {
  return Array.isArray(edits) ? edits.map((each) => textOf(each?.[key])).join('\n') : undefined;
}

function shaped(name, made) {
  const fresh = freshIn(made) ?? '';
  const old = made.old_string ?? piecesIn(made, 'old_string') ?? '';
  if (name === 'MultiEdit') return { file_path: made.file_path, edits: made.edits ?? [{ old_string: old, new_string: fresh, replace_all: false }] };
  if (name.startsWith('Notebook')) return { notebook_path: made.file_path, new_source: fresh };
  if (name === 'Edit' && typeof made.new_string !== 'string') return { ...made, old_string: old, new_string: fresh, replace_all: false };
  return name === 'Write' && typeof made.content !== 'string' ? { ...made, content: fresh } : made;
}

function fieldsOf(given, entry, call) {
  const fields = { tool_name: call.name, tool_input: call.input, tool_use_id: `toolu_${hashOf([given.tool_use_id, call.name, call.input])}` };
  if (entry.event === 'PreToolUse') return fields;
  const time = { duration_ms: Number(given.duration) || 0 };
  if (entry.event === 'PostToolUseFailure') return { ...fields, ...time, error: textOf(given.error_message), is_interrupt: given.is_interrupt === true };
  const said = textOf(given.tool_output);
  const text = textOf(whole(said)?.stdout ?? whole(said)?.output ?? said);
  const response = call.name === 'Bash' ? { stdout: text, stderr: '', interrupted: false, isImage: false } : { content: text, filePath: call.input?.file_path };
  return { ...fields, ...time, tool_response: response };
}

// A turn that somebody ended or that failed is no turn that a hook may keep going.
const isDone = (given) => given.status === undefined || given.status === 'completed';
const STOPPED = (given) => ({ stop_hook_active: Number(given.loop_count) > 0, last_assistant_message: given.summary ?? '', background_tasks: [], session_crons: [] });
const OTHER_EVENTS = {
  UserPromptSubmit: (given) => [{ fields: { prompt: given.prompt ?? '' } }],
  Stop: (given) => (isDone(given) ? [{ fields: STOPPED(given) }] : []),
  SessionStart: (given, entry) => fitting(entry, 'startup', { source: 'startup' }),
  SessionEnd: (given, entry) => fitting(entry, 'other', { reason: 'other' }),
  PreCompact: (given, entry) => fitting(entry, String(given.trigger ?? ''), { trigger: given.trigger, custom_instructions: null }),
  SubagentStop: (given, entry, table) => {
    const agent = String(given.subagent_type ?? '');
    const [name] = matched(entry.matcher, Object.hasOwn(table.agents, agent) ? table.agents[agent] : [agent]);
    if (name === undefined || !isDone(given)) return [];
    return [{ fields: { ...STOPPED(given), agent_id: given.subagent_id ?? '', agent_type: name, agent_transcript_path: given.agent_transcript_path ?? '' } }];
  },
};

export function saying(said, given, entry, place) {
  return EFFECTS[entry.event](said, given, place);
}

const EFFECTS = {
  PreToolUse: beforeTool,
  PostToolUse: (said, given) => {
    const isServers = String(given.tool_name).startsWith(SERVER_TOOL);
    const replaced = isServers && said.outputs.length ? { updated_mcp_tool_output: { content: [{ type: 'text', text: said.outputs.map(textOf).join('\n') }] } } : {};
    const shown = isServers ? [] : said.outputs.map((each) => `A hook replaces this result by: ${textOf(each)}`);
    return { ...replaced, ...withContext([said.isDenied ? said.reason : '', said.context, ...shown]) };
  },
  PostToolUseFailure: () => ({}),
  UserPromptSubmit: (said) => {
    const reason = denialIn(said);
    return reason ? { continue: false, user_message: reason } : { continue: true, ...withContext([said.text]) };
  },
  SessionStart: (said) => withContext([said.text]),
  SessionEnd: () => ({}),
  PreCompact: (said) => (said.message ? { user_message: said.message } : {}),
  Stop: atStop,
  SubagentStop: atStop,
};

// Why the thing may not happen; empty where it may. Cursor takes a question for a consent.
function denialIn(said) {
  if (said.isDenied) return said.reason || 'Blocked by hook';
  if (said.stop !== undefined) return `Stopped by a hook: ${said.stop}`;
  return said.question ? `A hook wants the user to be asked, which is not possible here: ${said.question}` : '';
}

function beforeTool(said, given, place) {
  const reason = denialIn(said);
  if (reason) return { permission: 'deny', user_message: reason, agent_message: reason };
  const changed = said.rewriter ? { updated_input: inputFrom(said.rewriter, place) } : {};
  return { ...PASS, ...changed, ...(said.message ? { user_message: said.message } : {}) };
}

// A changed input in the program's own words. It replaces the whole: what has no counterpart is taken over.
function inputFrom({ call, input }, place) {
  if (call.patch !== undefined) {
    const text = patchFrom(call, input, place.cwd);
    return Object.fromEntries(Object.entries(call.given).map(([key, value]) => [key, value === call.patch ? text : value]));
  }
  const words = call.words ?? (call.input === call.given ? {} : undefined);
  if (words === undefined) throw new Error('the hook changes what this program cannot say');
  const made = Object.fromEntries(KEPT.filter((key) => call.words && Object.hasOwn(call.given, key)).map((key) => [key, call.given[key]]));
  for (const [key, value] of Object.entries(input)) {
    const own = Object.keys(words).find((each) => words[each] === key && Object.hasOwn(call.given, each)) ?? key;
    made[own] = JSON.stringify(value) === JSON.stringify(call.input[key]) ? call.given[own] : value;
  }
  return made;
}

function withContext(texts) {
  const text = texts.filter(Boolean).join('\n').slice(0, MOST_CONTEXT);
  return text ? { additional_context: text } : {};
}

// Cursor counts how often, by `loop_limit` beside the hook.
function atStop(said) {
  return said.isDenied && said.stop === undefined ? { followup_message: said.reason || 'Blocked by hook' } : {};
}
