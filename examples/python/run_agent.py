"""The agent of pisces in a program of yours: a line goes in, events come out. Without `model` it looks for a key."""

import asyncio

import pisces
from pisces.events import MessageEnd

MODEL = pisces.ScriptedModel(["It is about boats.", "Quite sure."])


async def main(cwd: str) -> None:
    async with pisces.Session.open(cwd, lambda request, questions: False, model=MODEL) as session:
        async for event in session.run("What is this project about?"):
            if isinstance(event, MessageEnd):
                print(f"{event.message.role}: {event.message.text}")
        answered = await session.submit("Are you sure?")
        print(answered.end.text if answered.end else answered.submitted.blocked, session.usage.input > 0)


asyncio.run(main("."))
