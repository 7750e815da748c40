"""A server runs behind a fence of the system where its entry or the user asks for one, or not at all."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from pisces import Host
from pisces.by_name import export_of
from pisces.processes.sandbox.fence import MECHANISMS
from tests.host.world import Answers, World

SERVER = str(Path(__file__).parent / "servers" / "fence_server.py")

has_fence = any(not export_of("pisces.processes.sandbox", name, "why_not")() for name in MECHANISMS)


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path.resolve())
    made.write("~/secret.txt", "the key")
    made.write("notes.txt", "of the project")
    return made


def configured(world: World, **more: object) -> None:
    entry = {"command": sys.executable, "args": [SERVER], **more}
    world.write("~/.gemini/settings.json", json.dumps({"mcpServers": {"reader": entry}}))


def read(world: World, *paths: str) -> list[str]:
    async def body() -> list[str]:
        async with Host.open(world.places, approve=Answers()) as host:
            await host.connect()
            files = [world.places.absolute(path) for path in paths]
            results = [await host.call("reader__read", {"path": path}) for path in files]
            return [result.text for result in results] if results else [host.servers["reader"].reason]

    return asyncio.run(body())


def test_without_a_wish_there_is_no_fence(world: World) -> None:
    configured(world)
    assert read(world, "~/secret.txt") == ["the key"]


@pytest.mark.skipif(not has_fence, reason="this system has neither Landlock nor bubblewrap")
@pytest.mark.parametrize("choice", ["", "true", "[reader]", "yse"])
def test_a_server_behind_a_fence_sees_the_project_and_not_the_home(world: World, choice: str) -> None:
    configured(world, **({} if choice else {"sandbox": True}))
    if choice:
        world.write("~/.pisces/agent/config.yml", f"mcp:\n  sandbox: {choice}\n")
    assert read(world, "notes.txt", "~/secret.txt") == ["of the project", "refused: Permission denied"]


@pytest.mark.parametrize("setting", ["mcp:\n  sandbox: false\n", "mcp:\n  sandbox: [another]\n"])
def test_a_setting_about_others_puts_up_no_fence(world: World, setting: str) -> None:
    configured(world)
    world.write("~/.pisces/agent/config.yml", setting)
    assert read(world, "~/secret.txt") == ["the key"]


@pytest.mark.skipif(has_fence, reason="this system has a fence")
def test_without_a_fence_of_the_system_it_does_not_start(world: World) -> None:
    configured(world, sandbox=True)
    assert "a sandbox is asked for, and there is none here" in read(world)[0]
