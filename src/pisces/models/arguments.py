"""Arguments of a tool as a model wrote them: JSON text that arrives in pieces, and may be none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pisces.shapes.message import CallPart

if TYPE_CHECKING:
    from collections.abc import Mapping


def call_part(call_id: str, name: str, text: str, item: str = "") -> CallPart:
    """No text at all stands for no arguments: some servers send nothing for a tool that takes none."""
    try:
        value: Any = json.loads(text) if text.strip() else {}
    except ValueError:
        value = None
    if isinstance(value, dict):
        return CallPart(call_id, name, value, item=item)
    return CallPart(call_id, name, malformed=text, item=item)


def arguments_text(part: CallPart) -> str:
    """What goes back to the provider, as the model wrote it."""
    return part.malformed or json.dumps(part.input, ensure_ascii=False, separators=(",", ":"))


def parsed(data: str) -> Mapping[str, Any]:
    """An event's data; nothing for what is no object, as other clients do."""
    return _object(data) or {}


def is_whole(text: str) -> bool:
    """Whether nothing more can come."""
    return _object(text) is not None


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
