"""The Claude Agent SDK behind a host, with a tool of the program itself.

It asks the API at ANTHROPIC_BASE_URL, or Anthropic's if there is none.
"""

import asyncio
from pathlib import Path
from typing import Any

from claude_agent_sdk import (
    ClaudeAgentOptions,
    ResultMessage,
    ToolResultBlock,
    UserMessage,
    create_sdk_mcp_server,
    query,
    tool,
)

import pisces
from pisces.adapters.claude_agent_sdk import pisces_options

GUARD = Path(__file__).resolve().parents[1] / "agent" / "guard"


@tool("sail", "Sails to a place", {"place": str})
async def sail(given: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": f"(sailed to {given['place']})"}]}


async def main() -> None:
    servers = {"boat": create_sdk_mcp_server("boat", tools=[sail])}
    async with pisces.Host.open(".", lambda *_: True, packages=[str(GUARD)]) as host:
        options = ClaudeAgentOptions(**pisces_options(host, system_prompt="Be brief.", mcp_servers=servers))
        async for message in query(prompt="Clean up, then sail to Hamburg.", options=options):
            if isinstance(message, UserMessage) and isinstance(message.content, list):
                for part in message.content:
                    if isinstance(part, ToolResultBlock):
                        print("the model reads:", part.content)
            if isinstance(message, ResultMessage):
                print(message.result)


asyncio.run(main())
