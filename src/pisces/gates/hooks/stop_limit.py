"""Ends a hook that never lets the agent stop: after so many times in a row the agent stops all the same."""

from __future__ import annotations

from pisces.shapes.events.session import SessionStop
from pisces.shapes.events.subagents import SubagentStop
from pisces.shapes.note import MESSAGE, Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from pisces.shapes.event import Event

    E = TypeVar("E", bound=Event)

MOST = 9  # the ninth is not honoured any more
ENDED = f"hooks kept the agent from stopping {MOST} times in a row, so it stops now"


class StopLimit:
    def __init__(self) -> None:
        self._blocks: dict[str, int] = {}  # by agent, empty for the main one

    def applied(self, event: E) -> E:
        if not isinstance(event, SessionStop | SubagentStop):
            return event
        agent = event.agent_id if isinstance(event, SubagentStop) else ""
        goes_on = event.blocked or (isinstance(event, SessionStop) and event.goes_on)
        if not goes_on:
            self._blocks.pop(agent, None)
            return event
        self._blocks[agent] = self._blocks.get(agent, 0) + 1
        if self._blocks[agent] < MOST:
            return event
        del self._blocks[agent]
        changes = {"goes_on": False} if isinstance(event, SessionStop) else {}
        ended: E = event.replace(  # type: ignore[assignment]  # mypy has forgotten that it is one of these two
            blocked=False, reason="", notes=(*event.notes, Note(MESSAGE, ENDED)), **changes
        )
        return ended
