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

and receives with `event`:

    {"event": "ready", "port": 40123, "files": [...], "version": "0.1.0", "protocol": 1, "limits": {...}}
    {"event": "openDiff", "path": ..., "content": "the whole new text"}
    {"event": "closeDiff", "id": 1, "path": ...}      answer with `closed`
    {"event": "clients", "count": 1}  {"event": "env", "env": {...}}
    {"event": "problem", "code": ..., "message": ...}      an invalid line changes nothing

Paths of files and folders are absolute. An answer that comes too late is reported as a problem, with severity `note`.
"""

from __future__ import annotations

import itertools
import json
import os
import queue
from collections.abc import Callable
from typing import Any

from pisces.diagnostics import ERROR, NOTE, Diagnostic, Rule
from pisces.formats.fit import FLAG, TEXT, WHOLE, Listed, Record, misfits
from pisces.formats.malformed import Malformed
from pisces.ide.companion.companion import Companion
from pisces.ide.companion.options import Editor
from pisces.ide.companion.strict_json import strict_value
from pisces.shapes.ide_context import MOST_FILES, MOST_SELECTED, Cursor, IdeContext, context_from_json

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

PROTOCOL = 1  # of the lines; it grows when a plugin has to change
MOST_LINE = 64 * 1024 * 1024  # bytes
LIMITS = {"line": MOST_LINE, "files": MOST_FILES, "selectedText": MOST_SELECTED}

LATE = Rule("ide-answer-late", NOTE, "an answer of an editor's plugin came too late, or nobody had asked")
MALFORMED_LINE = Rule("ide-line-malformed", ERROR, "a line that an editor's plugin sent is not understood")


class PluginLines:
    """`write` sends one line. It is called from any thread and must not block."""

    def __init__(self, write: Callable[[str], object], closed_within: float = 9.0) -> None:
        self._write = write
        self._closed_within = closed_within
        self._ids = itertools.count(1)
        self._closing: dict[int, queue.SimpleQueue[str | None]] = {}

    @property
    def editor(self) -> Editor:
        return Editor(self._open_diff, self._close_diff, lambda count: self.send("clients", count=count))

    def send(self, event: str, **fields: Any) -> None:
        self._write(json.dumps({"event": event, **fields}, separators=(",", ":")))

    def problem(self, diagnostic: Diagnostic) -> None:
        fields = {"message": diagnostic.message, "severity": diagnostic.severity}
        fields |= {"path": diagnostic.path} if diagnostic.path else {}
        self.send("problem", code=diagnostic.code, **fields)

    def take(self, line: bytes, companion: Companion) -> bool:
        """Executes one line; False for `stop`."""
        try:
            request = _request(line)
            if request["do"] == "stop":
                return False
            self._execute(request, companion)
        except Malformed as problem:
            self.problem(MALFORMED_LINE.at("", problem.message))
        return True

    def _execute(self, request: dict[str, Any], companion: Companion) -> None:
        path, files = request.get("path", ""), companion.open_files
        acts: dict[str, Callable[[], object]] = {
            "focus": lambda: files.focus(path, _cursor(request), request.get("selectedText", "")),
            "select": lambda: files.select(_cursor(request), request.get("selectedText", "")),
            "open": lambda: files.open(path),
            "close": lambda: files.close(path),
            "rename": lambda: files.rename(path, request["to"]),
            "context": lambda: companion.update(_context(request)),
            "workspace": lambda: companion.move_to(*request["paths"]),
            "trust": lambda: companion.trust(request["isTrusted"]),
            "accept": lambda: companion.accept(path, request.get("content")),
            "reject": lambda: companion.reject(path),
            "abandon": lambda: companion.abandon(path),
            "closed": lambda: self._closed(request["id"], request.get("content")),
            "env": lambda: self.send("env", env=companion.env),
        }
        if acts[request["do"]]() is False:
            self.problem(LATE.at("", f"`{request['do']}` {_why_late(request)}"))

    def _open_diff(self, path: str, content: str) -> None:
        self.send("openDiff", path=path, content=content)

    def _close_diff(self, path: str) -> str | None:
        """Waits for `closed`. None, as for an unchanged text, if the editor does not answer in time."""
        id = next(self._ids)
        answer = self._closing[id] = queue.SimpleQueue()
        self.send("closeDiff", id=id, path=path)
        try:
            return answer.get(timeout=self._closed_within)
        except queue.Empty:
            return None
        finally:
            self._closing.pop(id, None)

    def _closed(self, id: int, content: str | None) -> bool:
        waiting = self._closing.pop(id, None)
        if waiting:
            waiting.put(content)
        return waiting is not None


def _request(line: bytes) -> dict[str, Any]:
    if len(line) > MOST_LINE:
        raise Malformed(f"a line is longer than {MOST_LINE:,} bytes")
    try:
        request = strict_value(line)
    except ValueError:
        raise Malformed("a line is not JSON") from None
    act = request.get("do") if isinstance(request, dict) else None
    if not isinstance(act, str) or act not in _SHAPES:
        raise Malformed(f"a line needs `do`, one of {', '.join(_SHAPES)}")
    for misfit in misfits(request, _SHAPES[act]):
        place = ".".join(map(str, misfit.path)) or act
        raise Malformed(f"`{place}` {misfit.message}")
    assert isinstance(request, dict)
    for name, path in _absolute_in(act, request):
        if not os.path.isabs(path):
            raise Malformed(f"`{name}` is not an absolute path: `{path[:200]}` (`~` and `.` are not expanded)")
    return request


def _absolute_in(act: str, request: dict[str, Any]) -> list[tuple[str, str]]:
    """The paths that a line brings. Other acts name a file as it was named before."""
    if act in ("focus", "open"):
        return [("path", request["path"])]
    if act == "rename":
        return [("to", request["to"])]
    return [("paths", path) for path in request["paths"]] if act == "workspace" else []


def _context(request: dict[str, Any]) -> IdeContext:
    context = context_from_json(request)
    for file in context.open_files:
        if not os.path.isabs(file.path):
            raise Malformed(f"`openFiles` has a path that is not absolute: `{file.path[:200]}`")
    return context


def _why_late(request: dict[str, Any]) -> str:
    if request["do"] == "closed":
        return f"with id {request['id']} comes too late, or was not asked for"
    return f"changes nothing: no diff of {request['path'][:200]} is open, it was settled before"


def _cursor(request: dict[str, Any]) -> Cursor | None:
    place = request.get("cursor")
    return Cursor(int(place["line"]), int(place["character"])) if place else None
