"""An entry of a manifest as one text, and whether bytes that were hashed really say it.

What is used was read before the files were hashed. Comparing both leaves no time in which one may stand for the other.
"""

from __future__ import annotations

import hashlib
import json

from pisces.files import Unreadable, read_bytes
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def entry_text(entry: object) -> str:
    """The same text for the same entry, in whatever order its keys are written."""
    return json.dumps(entry, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def says_entry(path: str, sha256: str, keys: Sequence[str | int], entry: object) -> bool:
    """Whether the file at a path has this hash, and the keys lead to exactly this entry in the bytes with that hash."""
    try:
        data = read_bytes(path)
        value = parse(data.decode("utf-8", "replace"))
    except (Unreadable, Malformed):
        return False
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    is_hashed = hashlib.sha256(data).hexdigest() == sha256
    return is_hashed and value is not None and entry_text(value) == entry_text(entry)
