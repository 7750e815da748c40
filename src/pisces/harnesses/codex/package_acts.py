"""What a Codex plugin reaches beside its hooks and MCP servers (documentation, 2026).

Apps are connectors of the user's account. A skill may name servers that it needs, in `agents/openai.yaml` of its
folder; Codex offers to set them up.
"""

from __future__ import annotations

import json
import os

from pisces.discovery.addresses import hosts_in
from pisces.discovery.config_file import YAML, ConfigFile, config_at
from pisces.discovery.harness import Run
from pisces.discovery.plugin_programs import entries_of, unread_act
from pisces.discovery.server_acts import server_acts
from pisces.files import walk
from pisces.shapes.act import SOURCE, Act
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.shapes.package import Package

_NEEDS = os.path.join("agents", "openai.yaml")
_WHEN = "after a question, for a skill that needs it"


def _acts(package: Package) -> Iterator[Act]:
    for found in entries_of(package, ("apps",), (".app.json",)):
        apps = found.value.get("apps", found.value) if isinstance(found.value, dict) else found.value
        named = apps.items() if isinstance(apps, dict) else enumerate(apps) if isinstance(apps, list) else ()
        for name, config in named:
            text = f"{name} {json.dumps(config, default=str)}"
            yield Act(
                SOURCE, "apps", text, "a connector of your account", found.path, (*found.keys,), hosts=hosts_in(config)
            )
    yield from _needed_servers(package)


def _needed_servers(package: Package) -> Iterator[Act]:
    cuts: list[str] = []
    for entry in walk(os.path.join(package.path, "skills"), cut=cuts.append):
        file = config_at(entry.path, YAML, Run()) if entry.path.endswith(_NEEDS) else None
        needs = file.part(("dependencies", "tools")) if isinstance(file, ConfigFile) else None
        for index, each in enumerate(needs if isinstance(needs, list) else ()):
            if isinstance(each, dict):
                keys = ("dependencies", "tools", index)
                yield from server_acts(McpServer(str(each.get("value", "")), each, entry.path, keys), _WHEN)
    yield from (unread_act(each, _WHEN) for each in cuts)


PACKAGE_ACTS = _acts
