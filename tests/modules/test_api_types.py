"""Type checkers know what a handler gets and may return: `on(ToolCall)` takes a function from ToolCall to ToolCall."""

from __future__ import annotations

import pytest

from tests.typed_program import errors_in

RIGHT = """
from typing import assert_type

from pisces import Api, ToolContext, ToolFailed
from pisces.events import Event, Input, ModuleFailed, SessionBeforeCompact, ToolCall, ToolResult, TurnStart


def extension(pisces: Api) -> None:
    @pisces.on(ToolCall)
    def guard(event: ToolCall) -> ToolCall | None:
        assert_type(event.with_input(path="x"), ToolCall)
        return event.block("no") if event.tool == "bash" else None

    @pisces.on(ToolCall, priority=5, seconds=2)
    async def asks(event: ToolCall) -> ToolCall | None:
        assert_type(await pisces.ui.confirm("sure?"), bool)
        return None

    @pisces.on(ToolResult)
    def redact(event: ToolResult) -> ToolResult:
        return event.with_text("***")

    @pisces.on(TurnStart)
    def silent(event: TurnStart) -> None: ...

    @pisces.on(Event)
    def every(event: Event) -> None: ...

    pisces.on(Input)(lambda event: event.replace(text=event.text.strip()))

    @pisces.tool()
    async def slow(path: str, *, ctx: ToolContext) -> str:
        ctx.update("half")
        raise ToolFailed("there is no such file")

    @pisces.command("hi", completions=lambda prefix: [name for name in ("you", "all") if name.startswith(prefix)])
    def hi(args: str) -> None: ...


def wrong(pisces: Api) -> None:
    def returns_bool(event: ToolCall) -> bool: raise ValueError
    def returns_text(event: ToolCall) -> str: raise ValueError
    def returns_other(event: ToolCall) -> ToolResult: raise ValueError
    def takes_other(event: ToolResult) -> None: ...
    def takes_two(event: ToolCall, ctx: object) -> None: ...
    async def awaits_bool(event: ToolCall) -> bool: raise ValueError
    def guard(event: ToolCall) -> None: ...
"""
WRONG = {
    "    pisces.on(ToolCall)(returns_bool)": 'of "Registering" has incompatible type',
    "    pisces.on(ToolCall)(returns_text)": 'of "Registering" has incompatible type',
    "    pisces.on(ToolCall)(returns_other)": 'of "Registering" has incompatible type',
    "    pisces.on(ToolCall)(takes_other)": 'of "Registering" has incompatible type',
    "    pisces.on(ToolCall)(takes_two)": 'of "Registering" has incompatible type',
    "    pisces.on(ToolCall)(awaits_bool)": 'of "Registering" has incompatible type',
    "    pisces.on('tool_call')(guard)": 'Argument 1 to "on" of "Api" has incompatible type "str"',
    "    pisces.on(int)(guard)": 'cannot be "int"',
    "    pisces.on(ToolCall)(lambda event: event.nonsense)": '"ToolCall" has no attribute "nonsense"',
    "    pisces.on(TurnStart)(lambda event: event.block('no'))": '"TurnStart" has no attribute "block"',
    "    pisces.on(ToolCall, prioritty=1)(guard)": 'Unexpected keyword argument "prioritty"',
    "    pisces.tool(guard)": 'Argument 1 to "tool" of "Api"',
}


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """By line of the program, what mypy says of it."""
    return errors_in(RIGHT, WRONG, tmp_path_factory.mktemp("types"))


def test_what_is_right_is_accepted(errors: dict[int, str]) -> None:
    right = len(RIGHT.rstrip().split("\n"))
    assert {line: message for line, message in errors.items() if line <= right} == {}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_refused(wrong: str, errors: dict[int, str]) -> None:
    line = len(RIGHT.rstrip().split("\n")) + 1 + list(WRONG).index(wrong)
    assert WRONG[wrong] in errors.get(line, "nothing")
