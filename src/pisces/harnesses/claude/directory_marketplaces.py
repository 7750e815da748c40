"""Plugins of a marketplace that is a folder on this machine: Claude Code loads them from there, not from its cache.

`plugins/known_marketplaces.json` says where each marketplace came from (seen in 2.1.325).
"""

from __future__ import annotations

import os

from pisces.discovery.containment import stays_inside
from pisces.formats.json_file import object_at
from pisces.harnesses.claude.folders import plugin_records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places

_KNOWN = "known_marketplaces.json"
_LISTING = os.path.join(".claude-plugin", "marketplace.json")


def source_folder(plugin: str, places: Places) -> str:
    """The folder of `name@marketplace` in its marketplace; empty where that is no folder or has no such plugin."""
    name, _, market = plugin.rpartition("@")
    known = object_at(os.path.join(os.path.dirname(plugin_records(places)), _KNOWN)).get(market)
    source = known.get("source") if isinstance(known, dict) else None
    root = source.get("path") if isinstance(source, dict) and source.get("source") == "directory" else None
    if not isinstance(root, str) or not os.path.isabs(root):
        return ""
    listed = object_at(os.path.join(root, _LISTING)).get("plugins")
    for entry in listed if isinstance(listed, list) else ():
        inside = entry.get("source") if isinstance(entry, dict) and entry.get("name") == name else None
        if isinstance(inside, str):
            folder = os.path.normpath(os.path.join(root, inside))
            return folder if os.path.isdir(folder) and stays_inside(folder, root) else ""
    return ""
