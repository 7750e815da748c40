"""One event, many handlers: what each makes of it, and what a broken one costs the others."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import threading
import time
from collections.abc import Callable, Generator
from typing import Any

import pytest

from pisces.events.emit import emit
from pisces.events.time_limit import TimeLimit, not_counted
from pisces.shapes.event import Event
from pisces.shapes.events.agent import Input
from pisces.shapes.events.session import SessionBeforeSwitch
from pisces.shapes.events.surroundings import ModuleFailed, ResourcesDiscover
from pisces.shapes.events.tools import ToolCall, ToolResult
from pisces.shapes.listener import Listener

CALL = ToolCall("bash", "1", {"command": "ls", "env": [{"PATH": "/bin"}]})


def walked(event: Any, *calls: Callable[[Any], Any], seconds: float | None = None) -> tuple[Any, list[ModuleFailed]]:
    failures: list[ModuleFailed] = []

    async def walk() -> Event:
        limit = TimeLimit(seconds)
        try:
            handlers = [Listener(type(event), call, f"{call.__name__}.py") for call in calls]
            return await emit(event, handlers, limit, failures.append)
        finally:
            limit.close()

    return asyncio.run(walk()), failures


def test_a_later_reason_never_erases_an_earlier_input() -> None:
    def safer(event: ToolCall) -> ToolCall:
        return event.with_input(command="ls -l")

    async def tells(event: ToolCall) -> ToolCall:
        return event.replace(reason=f"saw {event.input['command']}")

    event, failures = walked(CALL, safer, tells)
    assert (event.input["command"], event.reason, event.blocked) == ("ls -l", "saw ls -l", False)
    assert not failures


def test_whatever_is_put_into_an_event_cannot_change_in_it_afterwards() -> None:
    inner: list[Any] = [1]
    given = {"a": {"b": inner}}
    call = ToolCall("bash", "1", given)
    changed = call.with_input(c=inner).replace(reason="x")
    inner.append(2)
    given["a"]["b"] = []
    assert call.input == {"a": {"b": [1]}}
    assert changed.input == {"a": {"b": [1]}, "c": [1]}
    frozen_parts: list[Any] = [call.input, call.input["a"], changed.input["c"]]
    for inside in frozen_parts:
        with pytest.raises(TypeError):
            inside.clear()
    assert json.loads(json.dumps(changed.input)) == changed.input


def test_a_handler_may_have_a_time_limit_of_its_own() -> None:
    async def walk() -> ToolCall:
        limit = TimeLimit()
        try:
            listener = Listener(ToolCall, waits, "slow.py", seconds=0.1)
            return await emit(CALL, [listener], limit, lambda _: None)
        finally:
            limit.close()

    assert asyncio.run(walk()).reason == "Extension slow.py failed: took longer than 0.1 s"


def test_a_blocked_call_is_settled_and_nobody_else_is_asked() -> None:
    asked: list[str] = []

    def blocks(event: ToolCall) -> ToolCall:
        return event.block("not on my watch")

    def late(event: ToolCall) -> None:
        asked.append(event.tool)

    event, _ = walked(CALL, blocks, late)
    assert (event.blocked, event.reason, asked) == (True, "not on my watch", [])


def raises(event: Event) -> Event:
    raise ValueError("oh no")


def exits(event: Event) -> Event:
    sys.exit(3)


def answers_nonsense(event: Event) -> object:
    return {"block": True}


def sleeps(event: Event) -> Event:
    time.sleep(30)
    return event


def spins(event: Event) -> Event:
    while True:
        pass


async def waits(event: Event) -> Event:
    await asyncio.sleep(30)
    return event


async def waits_and_then_blocks(event: Event) -> Event:
    await asyncio.sleep(0)
    time.sleep(30)
    return event


async def answers_when_its_time_is_up(event: Event) -> Event | None:
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError:
        return None
    return event


async def swallows(event: Event) -> Event:
    try:
        while True:
            pass
    except Exception:  # noqa: BLE001  # what careless handlers do
        return event


class Rude(BaseException):
    """Not an Exception: no careless `except` stops it."""


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError("no comment")


class Undecided:
    def __bool__(self) -> bool:
        raise ValueError("yes and no")


def is_rude(event: Event) -> Event:
    raise Rude("out of my way")


def is_mute(event: Event) -> Event:
    raise Mute


def is_verbose(event: Event) -> Event:
    raise ValueError("x" * 1_000_000)


def is_undecided(event: Event) -> Event:
    return event.replace(**{"blocked" if isinstance(event, ToolCall) else "handled": Undecided()})


def cancels(event: Event) -> Event:
    raise asyncio.CancelledError


async def waits_for_what_it_cancelled(event: Event) -> None:
    task = asyncio.ensure_future(asyncio.sleep(30))
    task.cancel()
    await task


def answers_with_something_that_blocks(event: Event) -> object:
    class Blocks:
        def __await__(self) -> Generator[None, None, None]:
            time.sleep(30)
            yield

    return Blocks()


def swallows_everything_once(event: Event) -> Event:
    try:
        time.sleep(30)
    except BaseException:  # noqa: BLE001  # what careless handlers do
        time.sleep(30)
    return event


def changes_in_place(event: Event) -> None:
    inside = event.input["env"] if isinstance(event, ToolCall) else event.images  # type: ignore[attr-defined]
    inside.clear()


BROKEN: dict[Callable[[Any], Any], str] = {
    raises: "ValueError: oh no",
    changes_in_place: "TypeError: a FrozenList is immutable: use [*items, item]",
    exits: "called sys.exit(3)",
    answers_nonsense: "TypeError: returned dict; a handler returns a changed {}, or None",
    sleeps: "took longer than 0.2 s",
    spins: "took longer than 0.2 s",
    waits: "took longer than 0.2 s",
    waits_and_then_blocks: "took longer than 0.2 s",
    swallows: "took longer than 0.2 s",
    answers_when_its_time_is_up: "took longer than 0.2 s",
    is_rude: "Rude: out of my way",
    is_mute: "Mute",
    is_verbose: f"ValueError: {'x' * 2000} ...",
    is_undecided: "ValueError: yes and no",
    cancels: "CancelledError",
    waits_for_what_it_cancelled: "CancelledError",
    answers_with_something_that_blocks: "took longer than 0.2 s",
    swallows_everything_once: "took longer than 0.2 s",
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_guard_blocks_and_a_broken_reader_does_not_stop_the_others(broken: Callable[[Any], Any]) -> None:
    def after(event: Any) -> Any:
        return event.replace(text=event.text + "!")

    message = BROKEN[broken]
    guarded, failures = walked(CALL, broken, seconds=0.2)
    assert guarded.blocked
    assert guarded.reason == f"Extension {broken.__name__}.py failed: {message.format('ToolCall')}"
    assert [(each.module, each.event) for each in failures] == [(f"{broken.__name__}.py", "ToolCall")]
    read, failures = walked(Input("hello", [{"type": "image"}]), broken, after, seconds=0.2)
    assert read.text == "hello!"
    assert [each.message for each in failures] == [message.format("Input")]


def test_the_trace_of_a_failure_names_the_extensions_own_line() -> None:
    _, (failure,) = walked(Input("x"), raises)
    assert "test_emit.py" in failure.trace
    assert 'emit.py", line' not in failure.trace.replace("test_emit.py", "")


@pytest.mark.parametrize("slow", [sleeps, waits_and_then_blocks])
def test_the_trace_of_an_interrupted_handler_names_the_line_where_it_was(slow: Callable[[Any], Any]) -> None:
    _, (failure,) = walked(Input("x"), slow, seconds=0.1)
    lines = [line.strip() for line in failure.trace.splitlines() if line.strip(" ~^")]  # some versions mark the call
    assert lines[-1] == "time.sleep(30)"


def test_a_handler_that_does_not_listen_when_its_time_is_up_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pisces.events.time_limit.PATIENCE", 0.1)

    async def goes_on(event: ToolCall) -> None:
        while True:
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                continue

    event, failures = walked(CALL, goes_on, seconds=0.1)
    assert event.blocked
    assert [each.message for each in failures] == ["took longer than 0.1 s"]


def test_a_handler_whose_time_is_up_may_tidy_up() -> None:
    seen: list[str] = []

    async def tidies(event: ToolCall) -> None:
        try:
            await asyncio.sleep(30)
        finally:
            await asyncio.sleep(0.01)
            seen.append("tidied")

    assert walked(CALL, tidies, seconds=0.1)[1][0].message == "took longer than 0.1 s"
    assert seen == ["tidied"]


def test_an_interruption_that_comes_when_the_handler_is_done_stays_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deadlines and looks so short that interruptions arrive on every line, ours included."""

    async def waits_shortly(event: ToolCall) -> None:
        await asyncio.sleep(0)

    async def walk() -> None:
        limit, handlers = TimeLimit(0.00002), [Listener(ToolCall, lambda _event: None, "a.py")]
        handlers.append(Listener(ToolCall, waits_shortly, "b.py"))
        until = time.monotonic() + 1
        while time.monotonic() < until:
            await emit(CALL, handlers, limit, failures.append)
        limit.close()

    failures: list[ModuleFailed] = []
    monkeypatch.setattr("pisces.events.watchdog.LOOKS", 0.0003)
    usual = sys.getswitchinterval()
    gc.collect()
    gc.disable()  # an exception that arrives in a callback of the collector reaches nobody
    sys.setswitchinterval(0.00001)
    try:
        asyncio.run(walk())
    finally:
        sys.setswitchinterval(usual)
        gc.enable()
    assert {each.message for each in failures} == {"took longer than 2e-05 s"}


def test_a_failure_inside_a_thread_other_than_the_main_one_is_noticed_too() -> None:
    ended: list[Any] = []
    thread = threading.Thread(target=lambda: ended.append(walked(CALL, spins, seconds=0.2)))
    thread.start()
    thread.join(20)
    assert ended[0][0].blocked


def test_time_in_which_the_user_is_asked_does_not_count() -> None:
    async def asks(event: ToolCall) -> ToolCall:
        with not_counted():
            await asyncio.sleep(0.4)
        return event.block("the user said no")

    event, failures = walked(CALL, asks, seconds=0.2)
    assert (event.reason, failures) == ("the user said no", [])


def test_time_after_the_answer_counts_again() -> None:
    async def asks(event: ToolCall) -> None:
        with not_counted():
            await asyncio.sleep(0.01)
        await asyncio.sleep(30)

    assert walked(CALL, asks, seconds=0.2)[1][0].message == "took longer than 0.2 s"


def test_a_timeout_of_the_handlers_own_is_its_own_error() -> None:
    async def impatient(event: Input) -> None:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(30)

    assert walked(Input("x"), impatient)[1][0].message == "TimeoutError"


def test_a_handler_inside_another_ones_turn_has_its_own_time() -> None:
    async def outer(event: Input) -> Input:
        limit = TimeLimit(0.2)
        inner = await emit(CALL, [Listener(ToolCall, spins, "inner.py")], limit, lambda _: None)
        limit.close()
        return event.replace(text=inner.reason)

    assert walked(Input("x"), outer)[0].text == "Extension inner.py failed: took longer than 0.2 s"


def test_a_guard_that_fails_inside_another_ones_call_is_no_block_of_the_other() -> None:
    def breaks(_event: ToolCall) -> None:
        raise ValueError

    async def outer(_event: ToolCall) -> None:
        limit = TimeLimit()
        assert (await emit(CALL, [Listener(ToolCall, breaks, "inner.py")], limit, lambda _: None)).blocked
        limit.close()

    assert walked(CALL, outer) == (CALL, [])


def test_cancelling_the_walk_cancels_the_handler() -> None:
    seen: list[str] = []

    async def tidies(event: Input) -> None:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def walk() -> None:
        limit = TimeLimit()
        task = asyncio.create_task(emit(Input("x"), [Listener(Input, tidies, "x.py")], limit, lambda _: None))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        limit.close()

    asyncio.run(walk())
    assert seen == ["cancelled"]


def test_results_are_patched_one_after_another() -> None:
    result = ToolResult("bash", "1", {}, [{"type": "text", "text": "key=123"}])

    def redacts(event: ToolResult) -> ToolResult:
        return event.with_text(event.text.replace("123", "***"))

    def flags(event: ToolResult) -> ToolResult:
        return event.replace(is_error=True)

    event, _ = walked(result, redacts, flags)
    assert (event.text, event.is_error) == ("key=***", True)


def test_resources_add_up_and_a_switch_can_be_cancelled() -> None:
    def one(event: ResourcesDiscover) -> ResourcesDiscover:
        return event.adding(skills=["/a"])

    def two(event: ResourcesDiscover) -> ResourcesDiscover:
        return event.adding(skills=["/b"], themes=["/t"])

    event, _ = walked(ResourcesDiscover(), one, two)
    assert (event.skill_paths, event.theme_paths) == (("/a", "/b"), ("/t",))

    def stays(event: SessionBeforeSwitch) -> SessionBeforeSwitch:
        return event.cancel("unsaved work")

    assert walked(SessionBeforeSwitch(), stays)[0].is_settled
