"""Agent Plugins clients (agent-plugins.org 1.0): only skills that conform strictly, and MCP servers."""

from __future__ import annotations

from pisces.checking.acceptance import Acceptance, CheckedPart, refused_as
from pisces.checking.subject import Subject


def _refusal(part: CheckedPart, subject: Subject) -> str:
    if "agent-plugin" not in subject.formats:
        return "there is no plugin.json of an Agent Plugin"
    if part.kind not in ("skills", "mcp-servers"):
        return "an Agent Plugin has skills and MCP servers only"
    verdict = refused_as(part, ("agent-plugin",))
    if verdict is not None:
        return verdict
    return "skills are `skills/NAME/SKILL.md`" if part.kind == "skills" else "servers stand in `mcp.json` at the root"


ACCEPTANCE = Acceptance(("agent-plugin",), _refusal, bare_skills=False, called="Agent Plugins clients")
