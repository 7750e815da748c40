"""GitHub Copilot: its own plugins, Agent Plugins and Claude Code plugins; agents in plugins are `agents/*.agent.md`."""

from __future__ import annotations

from pisces.checking.acceptance import Acceptance, CheckedPart, format_for, refused_in
from pisces.checking.header_rules import header_flaw
from pisces.checking.subject import Subject

_READS = ("copilot-plugin", "agent-plugin", "claude-plugin")
_KINDS = ("skills", "commands", "hooks", "mcp-servers", "subagents", "context-files")


def _refusal(part: CheckedPart, subject: Subject) -> str:
    read_as = format_for(subject, _READS)
    if part.kind == "skills" and (read_as or not subject.formats or subject.is_bare):
        return header_flaw(part, subject, needs=("name", "description"), lenient=True)
    if not read_as:
        return "there is no manifest that it reads" if subject.formats else "it reads other files"
    if part.kind not in _KINDS:
        return "plugins bring skills, agents, commands, hooks and MCP servers only"
    if part.kind == "subagents" and not part.path.endswith(".agent.md"):
        return "it reads `agents/*.agent.md` only"
    return refused_in(part, read_as)


ACCEPTANCE = Acceptance(_READS, _refusal, namespaces=("com.github.copilot",))
