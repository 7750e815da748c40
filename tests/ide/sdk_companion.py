"""A companion made with the official Python SDK of MCP: `sdk_companion.py FILE`. Prints its port, ends with stdin."""

from __future__ import annotations

import json
import socket
import sys
import threading
from typing import Any

import mcp_types as types  # type: ignore[import-not-found,unused-ignore]
import uvicorn  # type: ignore[import-not-found,unused-ignore]
from mcp.server.lowlevel import Server  # type: ignore[import-not-found,unused-ignore]
from mcp.server.transport_security import TransportSecuritySettings  # type: ignore[import-not-found,unused-ignore]

TOKEN = "0123456789abcdef0123456789abcdef"


class Companion:
    def __init__(self, file: str) -> None:
        self.file = file
        self.diffs: dict[str, str] = {}

    async def list_tools(self, context: Any, _params: Any) -> Any:
        """The client asks when its stream is open: time for the first context."""
        files = [{"path": self.file, "timestamp": 1, "isActive": True}]
        connection = context.session._connection  # noqa: SLF001,RUF100  # there is no other way to it
        await connection.notify("ide/contextUpdate", {"workspaceState": {"openFiles": files, "isTrusted": True}})
        keys = {"openDiff": ("filePath", "newContent"), "closeDiff": ("filePath",)}
        schemas = {name: {"type": "object", "properties": {key: {} for key in each}} for name, each in keys.items()}
        return types.ListToolsResult(tools=[types.Tool(name=name, input_schema=each) for name, each in schemas.items()])

    async def call_tool(self, context: Any, params: Any) -> Any:
        path = params.arguments["filePath"]
        if params.name == "openDiff":
            text = self.diffs[path] = params.arguments["newContent"]
            if text.startswith("accept"):
                connection = context.session._connection  # noqa: SLF001,RUF100
                await connection.notify("ide/diffAccepted", {"filePath": path, "content": f"{text}ed"})
            return types.CallToolResult(content=[])
        told = {"content": self.diffs.pop(path)} if path in self.diffs else {}
        return types.CallToolResult(content=[types.TextContent(type="text", text=json.dumps(told))])


def guarded(app: Any) -> Any:
    """The SDK leaves plain tokens to somebody else."""

    async def guard(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and dict(scope["headers"]).get(b"authorization") != f"Bearer {TOKEN}".encode():
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b"Unauthorized"})
        else:
            await app(scope, receive, send)

    return guard


def main(file: str) -> None:
    companion = Companion(file)
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    security = TransportSecuritySettings(allowed_hosts=[f"127.0.0.1:{port}", f"localhost:{port}"], allowed_origins=[])
    made = Server("sdk-companion", version="1", on_list_tools=companion.list_tools, on_call_tool=companion.call_tool)
    app = made.streamable_http_app(transport_security=security, max_request_body_size=32 * 1024 * 1024)
    server = uvicorn.Server(uvicorn.Config(guarded(app), log_level="critical", timeout_graceful_shutdown=1))

    def end_with_input() -> None:
        sys.stdin.read()
        server.should_exit = True

    threading.Thread(target=end_with_input, daemon=True).start()
    print(port, flush=True)
    server.run(sockets=[listening])


if __name__ == "__main__":
    main(sys.argv[1])
