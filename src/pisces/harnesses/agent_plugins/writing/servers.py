"""MCP servers in `mcp.json`: a closed format. Only the folders of the plugin are filled in, and not in addresses."""

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
from pisces.harnesses.agent_plugins.finders.servers import server_misfits
from pisces.harnesses.agent_plugins.manifest import schema_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginServer
    from pisces.diagnostics import Rule

FILE = "mcp.json"
_ADDRESSES = ("url", "httpUrl", "serverUrl")
_OF_PROGRAM = ("type", "command", "args", "env", "cwd")
_OF_ADDRESS = ("type", "headers", *_ADDRESSES)
_FOLDERS = {neutral.ROOT: "${PLUGIN_ROOT}", neutral.DATA: "${PLUGIN_DATA}"}


def written_servers(plugin: Plugin, _options: WriteOptions) -> Written:
    made: dict[str, Any] = {}
    fates: list[Fate] = []
    for server in plugin.servers:
        entry = _Entry(server, plugin.harness)
        values = entry.values()
        flaw = next(iter(server_misfits(values)), None)
        if flaw:
            where = ".".join(map(str, flaw.path))
            fates.append(lost(DROPPED, LOST_SERVER, server, f"the standard refuses it: `{where}` {flaw.message}"))
            continue
        made[server.name] = values
        fates += (*entry.fates, *guessed_transport(server, "an Agent Plugin"), mapped(server, FILE))
    files = (json_file(FILE, {"$schema": schema_address("mcp"), "mcpServers": made}),) if made else ()
    return Written(files, tuple(fates))


class _Entry:
    """One server. `fates` are what its fields lose."""

    def __init__(self, server: PluginServer, harness: str) -> None:
        self.fates: list[Fate] = []
        self._server = server
        self._fields = server.fields
        self._harness = harness

    def values(self) -> dict[str, Any]:
        is_program = bool(self._fields.get("command"))
        for field in self._fields:
            if field not in (_OF_PROGRAM if is_program else _OF_ADDRESS):
                self._lose(DROPPED, LOST_FIELD, f"the standard has no `{field}`", str(field))
        return self._program() if is_program else self._remote()

    def _program(self) -> dict[str, Any]:
        fields = self._fields
        values: dict[str, Any] = {"type": "stdio", "command": self._path(fields["command"], "command")}
        args = fields.get("args")
        if args:
            values["args"] = [self._text(each, "args") for each in args] if isinstance(args, list) else args
        env = self._texts("env")
        values |= {"env": env} if env or self._fields.get("env") == {} else {}
        folder = fields.get("cwd")
        return {**values, **({"cwd": self._text(folder, "cwd")} if folder else {})}

    def _remote(self) -> dict[str, Any]:
        address = next((self._fields[key] for key in _ADDRESSES if self._fields.get(key)), "")
        kind = self._fields.get("type")
        transport = kind if kind in ("sse", "ws") else "streamable-http"
        headers = self._texts("headers")
        return {"type": transport, "url": self._text(address, "url"), **({"headers": headers} if headers else {})}

    def _path(self, value: Any, field: str) -> Any:
        """A program of the plugin begins with `./`."""
        text = self._text(value, field)
        root = f"{_FOLDERS[neutral.ROOT]}/"
        return f"./{text.removeprefix(root)}" if isinstance(text, str) and text.startswith(root) else text

    def _texts(self, field: str) -> dict[str, Any]:
        """What cannot be filled in is left out: a client would hand over the placeholder itself."""
        found = self._fields.get(field)
        texts = {key: self._text(each, field) for key, each in found.items()} if isinstance(found, dict) else {}
        return {key: each for key, each in texts.items() if each is not None}

    def _text(self, value: Any, field: str) -> Any:
        if not isinstance(value, str):
            return value
        made = []
        for part in text_with_variables(value, self._harness).parts:
            text = part if isinstance(part, str) else part.written
            if isinstance(part, PromptVariable):
                found = self._variable(part, field)
                if found is None and field in ("env", "headers"):
                    return None
                text = part.written if found is None else found
            made.append(text)
        return "".join(made)

    def _variable(self, part: PromptVariable, field: str) -> str | None:
        if part.name in _FOLDERS and field not in ("url", "headers"):
            return _FOLDERS[part.name]
        if part.default is not None:
            why = f"the standard fills in no `{part.written}`: its default is written"
            self._lose(APPROXIMATED, CHANGED_MEANING, why, field)
            return part.default
        why = f"the standard fills in no `{part.written}`"
        left_out = ": it is left out, and the client has to know it" if field in ("env", "headers") else ""
        self._lose(DROPPED, LOST_PLACEHOLDER, why + left_out, field)
        return None

    def _lose(self, kind: str, rule: Rule, why: str, field: str) -> None:
        fate = lost(kind, rule, self._server, why, field=field)
        if fate not in self.fates:
            self.fates.append(fate)
