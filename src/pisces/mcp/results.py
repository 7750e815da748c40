"""What a server answers, in the shapes that a host hands on: a tool's result, the parts of a prompt or a resource."""

from __future__ import annotations

import base64
import json

from pisces.shapes.prompt import TEXT, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_KNOWN = ("text", "image", "audio", "resource", "resource_link")


def tool_answer(result: Mapping[str, Any]) -> dict[str, Any]:
    """A `CallToolResult` as a tool of ours returns it. Where there is no text, the structured content is the text."""
    listed = result.get("content")
    content = [_content(each) for each in listed if isinstance(each, dict)] if isinstance(listed, list | tuple) else []
    details = result.get("structuredContent")
    if details is not None and not any(each["type"] == "text" and each["text"] for each in content):
        content.insert(0, {"type": "text", "text": json.dumps(details, ensure_ascii=False)})
    if not content:
        content.append({"type": "text", "text": ""})
    return {"content": content, "details": details, "is_error": result.get("isError") is True}


def _content(part: Mapping[str, Any]) -> dict[str, Any]:
    """Kinds that are not known yet are shown as they are: a model may understand them."""
    kind = part.get("type")
    if kind == "text":
        return {**part, "text": str(part.get("text", ""))}
    return dict(part) if kind in _KNOWN else {"type": "text", "text": json.dumps(part, ensure_ascii=False)}


def prompt_parts(part: Mapping[str, Any]) -> Iterable[Part]:
    """One content of a prompt's message."""
    kind = part.get("type")
    if kind == "text":
        yield Part(str(part.get("text", "")))
    elif kind in ("image", "audio"):
        yield _bytes_part(part.get("data"), str(part.get("mimeType") or ""), "")
    elif kind == "resource" and isinstance(part.get("resource"), dict):
        yield resource_part(part["resource"])
    elif kind == "resource_link":
        yield Part(f"{part.get('name') or ''} <{part.get('uri', '')}>".strip())


def resource_part(content: Mapping[str, Any]) -> Part:
    """One of the `contents` of a resource."""
    uri, mime = str(content.get("uri", "")), str(content.get("mimeType") or "")
    if isinstance(content.get("text"), str):
        return Part(content["text"], TEXT, b"", uri)
    return _bytes_part(content.get("blob"), mime, uri)


def _bytes_part(data: Any, mime: str, path: str) -> Part:
    try:
        found = base64.b64decode(data, validate=True) if isinstance(data, str) else b""
    except ValueError:
        found = b""
    return Part("", mime or "application/octet-stream", found, path) if found else Part("", TEXT, b"", path)
