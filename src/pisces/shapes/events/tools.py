"""A tool is called: before, while it runs, and after."""

from __future__ import annotations

from pisces.formats.json_copy import json_copy, same_json
from pisces.shapes.event import Blockable, Event, Guarded
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Self

    from pisces.shapes.note import Note

BLOCKED = "Tool execution was blocked by an extension"


class ToolCall(Guarded):
    """Before a tool runs. A handler may block it or change its input; one that fails blocks it."""

    tool: str
    call_id: str
    input: Mapping[str, Any]
    blocked: bool = False
    reason: str = ""

    def block(self, reason: str = BLOCKED) -> Self:
        return super().block(reason)

    def with_input(self, **changes: Any) -> Self:
        return self.replace(input={**self.input, **changes}).noted("with_input")

    def detached(self) -> Self:
        """A copy that shares nothing with this call. Raises `NotJson` for an input that is not JSON data."""
        values = str.__str__(self.tool), str.__str__(self.call_id), json_copy(self.input), bool(self.blocked)
        made = object.__new__(type(self))
        for put, value in zip(self.__setters__, (*values, str(self.reason)), strict=True):
            put(made, value)  # without `__init__`, which would look for what is to be frozen
        return made

    def runs_as(self, other: ToolCall) -> bool:
        """Whether both run the same tool with the same input."""
        return self.tool == other.tool and same_json(self.input, other.input)


class ToolResult(Event):
    """After a tool ran. `content` are parts as the model gets them: `{"type": "text", "text": ...}`.

    `details` is the result in the tool's own shape. `server` is set for a tool of an MCP server. `follow_up` is another
    call, with `tool` and `input`, whose result takes the place of this one; there `instead_of` is this tool.
    `denied_by` is who denied the call, where it did not run for that reason.
    """

    tool: str
    call_id: str
    input: Mapping[str, Any]
    content: Sequence[Mapping[str, Any]]
    details: Any = None
    is_error: bool = False
    duration_ms: int = 0
    server: str = ""
    notes: Sequence[Note] = ()
    follow_up: Mapping[str, Any] = EMPTY
    instead_of: str = ""
    denied_by: str = ""

    @property
    def text(self) -> str:
        """All text in it, that of embedded resources too; a link is shown as its address."""
        return "".join(_text_in(part) for part in self.content)

    @property
    def diff(self) -> str:
        """Of the file that it changed, if it says so."""
        diff = self.details.get("diff") if isinstance(self.details, dict) and not self.is_error else None
        return diff if isinstance(diff, str) else ""

    def with_text(self, text: str) -> Self:
        return self.replace(content=({"type": "text", "text": text},)).noted("with_text")


def _text_in(part: Mapping[str, Any]) -> str:
    resource = part.get("resource")
    if part.get("type") == "resource" and isinstance(resource, dict):
        return str(resource.get("text") or f"[{resource.get('uri', '')}]")
    return f"[{part.get('uri', '')}]" if part.get("type") == "resource_link" else str(part.get("text", ""))


class ToolExecutionStart(Event):
    tool: str
    call_id: str
    args: Mapping[str, Any]


class ToolExecutionUpdate(Event):
    tool: str
    call_id: str
    args: Mapping[str, Any]
    partial_result: Any = None


class ToolExecutionEnd(Event):
    tool: str
    call_id: str
    result: Any = None
    is_error: bool = False


class ToolBatch(Blockable):
    """All calls of one turn have run. `calls` have tool, call_id, input and result. Blocking ends the loop."""

    calls: Sequence[Mapping[str, Any]] = ()
    blocked: bool = False
    reason: str = ""
    notes: Sequence[Note] = ()
