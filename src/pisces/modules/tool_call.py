"""One call of a module's tool, as an agent makes it: past the gates, run, past the handlers that read results.

A call always ends in a ToolResult. If it was blocked, unknown or failed, the result says so: its text is for the model.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

from pisces.events.emit import error_text, own_lines
from pisces.events.time_limit import is_failure
from pisces.modules.runner import Runner
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.shapes.events.tools import ToolCall, ToolExecutionEnd, ToolExecutionStart, ToolExecutionUpdate, ToolResult
from pisces.shapes.tool import Tool, ToolContext, ToolFailed

CallJudge: TypeAlias = Callable[[ToolCall], Awaitable[ToolCall]]


async def call_tool(runner: Runner, call: ToolCall, judge: CallJudge) -> ToolResult:
    """`judge` gives back the call as it may run, or blocked. Partial results are events of their own."""
    call = await judge(call)
    if call.blocked:
        return _failed(call, call.reason)
    tool = runner.tools.get(call.tool)
    if tool is None:
        return _failed(call, f"there is no tool `{call.tool}`")
    await runner.emit(ToolExecutionStart(call.tool, call.call_id, call.input))
    try:
        result = result_of(call, await _run(runner, tool, call))
    except ToolFailed as error:
        result = _failed(call, str(error))
    except BaseException as error:  # the border with a module's own code
        if not is_failure(error):
            raise
        runner.report(ModuleFailed(tool.module, f"tool {tool.name}", error_text(error), own_lines(error)))
        result = _failed(call, error_text(error))
    await runner.emit(ToolExecutionEnd(call.tool, call.call_id, result.content, result.is_error))
    return await runner.emit(result)


async def _run(runner: Runner, tool: Tool, call: ToolCall) -> Any:
    """What the tool returns, once everybody has heard of its partial results."""
    telling: list[asyncio.Future[Any]] = []

    def update(partial: Any) -> None:
        event = ToolExecutionUpdate(call.tool, call.call_id, call.input, partial)
        telling.append(asyncio.ensure_future(runner.emit(event)))

    try:
        return await runner.call_tool(tool, call.input, ToolContext(call.call_id, update))
    finally:
        await asyncio.gather(*telling)


def result_of(call: ToolCall, answer: Any) -> ToolResult:
    """Tools may return a text, any JSON value, or what the model gets: `{"content": [...], "details": ...}`."""
    if isinstance(answer, dict) and _is_content(answer.get("content")):
        is_error = answer.get("isError") is True or answer.get("is_error") is True
        return _result(call, answer["content"], answer.get("details"), is_error=is_error)
    if isinstance(answer, list | tuple) and answer and _is_content(answer):
        return _result(call, answer, None)
    if answer is None or isinstance(answer, str):
        return _result(call, _text(answer or ""), None)
    return _result(call, _text(json.dumps(answer, ensure_ascii=False, default=str)), answer)


def _is_content(parts: Any) -> bool:
    return isinstance(parts, list | tuple) and all(isinstance(part, dict) and "type" in part for part in parts)


def _text(text: str) -> Sequence[Mapping[str, Any]]:
    return ({"type": "text", "text": text},)


def _failed(call: ToolCall, text: str) -> ToolResult:
    return _result(call, _text(text), None, is_error=True)


def _result(
    call: ToolCall, content: Sequence[Mapping[str, Any]], details: Any, *, is_error: bool = False
) -> ToolResult:
    return ToolResult(call.tool, call.call_id, call.input, tuple(content), details, is_error)
