"""A companion on stdin and stdout, for a test: `stdio_companion.py FILE PIDFILE`. Says hello in plain text first."""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def say(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def result(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        about = {"name": "stdio", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {}, "serverInfo": about}
    if method == "tools/list":
        return {"tools": [{"name": "openDiff"}, {"name": "closeDiff"}]}
    if params["name"] == "openDiff":
        return {"content": []}
    return {"content": [{"type": "text", "text": json.dumps({"content": "new, by stdio"})}]}


def main(file: str, pid_file: str) -> None:
    with open(pid_file, "w") as written:
        written.write(str(os.getpid()))
    print("hello from an editor", flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            say(id=message["id"], result=result(message["method"], message["params"]))
        if message["method"] == "tools/list":
            selected = os.environ.get("SECRET_OF_OURS", "none of our secrets")
            files = [{"path": file, "timestamp": 1, "isActive": True, "selectedText": selected}]
            say(method="ide/contextUpdate", params={"workspaceState": {"openFiles": files}})


if __name__ == "__main__":
    main(*sys.argv[1:])
