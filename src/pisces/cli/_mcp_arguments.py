"""The arguments of a tool as somebody types them: one JSON object, `-` for one on stdin, or `name=value` words."""

from __future__ import annotations

import sys

from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_HINT = """a JSON object, as in '{"a": 1}', or words, as in a=1 text=hello"""


def arguments_of(words: Sequence[str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """`PiscesError` for what is neither. What the schema calls a string is never read as anything else."""
    if words == ["-"]:
        return object_in(sys.stdin.read(), "stdin")
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        return object_in(words[0], words[0])
    given: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name:
            raise PiscesError(_bad(f"`{word}` is no argument"))
        if name in given:
            raise PiscesError(_bad(f"`{name}` is given twice"))
        given[name] = _value(text, _types(name, schema))
    return given


def object_in(text: str, where: str) -> dict[str, Any]:
    try:
        found = parse(text)
    except Malformed as error:
        raise PiscesError(_bad(f"`{where}` is not JSON: {error.message}")) from None
    if not isinstance(found, dict):
        raise PiscesError(_bad(f"`{where}` is not a JSON object"))
    return found


def _types(name: str, schema: Mapping[str, Any]) -> tuple[str, ...]:
    properties = schema.get("properties")
    details = properties.get(name) if isinstance(properties, dict) else None
    kinds = details.get("type") if isinstance(details, dict) else None
    return tuple(kinds) if isinstance(kinds, list) else (kinds,) if isinstance(kinds, str) else ()


def _value(text: str, types: tuple[str, ...]) -> Any:
    if "string" in types:
        return text
    try:
        return parse(text)
    except Malformed:
        return text


def _bad(message: str) -> Diagnostic:
    return Diagnostic("mcp-arguments", ERROR, message, hint=_HINT)


def signature(schema: Any) -> str:
    """`a: number, b: number, [note: string]`: what a tool takes, in one line."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return ""
    wanted = schema.get("required")
    required = wanted if isinstance(wanted, list) else []
    words = []
    for name, _ in sorted(properties.items(), key=lambda each: each[0] not in required):
        kinds = "|".join(map(str, _types(name, schema)))
        word = f"{name}: {kinds}" if kinds else str(name)
        words.append(word if name in required else f"[{word}]")
    return ", ".join(words)
