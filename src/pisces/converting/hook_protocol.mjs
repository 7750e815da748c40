// How hooks of Claude Code are chosen, started and understood, for a program that has hooks of its own.
// Written by pisces. It needs Node 18 or later and nothing else.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const WINDOWS = process.platform === 'win32';
const MOST_OUTPUT = 16_000_000; // characters of one stream
const GRACE = 150; // milliseconds in which a finished hook's last output arrives
const MOST_WAIT = 2000; // milliseconds for a hook in the background to take its input
const MOST_SEARCHED = 1_000_000; // characters at the end of an output that are searched for a denial
const MOST_TRIES = 200; // starts of an object that turn out to be none
const LONGEST_PATH = 1000; // that is compared with a condition; a longer one fits
const MOST_STARS = 5;
const NO = new Set('deny denied block blocked reject rejected refuse refused forbid forbidden'.split(' '));
const DECISIONS = { allow: 'allow', ask: 'ask', deny: 'deny', defer: 'deny' };
const OLD_DECISIONS = { approve: 'allow', block: 'deny' };
const TOO_MUCH = 'too much output';
const GUARDED = new Set(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit']);

// Matchers: nothing or `*` is all, a list is exact names, anything else an expression that may match anywhere.
export function matched(matcher, names) {
  if (matcher === undefined || matcher === null || matcher === '' || matcher === '*') return names;
  if (typeof matcher !== 'string') return [];
  if (/^[A-Za-z0-9_\-|, ]*$/.test(matcher)) {
    const listed = new Set(matcher.split(/[|,]/).map((each) => each.trim()));
    return names.filter((name) => listed.has(name));
  }
  try {
    const pattern = new RegExp(matcher);
    return names.filter((name) => pattern.test(name));
  } catch {
    return []; // Claude Code never fires it
  }
}

// `if`: one permission rule. It fires too often rather than too seldom.
export function holds(condition, names, input, cwd) {
  if (condition === undefined || condition === null) return true;
  const text = String(condition).trim();
  if (text.startsWith('mcp__')) return names.some((name) => wildcard(text, name));
  const rule = /^([A-Za-z][\w-]*)(?:\(([^]*)\))?$/.exec(text);
  if (!rule || !names.includes(rule[1])) return false;
  const content = rule[2];
  if (!content || content === '*') return true;
  if (typeof input.command === 'string') return partsOf(input.command).some((part) => lineFits(content, part));
  if (typeof input.url === 'string' && content.startsWith('domain:')) return hostFits(content.slice(7), input.url);
  const file = ['file_path', 'path', 'notebook_path'].map((key) => input[key]).find((each) => typeof each === 'string');
  if (file !== undefined) return pathFits(content, path.resolve(cwd, file), cwd);
  const name = input.subagent_type ?? input.skill;
  return name === undefined || wildcard(content, String(name));
}

function partsOf(command) {
  const pieces = [command, ...command.split(/&&|\|\||[;|&\n(){}`]|\$\(/)];
  return pieces.flatMap((piece) => {
    const plain = piece.replace(/['"\\]/g, '').split(/\s+/).filter(Boolean).join(' ');
    return [plain, plain.replace(/^(?:[A-Za-z_]\w*=\S* )+/, '')];
  });
}

function lineFits(rule, command) {
  const pattern = rule.endsWith(':*') ? `${rule.slice(0, -2)} *` : rule;
  return wildcard(pattern, command) || (pattern.endsWith(' *') && wildcard(pattern.slice(0, -2), command));
}

function hostFits(rule, url) {
  try {
    const host = new URL(url).hostname.toLowerCase().replace(/\.$/, '');
    return wildcard(rule.toLowerCase(), host);
  } catch {
    return true;
  }
}

function pathFits(rule, file, cwd) {
  // A long path could keep the comparison busy until the time is over, and the call would pass.
  if (file.length > LONGEST_PATH || rule.split('**').length > MOST_STARS) return true;
  let base = cwd;
  let pattern = rule.replace(/^\.\//, '');
  if (rule.startsWith('//')) [base, pattern] = [path.parse(file).root, rule.slice(2)];
  else if (rule.startsWith('~/')) [base, pattern] = [os.homedir(), rule.slice(2)];
  else if (rule.startsWith('/')) return true; // relative to a settings file that is not here
  const inside = path.relative(base, file).split(path.sep);
  if (inside[0] === '..' || path.isAbsolute(inside[0])) return false;
  pattern = pattern.replace(/\/+$/, '');
  const glob = globPattern(pattern.includes('/') ? pattern : `**/${pattern}`);
  return inside.some((_, count) => glob.test(inside.slice(0, count + 1).join('/')));
}

function globPattern(glob) {
  const made = glob.replace(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (found) => {
    return { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }[found] ?? `\\${found}`;
  });
  return new RegExp(`^${made}$`, 's');
}

function wildcard(pattern, text) {
  const parts = pattern.split('*');
  const last = parts.pop();
  if (!parts.length) return pattern === text;
  let at = parts[0].length;
  if (!text.startsWith(parts.shift())) return false;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

// Starts a hook. The outcome has `exit`, `stdout`, `stderr`, and `ended` where it did not end by itself.
export function outcomeOf(hook, payload, place) {
  return hook.type === 'http' ? posted(hook, payload, place) : executed(hook, payload, place);
}

async function posted(hook, payload, place) {
  const allowed = new Set(hook.allowedEnvVars ?? []);
  const filled = (text) =>
    String(text).replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, bare) => {
      const name = braced ?? bare;
      return allowed.has(name) ? (place.env[name] ?? '') : '';
    });
  const headers = { 'content-type': 'application/json' };
  for (const [name, value] of Object.entries(hook.headers ?? {})) headers[name] = filled(value);
  try {
    const request = { method: 'POST', headers, body: JSON.stringify(payload), redirect: 'manual' };
    const response = await fetch(hook.url, { ...request, signal: AbortSignal.timeout(place.limit) });
    const stdout = await response.text();
    return response.ok
      ? { exit: 0, stdout, stderr: '', ended: '' }
      : { exit: 1, stdout: '', stderr: `HTTP ${response.status}`, ended: '' };
  } catch (error) {
    return { exit: 1, stdout: '', stderr: String(error), ended: error.name === 'TimeoutError' ? 'timeout' : '' };
  }
}

function executed(hook, payload, place) {
  const [program, args] = argvOf(hook, place);
  const isAsync = hook.async === true || hook.asyncRewake === true;
  const stdio = isAsync ? ['pipe', 'ignore', 'ignore'] : ['pipe', 'pipe', 'pipe'];
  // A group of its own, so that the whole tree ends with it.
  const child = spawn(program, args, { cwd: place.cwd, env: place.env, stdio, detached: !WINDOWS || isAsync, windowsHide: true });
  child.stdin.on('error', () => {}); // a hook need not read
  child.stdin.end(JSON.stringify(payload));
  return isAsync ? inBackground(child) : awaited(child, place);
}

function inBackground(child) {
  const nothing = { exit: 0, stdout: '', stderr: '', ended: '' };
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ ...nothing, exit: 127, stderr: String(error) }));
    const leave = () => {
      child.unref();
      resolve(nothing);
    };
    child.stdin.on('close', leave);
    setTimeout(leave, MOST_WAIT).unref(); // it may never read
  });
}

function awaited(child, place) {
  return new Promise((resolve) => {
    const said = { stdout: '', stderr: '' };
    let isOver = false;
    const timer = setTimeout(() => finish({ exit: null, ended: 'timeout' }), place.limit);
    const onSignal = () => finish({ exit: null, ended: 'timeout' });
    process.once('SIGTERM', onSignal);
    function finish(how) {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      process.removeListener('SIGTERM', onSignal);
      if (how.ended) kill(child);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      child.unref();
      resolve({ ...said, ...how });
    }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8');
      child[name].on('error', () => {});
      child[name].on('data', (text) => {
        if (said[name].length + text.length > MOST_OUTPUT) return finish({ exit: null, ended: TOO_MUCH });
        said[name] += text;
        if (name === 'stdout' && isMark(said.stdout)) finish({ exit: 0, ended: '', stdout: '' });
      });
    }
    const exited = (code, signal) => ({ exit: code, ended: signal ? `signal ${signal}` : '' });
    child.on('error', (error) => finish({ exit: 127, ended: '', stderr: String(error) }));
    child.on('close', (code, signal) => finish(exited(code, signal)));
    // A child of the hook may keep the pipes open for long.
    child.on('exit', (code, signal) => setTimeout(() => finish(exited(code, signal)), GRACE));
  });
}

// A first line `{"async": true}`: the hook goes on in the background and decides nothing.
function isMark(text) {
  const first = text.slice(0, text.indexOf('\n') + 1 || 0);
  return first.includes('"async"') && first.length < 200 && whole(first)?.async === true;
}

function kill(child) {
  if (child.pid === undefined) return;
  if (WINDOWS) {
    spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

function argvOf(hook, place) {
  if (Array.isArray(hook.args)) {
    const filled = (text) => String(text).replace(/\$\{([\w.]+)\}/g, (all, name) => variable(name, place) ?? all);
    return [filled(hook.command), hook.args.map(filled)];
  }
  const line = lineOf(hook.command, place);
  if (hook.shell === 'powershell') return [powershell(), ['-NoProfile', '-NonInteractive', '-Command', line]];
  if (WINDOWS) return [bashOnWindows(place), ['-c', line]];
  return [hook.shell === 'bash' && existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh', ['-c', line]];
}

// Claude Code puts the folders into the text, so that they count in single quotes too. A folder with a character that
// means something to a shell stays a variable.
function lineOf(command, place) {
  return String(command).replace(/\$\{(CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)\}/g, (all, name) => {
    const value = (place.env[name] ?? '').replaceAll('\\', '/');
    return /^[\w/.@+:-]+$/.test(value) ? value : all;
  });
}

function variable(name, place) {
  if (!name.startsWith('user_config.')) return place.env[name];
  return place.env[`CLAUDE_PLUGIN_OPTION_${name.slice(12).toUpperCase().replace(/\W/g, '_')}`];
}

function powershell() {
  if (!WINDOWS) return 'pwsh';
  return spawnSync('where', ['pwsh'], { windowsHide: true }).status === 0 ? 'pwsh' : 'powershell';
}

function bashOnWindows(place) {
  const folders = [place.env.ProgramFiles, place.env['ProgramFiles(x86)'], place.env.LOCALAPPDATA && path.join(place.env.LOCALAPPDATA, 'Programs')];
  const known = folders.filter(Boolean).map((folder) => path.join(folder, 'Git', 'bin', 'bash.exe'));
  const found = [place.env.CLAUDE_CODE_GIT_BASH_PATH, ...known].find((each) => each && existsSync(each));
  if (!found && spawnSync('where', ['bash'], { windowsHide: true }).status !== 0) throw new Error('Git Bash was not found');
  return found ?? 'bash';
}

// What an outcome means: `decision` (deny, ask, allow or empty), `reason`, `input`, `context`, `message`, `stop`,
// `plain` text, and `problem` where the hook gave no usable answer.
export function answerOf(hook, event, outcome) {
  const answer = { decision: '', reason: '', context: '', message: '', plain: '', problem: '' };
  const object = whole(outcome.stdout);
  const flaw = object ? flawIn(object, event) : '';
  if (object && !flaw) read(answer, object, event);
  if (event === 'PermissionRequest') return permission(answer, object, flaw, outcome);
  if (outcome.exit === 2 && !outcome.ended) {
    if (answer.decision !== 'deny') answer.reason = outcome.stderr.trim() || 'No stderr output';
    return { ...answer, decision: 'deny', input: undefined };
  }
  if (answer.decision === 'deny' && !outcome.ended) return answer;
  const reason = GUARDED.has(event) ? denialIn(outcome.stdout) : undefined;
  if (reason !== undefined) return { ...answer, decision: 'deny', reason: reason || 'Blocked by hook', input: undefined };
  if (outcome.ended === TOO_MUCH && GUARDED.has(event)) return { ...answer, decision: 'deny', reason: 'its output is too long to be read' };
  const problem = failureOf(outcome) || (flaw && `its answer is not valid: ${flaw}`);
  if (problem && hook.onFailure === 'block') return { ...answer, decision: 'deny', reason: `${problem}; it blocks when it fails`, input: undefined };
  if (outcome.ended || (problem && !object)) return { decision: '', reason: '', context: '', message: '', plain: '', problem };
  return object ? { ...answer, problem: flaw ? problem : '' } : { ...answer, plain: outcome.stdout.trim() };
}

function failureOf(outcome) {
  if (outcome.ended) return `it ended with ${outcome.ended}`;
  return outcome.exit === 0 ? '' : `it failed with exit code ${outcome.exit}: ${outcome.stderr.trim().slice(0, 2000) || 'no message'}`;
}

function read(answer, object, event) {
  const inner = object.hookSpecificOutput ?? {};
  const own = event === 'PreToolUse' ? DECISIONS[inner.permissionDecision] : undefined;
  const old = OLD_DECISIONS[object.decision];
  answer.decision = own === 'deny' || old === 'deny' ? 'deny' : (own ?? old ?? '');
  const reason = own === 'allow' && old === 'deny' ? '' : inner.permissionDecisionReason;
  answer.reason = reason || object.reason || (answer.decision === 'deny' ? 'Blocked by hook' : '');
  if (event === 'PreToolUse') answer.input = inner.updatedInput;
  answer.output = inner.updatedToolOutput ?? inner.updatedMCPToolOutput;
  answer.context = inner.additionalContext ?? '';
  answer.message = object.systemMessage ?? '';
  answer.isQuiet = object.suppressOutput === true;
  if (object.continue === false) answer.stop = object.stopReason ?? '';
}

// Only a decision in its own form counts, or a denial in any. A failure is no answer: the question is put.
function permission(answer, object, flaw, outcome) {
  const decision = object?.hookSpecificOutput?.decision;
  const reason = denialIn(outcome.stdout);
  if (reason !== undefined) return { ...answer, decision: 'deny', reason: decision?.message || reason || 'Blocked by hook' };
  const isFine = outcome.exit === 0 && !outcome.ended && !flaw;
  const problem = isFine ? '' : failureOf(outcome) || flaw;
  const isAllowed = isFine && decision?.behavior === 'allow';
  const changed = isAllowed && isObject(decision.updatedInput) ? decision.updatedInput : undefined;
  return { ...answer, decision: isAllowed ? 'allow' : '', input: changed, problem };
}

function flawIn(object, event) {
  const kinds = { continue: 'boolean', suppressOutput: 'boolean', stopReason: 'string', reason: 'string', systemMessage: 'string' };
  for (const [key, kind] of Object.entries(kinds)) if (key in object && typeof object[key] !== kind) return `\`${key}\``;
  if ('decision' in object && !(object.decision in OLD_DECISIONS)) return '`decision`';
  const inner = object.hookSpecificOutput;
  if (inner === undefined || inner === null) return '';
  if (!isObject(inner) || inner.hookEventName !== event) return '`hookSpecificOutput.hookEventName`';
  for (const key of ['permissionDecisionReason', 'additionalContext']) if (key in inner && typeof inner[key] !== 'string') return `\`${key}\``;
  if ('updatedInput' in inner && !isObject(inner.updatedInput)) return '`updatedInput`';
  return 'permissionDecision' in inner && !Object.hasOwn(DECISIONS, inner.permissionDecision) ? '`permissionDecision`' : '';
}

export function whole(text) {
  try {
    const value = JSON.parse(text.replace(/^\s*\uFEFF/, '').trim());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// The reason of a denial in any form and among log lines; undefined if there is none. An allow is not looked for.
export function denialIn(text) {
  for (const object of objectsIn(text)) {
    const inner = plainKeys(object.hookSpecificOutput ?? plainKeys(object).hookspecificoutput);
    const top = plainKeys(object);
    for (const fields of [plainKeys(inner.decision), plainKeys(top.decision), inner, top]) {
      if (!denies(fields)) continue;
      return [fields, inner, top].map(reasonIn).find(Boolean) ?? '';
    }
  }
  return undefined;
}

function denies(fields) {
  const said = ['permissiondecision', 'decision', 'behavior', 'permission'].map((key) => fields[key]);
  return said.some((each) => typeof each === 'string' && NO.has(each.trim().toLowerCase()));
}

function reasonIn(fields) {
  const keys = ['permissiondecisionreason', 'reason', 'message', 'stopreason', 'systemmessage'];
  return keys.map((key) => fields[key]).find((each) => typeof each === 'string' && each.trim());
}

function plainKeys(fields) {
  const made = {};
  for (const [name, value] of Object.entries(isObject(fields) ? fields : {})) made[name.replace(/[_-]/g, '').toLowerCase()] ??= value;
  return made;
}

function objectsIn(text) {
  const one = whole(text);
  if (one) return [one];
  text = text.slice(-MOST_SEARCHED);
  const found = [];
  let failed = 0;
  for (let at = text.indexOf('{'); at >= 0 && failed < MOST_TRIES; ) {
    const end = endOfObject(text, at);
    const object = end > at ? whole(text.slice(at, end)) : undefined;
    if (object) found.push(object);
    else failed += 1;
    at = text.indexOf('{', object ? end : at + 1);
  }
  return found;
}

function endOfObject(text, start) {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const unit = text[at];
    if (unit === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
    } else if (unit === '{') depth += 1;
    else if (unit === '}' && --depth === 0) return at + 1;
  }
  return -1;
}
