"""JSON-RPC as MCP uses it: requests, responses, and the two tools of an editor."""

from __future__ import annotations

import os
import re
from typing import Any

from pisces import __version__
from pisces.ide.companion.strict_json import strict_value
from pisces.value import Value

Id = str | int | None

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
UNKNOWN_METHOD = -32601
INVALID_PARAMS = -32602
NO_SESSION = -32000

VERSIONS = ("2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05", "2024-10-07")  # the first is the default
MOST_IN_A_BATCH = 50
_HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")
_LARGEST_ID = 2**53 - 1  # the largest whole number that every client writes exactly

OPEN_DIFF = "openDiff"
CLOSE_DIFF = "closeDiff"
TOOLS = (
    {
        "name": OPEN_DIFF,
        "description": "Shows the changes to a file side by side; the user may edit, accept or reject them",
        "inputSchema": {
            "type": "object",
            "properties": {
                "filePath": {"type": "string", "description": "absolute path of the file, which need not exist"},
                "newContent": {"type": "string", "description": "the whole new text of the file"},
            },
            "required": ["filePath", "newContent"],
        },
    },
    {
        "name": CLOSE_DIFF,
        "description": 'Closes such a view and returns its text, as JSON: {"content": ...}, or {} where none is open',
        "inputSchema": {
            "type": "object",
            "properties": {
                "filePath": {"type": "string", "description": "as it was opened"},
                "suppressNotification": {"type": "boolean", "description": "closing by this tool never notifies"},
            },
            "required": ["filePath"],
        },
    },
)


class Message(Value):
    """`id` is None in a notification. `method` is empty in a response, whose `params` are all of it."""

    method: str
    params: Any
    id: Id = None
    wants_answer: bool = False


class Fault(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def messages_in(body: bytes | bytearray) -> list[Message]:
    """One message, or a batch. Raises `Fault` for anything else."""
    try:
        value = strict_value(body)
    except ValueError:
        raise Fault(PARSE_ERROR, "Parse error") from None
    if not isinstance(value, list):
        return [_message(value)]
    if not 0 < len(value) <= MOST_IN_A_BATCH:
        raise Fault(INVALID_REQUEST, f"a batch has 1 to {MOST_IN_A_BATCH} messages")
    return [_message(each) for each in value]


def result(id: Id, value: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": value}


def error(id: Id, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


def greeting(params: Any, name: str) -> dict[str, Any]:
    """The answer to `initialize`."""
    wanted = params.get("protocolVersion") if isinstance(params, dict) else None
    return {
        "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {}, "logging": {}},
        "serverInfo": {"name": name, "version": __version__},
    }


def tool_text(text: str, *, failed: bool = False) -> dict[str, Any]:
    content: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
    return {**content, "isError": True} if failed else content


def text_argument(arguments: Any, name: str) -> str:
    value = arguments.get(name) if isinstance(arguments, dict) else None
    if not isinstance(value, str):
        raise Fault(INVALID_PARAMS, f"`{name}` must be text")
    return value


def path_argument(arguments: Any) -> str:
    """The file of a diff. The editor has another working folder than its client, so the path must be absolute."""
    path = text_argument(arguments, "filePath")
    if not os.path.isabs(path):
        raise Fault(INVALID_PARAMS, f"`filePath` must be an absolute path, without `~`: {path[:200]!r}")
    return path


def _message(value: Any) -> Message:
    """A request, a notification or a response. An id is text or a whole number, and in a request never null."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise Fault(INVALID_REQUEST, "not a JSON-RPC 2.0 message")
    if "method" not in value:
        return _response(value)
    method, id = value["method"], _id(value) if "id" in value else None
    if not isinstance(method, str) or not method or _HALF_A_CHARACTER.search(method) or "result" in value:
        raise Fault(INVALID_REQUEST, "not a JSON-RPC 2.0 message")
    return Message(method, value.get("params"), id, id is not None)


def _response(value: dict[str, Any]) -> Message:
    """A companion ignores responses: it sends no requests."""
    if ("result" in value) == ("error" in value) or "id" not in value or (value["id"] is None and "result" in value):
        raise Fault(INVALID_REQUEST, "not a JSON-RPC 2.0 message")
    return Message("", value, None if value["id"] is None else _id(value))


def _id(value: dict[str, Any]) -> str | int:
    id = value["id"]
    if isinstance(id, str) and not _HALF_A_CHARACTER.search(id):
        return id
    if isinstance(id, int | float) and not isinstance(id, bool) and abs(id) <= _LARGEST_ID and id == int(id):
        return int(id)
    raise Fault(INVALID_REQUEST, "an id is text or a whole number")
