"""A folder that lists plugins instead of being one: which they are, and where each lies in it.

Only what lies in the folder can be read. A plugin without a manifest is what its entry says of it.
"""

from __future__ import annotations

import os

from pisces.converting.reading import ListedPlugin, all_readers
from pisces.discovery.config_file import LENIENT, ConfigFile, config_at
from pisces.discovery.containment import stays_inside
from pisces.discovery.harness import Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.places import Places


def plugins_in(folder: str, places: Places) -> list[ListedPlugin]:
    """Every plugin that a marketplace in this folder lists, each name once; nothing where it is none."""
    folder = places.absolute(folder)
    found: dict[str, ListedPlugin] = {}
    for harness, reader in all_readers():
        for name in reader.listings:
            for each in _listed(folder, name, harness):
                found.setdefault(each.name, each)
    return list(found.values())


def _listed(folder: str, listing: str, harness: str) -> Iterator[ListedPlugin]:
    file = config_at(os.path.join(folder, *listing.split("/")), LENIENT, Run())
    if not isinstance(file, ConfigFile) or not isinstance(file.value, dict):
        return
    plugins, metadata = file.value.get("plugins"), file.value.get("metadata")
    root = metadata.get("pluginRoot") if isinstance(metadata, dict) else None
    for index, entry in enumerate(plugins if isinstance(plugins, list) else ()):
        if isinstance(entry, dict) and isinstance(entry.get("name"), str) and entry["name"]:
            path, why = _place(entry.get("source"), folder, root if isinstance(root, str) else "")
            line = file.place("plugins", index)[0]
            yield ListedPlugin(entry["name"], path, harness, file, ("plugins", index), line, why)


def _place(source: Any, folder: str, root: str) -> tuple[str, str]:
    """The plugin's folder, or why it is not here."""
    inner = source.get("path") if isinstance(source, dict) and source.get("source") == "local" else source
    if not isinstance(inner, str) or "://" in inner:
        return "", "it comes from somewhere else, and is not in this folder"
    below = inner if inner.startswith("./") or not root else f"{root}/{inner}"
    path = os.path.normpath(os.path.join(folder, *below.split("/")))
    if not stays_inside(path, folder):
        return "", f"`{inner}` leads out of the marketplace"
    return (path, "") if os.path.isdir(path) else ("", f"there is no folder `{inner}`")
