"""Packages of every other harness become the same neutral plugin: nothing of their manifests is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.converting.plugin import Plugin
from pisces.converting.prompt_text import PromptVariable
from pisces.converting.reading import read_plugin
from pisces.converting.variables import text_with_variables
from tests.converting.test_convert import places_of, put

SKILL = "---\nname: notes\ndescription: Notes\n---\nWrite.\n"
AGENT = "---\nname: reader\ndescription: Reads\n---\nRead.\n"
HOOKS = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}]}}


def read(folder: Path, files: dict[str, Any], only: str | None = None) -> Plugin:
    texts = {name: value if isinstance(value, str) else json.dumps(value, indent=1) for name, value in files.items()}
    return read_plugin(str(put(folder / "demo", texts)), places_of(folder), only).plugin


def test_an_extension_of_gemini(tmp_path: Path) -> None:
    manifest: dict[str, Any] = {
        "name": "demo",
        "version": "1.2.0",
        "mcpServers": {"s": {"command": "node", "args": ["${extensionPath}${/}s.js", "$HOME"], "trust": True}},
        "excludeTools": ["run_shell_command(rm -rf)"],
        "settings": [{"name": "Key", "description": "The key", "envVar": "KEY", "sensitive": True}],
        "plan": {"directory": "plans"},
    }
    plugin = read(
        tmp_path,
        {
            "gemini-extension.json": manifest,
            "GEMINI.md": "Be kind to ${extensionPath}.\n",
            "commands/git/c.toml": 'description = "C"\nprompt = "Do {{args}} !{ls} @{a.md}"\n',
            "agents/reader.md": AGENT,
            "skills/notes/SKILL.md": SKILL,
            "policies/p.toml": '[[rule]]\ntoolName = "x"\ndecision = "deny"\npriority = 1\n',
            "hooks/hooks.json": {
                "hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "x", "name": "n"}]}]}
            },
        },
    )
    assert (plugin.name, plugin.version, plugin.harness) == ("demo", "1.2.0", "gemini")
    (command,) = plugin.commands
    assert (command.name, command.description, command.line("prompt")) == ("git:c", "C", 2)
    assert len(command.prompt.parts) == 6
    (server,) = plugin.servers
    assert server.fields == manifest["mcpServers"]["s"]  # as written: nothing is filled in or left out
    assert (server.line("args"), server.keys) == (7, ("mcpServers", "s"))
    assert [(each.title, each.variable, each.sensitive) for each in plugin.settings] == [("Key", "KEY", True)]
    assert [each.prompt.parts[1] for each in plugin.contexts] == [PromptVariable("root", "${extensionPath}")]
    assert [(each.name, each.dialect, each.line("command") > 1) for each in plugin.hooks] == [
        ("BeforeTool", "gemini", True)
    ]
    assert {(each.sort, each.name) for each in plugin.rest if each.sort != "policy"} == {
        ("excluded tool", "run_shell_command(rm -rf)"),
        ("manifest field", "plan"),
    }
    assert [each.path for each in plugin.rest if each.sort == "policy"] == ["policies/p.toml"]


def test_an_extension_of_qwen(tmp_path: Path) -> None:
    plugin = read(
        tmp_path,
        {
            "qwen-extension.json": {"name": "demo", "version": "1.0.0", "hooks": HOOKS["hooks"], "channels": ["c"]},
            "commands/c.md": "---\ndescription: C\n---\nDo {{args}}",
            "agents/reader.md": AGENT,
            "skills/notes/SKILL.md": SKILL,
        },
    )
    assert [len(each.prompt.parts) for each in plugin.commands] == [2]
    assert ([each.name for each in plugin.agents], [each.name for each in plugin.skills]) == (["reader"], ["notes"])
    assert [(each.sort, each.name) for each in plugin.rest] == [("channel", "c")]


def test_a_plugin_of_codex(tmp_path: Path) -> None:
    plugin = read(
        tmp_path,
        {
            ".codex-plugin/plugin.json": {"name": "demo", "version": "1.0.0", "apps": ["a"], "interface": {"x": 1}},
            "commands/c.md": "---\ndescription: C\n---\nDo $1 of $ARGUMENTS",
            "skills/notes/SKILL.md": SKILL,
            "hooks/hooks.json": HOOKS,
            ".mcp.json": {"mcpServers": {"s": {"command": "s"}}},
        },
    )
    assert plugin.harness == "codex"
    assert [each.name for each in plugin.skills] == ["notes"]
    assert [len(each.prompt.parts) for each in plugin.commands] == [4]
    assert [(each.name, each.matcher, each.dialect) for each in plugin.hooks] == [("PreToolUse", "Bash", "codex")]
    assert [each.name for each in plugin.servers] == ["s"]
    assert [(each.sort, each.name) for each in plugin.rest] == [("app", "a"), ("manifest field", "interface")]


def test_a_plugin_of_cursor(tmp_path: Path) -> None:
    plugin = read(
        tmp_path,
        {
            ".cursor-plugin/plugin.json": {
                "name": "demo",
                "variables": {"KEY": {"description": "k", "sensitive": True}},
            },
            "commands/c.md": "Do it",
            "rules/r.mdc": "---\nalwaysApply: true\n---\nBe kind.\n",
            "hooks/hooks.json": {"version": 1, "hooks": {"beforeShellExecution": [{"command": "x"}]}},
            "mcp.json": {"mcpServers": {"s": {"command": "s"}}},
        },
    )
    assert [(each.name, each.sensitive, each.line() > 1) for each in plugin.settings] == [("KEY", True, True)]
    assert [each.path for each in plugin.contexts] == ["rules/r.mdc"]
    assert [(each.name, each.dialect, each.command) for each in plugin.hooks] == [
        ("beforeShellExecution", "cursor", "x")
    ]


def test_an_agent_plugin_with_what_it_says_to_single_clients(tmp_path: Path) -> None:
    schema = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    manifest = {"$schema": schema, "name": "demo", "version": "1.0.0", "extensions": {"com.example": {"a": 1}}}
    server = {"type": "stdio", "command": "s", "args": ["${PLUGIN_ROOT}"]}
    mcp = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
    plugin = read(
        tmp_path,
        {
            "plugin.json": manifest,
            "skills/notes/SKILL.md": SKILL,
            "mcp.json": {"$schema": mcp, "mcpServers": {"s": server}},
            "dev.openhands/agents/reader.md": AGENT,
        },
    )
    assert plugin.harness == "agent-plugins"
    assert [each.name for each in plugin.skills] == ["notes"]
    assert [each.name for each in plugin.agents] == ["reader"]
    assert [(each.sort, each.name) for each in plugin.rest] == [("namespace", "com.example")]
    (argument,) = plugin.servers[0].fields["args"]
    assert text_with_variables(argument, plugin.harness).parts == (PromptVariable("root", "${PLUGIN_ROOT}"),)


def test_a_plugin_of_antigravity(tmp_path: Path) -> None:
    plugin = read(
        tmp_path,
        {
            "plugin.json": {"name": "demo", "disabled": True},
            "mcp_config.json": {"mcpServers": {"s": {"serverUrl": "https://e.org"}}},
            "skills/notes/SKILL.md": SKILL,
        },
        "antigravity-plugin",
    )
    assert [each.fields for each in plugin.servers] == [{"serverUrl": "https://e.org"}]
    assert [(each.sort, each.name) for each in plugin.rest] == [("manifest field", "disabled")]


@pytest.mark.parametrize("names", [("SKILL.md", "a.txt"), ("notes/SKILL.md", "more/SKILL.md")])
def test_bare_skills(tmp_path: Path, names: tuple[str, ...]) -> None:
    plugin = read(tmp_path, dict.fromkeys(names, SKILL))
    assert {each.description for each in plugin.skills} == {"Notes"}
    assert plugin.files
