"""JSON files that we or others wrote, read in the two ways that callers need: a fault is nothing, or an error."""

from __future__ import annotations

from pisces.diagnostics import PiscesError, Rule
from pisces.files import MISSING, Unreadable, read_text
from pisces.formats.json import JsonObject, parse
from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def object_at(path: str) -> JsonObject:
    """Empty where the file is missing, broken or holds something else than an object: others report that."""
    try:
        value = parse(read_text(path))
    except (Unreadable, Malformed):
        return {}
    return value if isinstance(value, dict) else {}


def json_at(path: str, rule: Rule, label: str) -> Any:
    """The value in a file; None if the file is missing. `PiscesError` by the caller's rule for every other fault.

    `label` begins the message about an unreadable file.
    """
    try:
        return parsed_json(read_text(path), path, rule)
    except Unreadable as error:
        if error.kind == MISSING:
            return None
        raise PiscesError(rule.at(path, f"{label} {error.message}")) from None


def parsed_json(text: str, path: str, rule: Rule) -> Any:
    """The value in a text that was read from `path`."""
    try:
        return parse(text)
    except Malformed as error:
        raise PiscesError(rule.at(path, error.message, place=(error.line, error.column))) from None
