"""Messages of JSON-RPC on a line each. A line that is none gets an answer, and the next line is read."""

from __future__ import annotations

import json

from pisces.ide.companion import rpc
from pisces.ide.companion.strict_json import strict_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MOST_LINE = 16 * 1024 * 1024  # bytes
INTERNAL = -32603
REFUSED = -32001  # a gate denied it, or there is too much at once
NO_RESOURCE = -32002


def message_in(line: bytes | bytearray) -> rpc.Message:
    """Raises `Fault` for what is no message, and for a batch, which the protocol has given up."""
    if line.lstrip()[:1] == b"[":
        raise rpc.Fault(rpc.INVALID_REQUEST, "batches are not supported: send one message a line")
    return rpc.messages_in(line)[0]


def error_for(line: bytes | bytearray, fault: rpc.Fault) -> dict[str, Any]:
    """With the id of the message where it has one, so that its sender does not wait for ever."""
    try:
        value = strict_value(line) if fault.code == rpc.INVALID_REQUEST else None
    except ValueError:  # a batch is refused before it is read
        value = None
    given = value.get("id") if isinstance(value, dict) and "method" in value else None
    is_id = isinstance(given, str) or (isinstance(given, int) and not isinstance(given, bool))
    return rpc.error(given if is_id else None, fault.code, fault.message)


def line_of(message: Mapping[str, Any]) -> bytes:
    """ASCII, so that half a character in somebody's text can be written as well."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"
