"""MCP servers in `.mcp.json`: transports by Claude Code's names, variables in its spelling, settings handed over."""

from __future__ import annotations

from pisces.converting import prompt_text as neutral
from pisces.converting.assembling import json_file
from pisces.converting.fate import (
    APPROXIMATED,
    CHANGED_MEANING,
    DROPPED,
    LOST_FIELD,
    LOST_SERVER,
    WIDENED,
    lost,
    mapped,
)
from pisces.converting.prompt_text import PromptVariable
from pisces.converting.server_entries import guessed_transport
from pisces.converting.variables import text_with_variables
from pisces.converting.writer import WriteOptions, Written
from pisces.formats.fit import misfits
from pisces.harnesses.claude.manifest_shape import server_shape
from pisces.harnesses.claude.writing.manifest import option_key
from pisces.harnesses.claude.writing.texts import spelled_variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginServer
    from pisces.converting.prompt_text import Part

FILE = ".mcp.json"
_KNOWN = ("command", "args", "env", "type", "url", "httpUrl", "serverUrl", "headers", "timeout", "oauth")
_LIMITS = ("includeTools", "excludeTools", "enabled_tools", "disabled_tools", "disabledTools", "tools")
_HTTP = ("http", "streamable-http", "streamableHttp", "streamable_http")


def written_servers(plugin: Plugin, _options: WriteOptions) -> Written:
    made: dict[str, Any] = {}
    fates: list[Fate] = []
    for server in plugin.servers:
        made_of = _Server(plugin, server)
        values = made_of.values()
        flaw = next(misfits(values, server_shape(values)), None)
        if flaw:
            where = ".".join(map(str, flaw.path))
            fates.append(lost(DROPPED, LOST_SERVER, server, f"Claude Code would refuse it: `{where}` {flaw.message}"))
            continue
        made[server.name] = values
        fates += (*_fates(server), *made_of.fates, *guessed_transport(server, "Claude Code"))
        fates.append(mapped(server, FILE))
    return Written((json_file(FILE, {"mcpServers": made}),) if made else (), tuple(fates))


class _Server:
    def __init__(self, plugin: Plugin, server: PluginServer) -> None:
        self.fates: list[Fate] = []
        self._plugin = plugin
        self._server = server
        self._fields = server.fields
        self._options = {each.variable or each.name: option_key(each) for each in plugin.settings}
        self._paths = {each.path for each in plugin.files}

    def values(self) -> dict[str, Any]:
        fields = self._fields
        if fields.get("command"):
            args = [self._argument(each) for each in fields.get("args") or ()]
            values = {"command": self._filled(fields["command"]), **({"args": args} if args else {})}
            env = {**self._settings(), **self._texts(fields.get("env"))}
            return {**values, **({"env": env} if env else {}), **self._timeout()}
        values = {"type": self._transport(), "url": self._filled(self._address())}
        headers = self._texts(fields.get("headers"))
        values |= {"headers": headers} if headers else {}
        oauth = _oauth(fields.get("oauth"))
        return {
            **values,
            **({"oauth": oauth} if oauth else {}),
            **self._timeout(),
        }

    def _transport(self) -> str:
        kind = self._fields.get("type")
        if kind in ("sse", "ws"):
            return str(kind)
        return "http"

    def _address(self) -> Any:
        return next((self._fields[key] for key in ("httpUrl", "serverUrl", "url") if self._fields.get(key)), "")

    def _timeout(self) -> dict[str, Any]:
        timeout = self._fields.get("timeout")
        whole = isinstance(timeout, int | float) and not isinstance(timeout, bool) and timeout >= 1
        return {"timeout": int(timeout)} if whole and timeout is not None else {}

    def _settings(self) -> dict[str, str]:
        """The other program hands every setting to every server; here each has to be named."""
        return {name: f"${{user_config.{key}}}" for name, key in self._options.items()}

    def _texts(self, value: Any) -> dict[str, Any]:
        return {key: self._filled(each) for key, each in value.items()} if isinstance(value, dict) else {}

    def _argument(self, value: Any) -> Any:
        """A file of the package, named from the package's folder where the server was started there."""
        path = value.removeprefix("./") if isinstance(value, str) else ""
        is_own = path in self._paths and (value.startswith("./") or self._fields.get("cwd"))
        return f"${{CLAUDE_PLUGIN_ROOT}}/{path}" if is_own else self._filled(value)

    def _filled(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return text_with_variables(value, self._plugin.harness).spelled(self._spelled)

    def _plain(self, text: str) -> str:
        parts = text_with_variables(text, "claude").parts if "$" in text else ()
        for each in parts:
            if not isinstance(each, str):
                why = f"`{each.written}` is plain text, and Claude Code fills something in for it"
                self.fates.append(lost(APPROXIMATED, CHANGED_MEANING, self._server, why))
        return text

    def _spelled(self, part: Part) -> str:
        if isinstance(part, str):
            return self._plain(part)
        if not isinstance(part, PromptVariable):
            return part.written
        name = part.name.removeprefix(neutral.ENVIRONMENT).removeprefix(neutral.SETTING)
        if name in self._options:
            if part.default:
                why = f"a setting stands for `{part.written}`: the default is left out"
                self.fates.append(lost(APPROXIMATED, CHANGED_MEANING, self._server, why, "headers"))
            return f"${{user_config.{self._options[name]}}}"
        if part.name.startswith(neutral.ENVIRONMENT):
            return f"${{{name}}}" if part.default is None else f"${{{name}:-{part.default}}}"
        return spelled_variable(part) or part.written


def _oauth(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {}
    scopes = value.get("scopes")
    found = {"clientId": value.get("clientId"), "scopes": " ".join(scopes) if isinstance(scopes, list) else scopes}
    return {key: each for key, each in found.items() if isinstance(each, str) and each}


def _fates(server: PluginServer) -> Iterator[Fate]:
    for field in server.fields:
        if field in _LIMITS:
            why = f"Claude Code offers every tool of the server: it knows no `{field}`"
            yield lost(WIDENED, LOST_FIELD, server, why, field=field)
        elif field == "cwd":
            why = "Claude Code starts servers in the folder of the session; paths into the package are written in full"
            yield lost(APPROXIMATED, CHANGED_MEANING, server, why, field=field)
        elif field not in _KNOWN:
            yield lost(DROPPED, LOST_FIELD, server, f"Claude Code has no `{field}`", field=str(field))
