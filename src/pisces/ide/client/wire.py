"""JSON-RPC messages as a companion sends them, read strictly, and the two exceptions of the client."""

from __future__ import annotations

import json
from typing import Any, Never

Message = dict[str, Any]

MOST_BYTES = 64 * 1024 * 1024  # of one message: enough for a diff of 10 MB
OFFERED = "2025-06-18"
UNDERSTOOD = (OFFERED, "2025-03-26", "2024-11-05", "2024-10-07")


class Unreachable(Exception):
    """No valid response came. The text completes "`port 40123` ...". `status` is the HTTP status, if any."""

    def __init__(self, reason: str, status: int = 0) -> None:
        super().__init__(reason)
        self.status = status


class Failed(Exception):
    """The companion answered with an error."""


def hello(name: str, version: str) -> dict[str, Any]:
    """The params of `initialize`."""
    return {"protocolVersion": OFFERED, "capabilities": {}, "clientInfo": {"name": name, "version": version}}


def encoded(message: Message) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()


def messages_in(content: bytes | str) -> list[Message]:
    """One message, or a batch. Raises `Unreachable` for anything else."""
    try:
        value = json.loads(content, parse_constant=_refused)
    except (ValueError, RecursionError):
        raise Unreachable("sent something that is not JSON") from None
    messages = value if isinstance(value, list) else [value]
    if not all(isinstance(message, dict) for message in messages):
        raise Unreachable("sent something that is not JSON-RPC")
    return messages


def _refused(name: str) -> Never:
    raise ValueError(f"{name} is not JSON")
