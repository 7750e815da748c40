"""How an item of each kind is called in a table: what the user would type or recognise."""

from __future__ import annotations

import os

from pisces.discovery.found import Candidate
from pisces.discovery.state import ACTIVE
from pisces.shapes.rejected import Rejected
from pisces.ui.plain import shortened
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.places import Places


def title_of(capability: str, item: Any) -> str:
    """One short text; the path is shown elsewhere."""
    if isinstance(item, Rejected):
        return visible(item.name)
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


def details_of(capability: str, item: Any, places: Places) -> list[str]:
    """The difference between two of the same title: the command line of a hook or server, a package's version."""
    if capability == "packages":
        return [visible(item.version)]
    if capability in ("mcp-servers", "hooks"):
        line = item.launch if capability == "mcp-servers" else str(item.command)
        return [visible(cut(shortened(line, places)))]
    return []


def row_of(capability: str, candidate: Candidate, places: Places) -> list[str]:
    """The last cell says why it does not count, if it does not."""
    found = candidate.found
    source = found.source
    level = f"{source.level} ({visible(found.package)})" if found.package else source.level
    path = found.item.path if capability == "packages" else source.path
    cells = [title_of(capability, found.item), *details_of(capability, found.item, places)]
    mark = "" if candidate.state == ACTIVE else f"({candidate.state})"
    return [*cells, source.harness, level, visible(places.shown(path)), mark]


def cut(text: str, width: int = 48) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
