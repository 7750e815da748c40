"""An MCP server of a few lines whose one fault is chosen by its first argument. It knows nothing of pisces.

Without a fault it has the tools `echo`, `pid` and `fault`. The last one does what went wrong elsewhere, in a call.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
REST = sys.argv[2:]
OUT = sys.stdout.buffer
TOOL = {"type": "object", "properties": {}}


def raw(data: bytes) -> None:
    OUT.write(data)
    OUT.flush()


def send(message: dict[str, Any], encoding: str = "") -> None:
    line = json.dumps({"jsonrpc": "2.0", **message})
    if encoding == "cr_only":
        raw(line.encode() + b"\r")
    else:
        raw(f"{line}\n".encode(encoding if encoding.startswith("utf") else "utf-8"))


def text(words: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}]}


def child(new_session: bool, code: str = "import time; time.sleep(600)") -> int:
    program = [sys.executable, "-c", code]
    return subprocess.Popen(program, start_new_session=new_session, stdin=subprocess.DEVNULL).pid


def die_in_call(_number: int) -> None:
    sys.stderr.write("boom: the database is gone\n")
    sys.stderr.flush()
    os._exit(3)


def flood_stderr(number: int) -> None:
    block = b"x" * 1023 + b"\n"
    for _ in range(200 << 10):
        os.write(2, block)
    send({"id": number, "result": text("flooded")})


def huge(number: int) -> None:
    size = int(REST[0]) << 20
    head = json.dumps({"jsonrpc": "2.0", "id": number})[:-1].encode()
    raw(head + b', "result": {"content": [{"type": "text", "text": "')
    for _ in range(size >> 16):
        OUT.write(b"y" * (1 << 16))
    raw(b'"}]}}\n')


def huge_id_last(number: int) -> None:
    size = int(REST[0]) << 20
    raw(b'{"result":{"id": 77, "content":[{"type":"text","text":"')
    for _ in range(size >> 16):
        OUT.write(b"y" * (1 << 16))
    raw(b'"}]},"jsonrpc":"2.0","id":%d}\n' % number)


def endless_line(_number: int) -> None:
    while True:
        raw(b"z" * (1 << 16))


def junk_then_answer(number: int) -> None:
    raw(b"Starting up, please wait...\n\n{broken\n[1, 2]\n\x00\x01\n")
    send({"id": number, "result": text("after junk")})


def junk_flood(number: int) -> None:
    for _ in range(200):
        raw(b"!\n" * 1000)
    send({"id": number, "result": text("after junk")})


def bad_byte(number: int) -> None:
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"caf\xe9"}]}}\n' % number)


def half_pair(number: int) -> None:
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"\\ud83d!"}]}}\n' % number)


def not_json(number: int) -> None:
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":}]}}\n' % number)


def wrong_shape(number: int) -> None:
    send({"id": number, "result": {"content": "only words"}})


def result_is_text(number: int) -> None:
    send({"id": number, "result": "done"})


def deep(number: int) -> None:
    nested = b"[" * 100_000 + b"]" * 100_000
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":{"a":%s}}}\n' % (number, nested))


def evil_pattern(number: int) -> None:
    """Its schema, which `listed` has, takes for ever on this text."""
    send({"id": number, "result": {**text("done"), "structuredContent": {"a": "a" * 40 + "!"}}})


def id_as_text(number: int) -> None:
    send({"method": "notifications/progress", "params": {"progressToken": str(number), "progress": 1}})
    send({"id": str(number), "result": text("found")})


def wrong_id(number: int) -> None:
    send({"id": number + 1000, "result": text("for nobody")})


def closed_error(number: int) -> None:
    send({"id": number, "error": {"code": -32000, "message": "Connection closed"}})


def close_stdout(_number: int) -> None:
    OUT.flush()
    os.close(1)
    time.sleep(600)


def never(_number: int) -> None:
    """And whoever asks later gets an answer, so the loop has to go on."""


def change_tools(number: int) -> None:
    TOOLS.append({"name": "added", "description": "new", "inputSchema": TOOL})
    send({"method": "notifications/tools/list_changed"})
    send({"id": number, "result": text("changed")})


def many_notes(number: int) -> None:
    for index in range(20_000):
        send({"method": "notifications/message", "params": {"level": "info", "data": index}})
    send({"id": number, "result": text("said")})


def own_note(number: int) -> None:
    send({"method": "notifications/vendor/thing", "params": {"a": 1}})
    send({"id": number, "result": text("said")})


def child_in_group(number: int) -> None:
    send({"id": number, "result": text(str(child(new_session=False)))})


def child_in_session(number: int) -> None:
    send({"id": number, "result": text(str(child(new_session=True)))})


def secret(_number: int) -> None:
    sys.stderr.write(f"cannot log in with {os.environ['MY_SETTING']} at https://user:hunter2@example.org\n")
    sys.stderr.flush()
    os._exit(1)


FAULTS = {
    name: value for name, value in globals().items() if callable(value) and getattr(value, "__module__", "") == __name__
}
TOOLS: list[dict[str, Any]] = [
    {"name": name, "description": name, "inputSchema": TOOL} for name in ("echo", "pid", "env", "fault", "seen")
]
SEEN: list[dict[str, Any]] = []


def listed(params: dict[str, Any]) -> dict[str, Any]:
    """Three pages, or pages without an end."""
    if FAULT == "endless_pages":
        return {
            "tools": [{"name": f"t{params.get('cursor', '0')}", "inputSchema": TOOL}],
            "nextCursor": os.urandom(8).hex(),
        }
    if FAULT == "same_cursor":
        return {"tools": TOOLS, "nextCursor": "again"}
    if FAULT == "pages":
        page = int(params.get("cursor", "0"))
        found = {"tools": [{"name": f"t{page}", "inputSchema": TOOL}]}
        return {**found, "nextCursor": str(page + 1)} if page < 2 else found
    if FAULT == "evil_pattern":
        output = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}
        return {"tools": [{**tool, "outputSchema": output} for tool in TOOLS]}
    if FAULT == "bad_tool":
        return {"tools": [{"name": 5}]}
    return {"tools": TOOLS}


def called(number: int, params: dict[str, Any]) -> None:
    name, arguments = params["name"], params.get("arguments", {})
    if name == "echo":
        send({"id": number, "result": text(str(arguments.get("message", "")))})
    elif name == "pid":
        send({"id": number, "result": text(str(os.getpid()))})
    elif name == "env":
        send({"id": number, "result": text(json.dumps(dict(os.environ)))})
    elif name == "seen":
        send({"id": number, "result": text(json.dumps(SEEN))})
    else:
        FAULTS[FAULT](number)


def answer(message: dict[str, Any]) -> None:
    SEEN.append(message)
    method, number, params = message.get("method"), message.get("id"), message.get("params", {})
    if method == "initialize":
        if FAULT == "hang_at_start":
            sys.stderr.write("waiting for a lock\n")
            sys.stderr.flush()
            return
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {"listChanged": True}}}
        if FAULT == "odd_version":
            result["protocolVersion"] = "1999-01-01"
        send({"id": number, "result": {**result, "serverInfo": {"name": "faulty", "version": "1"}}}, FAULT)
    elif method == "tools/list":
        send({"id": number, "result": listed(params)})
    elif method == "tools/call" and number is not None:
        called(number, params)
    elif number is not None and method:
        send({"id": number, "error": {"code": -32601, "message": "no such method"}})


def main() -> None:
    if FAULT == "dies_at_start":
        sys.stderr.write("\x1b[31mError: cannot find module 'left-pad'\x1b[0m\n")
        sys.exit(1)
    if FAULT == "ignores_end_and_term":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if FAULT == "slow_start":
        time.sleep(float(REST[0]))
    if FAULT == "deaf":
        time.sleep(600)
    for line in sys.stdin:
        if line.strip():
            answer(json.loads(line))
    while FAULT.startswith("ignores_end"):
        time.sleep(600)


if __name__ == "__main__":
    main()
