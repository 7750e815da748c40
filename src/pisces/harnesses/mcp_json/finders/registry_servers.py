"""The ways to reach a server that a `server.json` of the MCP registry offers, each as a server of its own."""

from __future__ import annotations

from pisces.diagnostics import ERROR, Rule
from pisces.discovery.config_file import JSON, ConfigFile, read_object
from pisces.discovery.harness import FinderResults, Where
from pisces.formats.fit import misfits
from pisces.harnesses.mcp_json.registry_shape import SERVER_SHAPE
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

REGISTRY_SERVER = Rule("registry-server", ERROR, "A server.json that the MCP registry does not take")

_RUNNERS = {"npm": ("npx", "-y", "{0}@{1}"), "pypi": ("uvx", "{0}=={1}"), "oci": ("docker", "run", "-i", "--rm", "{0}")}


def find(where: Where) -> FinderResults:
    return read_object(where.path, JSON, where.run, lambda file: _servers(file, where))


def _servers(file: ConfigFile, where: Where) -> FinderResults:
    found = list(misfits(file.value, SERVER_SHAPE))
    for misfit in found:
        name = f"`{'.'.join(map(str, misfit.path))}`" if misfit.path else "it"
        yield REGISTRY_SERVER.at(file.path, f"{name} {misfit.message}", place=file.place(*misfit.path))
    name = str(file.value.get("name") or "")
    for key in () if found else ("packages", "remotes"):
        for index, each in enumerate(file.value.get(key) or ()):
            yield where.found(McpServer(name, _config(each), file.path, (key, index)))


def _config(offered: dict[str, Any]) -> dict[str, Any]:
    if "url" in offered:
        return {"type": offered["type"], "url": offered["url"]}
    kind, words = offered["registryType"], (offered["identifier"], offered.get("version", ""))
    runner, *args = _RUNNERS.get(kind, (offered.get("runtimeHint") or kind, "{0}"))
    return {"type": "stdio", "command": runner, "args": [each.format(*words).rstrip("@=") for each in args]}
