"""OpenAI Codex: its own plugins, else Claude Code's, Cursor's and Agent Plugins. Plugins bring no subagents.

A skill needs a header with a description. Hooks have Claude Code's shape and fewer events.
"""

from __future__ import annotations

from pisces.checking.acceptance import Acceptance, CheckedPart, format_for, refused_in
from pisces.checking.subject import Subject
from pisces.harnesses.codex import EVENTS
from pisces.harnesses.codex.manifest_shape import manifest_refusals
from pisces.harnesses.codex.server_shape import VERSION
from pisces.harnesses.codex.skill_header import header_flaw

_READS = ("codex-plugin", "claude-plugin", "cursor-plugin", "agent-plugin")
_KINDS = ("skills", "commands", "hooks", "mcp-servers")


def _refusal(part: CheckedPart, subject: Subject) -> str:
    read_as = format_for(subject, _READS)
    if part.kind == "skills" and (read_as or not subject.formats or subject.is_bare):
        return header_flaw(subject.pages.text(part.path))
    if not read_as:
        return "there is no manifest that it reads" if subject.formats else "it reads other files"
    if part.kind not in _KINDS:
        return "plugins bring skills, commands, hooks and MCP servers only"
    if part.kind == "hooks" and part.name not in EVENTS:
        return f"it has no event `{part.name}`"
    return refused_in(part, read_as)


def _whole(subject: Subject) -> str:
    manifest = subject.manifest("codex-plugin")
    return next((message for _, message in manifest_refusals(manifest[1])), "") if manifest else ""


ACCEPTANCE = Acceptance(_READS, _refusal, called="Codex", whole=_whole, version=VERSION)
