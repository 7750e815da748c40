"""Commands: prompts that a user calls by name."""

from __future__ import annotations

from pisces.packages.template import Template

_GUIDE = """
| command | does |
| --- | --- |
| `/explain PATH OR NAME` | explains a piece of the code to somebody new |
| `/git:summary` | summarises what has changed since the last commit |

A command is a `.toml` file below `commands/`; folders become part of its name. `{{args}}` is what the user typed after
the name, `!{...}` is replaced by the output of a shell command (the user is asked first), `@{...}` by a file's content.

Try it: `pisces check .`, then `gemini extensions link .` or `pisces extensions link .`
"""

_EXPLAIN = '''description = "Explain a part of this project to somebody new"
prompt = """
Explain {{args}} to a programmer who sees this project for the first time.

Begin with one sentence that says what it is for. Then follow one typical call from the outside to the inside, and name
the file and function of every step. End with what would surprise a newcomer. If the name is not unique, ask which one
is meant.
"""
'''

_SUMMARY = '''description = "Summarise what has changed since the last commit"
prompt = """
Here is what has changed since the last commit:

!{git status --short}

!{git diff HEAD --stat}

Read the changed files that matter, then say in at most five sentences what the change does and what is still missing.
{{args}}
"""
'''

TEMPLATE = Template(
    "commands",
    "Commands that explain code and summarise changes",
    _GUIDE,
    {"commands/explain.toml": _EXPLAIN, "commands/git/summary.toml": _SUMMARY},
    {},
)
