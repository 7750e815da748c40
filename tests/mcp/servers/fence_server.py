"""A server whose only tool reads a file and says what became of that."""

from __future__ import annotations

import json
import sys
from typing import Any

TOOL = {"name": "read", "description": "Reads a file", "inputSchema": {"type": "object"}}


def result_of(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        version = params["protocolVersion"]
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "f", "version": "1"}}
    if method == "tools/list":
        return {"tools": [TOOL]}
    try:
        with open(params["arguments"]["path"], encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        text = f"refused: {error.strerror}"
    return {"content": [{"type": "text", "text": text}]}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        answer = result_of(message["method"], message.get("params") or {})
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer}), flush=True)
