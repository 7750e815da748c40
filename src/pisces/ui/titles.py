"""How an item of each kind is called in a table: what the user would type or recognise."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.discovery.found import Candidate
from pisces.discovery.state import ACTIVE
from pisces.formats.no_secrets import safe_address, without_secrets
from pisces.shapes.rejected import Rejected
from pisces.ui.plain import shortened
from pisces.ui.screen import visible
from pisces.ui.width import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.places import Places

_HIDDEN = "***"


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
        return [visible(getattr(item, "version", ""))]
    if capability in ("mcp-servers", "hooks"):
        return ["" if isinstance(item, Rejected) else visible(cut(shortened(launch_text(capability, item), places)))]
    return []


def launch_text(capability: str, item: Any) -> str:
    if capability == "hooks":
        return masked_command(item.command)
    words = [_HIDDEN if word is None else word for word in without_secrets(item.argv)]
    return " ".join(words) or safe_address(item.launch)


def masked_command(command: str) -> str:
    """A command line without keys. What masks it is loaded only for those that are shown."""
    masked: str = export_of("pisces.formats", "masking", "masked")(str(command))
    return masked


def level_of(candidate: Candidate) -> str:
    """`user`, or with the package that brings it: `user (kit)`."""
    found = candidate.found
    return f"{found.source.level} ({visible(found.package)})" if found.package else found.source.level


def path_of(capability: str, candidate: Candidate, places: Places) -> str:
    found = candidate.found
    return visible(places.shown(found.item.path if capability == "packages" else found.source.path))


def row_of(capability: str, candidate: Candidate, places: Places) -> list[str]:
    """The last cell says why it does not count, if it does not."""
    item = candidate.found.item
    cells = [title_of(capability, item), *details_of(capability, item, places), candidate.found.source.harness]
    mark = "" if candidate.state == ACTIVE else f"({candidate.state})"
    return [*cells, level_of(candidate), path_of(capability, candidate, places), mark]
