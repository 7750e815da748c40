"""A hundred terminals at one editor whose user never rests: few updates, soon, at no growing cost, whoever is slow."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.measure import Failed, pisces
from bench.result import Outcome, Result, Skipped

CLIENTS = 100
CHANGES = 1_000  # a second
LONGEST = 30.0  # seconds
MOST_UPDATES = 20.0  # a second to each client
SLOWEST = 150.0  # ms, of 99 in 100 deliveries
MOST_MEMORY = 80.0  # MB
READY_WITHIN = 1_000.0  # ms
GROWTH = 1.05
BIG = "a line of a diff that is large\n" * 350_000
BIG_WITHIN = 5_000.0  # ms, there and back
WARM = 0.25  # of the time: what is allocated by then may stay


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    """Delivery is counted from the oldest change that an update tells first: the worst of its batch."""
    if not Path("/proc/self/status").exists():
        yield Skipped("the companion", "memory is read from /proc")
        return
    seconds = min(LONGEST, rounds * LONGEST / 20)
    editor = Editor(folder)
    try:
        yield Result(
            "ready to connect", "the goal", READY_WITHIN, editor.ready, "wall", editor.ready / READY_WITHIN, 1.0
        )
        load = asyncio.run(_load(editor, seconds))
        worst, p99 = max(client.rate(seconds) for client in load.clients), load.slowest(0.99)
        names = f"{CLIENTS} clients, {load.changes / seconds:.0f} changes/s"
        yield Result(f"{names}: updates/s", f"{MOST_UPDATES:g}", 0, 0, "wall", worst / MOST_UPDATES, 1.0)
        yield Result(f"{names}: p99 delivery", "the goal", SLOWEST, p99, "wall", p99 / SLOWEST, 1.0)
        yield Result(
            "  its memory at the end", "when warm", load.warm, load.end, "memory", load.end / load.warm, GROWTH
        )
        taken = asyncio.run(_big_diff(editor))
        yield Result("a diff of 10 MB, and back", "the goal", BIG_WITHIN, taken, "wall", taken / BIG_WITHIN, 1.0)
        most = editor.memory("VmHWM")
        yield Result("  its memory at the highest", "the goal", MOST_MEMORY, most, "memory", most / MOST_MEMORY, 1.0)
    finally:
        editor.stop()


class Editor:
    """`pisces ide serve`, driven as a plugin drives it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "main.py"
        self.file.touch()
        env = {**os.environ, "TMPDIR": str(folder)}
        started = time.perf_counter()
        self.process = subprocess.Popen(
            [*pisces("ide", "serve", "--env", "--workspace", str(folder))],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        ready = self.hear("ready")
        self.ready = (time.perf_counter() - started) * 1000
        self.port = int(ready["port"])
        self.token = str(ready["env"]["GEMINI_CLI_IDE_AUTH_TOKEN"])

    def hear(self, event: str) -> Any:
        assert self.process.stdout
        while line := self.process.stdout.readline():
            told = json.loads(line)
            if told["event"] == event:
                return told
        raise Failed("the companion ended")

    def say(self, *lines: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        self.process.stdin.flush()

    def memory(self, field: str = "VmRSS") -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split(f"{field}:")[1].split()[0]) / 1024

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate()


@dataclass
class Load:
    clients: list[Client]
    changes: int = 0
    warm: float = 0.0
    end: float = 0.0

    def slowest(self, share: float) -> float:
        taken = sorted(each for client in self.clients for each in client.taken)
        return taken[min(len(taken) - 1, int(len(taken) * share))]


@dataclass
class Client:
    """Counts updates and how long each took; `sent` says when each change was made."""

    sent: list[float]
    newest: int = 0
    updates: int = 0
    taken: list[float] = field(default_factory=list)

    def rate(self, seconds: float) -> float:
        return self.updates / seconds

    async def listen(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            at = line.find(b'"line":')
            if at < 0:
                continue
            number = int(line[at + 7 :].split(b",", 1)[0])
            if number > self.newest:
                self.taken.append((time.perf_counter() - self.sent[self.newest]) * 1000)
                self.newest = number
                self.updates += 1


async def _load(editor: Editor, seconds: float) -> Load:
    sent: list[float] = []
    load = Load([Client(sent) for _ in range(CLIENTS)])
    readers = [await _stream(editor) for _ in load.clients]
    asleep = await _stream_that_nobody_reads(editor)
    listening = [
        asyncio.create_task(each.listen(reader)) for each, (reader, _) in zip(load.clients, readers, strict=True)
    ]
    started = time.perf_counter()
    while (now := time.perf_counter() - started) < seconds:
        due = int(now * CHANGES) - len(sent)
        first = len(sent) + 1
        sent += [time.perf_counter()] * due
        editor.say(*(_focus(editor, first + each) for each in range(due)))
        if not load.warm and now > seconds * WARM:
            load.warm = editor.memory()
        await asyncio.sleep(0.005)
    load.changes = len(sent)
    load.end = editor.memory()
    await asyncio.sleep(0.2)
    for task, (_, writer) in zip(listening, readers, strict=True):
        task.cancel()
        writer.close()
    asleep.close()
    if any(client.newest != load.changes for client in load.clients):
        raise Failed("a client did not hear the last change")
    return load


def _focus(editor: Editor, number: int) -> dict[str, Any]:
    return {"do": "focus", "path": str(editor.file), "cursor": {"line": number, "character": 1}}


async def _big_diff(editor: Editor) -> float:
    """Opened by the client, edited by the user, closed by the client."""
    reader, writer = await asyncio.open_connection("127.0.0.1", editor.port, limit=1 << 26)
    session = await _session(editor, reader, writer)
    started = time.perf_counter()
    opening = {"name": "openDiff", "arguments": {"filePath": "/big", "newContent": BIG}}
    asked = asyncio.create_task(_posted(editor, reader, writer, _message("tools/call", opening), session))
    shown = await asyncio.to_thread(editor.hear, "openDiff")
    await asked
    closing = {"name": "closeDiff", "arguments": {"filePath": "/big"}}
    asked = asyncio.create_task(_posted(editor, reader, writer, _message("tools/call", closing), session))
    id = (await asyncio.to_thread(editor.hear, "closeDiff"))["id"]
    await asyncio.to_thread(editor.say, {"do": "closed", "id": id, "content": shown["content"] + "edited"})
    _, body = await asked
    taken = (time.perf_counter() - started) * 1000
    writer.close()
    content = json.loads(json.loads(body)["result"]["content"][0]["text"])["content"]
    if content != BIG + "edited":
        raise Failed("the diff came back different")
    return taken


def _message(method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


async def _session(editor: Editor, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
    head, _ = await _posted(editor, reader, writer, _message("initialize", {"protocolVersion": "2025-06-18"}))
    return head.split("mcp-session-id: ")[1].split("\r\n")[0]


async def _posted(
    editor: Editor,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    message: dict[str, Any],
    session: str = "",
) -> tuple[str, bytes]:
    body = json.dumps(message).encode()
    writer.write(_head(editor, "POST", session, f"Content-Length: {len(body)}") + body)
    await writer.drain()
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    return head, await reader.readexactly(int(head.split("Content-Length: ")[1].split("\r\n")[0]))


async def _stream(editor: Editor) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", editor.port)
    session = await _session(editor, reader, writer)
    writer.write(_head(editor, "GET", session))
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def _stream_that_nobody_reads(editor: Editor) -> socket.socket:
    reader, writer = await asyncio.open_connection("127.0.0.1", editor.port)
    session = await _session(editor, reader, writer)
    writer.close()
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.connect(("127.0.0.1", editor.port))
    sock.sendall(_head(editor, "GET", session))
    return sock


def _head(editor: Editor, method: str, session: str, *lines: str) -> bytes:
    fixed = [f"{method} /mcp HTTP/1.1", f"Host: 127.0.0.1:{editor.port}", f"Authorization: Bearer {editor.token}"]
    fixed += [f"Mcp-Session-Id: {session}"] if session else []
    return "\r\n".join([*fixed, *lines, "", ""]).encode()
