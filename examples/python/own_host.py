"""An agent of one's own runs modules: they act through its `actions`, and it hears of what they do."""

import asyncio
import sys

import pisces
from pisces.events import SessionStart


class Actions(pisces.Headless):
    def send_user_message(self, content: object, *, deliver_as: str = "") -> None:
        print("a module says for the user:", content)


def as_schema(tool: pisces.Tool) -> dict[str, object]:
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters}


async def talk(host: pisces.Host) -> None:
    await host.emit(SessionStart())
    print([as_schema(tool)["name"] for tool in host.tools.values()], list(host.module_commands))
    submitted = await host.submit("hello")
    print(submitted.prompt.text if submitted.prompt else submitted.blocked)
    await host.submit("/wave to Ada")


async def main(cwd: str) -> None:
    async with pisces.Host.open(cwd, lambda *_: False, modules=sys.argv[1:], actions=Actions(cwd)) as host:
        await talk(host)


asyncio.run(main("."))
