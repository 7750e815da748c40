"""Every kind of component that Gemini CLI knows, in one package: to look things up in, or to throw most of it away."""

from __future__ import annotations

from pisces.packages.template import Template
from pisces.packages.templates import (
    commands,
    context,
    exclude_tools,
    hooks,
    policies,
    settings,
    skills,
    subagents,
    themes,
)

_PARTS = tuple(
    each.TEMPLATE for each in (commands, context, exclude_tools, hooks, policies, settings, skills, subagents, themes)
)

_GUIDE = """
| part | where |
| --- | --- |
| commands | `commands/` |
| context | `GEMINI.md` |
| excluded tools, settings, themes, MCP server | `gemini-extension.json`, `server/` |
| hooks | `hooks/` |
| policies | `policies/` |
| skills | `skills/` |
| subagents | `agents/` |

Remove what you do not need: every part stands alone. Hooks and server need Node 18 or newer and nothing else.

Try it: `pisces check .`, then `gemini extensions link .` or `pisces extensions link .`
"""

TEMPLATE = Template(
    "full",
    "Every kind of component in one extension",
    _GUIDE,
    {path: text for part in _PARTS for path, text in part.files.items()},
    {key: value for part in _PARTS for key, value in (part.manifest or {}).items()},
)
