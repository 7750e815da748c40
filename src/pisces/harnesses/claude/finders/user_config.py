"""The settings that a Claude Code plugin asks its user for: `userConfig` in its manifest."""

from __future__ import annotations

import os

from pisces.discovery.harness import FinderResults, Where
from pisces.harnesses.claude import MANIFEST
from pisces.shapes.settings import PackageSetting


def find(where: Where) -> FinderResults:
    manifest = where.package.manifest if where.package else {}
    wanted = manifest.get("userConfig") if isinstance(manifest, dict) else None
    path = os.path.join(where.path, *MANIFEST.split("/"))
    for key, setting in wanted.items() if isinstance(wanted, dict) else ():
        if isinstance(setting, dict):
            name = str(setting.get("title") or key)
            variable = f"CLAUDE_PLUGIN_OPTION_{key.upper()}"
            description = str(setting.get("description") or "")
            sensitive, keys = setting.get("sensitive") is True, ("userConfig", key)
            yield where.found(PackageSetting(name, variable, description, sensitive, path, setting, keys))
