"""What a conversion would change in files, as a unified diff."""

from __future__ import annotations

import os
from difflib import unified_diff

from pisces.converting.output import STALE, written
from pisces.files import Unreadable, read_bytes
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.converting.output import PlannedFile
    from pisces.ui.screen import Screen

_MOST = 256 * 1024  # bytes; the diff of a longer file takes long and is not read
_NONE = "/dev/null"


def diff_lines(plan: Iterable[PlannedFile], out: str, screen: Screen) -> Iterator[str]:
    for each in written(plan):
        old = _content(os.path.join(out, *each.path.split("/"))) if each.before else b""
        new = each.data if each.data is not None else _content(each.source) if each.state != STALE else b""
        before, after = _text(old), _text(new)
        if before is None or after is None:
            yield f"{each.state} {visible(each.path)} (no text, or too long to be compared)"
            continue
        old_name = visible(f"a/{each.path}") if each.before else _NONE
        new_name = visible(f"b/{each.path}") if each.state != STALE else _NONE
        for line in unified_diff(before.splitlines(), after.splitlines(), old_name, new_name, lineterm=""):
            yield _styled(line, screen)


def _content(path: str) -> bytes:
    try:
        return read_bytes(path)
    except Unreadable:
        return b"\0"


def _text(data: bytes) -> str | None:
    if b"\0" in data or len(data) > _MOST:
        return None
    return data.decode("utf-8", "replace")


def _styled(line: str, screen: Screen) -> str:
    style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
    return screen.styled(visible(line), style) if style else visible(line)
