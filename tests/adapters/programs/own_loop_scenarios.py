"""What every adapter stands on, without a framework: calls that are judged, results that walk back."""

from __future__ import annotations

import asyncio
from typing import Any

from pisces import Host
from pisces.adapters.calls import AdaptedCall, HostCalls
from tests.adapters.programs.scenario import Ran, approve, options, run, tide_tool


async def calls(host: Host) -> dict[str, Any]:
    """The framework's own tool `bash`, with commands that the plugin allows, rewrites, denies and fails at."""
    ran, adapted, results = Ran(), HostCalls(host), {}
    for command in ("date", "ls", "rm -rf /", "crash", "explode", "refuse"):
        judged = await adapted.judged(AdaptedCall("bash", f"call {command}", {"command": command}))
        if judged.denied:
            results[command] = judged.denied
            continue
        text = ran(judged.input["command"])
        results[command] = (await adapted.finished(judged, text)).text
    return {"ran": ran, "results": results}


async def closed(_host: Host) -> dict[str, Any]:
    """The host is closed while a tool of the framework runs: no hook has read the result."""
    async with Host.open(".", approve, **options()) as other:
        adapted = HostCalls(other)
        judged = await adapted.judged(AdaptedCall("bash", "1", {"command": "date"}))
    result = await adapted.finished(judged, "a secret")
    later = await adapted.judged(AdaptedCall("bash", "2", {"command": "date"}))
    return {"before": judged.denied, "result": result.text, "is_error": result.is_error, "after": later.denied}


async def loops(host: Host) -> dict[str, Any]:
    """The host is used from another loop in another thread, and from a thread without one."""
    adapted, call = HostCalls(host), AdaptedCall("bash", "1", {"command": "ls"})
    other = await asyncio.to_thread(lambda: asyncio.run(adapted.judged(call)))
    alone = await asyncio.to_thread(lambda: adapted.wait_for(adapted.judged(call)))
    odd = await adapted.judged(AdaptedCall("bash", "2", {"command": {1, 2}}))
    try:
        await asyncio.to_thread(HostCalls, host)
    except RuntimeError as error:
        return {"other": other.input, "alone": alone.input, "odd": odd.denied, "raised": str(error)}
    return {}


async def server_tool(host: Host) -> dict[str, Any]:
    tide, adapted = await tide_tool(host), HostCalls(host)
    given = ({"place": "Hamburg"}, {"place": "Hamburg", "command": "rm tide"})
    return {"results": [(await adapted.called(tide, each)).text for each in given]}


run([calls, closed, loops, server_tool])
