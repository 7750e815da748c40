"""The tool by which a model activates a skill."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.instructions.workspace import Workspace

from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.instructions.activated_skill import ActivatedSkill
from pisces.instructions.skills import SkillIndex
from pisces.shapes.tool import Tool, ToolFailed
from pisces.tools.activate_skill import activate_skill


@pytest.fixture
def here(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def tool_of(index: SkillIndex) -> Tool:
    tool = activate_skill(index)
    assert tool
    return tool


def test_without_skills_there_is_no_tool(here: Workspace) -> None:
    here.skill("mine", "disable-model-invocation: true\n")
    assert activate_skill(here.index()) is None


def test_few_names_are_in_the_schema_and_none_in_the_description(here: Workspace) -> None:
    here.skill("alpha")
    tool = tool_of(here.index())
    assert tool.parameters["properties"]["name"]["enum"] == ["alpha"]
    assert "alpha" not in tool.description


def test_many_names_are_not_repeated_in_the_schema(here: Workspace) -> None:
    for number in range(60):
        here.skill(f"skill-{number}")
    assert "enum" not in tool_of(here.index()).parameters["properties"]["name"]


def test_it_returns_the_instructions_and_the_files(here: Workspace) -> None:
    here.skill("alpha", body="Do $ARGUMENTS\n")
    here.user(".claude/skills/alpha/a.txt", "a")
    text = tool_of(here.index()).run({"name": "alpha", "arguments": "this"})
    assert "Do $ARGUMENTS\n\nARGUMENTS: this" in text
    assert "- a.txt" in text


def test_whoever_may_run_lines_expands_the_instructions(here: Workspace) -> None:
    here.skill("alpha", body="Do $ARGUMENTS")
    tool = activate_skill(here.index(), lambda skill, given: skill.body.replace("$ARGUMENTS", given))
    assert tool
    assert "\nDo this\n" in tool.run({"name": "alpha", "arguments": "this"})


def test_a_line_that_is_not_allowed_is_a_failure_for_the_model(here: Workspace) -> None:
    here.skill("alpha")

    def expand(_skill: ActivatedSkill, _given: str) -> str:
        raise PiscesError(Diagnostic("shell-line-denied", ERROR, "`date` does not run"))

    tool = activate_skill(here.index(), expand)
    assert tool
    with pytest.raises(ToolFailed, match="does not run"):
        tool.run({"name": "alpha"})


@pytest.mark.parametrize("name", ["alpah", "", None, 5])
def test_a_wrong_name_is_a_failure_for_the_model(here: Workspace, name: object) -> None:
    here.skill("alpha")
    with pytest.raises(ToolFailed, match="no skill is called"):
        tool_of(here.index()).run({"name": name})
