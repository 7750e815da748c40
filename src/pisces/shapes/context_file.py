"""A context file: Markdown that is put before every prompt (GEMINI.md, CLAUDE.md, AGENTS.md ...)."""

from __future__ import annotations

from pisces.value import Value


class ContextFile(Value):
    """`scope` says where it applies: a level, a folder relative to the project, or a package."""

    path: str
    scope: str
