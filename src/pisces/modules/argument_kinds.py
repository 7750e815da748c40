"""What an annotation means for an argument: the JSON Schema that a model is shown, and how a JSON value becomes it.

Both come from one place, so a value that fits the schema is one that can be made. Classes that contain themselves are
in `definitions`, which become the `$defs` of the tool's schema.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pisces.formats.json_copy import NotJson, json_copy
from pisces.formats.json_keywords import SchemaMisfit, shown
from pisces.formats.json_schema import Checker
from pisces.value import Value

Make = Callable[[Any], Any]


class DoesNotFit(ValueError):
    """A value fits the schema and still cannot be made into what the tool asks for."""

    def __init__(self, misfits: Sequence[SchemaMisfit]) -> None:
        super().__init__("; ".join(each.text for each in misfits))
        self.misfits = misfits


class Kind(Value):
    """`make` takes a value that fits `schema`; None leaves it as it is."""

    schema: Mapping[str, Any]
    make: Make | None = None

    def made(self, value: Any) -> Any:
        return value if self.make is None else self.make(value)


ANYTHING = Kind({})


def text_kind(word: str, example: str, make: Callable[[str], Any], **schema: Any) -> Kind:
    """Something that is written as a text, such as a date."""
    return Kind({"type": "string", **schema}, trying(make, f"must be {word}, such as {example}"))


def trying(make: Make, message: str) -> Make:
    """`make`, whose own refusal becomes a misfit with this message; an empty one means that of the error."""

    def made(value: Any) -> Any:
        try:
            return make(value)
        except DoesNotFit:
            raise
        except (ValueError, TypeError, ArithmeticError, AssertionError, LookupError) as error:
            said = f"{message}, not {shown(value)}" if message else f"is refused: {error}"
            raise DoesNotFit([SchemaMisfit((), said)]) from error

    return made


def each_of(kind: Kind, build: Callable[[list[Any]], Any]) -> Make | None:
    """The items of an array, and then what holds them."""
    if kind.make is None and build is list:
        return None
    return trying(lambda values: build(_made_items([kind] * len(values), values)), "")


def tuple_of(kinds: Sequence[Kind]) -> Kind:
    count = len(kinds)
    schema = {"type": "array", "prefixItems": [each.schema for each in kinds], "minItems": count, "maxItems": count}
    return Kind(schema, lambda values: tuple(_made_items(kinds, values)))


def _made_items(kinds: Sequence[Kind], values: Sequence[Any]) -> list[Any]:
    return list(_made_all(dict(enumerate(kinds)), dict(enumerate(values))).values())


def mapping_of(key: Kind, value: Kind) -> Kind:
    schema = {"type": "object", "additionalProperties": value.schema} if value.schema else {"type": "object"}
    if key.make is None and value.make is None:
        return Kind(schema)

    def made(given: Mapping[str, Any]) -> dict[Any, Any]:
        values = _made_all(dict.fromkeys(given, value), given)
        return {key.made(name): each for name, each in values.items()}

    return Kind(schema, made)


class Field(Value):
    """One property of an object. `default` is JSON, or None where there is nothing to show."""

    kind: Kind
    is_required: bool = True
    default: Any = None


def object_of(fields: Mapping[str, Field], build: Callable[..., Any], *, is_open: bool, about: str = "") -> Kind:
    """An object with these properties; `build(**values)` makes it. What the class itself refuses is a misfit."""
    properties = {name: _with_default(each) for name, each in fields.items()}
    required = [name for name, each in fields.items() if each.is_required]
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    if not is_open:
        schema["additionalProperties"] = False
    if about:
        schema["description"] = about
    kinds = {name: each.kind for name, each in fields.items()}
    return Kind(schema, trying(lambda given: build(**_made_all(kinds, given)), ""))


def _with_default(field: Field) -> Mapping[str, Any]:
    return field.kind.schema if field.default is None else {**field.kind.schema, "default": field.default}


def _made_all(kinds: Mapping[Any, Kind], given: Mapping[Any, Any]) -> dict[Any, Any]:
    """Every value made by its kind. All misfits are collected, each below its key."""
    made, misfits = dict[Any, Any](), list[SchemaMisfit]()
    for key, value in given.items():
        try:
            made[key] = kinds.get(key, ANYTHING).made(value)
        except DoesNotFit as error:
            misfits += [each.below(key) for each in error.misfits]
    if misfits:
        raise DoesNotFit(misfits)
    return made


def union_of(kinds: Sequence[Kind], definitions: Mapping[str, Any]) -> Kind:
    """The first kind that the value fits as it is, and that can make it."""
    if len(kinds) == 1:
        return kinds[0]
    schema = {"anyOf": [each.schema for each in kinds]}
    if all(each.make is None for each in kinds):
        return Kind(schema)

    def made(value: Any) -> Any:
        checker = Checker({"$defs": definitions})
        refused: DoesNotFit | None = None
        for kind in (each for each in kinds if checker.fits(json_copy(each.schema), value)):
            try:
                return kind.made(value)
            except DoesNotFit as error:
                refused = refused or error
        raise refused or DoesNotFit([SchemaMisfit((), f"fits none of its shapes: {shown(value)}")])

    return Kind(schema, made)


def enum_of(kind: Any) -> Kind:
    """By value where values are JSON scalars, else by name."""
    by_value = {member.value: member for member in kind}
    if not all(isinstance(value, str | int | float) for value in by_value):
        by_value = {member.name: member for member in kind}
    values = list(by_value)
    types = {type(value) for value in values}
    named = {str: "string", int: "integer", bool: "boolean"}.get(types.pop()) if len(types) == 1 else None
    schema = {**({"type": named} if named else {}), "enum": values}
    return Kind(schema, trying(lambda value: by_value[value], f"must be one of {', '.join(map(str, values))}"))


def model_of(kind: Any, definitions: dict[str, Any]) -> Kind:
    """A pydantic model says itself what it takes, and checks it."""
    prefix = f"{kind.__name__}."
    schema = kind.model_json_schema(ref_template=f"#/$defs/{prefix}{{model}}")
    for name, each in schema.pop("$defs", {}).items():
        definitions[prefix + name] = each

    def made(value: Any) -> Any:
        try:
            return kind.model_validate(value)
        except ValueError as error:  # its `ValidationError` is one
            listed: list[Any] = getattr(error, "errors", list)()
            found = [SchemaMisfit(tuple(each.get("loc", ())), str(each.get("msg", ""))) for each in listed]
            raise DoesNotFit(found or [SchemaMisfit((), f"is refused: {error}")]) from error

    return Kind(schema, made)


def bytes_kind() -> Kind:
    return text_kind(
        "Base64", "`aGVsbG8=`", lambda text: base64.b64decode(text, validate=True), contentEncoding="base64"
    )


def described(kind: Kind, notes: Sequence[Any]) -> Kind:
    """`Annotated[int, "what it is", {"minimum": 1}]`, and the constraints of pydantic's `Field` and annotated-types."""
    more: dict[str, Any] = {}
    for note in notes:
        if isinstance(note, str):
            more.setdefault("description", note)
        elif isinstance(note, Mapping):
            more.update(note)
        else:
            for each in (note, *getattr(note, "metadata", ())):
                more.update(_constraints(each, kind.schema.get("type")))
    return kind.replace(schema={**kind.schema, **more}) if more else kind


def _constraints(note: Any, kind: Any) -> dict[str, Any]:
    what = {"string": "Length", "array": "Items"}.get(kind, "Length") if isinstance(kind, str) else "Length"
    words = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
    words |= {"multiple_of": "multipleOf", "pattern": "pattern", "description": "description"}
    words |= {"min_length": f"min{what}", "max_length": f"max{what}"}
    found = {word: getattr(note, name, None) for name, word in words.items()}
    return {word: value for word, value in found.items() if isinstance(value, str | int | float)}


def json_default(default: Any) -> Any:
    """A default as a model is shown it; None where JSON cannot say it."""
    value = default.value if hasattr(type(default), "__members__") else default
    try:
        return json_copy(value)
    except NotJson:
        return str(value) if hasattr(value, "isoformat") or hasattr(value, "__fspath__") else None


def literal_of(values: tuple[Any, ...]) -> Kind:
    plain = [value.value if hasattr(type(value), "__members__") else value for value in values]
    members = {json_default(value): value for value in values}
    make = None if plain == list(values) else trying(lambda value: members[value], "must be one of its values")
    return Kind({"enum": plain} if len(plain) > 1 else {"const": plain[0]}, make)
