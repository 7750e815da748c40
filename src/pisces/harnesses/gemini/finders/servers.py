"""MCP servers as Gemini CLI merges them: an entry of the settings is laid over a package's server of the same name.

A project's entry replaces the user's whole. Over a package's server it counts field by field: `includeTools` are those
that both name, `excludeTools` those that either names, `env` has the variables of both. So an entry may say nothing but
a `timeout`.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import JSONC, ConfigFile, read_object
from pisces.discovery.finders.mcp_config import server_flaw
from pisces.discovery.found import PROJECT, USER, Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.options import McpConfig
from pisces.discovery.package_format import components
from pisces.harnesses.gemini import HARNESS
from pisces.harnesses.gemini.enabled import enabled_packages, reasons_against
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_KEY = "mcpServers"


def find(where: Where) -> FinderResults:
    yield from reasons_against(where)
    of_user = where.replace(level=USER)  # as all packages are
    packaged = [each for package in enabled_packages(where) for each in components(package.item, of_user)]
    merging = _Merging([each for each in packaged if isinstance(each, Found)])
    folders = {where.places.absolute(HARNESS.project_dir): PROJECT}
    folders.setdefault(HARNESS.user_path(where.places), USER)
    for folder, level in folders.items():
        here = where.replace(level=level).given(McpConfig(syntax="jsonc"), os.path.join(folder, "settings.json"))
        yield from merging.settings(here)
    yield from (merging.extended(each) if isinstance(each, Found) else each for each in packaged)


class _Merging:
    """First the `settings` of each level, then `extended` for what packages bring."""

    def __init__(self, packaged: list[Found[McpServer]]) -> None:
        self.packaged = {each.item.name: each.item for each in reversed(packaged)}  # the first of a name counts
        self.additions: dict[str, Any] = {}
        self.refused: set[str] = set()  # a project's entry that cannot be used still hides the user's

    def settings(self, where: Where[McpConfig]) -> FinderResults:
        return read_object(where.path, JSONC, where.run, lambda file: self.entries(file, where))

    def entries(self, file: ConfigFile, where: Where[McpConfig]) -> FinderResults:
        servers = file.part((_KEY,))
        if servers is not None and not isinstance(servers, dict):
            yield file.not_object((_KEY,))
            return
        for name, config in (servers or {}).items():
            if name in self.additions or name in self.refused:
                continue
            base = self.packaged.get(name)
            server = McpServer(name, config, file.path, (_KEY, name))
            if base and isinstance(config, dict) and not server.launch:
                self.additions[name] = config
            elif flaw := server_flaw(file, (_KEY, name), config, where):
                self.refused.add(name)
                yield flaw
            else:
                yield where.found(server.replace(config=_merged(base.fields, config)) if base else server)

    def extended(self, found: Found[McpServer]) -> Found[McpServer]:
        server = found.item
        if server.name not in self.additions or not isinstance(server.config, dict):
            return found
        return found.replace(item=server.replace(config=_merged(server.config, self.additions[server.name])))


def _merged(base: Any, over: dict[str, Any]) -> dict[str, Any]:
    made = {**base, **over}
    if isinstance(base.get("includeTools"), list) and isinstance(over.get("includeTools"), list):
        wanted = set(_texts(over["includeTools"]))
        made["includeTools"] = [tool for tool in _texts(base["includeTools"]) if tool in wanted]
    if excluded := dict.fromkeys((*_texts(base.get("excludeTools")), *_texts(over.get("excludeTools")))):
        made["excludeTools"] = list(excluded)
    if isinstance(base.get("env"), dict) and isinstance(over.get("env"), dict):
        made["env"] = {**base["env"], **over["env"]}
    return made


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
