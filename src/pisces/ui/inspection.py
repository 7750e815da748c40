"""An inventory as the documented object of `pisces inspect --output-format json`. Files are relative to the package."""

from __future__ import annotations

import os

from pisces.discovery import capabilities
from pisces.shapes.settings import PackageSetting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.discovery.inventory import Inventory
    from pisces.shapes.command import Command
    from pisces.shapes.hook import Hook
    from pisces.shapes.mcp_server import McpServer
    from pisces.shapes.policy import PolicyRule
    from pisces.shapes.skill import Skill
    from pisces.shapes.subagent import Subagent

# A package that asks for too much still loads: harnesses remove the rule and do not count that as an error.
_NO_POLICY_ERRORS = ("policy-too-much",)


def inspection(inventory: Inventory, formats: list[str]) -> dict[str, Any]:
    """`formats` lists every format that the folder is a package of; the first one is described."""
    package = inventory.package
    manifest = package.fields if package else {}
    return {
        "name": package.name if package else None,
        "version": manifest.get("version"),
        "format": inventory.format.id if formats else None,
        "formats": formats,
        "path": inventory.folder,
        "installs": inventory.installs,
        "commands": [_command(inventory, each) for each in inventory.of(capabilities.COMMANDS)],
        "skills": [_named(inventory, each) for each in inventory.of(capabilities.SKILLS)],
        "rejected_skills": _rejected(inventory, "skill-"),
        "subagents": [_named(inventory, each) for each in inventory.of(capabilities.SUBAGENTS)],
        "rejected_subagents": _rejected(inventory, "agent-"),
        "hooks": [_hook(each) for each in inventory.of(capabilities.HOOKS)],
        "policies": _policies(inventory),
        "mcp_servers": [_server(each) for each in inventory.of(capabilities.MCP_SERVERS)],
        "context_files": [_file(inventory, each) for each in inventory.of(capabilities.CONTEXT_FILES)],
        "settings": _settings(inventory),
        "themes": [each.item.name for each in inventory.of(capabilities.THEMES)],
        "diagnostics": [diagnostic.as_json() for diagnostic in inventory.diagnostics],
    }


def _command(inventory: Inventory, found: Found[Command]) -> dict[str, Any]:
    names = {"name": found.item.name, "final_name": found.item.final_name}
    return {**names, "file": _file(inventory, found), **_program(found.item)}


def _program(command: Command) -> dict[str, Any]:
    """The fields of a command that runs a program; nothing for a prompt file."""
    executable = command.executable
    if executable is None:
        return {}
    fields = dict(zip(executable.__fields__, executable.as_tuple(), strict=True))
    del fields["package"]
    return {"executable": {**fields, "subcommands": list(executable.subcommands), "env": sorted(executable.env)}}


def _named(inventory: Inventory, found: Found[Skill] | Found[Subagent]) -> dict[str, Any]:
    return {"name": found.item.name, "file": _file(inventory, found)}


def _rejected(inventory: Inventory, prefix: str) -> list[str]:
    """Files that look like one and do not load: only errors count, and each file once."""
    paths = [each.path for each in inventory.diagnostics if each.code.startswith(prefix) and each.severity == "error"]
    there = (path for path in dict.fromkeys(paths) if os.path.exists(path))  # a broken link is not a file
    return [_relative(inventory, path) for path in there]


def _hook(found: Found[Hook]) -> dict[str, Any]:
    hook = found.item
    command = None if hook.command == "" and hook.type != "command" else hook.command
    return {"event": hook.event, "matcher": hook.matcher, "command": command}


def _policies(inventory: Inventory) -> dict[str, Any]:
    problems = [each for each in inventory.diagnostics if each.code.startswith("policy-")]
    errors = [each for each in problems if each.code not in _NO_POLICY_ERRORS]
    return {
        "rules": [_policy_rule(each) for each in inventory.of(capabilities.POLICIES) if each.item.kind == "rule"],
        "errors": [{"file": os.path.basename(each.path), **each.as_json()} for each in errors],
    }


def _policy_rule(found: Found[PolicyRule]) -> dict[str, Any]:
    rule = found.item
    fields: dict[str, Any] = {"toolName": rule.tool_name, "decision": rule.decision, "priority": rule.priority}
    if rule.args_pattern:
        fields["argsPattern"] = rule.args_pattern
    return {**fields, "file": os.path.basename(rule.path)}


def _server(found: Found[McpServer]) -> dict[str, Any]:
    config = found.item.fields
    return {"name": found.item.name, **{key: value for key, value in config.items() if key != "name"}}


def _settings(inventory: Inventory) -> list[dict[str, Any]]:
    items = [each.item for each in inventory.of(capabilities.SETTINGS) if isinstance(each.item, PackageSetting)]
    return [
        {"name": item.name, "envVar": item.env_var, "description": item.description, "sensitive": item.sensitive}
        for item in items
    ]


def _file(inventory: Inventory, found: Found) -> str:
    return _relative(inventory, found.item.path)


def _relative(inventory: Inventory, path: str) -> str:
    return os.path.relpath(path, inventory.folder).replace(os.sep, "/")
