"""`@name` in a line of the user means a subagent of that name, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.agent.subagent_mention import agent_mentions
from tests.agent.world import AgentWorld

NAMES = ("reviewer", "code-reviewer", "a.b", "plugin:helper")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("@reviewer look at this", ("reviewer",)),
        ("ask @code-reviewer, then @reviewer.", ("code-reviewer", "reviewer")),
        ("@agent-code-reviewer go", ("code-reviewer",)),
        ('@"code-reviewer (agent)" go', ("code-reviewer",)),
        ("@reviewer @reviewer", ("reviewer",)),
        ("(@reviewer)", ("reviewer",)),
        ("@plugin:helper go", ("plugin:helper",)),
        ("@a.b: go", ("a.b",)),
        ("me@reviewer", ()),
        ("@src/reviewer", ()),
        ("@reviewer/file.py", ()),
        ("@nobody", ()),
        ("reviewer", ()),
        ("@" * 10_000, ()),
        ("@" + "x" * 100_000, ()),
    ],
)
def test_who_is_mentioned(line: str, found: tuple[str, ...]) -> None:
    assert agent_mentions(line, NAMES) == found


def test_the_model_is_asked_to_give_the_task_to_whom_the_user_mentions(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": []})
    world.agent("looker")
    world.submitted("@looker what is here?")
    message = world.asked["main"][0].messages[0].text
    assert message.startswith("@looker what is here?")
    assert "by the subagent `looker`" in message


def test_a_file_is_no_subagent(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": []})
    world.agent("looker")
    world.submitted("@a.txt what is here?")
    assert "subagent" not in world.asked["main"][0].messages[0].text
