"""`/export [FILE]`: the conversation as Markdown, HTML or JSON lines, by the end of the file's name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pisces.agent.transcript_export import HTML, LINES, MARKDOWN, write_export
from pisces.ui.terminal.choices import Option, choice
from pisces.ui.terminal.listing import say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.ui.terminal.panel import ScreenCall

_FORMS = {".html": HTML, ".htm": HTML, ".jsonl": LINES}


async def _run(call: ScreenCall) -> None:
    session = call.session
    path = session.places.absolute(call.args.strip() or f"session-{session.transcript.id}.md")
    if os.path.lexists(path):
        answers = [Option("no", "", "n"), Option("overwrite it", "", "y")]
        if await choice(call.screen, f"{session.places.shown(path)} is there already.", answers) != 1:
            return
    try:
        write_export(session.transcript, _form(path), path)
    except OSError as error:
        say(call.screen, f"{session.places.shown(path)} cannot be written: {error.strerror}", "bad")
        return
    say(call.screen, f"written to {session.places.shown(path)}")


def _form(path: str) -> str:
    """By the end of its name; Markdown unless that says otherwise."""
    return _FORMS.get(os.path.splitext(path)[1].lower(), MARKDOWN)


COMMAND = ScreenCommand("export", "the conversation as Markdown, .html or .jsonl", _run)
