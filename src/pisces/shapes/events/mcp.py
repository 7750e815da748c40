"""What MCP servers say and ask."""

from __future__ import annotations

from pisces.shapes.event import Event
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self


class McpNotification(Event):
    server: str
    method: str
    params: Mapping[str, Any] = EMPTY


class Elicitation(Event):
    """A server asks the user for data that fit `schema`. The first handler that answers is the last one asked. What it
    fills in is handed over if the user agrees.

    `action` is accept, decline or cancel; empty while nobody has answered.
    """

    server: str
    message: str
    schema: Mapping[str, Any] = EMPTY
    action: str = ""
    content: Mapping[str, Any] = EMPTY

    @property
    def is_settled(self) -> bool:
        return bool(self.action)

    def answer(self, action: str, content: Mapping[str, Any] = EMPTY) -> Self:
        return self.replace(action=action, content=content).noted("answer")


class ElicitationResult(Event):
    """The answer, before the server gets it. A handler may take it back; other data the user has not seen."""

    server: str
    action: str
    content: Mapping[str, Any] = EMPTY
