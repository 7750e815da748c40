"""Converts a value to what a JSON Schema asks for, where nothing is lost: "5" becomes 5, and 5 becomes "5".

Models mix these up. The rules are those of pi (its JSON Schema coercion and TypeBox's `Value.Convert`), with three
differences. What fits already is never converted. Null becomes no text or number: it is left out if it may be missing,
and a misfit if not. A single value becomes an array only if it fits as the item.
"""

from __future__ import annotations

import re

from pisces.formats.json_keywords import is_of, kinds_of, others

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from pisces.formats.json_schema import Checker

_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,300}(?:\.[0-9]{0,300})?|\.[0-9]{1,300})(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_BASED = re.compile(r"0(?:[xX][0-9a-fA-F]{1,16}|[oO][0-7]{1,21}|[bB][01]{1,64})", re.ASCII)


def coerced(checker: Checker, schema: Any, value: Any) -> Any:
    """The value, or what it becomes. It need not fit then. Containers that change are copied."""
    if not isinstance(schema, dict) or checker.fits(schema, value):
        return value
    if "$ref" in schema:
        value = coerced(checker, checker.target(schema["$ref"]), value)
    for each in _listed(schema, "allOf"):
        value = coerced(checker, each, value)
    for union in ("anyOf", "oneOf"):
        value = _in_union(checker, _listed(schema, union), value)
    value = _as_kind(checker, schema, value)
    if isinstance(value, dict):
        return _object(checker, schema, value)
    return _array(checker, schema, value) if isinstance(value, list) else value


def _listed(schema: Mapping[str, Any], name: str) -> list[Any]:
    listed = schema.get(name)
    return listed if isinstance(listed, list) else []


def _in_union(checker: Checker, schemas: list[Any], value: Any) -> Any:
    for each in schemas:
        if checker.fits(each, value):
            return value
    for each in schemas:
        candidate = coerced(checker, each, value)
        if candidate is not value and checker.fits(each, candidate):
            return candidate
    return value


def _as_kind(checker: Checker, schema: Mapping[str, Any], value: Any) -> Any:
    kinds = kinds_of(schema)
    if any(is_of(kind, value) for kind in kinds):
        return int(value) if "integer" in kinds and isinstance(value, float) and "number" not in kinds else value
    for kind in kinds:
        candidate = _SCALARS[kind](value) if kind in _SCALARS else value
        if candidate is not value:
            return candidate
    is_single = value is not None and not isinstance(value, dict)
    if "array" in kinds and is_single and not (isinstance(value, str) and value.lstrip().startswith(("[", "{"))):
        item = coerced(checker, schema.get("items", True), value)
        return [item] if checker.fits(schema.get("items", True), item) else value
    return value


def _object(checker: Checker, schema: Mapping[str, Any], value: Mapping[str, Any]) -> Mapping[str, Any]:
    properties, rest = schema.get("properties"), schema.get("additionalProperties")
    schemas: dict[str, Any] = dict.fromkeys(others(checker, value, schema), rest)
    if isinstance(properties, dict):
        schemas.update({name: each for name, each in properties.items() if name in value})
    needed = _listed(schema, "required")
    made = dict(value)
    for name, each in schemas.items():
        if value[name] is None and name not in needed and not checker.fits(each, None):
            del made[name]
        else:
            made[name] = coerced(checker, each, value[name])
    return made


def _array(checker: Checker, schema: Mapping[str, Any], value: list[Any]) -> list[Any]:
    items = schema.get("items")
    first = items if isinstance(items, list) else _listed(schema, "prefixItems")
    rest = True if isinstance(items, list) else items
    schemas = [*first[: len(value)], *[rest] * (len(value) - len(first))]
    return [coerced(checker, each, item) for each, item in zip(schemas, value, strict=True)]


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    text = value.strip() if isinstance(value, str) else ""
    if _BASED.fullmatch(text):
        return int(text, 0)
    if not _NUMBER.fullmatch(text):
        return value
    if text.lstrip("+-").isdigit():
        return int(text)
    number = float(text)
    return number if number - number == 0 else value


def _integer(value: Any) -> Any:
    number = _number(value)
    if isinstance(number, float):
        return int(number) if number.is_integer() else value
    return number


def _boolean(value: Any) -> Any:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower(), value)
    return bool(value) if value in (0, 1) and isinstance(value, int | float) else value


def _string(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    return value


def _null(value: Any) -> Any:
    return None if value in ("", "null") else value


_SCALARS: Mapping[str, Callable[[Any], Any]] = {
    "number": _number,
    "integer": _integer,
    "boolean": _boolean,
    "string": _string,
    "null": _null,
}
