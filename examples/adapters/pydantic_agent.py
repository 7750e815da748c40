"""An agent of pydantic-ai behind a host. Its model follows a script, so this runs offline."""

import asyncio
from pathlib import Path

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

import pisces
from pisces.adapters.pydantic_ai import PiscesCapability

GUARD = Path(__file__).resolve().parents[1] / "agent" / "guard"


def script(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
    if len(messages) == 1:
        return ModelResponse([ToolCallPart("bash", {"command": line}) for line in ("rm -rf /", "date")])
    return ModelResponse([TextPart("It is Monday.")])


def bash(command: str) -> str:
    """Runs a command line."""
    return f"(ran {command})"


async def main() -> None:
    async with pisces.Host.open(".", lambda request, questions: True, packages=[str(GUARD)]) as host:
        agent = Agent(FunctionModel(script), tools=[bash], capabilities=[PiscesCapability(host)])
        result = await agent.run("Which day is it?")
    for part in [part for message in result.all_messages() for part in message.parts]:
        if isinstance(part, ToolReturnPart):
            print("the model reads:", part.content)
    print(result.output)


asyncio.run(main())
