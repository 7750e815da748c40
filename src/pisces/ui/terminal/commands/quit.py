"""`/quit`: ends the program; the session can be resumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    call.screen.quit()


COMMAND = ScreenCommand("quit", "end; the session can be resumed", _run)
