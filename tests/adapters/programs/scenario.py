"""For programs that run in a framework's own environment: scenarios one after the other, each with an open host.

    async def deny(host: Host) -> dict[str, Any]:
        ...
        return {"results": [...]}

    run([deny])

Every scenario prints one JSON line: its name, what it returns, and the events that hooks heard of meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from pisces import Host, Request, Tool, Verdict

COMMAND = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
COMMANDS = ("date", "ls", "rm -rf /", "crash", "explode", "refuse")
SECONDS = 60


class Ran(list[str]):
    """What really ran: each command line, in order."""

    def __call__(self, command: str) -> str:
        """Runs nothing: it remembers the command line, and says a secret that a hook removes."""
        self.append(command)
        return f"ran {command}, secret"


def approve(request: Request, questions: tuple[Verdict, ...]) -> bool:
    """`explode` as a command is asked about, and the program that is asked fails."""
    if "explode" in request.exact:
        raise RuntimeError("nobody is here to be asked")
    return "refuse" not in request.exact


def greet() -> Tool:
    """A tool of the host, with a JSON Schema that frameworks like to simplify."""
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 2, "description": "Who"},
            "how": {"anyOf": [{"enum": ["loud", "soft"]}, {"type": "null"}], "default": None},
        },
        "required": ["name"],
        "additionalProperties": False,
    }
    return Tool("greet", "Greets somebody.", schema, lambda given, _context: f"Hello, {given['name']}, secret")


def options() -> dict[str, Any]:
    """Of a host with the plugin named by the program."""
    return {"packages": [os.environ["GUARD_PLUGIN"]], "tools": [greet()], "trust_workspace": True}


def shouting() -> dict[str, Any]:
    """Options of a host with a module that rewrites each prompt."""
    module = Path("shouting.py").resolve()
    handler = "    @pisces.on(Input)\n    def louder(event):\n        return event.replace(text=event.text.upper())\n"
    module.write_text(f"from pisces.events import Input\n\n\ndef extension(pisces):\n{handler}", "utf-8")
    return {"modules": [str(module)]}


async def tide_tool(host: Host) -> str:
    """The name by which a model calls the tool of the plugin's MCP server, which is started for that."""
    states = await host.connect()
    assert set(states.values()) == {"up"}, [(each.name, each.state, each.reason) for each in host.servers.values()]
    return next(name for name in host.tools if "__tide" in name)


async def hook_hangs(task: asyncio.Future[Any]) -> None:
    """Waits until the hook of the command `hang` runs."""
    log = Path("events.jsonl")
    while not task.done() and '"pid"' not in (log.read_text("utf-8") if log.exists() else ""):
        await asyncio.sleep(0.01)


def events() -> list[dict[str, Any]]:
    """What hooks heard of since the last time."""
    log = Path("events.jsonl")
    found = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []
    log.unlink(missing_ok=True)
    return found


def say(scenario: str, facts: Mapping[str, Any]) -> None:
    print(json.dumps({"scenario": scenario, **facts}, default=str), flush=True)


async def _one(scenario: Callable[[Any], Awaitable[Mapping[str, Any]]]) -> Mapping[str, Any]:
    async with Host.open(".", approve, **options()) as host:
        facts = await scenario(host)
    return {"events": events(), **facts}


def run(scenarios: list[Callable[[Any], Awaitable[Mapping[str, Any]]]]) -> None:
    """All of them, or those that the command line names. One that fails does not stop the others."""
    for scenario in scenarios:
        name = scenario.__name__
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        try:
            say(name, asyncio.run(asyncio.wait_for(_one(scenario), SECONDS)))
        except Exception:  # noqa: BLE001  # the test that reads this scenario fails
            events()
            say(name, {"failed": traceback.format_exc()})
