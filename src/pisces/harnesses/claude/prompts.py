"""Claude Code's Markdown commands: the grammar with `$ARGUMENTS`, which began here."""

from __future__ import annotations

from pisces.commands.prompts.dollar_prompts import expand

__all__ = ["expand"]
