"""Names of servers' tools, as hooks and handlers understand them, which see nothing but the name.

A server's tool may call itself as a tool of the program. A permission for that tool is none for this one.
"""

from __future__ import annotations

from pisces.discovery.tool_names import meaning_of, plain_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from pisces.shapes.events.permissions import PermissionAsked
    from pisces.shapes.events.tools import ToolCall, ToolResult
    from pisces.shapes.request import ToolRequest

    Named = TypeVar("Named", ToolCall, ToolResult, PermissionAsked)


def has_taken_name(request: ToolRequest) -> bool:
    """Whether hooks and handlers, which see the name alone, may take the call for one of another tool."""
    return bool(request.server and meaning_of(request.call.tool))


def spelled_for_hooks(event: Named, server: str) -> Named:
    """`server__tool`, or `tool` alone, as `mcp__server__tool`, which every dialect spells in its own way.

    A name that begins as harnesses begin them stays, and so does that of a tool of the program: its guards fire too.
    """
    if not server or event.tool.startswith("mcp_") or meaning_of(event.tool):
        return event
    tool = event.tool.removeprefix(f"{server}__") or event.tool
    return event.replace(tool=f"mcp__{plain_name(server)}__{plain_name(tool)}")
