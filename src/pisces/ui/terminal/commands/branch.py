"""`/branch`: goes back to an earlier message of the user, which is asked again in another way. Nothing is lost."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pisces.agent.transcript_entry import MESSAGE
from pisces.shapes.message import BY_USER
from pisces.ui.terminal.choices import Option, choice
from pisces.ui.terminal.listing import first_line, say
from pisces.ui.terminal.panel import ScreenCommand

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.agent.transcript import Transcript
    from pisces.ui.terminal.panel import ScreenCall

_MOST = 50


async def _run(call: ScreenCall) -> None:
    said = list(islice(_said(call.session.transcript), _MOST))
    if not said:
        say(call.screen, "nothing was said yet")
        return
    options = [Option(first_line(text) or "(no text)", "") for _, text in said]
    chosen = await choice(call.screen, "Back to which message? It is asked again; the other branch stays", options)
    if chosen is None:
        return
    before, text = said[chosen]
    reason = await call.session.walk(before)
    if reason:
        say(call.screen, reason, "warn")
        return
    say(call.screen, f"{len(call.session.transcript.messages)} messages before it; change it, and send it again")
    call.screen.set_text(text)


def _said(transcript: Transcript) -> Iterator[tuple[str, str]]:
    """What the user wrote on this branch, the last first, each with the entry before it."""
    for entry in reversed(transcript.branch):
        message = transcript.whole(entry).get("message") if entry.kind == MESSAGE else None
        text = _typed(message) if isinstance(message, dict) and message.get("role") == BY_USER else ""
        if text and entry.parent:
            yield entry.parent, text


def _typed(message: Mapping[str, Any]) -> str:
    """The first text: what hooks add comes behind it. Empty for results of tools."""
    parts = [each for each in message.get("parts", ()) if isinstance(each, dict) and each.get("type") == "text"]
    return str(parts[0].get("text", "")) if parts else ""


COMMAND = ScreenCommand("branch", "go back to an earlier message and ask it in another way", _run)
