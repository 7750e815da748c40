"""Hooks that need what only the embedding program has: a model to ask, or the tools of its MCP servers."""

from __future__ import annotations

import asyncio
import re

from pisces.gates.hooks.dialect import NO_ANSWER, NOT_STARTED, TIMEOUT, HookOutcome
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Any

    from pisces.shapes.hook import Hook

    Complete = Callable[["ModelQuestion"], Awaitable[str]]
    CallTool = Callable[[str, str, Mapping[str, Any]], Awaitable[str]]

_ARGUMENTS = "$ARGUMENTS"
_FIELD = re.compile(r"\$\{([\w.\-]+)\}")


class ModelQuestion(Value):
    """What a hook asks a model. The answer is a JSON object with `ok` and, if that is false, `reason`.

    `with_tools` is set for hooks that want an agent, which may look around before it answers.
    """

    prompt: str
    model: str = ""
    with_tools: bool = False
    payload: Mapping[str, Any] = EMPTY


async def run_model(
    hook: Hook, payload: Mapping[str, Any], text: str, seconds: float, complete: Complete | None
) -> HookOutcome:
    """`text` is the payload as JSON: it takes the place of `$ARGUMENTS`, or comes after the prompt."""
    if complete is None:
        return HookOutcome(None, stderr="it needs a model, and none is connected (`complete`)", ended=NOT_STARTED)
    prompt = hook.prompt.replace(_ARGUMENTS, text) if _ARGUMENTS in hook.prompt else f"{hook.prompt}\n\n{text}"
    return await _awaited(complete(ModelQuestion(prompt, hook.model, hook.type == "agent", payload)), seconds)


async def run_tool(hook: Hook, payload: Mapping[str, Any], seconds: float, call_tool: CallTool | None) -> HookOutcome:
    """A `${tool_input.command}` in the input stands for that part of the payload."""
    if call_tool is None:
        why = f"it needs the MCP server `{hook.server}`, and none is connected (`call_tool`)"
        return HookOutcome(None, stderr=why, ended=NOT_STARTED)
    return await _awaited(call_tool(hook.server, hook.tool, _filled(hook.input, payload)), seconds)


async def _awaited(answer: Awaitable[str], seconds: float) -> HookOutcome:
    try:
        async with asyncio.timeout(seconds):
            text = await answer
    except TimeoutError:
        return HookOutcome(None, stderr="it took too long", ended=TIMEOUT)
    except Exception as error:  # noqa: BLE001  # the border with the program that embeds us
        return HookOutcome(None, stderr=str(error) or type(error).__name__, ended=NO_ANSWER)
    return HookOutcome(0, text) if isinstance(text, str) else HookOutcome(None, ended=NO_ANSWER)


def _filled(value: Any, payload: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        return {name: _filled(each, payload) for name, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, payload) for each in value]
    return _FIELD.sub(lambda found: _part(payload, found[1]), value) if isinstance(value, str) else value


def _part(payload: Mapping[str, Any], path: str) -> str:
    from json import dumps  # few hooks are of this kind

    value: Any = payload
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else "" if value is None else dumps(value, ensure_ascii=False)
