"""Names of servers' tools, as hooks and handlers understand them, which see nothing but the name.

A server's tool may call itself as a tool of the program, and a server may call itself so that its tools read like
another server's. A permission for the one is none for the other.
"""

from __future__ import annotations

from pisces.discovery.tool_names import is_clear_server, mcp_parts, meaning_of, plain_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from pisces.shapes.events.permissions import PermissionAsked
    from pisces.shapes.events.tools import ToolCall, ToolResult
    from pisces.shapes.request import ToolRequest

    Named = TypeVar("Named", ToolCall, ToolResult, PermissionAsked)


MOST_NAMES = 2  # of one call, for hooks


def has_taken_name(request: ToolRequest) -> bool:
    """Whether hooks and handlers, which see the name alone, may take the call for one of another tool."""
    return bool(request.server and (meaning_of(request.call.tool) or not is_clear_server(request.server)))


def spelled_for_hooks(event: Named, server: str) -> tuple[Named, ...]:
    """Every name that hooks are asked about: `mcp__server__tool`, which every dialect spells in its own way.

    One that calls itself as a tool of the program has that name too, because guards of that tool are meant.
    """
    if not server:
        return (event,)
    _, tool = mcp_parts(event.tool, server) or (server, event.tool)
    spelled = event.replace(tool=f"mcp__{plain_name(server)}__{plain_name(tool)}")
    return (spelled, event) if meaning_of(event.tool) else (spelled,)
