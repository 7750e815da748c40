"""A server that answers the handshake and one call, `whoami`: with its version, words, folder and environment."""

import json
import os
import sys

VERSION = "1"
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result: object = {}
    if message["method"] == "initialize":
        about = {"name": "speaker", "version": VERSION}
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about}
    elif message["method"] == "tools/list":
        result = {"tools": [{"name": "whoami", "inputSchema": {"type": "object"}}]}
    elif message["method"] == "tools/call":
        answer = {"version": VERSION, "argv": sys.argv[1:], "cwd": os.getcwd(), "env": dict(os.environ)}
        result = {"content": [{"type": "text", "text": json.dumps(answer)}]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
