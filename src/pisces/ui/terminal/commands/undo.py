"""`/undo`: takes the last compaction back; the transcript has everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.listing import say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    is_undone = call.session.compactor.undo()
    say(call.screen, "the conversation is as it was before" if is_undone else "there is no compaction to take back")


COMMAND = ScreenCommand("undo", "take the last compaction back", _run)
