"""Writes the record of publishers atomically, with one writer at a time. Loaded only for a change."""

from __future__ import annotations

import json

from pisces.atomic import write_atomically
from pisces.file_lock import file_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def rewrite(path: str, content: Callable[[], object | None]) -> None:
    """Calls `content` under the lock. If it returns None, the file stays as it is."""
    with file_lock(path + ".lock", lambda _text: None):
        value = content()
        if value is not None:
            write_atomically(path, json.dumps(value, indent=2).encode("utf-8") + b"\n", 0o600)
