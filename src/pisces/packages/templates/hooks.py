"""Hooks: a program that may stop a tool call, and one that tells the model something at the start."""

from __future__ import annotations

import json

from pisces.packages.template import Template

_GUIDE = """
| hook | when | does |
| --- | --- | --- |
| `hooks/guard.mjs` | before a shell command | stops commands that cannot be taken back |
| `hooks/welcome.mjs` | when a session starts | tells the model the date and the branch |

A hook gets one JSON object on stdin and prints one on stdout; everything else belongs on stderr. `timeout` is in
milliseconds. The scripts need Node 18 or newer and nothing else, and run the same on Linux, macOS and Windows.

Try it without an agent:

    echo '{"tool_name": "run_shell_command", "tool_input": {"command": "rm -rf /"}}' | node hooks/guard.mjs

then `pisces check .` and `gemini extensions link .`
"""

GUARD = """// Stops shell commands that cannot be taken back. Everything else goes on as if there were no hook.
import { readFileSync } from 'node:fs';

const REFUSED = [
  [/\\brm\\s+(-\\w+\\s+)*-\\w*r\\w*\\s+(-\\S+\\s+)*["']?(\\/|~|\\$HOME)["']?(\\s|$)/, 'it removes everything'],
  [/\\bgit\\s+push\\b.*\\s(--force|-f)(\\s|$)/, 'it rewrites the history of others; use --force-with-lease'],
  [/\\bgit\\s+(reset\\s+--hard|clean\\s+-\\w*f)/, 'it throws away work that is not committed'],
  [/\\b(curl|wget)\\b[^|]*\\|\\s*(sudo\\s+)?(ba|z|da)?sh\\b/, 'it runs whatever the network answers'],
];

let call = {};
try {
  call = JSON.parse(readFileSync(0, 'utf8'));
} catch (error) {
  console.error(`guard: the input is not JSON: ${error.message}`);
}
const command = String(call.tool_input?.command ?? '');
const reason = REFUSED.find(([pattern]) => pattern.test(command))?.[1];
console.log(JSON.stringify(reason ? { decision: 'deny', reason: `Refused: ${reason}.` } : { decision: 'allow' }));
"""

_WELCOME = """// Tells the model what it cannot know by itself: the date, and which branch is checked out.
import { execFileSync } from 'node:child_process';

let branch = 'none';
try {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 3000 };
  branch = execFileSync('git', ['branch', '--show-current'], options).trim();
} catch {
  // not a repository, or no git: both are fine
}
const additionalContext = `Today is ${new Date().toDateString()}. Branch: ${branch || 'none'}.`;
console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext } }));
"""


def _hook(name: str, timeout: int) -> dict[str, object]:
    command = f'node "${{extensionPath}}/hooks/{name}.mjs"'
    return {"type": "command", "name": f"@name@-{name}", "command": command, "timeout": timeout}


_HOOKS = {
    "hooks": {
        "BeforeTool": [{"matcher": "run_shell_command", "hooks": [_hook("guard", 5000)]}],
        "SessionStart": [{"matcher": "startup", "hooks": [_hook("welcome", 5000)]}],
    }
}

TEMPLATE = Template(
    "hooks",
    "Stops shell commands that cannot be taken back, and greets each session with the date",
    _GUIDE,
    {
        "hooks/hooks.json": json.dumps(_HOOKS, indent=2) + "\n",
        "hooks/guard.mjs": GUARD,
        "hooks/welcome.mjs": _WELCOME,
    },
    {},
)
