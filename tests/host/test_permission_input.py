"""A hook that answers a question may change the input (`input-changed`): then everybody judges the new one."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pisces import Host, Places, ToolCall, ToolRequest


def _verdict(tmp_path: Path, answer: dict[str, Any], **permissions: list[str]) -> tuple[str, Any]:
    decision = {"hookEventName": "PermissionRequest", "decision": answer}
    command = f"printf '%s' '{json.dumps({'hookSpecificOutput': decision})}'"
    hooks = {"PermissionRequest": [{"hooks": [{"type": "command", "command": command}]}]}
    settings = tmp_path / "home" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"hooks": hooks, "permissions": permissions}), "utf-8")
    (tmp_path / "work").mkdir()
    places = Places(str(tmp_path / "home"), str(tmp_path / "work"), {"PATH": "/usr/bin:/bin"})

    async def judged() -> tuple[str, Any]:
        async with Host.open(places, approve=lambda *_: False) as host:
            found = await host.judge(ToolCall("Bash", "1", {"command": "touch made"}))
            assert isinstance(found.request, ToolRequest)
            return found.verdict.decision, found.request.call.input["command"]

    return asyncio.run(judged())


def test_the_changed_input_is_what_runs(tmp_path: Path) -> None:
    answer = {"behavior": "allow", "updatedInput": {"command": "touch other"}}
    assert _verdict(tmp_path, answer) == ("allow", "touch other")


@pytest.mark.parametrize("command", ["rm -rf x", "env rm x"])
def test_a_changed_input_that_a_rule_denies_does_not_run(command: str, tmp_path: Path) -> None:
    answer = {"behavior": "allow", "updatedInput": {"command": command}}
    assert _verdict(tmp_path, answer, deny=["Bash(rm:*)"])[0] == "deny"


def test_an_answer_without_a_change_is_an_answer(tmp_path: Path) -> None:
    assert _verdict(tmp_path, {"behavior": "allow"}) == ("allow", "touch made")
