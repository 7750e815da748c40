// Runs a hook that was written for Claude Code when Gemini CLI fires one of its own, and answers in Gemini CLI's words.
// Written by pisces. It needs Node 18 or later and nothing else. `hooks.json` beside it has the hooks as they were.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerOf, holds, isObject, matched, outcomeOf, whole } from './protocol.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.resolve(HERE, '..', '..');
const MOST_CALLS = 20; // addresses or files in one call
const MARGIN = 250; // milliseconds
const MOST_STOPS = 9; // Claude Code lets a turn end after so many blocks in a row
// What Gemini CLI's arguments are called there. What is not listed has no counterpart and keeps its name.
const FILE = { file_path: 'file_path' };
const FOLDER = { dir_path: 'path' };
const ARGUMENTS = {
  read_file: { ...FILE, start_line: 'offset', end_line: 'limit' },
  write_file: { ...FILE, content: 'content' },
  replace: { ...FILE, old_string: 'old_string', new_string: 'new_string', allow_multiple: 'replace_all' },
  run_shell_command: { command: 'command', description: 'description', is_background: 'run_in_background' },
  grep_search: { pattern: 'pattern', ...FOLDER, include_pattern: 'glob', after: '-A', before: '-B', context: '-C' },
  glob: { pattern: 'pattern', ...FOLDER },
  list_directory: FOLDER,
  web_fetch: { prompt: 'prompt', url: 'url' },
  google_web_search: { query: 'query' },
  write_todos: { todos: 'todos' },
  invoke_agent: { agent_name: 'subagent_type', prompt: 'prompt' },
  activate_skill: { name: 'skill' },
};
const SAME_TOOL = { Task: 'Agent' };
const AFTER = new Set(['PostToolUse', 'PostToolUseFailure', 'SubagentStop']);
const MOST_TRANSCRIPT = 50_000_000; // bytes
const DAY = 86_400_000; // milliseconds
// Hooks at these events read transcripts; before and after each tool it would cost too much.
const READERS = new Set(['Stop', 'SubagentStop', 'PreCompact', 'SessionEnd', 'UserPromptSubmit']);
const REASONS = { exit: 'other' };

export async function main(id) {
  const table = JSON.parse(readFileSync(path.join(HERE, 'hooks.json'), 'utf8'));
  const entry = Object.hasOwn(table.hooks, id) ? table.hooks[id] : undefined;
  if (!entry) throw new Error(`there is no hook ${id}`);
  const given = JSON.parse(readFileSync(0, 'utf8'));
  if (!isObject(given)) throw new Error('its input is no object');
  const place = placeOf(table, entry, given);
  const answers = [];
  const calls = callsOf(table, entry, given, place);
  const base = calls.length ? baseOf(entry, given, place) : {};
  for (const call of calls) {
    const outcome = await outcomeOf(entry.hook, { ...base, ...call.fields }, place);
    answers.push({ ...answerOf(entry.hook, entry.event, outcome), call });
  }
  const text = JSON.stringify(saying(entry, given, answers, place));
  process.stdout.write(`${text}\n`, () => process.exit(0));
}

function placeOf(table, entry, given) {
  const home = process.env.GEMINI_CLI_HOME || os.homedir();
  const data = path.join(home, '.gemini', 'extensions-data', table.plugin);
  const env = { ...process.env };
  if (env.PISCES_NODE_OPTIONS) env.NODE_OPTIONS = env.PISCES_NODE_OPTIONS;
  for (const name of ['BASH_ENV', 'PISCES_HOOK', 'PISCES_NODE_OPTIONS']) delete env[name];
  const cwd = typeof given.cwd === 'string' && given.cwd ? given.cwd : process.cwd();
  Object.assign(env, { CLAUDE_PLUGIN_ROOT: ROOT, CLAUDE_PLUGIN_DATA: data, CLAUDE_PROJECT_DIR: process.env.GEMINI_PROJECT_DIR || cwd });
  Object.assign(env, { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' });
  env.CLAUDE_SESSION_ID = env.CLAUDE_CODE_SESSION_ID = String(given.session_id ?? '');
  for (const [name, source] of Object.entries(table.options ?? {})) if (env[source] !== undefined) env[name] ??= env[source];
  try {
    mkdirSync(data, { recursive: true });
  } catch {
    // the hook finds out by itself whether it can write there
  }
  // A little less than Gemini CLI waits, so that what the hook said until then still counts.
  const left = entry.timeout - process.uptime() * 1000 - MARGIN;
  return { cwd, env, data, limit: Math.round(Math.max(MARGIN, Math.min(entry.limit, left))) };
}

function baseOf(entry, given, place) {
  const transcript = READERS.has(entry.event) ? transcriptFor(given, place) : (given.transcript_path ?? '');
  const base = { session_id: given.session_id, transcript_path: transcript, cwd: given.cwd };
  if (entry.event !== 'SessionStart' && entry.event !== 'SessionEnd') base.permission_mode = 'default';
  return { ...base, hook_event_name: entry.event };
}

// Gemini CLI's record of the session in the form of Claude Code's: a line for each message, call and result.
function transcriptFor(given, place) {
  const source = given.transcript_path;
  if (typeof source !== 'string' || !source) return '';
  try {
    if (statSync(source).size > MOST_TRANSCRIPT) return source;
    const lines = transcriptLines(recordsIn(readFileSync(source, 'utf8')), given);
    for (const name of readdirSync(place.data)) {
      const old = path.join(place.data, name);
      if (name.startsWith('transcript-') && Date.now() - statSync(old).mtimeMs > DAY) rmSync(old, { force: true });
    }
    const file = path.join(place.data, `transcript-${hashOf(given.session_id)}.jsonl`);
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
    return file;
  } catch {
    return source; // as Gemini CLI has it is better than none
  }
}

function recordsIn(text) {
  const records = new Map();
  for (const line of text.split('\n')) {
    const record = whole(line);
    if (record && (record.type === 'user' || record.type === 'gemini')) records.set(record.id ?? records.size, record);
  }
  return [...records.values()];
}

function transcriptLines(records, given) {
  const line = (role, content, record) => ({ type: role, sessionId: given.session_id, cwd: given.cwd, uuid: record.id, timestamp: record.timestamp, message: { role, content } });
  const lines = [];
  let last = '';
  for (const record of records) {
    const text = textOf(record.content);
    if (record.type === 'user') {
      if (text) lines.push(line('user', text, record));
      continue;
    }
    const calls = Array.isArray(record.toolCalls) ? record.toolCalls.filter(isObject) : [];
    const uses = calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.args ?? {} }));
    if (text) last = text;
    if (text || uses.length) lines.push(line('assistant', [...(text ? [{ type: 'text', text }] : []), ...uses], record));
    const results = calls.map((call) => ({ type: 'tool_result', tool_use_id: call.id, content: textOf(call.result) }));
    if (results.length) lines.push(line('user', results, record));
  }
  const said = given.prompt_response;
  if (typeof said === 'string' && said && said !== last) lines.push(line('assistant', [{ type: 'text', text: said }], {}));
  return lines;
}

function hashOf(value) {
  return createHash('sha256').update(String(value)).digest('hex').slice(0, 16);
}

// The calls that Claude Code would have made of one event: none where the hook does not fire, several where one call of
// Gemini CLI reads several addresses or files.
function callsOf(table, entry, given, place) {
  const other = OTHER_EVENTS[entry.event];
  if (other) return other(given, entry, table);
  const tool = String(given.tool_name ?? '');
  const isFailed = AFTER.has(entry.event) && failed(tool, given.tool_response);
  if (entry.event === 'PostToolUse' ? isFailed : entry.event === 'PostToolUseFailure' && !isFailed) return [];
  const input = isObject(given.tool_input) ? given.tool_input : {};
  const known = namesOf(table, entry, tool, given);
  const names = matched(entry.matcher, known);
  const calls = names.length ? inputsOf(tool, names[0], input, place.cwd) : [];
  if (calls.length > MOST_CALLS) throw new Error(`one call is for more than ${MOST_CALLS} things at once`);
  return calls
    .filter((each) => holds(entry.hook.if, known, each, place.cwd))
    .map((each) => ({ tool, input: each, given: input, count: calls.length, fields: fieldsOf(entry, given, tool, SAME_TOOL[names[0]] ?? names[0], each) }));
}

function fieldsOf(entry, given, tool, name, input) {
  const fields = { tool_name: name, tool_input: input };
  if (entry.event === 'PermissionRequest') return { ...fields, permission_suggestions: [] };
  const seed = JSON.stringify([given.session_id, tool, given.tool_input]);
  const id = `toolu_${hashOf(seed)}`;
  if (entry.event === 'PreToolUse') return { ...fields, tool_use_id: id };
  const text = textOf(given.tool_response?.llmContent);
  if (entry.event === 'PostToolUseFailure') {
    const error = given.tool_response?.error?.message ?? text;
    return { ...fields, tool_use_id: id, error, is_interrupt: false, duration_ms: 0 };
  }
  return { ...fields, tool_response: responseOf(tool, name, input, text), tool_use_id: id, duration_ms: 0 };
}

// PowerShell is a tool of Windows alone. MultiEdit is none any more: it stands for Edit where somebody names it.
function isMeant(name, matcher) {
  if (name === 'PowerShell') return process.platform === 'win32';
  return name !== 'MultiEdit' || String(matcher ?? '').includes(name);
}

function namesOf(table, entry, tool, given) {
  const known = Object.hasOwn(table.tools, tool) ? table.tools[tool] : [];
  if (known.length) return known.filter((name) => isMeant(name, entry.matcher));
  if (!tool.startsWith('mcp_') && !given.mcp_context) return [tool];
  return [...new Set(serverTools(table, tool, given).flatMap(([server, name]) => {
    const spelled = Object.hasOwn(table.servers ?? {}, server) ? table.servers[server] : [];
    const servers = [...spelled, server, `plugin_${table.package}_${server}`];
    const plain = servers.map((each) => each.replace(/[^\w-]/g, '_')); // as Claude Code names them to a model
    return [...plain, ...servers].map((each) => `mcp__${each}__${name}`);
  }))];
}

// The server and its tool. Where Gemini CLI does not say it, a name may be cut at every `_`.
function serverTools(table, tool, given) {
  const { server_name: server, tool_name: name } = given.mcp_context ?? {};
  if (server !== undefined && name !== undefined) return [[String(server), String(name)]];
  const rest = tool.slice(4);
  const own = Object.keys(table.servers ?? {}).find((each) => rest.startsWith(`${each}_`));
  if (own) return [[own, rest.slice(own.length + 1)]];
  const parts = rest.split('_').slice(0, MOST_CALLS);
  const cuts = parts.map((_, count) => parts.slice(0, count).join('_')).slice(1);
  return (cuts.length ? cuts : [rest]).map((each) => [each, rest.slice(each.length + 1)]);
}

// The inputs in Claude Code's words.
function inputsOf(tool, name, input, cwd) {
  const keys = Object.hasOwn(ARGUMENTS, tool) ? ARGUMENTS[tool] : {};
  const made = {};
  for (const [key, value] of Object.entries(input)) made[Object.hasOwn(keys, key) ? keys[key] : key] = value;
  if (typeof made.file_path === 'string') made.file_path = path.resolve(cwd, made.file_path);
  if (typeof made.path === 'string' && keys.dir_path) made.path = path.resolve(cwd, made.path);
  if (tool === 'read_file' && Number.isInteger(input.end_line)) made.limit = input.end_line - (input.start_line ?? 1) + 1;
  if (tool === 'grep_search' && input.names_only !== undefined) made.output_mode = input.names_only ? 'files_with_matches' : 'content';
  if (tool === 'write_todos' && Array.isArray(input.todos)) {
    made.todos = input.todos.map((each) => ({ content: each?.description, status: each?.status, activeForm: each?.description }));
  }
  if (tool === 'invoke_agent') made.description ??= String(input.prompt ?? '').slice(0, 60);
  if (tool === 'web_fetch') return addressesIn(input).map((url) => ({ ...made, url }));
  if (tool === 'read_many_files') return filesIn(input).map((file) => ({ ...made, file_path: path.resolve(cwd, file) }));
  if (name === 'MultiEdit') return [{ file_path: made.file_path, edits: [{ old_string: made.old_string, new_string: made.new_string, replace_all: made.replace_all ?? false }] }];
  if (name.startsWith('Notebook')) return String(made.file_path).endsWith('.ipynb') ? [{ notebook_path: made.file_path, new_source: made.new_string ?? made.content }] : [];
  return [made];
}

function addressesIn(input) {
  if (typeof input.url === 'string') return [input.url];
  const found = String(input.prompt ?? '').match(/https?:\/\/[^\s<>"'`]+/gi) ?? [];
  const plain = found.map((each) => each.replace(/[).,;:!?\]}]+$/, ''));
  return plain.length ? [...new Set(plain)] : [''];
}

function filesIn(input) {
  const listed = [input.include ?? input.paths ?? []].flat().filter((each) => typeof each === 'string');
  return listed.length ? listed : ['.'];
}

// A changed input in Gemini CLI's words. It replaces the whole: what has no counterpart there is taken over.
function inputFrom(call, changed) {
  if (call.count > 1) throw new Error('the hook changes one of several things that are asked for at once');
  const keys = Object.hasOwn(ARGUMENTS, call.tool) ? ARGUMENTS[call.tool] : {};
  const back = Object.fromEntries(Object.entries(keys).map(([own, theirs]) => [theirs, own]));
  if (call.tool === 'web_fetch') return fetchFrom(call, changed);
  if (Array.isArray(changed.edits)) {
    if (changed.edits.length !== 1) throw new Error('the hook makes several edits of one');
    changed = { file_path: changed.file_path, ...changed.edits[0] };
  }
  const made = {};
  for (const [key, value] of Object.entries(call.given)) if (!Object.hasOwn(keys, key)) made[key] = value;
  for (const [key, value] of Object.entries(changed)) {
    const own = Object.hasOwn(back, key) ? back[key] : key;
    if (Object.hasOwn(ARGUMENTS, call.tool) && !Object.hasOwn(back, key) && !Object.hasOwn(call.given, key)) continue; // no such argument
    const isSame = JSON.stringify(value) === JSON.stringify(call.input[key]);
    if (!isSame) made[own] = value;
    else if (Object.hasOwn(call.given, own)) made[own] = call.given[own];
  }
  if (call.tool === 'read_file' && Number.isInteger(changed.limit)) made.end_line = (changed.offset ?? 1) + changed.limit - 1;
  if (call.tool === 'write_todos' && Array.isArray(changed.todos)) made.todos = changed.todos.map((each) => ({ description: each.content, status: each.status }));
  return made;
}

function fetchFrom(call, changed) {
  const { url, prompt, ...rest } = changed;
  if (typeof call.given.url === 'string') return { ...rest, ...(prompt === undefined ? {} : { prompt }), url };
  const asked = typeof prompt === 'string' ? prompt : String(call.given.prompt ?? '');
  if (url === undefined || url === call.input.url) return { ...rest, prompt: asked };
  const text = call.input.url && asked.includes(call.input.url) ? asked.replaceAll(call.input.url, url) : `${url} ${asked}`;
  return { ...rest, prompt: text };
}

function failed(tool, response) {
  if (response?.error) return true;
  return tool === 'run_shell_command' && /(?:^|\n)Exit Code: -?[1-9]/.test(textOf(response?.llmContent));
}

function textOf(content) {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  return typeof content?.text === 'string' ? content.text : content === undefined || content === null ? '' : JSON.stringify(content);
}

function responseOf(tool, name, input, text) {
  if (tool === 'run_shell_command') {
    const stdout = text.replace(/^<untrusted_context>\n|\n<\/untrusted_context>$/g, '').replace(/^Output: /, '').replace(/\n(?:Process Group PGID|Background PIDs): .*/g, '');
    return { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
  }
  if (tool === 'read_file') return { type: 'text', file: { filePath: input.file_path, content: text, numLines: text.split('\n').length, startLine: input.offset ?? 1 } };
  if (tool === 'write_file') return { type: 'update', filePath: input.file_path, content: input.content, structuredPatch: [], userModified: false };
  if (tool === 'replace') return { filePath: input.file_path, oldString: input.old_string, newString: input.new_string, replaceAll: input.replace_all ?? false, structuredPatch: [], userModified: false };
  if (tool === 'web_fetch') return { url: input.url, result: text };
  if (name.startsWith('mcp__')) return [{ type: 'text', text }];
  return { content: text };
}

const OTHER_EVENTS = {
  UserPromptSubmit: (given) => [{ fields: { prompt: given.prompt ?? '' } }],
  Stop: (given) => [{ fields: { stop_hook_active: given.stop_hook_active === true, last_assistant_message: given.prompt_response ?? '', background_tasks: [], session_crons: [] } }],
  SessionStart: (given, entry) => (matched(entry.matcher, [given.source]).length ? [{ fields: { source: given.source } }] : []),
  SessionEnd: (given) => [{ fields: { reason: REASONS[given.reason] ?? given.reason } }],
  PreCompact: (given, entry) => (matched(entry.matcher, [given.trigger]).length ? [{ fields: { trigger: given.trigger, custom_instructions: null } }] : []),
  Notification: (given) => [{ fields: { message: given.message ?? '', title: '', notification_type: 'permission_prompt' } }],
  SubagentStart: (given, entry, table) => agentCalls(given, entry, table, {}),
  SubagentStop: (given, entry, table) =>
    agentCalls(given, entry, table, { stop_hook_active: false, agent_transcript_path: '', last_assistant_message: textOf(given.tool_response?.llmContent), background_tasks: [], session_crons: [] }),
};

function agentCalls(given, entry, table, more) {
  const agent = String(given.tool_input?.agent_name ?? '');
  const names = Object.hasOwn(table.agents ?? {}, agent) ? table.agents[agent] : [agent];
  const found = matched(entry.matcher, names);
  const id = hashOf(JSON.stringify([given.session_id, given.tool_input]));
  return found.length ? [{ given: given.tool_input ?? {}, fields: { agent_id: id, agent_type: found[0], ...more } }] : [];
}

// All answers in Gemini CLI's words: a denial beats a question, which beats everything else.
function saying(entry, given, answers, place) {
  const joined = (key) => answers.map((each) => each[key]).filter(Boolean).join('\n');
  const denials = answers.filter((each) => each.decision === 'deny');
  const question = answers.find((each) => each.decision === 'ask');
  const problems = answers.filter((each) => each.problem).map((each) => `${entry.event} hook \`${entry.shown}\`: ${each.problem}`);
  const said = {
    reason: denials.map((each) => each.reason).join('\n'),
    question: question && (question.reason || 'A hook asks for confirmation'),
    context: joined('context'),
    plain: joined('plain'),
    message: [joined('message'), ...problems].filter(Boolean).join('\n'),
    isDenied: denials.length > 0,
    stop: entry.event === 'SessionStart' ? undefined : answers.find((each) => each.stop !== undefined)?.stop,
    answers,
  };
  const made = EFFECTS[entry.event](said, given, entry, place);
  if (said.message) made.systemMessage = made.systemMessage ? `${made.systemMessage}\n${said.message}` : said.message;
  if (said.stop !== undefined) Object.assign(made, { continue: false, stopReason: said.stop || 'Stopped by a hook' });
  if (answers.some((each) => each.isQuiet)) made.suppressOutput = true;
  return made;
}

const EFFECTS = {
  PreToolUse: beforeTool,
  PermissionRequest: beforeTool,
  PostToolUse: afterTool,
  PostToolUseFailure: afterTool,
  SubagentStop: afterTool,
  UserPromptSubmit: (said) => (said.isDenied ? { decision: 'deny', reason: said.reason } : withContext([said.context, said.plain])),
  SessionStart: (said) => ({ ...withContext([said.context, said.plain]), ...(said.isDenied ? { systemMessage: said.reason } : {}) }),
  SessionEnd: onlyShown,
  PreCompact: onlyShown,
  Notification: onlyShown,
  Stop: atStop,
  SubagentStart: (said) => {
    const given = said.answers[0]?.call.given;
    const text = [said.context, said.plain].filter(Boolean).join('\n');
    return text && typeof given?.prompt === 'string' ? { hookSpecificOutput: { tool_input: { ...given, prompt: `${given.prompt}\n\n${text}` } } } : {};
  },
};

function beforeTool(said) {
  if (said.isDenied) return { decision: 'deny', reason: [said.reason, said.context].filter(Boolean).join('\n') };
  const made = said.question ? { decision: 'ask', reason: said.question, systemMessage: said.question } : {};
  const rewriter = said.answers.findLast((each) => each.input !== undefined);
  if (rewriter) made.hookSpecificOutput = { tool_input: inputFrom(rewriter.call, rewriter.input) };
  // Gemini CLI gives a model nothing before a tool runs, so the user sees it.
  return said.context ? { ...made, systemMessage: [made.systemMessage, said.context].filter(Boolean).join('\n') } : made;
}

// A denial would hide the result, so what a hook objects to stands behind it.
function afterTool(said) {
  const outputs = said.answers.map((each) => each.output).filter((each) => each !== undefined);
  const changed = outputs.map((each) => `A hook replaces this result by: ${typeof each === 'string' ? each : JSON.stringify(each)}`);
  return withContext([said.isDenied ? said.reason : '', said.context, ...changed]);
}

function withContext(texts) {
  const text = texts.filter(Boolean).join('\n');
  return text ? { hookSpecificOutput: { additionalContext: text } } : {};
}

function onlyShown(said) {
  const text = [said.isDenied ? said.reason : '', said.context].filter(Boolean).join('\n');
  return text ? { systemMessage: text } : {};
}

// Gemini CLI would go on for ever. Where the count cannot be written down, the turn ends.
function atStop(said, given, entry, place) {
  const file = path.join(place.data, `stops-${hashOf(given.session_id)}-${entry.id}`);
  if (!said.isDenied || said.stop !== undefined) {
    rmSync(file, { force: true });
    return withContext([]);
  }
  let count = 0;
  try {
    if (given.stop_hook_active === true) count = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    // the first block of this turn
  }
  if (count >= MOST_STOPS) {
    rmSync(file, { force: true });
    return { systemMessage: `A hook has blocked the end of this turn ${count} times in a row: it ends now` };
  }
  try {
    writeFileSync(file, String(count + 1));
  } catch (error) {
    return { systemMessage: `A hook wants to go on (${said.reason}), and its count cannot be written: ${error.message}` };
  }
  return { decision: 'deny', reason: said.reason };
}
