"""Starts the MCP servers that are in force here, calls a tool of one, and says how much waits for a review."""

import asyncio

import pisces


async def approve(request: pisces.Request, questions: tuple[pisces.Verdict, ...]) -> bool:
    return isinstance(request, pisces.ToolRequest) and request.server == "sums"


async def main(places: pisces.Places) -> None:
    async with pisces.Host.open(places, approve) as host:
        for name, state in (await host.connect()).items():
            print(f"{name} is {state}, and {len(host.servers[name].held)} of what it says is held")
        for name in host.tools:
            if name.startswith("sums__"):
                result = await host.call(name, {"a": 1, "b": 2})
                print(f"{name}: {result.text}")


asyncio.run(main(pisces.places_here()))
