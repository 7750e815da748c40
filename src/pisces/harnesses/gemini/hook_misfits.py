"""What Gemini CLI tells the model of a hook whose input does not fit the tool: the first misfit, in Ajv's words."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.formats.json_keywords import SchemaMisfit

_FIRST = ("required", "additionalProperties")  # Ajv looks at the object before it looks at its properties
_LIMITS = {"minimum": ">=", "maximum": "<=", "exclusiveMinimum": ">", "exclusiveMaximum": "<"}


def unfit_text(misfits: Sequence[SchemaMisfit]) -> str:
    ordered = sorted(misfits, key=lambda each: _FIRST.index(each.keyword) if each.keyword in _FIRST else len(_FIRST))
    return f"Tool parameter modification by hook failed validation: {_line(ordered[0])}"


def _line(misfit: SchemaMisfit) -> str:
    if misfit.keyword == "required":
        return f"{_place(misfit.path[:-1])} must have required property '{misfit.path[-1]}'"
    if misfit.keyword == "additionalProperties":
        return f"{_place(misfit.path[:-1])} must NOT have additional properties"
    if misfit.keyword == "enum":
        return f"{_place(misfit.path)} must be equal to one of the allowed values"
    says = {"type": "", **{name: f"{sign} " for name, sign in _LIMITS.items()}}
    if misfit.keyword in says and misfit.wanted:
        return f"{_place(misfit.path)} must be {says[misfit.keyword]}{misfit.wanted}"
    return f"{_place(misfit.path)} {misfit.message}"


def _place(path: Sequence[str | int]) -> str:
    return "/".join(("params", *map(str, path)))
