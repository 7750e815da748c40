"""An agent of Google's ADK behind a host. Its model follows a script, so this runs offline."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

import pisces
from pisces.adapters.adk import PiscesPlugin

GUARD = Path(__file__).resolve().parents[1] / "agent" / "guard"
COMMANDS = ["rm -rf /", "date"]


class Script(BaseLlm):
    """Calls the tool once for each command, and then says something."""

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        parts = [types.Part(text="It is Monday.")]
        if not any(part.function_response for content in llm_request.contents for part in content.parts or []):
            calls = [types.FunctionCall(name="bash", args={"command": command}) for command in COMMANDS]
            parts = [types.Part(function_call=call) for call in calls]
        yield LlmResponse(content=types.Content(role="model", parts=parts))


def bash(command: str) -> str:
    """Runs a command line."""
    return f"(ran {command})"


async def main() -> None:
    agent = LlmAgent(name="sailor", model=Script(model="script"), instruction="Be brief.", tools=[bash])
    async with pisces.Host.open(".", lambda *_: True, packages=[str(GUARD)]) as host:
        runner = InMemoryRunner(app=App(name="boat", root_agent=agent, plugins=[PiscesPlugin(host)]))
        session = await runner.session_service.create_session(app_name="boat", user_id="user")
        prompt = types.Content(role="user", parts=[types.Part(text="Which day is it?")])
        async for event in runner.run_async(user_id="user", session_id=session.id, new_message=prompt):
            for response in event.get_function_responses():
                print("the model reads:", *(response.response or {}).values())
            if event.is_final_response() and event.content and event.content.parts:
                print(event.content.parts[0].text)


asyncio.run(main())
