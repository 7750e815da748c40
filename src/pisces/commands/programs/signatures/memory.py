"""Writes the memory of publishers: one writer at a time, the old content or the new. Loaded only where it changes."""

from __future__ import annotations

import json

from pisces.atomic import write_atomically
from pisces.file_lock import file_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def rewrite(path: str, content: Callable[[], object | None]) -> None:
    """`content` is asked for once nobody else writes; None means that all is well as it is."""
    with file_lock(path + ".lock", lambda _text: None):
        told = content()
        if told is not None:
            write_atomically(path, json.dumps(told, indent=2).encode("utf-8") + b"\n", 0o600)
