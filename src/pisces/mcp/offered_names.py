"""Under which name a server's tool is offered: `server__tool`, valid for every model's interface and never another's.

The name of a tool depends on nothing but its server and itself, so that it stays the same whoever else is there. A name
that is not to be had as it is, or that could be read as another server's tool, ends in a hash of both. `mcp_` at the
start is how harnesses spell tools of servers.
"""

from __future__ import annotations

import hashlib
import re

from pisces.discovery.tool_names import plain_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable

LONGEST = 64
_HASH = 12
_HASHED = re.compile(rf"_[0-9a-f]{{{_HASH}}}\Z")


def full_name(server: str, tool: str) -> str:
    """As gates see it: both names to the letter."""
    return f"{server}__{tool}"


def offered_name(server: str, tool: str) -> str:
    name = full_name(server, tool)
    is_plain = name == plain_name(name) and len(name) <= LONGEST and not _HASHED.search(name)
    is_clear = "__" not in server and not server.endswith("_") and not name.startswith("mcp_")
    if is_plain and is_clear and server and tool:
        return name
    which = hashlib.sha256(f"{len(server)} {name}".encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    return f"{plain_name(name)[: LONGEST - _HASH - 1]}_{which}"


def offered_names(tools: Iterable[tuple[str, str]], taken: Container[str] = ()) -> dict[str, tuple[str, str]]:
    """Each name with its server and tool. A name that two would have, or that is taken, is nobody's."""
    found: dict[str, tuple[str, str]] = {}
    shared: set[str] = set()
    for server, tool in tools:
        name = offered_name(server, tool)
        if name in found or name in taken:
            shared.add(name)
        found[name] = (server, tool)
    return {name: pair for name, pair in found.items() if name not in shared}
