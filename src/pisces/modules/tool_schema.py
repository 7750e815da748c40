"""Whether a model accepts a tool: its name, and the JSON Schema of its arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.shapes.tool import Tool

TOOL_NAME = Rule("tool-name", ERROR, "A tool has a name that models do not accept")
TOOL_SCHEMA = Rule("tool-schema", ERROR, "The parameters of a tool are no usable JSON Schema")
TOOL_SILENT = Rule("tool-description", WARNING, "A tool does not say what it is for")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_TYPES = {"string", "number", "integer", "boolean", "object", "array", "null"}


def tool_problems(tool: Tool) -> Iterator[Diagnostic]:
    if not _NAME.fullmatch(tool.name):
        yield TOOL_NAME.at(tool.module, f"the tool name `{tool.name}` is not accepted by models", about=tool.name)
    if not tool.description.strip():
        yield TOOL_SILENT.at(tool.module, f"`{tool.name}` has no description", about=tool.name)
    for problem in _misfits(tool.parameters):
        yield TOOL_SCHEMA.at(tool.module, f"the parameters of `{tool.name}`: {problem}", about=tool.name)


def _misfits(schema: Any) -> Iterator[str]:
    if not isinstance(schema, Mapping):
        yield "they are not an object"
        return
    if schema.get("type") != "object":
        yield "their `type` must be `object`"
    try:
        json.dumps(schema)
    except (TypeError, ValueError) as error:
        yield f"they cannot be written as JSON ({error})"
    properties = schema.get("properties", {})
    if not isinstance(properties, Mapping):
        yield "`properties` must be an object"
        return
    for name, inside in properties.items():
        yield from _misfit(name, inside)
    yield from _required(schema.get("required", ()), properties)


def _misfit(name: str, schema: Any) -> Iterator[str]:
    if not isinstance(schema, Mapping | bool):
        yield f'`{name}` must be a schema, such as `{{"type": "string"}}`'
        return
    kinds = schema.get("type", ()) if isinstance(schema, Mapping) else ()
    wrong = [kind for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind not in _TYPES]
    if wrong:
        yield f"`{name}` has the unknown type `{wrong[0]}`"


def _required(required: Any, properties: Mapping[str, Any]) -> Iterator[str]:
    if not isinstance(required, list | tuple):
        yield "`required` must be a list of names"
        return
    unknown = [name for name in required if name not in properties]
    if unknown:
        yield f"`{unknown[0]}` is required but not among the properties"
