"""What `read` returns: a text file with line numbers, a picture, or the names in a folder.

What is larger than a few megabytes is never read whole; it can be read in parts, and not be edited.
"""

from __future__ import annotations

import base64
import hashlib
import os
from typing import TYPE_CHECKING, Any

from pisces.files import TOO_LARGE, Unreadable, read_bytes
from pisces.shapes.tool import ToolFailed
from pisces.tools.file_lines import LONGEST_LINE, some_lines
from pisces.tools.file_text import file_text, lines_of
from pisces.tools.folder_listing import folder_listing
from pisces.tools.named_path import failed, path_of
from pisces.tools.workbench import text_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.tools.workbench import Workbench

_MOST_LINES = 2_000
_MOST_TEXT = 64 << 10  # characters
_LARGEST_PICTURE = 3_750_000  # bytes: providers take 5 MB of base64
_PICTURES = ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpeg"), (b"GIF87a", "gif"), (b"GIF89a", "gif"))


def read(bench: Workbench, given: Mapping[str, Any]) -> dict[str, Any]:
    named = given["path"]
    path = path_of(bench, named)
    first, most = given.get("offset", 1), min(given.get("limit", _MOST_LINES), _MOST_LINES)
    try:
        if os.path.isdir(path):
            return folder_listing(path, named)
        data = read_bytes(path)
    except Unreadable as error:
        if error.kind == TOO_LARGE:
            return _part_of_large(path, named, first, most)
        raise failed(named, error, path) from None
    except (OSError, ValueError) as error:
        raise failed(named, error, path) from None
    bench.seen.saw(os.path.realpath(path), hashlib.sha256(data).hexdigest())
    kind = _picture(data)
    if kind:
        return _shown_picture(path, named, data, kind)
    text = file_text(data)
    if text is None:
        raise ToolFailed(f"`{named}` is not text ({len(data)} bytes): use `shell` to examine it")
    lines = lines_of(text.shown)
    if first > max(len(lines), 1):
        raise ToolFailed(f"`{named}` has {len(lines)} lines: there is no line {first}")
    shown = _fitting(lines[first - 1 : first - 1 + most])
    rest = len(lines) - (first - 1) - len(shown)
    note = f"[{rest} more lines of {len(lines)}: go on with offset {first + len(shown)}]" if rest else ""
    return _result(path, shown, first, note)


def _part_of_large(path: str, named: str, first: int, most: int) -> dict[str, Any]:
    try:
        lines, has_more = some_lines(path, named, first, most)
        size = os.path.getsize(path)
    except (OSError, ValueError) as error:
        raise failed(named, error, path) from None
    if not lines:
        raise ToolFailed(f"`{named}` has no line {first}")
    shown = _fitting(lines)
    has_more = has_more or len(shown) < len(lines)
    more = f"go on with offset {first + len(shown)}" if has_more else "this is its end"
    return _result(path, shown, first, f"[part of a file of {size:,} bytes: {more}]")


def _fitting(lines: list[str]) -> list[str]:
    """As many as fit, at least one; each of them cut where it is too long."""
    shown: list[str] = []
    size = 0
    for line in lines:
        cut = len(line) - LONGEST_LINE
        text = f"{line[:LONGEST_LINE]} [{cut} more characters]" if cut > 0 else line
        size += len(text)
        if shown and size > _MOST_TEXT:
            break
        shown.append(text)
    return shown


def _result(path: str, shown: list[str], first: int, note: str) -> dict[str, Any]:
    numbered = "\n".join(f"{number:>6}  {line}" for number, line in enumerate(shown, first))
    text = "\n".join(filter(None, (numbered, note)))
    return text_result(text or "[the file is empty]", path=path, first=first, lines=len(shown), cut=note)


def _picture(data: bytes) -> str:
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return next((f"image/{kind}" for mark, kind in _PICTURES if data.startswith(mark)), "")


def _shown_picture(path: str, named: str, data: bytes, mime: str) -> dict[str, Any]:
    if len(data) > _LARGEST_PICTURE:
        raise ToolFailed(f"`{named}` is a picture of {len(data):,} bytes, too large for a model: make a smaller copy")
    content = [
        {"type": "text", "text": f"{named}: {mime}, {len(data):,} bytes"},
        {"type": "image", "data": base64.b64encode(data).decode(), "mimeType": mime},
    ]
    return {"content": content, "details": {"path": path, "mime": mime, "bytes": len(data)}}
