"""`permission` in the header of a subagent, as OpenCode has it, narrows and never allows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.agent.subagent_permission import permission_in
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.message import CallPart
from tests.agent.world import AgentWorld, agent_call, read

LINES = {"*": "deny", "git diff*": "allow", "git push*": "ask"}


@pytest.mark.parametrize(
    ("table", "tool", "given", "decision"),
    [
        ({"edit": "deny"}, "write", {"path": "a", "content": ""}, "deny"),
        ({"edit": "deny"}, "edit", {"path": "a"}, "deny"),
        ({"edit": "deny"}, "read", {"path": "a"}, ""),
        ({"bash": "ask"}, "shell", {"command": "ls"}, "ask"),
        ({"bash": LINES}, "shell", {"command": "git diff --stat"}, "allow"),
        ({"bash": LINES}, "shell", {"command": "git diff; rm x"}, "deny"),
        ({"bash": LINES}, "shell", {"command": "git diff && git push"}, "ask"),
        ({"bash": LINES}, "shell", {"command": "git diff $(rm x)"}, "deny"),
        ({"bash": LINES}, "shell", {"command": "ls"}, "deny"),
        ({"webfetch": "deny"}, "fetch", {"url": "http://127.0.0.1/"}, "deny"),
        ({"*": "deny", "read": "allow"}, "read", {"path": "a"}, "allow"),
        ({"*": "deny", "read": "allow"}, "shell", {"command": "ls"}, "deny"),
        ({"read": {"*": "allow", "*.env": "deny"}}, "read", {"path": "x.env"}, "deny"),
        ({"read": "mostly"}, "read", {"path": "a"}, "ask"),
        ({"read": ["deny"]}, "read", {"path": "a"}, "ask"),
        ({}, "read", {"path": "a"}, ""),
    ],
)
def test_what_a_table_says_about_a_call(table: dict[str, Any], tool: str, given: dict[str, Any], decision: str) -> None:
    assert permission_in(table, ToolCall(tool, "1", given)) == decision


@pytest.mark.parametrize(("word", "questions"), [("deny", 0), ("ask", 1), ("allow", 0)])
def test_it_holds_in_every_mode(tmp_path: Path, word: str, questions: int) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": [read("a.txt"), "done"]})
    world.agent("looker", permission=json.dumps({"read": word}))
    (world.work / "a.txt").write_text("inside\n", encoding="utf-8")
    world.options["mode"] = "all"
    world.submitted()
    assert len(world.questions) == questions
    assert ("inside" in str(world.asked["looker"][1].messages[-1])) is (word != "deny")


def test_what_it_allows_is_asked_about_all_the_same(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("secret\n", encoding="utf-8")
    turns = [(CallPart("1", "read", {"path": str(outside)}),), "done"]
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": turns})
    world.agent("looker", permission=json.dumps({"*": "allow"}))
    world.answer = False
    world.submitted()
    assert len(world.questions) == 1
    assert "secret" not in str(world.asked["looker"][1].messages[-1])
