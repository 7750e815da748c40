"""Results of tools that another program runs: each tool has a shape of its own, which a changed result must keep."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pisces.shapes.events.tools import ToolResult
from pisces.shapes.tool import arguments_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SHORT = 32  # a longer text in a result may be what somebody removed


def result_of(given: Mapping[str, Any], server: str) -> ToolResult:
    response = given["tool_response"]
    content = tuple(response) if _are_parts(response) else ({"type": "text", "text": _shown(response)},)
    return ToolResult(
        given["tool_name"],
        given.get("tool_use_id") or "",
        given["tool_input"],
        content,
        details=response,
        duration_ms=int(given.get("duration_ms") or 0),
        server=server,
    )


def withheld(result: ToolResult, error: Exception) -> ToolResult:
    text = f"the result is withheld, because a hook failed: {error or type(error).__name__}"
    return result.replace(content=({"type": "text", "text": text},))


def as_response(response: Any, before: ToolResult, after: ToolResult) -> Any:
    """The response itself if nobody changed it. What a hook gives in the tool's own shape is taken as it is."""
    if after.details != before.details:
        return arguments_of(after.details)
    if after.content == before.content:
        return response
    if _are_parts(response):
        return arguments_of(after.content)
    return _with_text(response, after.text, frozenset(_texts(before.input)))


def _with_text(response: Any, text: str, given: frozenset[str]) -> Any:
    """The longest text in a response gives way to another one, other long ones to nothing. What the model gave stays,
    such as the path of a file.
    """
    if isinstance(response, str):
        return text
    longest = max((each for each in _texts(response) if each not in given), key=len, default="")
    is_used: list[bool] = []

    def changed(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: changed(each) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [changed(each) for each in value]
        if value == longest and isinstance(value, str) and not is_used:
            is_used.append(True)
            return text
        return "" if isinstance(value, str) and len(value) > _SHORT and value not in given else value

    return changed(response)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from _texts(each)


def _are_parts(response: Any) -> bool:
    """Whether it is a list of parts, as servers answer."""
    return isinstance(response, list) and all(isinstance(each, dict) and "type" in each for each in response)


def _shown(response: Any) -> str:
    if isinstance(response, str):
        return response
    if isinstance(response, dict) and isinstance(response.get("stdout"), str):
        return "\n".join(filter(None, (response["stdout"], response.get("stderr"))))
    return json.dumps(response, ensure_ascii=False, default=str)
