// What a call of another program is to a hook of Claude Code: tools of servers, files of a patch. Written by pisces.
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { holds, isObject, matched } from './protocol.mjs';

export const MOST_CALLS = 20; // files in one call
const MOST_STOPS = 9; // Claude Code lets a turn end after so many blocks in a row
const HEADER = /^[\s\u0085]*\*\*\* (Add File|Delete File|Update File|Move to): (.*)$/;
const [BEGIN, END] = ['*** Begin Patch', '*** End Patch'];

export function hashOf(value) {
  return createHash('sha256').update(JSON.stringify(value) ?? '').digest('hex').slice(0, 16);
}

export function textOf(content) {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  return typeof content?.text === 'string' ? content.text : content === undefined || content === null ? '' : JSON.stringify(content);
}

// Arguments may be text: of JSON, or a patch.
export function argumentsIn(value) {
  if (isObject(value)) return value;
  try {
    const read = JSON.parse(value);
    if (isObject(read)) return read;
  } catch {
    // no JSON
  }
  return typeof value === 'string' ? { input: value } : {};
}

export function renamed(input, words) {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [Object.hasOwn(words, key) ? words[key] : key, value]));
}

// The one call of an event whose matcher is compared with a word.
export function fitting(entry, subject, fields) {
  return matched(entry.matcher, [subject]).length ? [{ fields }] : [];
}

// A call under the first of its names that the matcher fits, unless the condition says that it is none of the hook's.
// `shaped` makes the input that belongs to a name.
export function callOf(entry, place, names, shaped) {
  const known = names.filter((name) => isMeant(name, entry.matcher));
  const [name] = matched(entry.matcher, known);
  if (name === undefined) return [];
  const input = shaped(name);
  return holds(entry.hook.if, known, input, place.cwd) ? [{ name: name === 'Task' ? 'Agent' : name, input }] : [];
}

// PowerShell is a tool of Windows alone. MultiEdit is none any more: it stands for Edit where somebody names it.
function isMeant(name, matcher) {
  if (name === 'PowerShell') return process.platform === 'win32';
  return name !== 'MultiEdit' || String(matcher ?? '').includes(name);
}

// The names of a tool of a server, with those that the server has in a plugin of Claude Code.
export function serverToolNames(table, server, tool) {
  const spelled = Object.hasOwn(table.servers, server) ? table.servers[server] : [];
  const servers = [...spelled, server, `plugin_${table.package}_${server}`];
  const plain = servers.map((each) => each.replace(/[^\w-]/g, '_')); // as Claude Code names them to a model
  return [...new Set([...plain, ...servers].map((each) => `mcp__${each}__${tool}`))];
}

// A call of a server's tool where the program does not say whose: it may be of each server of the package and of each
// that the matcher names. An expression that speaks of servers fits it: too often rather than too seldom.
export function unknownServerCall(entry, place, table, tool, input) {
  const matcher = entry.matcher;
  const named = [...String(matcher ?? '').matchAll(/mcp__([A-Za-z0-9_-]+?)__/g)].map((found) => found[1]);
  const servers = [...new Set([...Object.keys(table.servers), ...named, 'server'])];
  const names = servers.flatMap((server) => serverToolNames(table, server, tool));
  if (matched(matcher, names).length) return callOf(entry, place, names, () => input);
  const isExpression = typeof matcher === 'string' && !/^[A-Za-z0-9_\-|, ]*$/.test(matcher);
  return isExpression && matcher.includes('mcp') ? [{ name: names[0], input }] : [];
}

// Whether a hook that blocks the end of a turn may do so again. Where the count cannot be written down, it may not.
export function mayBlock(place, entry, isAgain) {
  const file = path.join(place.data, `stops-${hashOf([place.session, entry.id])}`);
  let count = 0;
  try {
    if (isAgain) count = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    // the first block of this turn
  }
  try {
    if (count >= MOST_STOPS) rmSync(file, { force: true });
    else writeFileSync(file, String(count + 1));
  } catch {
    return false;
  }
  return count < MOST_STOPS;
}

export function hasPatch(text) {
  return typeof text === 'string' && text.includes(BEGIN);
}

// The files that a patch touches: `action`, `file`, and the lines before and after, a pair for each piece.
export function patchedFiles(text) {
  const files = [];
  let isOpen = false;
  for (const line of String(text).split(/\r?\n/)) {
    const found = HEADER.exec(line);
    const last = files.at(-1);
    isOpen = Boolean(found) || (isOpen && line.trim() !== END);
    if (found?.[1] === 'Move to') {
      if (last) files.push({ ...last, action: 'Move to', file: found[2].trim(), from: last });
    } else if (found) files.push({ action: found[1], file: found[2].trim(), pieces: [{ old: [], fresh: [] }] });
    else if (isOpen && !line.startsWith('*** ')) addLine(last, line);
  }
  return files;
}

function addLine(file, line) {
  const piece = file.pieces.at(-1);
  if (line.startsWith('@@')) {
    if (piece.old.length || piece.fresh.length) file.pieces.push({ old: [], fresh: [] });
  } else if (line.startsWith('+')) piece.fresh.push(line.slice(1));
  else if (line.startsWith('-')) piece.old.push(line.slice(1));
  else if (file.action !== 'Add File') {
    const text = line.startsWith(' ') ? line.slice(1) : line;
    piece.old.push(text);
    piece.fresh.push(text);
  }
}

// A call of a hook for each file of a patch.
export function patchCalls(text, entry, place) {
  const files = patchedFiles(text);
  if (!files.length) throw new Error('the patch names no file');
  return files.flatMap((file) =>
    callOf(entry, place, namesFor(file), (name) => inputFor(name, file, place.cwd)).map((call) => ({ ...call, file, files })),
  );
}

function namesFor({ action, file }) {
  const notebook = file.toLowerCase().endsWith('.ipynb') ? ['NotebookEdit'] : [];
  if (action === 'Add File') return ['Write', ...notebook];
  if (action === 'Update File') return ['Edit', 'MultiEdit', ...notebook];
  return [action === 'Move to' ? 'Write' : 'Edit', 'Edit', 'Write', 'MultiEdit', ...notebook];
}

function inputFor(name, { file, pieces }, cwd) {
  const whole = path.resolve(cwd, file);
  const [old, fresh] = ['old', 'fresh'].map((key) => pieces.map((piece) => piece[key].join('\n')).join('\n'));
  if (name === 'Write') return { file_path: whole, content: fresh && `${fresh}\n` };
  if (name === 'NotebookEdit') return { notebook_path: whole, new_source: fresh };
  const edit = (piece) => ({ old_string: piece.old.join('\n'), new_string: piece.fresh.join('\n'), replace_all: false });
  if (name === 'MultiEdit') return { file_path: whole, edits: pieces.map(edit) };
  return { file_path: whole, old_string: old, new_string: fresh, replace_all: false };
}

// The patch that a hook wants instead. It says what one piece of one file becomes, and no more can be said for it.
export function patchFrom(call, changed, cwd) {
  const { file, files, name, input } = call;
  if (files.length !== 1 || file.pieces.length !== 1) throw new Error('the hook changes one of several things that a patch does at once');
  const place = changed.file_path === undefined || path.resolve(cwd, changed.file_path) === input.file_path ? file.file : changed.file_path;
  if (name === 'Write' && typeof changed.content === 'string') return patch('Add File', place, marked('+', changed.content.replace(/\n$/, '')));
  const edit = { ...input, ...changed };
  if (name !== 'Edit' || typeof edit.old_string !== 'string' || typeof edit.new_string !== 'string') throw new Error('the hook changes what a patch cannot say');
  return patch('Update File', place, ['@@', ...marked('-', edit.old_string), ...marked('+', edit.new_string)]);
}

function marked(mark, text) {
  return text === '' ? [] : text.split('\n').map((line) => mark + line);
}

function patch(action, file, lines) {
  return [BEGIN, `*** ${action}: ${file}`, ...lines, END].join('\n');
}
