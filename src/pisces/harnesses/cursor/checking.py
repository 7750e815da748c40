"""Cursor: its own plugins, else Agent Plugins (skills and MCP servers only)."""

from __future__ import annotations

from pisces.checking.acceptance import Acceptance, CheckedPart, format_for, refused_in
from pisces.checking.header_rules import header_flaw
from pisces.checking.subject import Subject

_READS = ("cursor-plugin", "agent-plugin")


def _refusal(part: CheckedPart, subject: Subject) -> str:
    if part.kind == "skills" and (not subject.formats or subject.is_bare):
        return header_flaw(part, subject, needs=("name", "description"))
    read_as = format_for(subject, _READS)
    if not read_as:
        return "there is no .cursor-plugin/plugin.json" if subject.formats else "it reads other files"
    return refused_in(part, read_as)


ACCEPTANCE = Acceptance(_READS, _refusal)
