"""Which tools of MCP servers a subagent gets: those of the session, by whatever spelling its file has for them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from pisces import Host
from pisces.shapes.events.surroundings import Notification
from pisces.shapes.message import CallPart
from tests.agent.world import AgentWorld, agent_call
from tests.mcp.wiring_world import ADD, SAY, ServerWorld


def with_boat(folder: Path, world: AgentWorld) -> None:
    """A server of the user with two tools, which are remembered."""
    servers = ServerWorld(folder)
    servers.configure("boat")
    servers.say_of("boat", ADD, SAY)

    async def connected() -> None:
        async with Host.open(servers.places, approve=lambda *_: True) as host:
            await host.connect()

    asyncio.run(connected())
    world.home = servers.home
    world.work = Path(servers.places.cwd)


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"tools": "mcp__boat__add"}, {"boat__add"}),
        ({"tools": "mcp__boat"}, {"boat__add", "boat__say"}),
        ({"tools": "mcp__boat__*"}, {"boat__add", "boat__say"}),
        ({"tools": "mcp_boat_say"}, {"boat__say"}),
        ({"tools": "Read"}, {"read"}),
        ({"tools": "Read", "mcpServers": "[boat]"}, {"read", "boat__add", "boat__say"}),
        ({"tools": "mcp__boat", "disallowedTools": "mcp__boat__say"}, {"boat__add"}),
    ],
)
def test_it_gets_those_that_its_file_names(tmp_path: Path, fields: dict[str, str], names: set[str]) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("sailor"),), "fine"], "sailor": ["done"]})
    with_boat(tmp_path / "boats", world)
    world.agent("sailor", **fields)
    world.submitted()
    assert {each.name for each in world.asked["sailor"][0].tools} == names


def test_its_calls_are_asked_about_under_its_name_and_run(tmp_path: Path) -> None:
    turns = [(CallPart("1", "boat__add", {"a": 1}),), "done"]
    world = AgentWorld(tmp_path, {"main": [(agent_call("sailor"),), "fine"], "sailor": turns})
    with_boat(tmp_path / "boats", world)
    world.agent("sailor", tools="mcp__boat__add")
    world.submitted()
    asked = [(each.call.tool, each.server, each.agent) for each in world.questions if hasattr(each, "call")]
    assert asked == [("boat__add", "boat", "sailor")]
    assert '{"a": 1}' in str(world.asked["sailor"][1].messages[-1])


def test_a_server_that_only_its_file_configures_is_not_started(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("sailor"),), "fine"], "sailor": ["done"]})
    world.agent("sailor", mcpServers=json.dumps({"own": {"command": "true"}}))
    world.submitted()
    said = [each.message for each in world.of(Notification) if each.kind == "subagent-wish"]
    assert any("its server `own` is not started" in each for each in said)
