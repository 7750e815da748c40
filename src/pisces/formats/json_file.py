"""JSON files of which a broken one counts as a missing one: whoever shows the file to people reports it."""

from __future__ import annotations

from pisces.files import Unreadable, read_text
from pisces.formats.json import JsonObject, parse
from pisces.formats.malformed import Malformed


def object_at(path: str) -> JsonObject:
    """Empty where the file is missing, broken or holds something else than an object."""
    try:
        value = parse(read_text(path))
    except (Unreadable, Malformed):
        return {}
    return value if isinstance(value, dict) else {}
