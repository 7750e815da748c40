"""Subagents: helpers with their own instructions, tools and context."""

from __future__ import annotations

from pisces.packages.template import Template

_GUIDE = """
A subagent is a `.md` file directly in `agents/`. It starts with an empty context, knows only its own text and what it
is asked, and answers once. `tools` are Gemini CLI's names; without that line it gets all of them. This one can read
and search, and nothing else.

Try it: `pisces check .`, then `gemini extensions link .` and `/agents`
"""

PROMPT = """
You look for what is wrong with a change. You do not fix anything.

1. Read what has changed, then the code that calls it.
2. For each place ask: which input breaks this? What happens twice, at once, half-way, with nothing, with too much?
3. For each suspicion find the lines that prove or refute it. Drop what you cannot prove.
4. Report what is left, the worst first: file and line, the input that breaks it, what happens, what should happen.

If nothing is left, say what you looked at and that you found nothing. Style is not your concern.
"""

_REVIEWER = (
    """---
name: bug-hunter
description: Looks for bugs in a change and proves them. Use after code was written and before it is committed.
kind: local
tools:
  - read_file
  - grep_search
  - glob
  - list_directory
max_turns: 20
---
"""
    + PROMPT
)

TEMPLATE = Template(
    "subagents", "A subagent that looks for bugs in a change", _GUIDE, {"agents/bug-hunter.md": _REVIEWER}, {}
)
