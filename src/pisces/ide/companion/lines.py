"""A companion driven by JSON lines, so that a plugin in any language is a page long.

One object a line. The editor says what happened with `do`:

    {"do": "focus", "path": "/p/a.py", "cursor": {"line": 3, "character": 1}, "selectedText": "x"}
    {"do": "select", "cursor": {"line": 4, "character": 1}}      in the focused file
    {"do": "open", "path": "/p/b.py"}  {"do": "close", "path": ...}  {"do": "rename", "path": ..., "to": ...}
    {"do": "context", "workspaceState": {"openFiles": [...], "isTrusted": true}}      all at once instead
    {"do": "workspace", "paths": ["/p"]}  {"do": "trust", "isTrusted": true}  {"do": "env"}  {"do": "stop"}
    {"do": "accept", "path": ..., "content": "the text, where it was edited"}  {"do": "reject", "path": ...}
    {"do": "closed", "id": 1, "content": "the text, where it was edited"}      the answer to closeDiff
    {"do": "abandon", "path": ...}      this diff cannot be shown

and hears with `event`:

    {"event": "ready", "port": 40123, "files": [...], "version": "0.1.0"}
    {"event": "openDiff", "path": ..., "content": "the whole new text"}
    {"event": "closeDiff", "id": 1, "path": ...}      answer with `closed`
    {"event": "clients", "count": 1}  {"event": "env", "env": {...}}
    {"event": "problem", "code": ..., "message": ...}      a line that was not understood changes nothing
"""

from __future__ import annotations

import itertools
import json
import queue

from pisces.diagnostics import ERROR, Rule
from pisces.formats.fit import FLAG, TEXT, WHOLE, Listed, Record, misfits
from pisces.formats.malformed import Malformed
from pisces.ide.companion.options import Editor
from pisces.shapes.ide_context import Cursor, context_from_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pisces.diagnostics import Diagnostic
    from pisces.ide.companion.companion import Companion

_CURSOR = Record({"line": WHOLE, "character": WHOLE})
_PLACE = {"cursor": _CURSOR, "selectedText": TEXT}
_SHAPES = {
    "focus": Record({"path": TEXT}, _PLACE),
    "select": Record({}, _PLACE),
    "open": Record({"path": TEXT}),
    "close": Record({"path": TEXT}),
    "rename": Record({"path": TEXT, "to": TEXT}),
    "context": Record({}),
    "workspace": Record({"paths": Listed(TEXT)}),
    "trust": Record({"isTrusted": FLAG}),
    "accept": Record({"path": TEXT}, {"content": TEXT}),
    "reject": Record({"path": TEXT}),
    "abandon": Record({"path": TEXT}),
    "closed": Record({"id": WHOLE}, {"content": TEXT}),
    "env": Record({}),
    "stop": Record({}),
}

MALFORMED_LINE = Rule(
    "ide-line-malformed",
    ERROR,
    "a line that an editor's plugin sent is not understood",
    "Half a message must not become half a context, so the line changes nothing. It is an error of the plugin.",
    '{"do": "focus", "file": "main.py"}',
    '{"do": "focus", "path": "/home/me/project/main.py"}',
)


class Lines:
    """`write` puts one line out, is called from any thread and does not wait for whoever reads it."""

    def __init__(self, write: Callable[[str], object], closed_within: float = 9.0) -> None:
        self._write = write
        self._closed_within = closed_within
        self._ids = itertools.count(1)
        self._closing: dict[int, queue.SimpleQueue[str | None]] = {}

    @property
    def editor(self) -> Editor:
        return Editor(self._open_diff, self._close_diff, lambda count: self.tell("clients", count=count))

    def tell(self, event: str, **fields: Any) -> None:
        self._write(json.dumps({"event": event, **fields}, separators=(",", ":")))

    def problem(self, diagnostic: Diagnostic) -> None:
        fields = {"message": diagnostic.message, "severity": diagnostic.severity}
        fields |= {"path": diagnostic.path} if diagnostic.path else {}
        self.tell("problem", code=diagnostic.code, **fields)

    def take(self, line: bytes, companion: Companion) -> bool:
        """Does what one line says; False when it says stop."""
        try:
            told = _told(line)
            if told["do"] == "stop":
                return False
            self._obey(told, companion)
        except Malformed as problem:
            self.problem(MALFORMED_LINE.at("", problem.message))
        return True

    def _obey(self, told: dict[str, Any], companion: Companion) -> None:
        act, path, files = told["do"], told.get("path", ""), companion.open_files
        if act == "focus":
            files.focus(path, _cursor(told), told.get("selectedText", ""))
        elif act == "select":
            files.select(_cursor(told), told.get("selectedText", ""))
        elif act == "open":
            files.open(path)
        elif act == "close":
            files.close(path)
        elif act == "rename":
            files.rename(path, told["to"])
        elif act == "context":
            companion.update(context_from_json(told))
        elif act == "workspace":
            companion.move_to(*told["paths"])
        elif act == "trust":
            companion.trust(told["isTrusted"])
        elif act == "accept":
            companion.accept(path, told.get("content"))
        elif act == "reject":
            companion.reject(path)
        elif act == "abandon":
            companion.abandon(path)
        elif act == "closed":
            self._closed(told["id"], told.get("content"))
        elif act == "env":
            self.tell("env", env=companion.env)

    def _open_diff(self, path: str, content: str) -> None:
        self.tell("openDiff", path=path, content=content)

    def _close_diff(self, path: str) -> str | None:
        """Waits for `closed`; an editor that does not answer in time has changed nothing."""
        id = next(self._ids)
        answer = self._closing[id] = queue.SimpleQueue()
        self.tell("closeDiff", id=id, path=path)
        try:
            return answer.get(timeout=self._closed_within)
        except queue.Empty:
            return None
        finally:
            del self._closing[id]

    def _closed(self, id: int, content: str | None) -> None:
        waiting = self._closing.get(id)
        if waiting:
            waiting.put(content)


def _told(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        raise Malformed("a line is not JSON") from None
    act = told.get("do") if isinstance(told, dict) else None
    if not isinstance(act, str) or act not in _SHAPES:
        raise Malformed(f"a line needs `do`, one of {', '.join(_SHAPES)}")
    for misfit in misfits(told, _SHAPES[act]):
        place = ".".join(map(str, misfit.path)) or act
        raise Malformed(f"`{place}` {misfit.message}")
    assert isinstance(told, dict)
    return told


def _cursor(told: dict[str, Any]) -> Cursor | None:
    place = told.get("cursor")
    return Cursor(int(place["line"]), int(place["character"])) if place else None
