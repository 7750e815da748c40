"""`/diff`: what the agent wrote and edited in this conversation, oldest first, from the transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.agent.message_json import message_of_json
from pisces.agent.transcript_entry import DIFFS, MESSAGE
from pisces.processes.clean import cleaned
from pisces.shapes.message import ResultPart
from pisces.ui.terminal.choices import ReadingPanel
from pisces.ui.terminal.diff_lines import diff_rows
from pisces.ui.terminal.drawn import exact_rows, one_row
from pisces.ui.terminal.listing import say
from pisces.ui.terminal.panel import ScreenCommand
from pisces.ui.terminal.tool_text import diff_meaning

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.agent.transcript import Transcript
    from pisces.shapes.message import CallPart, ChatMessage
    from pisces.ui.terminal.panel import ScreenCall

_WRITES = {"write": ("", "content"), "edit": ("old", "new")}  # the arguments with the text before and after


async def _run(call: ScreenCall) -> None:
    changes, palette = list(changes_in(call.session.transcript)), call.screen.palette
    if not changes:
        say(call.screen, "the agent has written no file in this conversation", "dim")
        return

    def rows(width: int) -> list[str]:
        made: list[str] = []
        for each, diff in changes:
            made.append(palette.paint(one_row(f"{each.name} {each.input.get('path', '')}", width), "accent"))
            for line in cleaned(diff).split("\n")[2:]:  # without the names, which stand above
                made += (palette.paint(row, diff_meaning(line)) for row in exact_rows(line, width))
            for old, new in () if diff else _texts(each):
                made += diff_rows(old, new, width, palette)
        return made

    await call.screen.page(ReadingPanel(rows, palette))


def changes_in(transcript: Transcript) -> Iterator[tuple[CallPart, str]]:
    """Calls that wrote a file and did not fail, each with the difference that it made, where that was stored."""
    calls: dict[str, CallPart] = {}
    for entry in transcript.branch:
        fields = transcript.whole(entry) if entry.kind == MESSAGE else {}
        message, diffs = _message(fields), fields.get(DIFFS)
        if message is None:
            continue
        calls.update((each.id, each) for each in message.calls if each.name in _WRITES)
        results = [each for each in message.parts if isinstance(each, ResultPart) and not each.is_error]
        diffs = diffs if isinstance(diffs, dict) else {}
        yield from ((calls.pop(each.id), str(diffs.get(each.id, ""))) for each in results if each.id in calls)


def _message(fields: Mapping[str, Any]) -> ChatMessage | None:
    try:
        return message_of_json(fields.get("message", {}))
    except ValueError:
        return None


def _texts(call: CallPart) -> Iterator[tuple[str, str]]:
    """Before and after; an edit may have several."""
    edits = call.input.get("edits")
    for each in edits if isinstance(edits, list) and edits else (call.input,):
        old, new = (each.get(name) if isinstance(each, dict) else "" for name in _WRITES[call.name])
        yield old if isinstance(old, str) else "", new if isinstance(new, str) else ""


COMMAND = ScreenCommand("diff", "what the agent wrote and edited here", _run)
