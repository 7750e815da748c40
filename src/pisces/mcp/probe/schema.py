"""What is wrong with a JSON Schema that a server sends, as far as it makes a tool unusable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_TYPES = {"string", "number", "integer", "boolean", "array", "object", "null"}
_OF_SCHEMAS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
_DEEPEST = 60
_MOST_PARTS = 20_000


def schema_flaws(schema: Any) -> list[str]:
    """For `inputSchema` and `outputSchema`: the protocol wants an object whose `type` is `object`."""
    if not isinstance(schema, dict):
        return ["is missing" if schema is None else "is no object"]
    flaws = [] if schema.get("type") == "object" else [f"has the type {schema.get('type')!r}, not `object`"]
    return [*flaws, *dict.fromkeys(_flaws(schema))]


def _flaws(whole: dict[str, Any]) -> Iterator[str]:
    """Breadth first and bounded: the schema is somebody else's."""
    parts: list[tuple[str, Any, int]] = [("", whole, 0)]
    for at, (place, part, depth) in enumerate(parts):
        if at > _MOST_PARTS or depth > _DEEPEST:
            yield "is too deep or too large"
            return
        if isinstance(part, bool):
            continue
        if not isinstance(part, dict):
            yield f"has {part!r:.60} at `{place}`, which is no schema"
            continue
        yield from _part_flaws(place, part, whole)
        parts.extend((f"{place}/{key}", each, depth + 1) for key, each in _inside(part))


def _inside(part: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in _OF_SCHEMAS:
        if isinstance(part.get(key), dict):
            yield from ((f"{key}/{name}", each) for name, each in part[key].items())
    for key in _LISTS:
        if isinstance(part.get(key), list):
            yield from ((f"{key}/{at}", each) for at, each in enumerate(part[key]))
    for key in _SINGLE:
        if key in part and not (key == "items" and isinstance(part[key], list)):
            yield key, part[key]


def _part_flaws(place: str, part: dict[str, Any], whole: dict[str, Any]) -> Iterator[str]:
    where = f" at `{place}`" if place else ""
    kinds = part.get("type", [])
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        if not isinstance(kind, str) or kind not in _TYPES:
            yield f"has an unknown type {kind!r}{where}"
    if not isinstance(part.get("properties", {}), dict):
        yield f"has `properties` that are no object{where}"
    required = part.get("required", [])
    if not isinstance(required, list) or not all(isinstance(each, str) for each in required):
        yield f"has a `required` that is no list of names{where}"
    if not isinstance(part.get("enum", []), list):
        yield f"has an `enum` that is no list{where}"
    if "$ref" in part:
        yield from _reference_flaws(part["$ref"], whole, where)


def _reference_flaws(reference: Any, whole: dict[str, Any], where: str) -> Iterator[str]:
    if not isinstance(reference, str) or not reference.startswith("#"):
        yield f"refers to {reference!r:.100}{where}, outside of itself: no client fetches that"
    elif not _resolves(reference, whole):
        yield f"refers to {reference!r:.100}{where}, which is not there"


def _resolves(reference: str, whole: Any) -> bool:
    if reference == "#":
        return True
    if not reference.startswith("#/"):
        return True  # an anchor: few schemas have one, and reading them all is not our part
    found = whole
    for word in reference[2:].split("/"):
        key = word.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and key.isdigit() and int(key) < len(found):
            found = found[int(key)]
        elif isinstance(found, dict) and key in found:
            found = found[key]
        else:
            return False
    return True
