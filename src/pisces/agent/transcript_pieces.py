"""An entry as people read it: pieces of text with what they are. Exports, search and `pisces sessions show` are made of
these. Their texts are free of escape codes and of characters that reorder a line.
"""

from __future__ import annotations

import json

from pisces.agent.message_json import message_of_json
from pisces.agent.transcript_entry import COMPACTION, LABEL, MESSAGE, MODE, MODEL, NAMED, NOTICE, SUBAGENT
from pisces.processes.clean import cleaned
from pisces.shapes.message import BY_USER, CallPart, ImagePart, ResultPart, TextPart, ThinkingPart
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.shapes.message import MessagePart

USER, ANSWER, THINKING, CALL, RESULT, FAILED, IMAGE, NOTE = "user model thinking call result failed image note".split()
_NOTES = {NAMED: ("name", "name"), MODEL: ("model", "model"), MODE: ("mode", "mode"), SUBAGENT: ("agent", "subagent")}


class TranscriptPiece(Value):
    """`what` is one of the words above. `title` is the name of a tool or the type of an image, whose data is `text`."""

    what: str
    text: str
    title: str = ""


def pieces(kind: str, fields: Mapping[str, Any]) -> Iterator[TranscriptPiece]:
    """Of an entry with all of its texts. An entry that says nothing to people has none."""
    if kind == MESSAGE:
        yield from _of_message(fields.get("message"))
    elif kind == COMPACTION:
        text = "a compaction was undone" if fields.get("undone") else "the conversation was made shorter here"
        yield TranscriptPiece(NOTE, "\n\n".join(filter(None, (text, _clean(fields.get("summary"))))))
    elif kind == NOTICE:
        yield TranscriptPiece(NOTE, _clean(fields.get("text") or fields.get("message")))
    elif kind == LABEL:
        yield TranscriptPiece(NOTE, f"label: {_clean(fields.get('label'))}")
    elif kind in _NOTES:
        field, title = _NOTES[kind]
        yield TranscriptPiece(NOTE, f"{title}: {_clean(fields.get(field))}")


def _of_message(value: Any) -> Iterator[TranscriptPiece]:
    try:
        message = message_of_json(value)
    except ValueError:
        return
    speaker = USER if message.role == BY_USER else ANSWER
    for part in message.parts:
        yield from _of_part(part, speaker)


def _of_part(part: MessagePart, speaker: str) -> Iterator[TranscriptPiece]:
    if isinstance(part, TextPart):
        yield TranscriptPiece(speaker, _clean(part.text))
    elif isinstance(part, ThinkingPart) and part.text:
        yield TranscriptPiece(THINKING, _clean(part.text))
    elif isinstance(part, ImagePart):
        yield TranscriptPiece(IMAGE, part.data, _clean(part.mime))
    elif isinstance(part, CallPart):
        given = part.malformed or json.dumps(part.input, ensure_ascii=False, indent=2, default=str)
        yield TranscriptPiece(CALL, _clean(given), _clean(part.name))
    elif isinstance(part, ResultPart):
        yield TranscriptPiece(FAILED if part.is_error else RESULT, _clean(part.text), _clean(part.name))
        for image in part.images:
            yield from _of_part(image, speaker)


def _clean(value: object) -> str:
    return cleaned(value) if isinstance(value, str) else ""
