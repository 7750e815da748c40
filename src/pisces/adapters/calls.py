"""What every adapter does with a host: a call is judged, its result walks back, and instructions become one text.

A host belongs to the event loop that opened it. Frameworks call tools from other threads and other loops; then the work
is done in the host's loop, and the caller waits. Whatever goes wrong on our side is a denial: some frameworks run the
tool if a callback raises.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from pisces.shapes.events.tools import ToolCall, ToolResult
from pisces.shapes.request import ToolRequest
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping, Sequence

    from pisces.host.host import Host
    from pisces.shapes.event import Event
    from pisces.shapes.tool import Tool

E = TypeVar("E", bound="Event")
Answer = TypeVar("Answer")

_NO_ANSWER = "the gate failed, so nothing runs"


class AdaptedCall(Value):
    """A call as it may run: with the input that was judged. `denied` is the text for the model if it may not."""

    tool: str
    call_id: str
    input: Mapping[str, Any]
    denied: str = ""
    server: str = ""


class HostCalls:
    """Made in the event loop of the host, used from anywhere."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._loop = asyncio.get_running_loop()

    @property
    def instructions(self) -> str:
        """All parts of the instructions, as one text for a system prompt."""
        return "\n\n".join(part.text for part in self.host.instructions)

    @property
    def tools(self) -> Sequence[Tool]:
        return tuple(self.host.tools.values())

    async def judged(self, call: AdaptedCall, agent: str = "", agent_id: str = "") -> AdaptedCall:
        """For a tool of the framework itself, before it runs. Never raises: what fails is denied."""
        try:
            asked = ToolCall(call.tool, call.call_id, dict(call.input))
            judging = self.host.judge(asked, server=call.server, agent=agent, agent_id=agent_id)
            judged = await self._there(judging)
        except Exception as error:  # noqa: BLE001  # a framework may run the tool if this raised
            return call.replace(denied=f"{_NO_ANSWER}: {error or type(error).__name__}")
        if not judged.verdict.is_allowed:
            return call.replace(denied=denial(judged.verdict.who, judged.verdict.why))
        request = judged.request
        return call.replace(input=dict(request.call.input)) if isinstance(request, ToolRequest) else call

    async def finished(self, call: AdaptedCall, text: str, *, is_error: bool = False) -> ToolResult:
        """The result as handlers and hooks leave it. If that fails, the result as it was is not handed out."""
        content = ({"type": "text", "text": text},)
        result = ToolResult(call.tool, call.call_id, call.input, content, is_error=is_error, server=call.server)
        try:
            return await self._there(self.host.emit(result))
        except Exception as error:  # noqa: BLE001  # a guard of results must not be skipped by its failure
            failed = f"the result is withheld, because a hook failed: {error or type(error).__name__}"
            return result.replace(content=({"type": "text", "text": failed},), is_error=True)

    async def called(self, name: str, arguments: Mapping[str, Any], call_id: str = "") -> ToolResult:
        """One of the host's own tools: judged and run by the host."""
        return await self._there(self.host.call(name, arguments, call_id))

    async def emitted(self, event: E) -> E:
        return await self._there(self.host.emit(event))

    async def _there(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """In the host's loop. Cancelling the caller cancels the work."""
        if asyncio.get_running_loop() is self._loop:
            return await work
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def wait_for(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """For frameworks that call from a thread without an event loop. RuntimeError in the host's own thread."""
        try:
            running: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            running = None
        if running is self._loop:
            work.close()
            raise RuntimeError("the host's event loop cannot wait for itself: use the asynchronous way")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def denial(who: str, why: str) -> str:
    """What a model reads instead of a result."""
    return f"Blocked by {who or 'the host'}: {why or 'it is not allowed'}"
