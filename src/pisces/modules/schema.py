"""The JSON Schema of a tool's arguments, read from the annotations of the function that runs it, and how it is called.

    def todo(action: Literal["add", "list"], due: datetime | None = None, *, ctx) -> str

Understood are str, int, float, bool, list, dict, tuple, set, Literal, unions, Annotated, Enum, dataclasses, TypedDict,
NamedTuple, pydantic models, dates, paths and the like: see `annotations`. The function gets values of these types. A
parameter called `ctx` is not an argument: it is handed in. What is not understood may be anything.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

from pisces.formats.json_keywords import SchemaMisfit
from pisces.modules.annotations import Annotations, hints_of
from pisces.modules.argument_kinds import ANYTHING, DoesNotFit, Kind, json_default
from pisces.modules.tool_arguments import BadArguments
from pisces.value import EMPTY, Value

CONTEXT = "ctx"
_VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class ToolSignature(Value):
    """What a tool's function takes. `takes` are the names of its arguments; None if it takes any. `by_place` are those
    that it takes without their name.
    """

    schema: Mapping[str, Any]
    kinds: Mapping[str, Kind]
    takes: tuple[str, ...] | None
    by_place: tuple[str, ...]
    wants_context: bool


def signature_of(function: Callable[..., Any], names: Mapping[str, Any] = EMPTY) -> ToolSignature:
    """`names` are the local ones of the code that defines the function, for annotations that name them."""
    every = inspect.signature(function).parameters.values()
    parameters = [each for each in every if is_argument(each)]
    hints, annotations = hints_of(function, names), Annotations(names)
    kinds = {each.name: _kind(each, hints.get(each.name, Any), annotations) for each in parameters}
    required = [each.name for each in parameters if each.default is inspect.Parameter.empty]
    schema = {
        "type": "object",
        "properties": {each.name: _described(each, kinds[each.name]) for each in parameters},
        **({"required": required} if required else {}),
        **({"$defs": annotations.definitions} if annotations.definitions else {}),
    }
    is_open = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in every)
    by_place = tuple(each.name for each in every if each.kind is inspect.Parameter.POSITIONAL_ONLY)
    wants_context = any(each.name == CONTEXT for each in every)
    return ToolSignature(schema, kinds, None if is_open else tuple(kinds), by_place, wants_context)


def _kind(parameter: inspect.Parameter, hint: Any, annotations: Annotations) -> Kind:
    """A default of None needs no null in the schema: the model leaves the argument out."""
    if parameter.default is None and typing.get_origin(hint) in (typing.Union, types.UnionType):
        inside = tuple(each for each in typing.get_args(hint) if each is not type(None))
        hint = typing.Union[inside] if inside else hint  # noqa: UP007  # of a tuple
    return annotations.kind(hint)


def _described(parameter: inspect.Parameter, kind: Kind) -> dict[str, Any]:
    has_default = parameter.default is not inspect.Parameter.empty
    default = json_default(parameter.default) if has_default else None
    return {**kind.schema, **({} if default is None else {"default": default})}


def is_argument(parameter: inspect.Parameter) -> bool:
    return parameter.name != CONTEXT and parameter.kind not in _VARIABLE


def called(
    function: Callable[..., Any], name: str, signature: ToolSignature
) -> Callable[[Mapping[str, Any], Any], Any]:
    """The function as a tool is run: with a mapping of arguments, and what it may learn about its call."""

    def run(arguments: Mapping[str, Any], context: Any) -> Any:
        values = _values(name, arguments, signature.kinds)
        if signature.wants_context:
            values[CONTEXT] = context
        return function(*[values.pop(each) for each in signature.by_place if each in values], **values)

    return run


def _values(name: str, arguments: Mapping[str, Any], kinds: Mapping[str, Kind]) -> dict[str, Any]:
    values, misfits = dict[str, Any](), list[SchemaMisfit]()
    for each, value in arguments.items():
        try:
            values[each] = kinds.get(each, ANYTHING).made(value)
        except DoesNotFit as error:
            misfits += [misfit.below(each) for misfit in error.misfits]
    if misfits:
        raise BadArguments(name, misfits, arguments)
    return values
