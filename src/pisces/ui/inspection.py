"""An inventory as the documented object of `pisces inspect --output-format json`. Files are relative to the package."""

from __future__ import annotations

import os

from pisces.harnesses.gemini.conflicts import claim_of_package, final_names
from pisces.harnesses.gemini.finders import policies as gemini_policies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.discovery.inventory import Inventory
    from pisces.shapes.command import Command

_POLICY_ERRORS = frozenset(rule.code for rule in gemini_policies.GEMINI_ERRORS)


def inspection(inventory: Inventory, formats: list[str]) -> dict[str, Any]:
    """`formats` lists every format that the folder is a package of; the first one is described."""
    package = inventory.package
    manifest = package.manifest if package and isinstance(package.manifest, dict) else {}
    return {
        "name": package.name if package else None,
        "version": manifest.get("version"),
        "format": inventory.format.id if formats else None,
        "formats": formats,
        "path": inventory.folder,
        "installs": inventory.installs,
        "commands": _commands(inventory),
        "skills": [_named(inventory, each) for each in inventory.found["skills"]],
        "rejected_skills": _rejected(inventory, "skill-"),
        "subagents": [_named(inventory, each) for each in inventory.found["subagents"]],
        "rejected_subagents": _rejected(inventory, "agent-"),
        "hooks": [_hook(each) for each in inventory.found["hooks"]],
        "policies": _policies(inventory),
        "mcp_servers": [_server(each) for each in inventory.found["mcp-servers"]],
        "context_files": [_file(inventory, each) for each in inventory.found["context-files"]],
        "settings": [_setting(each) for each in inventory.found["settings"]],
        "themes": [each.item.name for each in inventory.found["themes"]],
        "diagnostics": [diagnostic.as_json() for diagnostic in inventory.diagnostics],
    }


def _commands(inventory: Inventory) -> list[dict[str, Any]]:
    commands = inventory.found["commands"]
    finals = [each.item.final_name for each in commands]
    if inventory.format.id == "gemini" and inventory.package:
        package = str(inventory.package.name)
        finals = final_names(claim_of_package(each.item, package) for each in commands)
    return [
        {"name": each.item.name, "final_name": final, "file": _file(inventory, each), **_program(each.item)}
        for each, final in zip(commands, finals, strict=True)
    ]


def _program(command: Command) -> dict[str, Any]:
    """What is known of a command that runs a program; nothing for a prompt file."""
    executable = command.executable
    if executable is None:
        return {}
    fields = dict(zip(executable.__fields__, executable.as_tuple(), strict=True))
    del fields["package"]
    return {"executable": {**fields, "subcommands": list(executable.subcommands), "env": sorted(executable.env)}}


def _named(inventory: Inventory, found: Found) -> dict[str, Any]:
    return {"name": found.item.name, "file": _file(inventory, found)}


def _rejected(inventory: Inventory, prefix: str) -> list[str]:
    """Files that look like one and do not load: only errors count, a file said twice counts once."""
    paths = [each.path for each in inventory.diagnostics if each.code.startswith(prefix) and each.severity == "error"]
    there = (path for path in dict.fromkeys(paths) if os.path.exists(path))  # a link that leads nowhere is no file
    return [_relative(inventory, path) for path in there]


def _hook(found: Found) -> dict[str, Any]:
    hook = found.item
    command = None if hook.command == "" and hook.type != "command" else hook.command
    return {"event": hook.event, "matcher": hook.matcher, "command": command}


def _policies(inventory: Inventory) -> dict[str, Any]:
    errors = [each for each in inventory.diagnostics if each.code in _POLICY_ERRORS]
    return {
        "rules": [_policy_rule(each) for each in inventory.found["policies"] if each.item.kind == "rule"],
        "errors": [{"file": os.path.basename(each.path), **each.as_json()} for each in errors],
    }


def _policy_rule(found: Found) -> dict[str, Any]:
    rule = found.item
    fields = {"toolName": rule.tool_name, "decision": rule.decision, "priority": rule.priority}
    if rule.args_pattern:
        fields["argsPattern"] = rule.args_pattern
    return {**fields, "file": os.path.basename(rule.path)}


def _server(found: Found) -> dict[str, Any]:
    config = found.item.config if isinstance(found.item.config, dict) else {}
    return {"name": found.item.name, **{key: value for key, value in config.items() if key != "name"}}


def _setting(found: Found) -> dict[str, Any]:
    item = found.item
    return {
        "name": item.name,
        "envVar": item.env_var,
        "description": item.description,
        "sensitive": item.sensitive,
    }


def _file(inventory: Inventory, found: Found) -> str:
    return _relative(inventory, found.item.path)


def _relative(inventory: Inventory, path: str) -> str:
    return os.path.relpath(path, inventory.folder).replace(os.sep, "/")
