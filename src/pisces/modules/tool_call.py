"""One call of a module's tool, as an agent makes it: checked, past the gates, run, past the handlers that read results.

A call always ends in a ToolResult. If it was blocked, unknown, misused or failed, the result says so: its text is for
the model. What runs is a private copy of what the gates saw last: handlers of other events get copies of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from pisces.events.emit import error_text, own_lines
from pisces.events.time_limit import is_failure
from pisces.formats.json_copy import NotJson, json_copy, same_json
from pisces.modules.runner import Runner
from pisces.modules.tool_arguments import fitted
from pisces.modules.tool_result import capped, result_of
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.shapes.events.tools import ToolCall, ToolExecutionEnd, ToolExecutionStart, ToolExecutionUpdate, ToolResult
from pisces.shapes.tool import Tool, ToolContext, ToolFailed

CallJudge: TypeAlias = Callable[[ToolCall], Awaitable[ToolCall]]


_MOST_UPDATES = 1_000


async def call_tool(runner: Runner, call: ToolCall, judge: CallJudge) -> ToolResult:
    """`judge` gives back the call as it may run, or blocked. Partial results are events of their own."""
    tools = runner.tools
    try:
        prepared = call = await _prepared(runner, tools.get(call.tool), call)
        call = (await judge(call.detached())).detached()
        if call.blocked:
            return _failed(call, call.reason)
        tool = _judged_tool(runner, tools, prepared, call)
    except ToolFailed as error:
        return _failed(call, str(error))
    except NotJson as error:
        return _failed(call.replace(input={}), f"the arguments of `{call.tool}` are not JSON data: {error}")
    if runner.listeners(ToolExecutionStart):  # mostly nobody hears it, and to make it takes its time
        await runner.emit(ToolExecutionStart(call.tool, call.call_id, json_copy(call.input)))
    result = capped(await _result_of_run(runner, tool, call))
    if runner.listeners(ToolExecutionEnd):
        await runner.emit(ToolExecutionEnd(call.tool, call.call_id, result.content, result.is_error))
    after = await runner.emit(result)
    return result if after is result else capped(after)


async def _prepared(runner: Runner, tool: Tool | None, call: ToolCall) -> ToolCall:
    """The call as gates see it: prepared by the tool itself, then converted to its schema."""
    if tool is None:
        return call
    given = json_copy(call.input)
    if tool.prepare is not None:
        given = await _caught(runner, tool, lambda: runner.call_prepare(tool, given))
    return call.replace(input=fitted(tool, given))


def _judged_tool(runner: Runner, before: Mapping[str, Tool], prepared: ToolCall, call: ToolCall) -> Tool:
    """The tool that the gates let run. Raises `ToolFailed` if there is none, or if it is another one by now."""
    tool = runner.tools.get(call.tool)
    if tool is None:
        raise ToolFailed(f"there is no tool `{call.tool}`")
    if before.get(call.tool, tool) is not tool:
        raise ToolFailed(f"`{call.tool}` was registered again while the call was judged: call it again")
    is_fitted = before.get(call.tool) is tool and prepared.runs_as(call)
    if not is_fitted and not same_json(fitted(tool, call.input), call.input):
        raise ToolFailed(f"the arguments of `{call.tool}` were changed to some that do not fit")
    return tool


async def _result_of_run(runner: Runner, tool: Tool, call: ToolCall) -> ToolResult:
    async def run() -> ToolResult:
        return result_of(call, await _run(runner, tool, call))

    try:
        result: ToolResult = await _caught(runner, tool, run)
    except ToolFailed as error:
        return _failed(call, str(error))
    return result


async def _caught(runner: Runner, tool: Tool, run: Callable[[], Awaitable[Any]]) -> Any:
    """What `run` returns. Every failure becomes a `ToolFailed`; one that is a bug of the module is reported."""
    try:
        return await run()
    except ToolFailed:
        raise
    except BaseException as error:  # the border with a module's own code
        if not is_failure(error):
            raise
        runner.report(ModuleFailed(tool.module, f"tool {tool.name}", error_text(error), own_lines(error)))
        raise ToolFailed(error_text(error)) from error


async def _run(runner: Runner, tool: Tool, call: ToolCall) -> Any:
    """What the tool returns, once everybody has heard of its partial results."""
    updates = _Updates(runner, call)
    try:
        return await runner.call_tool(tool, call.input, ToolContext(call.call_id, updates.add))
    finally:
        await updates.end()


class _Updates:
    """Partial results on their way to those who hear them. A call may run for hours: what was heard is not held, and
    where handlers are slower than the tool, only the newest waits with those that are under way.
    """

    def __init__(self, runner: Runner, call: ToolCall) -> None:
        self._runner, self._call = runner, call
        self._under_way: set[asyncio.Future[Any]] = set()
        self._newest: ToolExecutionUpdate | None = None

    def add(self, partial: Any) -> None:
        call = self._call
        event = ToolExecutionUpdate(call.tool, call.call_id, json_copy(call.input), partial)
        if len(self._under_way) < _MOST_UPDATES:
            self._start(event)
        else:
            self._newest = event

    def _start(self, event: ToolExecutionUpdate) -> None:
        telling = asyncio.ensure_future(self._runner.emit(event))
        self._under_way.add(telling)
        telling.add_done_callback(self._heard)

    def _heard(self, telling: asyncio.Future[Any]) -> None:
        """One that failed stays, so that its failure is not lost."""
        if telling.cancelled() or telling.exception() is None:
            self._under_way.discard(telling)
        if self._newest is not None and len(self._under_way) < _MOST_UPDATES:
            newest, self._newest = self._newest, None
            self._start(newest)

    async def end(self) -> None:
        while self._under_way:
            telling = tuple(self._under_way)
            await asyncio.gather(*telling)
            self._under_way.difference_update(telling)
            await asyncio.sleep(0)  # what waited is started by a callback


def _failed(call: ToolCall, text: str) -> ToolResult:
    return capped(result_of(call, {"content": [{"type": "text", "text": text}], "is_error": True}))
