"""Every rule there is, read from an index that `scripts/generate-docs` writes: nothing is imported to be explained."""

from __future__ import annotations

from pisces.by_name import text_in
from pisces.diagnostics import Rule
from pisces.formats.json import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INDEX = "rules.jsonl"  # a rule a line: a list with the fields of `Rule` in order


def all_rules() -> dict[str, Rule]:
    """By code, sorted."""
    every: list[Any] = [parse(line) for line in text_in("pisces.ui", INDEX).splitlines()]
    return {fields[0]: Rule(*fields) for fields in every}
