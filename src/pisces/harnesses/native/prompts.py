"""Our own Markdown commands, `.pisces/commands/*.md`: the grammar with `$ARGUMENTS`, as in Claude Code."""

from __future__ import annotations

from pisces.commands.prompts.dollar_prompts import expand

__all__ = ["expand"]
