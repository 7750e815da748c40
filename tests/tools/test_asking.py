"""`todos` and `ask_user`, and what all tools have in common."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tools.bench import Desk

from pisces.shapes.tool import ToolFailed


def test_the_list_of_todos_is_replaced(tmp_path: Path) -> None:
    steps = {"look": "done", "mend": "active", "test": "pending"}
    todos = [{"text": text, "status": status} for text, status in steps.items()]
    result = Desk(tmp_path).call("todos", todos=todos)
    assert result["content"][0]["text"] == "[x] look\n[>] mend\n[ ] test"
    assert result["details"] == {"todos": todos}


def test_the_user_is_asked(tmp_path: Path) -> None:
    desk = Desk(tmp_path, answer="blue")
    assert desk.text("ask_user", question="Which?", options=["red", "blue"]) == "blue"
    assert desk.asked == [("Which?", ("red", "blue"))]


def test_where_nobody_can_be_asked_the_model_hears_it(tmp_path: Path) -> None:
    assert Desk(tmp_path).text("ask_user", question="Which?").startswith("failed: Nobody answers")


def test_all_tools_together_are_small(tmp_path: Path) -> None:
    tools = Desk(tmp_path).tools.values()
    sent = [{"name": each.name, "description": each.description, "input_schema": each.parameters} for each in tools]
    assert len(json.dumps(sent)) < 4000


def test_no_tool_takes_arguments_that_it_does_not_name(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for tool in desk.tools.values():
        assert tool.parameters["additionalProperties"] is False
    with pytest.raises(ToolFailed, match="workdir"):
        desk.call("shell", command="ls", workdir="/etc")
