"""Agent Plugins clients (agent-plugins.org 1.0): skills that conform to the letter, and MCP servers. Nothing else."""

from __future__ import annotations

from pisces.check.host import Host, Part, refused_as

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.check.subject import Subject


def _refusal(part: Part, subject: Subject) -> str:
    if "agent-plugin" not in subject.formats:
        return "there is no plugin.json of an Agent Plugin"
    if part.kind not in ("skills", "mcp-servers"):
        return "an Agent Plugin has skills and MCP servers only"
    told = refused_as(part, ("agent-plugin",))
    if told is not None:
        return told
    return "skills are `skills/NAME/SKILL.md`" if part.kind == "skills" else "servers stand in `mcp.json` at the root"


HOST = Host("agent-plugins", "Agent Plugins clients", ("agent-plugin",), _refusal)
