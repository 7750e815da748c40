"""What a tool call is about, and the result of one that did not run."""

from __future__ import annotations

from pisces.discovery.tool_names import NAME, SKILL, meaning_of, words_of
from pisces.shapes.events.tools import ToolResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.shapes.events.tools import ToolCall


def failed_call(call: ToolCall, text: str) -> ToolResult:
    """Without the arguments, which may be no JSON data."""
    return ToolResult(call.tool, call.call_id, {}, ({"type": "text", "text": text},), is_error=True)


def skill_in(call: ToolCall) -> str:
    """The name of the skill that a call activates, whatever its tool is called; empty for other calls."""
    return str(call.input.get(words_of(call.tool).get(NAME, ""), "")) if meaning_of(call.tool) == SKILL else ""
