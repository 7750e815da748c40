"""How far a tool has come, as text for any screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def partial_text(partial: Any) -> str:
    """What a tool says of how far it has come: a text, a result in the making, or the progress of a server's tool."""
    if isinstance(partial, str):
        return partial
    if isinstance(partial, dict) and "progress" in partial:
        return _progress(partial)
    content = partial.get("content") if isinstance(partial, dict) else partial
    if isinstance(content, str):
        return content
    if isinstance(content, list | tuple):
        return "".join(str(each.get("text", "")) for each in content if isinstance(each, dict))
    return ""


def _progress(partial: Mapping[str, Any]) -> str:
    done, whole = partial["progress"], partial.get("total")
    count = "" if done is None else f"{done} of {whole}" if whole else f"{done}"
    return " ".join(filter(None, (count, str(partial.get("message") or ""))))
