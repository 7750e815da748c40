"""A server that appends what it was started as to the file that its first word names, then speaks the protocol."""

import json
import os
import sys

with open(sys.argv[1], "a", encoding="utf-8") as record:
    record.write(json.dumps({"argv": sys.argv[2:], "cwd": os.getcwd(), "env": dict(os.environ)}) + "\n")
for line in sys.stdin:
    message = json.loads(line)
    result: object = {}
    if message.get("method") == "initialize":
        version = message["params"]["protocolVersion"]
        result = {"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "r", "version": "1"}}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
