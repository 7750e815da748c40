"""Does a JSON value fit a JSON Schema? Every misfit has its path, what was expected and, where there is one, a hint.

The keywords of drafts 4 to 2020-12 for types, numbers, texts, arrays, objects and combinations: see `json_keywords`.
`format` is not checked, as drafts have it. A `$ref` inside the schema is followed; one that leads out of it, and a
pattern that no linear matcher can decide, are not checked. Each part of the schema meets each part of the value once,
so time is linear in both, and a `$ref` that leads back to itself ends.
"""

from __future__ import annotations

from urllib.parse import unquote

from pisces.by_name import export_of
from pisces.formats.json_keywords import KEYWORDS, SchemaMisfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Checker:
    """One schema. `misfits(value)` may be asked about many values."""

    def __init__(self, schema: Any) -> None:
        self.root = schema
        self._fits: dict[tuple[int, int], tuple[bool, Any]] = {}  # by identity; values stay alive while they count
        self._patterns: dict[str, Any] = {}
        self._named: dict[str, Any] | None = None

    def misfits(self, value: Any, most: int = 8) -> list[SchemaMisfit]:
        """What is wrong, at most so many; nothing if the value fits."""
        self._fits.clear()
        found: dict[SchemaMisfit, None] = {}
        try:
            for number, each in enumerate(self.below(self.root, value)):
                found[each] = None
                if len(found) >= most or number >= 10 * most:  # several parts of a schema may say the same
                    break
        except RecursionError:
            return [SchemaMisfit((), "are nested too deep for this schema")]
        return list(found)

    def below(self, schema: Any, value: Any) -> Iterator[SchemaMisfit]:
        if not self.fits(schema, value):
            yield from self._every(schema, value)

    def fits(self, schema: Any, value: Any) -> bool:
        if not isinstance(schema, dict):
            return schema is not False
        if not isinstance(value, (dict, list)) and "$ref" not in schema:
            return next(self._every(schema, value), None) is None
        key = id(schema), id(value)
        if key not in self._fits:
            self._fits[key] = True, value  # until shown otherwise: a `$ref` may lead back here
            self._fits[key] = next(self._every(schema, value), None) is None, value
        return self._fits[key][0]

    def _every(self, schema: Any, value: Any) -> Iterator[SchemaMisfit]:
        if schema is False:
            yield SchemaMisfit((), "must be left out")
        for name, argument in schema.items() if isinstance(schema, dict) else ():
            keyword = KEYWORDS.get(name)
            for misfit in keyword(self, argument, value, schema) if keyword else ():
                yield misfit if misfit.keyword else misfit.replace(keyword=name, wanted=_word(argument))

    def target(self, reference: Any) -> Any:
        """What a `$ref` stands for; True, which everything fits, if it leads out of the schema."""
        if not isinstance(reference, str):
            return True
        if reference == "#" or reference.startswith("#/"):
            return _pointed_at(self.root, reference)
        if self._named is None:
            self._named = dict(_names_in(self.root))
        return self._named.get(reference, True)

    def is_match(self, pattern: str, text: str) -> bool:
        if pattern not in self._patterns:
            self._patterns[pattern] = export_of("pisces.formats", "js_regex_match", "js_pattern")(pattern)
        found = self._patterns[pattern]
        return found is None or found.search(text)


def _word(argument: Any) -> str:
    return str(argument) if isinstance(argument, (str, int, float)) else ""


def _pointed_at(root: Any, reference: str) -> Any:
    at = root
    for part in unquote(reference).split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(at, dict) and key in at:
            at = at[key]
        elif isinstance(at, list) and key.isdecimal() and int(key) < len(at):
            at = at[int(key)]
        else:
            return True
    return at


def _names_in(root: Any) -> Iterator[tuple[str, Any]]:
    """Parts that have a name of their own: `$id` as it is, `$anchor` behind a `#`."""
    waiting = [root]
    while waiting:
        part = waiting.pop()
        fields = part if isinstance(part, dict) else {}
        for key, mark in (("$id", ""), ("$anchor", "#")):
            if isinstance(fields.get(key), str):
                yield mark + fields[key], part
        waiting.extend(part if isinstance(part, list) else fields.values())
