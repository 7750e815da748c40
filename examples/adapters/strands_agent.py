"""An agent of Strands behind a host. Its model follows a script, so this runs offline."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from strands import Agent, tool
from strands.models import Model

import pisces
from pisces.adapters.strands import PiscesHooks

GUARD = Path(__file__).resolve().parents[1] / "agent" / "guard"
COMMANDS = ["rm -rf /", "date"]


class Script(Model):
    """Calls the tool once for each command, and then says something."""

    def update_config(self, **config: Any) -> None: ...

    def get_config(self) -> dict[str, Any]:
        return {}

    async def structured_output(self, *given: Any, **more: Any) -> AsyncIterator[dict[str, Any]]:
        yield {}

    async def stream(self, messages: Any, *given: Any, **more: Any) -> AsyncIterator[Any]:
        calls = COMMANDS if len(messages) == 1 else []
        yield {"messageStart": {"role": "assistant"}}
        for number, command in enumerate(calls):
            yield {"contentBlockStart": {"start": {"toolUse": {"name": "bash", "toolUseId": f"{number}"}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps({"command": command})}}}}
            yield {"contentBlockStop": {}}
        if not calls:
            yield {"contentBlockDelta": {"delta": {"text": "It is Monday."}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if calls else "end_turn"}}


@tool
def bash(command: str) -> str:
    """Runs a command line."""
    return f"(ran {command})"


async def main() -> None:
    async with pisces.Host.open(".", lambda *_: True, packages=[str(GUARD)]) as host:
        agent = Agent(
            Script(), system_prompt="Be brief.", tools=[bash], hooks=[PiscesHooks(host)], callback_handler=None
        )
        result = await agent.invoke_async("Which day is it?")
    for part in agent.messages[2]["content"]:
        print("the model reads:", part["toolResult"]["content"][0]["text"])
    print(result)


asyncio.run(main())
