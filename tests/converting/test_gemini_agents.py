"""Agents of a package as Gemini CLI loads them: a strict header, never a tool more than their author allowed."""

from __future__ import annotations

from typing import Any

import pytest

from pisces.converting.plugin import PluginAgent, PluginServer, PluginSkill
from pisces.converting.prompt_text import ROOT, SESSION, SETTING, PromptText, PromptVariable, plain
from pisces.harnesses.gemini.agent_shape import header_misfits
from tests.converting.gemini_output import DEMO, Output, output_of


def agent(name: str = "reader", *, folders: tuple[str, ...] = (), **fields: Any) -> PluginAgent:
    """With the header's keys as Claude Code spells them."""
    tools, denied = fields.get("tools"), fields.get("disallowedTools", ())
    path = "/".join(("agents", *folders, f"{name}.md"))
    prompt = fields.pop("prompt", plain("Read.\n"))
    header = {"name": name, "description": "Reads", **fields}
    return PluginAgent(name, path, header, {}, "Reads", prompt, tools, denied, fields.get("model", ""), folders)


def written(*agents: PluginAgent, **options: Any) -> Output:
    made = output_of(DEMO.replace(agents=agents), **options)
    for path in made.paths:
        if path.startswith("agents/"):
            assert not header_misfits(made.header(path)), path
    return made


def test_tools_have_the_names_of_gemini_cli() -> None:
    made = written(agent(tools=("Read", "Bash", "Grep", "WebFetch", "TodoWrite", "TaskCreate", "Skill")))
    assert made.header("agents/reader.md")["tools"] == [
        *("read_file", "run_shell_command", "grep_search", "web_fetch", "write_todos", "activate_skill")
    ]
    assert not made.losses


@pytest.mark.parametrize(
    "tool",
    [
        *("NotebookEdit", "Monitor", "LSP", "BashOutput", "NotebookRead", "Task", "Agent(x, y)"),
        *("mcp__golang-*__*", "mcp__docs__read*", "mcp__*__read"),
    ],
)
def test_a_tool_without_a_counterpart_is_left_out_and_reported(tool: str) -> None:
    made = written(agent(tools=("Read", tool)))
    assert made.header("agents/reader.md")["tools"] == ["read_file"]
    assert made.codes() == [("lost-tool", "tools")]


def test_an_agent_without_any_tool_left_is_not_written() -> None:
    made = written(agent(tools=("LSP", "Task")))
    assert "agents/reader.md" not in made.paths
    assert ("lost-agent", "tools") in made.codes()


def test_with_widen_it_is_written_without_a_list_and_the_report_says_so() -> None:
    made = written(agent(tools=("LSP",)), widen=True)
    assert "tools" not in made.header("agents/reader.md")
    assert ("widened-tools", "tools") in made.codes()


def test_an_empty_list_of_tools_is_not_all_tools() -> None:
    assert "agents/reader.md" not in written(agent(tools=())).paths


def test_all_tools_stay_all_tools() -> None:
    assert "tools" not in written(agent()).header("agents/reader.md")
    assert "tools" not in written(agent(tools=("*",))).header("agents/reader.md")


def test_denied_tools_are_missing_in_a_list_of_all_others() -> None:
    tools = written(agent(disallowedTools=("Write", "Edit", "Bash(rm:*)"))).header("agents/reader.md")["tools"]
    assert {"read_file", "grep_search", "mcp_*"} <= set(tools)
    assert not {"write_file", "replace", "run_shell_command", "invoke_agent"} & set(tools)


def test_a_denied_tool_of_a_server_takes_all_servers_away() -> None:
    made = written(agent(disallowedTools=("mcp__docs__delete",)))
    assert "mcp_*" not in made.header("agents/reader.md")["tools"]
    assert ("lost-tool", "disallowedTools") in made.codes()


def test_a_denied_tool_is_taken_from_a_list() -> None:
    made = written(agent(tools=("Read", "Write"), disallowedTools=("Write",)))
    assert made.header("agents/reader.md")["tools"] == ["read_file"]


def test_a_pattern_limits_nothing_in_a_list_and_the_report_says_so() -> None:
    made = written(agent(tools=("Bash(git log:*)",)))
    assert made.header("agents/reader.md")["tools"] == ["run_shell_command"]
    assert made.codes() == [("changed-meaning", "tools")]


def test_tools_of_servers_follow_the_new_names_of_the_servers() -> None:
    servers = (PluginServer("my_docs", ".mcp.json", {"command": "docs"}),)
    tools = ("mcp__my_docs__find_it", "mcp__plugin_demo_my_docs__x", "mcp__my_docs", "mcp__other__y", "mcp__*")
    made = output_of(DEMO.replace(servers=servers, agents=(agent(tools=tools),)))
    assert list(made.manifest["mcpServers"]) == ["my-docs"]
    assert made.header("agents/reader.md")["tools"] == [
        *("mcp_my-docs_find_it", "mcp_my-docs_x", "mcp_my-docs_*", "mcp_other_y", "mcp_*")
    ]


def test_nested_agents_are_flat_and_every_name_is_there_once() -> None:
    made = written(
        agent("reader", folders=("a",)),
        agent("reader", folders=("b",)),
        agent("Big Name"),
        agent("big-name"),
        agent("generalist"),
        agent("___"),
        agent("CON"),
    )
    assert [each for each in made.paths if each.startswith("agents/")] == [
        *("agents/a-reader.md", "agents/agent.md", "agents/b-reader.md", "agents/big-name-2.md", "agents/big-name.md"),
        *("agents/con-.md", "agents/demo-generalist.md"),
    ]
    assert made.header("agents/big-name.md")["display_name"] == "Big Name"


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        *(("opus", "pro"), ("claude-opus-4-8[1m]", "pro"), ("fable", "pro"), ("haiku", "flash"), ("sonnet", None)),
        *(("inherit", "inherit"), ("", None), ("gpt-5", None)),
    ],
)
def test_models_go_by_their_family(model: str, expected: str | None) -> None:
    made = written(agent(model=model))
    assert made.header("agents/reader.md").get("model") == expected
    assert [each.field for each in made.losses] == ([] if model in ("", "inherit") else ["model"])


def test_every_other_key_is_reported_once() -> None:
    made = written(agent(color="blue", effort="high", memory="user", maxTurns=7, capabilities=["x"]))
    assert made.header("agents/reader.md")["max_turns"] == 7
    assert made.codes() == [("lost-field", key) for key in ("capabilities", "color", "effort", "memory")]


@pytest.mark.parametrize("limit", [0, -1, "many", True, 2.5])
def test_a_limit_that_gemini_cli_refuses_is_reported(limit: object) -> None:
    made = written(agent(maxTurns=limit))
    assert "max_turns" not in made.header("agents/reader.md")
    assert made.codes() == [("lost-field", "maxTurns")]


def test_skills_from_the_start_are_asked_for_with_the_tool_that_loads_them() -> None:
    skill = PluginSkill("notes", "skills/notes/SKILL.md", {"name": "notes", "description": "N"}, {}, "N")
    made = output_of(DEMO.replace(agents=(agent(tools=("Read",), skills="demo:notes, gone"),), skills=(skill,)))
    assert made.header("agents/reader.md")["tools"] == ["read_file", "activate_skill"]
    assert "`activate_skill`: `notes`" in made.body("agents/reader.md")
    assert made.codes() == [("changed-meaning", "skills"), ("lost-field", "skills")]


def test_a_description_is_never_empty() -> None:
    bare = agent(prompt=plain("# The reader\n\nReads.")).replace(description="")
    assert written(bare).header("agents/reader.md")["description"] == "The reader"


def test_variables_of_the_text_are_those_of_gemini_cli_and_no_other_is_left_to_fail() -> None:
    parts = (
        PromptVariable(ROOT, "${CLAUDE_PLUGIN_ROOT}"),
        "/run.sh ${HOME} ${A}b ${item} ${extensionPath} ",
        PromptVariable(SESSION, "${CLAUDE_SESSION_ID}"),
        PromptVariable(SESSION, "${CLAUDE_CODE_SESSION_ID:-...}", "${CLAUDE_SESSION_ID:-$$}"),
        PromptVariable(f"{SETTING}key", "${user_config.key}"),
    )
    made = written(agent(prompt=PromptText(parts)))
    expected = "${extensionPath}/run.sh $HOME ${A:-}b ${ item } ${extensionPath} SESSION_ID$$<setting key>"
    assert made.body("agents/reader.md") == expected
    own = ("changed-meaning", "prompt")  # `${extensionPath}` was plain text, and Gemini CLI fills it in
    assert made.codes() == [own, ("lost-placeholder", "prompt"), ("lost-placeholder", "prompt")]
