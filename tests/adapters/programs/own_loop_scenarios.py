"""What every adapter stands on, without a framework: calls that are judged, results that walk back."""

from __future__ import annotations

from typing import Any

from pisces import Host
from pisces.adapters.calls import AdaptedCall, HostCalls
from tests.adapters.programs.scenario import Ran, run


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


run([calls])
