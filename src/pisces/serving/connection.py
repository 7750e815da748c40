"""One client: its requests are answered side by side, each can be cancelled, and it can be asked something itself.

Nothing that fails while a request is answered leaves as an exception's text: that may hold somebody's secret.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pisces.ide.companion import rpc
from pisces.serving.choices import ServeChoices
from pisces.serving.greeting import VERSIONS, greeting
from pisces.serving.stdio import INITIALIZE
from pisces.serving.wire import INTERNAL, MOST_LINE, REFUSED, error_for, message_in

MOST_UNDER_WAY = 100
_CALLS = ("tools/call", "prompts/get", "resources/read")
_END_SECONDS = 5.0

Send = Callable[[Mapping[str, Any]], object]


class ClientGone(Exception):
    """Nobody is there to answer."""


class RequestOfClient:
    """A request that is being answered. `progress` tells the client how far it is, if it wants to know."""

    def __init__(self, message: rpc.Message, client: ServedConnection) -> None:
        self.method, self.client = message.method, client
        self.params: dict[str, Any] = message.params if isinstance(message.params, dict) else {}
        meta = self.params.get("_meta")
        self._token = meta.get("progressToken") if isinstance(meta, dict) else None
        self._last = 0.0

    def progress(self, done: float | None, total: float | None, text: str) -> None:
        """Only ever more: `done` is counted here where whoever reports does not."""
        if not isinstance(self._token, str | int) or isinstance(self._token, bool):
            return
        self._last = done if done is not None and done > self._last else self._last + 1
        params = {"progressToken": self._token, "progress": self._last, "total": total, "message": text or None}
        self.client.notify("notifications/progress", {key: value for key, value in params.items() if value is not None})


Answer = Callable[[RequestOfClient], Awaitable[Mapping[str, Any]]]


class ServedConnection:
    """`answer` is asked about every request but `initialize` and `ping`. `send` must not block."""

    def __init__(self, send: Send, choices: ServeChoices, answer: Answer, greeted: Any = None) -> None:
        self._send, self._choices, self._answer = send, choices, answer
        self.greeted: dict[str, Any] | None = greeted
        self.is_listening: Callable[[], bool] = lambda: True  # whether it hears what it is asked
        self._tasks: dict[str | int, asyncio.Task[Mapping[str, Any]]] = {}
        self._methods: dict[str | int, str] = {}
        self._ids = itertools.count(1)
        self._asked: dict[str, asyncio.Future[Any]] = {}
        self._is_closed = False

    @property
    def name(self) -> str:
        """What the client calls itself."""
        facts = (self.greeted or {}).get("clientInfo")
        return str(facts.get("name", ""))[:100] if isinstance(facts, dict) else ""

    @property
    def version(self) -> str:
        """Of the protocol."""
        wanted = (self.greeted or {}).get("protocolVersion")
        return wanted if wanted in VERSIONS else VERSIONS[0]

    @property
    def shows_forms(self) -> bool:
        capabilities = (self.greeted or {}).get("capabilities")
        forms = capabilities.get("elicitation") if isinstance(capabilities, dict) else None
        return isinstance(forms, dict) and (not forms or "form" in forms)

    @property
    def is_calling(self) -> bool:
        """Whether it waits for something that its user may be asked about, and hears the question."""
        if self._is_closed or not self.is_listening():
            return False
        return any(method in _CALLS for method in self._methods.values())

    def take(self, line: bytes) -> None:
        """One message. Never raises."""
        if len(line) > MOST_LINE:
            self._send(rpc.error(None, rpc.INVALID_REQUEST, f"a message may have {MOST_LINE} bytes"))
            return
        if line.isspace():
            return
        try:
            message = message_in(line)
        except rpc.Fault as fault:
            self._send(error_for(line, fault))
            return
        self.take_message(message)

    def take_message(self, message: rpc.Message) -> None:
        if not message.method:
            self._take_response(message)
        elif not message.wants_answer:
            self._take_notification(message)
        elif fault := self._fault_of(message):
            self._send(rpc.error(message.id, fault.code, fault.message))
        else:
            self._begun(message).add_done_callback(lambda done: done.cancelled() or self._send(done.result()))

    async def response_to(self, message: rpc.Message) -> Mapping[str, Any]:
        """For a transport on which a response belongs to its request. If this is cancelled, so is the request."""
        fault = self._fault_of(message)
        if fault is None:
            task = self._begun(message)
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError:
                task.cancel()
                raise
            if not task.cancelled():
                return task.result()
            fault = rpc.Fault(REFUSED, "the request was cancelled")
        return rpc.error(message.id, fault.code, fault.message)

    def _begun(self, message: rpc.Message) -> asyncio.Task[Mapping[str, Any]]:
        assert message.id is not None
        task = asyncio.get_running_loop().create_task(self._response(message))
        self._tasks[message.id], self._methods[message.id] = task, message.method
        task.add_done_callback(lambda _done: self._forget(message))
        return task

    def _fault_of(self, message: rpc.Message) -> rpc.Fault | None:
        if message.id in self._tasks:
            return rpc.Fault(rpc.INVALID_REQUEST, "a request with this id is still under way")
        if len(self._tasks) >= MOST_UNDER_WAY:
            return rpc.Fault(REFUSED, f"{MOST_UNDER_WAY} requests are under way already: wait for one of them")
        if message.method == INITIALIZE and self.greeted is not None:
            return rpc.Fault(rpc.INVALID_REQUEST, "this connection is initialized already")
        return None

    def _forget(self, message: rpc.Message) -> None:
        assert message.id is not None
        del self._tasks[message.id], self._methods[message.id]

    async def _response(self, message: rpc.Message) -> Mapping[str, Any]:
        try:
            return rpc.result(message.id, await self._result(message))
        except rpc.Fault as fault:
            return rpc.error(message.id, fault.code, fault.message)
        except Exception as error:  # noqa: BLE001  # the text of an exception may hold a secret, and is not sent
            sys.stderr.write(f"pisces: {message.method[:100]!r} failed: {type(error).__name__}\n")
            return rpc.error(message.id, INTERNAL, "pisces failed to answer this request")

    async def _result(self, message: rpc.Message) -> Mapping[str, Any]:
        if message.method == INITIALIZE:
            self.greeted = message.params if isinstance(message.params, dict) else {}
            return greeting(message.params, self._choices)
        if message.method == "ping":
            return {}
        if message.params is not None and not isinstance(message.params, dict):
            raise rpc.Fault(rpc.INVALID_PARAMS, "`params` must be an object")
        if self.greeted is None:
            if message.method.startswith("server/"):  # newer clients try this first, and then greet
                raise rpc.Fault(rpc.UNKNOWN_METHOD, f"Method not found: {message.method[:100]}")
            raise rpc.Fault(rpc.INVALID_REQUEST, "send `initialize` first")
        return await self._answer(RequestOfClient(message, self))

    def _take_notification(self, message: rpc.Message) -> None:
        params = message.params if isinstance(message.params, dict) else {}
        id = params.get("requestId")
        if message.method != "notifications/cancelled" or not isinstance(id, str | int) or isinstance(id, bool):
            return
        if id in self._tasks and self._methods[id] != INITIALIZE:
            self._tasks[id].cancel()

    def _take_response(self, message: rpc.Message) -> None:
        asked = self._asked.pop(str(message.id), None)
        if asked is not None and not asked.done():
            asked.set_result(message.params)

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        if self.greeted is not None and not self._is_closed:
            self._send({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})

    async def ask(self, method: str, params: Mapping[str, Any], seconds: float) -> Any:
        """The result of a request to the client. Raises `ClientGone` if there is none in time, or an error."""
        if self._is_closed:
            raise ClientGone
        id = f"pisces-{next(self._ids)}"
        asked = self._asked[id] = asyncio.get_running_loop().create_future()
        self._send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        try:
            async with asyncio.timeout(seconds):
                response = await asked
        except TimeoutError:
            raise ClientGone from None
        finally:
            if self._asked.pop(id, None) is not None:
                self.notify("notifications/cancelled", {"requestId": id, "reason": "it is not waited for any more"})
        if not isinstance(response, dict) or not isinstance(response.get("result"), dict):
            raise ClientGone
        return response["result"]

    async def finish(self, seconds: float) -> None:
        """The client sends nothing more, but may still read: what is under way may end by itself."""
        self._is_closed = True
        for asked in self._asked.values():
            if not asked.done():
                asked.set_exception(ClientGone())
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=seconds)

    async def close(self) -> None:
        """Ends what is under way. Whoever waits for the client's answer gets none."""
        for each in self._tasks.values():
            each.cancel()
        await self.finish(_END_SECONDS)
