"""Our client, and our probe, against a companion made with the official Python SDK of MCP."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pisces.ide.client.diff import EDITOR, TERMINAL, DiffOutcome
from pisces.ide.probe.probe import probed
from pisces.ide.probe.subject import ProbeTarget
from tests.ide.client_room import Room, run

SCRIPT = Path(__file__).with_name("sdk_companion.py")
TOKEN = "0123456789abcdef0123456789abcdef"

pytestmark = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("mcp_types", "uvicorn")),
    reason="needs the Python SDK of MCP: pip install 'mcp>=2'",
)


class Sdk(Room):
    """A room whose terminal knows the SDK's server by its environment."""

    port = 0

    def start(self) -> subprocess.Popen[str]:
        started = subprocess.Popen(
            [sys.executable, str(SCRIPT), str(self.main)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert started.stdout
        self.port = int(started.stdout.readline())
        self.env |= {
            "GEMINI_CLI_IDE_SERVER_PORT": str(self.port),
            "GEMINI_CLI_IDE_WORKSPACE_PATH": str(self.project),
            "GEMINI_CLI_IDE_AUTH_TOKEN": TOKEN,
        }
        return started


@pytest.fixture(scope="module")
def sdk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sdk]:
    room = Sdk(tmp_path_factory.mktemp("sdk"))
    started = room.start()
    yield room
    started.communicate(timeout=20)


def test_context_arrives(sdk: Sdk) -> None:
    async def body() -> None:
        async with sdk.client() as ide:
            context = await ide.first_context(20)
            assert context
            assert context.open_files[0].path == str(sdk.main)
            assert context.is_trusted

    run(body())


def test_diffs_are_accepted_in_the_editor_and_in_the_terminal(sdk: Sdk) -> None:
    async def body() -> list[DiffOutcome]:
        async with sdk.client() as ide:
            await ide.first_context(20)
            first = await ide.open_diff(str(sdk.main), "accept")
            in_editor = await first.answer()
            second = await ide.open_diff(str(sdk.main), "")
            return [in_editor, await second.accept()]

    assert run(body()) == [
        DiffOutcome(is_accepted=True, content="accepted", by=EDITOR),
        DiffOutcome(is_accepted=True, content="", by=TERMINAL),
    ]


def test_the_probe_finds_nothing_that_must_be_otherwise(sdk: Sdk) -> None:
    results = asyncio.run(probed(ProbeTarget(sdk.port, TOKEN, env=dict(os.environ))))
    assert [(each.rule.id, each.finding.detail) for each in results if each.is_violation] == []
