"""MCP servers that Codex does not take: in config.toml one of them stops Codex at start."""

from __future__ import annotations

import os
import re

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.discovery.config_file import TOML, ConfigFile, config_at
from pisces.discovery.harness import Run
from pisces.harnesses.codex.server_shape import plugin_server, server_flaws

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMAT = "codex-plugin"
KEY = "mcp_servers"

CODEX_SERVER = Rule("codex-server", ERROR, "An MCP server that Codex does not take")
CODEX_SERVER_NAME = Rule("codex-server-name", WARNING, "A name of an MCP server that Codex does not start")

_NAME = re.compile(r"[A-Za-z0-9_-]+")
_REPORTED = ("has neither", "must be an object")  # by the finder


def _find(subject: Subject) -> Diagnostics:
    for path in _configs(subject):
        file = config_at(path, TOML, Run())
        values = file.value if isinstance(file, ConfigFile) else None
        servers = values.get(KEY) if isinstance(values, dict) else None
        for name, config in servers.items() if isinstance(servers, dict) else ():
            yield from _config_flaws(subject, path, name, config)
    if FORMAT in subject.formats:
        yield from _in_plugin(subject)


def _config_flaws(subject: Subject, path: str, name: str, config: Any) -> Diagnostics:
    for keys, message in server_flaws(config):
        if not message.startswith(_REPORTED):
            place = subject.pages.toml_place(path, (KEY, name, *keys))
            text = f"server `{name}`: {message}, so Codex does not start"
            yield CODEX_SERVER.at(path, text, place=place, about=name)
    if not _NAME.fullmatch(name):
        message = f"server `{name}` is listed and never starts: a name has letters, digits, `_` and `-` only"
        yield CODEX_SERVER_NAME.at(path, message, about=name)


def _configs(subject: Subject) -> list[str]:
    found = subject.paths("mcp-servers", "codex")
    rejected = [each.path for each in subject.rejected.get("codex", ()) + subject.rejected.get("", ())]
    settings = subject.paths("settings", "codex")
    every = dict.fromkeys([*found, *rejected, *settings])
    return [path for path in every if os.path.basename(path) == "config.toml"]


def _in_plugin(subject: Subject) -> Diagnostics:
    manifest = subject.manifest(FORMAT)
    inline = manifest[1].get("mcpServers") if manifest else None
    path, values = subject.inside(".mcp.json"), None
    if manifest and isinstance(inline, dict):
        path, values = manifest[0], {"mcpServers": inline}
    elif isinstance(inline, str):
        path = os.path.normpath(subject.inside(inline))
    values = values or (subject.pages.json(path) if os.path.isfile(path) else None)
    servers = values.get("mcpServers", values) if isinstance(values, dict) else None
    keys = ("mcpServers",) if isinstance(values, dict) and "mcpServers" in values else ()
    for name, config in servers.items() if isinstance(servers, dict) else ():
        yield from _plugin_flaws(subject, path, (*keys, name), config)


def _plugin_flaws(subject: Subject, path: str, keys: tuple[str, ...], config: Any) -> Diagnostics:
    name = keys[-1]
    for inner, message in server_flaws(plugin_server(config)):
        if not message.startswith(_REPORTED):
            place = subject.pages.json_place(path, (*keys, *inner))
            yield CODEX_SERVER.at(path, f"server `{name}`: {message}, so it is left out", place=place, about=name)


LINT = Lint("MCP servers of Codex", _find, FORMAT)
