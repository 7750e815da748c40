"""`/copy`: the last answer as raw Markdown into the clipboard, by the terminal itself (OSC 52)."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from pisces.shapes.message import BY_USER
from pisces.ui.terminal.listing import say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from pisces.session.session import Session
    from pisces.ui.terminal.panel import ScreenCall

MOST = 1 << 20  # bytes: no terminal takes more
_TERMINAL = "/dev/tty"


async def _run(call: ScreenCall) -> None:
    text = last_answer(call.session)
    if not text:
        say(call.screen, "there is no answer yet", "warn")
        return
    try:
        with open(_TERMINAL, "wb", buffering=0) as terminal:
            terminal.write(clipboard_code(text))
    except OSError as error:
        say(call.screen, f"the terminal cannot be written to: {error.strerror}", "bad")
        return
    say(call.screen, f"{len(text):,} characters copied, if your terminal allows it", "dim")


def last_answer(session: Session) -> str:
    return next((each.text for each in reversed(session.transcript.messages) if each.role != BY_USER and each.text), "")


def clipboard_code(text: str) -> bytes:
    data = text.encode("utf-8", "replace")[:MOST]
    return b"\x1b]52;c;" + base64.b64encode(data) + b"\x07"


COMMAND = ScreenCommand("copy", "the last answer as Markdown into the clipboard", _run)
