"""JSON-RPC with a server, message by message, so that a check can also say what no client would.

A speaker starts nothing by itself: `StdioSpeaker` opens one program in `async with`, and ends it with all that it
started. It records what is on stdout and is no message, how much is on stderr, and what the server asks unasked.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Self

from pisces.mcp.connection import MOST_BYTES, ServerError, ServerGone
from pisces.mcp.fence import launch_of
from pisces.mcp.last_words import last_words
from pisces.processes.launch import ERR
from pisces.processes.process import Process
from pisces.value import EMPTY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.mcp.plan import ServerPlan

_MOST_JUNK = 20  # lines that are recorded
_TAIL = 8192  # characters of stderr
_SHOWN = 300  # of them in one problem
_GRACE = 1.0
_NO_METHOD = -32601


class Speaker:
    """Pairs answers with requests. A subclass sends with `send` and passes what comes to `heard`.

    `junk` are lines on stdout that are no message, `asked` the methods of requests that the server made; both have a
    limit. `notified` counts notifications, `unanswered` the requests in a row that got no answer. `ended` says why
    there is no server any more.
    """

    def __init__(self) -> None:
        self.junk: list[str] = []
        self.asked: list[str] = []
        self.notified = self.unanswered = 0
        self.ended = ""
        self._number = 0
        self._waiting: dict[Any, asyncio.Future[Any]] = {}
        self._given_up: set[str] = set()

    async def send(self, message: Mapping[str, Any]) -> None:
        raise NotImplementedError

    async def request(self, method: str, params: Mapping[str, Any] = EMPTY, seconds: float = 10.0) -> Any:
        """The result. `ServerError` for an error, `ServerGone` where the server ended or does not answer in time."""
        if self.ended:
            raise ServerGone(self.ended)
        self._number += 1
        number = f"pisces-{self._number}"  # a text: an answer with another type of id is no answer
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            await self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params)})
            async with asyncio.timeout(seconds):
                await asyncio.wait([answer])
            self.unanswered = 0
            return answer.result()
        except TimeoutError:
            self.unanswered += 1
            raise ServerGone(f"`{method}` was not answered within {seconds:g} s") from None
        finally:
            self._waiting.pop(number, None)
            if not answer.done():
                self._given_up.add(number)

    async def notify(self, method: str, params: Mapping[str, Any] = EMPTY) -> None:
        await self.send({"jsonrpc": "2.0", "method": method, "params": dict(params)})

    async def heard(self, message: Any) -> None:
        for each in message if isinstance(message, list) else [message]:
            if not isinstance(each, dict) or each.get("jsonrpc") != "2.0":
                self.note_junk(json.dumps(each))
            elif "method" in each:
                await self._called(each)
            else:
                self._answered(each)

    async def _called(self, message: dict[str, Any]) -> None:
        method = str(message["method"])
        if "id" not in message:
            self.notified += 1
        elif method == "ping":
            await self.send({"jsonrpc": "2.0", "id": message["id"], "result": {}})
        else:
            self.asked += [method[:100]] if len(self.asked) < _MOST_JUNK else []
            error = {"code": _NO_METHOD, "message": "this client does not offer that"}
            await self.send({"jsonrpc": "2.0", "id": message["id"], "error": error})

    def _answered(self, message: dict[str, Any]) -> None:
        number = message.get("id")
        answer = self._waiting.get(number) if isinstance(number, str) else None
        if answer is None or answer.done():
            # An error without an id is about a message that could not be read. A late answer is no fault of stdout.
            is_late = isinstance(number, str) and number in self._given_up
            if number is not None and not is_late:
                self.note_junk(f"an answer to nothing: {json.dumps(message)}")
        elif "error" in message:
            answer.set_exception(_error(message["error"]))
        elif "result" in message:
            answer.set_result(message["result"])
        else:
            answer.set_exception(ServerError("the answer has neither a result nor an error"))

    def note_junk(self, text: str) -> None:
        if len(self.junk) < _MOST_JUNK:
            self.junk.append(text)

    def lose(self, why: str) -> None:
        """Nobody waits for a server that is gone."""
        self.ended = self.ended or why
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(ServerGone(self.ended))


def _error(value: Any) -> ServerError:
    if not isinstance(value, dict) or not isinstance(value.get("code"), int):
        return ServerError(f"the error is no object with a code: {json.dumps(value)[:200]}")
    return ServerError(str(value.get("message", "")), value["code"], value.get("data"))


class StdioSpeaker(Speaker):
    """`err_bytes` counts all of stderr, `tail` is the end of it."""

    def __init__(self, plan: ServerPlan) -> None:
        super().__init__()
        self._plan = plan
        self._line = bytearray()
        self._is_too_long = False
        self.err_bytes, self.tail = 0, ""

    async def __aenter__(self) -> Self:
        try:
            self.process = Process.start(launch_of(self._plan))
        except (OSError, ValueError) as error:
            raise ServerGone(f"it cannot be started: {getattr(error, 'strerror', '') or error}") from None
        self._reading = asyncio.get_running_loop().create_task(self._read())
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.process.close(_GRACE)
        await self._reading

    async def send(self, message: Mapping[str, Any]) -> None:
        await self.send_bytes(json.dumps(message).encode() + b"\n")

    async def send_bytes(self, data: bytes) -> None:
        try:
            self.process.write(data)
            await self.process.drain()
        except BrokenPipeError:
            if asyncio.current_task() is not self._reading:
                await asyncio.wait([self._reading], timeout=_GRACE)  # which finds out how it ended
            raise ServerGone(self.ended or "it does not read any more") from None

    async def _read(self) -> None:
        async for name, chunk in self.process:
            if name == ERR:
                self.err_bytes += len(chunk)
                self.tail = (self.tail + chunk.decode("utf-8", "replace"))[-_TAIL:]
            else:
                await self._split(chunk)
        if self._line:
            self.note_junk(self._line.decode("utf-8", "replace"))
        ended = await self.process.wait()
        how = f"exit code {ended.code}" if ended.code is not None else ended.signal or ended.failure
        self.lose(f"it ended ({how}){self.last_words}")

    @property
    def last_words(self) -> str:
        lines = last_words(self.tail)
        return f": {' / '.join(lines)[:_SHOWN]}" if lines else ""

    async def _split(self, chunk: bytes) -> None:
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            self._line += line
            if self._is_too_long:
                self._is_too_long = False
            else:
                await self._message(bytes(self._line))
            self._line.clear()
        self._line += rest
        if len(self._line) > MOST_BYTES:
            self._is_too_long = True
            self.note_junk(f"a line of more than {MOST_BYTES >> 20} MB")
            self._line.clear()

    async def _message(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = json.loads(line)
            await self.heard(message)
        except (ValueError, RecursionError):
            self.note_junk(line[:500].decode("utf-8", "replace"))
        except ServerGone:  # an answer that it does not read; whoever asks next hears of it
            return
