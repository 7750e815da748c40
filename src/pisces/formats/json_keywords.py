"""The keywords of JSON Schema, one function each: what of a value does not fit the keyword's argument.

A keyword that is not about this kind of value, or whose argument makes no sense, is met by everything.
"""

from __future__ import annotations

from difflib import get_close_matches
from fractions import Fraction

from pisces.by_name import export_of
from pisces.formats.json_copy import path_text
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from pisces.formats.json_schema import Checker

    Path = tuple[str | int, ...]
    Keyword = Callable[[Checker, Any, Any, Mapping[str, Any]], Iterator["SchemaMisfit"]]

_SHOWN = 60  # characters of a value in a message
_MOST_NAMES = 12  # names that a hint lists


class SchemaMisfit(Value):
    """`keyword` is the keyword of the schema that is not met, and `wanted` its argument where that is one word."""

    path: Path
    message: str
    hint: str = ""
    keyword: str = ""
    wanted: str = ""

    def below(self, *keys: str | int) -> SchemaMisfit:
        return self.replace(path=(*keys, *self.path))

    @property
    def text(self) -> str:
        place = f"`{path_text(self.path)}` " if self.path else "the arguments "
        return place + self.message + (f" ({self.hint})" if self.hint else "")


def shown(value: Any) -> str:
    """A value in a message: `the string "many"`."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    if isinstance(value, str):
        return f"the string {_quoted(value)}"
    return f"the number {value if len(repr(value)) <= _SHOWN else repr(value)[:_SHOWN] + '...'}"


def _quoted(value: Any) -> str:
    text: str = export_of("json", "encoder", "JSONEncoder")(ensure_ascii=False).encode(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def is_of(kind: str, value: Any) -> bool:
    if kind == "integer":
        return _is_number(value) and (isinstance(value, int) or value.is_integer())
    if kind == "number":
        return _is_number(value)
    python = {"string": str, "boolean": bool, "object": dict, "array": list, "null": type(None)}.get(kind)
    return python is None or isinstance(value, python)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(argument: Any) -> bool:
    return _is_number(argument) and argument >= 0


def _identity(value: Any) -> Any:
    """Equal for what JSON takes for equal: 1 and 1.0, but not 1 and true."""
    if isinstance(value, dict):
        return "object", frozenset((key, _identity(each)) for key, each in value.items())
    if isinstance(value, list):
        return "array", tuple([_identity(each) for each in value])
    return type(value).__name__ if isinstance(value, (bool, str)) else "", value


def kinds_of(schema: Mapping[str, Any]) -> list[str]:
    kinds = schema.get("type")
    listed = kinds if isinstance(kinds, list) else [kinds]
    return [each for each in listed if isinstance(each, str)]


def _type(_checker: Checker, _argument: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    kinds = kinds_of(schema)
    if kinds and not any(is_of(kind, value) for kind in kinds):
        yield SchemaMisfit((), f"must be {_one_of([_NOUNS.get(kind, kind) for kind in kinds])}, not {shown(value)}")


_NOUNS = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
}


def _one_of(nouns: list[str]) -> str:
    return nouns[0] if len(nouns) == 1 else f"{', '.join(nouns[:-1])} or {nouns[-1]}"


def _enum(_checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if isinstance(argument, list) and _identity(value) not in {_identity(each) for each in argument}:
        names = [_quoted(each) for each in argument]
        listed = ", ".join(names[:_MOST_NAMES]) + (", ..." if len(names) > _MOST_NAMES else "")
        yield SchemaMisfit((), f"must be one of {listed}, not {shown(value)}", _near(value, argument))


def _near(value: Any, names: Any) -> str:
    texts = [each for each in names if isinstance(each, str)]
    near = get_close_matches(str(value)[:_SHOWN].lower(), [each.lower() for each in texts[:1000]], 1)
    found = [each for each in texts if near and each.lower() == near[0]]
    return f"did you mean {_quoted(found[0])}?" if found else ""


def _const(_checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if _identity(value) != _identity(argument):
        yield SchemaMisfit((), f"must be {_quoted(argument)}, not {shown(value)}")


def _limit(strictly: str, says: str, is_good: Callable[[Any, Any], bool]) -> Keyword:
    """In draft 4 `strictly` is the name of a switch: the limit itself is not allowed."""

    def check(_checker: Checker, argument: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
        if not _is_number(value) or not _is_number(argument):
            return
        if not is_good(value, argument) or (schema.get(strictly) is True and value == argument):
            yield SchemaMisfit((), f"must be {says} {argument}, not {shown(value)}")

    return check


def _is_multiple(value: float, argument: float) -> bool:
    return argument <= 0 or Fraction(repr(value)) % Fraction(repr(argument)) == 0


def _size(of: Any, says: str, is_good: Callable[[int, Any], bool]) -> Keyword:
    def check(_checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
        if isinstance(value, of) and _is_count(argument) and not is_good(len(value), argument):
            yield SchemaMisfit((), f"must have {says.format(argument)}, not {len(value)}")

    return check


def _pattern(checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if isinstance(value, str) and isinstance(argument, str) and not checker.is_match(argument, value):
        yield SchemaMisfit((), f"must match the pattern `{argument}`, as {_quoted(value)} does not")


def _items(checker: Checker, argument: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    """A list of schemas, as drafts before 2020-12 have it, is for the first items, one each."""
    if not isinstance(value, list):
        return
    if isinstance(argument, list):
        yield from _prefix_items(checker, argument, value, schema)
        return
    first = schema.get("prefixItems")
    for index in range(len(first) if isinstance(first, list) else 0, len(value)):
        yield from _below(checker, argument, value, index)


def _prefix_items(checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if isinstance(value, list) and isinstance(argument, list):
        for index, schema in enumerate(argument[: len(value)]):
            yield from _below(checker, schema, value, index)


def _additional_items(checker: Checker, argument: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    first = schema.get("items")
    if isinstance(value, list) and isinstance(first, list):
        for index in range(len(first), len(value)):
            yield from _below(checker, argument, value, index)


def _unique(_checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if argument is True and isinstance(value, list):
        seen: set[Any] = set()
        for index, each in enumerate(map(_identity, value)):
            if each in seen:
                yield SchemaMisfit((index,), "is there twice")
            seen.add(each)


def _contains(checker: Checker, argument: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if isinstance(value, list):
        found = sum(checker.fits(argument, each) for each in value)
        least, most = schema.get("minContains", 1), schema.get("maxContains", len(value))
        if _is_count(least) and _is_count(most) and not least <= found <= most:
            yield SchemaMisfit((), f"has {found} items of the kind that `contains` asks for, not {least} to {most}")


def _required(_checker: Checker, argument: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if isinstance(value, dict) and isinstance(argument, list):
        for name in argument:
            if isinstance(name, str) and name not in value:
                yield SchemaMisfit((name,), "is missing", _described(schema, name))


def _described(schema: Mapping[str, Any], name: str) -> str:
    properties = schema.get("properties")
    about = properties.get(name) if isinstance(properties, dict) else None
    if not isinstance(about, dict):
        return ""
    text = about.get("description")
    kinds = _one_of([_NOUNS.get(kind, kind) for kind in kinds_of(about)]) if kinds_of(about) else ""
    return ": ".join(filter(None, (kinds, text[:200] if isinstance(text, str) else "")))


def _properties(checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if isinstance(value, dict) and isinstance(argument, dict):
        for name in (name for name in argument if name in value):
            yield from _below(checker, argument[name], value, name)


def _pattern_properties(
    checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]
) -> Iterator[SchemaMisfit]:
    for pattern, schema in argument.items() if isinstance(value, dict) and isinstance(argument, dict) else ():
        for name in (name for name in value if checker.is_match(pattern, name)):
            yield from _below(checker, schema, value, name)


def _below(checker: Checker, schema: Any, value: Any, key: Any) -> Iterator[SchemaMisfit]:
    """The misfits of one item or property."""
    for misfit in checker.below(schema, value[key]):
        yield misfit.below(key)


def others(checker: Checker, value: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """Names of properties that neither `properties` nor `patternProperties` describe."""
    known, patterns = schema.get("properties"), schema.get("patternProperties")
    names = [name for name in value if not isinstance(known, dict) or name not in known]
    if isinstance(patterns, dict):
        names = [name for name in names if not any(checker.is_match(pattern, name) for pattern in patterns)]
    return names


def _additional(checker: Checker, argument: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if not isinstance(value, dict) or argument is True:
        return
    for name in others(checker, value, schema):
        if argument is False:
            yield unknown_name(name, list(schema.get("properties") or ()))
        elif isinstance(argument, dict):
            yield from _below(checker, argument, value, name)


def unknown_name(name: str, known: list[str]) -> SchemaMisfit:
    listed = ", ".join(f"`{each}`" for each in known[:_MOST_NAMES]) or "none"
    return SchemaMisfit((name,), "is not one of the arguments", _near(name, known) or f"there are: {listed}")


def _property_names(checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    for name in value if isinstance(value, dict) else ():
        for misfit in checker.below(argument, name):
            yield misfit.replace(path=(name,), message=f"is a name that {misfit.message}")


def _dependent(checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if not isinstance(value, dict) or not isinstance(argument, dict):
        return
    for name, needs in argument.items():
        if name in value and isinstance(needs, list):
            missing = [each for each in needs if each not in value]
            yield from (SchemaMisfit((each,), f"is missing, which `{name}` needs") for each in missing)
        elif name in value:
            yield from checker.below(needs, value)


def _all_of(checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    for schema in argument if isinstance(argument, list) else ():
        yield from checker.below(schema, value)


def _any_of(checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if isinstance(argument, list) and argument and not any(checker.fits(schema, value) for schema in argument):
        yield from _closest(checker, argument, value)


def _one_of_these(checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if not isinstance(argument, list) or not argument:
        return
    fitting = sum(checker.fits(schema, value) for schema in argument)
    if not fitting:
        yield from _closest(checker, argument, value)
    elif fitting > 1:
        yield SchemaMisfit((), f"fits {fitting} of the possible shapes, and must fit exactly one")


def _closest(checker: Checker, schemas: list[Any], value: Any) -> Iterator[SchemaMisfit]:
    """What is wrong by the one shape whose type is right; else which types there are."""
    resolved = [checker.target(each["$ref"]) if isinstance(each, dict) and "$ref" in each else each for each in schemas]
    shapes = [each for each in resolved if isinstance(each, dict)]
    right = [each for each in shapes if any(is_of(kind, value) for kind in kinds_of(each))]
    if len(right) == 1:
        yield from checker.below(right[0], value)
        return
    kinds = list(dict.fromkeys(_NOUNS.get(kind, kind) for each in shapes for kind in kinds_of(each)))
    wanted = f"must be {_one_of(kinds)}, not {shown(value)}" if kinds and not right else "fits none of its shapes"
    yield SchemaMisfit((), wanted)


def _not(checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    if checker.fits(argument, value):
        yield SchemaMisfit((), f"is what `not` rules out: {shown(value)}")


def _if(checker: Checker, argument: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    yield from checker.below(schema.get("then" if checker.fits(argument, value) else "else", True), value)


def _reference(checker: Checker, argument: Any, value: Any, _schema: Mapping[str, Any]) -> Iterator[SchemaMisfit]:
    yield from checker.below(checker.target(argument), value)


_LISTS, _MAPPINGS = (list,), (dict,)
KEYWORDS: Mapping[str, Keyword] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "minimum": _limit("exclusiveMinimum", "at least", lambda value, least: value >= least),
    "maximum": _limit("exclusiveMaximum", "at most", lambda value, most: value <= most),
    "exclusiveMinimum": _limit("", "more than", lambda value, least: value > least),
    "exclusiveMaximum": _limit("", "less than", lambda value, most: value < most),
    "multipleOf": _limit("", "a multiple of", _is_multiple),
    "minLength": _size((str,), "at least {} characters", lambda size, least: size >= least),
    "maxLength": _size((str,), "at most {} characters", lambda size, most: size <= most),
    "pattern": _pattern,
    "items": _items,
    "prefixItems": _prefix_items,
    "additionalItems": _additional_items,
    "minItems": _size(_LISTS, "at least {} items", lambda size, least: size >= least),
    "maxItems": _size(_LISTS, "at most {} items", lambda size, most: size <= most),
    "uniqueItems": _unique,
    "contains": _contains,
    "required": _required,
    "minProperties": _size(_MAPPINGS, "at least {} properties", lambda size, least: size >= least),
    "maxProperties": _size(_MAPPINGS, "at most {} properties", lambda size, most: size <= most),
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional,
    "propertyNames": _property_names,
    "dependentRequired": _dependent,
    "dependentSchemas": _dependent,
    "dependencies": _dependent,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of_these,
    "not": _not,
    "if": _if,
    "$ref": _reference,
}
