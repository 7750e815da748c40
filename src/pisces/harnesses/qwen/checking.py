"""Qwen Code: its own extensions; Gemini extensions, Claude Code plugins and Agent Plugins are translated at install."""

from __future__ import annotations

import os

from pisces.checking.acceptance import Acceptance, CheckedPart, format_for, is_program, refused_as
from pisces.checking.header_rules import header_flaw
from pisces.checking.subject import Subject

_READS = ("qwen", "gemini", "claude-plugin", "agent-plugin")


def _refusal(part: CheckedPart, subject: Subject) -> str:
    if part.kind == "skills" and (not subject.formats or subject.is_bare):
        return header_flaw(part, subject, needs=("name", "description"))
    read_as = format_for(subject, _READS)
    if not read_as:
        return "there is no manifest that it reads" if subject.formats else "it reads other files"
    if part.kind in ("policies", "themes") or is_program(part):
        return "it takes none of these"
    if part.kind == "hooks" and read_as == "gemini":
        return "the hooks of Gemini extensions are not translated"
    if part.kind == "subagents" and os.path.dirname(part.path) != subject.inside("agents"):
        return "it takes subagents directly in `agents/` only"
    if part.kind == "subagents" and read_as == "gemini":  # less strict than Gemini CLI itself
        return header_flaw(part, subject, needs=("name", "description"))
    verdict = refused_as(part, (read_as,))
    return f"it is not where a package of the format {read_as} has it" if verdict is None else verdict


ACCEPTANCE = Acceptance(_READS, _refusal)
