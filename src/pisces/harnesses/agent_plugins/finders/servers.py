"""MCP servers of an Agent Plugin: `mcp.json` at its root, a closed format with an explicit `type` for each server.

A broken file costs the plugin all its servers, a broken entry only itself. Names carry the plugin's, `plugin:server`.
"""

from __future__ import annotations

import os
import re

from pisces.diagnostics import ERROR, Diagnostic, Diagnostics, Rule
from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.containment import stays_inside
from pisces.discovery.harness import FinderResults, Where
from pisces.formats.fit import TEXT, Listed, Mapped, Misfit, Record, Such, misfits, one_of
from pisces.harnesses.agent_plugins.manifest import version_of
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

AGENT_PLUGIN_MCP = Rule("agent-plugin-mcp", ERROR, "An Agent Plugin's mcp.json breaks the specification")
AGENT_PLUGIN_SERVER = Rule("agent-plugin-server", ERROR, "A server of an Agent Plugin breaks the specification")

_LOOPBACK = r"(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])"
_URL = re.compile(rf"(?i:https://[^\s/?#@]+|http://{_LOOPBACK}(?::\d+)?)(?:[/?][^\s#]*)?")

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"(?:[\x21-\x7e\x80-\xff](?:[\t \x21-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?")


def _command_flaw(command: str) -> str:
    if re.search(r"\s", command) and not command.startswith("./"):
        return "must be one word: arguments belong into `args`"
    if command.startswith("./"):
        return "leads out of the plugin" if ".." in command.split("/") else ""
    return "must be a bare name or begin with `./`" if re.search(r"[/\\]", command) or not command else ""


def _folder_flaw(folder: str) -> str:
    if not re.match(r"\./|\$\{PLUGIN_(?:ROOT|DATA)\}(?:/|$)", folder):
        return "must begin with `./`, `${PLUGIN_ROOT}` or `${PLUGIN_DATA}`"
    return "leads out of its folder" if ".." in folder.split("/") else ""


def _url_flaw(url: str) -> str:
    return "" if _URL.fullmatch(url) else "must be an https address (http on this machine only), without user or `#`"


_STDIO = Record(
    {"type": TEXT, "command": TEXT.that(_command_flaw)},
    {"args": Listed(TEXT), "env": Mapped(TEXT), "cwd": TEXT.that(_folder_flaw)},
    closed=True,
)


def _headers_flaw(headers: dict[str, str]) -> tuple[str, str] | None:
    seen: set[str] = set()
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name):
            return name, "must be the name of an HTTP header"
        if not _VALUE.fullmatch(value):
            return name, "must be the value of an HTTP header"
        if name.lower() in seen:
            return name, "is there twice, since cases do not count"
        seen.add(name.lower())
    return None


_REMOTE = Record(
    {"type": TEXT, "url": TEXT.that(_url_flaw)}, {"headers": Such(Mapped(TEXT), _headers_flaw)}, closed=True
)
_SHAPES = {"stdio": _STDIO, "streamable-http": _REMOTE, "sse": _REMOTE}
_ANY = Record({"type": one_of(*_SHAPES)})
_RESERVED = ("PLUGIN_ROOT", "PLUGIN_DATA")


def find(where: Where) -> FinderResults:
    file = config_at(where.path, JSON, where.run)
    if file is None or isinstance(file, Diagnostic):
        yield from () if file is None else (file,)
        return
    flaws = list(_file_flaws(file, where))
    yield from flaws
    if flaws:
        return
    for name, config in file.value["mcpServers"].items():
        broken = list(_server_flaws(file, name, config))
        yield from broken
        if not broken:
            full_name = f"{where.package.name}:{name}" if where.package else name
            yield where.found(McpServer(full_name, config, file.path, ("mcpServers", name)))


def _file_flaws(file: ConfigFile, where: Where) -> Diagnostics:
    about = str(where.package.name) if where.package else ""
    if not stays_inside(file.path, os.path.dirname(file.path)):
        yield AGENT_PLUGIN_MCP.at(file.path, "the file leads out of the plugin", about=about)
    shape = Record({"$schema": TEXT, "mcpServers": Mapped(Record({}))}, closed=True)
    for misfit in misfits(file.value, shape):
        if len(misfit.path) < 2:
            message = f"{'`' + str(misfit.path[0]) + '`' if misfit.path else 'the file'} {misfit.message}"
            yield AGENT_PLUGIN_MCP.at(file.path, message, place=file.place(*misfit.path), about=about)
    schema = file.part(("$schema",))
    expected = version_of(where.package.manifest.get("$schema"), "plugin") if where.package else ""
    version = version_of(schema, "mcp")
    if isinstance(schema, str) and (not version or (expected and version != expected)):
        message = f"`$schema` must name version {expected or '1.0.0'} of the MCP schema"
        yield AGENT_PLUGIN_MCP.at(file.path, message, place=file.place("$schema"), about=about)


def server_misfits(config: Any) -> list[Misfit]:
    found = list(misfits(config, _ANY))
    return found or list(misfits(config, _SHAPES[config["type"]]))


def _server_flaws(file: ConfigFile, name: str, config: Any) -> Diagnostics:
    for misfit in server_misfits(config):
        keys = ("mcpServers", name, *misfit.path)
        field = f"`{'.'.join(str(key) for key in misfit.path)}` " if misfit.path and not misfit.unknown else ""
        message = f"server `{name}`: {field}{misfit.message}"
        yield AGENT_PLUGIN_SERVER.at(file.path, message, place=file.place(*keys), about=name)
    env = config.get("env") if isinstance(config, dict) else None
    for variable in env if isinstance(env, dict) else ():
        if variable in _RESERVED:
            message = f"server `{name}`: `env.{variable}` is set by the client"
            place = file.place("mcpServers", name, "env", variable)
            yield AGENT_PLUGIN_SERVER.at(file.path, message, place=place, about=name)
