"""A plugin of OpenHands: the layout of Claude Code at fixed places, with `.plugin/plugin.json` as its own manifest.

The manifest may be `.claude-plugin/plugin.json` or missing; then the folder names the plugin. Only commands carry the
plugin's name. Nothing in the manifest leads to other places.
"""

from __future__ import annotations

import os

from pisces.discovery.harness import Finder, Look
from pisces.discovery.options import MarkdownAgents, MarkdownCommands, McpConfig
from pisces.discovery.package_format import PACKAGE_MANIFEST, PackageFormat, ReadPackage
from pisces.files import Unreadable, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.harnesses.openhands import MANIFEST
from pisces.places import Places
from pisces.shapes.package import Package

_ID = "openhands-plugin"
_MANIFESTS = (MANIFEST, ".claude-plugin/plugin.json")
_COMMANDS = MarkdownCommands(prefix="{package}:", recursive=False, readme=False)


def _read(folder: str, _: Places) -> ReadPackage:
    name = os.path.basename(os.path.abspath(folder))
    paths = [os.path.join(folder, *manifest.split("/")) for manifest in _MANIFESTS]
    path = next((path for path in paths if os.path.lexists(path)), "")
    if not path:
        is_other = os.path.lexists(os.path.join(folder, "plugin.json"))
        return ReadPackage(None if is_other else Package(name, folder, {}, _ID), not is_other)
    try:
        manifest = parse(read_text(path))
        if isinstance(manifest, dict):
            return ReadPackage(Package(manifest.get("name") or name, folder, manifest, _ID), True)
        flaw, place = "the manifest must be an object", (1, 1)
    except Unreadable as error:
        flaw, place = f"the manifest {error.message}", (0, 0)
    except Malformed as error:
        flaw, place = error.message, (error.line, error.column)
    return ReadPackage(None, False, (PACKAGE_MANIFEST.at(path, flaw, place=place, about=name),))


FORMAT = PackageFormat(
    id=_ID,
    label="OpenHands plugin",
    manifest=MANIFEST,
    rank=58,
    harness="openhands",
    reader=_read,
    looks={
        "commands": lambda: (Look(_COMMANDS, "package:commands"),),
        "skills": lambda: (Look(Finder("pisces.harnesses.openhands.finders.skills"), "package:skills"),),
        "subagents": lambda: (Look(MarkdownAgents(needs=(), readme=False), "package:agents"),),
        "hooks": lambda: (Look(Finder("pisces.harnesses.openhands.finders.hooks"), "package:hooks/hooks.json"),),
        "mcp-servers": lambda: (Look(McpConfig(), "package:.mcp.json"),),
    },
)
