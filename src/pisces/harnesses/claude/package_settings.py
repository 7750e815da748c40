"""The settings that a Claude Code plugin asks for: `userConfig`, whose values Claude Code hands over in variables."""

from __future__ import annotations

from pisces.formats.json import JsonObject
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX = "CLAUDE_PLUGIN_OPTION_"


def declared(package: Package) -> Iterator[JsonObject]:
    options = package.manifest.get("userConfig") if isinstance(package.manifest, dict) else None
    for key, found in options.items() if isinstance(options, dict) else ():
        if isinstance(found, dict):
            yield {**found, "name": found.get("title") or key, "key": key, "env_var": _PREFIX + key.upper()}
