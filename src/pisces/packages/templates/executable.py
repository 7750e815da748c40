"""An executable command: a program that runs when its command is typed, without a model."""

from __future__ import annotations

from pisces.packages.template import Template

_GUIDE = """
| command | does |
| --- | --- |
| `/todos list [WORD]` | lists the TODO and FIXME comments of the project, or those with a word in them |
| `/todos count` | counts them by file, the most first |

`commands` in `gemini-extension.json` names the program; what follows the command's name becomes its arguments. It works
in the user's project, gets a small environment with what `env` sets, and never calls the model. In `binary`,
`${extensionPath}` is this folder; `${platform}` and `${arch}` (`linux`, `darwin`, `win32`; `x64`, `arm64`) choose among
several builds: `${extensionPath}/bin/${platform}/${arch}/todos`. Set `requireConfirm` where every call should be
confirmed first. pisces runs such commands; Gemini CLI passes over them.

The script needs Node 18 or newer and nothing else. On Linux and macOS it must keep its run bit:
`chmod +x bin/todos.mjs`

Try it: `pisces check .`, then `pisces run --package . '/todos list'`
"""

_TODOS = """#!/usr/bin/env node
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
    const lines = readFileSync(path, 'utf8').split('\\n');
    for (const [index, line] of lines.entries()) {
      const found = line.match(/\\b(TODO|FIXME)\\b.*/);
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
  for (const [file, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`${count}\\t${file}`);
  console.log(`${all.length} in all`);
} else {
  console.error(`todos: there is no \\`${subcommand}\\`\\n${USAGE}`);
  process.exitCode = 2;
}
"""

_COMMANDS = {
    "todos": {
        "type": "executable",
        "binary": "${extensionPath}/bin/todos.mjs",
        "description": "List the TODO and FIXME comments of this project",
        "argumentHint": "list [WORD] | count",
        "subcommands": ["list", "count"],
        "timeout": 30,
    }
}

TEMPLATE = Template(
    "executable",
    "A command that lists what is left to do in a project, without a model",
    _GUIDE,
    {"bin/todos.mjs": _TODOS},
    {"commands": _COMMANDS},
)
