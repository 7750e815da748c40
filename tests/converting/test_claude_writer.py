"""Packages of other programs as plugins of Claude Code: nothing runs there that did not run before."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pisces.converting.fate import Fate
from pisces.converting.plugin import (
    Plugin,
    PluginAgent,
    PluginCommand,
    PluginContext,
    PluginFile,
    PluginHook,
    PluginRest,
    PluginServer,
    PluginSetting,
    PluginSkill,
)
from pisces.converting.prompt_text import (
    ROOT,
    Part,
    PromptArgument,
    PromptArguments,
    PromptInclude,
    PromptLine,
    PromptText,
    PromptVariable,
    plain,
)
from pisces.converting.writer import WriteOptions, Written, writer_named


def written(**parts: Any) -> Written:
    plugin = Plugin("demo", "1.0.0", "A demo", "gemini", "gemini", "gemini-extension.json")
    writer = writer_named("claude")
    assert writer
    return writer.write(plugin.replace(**parts), WriteOptions())


def text_at(made: Written, path: str) -> str:
    return next(each.data or b"" for each in made.files if each.path == path).decode()


def json_at(made: Written, path: str) -> Any:
    return json.loads(text_at(made, path))


def losses_of(made: Written) -> list[Fate]:
    return [each for each in made.fates if each.is_loss]


@pytest.mark.parametrize(
    ("part", "spelled"),
    [
        (PromptArguments("{{args}}"), "$ARGUMENTS"),
        (PromptArgument(1, "$2"), "$ARGUMENTS[1]"),
        (PromptLine(("git status",), "!{git status}"), "!`git status`"),
        (PromptLine(("echo `date`",), "!{echo `date`}"), "```!\necho `date`\n```"),
        (PromptInclude(("README.md",), "@{README.md}"), "@README.md"),
        (PromptVariable(ROOT, "${extensionPath}"), "${CLAUDE_PLUGIN_ROOT}"),
        ("costs $1, or $ARGUMENTS", "costs \\$1, or \\$ARGUMENTS"),
        ("an example: !`rm -rf x`", "an example: ! `rm -rf x`"),
        ("```!\nrm\n```", "```! \nrm\n```"),
    ],
)
def test_a_command_says_the_same_in_the_other_spelling(part: Part, spelled: str) -> None:
    made = written(commands=(PluginCommand("go", "commands/go.toml", prompt=PromptText((part,))),))
    assert text_at(made, "commands/go.md").endswith(f"---\n{spelled}")


def test_a_command_gets_another_name_where_claude_would_hide_it() -> None:
    commands = (PluginCommand("notes", "commands/notes.toml"), PluginCommand("skill", "commands/skill.toml"))
    skill = PluginSkill("notes", "skills/notes/SKILL.md")
    made = written(commands=commands, skills=(skill,))
    names = {each.path for each in made.files}
    assert {"commands/notes-2.md", "commands/skill-2.md"} <= names
    assert {each.code for each in losses_of(made)} == {"changed-meaning"}


def test_the_prefix_of_a_package_is_not_typed_twice() -> None:
    made = written(commands=(PluginCommand("demo:git:commit", "commands/demo/git/commit.toml"),))
    assert "commands/git/commit.md" in {each.path for each in made.files}


@pytest.mark.parametrize("name", ["../../evil", "/etc/x", "a:..:b", "..", "a\x00b", "c:\\x"])
def test_no_name_leads_out_of_the_plugin(name: str) -> None:
    made = written(
        commands=(PluginCommand(name, "commands/x.toml"),),
        agents=(PluginAgent(name, "agents/x.md"),),
        skills=(PluginSkill(name, "skills/x/SKILL.md"),),
    )
    for each in made.files:
        assert not any(part in ("", ".", "..") for part in each.path.split("/"))
        assert "\x00" not in each.path
        assert "\\" not in each.path


def test_tools_of_a_subagent_are_never_more() -> None:
    agents = (
        PluginAgent("a", "agents/a.md", description="d", tools=("read_file", "no_such_tool")),
        PluginAgent("b", "agents/b.md", description="d", tools=("no_such_tool",)),
    )
    made = written(agents=agents)
    assert "tools: Read\n" in text_at(made, "agents/a.md")
    assert "agents/b.md" not in {each.path for each in made.files}
    assert [each.code for each in losses_of(made)] == ["lost-tool", "lost-tool", "lost-agent"]


def test_the_model_of_another_program_is_left_out_and_named() -> None:
    agent = PluginAgent("a", "agents/a.md", {"model": "gemini-3-pro"}, description="d", model="gemini-3-pro")
    made = written(agents=(agent,))
    assert "model" not in text_at(made, "agents/a.md")
    assert [(each.code, each.field) for each in losses_of(made)] == [("lost-field", "model")]


def test_settings_become_options_and_reach_every_server() -> None:
    setting = PluginSetting("API key", "gemini-extension.json", description="d", variable="API_KEY", sensitive=True)
    server = PluginServer("s", "gemini-extension.json", {"command": "node", "args": ["s.js"], "cwd": "."})
    made = written(settings=(setting,), servers=(server,), files=(PluginFile("s.js"),))
    option = json_at(made, ".claude-plugin/plugin.json")["userConfig"]["API_KEY"]
    assert option["sensitive"] is True
    entry = json_at(made, ".mcp.json")["mcpServers"]["s"]
    assert entry["env"] == {"API_KEY": "${user_config.API_KEY}"}
    assert entry["args"] == ["${CLAUDE_PLUGIN_ROOT}/s.js"]


def test_a_limit_on_the_tools_of_a_server_that_goes_is_named() -> None:
    server = PluginServer("s", "gemini-extension.json", {"httpUrl": "https://e.org/mcp", "excludeTools": ["rm"]})
    made = written(servers=(server,))
    assert json_at(made, ".mcp.json")["mcpServers"]["s"] == {"type": "http", "url": "https://e.org/mcp"}
    assert [(each.kind, each.field) for each in losses_of(made)] == [("widened", "excludeTools")]


def test_a_text_for_every_prompt_is_printed_when_a_session_starts() -> None:
    context = PluginContext("GEMINI.md", "GEMINI.md", prompt=plain("Be brief."))
    made = written(contexts=(context,), files=(PluginFile("GEMINI.md"),))
    handler = json_at(made, "hooks/hooks.json")["hooks"]["SessionStart"][0]["hooks"][0]
    assert handler == {"type": "command", "command": 'cat "${CLAUDE_PLUGIN_ROOT}/GEMINI.md"'}
    assert "GEMINI.md" in {each.path for each in made.files}


def test_a_guard_of_another_protocol_is_an_error_and_not_written() -> None:
    guard = PluginHook("beforeShellExecution", "hooks/hooks.json", command="guard", dialect="cursor")
    note = PluginHook("afterFileEdit", "hooks/hooks.json", command="note", dialect="cursor")
    made = written(hooks=(guard, note))
    assert "hooks/hooks.json" not in {each.path for each in made.files}
    assert [(each.code, each.severity) for each in losses_of(made)] == [
        ("lost-guard", "error"),
        ("lost-hook", "warning"),
    ]


def test_a_guard_of_gemini_cli_runs_through_a_program_once() -> None:
    fields = {"type": "command", "command": "guard", "sequential": True}
    guard = PluginHook("BeforeTool", "hooks/hooks.json", fields, command="guard", dialect="gemini")
    made = written(hooks=(guard, guard, guard.replace(name="BeforeModel")))
    (group,) = json_at(made, "hooks/hooks.json")["hooks"]["PreToolUse"]
    line = 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/gemini-compat/run.sh" 1 guard || exit 2'
    assert group == {"hooks": [{"type": "command", "command": line, "timeout": 60}]}
    assert {each.code for each in losses_of(made)} == {"lost-guard", "lost-field"}


def test_a_lost_policy_is_an_error() -> None:
    made = written(rest=(PluginRest("deny", "policies/deny.toml", sort="policy"),))
    assert [(each.code, each.severity) for each in losses_of(made)] == [("lost-guard", "error")]


def test_files_of_no_component_come_along_and_what_claude_would_load_does_not() -> None:
    files = tuple(map(PluginFile, ("scripts/x.py", "README.md", "commands/stray.md", "hooks/hooks.json")))
    made = written(files=files)
    assert {each.path for each in made.files} == {".claude-plugin/plugin.json", "README.md", "scripts/x.py"}
    assert [each.path for each in losses_of(made)] == ["commands/stray.md", "hooks/hooks.json"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("homepage", "example.com"), ("keywords", "a, b"), ("author", 7), ("license", {"type": "MIT"}), ("author", {})],
)
def test_metadata_of_another_shape_costs_only_itself(field: str, value: Any) -> None:
    made = written(metadata={field: value})
    assert json_at(made, ".claude-plugin/plugin.json") == {"name": "demo", "version": "1.0.0", "description": "A demo"}
    assert [each.field for each in losses_of(made)] == ([field] if value else [])
