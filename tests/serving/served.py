"""A small MCP client for tests: it starts `pisces mcp serve` in a home of its own and speaks lines with it."""

from __future__ import annotations

import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

SECONDS = 30.0
VERSION = "2025-06-18"
SERVE = (sys.executable, "-m", "pisces", "mcp", "serve")

TOOLS = """
import asyncio
import os
import pathlib
import subprocess

from pisces import ToolContext, ToolFailed

def extension(pisces):
    @pisces.tool()
    def shout(text: str) -> str:
        \"\"\"Says a text in capitals\"\"\"
        return text.upper()

    @pisces.tool()
    def noisy() -> str:
        \"\"\"Prints where the protocol is spoken\"\"\"
        print("printed")
        os.write(1, b"written\\n")
        subprocess.run(["echo", "echoed"])
        return "quiet"

    @pisces.tool()
    def broken() -> str:
        \"\"\"Fails\"\"\"
        raise ValueError("api_key=sk-ant-api03-0123456789abcdefghij")

    @pisces.tool()
    async def slow(seconds: float, ctx: ToolContext) -> str:
        \"\"\"Takes its time\"\"\"
        ctx.update({"progress": 1, "total": 2, "message": "half"})
        pathlib.Path("slow-started").write_text("")
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            pathlib.Path("slow-cancelled").write_text("")
            raise
        return "slept"

    @pisces.tool()
    def grow() -> str:
        \"\"\"Brings another tool\"\"\"
        pisces.tool(name="grown")(lambda: "new")
        return "grown"
"""


class World:
    """A home with a project in it."""

    def __init__(self, folder: Path) -> None:
        self.home, self.cwd = folder / "home", folder / "home" / "project"
        (self.cwd / ".git").mkdir(parents=True)
        self.errors = folder / "errors"  # what the server writes to its standard error

    def write(self, name: str, text: str) -> Path:
        """Below the project; `~/` is the home."""
        path = self.home / name[2:] if name.startswith("~/") else self.cwd / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def allow(self, *rules: str) -> None:
        self.write("~/.claude/settings.json", json.dumps({"permissions": {"allow": list(rules)}}))

    def tools(self, text: str = TOOLS) -> None:
        """A module of the user's own."""
        self.write("~/.pisces/agent/extensions/tools.py", text)

    def skill(self, name: str, body: str = "Do it.", header: str = "") -> Path:
        text = f"---\nname: {name}\ndescription: What {name} is for\n{header}---\n{body}\n"
        return self.write(f"~/.claude/skills/{name}/SKILL.md", text)

    def command(self, name: str, text: str = "Do $ARGUMENTS") -> Path:
        return self.write(f"~/.claude/commands/{name}.md", text)

    @property
    def env(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        return {**kept, "HOME": str(self.home), "USERPROFILE": str(self.home)}

    def records(self) -> list[dict[str, Any]]:
        log = self.home / ".pisces" / "audit" / "log.jsonl"
        return [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []


class Client:
    """Answers are matched by id; whatever else comes is in `heard`. `asks` answers what the server asks."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.heard: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.asks: Any = None
        self._ids = itertools.count(1)
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reading.join(SECONDS)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def send(self, message: Any) -> None:
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def message(self) -> dict[str, Any]:
        """The next message; what is no JSON on the line fails the test."""
        line = self._lines.get(timeout=SECONDS)
        assert line, "the server has ended"
        found: dict[str, Any] = json.loads(line)
        return found

    def start(self, method: str, params: Any = None, id: Any = None) -> Any:
        id = next(self._ids) if id is None else id
        self.send({"id": id, "method": method, **({} if params is None else {"params": params})})
        return id

    def answer(self, id: Any) -> dict[str, Any]:
        while True:
            found = self.message()
            if "method" in found and "id" in found:
                self.asked.append(found)
                self.send({"id": found["id"], **self.asks(found)})
            elif found.get("id") == id and "method" not in found:
                return found
            else:
                self.heard.append(found)

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        return self.answer(self.start(method, params))

    def result(self, method: str, params: Any = None) -> dict[str, Any]:
        answer = self.ask(method, params)
        assert "result" in answer, answer
        found: dict[str, Any] = answer["result"]
        return found

    def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        return self.result("tools/call", {"name": name, "arguments": arguments})

    def text(self, name: str, /, **arguments: Any) -> str:
        return "".join(part["text"] for part in self.call(name, **arguments)["content"])

    def names(self) -> list[str]:
        return [each["name"] for each in self.result("tools/list")["tools"]]

    def greet(self, capabilities: Any = None, version: str = VERSION) -> dict[str, Any]:
        facts = {"name": "test", "version": "1"}
        params = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": facts}
        found = self.result("initialize", params)
        self.send({"method": "notifications/initialized"})
        return found

    def hear(self, method: str) -> dict[str, Any]:
        """The next notification of this method."""
        while True:
            for at, each in enumerate(self.heard):
                if each.get("method") == method:
                    return self.heard.pop(at)
            self.heard.append(self.message())


@contextmanager
def started(world: World, *options: str) -> Iterator[Client]:
    with open(world.errors, "wb") as errors:
        process = subprocess.Popen(
            [*SERVE, *options],
            cwd=world.cwd,
            env=world.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    client = Client(process)
    try:
        yield client
    finally:
        client.close()


@contextmanager
def served(world: World, *options: str, capabilities: Any = None) -> Iterator[Client]:
    with started(world, *options) as client:
        client.greet(capabilities)
        yield client
