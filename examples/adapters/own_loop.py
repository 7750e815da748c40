"""Your own loop: a model that follows a script, a tool of your own, and a host that judges every call."""

import asyncio
from pathlib import Path
from typing import Any

import pisces
from pisces.events import SessionStart, SessionStop

GUARD = Path(__file__).resolve().parents[1] / "agent" / "guard"
SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
BASH = pisces.Tool("bash", "Runs a command line", SCHEMA, lambda given, _context: f"(ran {given['command']})")
SCRIPT: list[Any] = [[("bash", {"command": "rm -rf /"}), ("bash", {"command": "date"})], "It is Monday."]


async def model(messages: list[str], tools: Any) -> Any:
    """Yours is here, with the texts so far, and with the name, description and parameters of each tool."""
    return SCRIPT.pop(0)


async def answered(host: pisces.Host, line: str) -> str:
    submitted = await host.submit(line)  # a prompt, or what a slash command made of it
    if submitted.prompt is None:
        return submitted.blocked or str(submitted.answer)
    messages = [part.text for part in host.instructions] + [submitted.prompt.text]
    messages += [note.text for note in submitted.notes]  # what hooks add for the model
    while True:
        reply = await model(messages, host.tools)
        if not isinstance(reply, str):
            results = await asyncio.gather(*(host.call(name, given) for name, given in reply))
            messages += [f"the model reads: {result.text}" for result in results]  # a denial is a result, too
            continue
        stop = await host.emit(SessionStop(last_message=reply, prompt=line))
        if not stop.blocked:
            return "\n".join([*messages[-2:], reply])
        messages.append(stop.reason)  # a hook wants the agent to go on


async def main() -> None:
    async with pisces.Host.open(".", lambda request, questions: True, packages=[str(GUARD)], tools=[BASH]) as host:
        await host.emit(SessionStart())
        print(await answered(host, "Which day is it?"))


asyncio.run(main())
