"""An agent of LangChain behind a host. Its model follows a script, so this runs offline."""

import asyncio
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool

import pisces
from pisces.adapters.langchain import PiscesMiddleware

GUARD = Path(__file__).resolve().parents[1] / "agent" / "guard"
CALLS = [{"name": "bash", "args": {"command": line}, "id": line} for line in ("rm -rf /", "date")]


class Script(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **kwargs: Any) -> "Script":
        return self


@tool
def bash(command: str) -> str:
    """Runs a command line."""
    return f"(ran {command})"


async def main() -> None:
    model = Script(messages=iter([AIMessage("", tool_calls=CALLS), AIMessage("It is Monday.")]))
    async with pisces.Host.open(".", lambda request, questions: True, packages=[str(GUARD)]) as host:
        agent = create_agent(model, [bash], middleware=[PiscesMiddleware(host)])
        result = await agent.ainvoke({"messages": [{"role": "user", "content": "Which day is it?"}]})
    for message in result["messages"]:
        if isinstance(message, ToolMessage):
            print("the model reads:", message.content)
    print(result["messages"][-1].content)


asyncio.run(main())
