"""A home with servers in it, whose lists a test can change, and hosts that are opened there."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.host.world import World

SERVER = str(Path(__file__).parent / "servers" / "wiring_server.py")
ADD = {"name": "add", "description": "Adds two numbers", "inputSchema": {"type": "object"}}
SAY = {"name": "say", "description": "Says a word", "inputSchema": {"type": "object"}}


class ServerWorld(World):
    """`say_of(server, ...)` writes what it lists; the server reads that anew for each request."""

    def state_of(self, server: str) -> Path:
        return self.home / f"{server}.state.json"

    def log_of(self, server: str) -> list[dict[str, Any]]:
        path = self.home / f"{server}.log"
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []

    def calls_of(self, server: str) -> list[str]:
        """The tools that the server was really asked to run."""
        return [each["params"]["name"] for each in self.log_of(server) if each.get("method") == "tools/call"]

    def say_of(self, server: str, *tools: dict[str, Any], **others: Any) -> None:
        self.state_of(server).write_text(json.dumps({"tools": list(tools), **others}), "utf-8")

    def entry(self, server: str, **more: Any) -> dict[str, Any]:
        log = str(self.home / f"{server}.log")
        return {"command": sys.executable, "args": [SERVER, str(self.state_of(server)), log], **more}

    def configure(self, *servers: str, **more: Any) -> None:
        """In the user's own settings."""
        entries = {each: self.entry(each, **more) for each in servers}
        self.write("~/.gemini/settings.json", json.dumps({"mcpServers": entries}))

    @property
    def memories(self) -> list[Path]:
        return sorted((self.home / ".pisces" / "agent" / "servers").glob("*.json"))
