"""Servers that the user let start, each with what it was then. A file that is broken counts as empty."""

from __future__ import annotations

import json
import os

from pisces.atomic import write_atomically
from pisces.disk import disk_faults
from pisces.file_lock import file_lock
from pisces.formats.json_file import object_at
from pisces.gates.server_content import ServerContent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.places import Places

_FILE = "approved-servers.json"
_MODE = 0o600
_MOST_PINS = 20_000  # of one server; with more, only whether something changed is known


def approved_server(places: Places, key: str) -> tuple[str, ServerContent] | None:
    """The hash of what was allowed, and what that was."""
    stored = object_at(_path(places)).get(key)
    if not isinstance(stored, dict) or not isinstance(stored.get("sha256"), str):
        return None
    return stored["sha256"], ServerContent(_texts(stored.get("facts")), _texts(stored.get("files")))


def remember_server(places: Places, key: str, content: ServerContent) -> None:
    """Raises `PiscesError` where it cannot be written."""
    pins = content.pins if len(content.pins) <= _MOST_PINS else {}
    made = {"sha256": content.sha256, "facts": dict(content.facts), "files": dict(pins)}
    with disk_faults(places.agent_dir), file_lock(_path(places) + ".lock", lambda _text: None):
        stored = {**object_at(_path(places)), key: made}
        text = json.dumps(dict(sorted(stored.items())), indent=1)
        write_atomically(_path(places), text.encode("utf-8", "surrogateescape"), _MODE)


def _texts(value: Any) -> dict[str, str]:
    items = value.items() if isinstance(value, dict) else ()
    return {name: text for name, text in items if isinstance(text, str)}


def _path(places: Places) -> str:
    return os.path.join(places.agent_dir, _FILE)
