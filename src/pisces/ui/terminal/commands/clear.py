"""`/clear`: a new conversation; the old one stays in its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.agent.transcript import new_transcript
from pisces.ui.terminal.listing import say
from pisces.ui.terminal.panel import ScreenCommand
from pisces.ui.terminal.session_change import take_transcript

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    before = call.session.transcript.id
    if await take_transcript(call, new_transcript(call.session.places), "new"):
        say(call.screen, f"a new conversation; `/resume {before}` goes back", "dim")


COMMAND = ScreenCommand("clear", "a new conversation; the old one stays in its file", _run)
