"""Another conversation in the same session: a new one, or one that is resumed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pisces.session.control import replaced
from pisces.ui.terminal.listing import first_line, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.agent.transcript import Transcript
    from pisces.agent.transcript_places import StoredSession
    from pisces.ui.terminal.panel import ScreenCall

_MOST = 200


async def take_transcript(call: ScreenCall, transcript: Transcript, cause: str) -> bool:
    """Whether it was taken: an extension may keep the session. `cause` is new or resume."""
    reason = await replaced(call.session, transcript, cause)
    if reason:
        transcript.close()
        say(call.screen, reason, "warn")
        return False
    return True


def session_rows(stored: Sequence[StoredSession], now: str) -> list[tuple[str, str, str]]:
    """The id, the first words and the time of each, newest first, without the one that is open."""
    rows = []
    for each in stored[:_MOST]:
        if each.id == now:
            continue
        try:
            totals = each.totals
        except OSError:
            continue
        words = totals.name or first_line(totals.first) or "nothing was said"
        rows.append((each.id, words, time.strftime("%Y-%m-%d %H:%M", time.localtime(each.changed))))
    return rows
