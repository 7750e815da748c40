"""An agent of one's own runs modules: they act through its host, and it hears of what they do."""

import asyncio
import sys

import pisces
from pisces.events import Input


class Host(pisces.Headless):
    def send_user_message(self, content: object, *, deliver_as: str = "") -> None:
        print("a module says for the user:", content)


def as_schema(tool: pisces.Tool) -> dict[str, object]:
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters}


async def talk(modules: pisces.OpenModules) -> None:
    print([as_schema(tool)["name"] for tool in modules.tools.values()], list(modules.commands))
    print((await modules.emit(Input("hello"))).text)
    await modules.run_command("/wave to Ada")


async def main(places: pisces.Places) -> None:
    host: pisces.Actions = Host(places.cwd)
    async with pisces.open_modules(pisces.modules_here(places, sys.argv[1:]), host, print) as modules:
        await talk(modules)


asyncio.run(main(pisces.places_here()))
