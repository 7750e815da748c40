"""The JSON Schema of a tool's arguments, read from the annotations of the function that runs it.

    def todo(action: Literal["add", "list"], text: str = "", *, ctx) -> str

Understood are str, int, float, bool, list, dict, Literal, unions with None, and Annotated with a text as description. A
parameter called `ctx` is not an argument: it is handed in. What is not understood may be anything.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

CONTEXT = "ctx"
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object", list: "array"}


def schema_of(function: Callable[..., Any]) -> dict[str, Any]:
    """An object schema; parameters without a default are required."""
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError):  # an annotation that only a type checker can resolve
        hints = {}
    parameters = [each for each in inspect.signature(function).parameters.values() if is_argument(each)]
    properties = {each.name: _schema(hints.get(each.name, typing.Any)) for each in parameters}
    for each in parameters:
        if each.default is not inspect.Parameter.empty and each.default is not None:
            properties[each.name]["default"] = each.default
    required = [each.name for each in parameters if each.default is inspect.Parameter.empty]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def is_argument(parameter: inspect.Parameter) -> bool:
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return parameter.name != CONTEXT and parameter.kind not in variable


def called(function: Callable[..., Any]) -> Callable[[Mapping[str, Any], Any], Any]:
    """The function as a tool is run: with a mapping of arguments, and what it may learn about its call."""
    if CONTEXT in inspect.signature(function).parameters:
        return lambda arguments, context: function(**{**arguments, CONTEXT: context})
    return lambda arguments, _context: function(**arguments)


def _schema(hint: Any) -> dict[str, Any]:
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        texts = [each for each in inside[1:] if isinstance(each, str)]
        return {**_schema(inside[0]), **({"description": texts[0]} if texts else {})}
    if origin is typing.Literal:
        return {"enum": list(inside)} if len(inside) > 1 else {"const": inside[0]}
    if origin in (typing.Union, types.UnionType):
        return _union(inside)
    if origin is list and inside:
        return {"type": "array", "items": _schema(inside[0])}
    if origin is dict and len(inside) == 2:
        return {"type": "object", "additionalProperties": _schema(inside[1])}
    kind = _PLAIN.get(origin or hint)
    return {"type": kind} if kind else {}


def _union(inside: tuple[Any, ...]) -> dict[str, Any]:
    real: list[Mapping[str, Any]] = [_schema(each) for each in inside if each is not type(None)]
    if len(real) == 1:
        return dict(real[0])
    return {"anyOf": [dict(each) for each in real]}
