"""Guards that would silently do nothing: the call is blocked, and the author hears what to write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pisces.shapes.event import Event
from pisces.shapes.events import Input, SessionBeforeSwitch, ToolCall, ToolExecutionStart, ToolResult, TurnStart
from pisces.testing import Unexpected, scripted_session
from tests.modules.js_session import JsSession, played, written
from tests.modules.python_module import module

CALL = ToolCall("bash", "1", {"command": "rm"})


def answered(folder: Path, body: str, event: Any = CALL, head: str = "ToolCall") -> tuple[Any, list[str]]:
    """The event past a guard with this body, and what its author hears."""
    lines = "\n            ".join(body.split("\n"))
    path = module(
        folder,
        f"""
        async def check(event): return event.block("checked")
        @pisces.on({head})
        {"async " if "await" in body or "return check" in body else ""}def guard(event):
            {lines}
        """,
    )
    with scripted_session(path) as session:
        after = session.emit(event)
        return after, [failure.message for failure in session.errors]


def test_a_block_that_is_not_returned_blocks_with_its_reason(tmp_path: Path) -> None:
    after, said = answered(tmp_path, "event.block('no rm')")
    assert (after.blocked, after.reason) == (True, "no rm")
    assert said == ["called `event.block(...)` and did not return it: write `return event.block(...)`"]


def test_a_block_that_is_thrown_away_for_something_else_blocks_too(tmp_path: Path) -> None:
    after, said = answered(tmp_path, "event.block('no rm')\nreturn event.with_input(command='ls')")
    assert (after.blocked, after.reason, len(said)) == (True, "no rm", 1)


def test_a_changed_input_that_is_not_returned_blocks_because_the_dangerous_one_would_run(tmp_path: Path) -> None:
    after, said = answered(tmp_path, "event.with_input(command='ls')")
    assert after.blocked
    assert "write `return event.with_input(...)`" in said[0]
    assert "write `return event.with_input(...)`" in after.reason


def test_a_block_inside_what_an_async_guard_awaits_is_noticed(tmp_path: Path) -> None:
    after, _ = answered(tmp_path, "await check(event)")
    assert (after.blocked, after.reason) == (True, "checked")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("check(event)", "`check(...)` was never awaited: write `await check(...)`, in an `async def`"),
        ("await asyncio.sleep(0)\ncheck(event)", "`check(...)` was never awaited"),
        ("pisces.ui.confirm('sure?')", "`pisces.ui.confirm(...)` was never awaited"),
        ("await asyncio.sleep(0)\npisces.ui.confirm('sure?')", "`pisces.ui.confirm(...)` was never awaited"),
        ("await asyncio.sleep(0)\nreturn check(event)", "returned coroutine; write `return await check(...)`"),
        ("return True", "returned bool; a handler returns a changed ToolCall, or None"),
        ("return False", "returned bool"),
        ("return 'blocked'", "returned str"),
        ("return {'block': True, 'reason': 'no'}", "returned dict"),
        ("return TurnStart()", "returned TurnStart"),
        ("return event.replace(blocked=True).input", "returned FrozenMapping"),
        ("event.blocked = True", "ToolCall is immutable"),
        ("event.input['command'] = 'ls'", "FrozenMapping is immutable"),
        ("raise PermissionError('no')", "PermissionError: no"),
    ],
)
def test_a_guard_that_has_not_judged_blocks_and_its_author_hears_why(tmp_path: Path, body: str, said: str) -> None:
    after, (message,) = answered(tmp_path, body)
    assert after.blocked
    assert said in message


def test_a_guard_that_awaits_and_returns_is_not_blamed(tmp_path: Path) -> None:
    after, said = answered(tmp_path, "return await check(event)")
    assert (after.reason, said) == ("checked", [])
    assert answered(tmp_path, "pass") == (CALL, [])
    assert answered(tmp_path, "return event") == (CALL, [])


def test_other_events_go_on_and_their_authors_hear_it(tmp_path: Path) -> None:
    switch = SessionBeforeSwitch()
    after, said = answered(tmp_path, "event.cancel('not now')", switch, "SessionBeforeSwitch")
    assert (after.cancelled, after.reason, len(said)) == (True, "not now", 1)
    after, said = answered(tmp_path, "event.handle()", Input("x"), "Input")
    assert (after.handled, "`return event.handle(...)`" in said[0]) == (False, True)
    result = ToolResult("t", "1", {}, ({"type": "text", "text": "secret"},))
    after, said = answered(tmp_path, "event.with_text('***')", result, "ToolResult")
    assert (after.text, "`return event.with_text(...)`" in said[0]) == ("secret", True)
    _, said = answered(tmp_path, "return event.block('no')", TurnStart(), "TurnStart")
    assert "'TurnStart' object has no attribute 'block'" in said[0]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("tool-call", "ToolCall"),
        ("toolCall", "ToolCall"),
        ("tool_cal", "ToolCall"),
        ("ToolCalls", "ToolCall"),
        ("sessionStart", "SessionStart"),
        ("turn_start", "TurnStart"),
    ],
)
def test_the_name_of_an_event_is_answered_with_the_class_that_was_meant(tmp_path: Path, name: str, meant: str) -> None:
    with (
        pytest.raises(Unexpected) as raised,
        scripted_session(module(tmp_path, f"@pisces.on({name!r})\ndef h(event): pass")),
    ):
        pass
    assert f"as in `@pisces.on({meant})`" in str(raised.value)


def test_a_guard_that_is_registered_twice_is_asked_once(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        @pisces.tool()
        def shell(command: str): return command
        def adds(event): return event.with_input(command=event.input["command"] + " -a")
        pisces.on(ToolCall)(adds)
        pisces.on(ToolCall, priority=5)(adds)
        """,
    )
    with scripted_session(path) as session:
        assert session.tool("shell", command="ls").text == "ls -a"
        assert [each.priority for each in session.runner.listeners(ToolCall)] == [5]


def scripted(folder: Path, handler: str, event: Event = CALL, name: str = "") -> tuple[Any, list[str]]:
    text = f"export default (pi) => pi.on({(name or event.NAME)!r}, {handler})"

    async def play(session: JsSession) -> tuple[Any, list[str]]:
        return await session.emit(event), session.messages

    return played(written(folder, {"module.ts": text}), play)


NONSENSE = {
    "() => true": "returned Boolean: a guard returns { block: true, reason }, { input }, or nothing",
    "() => false": "returned Boolean",
    "() => 'block'": "returned String",
    "() => 0": "returned Number",
    "() => [{ block: true }]": "returned an array",
    "() => () => ({ block: true })": "returned Function",
    "() => new Error('no')": "returned Error",
    "() => new Map([['block', true]])": "returned Map",
    "() => ({ blocked: true, reason: 'no' })": "returned `blocked: True`, which means nothing",
    "() => ({ blok: true })": "returned `blok: True`",
    "() => ({ block: Promise.resolve(true) })": "`block` is a promise: write `await` before it",
    "() => ({ block: 'yes' })": "returned `block: yes`",
    "() => ({ block: {} })": "returned `block: {}`",
    "() => ({ block: 0 })": "returned `block: 0`",
    "() => ({ decision: 'deny' })": "returned `decision: deny`",
    "() => ({ input: 'ls' })": "returned `input: ls`",
    "(event) => { event.block = true }": "set `event.block`, which nobody reads",
    "(event) => { event.blocked = true }": "set `event.blocked`",
    "(event) => event.block('no')": "event.block is not a function",
    "() => { throw new Error('no') }": "no",
    "(_, ctx) => { if (!ctx.ui.confirm('sure?')) return { block: true } }": "write `await ctx.ui.confirm(...)`",
    "async (_, ctx) => { ctx.ui.select('sure?', ['no']) }": "write `await ctx.ui.select(...)`",
}


@pytest.mark.parametrize("handler", NONSENSE)
def test_a_script_that_returns_nonsense_blocks(tmp_path: Path, handler: str) -> None:
    after, (message,) = scripted(tmp_path, handler)
    assert after.blocked
    assert NONSENSE[handler] in message


@pytest.mark.parametrize(
    "handler",
    ["() => undefined", "() => null", "() => ({})", "() => ({ block: false })", "() => ({ decision: 'allow' })"],
)
def test_a_script_that_has_nothing_to_say_lets_it_go_on(tmp_path: Path, handler: str) -> None:
    assert scripted(tmp_path, handler) == (CALL, [])


def test_a_script_that_blocks_what_cannot_be_blocked_is_told(tmp_path: Path) -> None:
    start = ToolExecutionStart("bash", "1", {})
    after, (message,) = scripted(tmp_path, "() => ({ block: true, reason: 'no' })", start)
    assert after == start
    assert "`tool_execution_start` cannot be blocked: listen to `tool_call`" in message


@pytest.mark.parametrize("name", ["tool-call", "toolCall", "tool_cal", "onToolCall"])
def test_a_script_that_listens_to_a_misspelled_event_is_told_the_right_one(tmp_path: Path, name: str) -> None:
    _, (message,) = scripted(tmp_path, "() => ({ block: true })", CALL, name)
    assert message.endswith("did you mean `tool_call`?")
