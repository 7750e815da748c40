"""`/transcript`: the whole conversation with all that tools said, on a page of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.ui.terminal.panel import ScreenCommand
from pisces.ui.terminal.transcript_panel import TranscriptPanel

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    await call.screen.page(TranscriptPanel(call.session.transcript, call.screen.palette))


COMMAND = ScreenCommand("transcript", "the whole conversation, to scroll and search", _run)
