"""JSON files that we or others wrote. Every fault raises an error by the caller's rule."""

from __future__ import annotations

from pisces.diagnostics import PiscesError, Rule
from pisces.files import MISSING, Unreadable, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def json_at(path: str, rule: Rule, label: str) -> Any:
    """The value in a file; None if the file is missing. `label` begins the message about an unreadable file."""
    try:
        return parsed_json(read_text(path), path, rule)
    except Unreadable as error:
        if error.kind == MISSING:
            return None
        raise PiscesError(rule.at(path, f"{label} {error.message}")) from None


def parsed_json(text: str, path: str, rule: Rule) -> Any:
    try:
        return parse(text)
    except Malformed as error:
        raise PiscesError(rule.at(path, error.message, place=(error.line, error.column))) from None
