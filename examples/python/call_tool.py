"""Opens a host with a module, and calls two of its tools past a gate and past whoever approves."""

import asyncio
import sys

import pisces
from pisces.events import ModuleFailed


def gate(request: pisces.ToolRequest) -> pisces.Verdict | None:
    return pisces.Verdict.deny("no parties on weekdays") if request.call.tool == "party" else None


async def approve(request: pisces.Request, questions: tuple[pisces.Verdict, ...]) -> bool:
    return request.exact.startswith("greet ")


def report(failed: ModuleFailed) -> None:
    print(f"{failed.module} broke: {failed.message}")


async def main(places: pisces.Places, *names: str) -> None:
    weekdays = pisces.Gate("weekdays", gate)
    async with pisces.Host.open(places, approve, modules=sys.argv[1:], gates=[weekdays], report=report) as host:
        for name in names:
            result: pisces.ToolResult = await host.call(name, {"name": "Ada"})
            print(name, "failed:" if result.is_error else "says:", result.text)


asyncio.run(main(pisces.places_here(), "greet", "party"))
