"""Our own Markdown commands, `.pisces/commands/*.md`: they are read as Claude Code reads its own."""

from __future__ import annotations

from pisces.commands.dialects.claude import expand

__all__ = ["expand"]
