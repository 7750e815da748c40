"""The arguments of a call as its tool asks for them: converted where that loses nothing, else refused with the reason.

The reason is for the model: each misfit with its path and a hint, and what was received.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pisces.formats.json_coercion import coerced
from pisces.formats.json_copy import NotJson, json_copy
from pisces.formats.json_keywords import SchemaMisfit
from pisces.formats.json_schema import Checker
from pisces.shapes.tool import Tool, ToolFailed

_RECEIVED = 1000  # characters of the arguments that are shown to the model again


class BadArguments(ToolFailed):
    """The model called a tool with arguments that do not fit. No bug of a module."""

    def __init__(self, tool: str, misfits: Iterable[SchemaMisfit], given: Any) -> None:
        lines = "\n".join(f"- {each.text}" for each in misfits)
        received = json.dumps(given, ensure_ascii=False, default=str)
        shown = received if len(received) <= _RECEIVED else f"{received[:_RECEIVED]}..."
        super().__init__(f"`{tool}` was not called, because its arguments do not fit:\n{lines}\nReceived: {shown}")


def fitted(tool: Tool, given: Any) -> Any:
    """A private copy of the arguments, converted to what the tool's schema asks for. Raises `BadArguments`."""
    try:
        arguments = json_copy(given)
    except NotJson as error:
        raise BadArguments(tool.name, [_not_json(error)], "") from None
    checker = Checker(json_schema(tool))
    misfits = checker.misfits(arguments)
    if not misfits:
        return arguments
    try:
        made = json_copy(coerced(checker, checker.root, arguments))
    except (RecursionError, NotJson):
        raise BadArguments(tool.name, misfits, arguments) from None
    misfits = checker.misfits(made)
    if misfits:
        raise BadArguments(tool.name, misfits, arguments)
    return made


def misfits_of(tool: Tool, given: Any) -> list[SchemaMisfit]:
    """What of the arguments the tool would not take as they are; nothing is converted."""
    try:
        return Checker(json_schema(tool)).misfits(json_copy(given))
    except NotJson as error:
        return [_not_json(error)]


def json_schema(tool: Tool) -> Any:
    """As JSON has it; a schema that is none is one that everything fits, and `tool-schema` is reported of it."""
    try:
        schema = json_copy(tool.parameters) if isinstance(tool.parameters, Mapping) else {}
    except NotJson:
        schema = {}
    properties = schema.get("properties", {})
    if tool.takes is None or "additionalProperties" in schema or not isinstance(properties, dict):
        return schema or True
    return {**schema, "properties": {**dict.fromkeys(tool.takes, True), **properties}, "additionalProperties": False}


def _not_json(error: NotJson) -> SchemaMisfit:
    return SchemaMisfit((), f"are not JSON data: {error}")
