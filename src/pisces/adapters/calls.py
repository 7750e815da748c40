"""What every adapter does with a host: a call is judged, its result walks back, and instructions become one text.

A host belongs to the event loop that opened it. Frameworks call tools from other threads and other loops; then the work
is done in the host's loop, and the caller waits. Whatever goes wrong on our side is a denial: some frameworks run the
tool if a callback raises.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from pisces.shapes.events.tools import ToolCall, ToolResult
from pisces.shapes.note import CONTEXT, STOP, Note
from pisces.shapes.request import ToolRequest
from pisces.shapes.tool import arguments_of
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Mapping, Sequence

    from pisces.host.host import Host
    from pisces.shapes.event import Event
    from pisces.shapes.tool import Tool

E = TypeVar("E", bound="Event")
Answer = TypeVar("Answer")

_NO_ANSWER = "the gate failed, so nothing runs"
_running: ContextVar[str] = ContextVar("pisces_running_call", default="")


class AdaptedCall(Value):
    """A call as it may run: with the input that was judged. `denied` is the text for the model if it may not.

    `notes` are what hooks said beside their decision.
    """

    tool: str
    call_id: str
    input: Mapping[str, Any]
    denied: str = ""
    server: str = ""
    notes: tuple[Note, ...] = ()


class HostCalls:
    """Made in the event loop of the host, used from anywhere. `calls_of(host)` is the one that all adapters share."""

    def __init__(self, host: Host) -> None:
        self.host = host
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            raise RuntimeError("make an adapter in the event loop of its host, or open the host in a thread") from None
        self.is_started = False  # SessionStart is emitted once, however many agents share the host

    @property
    def instructions(self) -> str:
        """All parts of the instructions, as one text for a system prompt."""
        return "\n\n".join(part.text for part in self.host.instructions)

    @property
    def tools(self) -> Sequence[Tool]:
        return tuple(self.host.tools.values())

    async def instructed(self) -> str:
        """`instructions`, read in the host's loop."""

        async def read() -> str:
            return self.instructions

        return await self._there(read())

    async def offered(self) -> Sequence[Tool]:
        """`tools`, read in the host's loop."""

        async def read() -> Sequence[Tool]:
            return self.tools

        return await self._there(read())

    async def judged(self, call: AdaptedCall, agent: str = "", agent_id: str = "") -> AdaptedCall:
        """For a tool of the framework itself, before it runs. Never raises: what fails is denied."""
        try:
            asked = ToolCall(call.tool, call.call_id, dict(call.input))
            judging = self.host.judge(asked, server=call.server, agent=agent, agent_id=agent_id)
            judged = await self._there(judging)
        except Exception as error:  # noqa: BLE001  # a framework may run the tool if this raised
            return call.replace(denied=f"{_NO_ANSWER}: {error or type(error).__name__}")
        call = call.replace(notes=judged.notes)
        if not judged.verdict.is_allowed:
            return call.replace(denied=denial(judged.verdict.who, judged.verdict.why))
        request = judged.request
        return call.replace(input=arguments_of(request.call.input)) if isinstance(request, ToolRequest) else call

    async def finished(self, call: AdaptedCall, text: str, *, is_error: bool = False) -> ToolResult:
        """The result as handlers and hooks leave it. If that fails, the result as it was is not handed out."""
        content = ({"type": "text", "text": text},)
        result = ToolResult(call.tool, call.call_id, call.input, content, is_error=is_error, server=call.server)
        try:
            emitted = await self._there(self.host.emit(result))
            failed = "the host is closed" if self.host.is_closed else ""
        except Exception as error:  # noqa: BLE001  # a guard of results must not be skipped by its failure
            failed = f"a hook failed: {error or type(error).__name__}"
        if not failed:
            return emitted
        withheld = {"type": "text", "text": f"the result is withheld, because {failed}"}
        return result.replace(content=(withheld,), is_error=True)

    async def called(self, name: str, arguments: Mapping[str, Any], call_id: str = "") -> ToolResult:
        """One of the host's own tools: judged and run by the host. Never raises for what goes wrong there."""
        try:
            return await self._there(self.host.call(name, arguments, call_id))
        except Exception as error:  # noqa: BLE001  # for the model, as every other failure of a tool
            failed = f"the tool failed: {error or type(error).__name__}"
            return ToolResult(name, call_id, {}, ({"type": "text", "text": failed},), is_error=True)

    async def emitted(self, event: E) -> E:
        return await self._there(self.host.emit(event))

    async def _there(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """In the host's loop. Cancelling the caller cancels the work."""
        if asyncio.get_running_loop() is self._loop:
            return await work
        return await asyncio.wrap_future(self._begun(work))

    def _begun(self, work: Coroutine[Any, Any, Answer]) -> Any:
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:  # the loop is closed, and the host with it
            work.close()
            raise

    @property
    def is_here(self) -> bool:
        """Whether the caller runs in the host's own event loop, which cannot wait for itself."""
        try:
            return asyncio.get_running_loop() is self._loop
        except RuntimeError:
            return False

    def wait_for(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """For frameworks that call from a thread without an event loop. RuntimeError in the host's own thread."""
        if self.is_here:
            work.close()
            raise RuntimeError(
                "the host's event loop cannot wait for itself: use the asynchronous way, or another thread"
            )
        begun = self._begun(work)
        try:
            answer: Answer = begun.result()
        except BaseException:
            begun.cancel()  # an interrupted caller leaves nothing behind
            raise
        return answer


def calls_of(host: Host) -> HostCalls:
    """The one of this host. It is made with the first use, in the event loop that opened the host."""
    made: HostCalls | None = vars(host).get("_adapter_calls")
    if made is None:
        made = vars(host)["_adapter_calls"] = HostCalls(host)
    return made


@contextmanager
def running(call: AdaptedCall) -> Iterator[None]:
    """While a tool runs: an agent that starts meanwhile is an inner one."""
    token = _running.set(call.call_id or call.tool)
    try:
        yield
    finally:
        _running.reset(token)


def running_call() -> str:
    """The id of the gated call in which this runs; empty outside of any."""
    return _running.get()


def denial(who: str, why: str) -> str:
    """What a model reads instead of a result."""
    return f"Blocked by {who or 'the host'}: {why or 'it is not allowed'}"


def context_in(notes: Iterable[Note]) -> tuple[str, ...]:
    """What hooks and modules want the model to read, without repetitions."""
    return tuple(dict.fromkeys(note.text for note in notes if note.kind == CONTEXT and note.text))


def stop_in(notes: Iterable[Note]) -> str:
    """Why the agent should stop now; empty if nobody wants that."""
    return next((note.text or "a hook ended the run" for note in notes if note.kind == STOP), "")


def text_for_model(result: ToolResult, before: Iterable[Note] = ()) -> str:
    """The text of a result, with what hooks added before and after the call."""
    return "\n\n".join((_shown(result), *context_in((*before, *result.notes))))


def _shown(result: ToolResult) -> str:
    """The text, and what else there is: no framework shows pictures of every tool to every model."""
    others = [part for part in result.content if part.get("type") != "text"]
    named = (" ".join(str(part[key]) for key in ("type", "mimeType", "uri") if part.get(key)) for part in others)
    return "\n".join(filter(None, (result.text, *(f"[{name}, not shown]" for name in named))))
