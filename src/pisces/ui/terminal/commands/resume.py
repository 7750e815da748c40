"""`/resume [SESSION]`: goes on with a session of this workspace."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pisces.agent.transcript import open_transcript
from pisces.agent.transcript_places import sessions_here
from pisces.diagnostics import PiscesError
from pisces.ui.terminal.choices import Option, choice
from pisces.ui.terminal.listing import say
from pisces.ui.terminal.panel import ScreenCommand
from pisces.ui.terminal.session_change import session_rows, take_transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall


async def _run(call: ScreenCall) -> None:
    places, wanted = call.session.places, call.args.strip()
    if not wanted:
        rows = session_rows(sessions_here(places), call.session.transcript.id)
        if not rows:
            say(call.screen, "there is no other session in this workspace", "dim")
            return
        chosen = await choice(call.screen, "Which session?", [Option(text, meaning) for _, text, meaning in rows])
        if chosen is None:
            return
        wanted = rows[chosen][0]
    try:
        transcript = open_transcript(wanted, places)
    except PiscesError as error:
        say(call.screen, f"{error}", "bad")
        return
    if await take_transcript(call, transcript, "resume"):
        for each in [*islice(transcript.newest_messages(), 4)][::-1]:
            say(call.screen, f"{each.role}: {each.text[:400]}", "dim")
        say(call.screen, f"{transcript.totals.messages} messages; it goes on here")


def _words(session: Session) -> Sequence[tuple[str, str]]:
    return [(key, text) for key, text, _ in session_rows(sessions_here(session.places), session.transcript.id)]


COMMAND = ScreenCommand("resume", "go on with another session", _run, _words)
