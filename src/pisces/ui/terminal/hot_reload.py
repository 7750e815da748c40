"""Extensions are read again when their files change. Looked at when a line is sent: nothing runs while nobody types."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pisces.host.watching import FileWatch
from pisces.ui.denied_tools import denied_tool_lines
from pisces.ui.terminal.listing import print_problems, say

if TYPE_CHECKING:
    from pisces.session.session import Session
    from pisces.ui.terminal.panel import TerminalScreen


class HotReload:
    """`before_line` is called before a line of the user is worked on. `start` takes the first look."""

    def __init__(self, session: Session, screen: TerminalScreen) -> None:
        self._session, self._screen = session, screen
        self._watch: FileWatch | None = None

    async def start(self) -> None:
        watch = FileWatch(self._session.host)
        await asyncio.to_thread(watch.changed)
        self._watch = watch
        for line in denied_tool_lines(self._session.host):
            say(self._screen, line, "warn")

    async def before_line(self) -> None:
        """Not while the agent works: what it was given does not change under its hands."""
        watch = self._watch
        if watch is None or not self._session.is_idle or not await asyncio.to_thread(watch.changed):
            return
        known = set(self._session.host.diagnostics)
        problems = await self._session.host.refresh()
        is_by_answers = watch.is_by_answers  # of a question: the user has just seen what was stored
        watch.renew()
        await asyncio.to_thread(watch.changed)
        if not is_by_answers:
            say(self._screen, "settings or files of extensions changed: all was read again", "dim")
        print_problems(self._screen, [each for each in problems if each not in known], self._session.places)
