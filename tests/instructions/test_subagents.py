"""A subagent as data: its tools are the parent's, by the parent's names, and never more."""

from __future__ import annotations

import pytest

from pisces.discovery.capabilities import SUBAGENTS
from pisces.discovery.registry import discover
from pisces.instructions.subagents import AgentPlan, subagent
from tests.instructions.workspace import Workspace

CLAUDE = ("Read", "Write", "Edit", "Bash", "Grep", "Glob", "mcp__db__query", "mcp__db__drop", "mcp__web__get")
GEMINI = ("read_file", "write_file", "replace", "run_shell_command", "grep_search", "glob")
PI = ("read", "write", "edit", "bash", "grep", "find", "ls")


def plan_of(here: Workspace, header: str, tools: tuple[str, ...] = CLAUDE) -> AgentPlan:
    here.user(".claude/agents/helper.md", f"---\nname: helper\ndescription: Helps\n{header}---\nYou help.")
    (found,) = discover(SUBAGENTS, here.places).items
    return subagent(found, tools)


def test_without_a_list_it_has_the_tools_of_its_parent(here: Workspace) -> None:
    plan = plan_of(here, "")
    assert (plan.name, plan.description, plan.prompt) == ("helper", "Helps", "You help.")
    assert plan.tools == CLAUDE
    assert plan.diagnostics == ()


@pytest.mark.parametrize(
    ("asked", "tools", "granted"),
    [
        ("Read, Bash", CLAUDE, ("Read", "Bash")),
        ("Read, Bash(git log:*)", GEMINI, ("read_file", "run_shell_command(git log:*)")),
        ("read_file, replace", CLAUDE, ("Read", "Edit")),
        ("Read, Grep, Glob, LS", PI, ("read", "grep", "find", "ls")),
        ("exec_command", PI, ("bash",)),
        ("bash, edit", GEMINI, ("run_shell_command", "replace")),
        ("'*'", PI, PI),
        ("mcp__db__query", CLAUDE, ("mcp__db__query",)),
        ("mcp__db", CLAUDE, ("mcp__db__query", "mcp__db__drop")),
        ("mcp__db__*", CLAUDE, ("mcp__db__query", "mcp__db__drop")),
    ],
)
def test_names_of_any_harness_are_understood(
    here: Workspace, asked: str, tools: tuple[str, ...], granted: tuple[str, ...]
) -> None:
    plan = plan_of(here, f"tools: {asked}\n", tools)
    assert plan.tools == granted
    assert plan.diagnostics == ()


@pytest.mark.parametrize(
    "asked", ["Reed", "WebFetch", "mcp__other__x", "mcp__d", "'R*'", "read_many_files", "[]", "bash "]
)
def test_a_name_that_is_not_there_gives_nothing(here: Workspace, asked: str) -> None:
    plan = plan_of(here, f"tools: {asked}\n", ("Read", "Write", "mcp__db__query"))
    assert plan.tools == ()
    assert [each.code for each in plan.diagnostics] == ([] if asked == "[]" else ["subagent-tool-unknown"])


def test_what_it_may_not_use_is_said_in_every_name(here: Workspace) -> None:
    plan = plan_of(here, "disallowedTools: Bash, Bash(rm:*), Unheard\n", GEMINI)
    assert plan.disallowed == ("run_shell_command", "Bash", "run_shell_command(rm:*)", "Bash(rm:*)", "Unheard")


def test_limits_and_wishes_are_passed_on(here: Workspace) -> None:
    header = "model: opus\nmaxTurns: 7\ntimeout_mins: 2\npermissionMode: bypassPermissions\nskills: alpha\n"
    plan = plan_of(here, header + "mcpServers:\n  db:\n    command: db\nhooks:\n  Stop: []\n")
    assert (plan.model, plan.max_turns, plan.timeout) == ("opus", 7, 120)
    assert plan.permission_mode == "bypassPermissions", "a wish: whoever runs it decides"
    assert plan.skills == ("alpha",)
    assert dict(plan.mcp_servers) == {"db": {"command": "db"}}
    assert dict(plan.hooks) == {"Stop": []}


@pytest.mark.parametrize("limit", ["-1", "0", "1.0e400", ".nan", "many", "true"])
def test_a_limit_that_is_none_counts_as_absent(here: Workspace, limit: str) -> None:
    plan = plan_of(here, f"maxTurns: {limit}\ntimeout_mins: {limit}\n")
    assert (plan.max_turns, plan.timeout) == (None, None)


def test_the_model_is_told_one_line_for_each(here: Workspace) -> None:
    plan_of(here, "")
    (part,) = [part for part in here.all().parts if part.kind == "subagents"]
    assert part.text.split("\n")[1:] == ["- helper: Helps"]
