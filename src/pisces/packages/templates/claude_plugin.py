"""A Claude Code plugin with a command, a skill, a subagent and a hook."""

from __future__ import annotations

import json

from pisces.packages.template import Template
from pisces.packages.templates._skill import skill_files
from pisces.packages.templates.hooks import GUARD
from pisces.packages.templates.subagents import PROMPT

_GUIDE = """
| part | file |
| --- | --- |
| command `/@name@:explain` | `commands/explain.md` |
| skill `release-notes` | `skills/release-notes/SKILL.md` |
| subagent `bug-hunter` | `agents/bug-hunter.md` |
| hook before shell commands | `hooks/hooks.json`, `hooks/guard.mjs` (needs Node 18 or newer) |

`.claude-plugin/` holds the manifest and nothing else; the parts lie beside it. Timeouts of hooks are in seconds.

Try it: `pisces check .`, then `claude --plugin-dir .`
"""

_MANIFEST = {
    "name": "@name@",
    "version": "0.1.0",
    "description": "Explains code, writes release notes, looks for bugs and stops dangerous commands",
    "license": "MIT",
}
_HOOK = {"type": "command", "command": 'node "${CLAUDE_PLUGIN_ROOT}/hooks/guard.mjs"', "timeout": 5}
_HOOKS = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [_HOOK]}]}}

_EXPLAIN = """---
description: Explain a part of this project to somebody new
argument-hint: PATH OR NAME
---
Explain $ARGUMENTS to a programmer who sees this project for the first time.

Begin with one sentence that says what it is for. Then follow one typical call from the outside to the inside, and name
the file and function of every step. End with what would surprise a newcomer.
"""

_HUNTER = (
    """---
name: bug-hunter
description: Looks for bugs in a change and proves them. Use after code was written and before it is committed.
tools: Read, Grep, Glob
---
"""
    + PROMPT
)
_GEMINI_ANSWER = "reason ? { decision: 'deny', reason: `Refused: ${reason}.` } : { decision: 'allow' }"
_CLAUDE_ANSWER = """reason ? {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: `Refused: ${reason}.`,
  },
} : {}"""

TEMPLATE = Template(
    "claude-plugin",
    "A Claude Code plugin with a command, a skill, a subagent and a hook",
    _GUIDE,
    {
        ".claude-plugin/plugin.json": json.dumps(_MANIFEST, indent=2) + "\n",
        "commands/explain.md": _EXPLAIN,
        "agents/bug-hunter.md": _HUNTER,
        "hooks/hooks.json": json.dumps(_HOOKS, indent=2) + "\n",
        "hooks/guard.mjs": GUARD.replace(_GEMINI_ANSWER, _CLAUDE_ANSWER),
        **skill_files("skills/release-notes/", "release-notes"),
    },
)
