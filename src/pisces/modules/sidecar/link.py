"""What is pending with one sidecar process: calls that wait for their answer, questions of its modules, components.

A call that is given up is cancelled there too, and whoever does not show a sign of life after that is ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextvars import Context, copy_context
from typing import Any

from pisces.events.emit import Report, error_text
from pisces.modules.api import Wiring
from pisces.modules.module_ui import ModuleUi
from pisces.modules.sidecar.asked import ORDERS, QUESTIONS, TOUCHED
from pisces.modules.sidecar.component import RemoteComponent
from pisces.modules.sidecar.mirror import Mirror
from pisces.modules.sidecar.process import JsonProcess, SidecarLimits
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.value import Value

MOST_QUESTIONS = 1000


class JavaScriptError(Exception):
    """A module threw. `trace` is its own stack."""

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.trace = trace


class Down(RuntimeError):
    """There is no sidecar to ask, or it ended while it was asked."""


class HostSide(Value):
    """What a link knows of the host: its wiring, whom to tell, and the path behind a number."""

    wiring: Wiring
    report: Report
    limits: SidecarLimits
    path_of: Callable[[int], str]


class _Call:
    __slots__ = ("answer", "context", "update", "what")

    def __init__(self, what: str, update: Callable[[Any], None] | None) -> None:
        self.what = what
        self.answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        self.context: Context = copy_context()
        self.update = update


class Link:
    def __init__(self, process: JsonProcess, mirror: Mirror, host: HostSide) -> None:
        self._process = process
        self._mirror = mirror
        self._host = host
        self._calls: dict[int, _Call] = {}
        self._questions: dict[int, asyncio.Task[None]] = {}
        self._components: dict[int, RemoteComponent] = {}
        self._forget: list[Callable[[], None]] = []
        self._last = 0
        self._pings = self._pongs = 0
        self._heard = 0.0
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._is_delivering = False
        self.dropped: set[int] = set()  # modules that live in another process by now: they may not act any more

    # Asking the sidecar.

    def drop(self, module: int) -> None:
        self.dropped.add(module)
        self._process.send({"drop": module})

    async def call(
        self, what: str, module: int, args: Mapping[str, Any], update: Callable[[Any], None] | None = None
    ) -> Mapping[str, Any]:
        """The answer, `value` and `changed`. Raises what the module threw, or `Down` where the process ended."""
        self._last += 1
        number, call = self._last, _Call(what, update)
        message: dict[str, Any] = {"do": what, "id": number, "ext": module, "args": args}
        self._calls[number] = call
        try:
            self._send(message)
            answer = await call.answer
        except asyncio.CancelledError:
            self._give_up(number, module)
            raise
        finally:
            self._calls.pop(number, None)
        if "error" in answer:
            error = answer["error"]
            raise JavaScriptError(str(error.get("message", "")), str(error.get("trace", "")))
        return answer

    def _send(self, message: dict[str, Any]) -> None:
        change = self._mirror.change()
        if change:
            message["state"] = change
        self._process.send(message)

    def _give_up(self, number: int, module: int) -> None:
        self._process.send({"cancel": number})
        path = self._host.path_of(module)
        late = "did not come back"
        self._expect_life(f"`{path}` {late}: it was given up after its time" if path else late)

    def _expect_life(self, otherwise: str) -> None:
        self._pings += 1
        asked = self._pings
        self._process.send({"ping": asked})

        def look() -> None:
            if self._pongs < asked:
                self._process.kill(otherwise)

        self._later("life", self._host.limits.life, look)

    def beat(self) -> None:
        """Looks now and then at whether it still lives. A tool may keep it busy for as long as it likes."""
        loop, limits = asyncio.get_running_loop(), self._host.limits
        self._heard = self._heard or loop.time()
        is_working = any(call.what == "tool" for call in self._calls.values())
        if not is_working and loop.time() - self._heard > limits.silence:
            self._process.kill(f"gave no sign of life for {limits.silence:g} s")
            return
        self._pings += 1
        self._send({"ping": self._pings})
        self._later("beat", limits.beat, self.beat)

    def _later(self, name: str, seconds: float, function: Callable[[], None]) -> None:
        if name in self._timers:
            self._timers[name].cancel()
        self._timers[name] = asyncio.get_running_loop().call_later(seconds, function, context=Context())

    # What comes from the sidecar.

    def receive(self, message: Mapping[str, Any]) -> None:
        self._heard = asyncio.get_running_loop().time()
        if message.get("ext", -1) in self.dropped and "answer" not in message:
            if "ask" in message:
                self._process.send({"answer": message["id"], "error": "this module was loaded again"})
        elif "answer" in message:
            call = self._calls.get(message["answer"])
            if call is not None and not call.answer.done():
                call.answer.set_result(message)
        elif "tell" in message:
            self._obey(message)
        elif "ask" in message:
            self._start_question(message)
        elif "update" in message:
            call = self._calls.get(message["update"])
            if call is not None and call.update is not None:
                call.context.copy().run(self._safely, call.update, message.get("value"))
        else:
            self._receive_rest(message)

    def _receive_rest(self, message: Mapping[str, Any]) -> None:
        bus = self._host.wiring.bus
        if "pong" in message:
            self._pongs = int(message["pong"])
        elif "dirty" in message:
            component = self._components.get(message["dirty"])
            if component is not None:
                component.changed.set()
        elif "finished" in message:
            component = self._components.get(message["finished"])
            if component is not None:
                component.finish(message.get("value"))
        elif "forget" in message:
            task = self._questions.get(message["forget"])
            if task is not None:
                task.cancel()
        elif "bus" in message:
            self._is_delivering = True
            bus.emit(str(message["bus"]), message.get("value"))
            self._is_delivering = False
        elif "listen" in message:
            topic = str(message["listen"])
            self._forget.append(bus.on(topic, lambda value: self._pass_on(topic, value)))

    def _pass_on(self, topic: str, value: Any) -> None:
        """What other modules say on the bus; what came from the sidecar itself is known there."""
        if not self._is_delivering:
            self._process.send({"bus": topic, "value": value})

    def _safely(self, function: Callable[[Any], None], value: Any) -> None:
        try:
            function(value)
        except Exception as error:  # noqa: BLE001  # the host's own callback must not end the reading of the wire
            self._host.report(ModuleFailed("", "update", error_text(error)))

    def _obey(self, message: Mapping[str, Any]) -> None:
        what, actions = str(message["tell"]), self._host.wiring.actions
        path = self._host.path_of(message.get("ext", -1))
        order = ORDERS.get(what)
        if actions is None or order is None:
            why = "no session is bound" if actions is None else "unknown"
            self._host.report(ModuleFailed(path, what, f"`{what}` was called in vain: {why}"))
            return
        if what == "append_entry":
            self._mirror.appended += 1
        try:
            order(actions, message.get("args") or {})
        except Exception as error:  # noqa: BLE001  # an action of the host refused what the module sent
            self._host.report(ModuleFailed(path, what, error_text(error)))
        if what in TOUCHED:
            self._mirror.forget(TOUCHED[what])

    def _start_question(self, message: Mapping[str, Any]) -> None:
        number = message["id"]
        if len(self._questions) >= MOST_QUESTIONS:
            self._process.send({"answer": number, "error": f"more than {MOST_QUESTIONS} questions are open"})
            return
        call = self._calls.get(message.get("call") or 0)
        context = call.context.copy() if call else Context()
        task = asyncio.get_running_loop().create_task(self._answer(message), context=context)
        self._questions[number] = task
        task.add_done_callback(lambda _: self._questions.pop(number, None))

    async def _answer(self, message: Mapping[str, Any]) -> None:
        answer: dict[str, Any] = {"answer": message["id"]}
        try:
            answer["value"] = await self._value_for(message)
        except Exception as error:  # noqa: BLE001  # passed to the module, which may catch it
            answer["error"] = str(error) or error_text(error)
        self._send(answer)

    async def _value_for(self, message: Mapping[str, Any]) -> Any:
        what, args, actions = str(message["ask"]), message.get("args") or {}, self._host.wiring.actions
        if actions is None:
            raise Down(f"`{what}` was called while no session is bound")
        if what == "ui.custom":
            return await self._custom(message.get("ext", -1), args)
        if what in TOUCHED:
            self._mirror.forget(TOUCHED[what])
        question = QUESTIONS.get(what)
        if question is None:
            raise LookupError(f"`{what}` is not known here")
        return await question(actions, args)

    async def _custom(self, module: int, args: Mapping[str, Any]) -> Any:
        actions = self._host.wiring.actions
        assert actions is not None

        async def call(what: str, given: Mapping[str, Any]) -> Any:
            async with asyncio.timeout(self._host.limits.call):
                return (await self.call(what, module, given)).get("value")

        overlay = dict(args.get("placement") or {}) if args.get("overlay") else {}
        component = RemoteComponent(args["component"], call, overlay)
        self._components[args["component"]] = component
        try:
            return await ModuleUi(actions.ui).custom(component)
        finally:
            self._components.pop(args["component"], None)

    def end(self, reason: str) -> None:
        """The process is gone: nobody waits any longer."""
        for timer in self._timers.values():
            timer.cancel()
        for call in self._calls.values():
            if not call.answer.done():
                call.answer.set_exception(Down(reason))
        for task in tuple(self._questions.values()):
            task.cancel()
        for component in self._components.values():
            component.finish()
        for forget in self._forget:
            forget()
        self._forget.clear()

    @property
    def busy_with(self) -> tuple[str, ...]:
        return tuple(call.what for call in self._calls.values())
