"""What the user wrote in the editor: a line for the session, and what goes to the model behind it as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from pisces.shapes.message import ImagePart, TextPart

if TYPE_CHECKING:
    from collections.abc import Sequence


def line_of(blocks: Sequence[Any]) -> tuple[str, tuple[TextPart | ImagePart, ...]]:
    """The text that the user typed, with the files that they named. The text of a file is no part of the line: nothing
    in it is a command or names another file.
    """
    typed: list[str] = []
    more: list[TextPart | ImagePart] = []
    for block in blocks:
        kind = getattr(block, "type", "")
        if kind == "text":
            typed.append(block.text)
        elif kind == "image":
            more.append(ImagePart(block.mime_type, block.data))
        elif kind == "resource_link":
            typed.append(_mention(block.uri))
        elif kind == "resource":
            typed.append(_name(block.resource.uri))
            more.extend(_embedded(block.resource))
    return "".join(typed), tuple(more)


def _embedded(resource: Any) -> Sequence[TextPart]:
    text = getattr(resource, "text", None)
    return (TextPart(f"{_name(resource.uri)}:\n{text}"),) if isinstance(text, str) else ()


def _mention(uri: str) -> str:
    """As it is typed: with quotation marks where blanks are in it, and apart from its neighbours."""
    name = _name(uri)
    return f' @"{name}" ' if " " in name else f" @{name} "


def _name(uri: str) -> str:
    parts = urlsplit(uri)
    return unquote(parts.path) if parts.scheme == "file" else uri
