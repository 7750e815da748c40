"""A result of a host as the model reads it, with what hooks add to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.shapes.message import ImagePart, ResultPart, TextPart
from pisces.shapes.note import CONTEXT, STOP

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.shapes.events.tools import ToolResult
    from pisces.shapes.message import CallPart
    from pisces.shapes.note import Note


def context_in(notes: Iterable[Note]) -> tuple[str, ...]:
    """What hooks say to the model, each text once."""
    return tuple(dict.fromkeys(note.text for note in notes if note.kind == CONTEXT and note.text))


def stop_in(notes: Iterable[Note]) -> str:
    """Why somebody wants the agent to stop; empty if nobody does."""
    return next((note.text or "a hook ended the run" for note in notes if note.kind == STOP), "")


def result_part(call: CallPart, result: ToolResult) -> ResultPart:
    images = tuple(
        ImagePart(str(each.get("mimeType", "image/png")), str(each.get("data", "")))
        for each in result.content
        if each.get("type") == "image"
    )
    text = "\n\n".join(filter(None, (result.text, *context_in(result.notes))))
    return ResultPart(call.id, call.name, (TextPart(text), *images) if text or not images else images, result.is_error)
