"""A server's tool may call itself as a tool of the program. Whoever allows that one has not allowed this one."""

from __future__ import annotations

from pisces.discovery.tool_names import meaning_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.shapes.request import ToolRequest


def has_taken_name(request: ToolRequest) -> bool:
    """Whether hooks and handlers, which see the name alone, may take the call for one of another tool."""
    return bool(request.server and meaning_of(request.call.tool))
