"""A pinned server in an open host: what the registry has by now does not run, and what changed does not start."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from pisces import Host
from tests.mcp.plan_registries import registry
from tests.mcp.test_pin import World

pytestmark = pytest.mark.skipif(not shutil.which("npm"), reason="npm is not here")


def answer_in_host(world: World) -> str:
    """What the server answers to a call, or why there is none."""

    async def asked() -> str:
        async with Host.open(world.places, approve=lambda *_: True) as host:
            await host.connect()
            if host.servers["shop"].state != "up":
                return host.servers["shop"].reason
            result = await host.call("shop__whoami", {})
            return str(json.loads(result.text)["version"])

    return asyncio.run(asked())


def test_a_rug_pull_by_a_new_version_is_not_run(tmp_path: Path) -> None:
    with registry() as packages:
        world = World(tmp_path, packages)
        packages.add_npm("shop-server", "1.0.0")
        world.configure("npx", "-y", "shop-server@latest")
        world.pin()
        packages.add_npm("shop-server", "1.0.1")
        assert answer_in_host(world) == "1.0.0"
        program = Path(world.plan().argv[1])
        program.write_text(program.read_text().replace("1.0.0", "6.6.6"))
        assert answer_in_host(world) == "the files that it is pinned to changed"
