"""What a client gets of a result: parts that its version of the protocol knows, and never `structuredContent`.

Two clients show a model nothing else where there is some, so that the text would be lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pisces.formats.masking import masked
from pisces.shapes.events.tools import ToolResult
from pisces.shapes.note import CONTEXT, Note

AUDIO_SINCE, LINKS_SINCE = "2025-03-26", "2025-06-18"
_TEXTS = {"text": ("text",), "image": ("data", "mimeType"), "audio": ("data", "mimeType")}


def text_result(text: str, *, is_error: bool = False) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {"content": content, "isError": True} if is_error else {"content": content}


def result_for_client(result: ToolResult, version: str) -> dict[str, Any]:
    """A failure says who denied the call, where somebody did. What looks like a secret in it is masked."""
    if result.is_error:
        who = f"Denied by {result.denied_by}: " if result.denied_by else ""
        return text_result("\n".join((masked(who + result.text), *notes_for_model(result.notes))), is_error=True)
    content = [part_for_client(part, version) for part in result.content]
    return {"content": [*content, *map(_text, notes_for_model(result.notes))]}


def notes_for_model(notes: Sequence[Note]) -> Iterator[str]:
    return (note.text for note in notes if note.kind == CONTEXT and note.text)


def part_for_client(part: Mapping[str, Any], version: str) -> dict[str, Any]:
    kind = part.get("type")
    fields = _TEXTS.get(str(kind))
    if kind == "audio" and version < AUDIO_SINCE:
        return _text(f"[a sound, {part.get('mimeType')}: this client takes none]")
    if fields and all(isinstance(part.get(field), str) for field in fields):
        return {"type": kind, **{field: part[field] for field in fields}}
    resource = part.get("resource")
    if kind == "resource" and isinstance(resource, Mapping) and _is_resource(resource):
        return {"type": kind, "resource": _plain(resource)}
    if kind == "resource_link" and isinstance(part.get("uri"), str) and version >= LINKS_SINCE:
        return {**_plain(part), "name": str(part.get("name") or part["uri"])}
    return _text(json.dumps(_plain(part), ensure_ascii=False, default=str))


def _is_resource(resource: Mapping[str, Any]) -> bool:
    has_content = isinstance(resource.get("text"), str) or isinstance(resource.get("blob"), str)
    return isinstance(resource.get("uri"), str) and has_content


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
