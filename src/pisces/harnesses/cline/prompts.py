"""Cline's workflows: plain text without placeholders."""

from __future__ import annotations

from pisces.commands.prompts.plain_prompts import expand

__all__ = ["expand"]
