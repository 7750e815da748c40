"""Every capability there is. Callers ask for one of these by id and never for a path."""

from __future__ import annotations

from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.discovery.capability import Capability

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pisces.shapes.command import Command
    from pisces.shapes.context_file import ContextFile
    from pisces.shapes.hook import Hook
    from pisces.shapes.mcp_server import McpServer
    from pisces.shapes.module import Module
    from pisces.shapes.package import Package
    from pisces.shapes.policy import PolicyRule
    from pisces.shapes.settings import PackageSetting, SettingsFile
    from pisces.shapes.skill import Skill
    from pisces.shapes.subagent import Subagent
    from pisces.shapes.theme import Theme


def _name(item: Any) -> Any:
    return item.name


def _needs(*fields: str) -> Callable[[Any], str]:
    def flaw(item: Any) -> str:
        for field in fields:
            if not getattr(item, field):
                return f"missing {field}"
        return ""

    return flaw


def _server_flaw(server: McpServer) -> str:
    if not server.name:
        return "missing name"
    return "" if server.launch else "needs a command or a url"


PACKAGES: Capability[Package] = Capability("packages", "package", "packages", _name, _needs("name", "path"))
MODULES: Capability[Module] = Capability(
    "modules", "module", "modules", _name, _needs("name", "path"), also="extension-module"
)
SKILLS: Capability[Skill] = Capability(
    "skills", "skill", "skills", lambda skill: skill.plain_name or skill.name, _needs("name", "path")
)
COMMANDS: Capability[Command] = Capability(
    "commands", "command", "commands", lambda command: command.final_name, _needs("name", "path")
)
SUBAGENTS: Capability[Subagent] = Capability("subagents", "subagent", "subagents", _name, _needs("name", "path"))
MCP_SERVERS: Capability[McpServer] = Capability("mcp-servers", "mcp server", "MCP servers", _name, _server_flaw)
HOOKS: Capability[Hook] = Capability("hooks", "hook", "hooks", None, _needs("event"))
POLICIES: Capability[PolicyRule] = Capability("policies", "policy rule", "policy rules", None, _needs("decision"))
CONTEXT_FILES: Capability[ContextFile] = Capability(
    "context-files", "context file", "context files", lambda file: file.path, _needs("path")
)
SETTINGS: Capability[SettingsFile | PackageSetting] = Capability(
    "settings", "settings file", "settings", None, _needs("path")
)
THEMES: Capability[Theme] = Capability("themes", "theme", "themes", _name, _needs("name"))

CAPABILITIES: tuple[Capability, ...] = (
    *(PACKAGES, MODULES, COMMANDS, SKILLS, SUBAGENTS, MCP_SERVERS),
    *(HOOKS, POLICIES, CONTEXT_FILES, SETTINGS, THEMES),
)

_ALSO_CALLED = {"extensions": "packages", "extension-modules": "modules", "agents": "subagents", "mcp": "mcp-servers"}


def capability_named(name: str) -> Capability:
    """By id, by singular or plural, or by the seed's word for it (`extensions` are packages)."""
    wanted = _ALSO_CALLED.get(name.lower(), name.lower())
    for capability in CAPABILITIES:
        if wanted in (capability.id, capability.singular, capability.plural.lower()):
            return capability
    known = ", ".join(capability.id for capability in CAPABILITIES)
    raise PiscesError(Diagnostic("unknown-capability", ERROR, f'Unknown capability: "{name}"', hint=f"one of: {known}"))
