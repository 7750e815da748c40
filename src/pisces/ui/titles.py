"""How an item of each kind is called in a table: what the user would type or recognise."""

from __future__ import annotations

import os

from pisces.ui.plain import shortened
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.places import Places


def title_of(capability: str, item: Any) -> str:
    """One short text; the path is shown elsewhere."""
    if capability == "commands":
        return visible(f"/{item.final_name}")
    if capability == "hooks":
        matcher = "" if item.matcher is None else f"({item.matcher})"
        return visible(f"{item.event}{matcher}")
    if capability == "policies":
        return visible(f"{item.decision} {item.tool_name or '*'}")
    if capability == "context-files":
        return visible(os.path.basename(item.path))
    if capability == "settings":
        return visible(getattr(item, "env_var", "") or os.path.basename(item.path))
    return visible(item.name)


def detail_of(capability: str, item: Any, places: Places) -> str:
    """What tells two of the same title apart: the command line of a hook or server, a package's version."""
    if capability == "packages":
        return visible(item.version)
    if capability == "mcp-servers":
        return visible(_cut(shortened(item.launch, places)))
    if capability == "hooks":
        return visible(_cut(shortened(str(item.command), places)))
    return ""


def row_of(capability: str, found: Found, places: Places) -> list[str]:
    source = found.source
    level = f"{source.level} ({visible(found.package)})" if found.package else source.level
    path = found.item.path if capability == "packages" else source.path
    cells = [title_of(capability, found.item)]
    if capability in ("packages", "mcp-servers", "hooks"):
        cells.append(detail_of(capability, found.item, places))
    return [*cells, source.harness, level, visible(places.shown(path))]


def _cut(text: str, width: int = 48) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
