"""An agent of smolagents behind a host. Its model follows a script, so this runs offline."""

from pathlib import Path
from typing import Any

from smolagents import ActionStep, ChatMessage, Model, ToolCallingAgent, tool
from smolagents.models import ChatMessageToolCall, ChatMessageToolCallFunction, MessageRole

from pisces.adapters import host_in_thread
from pisces.adapters.smolagents import gated

GUARD = Path(__file__).resolve().parents[1] / "agent" / "guard"
STEPS = [
    [("bash", {"command": "rm -rf /"}), ("bash", {"command": "date"})],
    [("final_answer", {"answer": "It is Monday."})],
]


class Script(Model):
    def generate(self, messages: list[ChatMessage], **given: Any) -> ChatMessage:
        calls = [
            ChatMessageToolCall(ChatMessageToolCallFunction(arguments, name), str(number), "function")
            for number, (name, arguments) in enumerate(STEPS.pop(0))
        ]
        return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=calls)


@tool
def bash(command: str) -> str:
    """Runs a command line.

    Args:
        command: The line.
    """
    return f"(ran {command})"


with host_in_thread(".", lambda request, questions: True, packages=[str(GUARD)]) as host:
    agent = gated(ToolCallingAgent([bash], Script(), verbosity_level=0), host)
    answer = agent.run("Which day is it?")
for step in agent.memory.steps:
    if isinstance(step, ActionStep) and step.observations and step.step_number == 1:
        print("the model reads:", *step.observations.splitlines(), sep="\n")
print(answer)
