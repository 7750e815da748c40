"""What a Codex plugin reaches beside its hooks and MCP servers: apps, which are connectors of the user's account."""

from __future__ import annotations

import json

from pisces.discovery.addresses import hosts_in
from pisces.discovery.plugin_programs import entries_of
from pisces.shapes.act import SOURCE, Act

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.shapes.package import Package


def _acts(package: Package) -> Iterator[Act]:
    for found in entries_of(package, ("apps",), (".app.json",)):
        apps = found.value.get("apps", found.value) if isinstance(found.value, dict) else found.value
        named = apps.items() if isinstance(apps, dict) else enumerate(apps) if isinstance(apps, list) else ()
        for name, config in named:
            text = f"{name} {json.dumps(config, default=str)}"
            yield Act(
                SOURCE, "apps", text, "a connector of your account", found.path, (*found.keys,), hosts=hosts_in(config)
            )


PACKAGE_ACTS = _acts
