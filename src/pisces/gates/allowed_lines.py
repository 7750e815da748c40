"""Command lines of prompt files that the user has allowed for good: one small file in the agent folder, mode 0600.

Each is bound to its text, to the folder in which it runs and to the prompt file with all that is in it: any change of
that file asks again. A file of ours that is broken counts as empty.
"""

from __future__ import annotations

import hashlib
import os

from pisces.by_name import export_of
from pisces.files import Unreadable, read_bytes
from pisces.formats.json_file import object_at
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pisces.places import Places
    from pisces.shapes.request import LineRequest

_FILE = "allowed-lines.json"
_MODE = 0o600


class AllowedLine(Value):
    """`sha256` is the hash of the prompt file at `path`; `cwd` is the folder in which the line runs."""

    line: str
    path: str
    sha256: str
    cwd: str


def allowed_lines(places: Places) -> tuple[AllowedLine, ...]:
    stored = object_at(_path(places)).get("lines")
    read = [_line(each) for each in stored] if isinstance(stored, list) else []
    return tuple(each for each in read if each)


def is_allowed(places: Places, request: LineRequest) -> bool:
    """Whether this very line of this very file was allowed for good."""
    if not os.path.lexists(_path(places)):
        return False
    return _of(request) in allowed_lines(places)


def allow_line(places: Places, request: LineRequest) -> bool:
    """Whether it is stored now. A file that cannot be read cannot be bound to."""
    allowed = _of(request)
    if allowed is None:
        return False
    _change(places, lambda lines: (*(each for each in lines if each != allowed), allowed))
    return True


def forget_lines(places: Places, is_meant: Callable[[AllowedLine], bool]) -> int:
    """How many were forgotten."""
    before = len(allowed_lines(places))
    if not before:
        return 0
    _change(places, lambda lines: tuple(each for each in lines if not is_meant(each)))
    return before - len(allowed_lines(places))


def _of(request: LineRequest) -> AllowedLine | None:
    try:
        data = read_bytes(request.path)
    except Unreadable:
        return None
    return AllowedLine(request.exact, request.path, hashlib.sha256(data).hexdigest(), request.cwd)


def _line(value: Any) -> AllowedLine | None:
    names = ("line", "path", "sha256", "cwd")
    if not isinstance(value, dict) or not all(isinstance(value.get(name), str) for name in names):
        return None
    return AllowedLine(*(value[name] for name in names))


def _change(places: Places, change: Callable[[tuple[AllowedLine, ...]], tuple[AllowedLine, ...]]) -> None:
    with export_of("pisces", "file_lock", "file_lock")(_path(places) + ".lock", lambda _text: None):
        lines = change(allowed_lines(places))
        stored = [{"line": each.line, "path": each.path, "sha256": each.sha256, "cwd": each.cwd} for each in lines]
        text = export_of("json", "encoder", "JSONEncoder")(indent=1).encode({"lines": stored})
        export_of("pisces", "atomic", "write_atomically")(_path(places), text.encode(), _MODE)


def _path(places: Places) -> str:
    return os.path.join(places.agent_dir, _FILE)
