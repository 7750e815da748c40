#!/usr/bin/env node
// Finds the TODO and FIXME comments of the folder that it is started in. What goes wrong is said on stderr.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const SKIPPED = new Set(['node_modules', 'dist', 'build', 'target', 'venv', '__pycache__']);
const LARGEST = 1_000_000;
const USAGE = 'usage: /todos list [WORD] | /todos count';

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (entry.isFile() && statSync(path).size < LARGEST) yield path;
  }
}

function* todos(folder) {
  for (const path of files(folder)) {
    const lines = readFileSync(path, 'utf8').split('\n');
    for (const [index, line] of lines.entries()) {
      const found = line.match(/\b(TODO|FIXME)\b.*/);
      if (found) yield { file: relative(folder, path), line: index + 1, text: found[0].trim() };
    }
  }
}

const [subcommand = 'list', ...words] = process.argv.slice(2);
const all = [...todos(process.cwd())];
if (subcommand === 'list') {
  const wanted = words.join(' ').toLowerCase();
  const shown = all.filter(({ text }) => text.toLowerCase().includes(wanted));
  for (const { file, line, text } of shown) console.log(`${file}:${line}: ${text}`);
  if (!shown.length) console.log('Nothing left to do.');
} else if (subcommand === 'count') {
  const counts = new Map();
  for (const { file } of all) counts.set(file, (counts.get(file) ?? 0) + 1);
  for (const [file, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`${count}\t${file}`);
  console.log(`${all.length} in all`);
} else {
  console.error(`todos: there is no \`${subcommand}\`\n${USAGE}`);
  process.exitCode = 2;
}
