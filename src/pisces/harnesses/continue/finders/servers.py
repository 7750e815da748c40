"""Continue's MCP servers: a list of them in YAML, an object of them in JSON, or one server that fills a JSON file.

The path is a configuration file, or a folder of which each YAML and JSON file counts. Entries that only point to
Continue's hub are left out.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import LENIENT, YAML, ConfigFile, read_object
from pisces.discovery.finders.mcp_config import MCP_SERVER_ENTRY, servers_in
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.options import McpConfig
from pisces.files import is_file, walk
from pisces.shapes.field import Keys
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SYNTAXES = {".yaml": YAML, ".yml": YAML, ".json": LENIENT}
_KEY = "mcpServers"


def find(where: Where) -> FinderResults:
    is_folder = os.path.isdir(where.path)
    paths = (
        [entry.path for entry in walk(where.path, cut=where.run.cuts.append) if is_file(entry)]
        if is_folder
        else [where.path]
    )
    for path in paths:
        syntax = _SYNTAXES.get(os.path.splitext(path)[1])
        if syntax:
            yield from read_object(path, syntax, where.run, lambda file: _servers(file, where))


def _servers(file: ConfigFile, where: Where) -> FinderResults:
    listed = file.part((_KEY,))
    if isinstance(listed, list):
        for index, entry in enumerate(listed):
            yield from _entry(file, (_KEY, index), entry, where)
    elif listed is not None:
        yield from servers_in(file, (_KEY,), where.given(McpConfig(switches=False), file.path))
    elif "command" in file.value or "url" in file.value:
        name = os.path.splitext(os.path.basename(file.path))[0]
        yield where.found(McpServer(name, file.value, file.path, ()))


def _entry(file: ConfigFile, keys: Keys, entry: Any, where: Where) -> FinderResults:
    if isinstance(entry, dict) and "uses" in entry:
        return
    name = entry.get("name") if isinstance(entry, dict) else None
    server = McpServer(str(name or ""), entry, file.path, keys)
    if isinstance(name, str) and name and server.launch:
        yield where.found(server)
        return
    flaw = "a server in the list needs a `name`, and a `command` or a `url`"
    yield MCP_SERVER_ENTRY.at(file.path, flaw, place=file.place(*keys), about=server.name)
