"""One line of a transcript: an entry with its kind, its id and the entry before it. See docs/concepts/transcript.md.

A line that is no entry is None, whatever is in it: nothing that stands in a file raises here.
"""

from __future__ import annotations

import json
import re

from pisces.formats.json import DEEPEST, REFUSALS, scan
from pisces.formats.json_fault import is_too_deep
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

SESSION, MESSAGE, COMPACTION, CUSTOM, NAMED, LABEL = "session", "message", "compaction", "custom", "name", "label"
MODEL, MODE, NOTICE, SUBAGENT, SPENT, LEAF = "model", "mode", "notice", "subagent", "spent", "leaf"
DIFFS = "diffs"  # of the files that calls have changed, by the ids of the calls
INTERRUPTED = "interrupted"  # the `stop` of an answer that somebody or something cut
VERSION = 1

_HEAD = ("type", "id", "parent", "at")
_OWN_HEAD = re.compile(
    rb'\{"type": "([a-z]+)", "id": "([A-Za-z0-9_-]{1,64})", "parent": "([A-Za-z0-9_-]{0,64})", "at": '
)
_LONGEST_ID = 64
_DEEPEST_VALUE = 200
_LARGEST_NUMBER = 10_000  # bits


class TranscriptEntry(Value):
    """One line. `parent` is the entry before it, so that a session may branch. `fields` are those of its `kind`.

    Long texts in `fields` may be cut: `fields["stored"]` says where the whole is (see `transcript_texts`).
    """

    kind: str
    id: str
    parent: str
    at: float
    fields: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"type": self.kind, "id": self.id, "parent": self.parent, "at": self.at, **self.fields}


def line_of(entry: TranscriptEntry) -> bytes:
    """With its end. What JSON has no word for becomes text."""
    head = dict(zip(_HEAD, (entry.kind, entry.id, entry.parent, entry.at), strict=True))
    value = {**head, **entry.fields, **head}
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        text = ""
    if not text or _is_too_deep(text):
        text = json.dumps(_storable(value, _DEEPEST_VALUE), ensure_ascii=False)
    try:
        return text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:  # half of a surrogate pair: only an escape keeps it as it is
        return json.dumps(json.loads(text)).encode("ascii") + b"\n"


def _storable(value: Any, depth: int) -> Any:
    if isinstance(value, dict) and depth:
        return {str(key): _storable(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple) and depth:
        return [_storable(item, depth - 1) for item in value]
    if isinstance(value, float):
        return value if value - value == 0 else str(value)  # neither infinite nor not a number
    if isinstance(value, int) and value.bit_length() > _LARGEST_NUMBER:
        return hex(value)  # Python writes no decimal digits of such a number
    return value if isinstance(value, str | int) or value is None else f"a {type(value).__name__}"


def entry_of(line: bytes) -> TranscriptEntry | None:
    """None for what is no entry."""
    value = _object_in(line)
    if value is None:
        return None
    kind, entry_id, parent, at = (value.pop(name, "") for name in _HEAD)
    if not isinstance(kind, str) or not kind or not is_id(entry_id) or not (parent == "" or is_id(parent)):
        return None
    return TranscriptEntry(kind, entry_id, parent, at if type(at) in (int, float) else 0.0, value)


def head_of(line: bytes) -> tuple[bytes, bytes, bytes] | None:
    """Kind, id and parent. Of our own lines no more is read, which is far quicker than parsing them."""
    found = _OWN_HEAD.match(line)
    if found is not None and line.endswith(b"}"):
        return found[1], found[2], found[3]
    entry = entry_of(line)
    return None if entry is None else (entry.kind.encode("utf-8", "replace"), entry.id.encode(), entry.parent.encode())


def is_id(value: object) -> bool:
    """Letters, digits, `-` and `_`: they stand in a line as they are, so that it can be found without parsing."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_ID or not value.isascii():
        return False
    return value.isalnum() or value.replace("-", "").replace("_", "").isalnum()


def _object_in(line: bytes) -> dict[str, Any] | None:
    if line[:1] != b"{":
        return None
    text = line.decode("utf-8", "replace")
    try:
        if _is_too_deep(text):
            return None
        value, end = scan(text, 0)
    except REFUSALS:
        return None
    return value if isinstance(value, dict) and (end == len(text) or not text[end:].strip()) else None


def _is_too_deep(text: str) -> bool:
    return text.count("{") + text.count("[") > DEEPEST and is_too_deep(text)
