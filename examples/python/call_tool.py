"""Loads the modules here, shows their tools, and calls one past a gate and past whoever confirms."""

import asyncio
import sys

import pisces
from pisces.events import ModuleFailed


def gate(request: pisces.ToolRequest) -> pisces.Verdict | None:
    return pisces.Verdict.deny("no parties on weekdays") if request.call.tool == "party" else None


async def confirm(request: pisces.ToolRequest, asks: tuple[pisces.Verdict, ...]) -> pisces.Verdict:
    return pisces.Verdict.allow("the user agreed")


def report(failed: ModuleFailed) -> None:
    print(f"{failed.module} broke: {failed.message}")


async def main(places: pisces.Places, *names: str) -> None:
    found, host = pisces.modules_here(places, sys.argv[1:]), pisces.Headless(places.cwd)
    async with pisces.open_modules(found, host, report, [pisces.Gate("weekdays", gate)], confirm) as modules:
        for name in names:
            result: pisces.ToolResult = await modules.call_tool(name, {"name": "Ada"})
            print(name, "failed:" if result.is_error else "says:", result.text)


asyncio.run(main(pisces.places_here(), "greet", "party"))
