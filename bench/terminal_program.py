"""What `pisces` costs in a terminal: the first frame, a long answer that streams, answer 500, resting, a long session.

The program runs on a terminal of its own; its CPU is read from /proc, and every byte that it writes is counted.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Self

if sys.platform == "win32":
    raise ImportError("needs POSIX terminals")

from tests.terminal import Terminal
from tests.ui.terminal.typist import script_in

from bench.measure import Failed
from bench.result import Outcome, Result

FIRST_FRAME = 200.0  # ms
TOKENS, A_SECOND = 5000, 200
MOST_SHARE = 0.15  # of a core
MOST_BYTES = 0.4  # MB
ANSWERS, BATCH = 500, 25
MOST_GROWTH = 1.25  # of the last answers to the first
MOST_IDLE = 10.0  # ms in five seconds: one tick of the clock
LINES = 200_000
MOST_RESUME = 1000.0  # ms
MOST_MEMORY = 90.0  # MB
ROUNDS = 7
_TICK = os.sysconf("SC_CLK_TCK")
_LIMIT = 120.0
_READY = b"/help"


def measured(folder: Path, rounds: int) -> Iterator[Outcome]:
    yield from _first_frame(folder, min(rounds, ROUNDS))
    yield from _streaming(folder)
    yield from _answers(folder)
    yield _resuming(folder, min(rounds, ROUNDS))


class Screen(Terminal):
    """The program on a terminal of 80x24, in a home of its own below `folder`."""

    def __init__(self, folder: Path, *words: str, env: dict[str, str] | None = None, typed: bytes = b"") -> None:
        work = folder / "work"
        work.mkdir(parents=True, exist_ok=True)
        variables = {"HOME": str(folder), "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        super().__init__(["-m", "pisces", *words], work, {**variables, **(env or {})}, (24, 80), typed)
        self._from = 0

    @property
    def bytes_shown(self) -> int:
        return len(self._shown)

    def until(self, text: bytes) -> Self:
        """Reads until the text comes, behind what was waited for before."""
        end = time.monotonic() + _LIMIT
        while (at := self._shown.find(text, self._from)) < 0:
            if time.monotonic() > end or not self._read():
                self._process.kill()
                raise Failed(f"the terminal program: {text!r} never came: {self._shown[-300:]!r}")
        self._from = at + len(text)
        return self

    def rest(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._read()

    @property
    def cpu(self) -> float:
        """Milliseconds."""
        text = Path("/proc", str(self._process.pid), "stat").read_text(encoding="utf-8")
        fields = text[text.rindex(")") + 2 :].split()
        return sum(map(int, fields[11:15])) * 1000 / _TICK

    @property
    def memory(self) -> float:
        """Megabytes at the highest."""
        text = Path("/proc", str(self._process.pid), "status").read_text(encoding="utf-8")
        sizes = dict(line.split(":", 1) for line in text.splitlines())
        return int(sizes["VmHWM"].split()[0]) / 1024

    def leave(self) -> None:
        self.type(b"\x03\x03")
        self.end()


def _first_frame(folder: Path, rounds: int) -> Iterator[Outcome]:
    """The frame, and the moment from which on what is typed is seen in it."""
    script = str(script_in(folder, ["hello"]))
    frames, keys = [], []
    for number in range(rounds + 1):  # the first one fills caches
        screen = Screen(folder, "--model", f"scripted/{script}")
        frames.append(screen.until("───".encode()).cpu)
        screen.type(b"qz")
        keys.append(screen.until(b"qz").cpu)
        if number == rounds:
            screen.until(_READY)
            yield from _idle(screen)
        screen.leave()
    for what, found in (("CPU until the box is visible", frames), ("CPU until a key is seen in it", keys)):
        typical = median(found[1:])
        against = f"{FIRST_FRAME:g} ms"
        yield Result(what, against, FIRST_FRAME, typical, "cpu", typical / FIRST_FRAME, at_most=1.0)


def _idle(screen: Screen) -> Iterator[Outcome]:
    screen.rest(1.0)
    before, shown = screen.cpu, screen.bytes_shown
    screen.rest(5.0)
    used, written = screen.cpu - before, screen.bytes_shown - shown
    yield Result("CPU of five idle seconds", "one tick", MOST_IDLE, used, "cpu", used / MOST_IDLE, at_most=1.0)
    yield Result("bytes written in five idle seconds", "none", 0, 0, "cpu", float(written), at_most=0.0)


def _streaming(folder: Path) -> Iterator[Outcome]:
    with TokenServer(_long_text(), A_SECOND) as server:
        env = {"ANTHROPIC_API_KEY": "x", "ANTHROPIC_BASE_URL": server.url}
        screen = Screen(folder / "streaming", env=env)
        screen.until(_READY).rest(0.5)
        before, shown, started = screen.cpu, screen.bytes_shown, time.monotonic()
        screen.type(b"go\r")
        screen.until(b"The very end").rest(0.2)
        took = (time.monotonic() - started) * 1000
        used, written, memory = screen.cpu - before, (screen.bytes_shown - shown) / 1e6, screen.memory
        screen.leave()
    share = used / took
    at_rate = TOKENS / A_SECOND * 1000
    names = f"{TOKENS} tokens at {A_SECOND} a second"
    yield Result(f"CPU of {names}", f"{MOST_SHARE:.0%} of a core", took, used, "cpu", share, at_most=MOST_SHARE)
    yield Result(f"bytes of {names}", f"{MOST_BYTES:g} MB", 0, 0, "cpu", written, at_most=MOST_BYTES)
    yield Result(f"time of {names}", "the model's own", at_rate, took, "wall", took / at_rate, at_most=1.1)
    yield _memory("peak memory of the terminal program", memory)


def _memory(what: str, memory: float) -> Result:
    return Result(what, f"{MOST_MEMORY:g} MB", MOST_MEMORY, memory, "memory", memory / MOST_MEMORY, at_most=1.0)


def _answers(folder: Path) -> Iterator[Outcome]:
    """A window of a scripted model holds five hundred short answers, so no summary is in the figures."""
    text = "Some **words** of an answer.\n\n```python\nfor each in all:\n    print(each)\n```\n\n- one\n- two\n\n"
    script = script_in(folder, [f"{text} number {number} is over" for number in range(ANSWERS)])
    screen = Screen(folder / "answers", "--model", f"scripted/{script}")
    screen.until(_READY).rest(0.5)
    costs, memory = [], 0.0
    for number in range(ANSWERS):
        if number % BATCH == 0:
            costs.append(screen.cpu)
            memory = memory or (screen.memory if number else 0.0)
        screen.type(b"go\r")
        screen.until(f"number {number} is over".encode()).rest(0.06)  # Enter at once behind other keys is a paste
    costs.append(screen.cpu)
    end = screen.memory
    screen.leave()
    batches = [(after - before) / BATCH for before, after in pairwise(costs)]
    first, last = batches[1], median(batches[-3:])  # the first batch loads what renders
    names = f"answer {ANSWERS} in one session", f"answer {BATCH + 1}"
    yield Result(*names, first, last, "cpu", last / first, at_most=MOST_GROWTH)
    names = f"peak memory after {ANSWERS} answers", f"after {BATCH}"
    yield Result(*names, memory, end, "memory", end / memory, at_most=MOST_GROWTH)


def _resuming(folder: Path, rounds: int) -> Outcome:
    """From the start of the program until the last answer of a session of very many lines is on the screen."""
    home = folder / "resuming"
    script = script_in(folder, ["stored words"])
    screen = Screen(home, "--model", f"scripted/{script}")
    screen.until(_READY).rest(0.3)
    screen.type(b"go\r")
    screen.until(b"stored words").rest(0.3)
    screen.leave()
    (path,) = [each for each in home.rglob("sessions/**/*.jsonl") if each.is_file()]
    write_lines(path, LINES)
    walls = []
    for _ in range(rounds + 1):
        started = time.monotonic()
        again = Screen(home, "--model", f"scripted/{script}", "--resume", "last")
        again.until(f"answer {LINES - 1}".encode())
        walls.append((time.monotonic() - started) * 1000)
        again.leave()
    typical = median(walls[1:])
    names = f"resuming a session of {LINES:,} lines", "a second"
    return Result(*names, MOST_RESUME, typical, "wall", typical / MOST_RESUME, at_most=1.0)


def write_lines(path: Path, count: int) -> None:
    """Appends messages as a session does. Without a compaction, which would spare whoever resumes the older ones."""
    parent = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["id"]
    with path.open("a", encoding="utf-8") as file:
        for number in range(count):
            head = {"type": "message", "id": f"{number:08x}", "parent": parent, "at": 1.5}
            parts = [{"type": "text", "text": f"answer {number}"}]
            message: dict[str, Any] = {"role": "model" if number % 2 else "user", "parts": parts}
            file.write(json.dumps({**head, "message": message}) + "\n")
            parent = f"{number:08x}"


def _long_text() -> list[str]:
    """Markdown in pieces of a token."""
    part = (
        "## Part {0}\n\nSome **bold** and *other* words with `code` in them, which go on for a line or two so that "
        "they are broken, as answers are.\n\n```python\ndef part_{0}(value: int) -> int:\n    total = value + {0}\n"
        "    return total * 2  # a remark\n```\n\n- one item of a list\n- another one with more words in it\n\n"
    )
    text = "".join(part.format(number) for number in range(TOKENS // 40))
    words = text.replace(" ", " \0").replace("\n", "\n\0").split("\0")
    return [*words[: TOKENS - 3], "\n\nThe ", "very ", "end\n"]


class TokenServer:
    """A model in the wire format of Anthropic that says `tokens`, so many a second."""

    def __init__(self, tokens: list[str], a_second: int) -> None:
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_given: Any) -> None:
                """Quiet."""

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("content-length") or 0))
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                started = time.monotonic()
                for number, event in enumerate(_events(tokens)):
                    time.sleep(max(0.0, started + number / a_second - time.monotonic()))
                    self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _events(tokens: list[str]) -> Iterator[dict[str, Any]]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": [], "usage": usage}
    yield {"type": "message_start", "message": message}
    yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    for token in tokens:
        yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": token}}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage}
    yield {"type": "message_stop"}
