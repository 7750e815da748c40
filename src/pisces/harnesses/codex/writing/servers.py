"""MCP servers in `.mcp.json`, as Codex 0.166.0 starts them by a run: it fills in nothing and hands over no environment.

Variables are named by fields of their own; a server that needs files of the plugin starts in the plugin's folder.
"""

from __future__ import annotations

from pisces.converting import prompt_text as neutral
from pisces.converting.assembling import json_file
from pisces.converting.fate import (
    APPROXIMATED,
    CHANGED_MEANING,
    DROPPED,
    LOST_FIELD,
    LOST_PLACEHOLDER,
    LOST_SERVER,
    lost,
    mapped,
)
from pisces.converting.prompt_text import PromptVariable
from pisces.converting.server_entries import guessed_transport
from pisces.converting.variables import text_with_variables
from pisces.converting.writer import WriteOptions, Written
from pisces.harnesses.codex.server_shape import plugin_server, server_flaws

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginServer
    from pisces.converting.prompt_text import Part

FILE = ".mcp.json"
_ADDRESSES = ("url", "httpUrl", "serverUrl")
_KNOWN = ("type", "command", "args", "env", "cwd", "headers", "timeout", "oauth", *_ADDRESSES)
_SAME = ("enabled_tools", "disabled_tools", "startup_timeout_sec", "tool_timeout_sec", "env_vars", "http_headers")
_RENAMED = {"includeTools": "enabled_tools", "excludeTools": "disabled_tools"}
_BEARER = "Bearer "
_THOUSAND = 1000


def written_servers(plugin: Plugin, _options: WriteOptions) -> Written:
    made: dict[str, Any] = {}
    fates: list[Fate] = []
    for server in plugin.servers:
        entry = _Entry(server, plugin.harness)
        values = entry.values()
        flaw = _refusal(server, values)
        if flaw:
            fates.append(lost(DROPPED, LOST_SERVER, server, flaw))
            continue
        made[server.name] = values
        fates += (*entry.fates, *guessed_transport(server, "Codex"), mapped(server, FILE))
    return Written((json_file(FILE, {"mcpServers": made}),) if made else (), tuple(fates))


def _refusal(server: PluginServer, values: dict[str, Any]) -> str:
    kind = server.fields.get("type")
    if kind in ("sse", "ws"):
        return f"Codex has no transport `{kind}`"
    flaw = next(server_flaws(plugin_server(values)), None)
    return f"Codex would refuse it: {flaw[1]}" if flaw else ""


class _Entry:
    """One server. `fates` are what its fields lose."""

    def __init__(self, server: PluginServer, harness: str) -> None:
        self.fates: list[Fate] = []
        self._server = server
        self._fields = server.fields
        self._harness = harness
        self._needs_folder = False

    def values(self) -> dict[str, Any]:
        fields = self._fields
        values = self._program() if fields.get("command") else self._remote()
        values |= {key: fields[key] for key in _SAME if key in fields and key not in values}
        values |= {new: fields[old] for old, new in _RENAMED.items() if old in fields}
        timeout = fields.get("timeout")
        if isinstance(timeout, int | float) and not isinstance(timeout, bool) and timeout > 0:
            values["tool_timeout_sec"] = timeout / _THOUSAND
        for field in fields:
            if field not in (*_KNOWN, *_SAME, *_RENAMED):
                self._lose(DROPPED, LOST_FIELD, f"Codex has no `{field}`", str(field))
        return values

    def _program(self) -> dict[str, Any]:
        values: dict[str, Any] = {"command": self._filled(self._fields["command"], "command")}
        args = self._fields.get("args")
        if args:
            values["args"] = [self._filled(each, "args") for each in args] if isinstance(args, list) else args
        env, names = self._environment()
        values |= {"env": env} if env or self._fields.get("env") == {} else {}
        if names:
            values["env_vars"] = names
            self.fates.append(mapped(self._server, FILE, "env"))
        folder = self._filled(self._fields.get("cwd"), "cwd")
        if self._needs_folder:
            why = "Codex fills in no folder: the server starts in that of the plugin, not of the session"
            self._lose(APPROXIMATED, CHANGED_MEANING, why, "command")
        return {**values, **({"cwd": folder or "."} if folder or self._needs_folder else {})}

    def _environment(self) -> tuple[dict[str, Any], list[str]]:
        env: dict[str, Any] = {}
        names: list[str] = []
        found = self._fields.get("env")
        for key, value in found.items() if isinstance(found, dict) else ():
            name = self._only_variable(value)
            if name == key:
                names.append(key)
            else:
                env[key] = self._filled(value, "env")
        return env, names

    def _remote(self) -> dict[str, Any]:
        address = next((self._fields[key] for key in _ADDRESSES if self._fields.get(key)), "")
        values: dict[str, Any] = {"type": "http", "url": self._filled(address, "url")}
        plain: dict[str, Any] = {}
        named: dict[str, str] = {}
        found = self._fields.get("headers")
        for header, value in found.items() if isinstance(found, dict) else ():
            name = self._only_variable(value)
            token = self._only_variable(value.removeprefix(_BEARER)) if isinstance(value, str) else ""
            if header.lower() == "authorization" and token and not name:
                values["bearer_token_env_var"] = token
            elif name:
                named[header] = name
            else:
                plain[header] = self._filled(value, "headers")
        if found:
            self.fates.append(mapped(self._server, FILE, "headers"))
        values |= {"http_headers": plain} if plain else {}
        values |= {"env_http_headers": named} if named else {}
        oauth = self._fields.get("oauth")
        return {**values, **({"oauth": oauth} if isinstance(oauth, dict) else {})}

    def _only_variable(self, value: Any) -> str:
        """The variable of the environment that a text consists of; empty where it has anything else."""
        parts = text_with_variables(value, self._harness).parts if isinstance(value, str) else ()
        if len(parts) != 1 or not isinstance(parts[0], PromptVariable) or parts[0].default:
            return ""
        name = parts[0].name
        return name.removeprefix(neutral.ENVIRONMENT) if name.startswith(neutral.ENVIRONMENT) else ""

    def _filled(self, value: Any, field: str) -> Any:
        if not isinstance(value, str):
            return value
        return text_with_variables(value, self._harness).spelled(lambda part: self._spelled(part, field))

    def _spelled(self, part: Part, field: str) -> str:
        if not isinstance(part, PromptVariable):
            return part if isinstance(part, str) else part.written
        if part.name == neutral.ROOT:
            self._needs_folder = True
            return "."
        if part.default is not None:
            why = f"Codex does not fill in `{part.written}`: its default is written"
            self._lose(APPROXIMATED, CHANGED_MEANING, why, field)
            return part.default
        why = f"Codex does not fill in `{part.written}`"
        self._lose(DROPPED, LOST_PLACEHOLDER, why, field)
        return part.written

    def _lose(self, kind: str, rule: Any, why: str, field: str) -> None:
        fate = lost(kind, rule, self._server, why, field=field)
        if fate not in self.fates:
            self.fates.append(fate)
