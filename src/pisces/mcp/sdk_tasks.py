"""Tools that run as a task: the server answers with a number at once, and with the result when it is asked again.

The SDK has the words of this part of the protocol (2025-11-25) and no calls for it.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pisces.mcp.connection import ServerError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    Ask = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]

_WAITING = ("working", "submitted")
_SHORTEST, _LONGEST = 0.05, 5.0  # seconds between two questions, whatever the server wishes
_FAREWELL_SECONDS = 2.0


def needs_task(tool: Mapping[str, Any]) -> bool:
    execution = tool.get("execution")
    return isinstance(execution, dict) and execution.get("taskSupport") == "required"


async def task_result(created: dict[str, Any], ask: Ask) -> dict[str, Any]:
    """The result of a call that `created` answers. Whoever does not wait for it any more cancels the task."""
    task = created.get("task")
    number = task.get("taskId") if isinstance(task, dict) else None
    if not isinstance(task, dict) or not isinstance(number, str):
        raise ServerError("it answered the call of a task without the number of a task")
    try:
        while task.get("status") in _WAITING:
            await asyncio.sleep(_pause(task.get("pollInterval")))
            task = await ask("tasks/get", {"taskId": number})
        # One that needs input asks for it while we wait for its result.
        return await ask("tasks/result", {"taskId": number})
    except asyncio.CancelledError:
        with suppress(Exception):  # a courtesy: nobody waits for it
            async with asyncio.timeout(_FAREWELL_SECONDS):
                await ask("tasks/cancel", {"taskId": number})
        raise


def _pause(wished: object) -> float:
    seconds = wished / 1000 if isinstance(wished, int | float) else 0.5
    return min(max(seconds, _SHORTEST), _LONGEST)
