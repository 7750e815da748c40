"""Our own Markdown commands, `.pisces/commands/*.md`: they are read as Claude Code reads its own."""

from __future__ import annotations

from pisces.harnesses.claude.prompts import expand

__all__ = ["expand"]
