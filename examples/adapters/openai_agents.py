"""An agent of the OpenAI Agents SDK behind a host. Its model follows a script, so this runs offline."""

import asyncio
from pathlib import Path

from agents import Agent, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

import pisces
from pisces.adapters.openai_agents import gated

GUARD = Path(__file__).resolve().parents[1] / "agent" / "guard"
CALLS = [("bash", {"command": "rm -rf /"}, "1"), ("bash", {"command": "date"}, "2")]
set_tracing_disabled(True)


@function_tool
def bash(command: str) -> str:
    """Runs a command line."""
    return f"(ran {command})"


async def main() -> None:
    model = ScriptedModel(
        [
            [function_call(name, given, call_id=each) for name, given, each in CALLS],
            [assistant_message("It is Monday.")],
        ]
    )
    agent = Agent(name="sailor", instructions="Be brief.", tools=[bash], model=model)
    async with pisces.Host.open(".", lambda *_: True, packages=[str(GUARD)]) as host:
        result = await Runner.run(gated(agent, host), "Which day is it?")
    for item in result.new_items:
        if item.type == "tool_call_output_item":
            print("the model reads:", item.output)
    print(result.final_output)


asyncio.run(main())
