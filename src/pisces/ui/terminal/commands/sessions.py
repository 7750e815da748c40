"""`/sessions`: the sessions of this workspace, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.agent.transcript_places import sessions_here
from pisces.ui.terminal.listing import print_list
from pisces.ui.terminal.panel import ScreenCommand
from pisces.ui.terminal.session_change import session_rows

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    rows = [
        (key[:8], f"{text}  {meaning}") for key, text, meaning in session_rows(sessions_here(call.session.places), "")
    ]
    print_list(call, "sessions of this workspace", rows, "`/resume ID` goes on with one; `pisces sessions` does more")


COMMAND = ScreenCommand("sessions", "the sessions of this workspace", _run)
