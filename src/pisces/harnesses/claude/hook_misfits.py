"""What Claude Code tells the model of a hook whose input does not fit the tool."""

from __future__ import annotations

from pisces.formats.json_copy import path_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from pisces.formats.json_keywords import SchemaMisfit

_BLAME = "The tool input from the model was valid; the hook's rewrite of it was not."
_ORDER = ("required", "additionalProperties", "type")


def unfit_text(name: str, tool: str, given: Mapping[str, Any], misfits: Sequence[SchemaMisfit]) -> str:
    ordered = sorted(misfits, key=lambda each: _ORDER.index(each.keyword) if each.keyword in _ORDER else len(_ORDER))
    issue = "issue" if len(ordered) == 1 else "issues"
    lines = "\n".join(_line(each, given) for each in ordered)
    start = f"{name} hook for {tool} returned updatedInput that failed schema validation: "
    return f"{start}{tool} failed due to the following {issue}:\n{lines}\n{_BLAME}"


def _line(misfit: SchemaMisfit, given: Mapping[str, Any]) -> str:
    where = path_text(misfit.path)
    if misfit.keyword == "required":
        return f"The required parameter `{where}` is missing"
    if misfit.keyword == "additionalProperties":
        return f"An unexpected parameter `{where}` was provided"
    if misfit.keyword == "type" and misfit.wanted and misfit.path:
        wanted = "number" if misfit.wanted == "integer" else misfit.wanted
        return f"The parameter `{where}` type is expected as `{wanted}` but provided as `{_kind(given, misfit.path)}`"
    return misfit.text


def _kind(given: Any, path: Sequence[str | int]) -> str:
    """JavaScript's word for the kind of a value."""
    for key in path:
        given = given[key]
    if given is None or isinstance(given, bool):
        return "null" if given is None else "boolean"
    if isinstance(given, str):
        return "string"
    return "number" if isinstance(given, (int, float)) else "array" if isinstance(given, (list, tuple)) else "object"
