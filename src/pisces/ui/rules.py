"""Every rule there is, read from an index that `scripts/generate-docs` writes: nothing is imported to be explained."""

from __future__ import annotations

from pisces.by_name import text_in
from pisces.formats.json import parse
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INDEX = "rules.jsonl"  # a rule a line: a list with the fields below in order


class ExplainedRule(Value):
    """A rule with what `rules.md` of its folder says about it."""

    code: str
    severity: str
    title: str
    why: str
    example: str
    instead: str


def all_rules() -> dict[str, ExplainedRule]:
    """By code, sorted."""
    every: list[Any] = [parse(line) for line in text_in("pisces.ui", INDEX).splitlines()]
    return {fields[0]: ExplainedRule(*fields) for fields in every}
