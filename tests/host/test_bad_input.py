"""What a program gives to Host by mistake is refused with a sentence, and is never allowed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pisces import Host, PiscesError, Places, ToolCall
from tests.host.world import Answers, World


def test_a_workspace_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PiscesError) as raised:
        Host.open(Places(str(tmp_path), str(tmp_path / "gone"), {}), approve=Answers())
    assert raised.value.diagnostic.code == "host-folder"


def test_approve_must_be_a_function(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="`approve` must be a function"):
        Host.open(Places(str(tmp_path), str(tmp_path), {}), approve=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [{"command": object()}, {"command": float("nan")}, {1: "x"}])
def test_an_input_that_is_no_json_is_denied(given: dict[Any, Any], world: World) -> None:
    async def judged() -> str:
        async with Host.open(world.places, approve=lambda *_: True, mode="all") as host:
            emitted = await host.emit(ToolCall("Bash", "1", given))
            assert emitted.blocked
            return (await host.judge(ToolCall("Bash", "1", given))).verdict.decision

    assert asyncio.run(judged()) == "deny"


def test_nobody_is_asked_about_a_tool_that_does_not_exist(world: World) -> None:
    def approve(*_given: object) -> bool:
        raise AssertionError("somebody was asked")

    async def called() -> str:
        async with Host.open(world.places, approve=approve) as host:
            return (await host.call("no_such_tool", {})).text

    assert asyncio.run(called()) == "there is no tool `no_such_tool`"
