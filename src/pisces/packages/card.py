"""The consent card: everything that a package can do, named exactly, bound to the hash of every file in it."""

from __future__ import annotations

import json
import os
from urllib.parse import urlsplit

from pisces.diagnostics import ERROR, Rule
from pisces.discovery import capabilities
from pisces.shapes.binary_template import inner_path
from pisces.shapes.executable import APPENDED, Executable
from pisces.shapes.settings import PackageSetting
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.discovery.inventory import Inventory
    from pisces.packages.store.tree import Tree
    from pisces.shapes.mcp_server import McpServer

CONSENT_NEEDED = Rule("consent-needed", ERROR, "Nobody has agreed to this package yet")
CONSENT_REFUSED = Rule("consent-refused", ERROR, "The consent that was asked for was not given")
WRONG_HASH = Rule("consent-hash-differs", ERROR, "The hash that was agreed to is not the hash of what was fetched")

# In the order in which a careful reader asks: what runs, what talks to whom, what it changes, what it says.
KINDS = (
    ("server", "starts or calls MCP servers"),
    ("hook", "runs on events, without asking"),
    ("executable", "runs programs when you type a command"),
    ("program", "carries programs"),
    ("module", "carries code modules"),
    ("host", "talks to hosts"),
    ("env", "reads environment variables"),
    ("command", "adds slash commands"),
    ("subagent", "adds subagents"),
    ("skill", "adds skills"),
    ("policy", "sets policies"),
    ("excluded tool", "takes tools away"),
    ("setting", "asks for settings"),
    ("context", "puts text before every prompt"),
    ("theme", "adds themes"),
)
_ENV_KEYS = ("env", "environment")


class CardLine(Value):
    """One thing that a package can do, such as a server that it starts."""

    kind: str
    text: str


class Card(Value):
    """`hash` is what `--accept` takes. Two cards with the same hash are the same package to the last byte."""

    name: str
    version: str
    format: str
    source: str
    hash: str
    lines: tuple[CardLine, ...]
    files: int
    bytes: int

    def of_kind(self, kind: str) -> list[str]:
        return [line.text for line in self.lines if line.kind == kind]


def card_of(inventory: Inventory, tree: Tree, source: str) -> Card:
    package = inventory.package
    manifest = package.fields if package else {}
    programs = [CardLine("program", file.path) for file in tree.files if file.kind == "program"]
    lines = sorted({*_lines(inventory, manifest), *programs}, key=lambda line: (line.kind, line.text))
    name = str(package.name) if package else os.path.basename(inventory.folder)
    version = str(manifest.get("version") or "")
    return Card(name, version, inventory.format.id, source, tree.hash, tuple(lines), len(tree.files), tree.size)


def card_changes(old: tuple[CardLine, ...], new: tuple[CardLine, ...]) -> tuple[list[CardLine], list[CardLine]]:
    """Lines that are new, and lines that are gone."""
    return [line for line in new if line not in old], [line for line in old if line not in new]


def _lines(inventory: Inventory, manifest: Mapping[str, Any]) -> Iterator[CardLine]:
    for server in inventory.of(capabilities.MCP_SERVERS):
        yield from _server(server, inventory)
    for hook in inventory.of(capabilities.HOOKS):
        matcher = "" if hook.item.matcher is None else f" on {hook.item.matcher!r}"
        yield CardLine("hook", f"{hook.item.event}{matcher}: {_here(str(hook.item.command), inventory)}")
    for command in inventory.of(capabilities.COMMANDS):
        if command.item.executable:
            yield from _executable(command.item.name, command.item.executable)
        else:
            yield CardLine("command", f"/{command.item.name}  {_relative(command, inventory)}")
    for agent in inventory.of(capabilities.SUBAGENTS):
        tools = "all tools" if agent.item.tools is None else ", ".join(agent.item.tools) or "no tools"
        yield CardLine("subagent", f"{agent.item.name} ({tools})")
    for skill in inventory.of(capabilities.SKILLS):
        yield CardLine("skill", f"{skill.item.name}: {_first_line(skill.item.description)}")
    for rule in inventory.of(capabilities.POLICIES):
        pattern = f" where {rule.item.args_pattern}" if rule.item.args_pattern else ""
        yield CardLine("policy", f"{rule.item.decision} {rule.item.tool_name}{pattern}")
    for setting in (each.item for each in inventory.of(capabilities.SETTINGS)):
        if isinstance(setting, PackageSetting):
            secret = " (secret)" if setting.sensitive else ""
            yield CardLine("setting", f"{setting.env_var or setting.name}{secret}: {setting.description}")
    yield from (CardLine("context", _relative(each, inventory)) for each in inventory.of(capabilities.CONTEXT_FILES))
    yield from (CardLine("module", _relative(each, inventory)) for each in inventory.of(capabilities.MODULES))
    yield from (CardLine("theme", theme.item.name) for theme in inventory.of(capabilities.THEMES))
    excluded = manifest.get("excludeTools")
    yield from (CardLine("excluded tool", str(tool)) for tool in excluded or () if isinstance(excluded, list))


def _server(found: Found[McpServer], inventory: Inventory) -> Iterator[CardLine]:
    config = found.item.fields
    yield CardLine("server", f"{found.item.name}: {_here(found.item.launch, inventory) or json.dumps(config)}")
    if config.get("cwd"):
        yield CardLine("server", f"{found.item.name} works in {_here(str(config['cwd']), inventory)}")
    for key in ("url", "httpUrl", "serverUrl"):
        host = _host(config.get(key))
        if host:
            yield CardLine("host", host)
    for key in _ENV_KEYS:
        names = config.get(key)
        yield from (
            CardLine("env", f"{name} (for {found.item.name})") for name in names or () if isinstance(names, dict)
        )


def _executable(name: str, executable: Executable) -> Iterator[CardLine]:
    modes = (
        ("asks each time", executable.require_confirm),
        ("stays running", executable.worker),
        ("takes over the terminal", executable.interactive),
        ("in a sandbox", executable.sandbox),
        ("its output goes to the model", executable.context == APPENDED),
        (f"signed by {executable.publisher or 'its key'}", executable.key),
    )
    how = ", ".join(mode for mode, is_so in modes if is_so)
    yield CardLine("executable", f"/{name}: {inner_path(executable.binary)}{f' ({how})' if how else ''}")
    yield from (CardLine("env", f"{variable} (set for /{name})") for variable in executable.env)


def _host(address: object) -> str:
    try:
        return urlsplit(address).netloc if isinstance(address, str) else ""
    except ValueError:
        return ""


def _here(text: str, inventory: Inventory) -> str:
    """The stage's path means nothing to a reader, and would make every card differ."""
    return text.replace(inventory.folder, "<package>")


def _relative(found: Found, inventory: Inventory) -> str:
    return os.path.relpath(found.item.path, inventory.folder).replace(os.sep, "/")


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= 100 else line[:99] + "…"
