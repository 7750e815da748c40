"""Servers of which nothing is remembered: they have to be started to know what they offer to the model."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pisces.mcp.client import ASKED, CLOSED, UP
from pisces.shapes.events.surroundings import Notification

if TYPE_CHECKING:
    from pisces.session.session import Session

SERVER_NOTICE = "servers"
_SECONDS = 15.0  # one that hangs is not waited for any longer


class ServerStarts:
    """Before the first request, and not before: nobody is asked about servers of a session that asks no model."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._tried: set[str] = set()

    async def wait(self) -> None:
        """Each is tried once in a session. All others are started by the first call of one of their tools."""
        host = self._session.host
        unknown = {name: each for name, each in host.servers.items() if not each.tool_items and each.state != CLOSED}
        names = [name for name in unknown if name not in self._tried]
        if not names:
            return
        self._tried.update(names)
        starting = self._session.start_beside(host.connect(*names))
        is_asked = True
        while is_asked and not starting.done():  # the time in which the user is asked does not count
            await asyncio.wait([starting], timeout=_SECONDS)
            is_asked = any(each.state == ASKED for name, each in host.servers.items() if name in names)
        for line in _missing(host.servers, names):
            self._session.show(Notification(line, kind=SERVER_NOTICE))


def _missing(servers: Any, names: list[str]) -> list[str]:
    """What the user should know of servers that are not there."""
    down = [(name, servers[name]) for name in names if name in servers and servers[name].state != UP]
    return [f"server `{name}` is not there: {each.reason or each.state}" for name, each in down]
