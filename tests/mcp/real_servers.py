"""Other people's MCP servers, from `scripts/setup-peers`, each in a folder of its own and on loopback."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from pisces.mcp.client import McpClient
from pisces.mcp.connection import Connection, ServerAsks
from pisces.mcp.plan import ServerPlan
from pisces.shapes.mcp_server import HTTP, SSE, STDIO
from tests.mcp.faulty import allowed, found
from tests.peer_programs import MODULES, PEERS

NODE = shutil.which("node")
PACKAGES = MODULES / "@modelcontextprotocol"
PYTHON_SERVERS = PEERS / "servers" / "bin"


def npm_server(name: str) -> tuple[str, ...]:
    """The start of its command line. Skips the test where it is missing."""
    script = PACKAGES / name / "dist" / "index.js"
    if NODE is None or not script.is_file():
        pytest.skip(f"{name} is not installed: ./scripts/test --peers installs it")
    return (NODE, str(script))


def python_server(name: str) -> str:
    program = PYTHON_SERVERS / name
    if not program.is_file():
        pytest.skip(f"{name} is not installed: ./scripts/test --peers installs it")
    return str(program)


def env_in(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home)}


def free_port() -> int:
    with closing(socket.socket()) as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port


@contextmanager
def listening(argv: tuple[str, ...], port: int, home: Path) -> Iterator[None]:
    """A server that is reached by address, until the end of the block."""
    env = {**env_in(home), "PORT": str(port)}
    quiet = subprocess.DEVNULL
    program = subprocess.Popen(argv, env=env, cwd=home, stdin=quiet, stdout=quiet, stderr=quiet)
    try:
        deadline = time.monotonic() + 30
        while not _answers(port):
            assert program.poll() is None, "the server has ended"
            assert time.monotonic() < deadline, "the server does not listen"
            time.sleep(0.05)
        yield
    finally:
        program.kill()
        program.wait()


def _answers(port: int) -> bool:
    with closing(socket.socket()) as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def everything(kind: str, home: Path) -> Iterator[ServerPlan]:
    """server-everything over one of the three transports."""
    argv = npm_server("server-everything")
    if kind == STDIO:
        yield ServerPlan("everything", found("everything"), argv=(*argv, "stdio"), env=env_in(home), cwd=str(home))
        return
    port = free_port()
    with listening((*argv, "streamableHttp" if kind == HTTP else "sse"), port, home):
        path = "mcp" if kind == HTTP else "sse"
        url = f"http://127.0.0.1:{port}/{path}"
        yield ServerPlan("everything", found("everything"), transport=kind, url=url)


KINDS = (STDIO, HTTP, SSE)


class Reached:
    """A connection that outlives a test, in a thread with a loop of its own."""

    def __init__(self, plan: ServerPlan, asks: ServerAsks) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.client = McpClient(plan, asks, allowed)
        try:
            self.made: Connection = self.run(self.client.start())
        except BaseException:
            self.close()
            raise

    def run(self, work: Coroutine[Any, Any, Any], seconds: float = 60) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(seconds)

    def call(self, tool: str, **arguments: Any) -> Any:
        return self.run(self.client.call(tool, arguments))

    def close(self) -> None:
        self.run(self.client.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(20)
        self._loop.close()
