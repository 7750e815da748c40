"""Cursor's commands: plain Markdown without placeholders."""

from __future__ import annotations

from pisces.commands.prompts.plain_prompts import expand as expand
