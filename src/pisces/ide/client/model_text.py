"""What the model reads about the editor: everything first, then only changes. Words and layout are Gemini CLI's.

It has paths and the selection, never the content of a file. It is empty if there is nothing to report.
"""

from __future__ import annotations

import json
import re
from typing import Any

from pisces.shapes.ide_context import Cursor, IdeContext, OpenFile

_FULL = "Here is the user's editor context as a JSON object. This is for your information only."
_DELTA = "Here is a summary of changes in the user's editor context, in JSON format. This is for your information only."
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class ModelText:
    """Remembers what was sent last. After `restart` (a new, replaced or compressed history) all is sent again."""

    def __init__(self) -> None:
        self._sent: IdeContext | None = None

    def restart(self) -> None:
        self._sent = None

    def next(self, context: IdeContext | None) -> str:
        """For the next message of the user; never between a tool call and its result."""
        before, self._sent = self._sent, context
        if context is None:
            return ""
        return full_text(context) if before is None else delta_text(before, context)


def full_text(context: IdeContext) -> str:
    active = _active(context)
    others = [file.path for file in context.open_files if not file.is_active]
    fields: dict[str, Any] = {"activeFile": _described(active)} if active else {}
    fields |= {"otherOpenFiles": others} if others else {}
    return _text(_FULL, fields) if fields else ""


def delta_text(before: IdeContext, now: IdeContext) -> str:
    old, new = ({file.path: None for file in context.open_files} for context in (before, now))
    changes: dict[str, Any] = {}
    if added := [path for path in new if path not in old]:
        changes["filesOpened"] = added
    if closed := [path for path in old if path not in new]:
        changes["filesClosed"] = closed
    changes |= _of_active(_active(before), _active(now))
    return _text(_DELTA, {"changes": changes}) if changes else ""


def _of_active(before: OpenFile | None, now: OpenFile | None) -> dict[str, Any]:
    if now is None:
        return {"activeFileChanged": {"path": None, "previousPath": before.path}} if before else {}
    if before is None or before.path != now.path:
        return {"activeFileChanged": _described(now)}
    changes: dict[str, Any] = {}
    if now.cursor and now.cursor != before.cursor:
        changes["cursorMoved"] = {"path": now.path, "cursor": _cursor(now.cursor)}
    if now.selected_text != before.selected_text:
        changes["selectionChanged"] = {"path": now.path, "selectedText": now.selected_text}
    return changes


def _described(file: OpenFile) -> dict[str, Any]:
    cursor = {"cursor": _cursor(file.cursor)} if file.cursor else {}
    selected = {"selectedText": file.selected_text} if file.selected_text else {}
    return {"path": file.path, **cursor, **selected}


def _cursor(cursor: Cursor) -> dict[str, float]:
    return {"line": _number(cursor.line), "character": _number(cursor.character)}


def _number(number: float) -> float:
    """JavaScript writes 1.0 as 1."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _active(context: IdeContext) -> OpenFile | None:
    return next((file for file in context.open_files if file.is_active), None)


def _text(sentence: str, fields: dict[str, Any]) -> str:
    """Lone surrogates, which a cut selection may end with, are escaped: they cannot be encoded."""
    printed = json.dumps(fields, indent=2, ensure_ascii=False)
    printed = _LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", printed)
    return f"{sentence}\n```json\n{printed}\n```"
