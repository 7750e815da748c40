"""What one program says in words of its own keeps its meaning in another: limits, secrets, headers, arguments."""

from __future__ import annotations

import json
from pathlib import Path

from pisces.converting.convert import Converted, ConvertRequest, convert
from tests.converting.test_convert import places_of, put


def made(tmp_path: Path, target: str, files: dict[str, str]) -> Converted:
    return convert(ConvertRequest(str(put(tmp_path / "package", files)), target), places_of(tmp_path))


def text(converted: Converted, path: str) -> str:
    found = next(each for each in converted.files if each.path == path)
    assert found.data is not None
    return found.data.decode()


def test_a_readonly_subagent_of_cursor_may_change_nothing_elsewhere(tmp_path: Path) -> None:
    agent = "---\nname: reader\ndescription: Reads\nreadonly: true\n---\nRead.\n"
    files = {".cursor-plugin/plugin.json": '{"name": "demo"}', "agents/reader.md": agent}
    page = text(made(tmp_path, "claude", files), "agents/reader.md")
    assert all(tool in page for tool in ("disallowedTools", "Write", "Edit", "Bash"))


def test_headers_and_variables_of_a_server_of_codex_arrive(tmp_path: Path) -> None:
    server = {"url": "https://a.example", "http_headers": {"A": "b"}, "bearer_token_env_var": "TOKEN"}
    program = {"command": "x", "env_vars": ["KEY"]}
    entries = json.dumps({"mcpServers": {"web": server, "own": program}})
    files = {".codex-plugin/plugin.json": '{"name": "demo", "mcpServers": "./.mcp.json"}', ".mcp.json": entries}
    found = json.loads(text(made(tmp_path, "claude", files), ".mcp.json"))["mcpServers"]
    assert found["web"]["headers"] == {"A": "b", "Authorization": "Bearer ${TOKEN}"}
    assert found["own"]["env"] == {"KEY": "${KEY}"}


def test_arguments_of_a_command_of_copilot_arrive(tmp_path: Path) -> None:
    files = {
        ".plugin/plugin.json": '{"name": "demo"}',
        "commands/go.md": "---\ndescription: Goes\n---\nGo $ARGUMENTS\n",
    }
    assert "{{args}}" in text(made(tmp_path, "gemini", files), "commands/demo/go.toml")


def test_a_secret_stays_one_and_servers_name_it_as_the_manifest_does(tmp_path: Path) -> None:
    asked = {"key": {"type": "string", "title": "Key", "description": "d", "sensitive": True}}
    files = {
        ".claude-plugin/plugin.json": json.dumps({"name": "demo", "userConfig": asked}),
        ".mcp.json": json.dumps({"own": {"command": "x", "args": ["${user_config.key}"]}}),
    }
    converted = made(tmp_path, "cursor", files)
    variables = json.loads(text(converted, ".cursor-plugin/plugin.json"))["variables"]
    (name, entry), *_ = variables.items()
    assert entry["secret"] is True
    assert json.loads(text(converted, "mcp.json"))["mcpServers"]["own"]["args"] == [f"${{{name}}}"]


def test_a_group_with_a_denied_tool_is_not_given(tmp_path: Path) -> None:
    agent = "---\nname: a\ndescription: A\ntools: Read, Write\ndisallowedTools: Edit\n---\nx\n"
    files = {".claude-plugin/plugin.json": '{"name": "demo"}', "agents/a.md": agent}
    converted = made(tmp_path, "copilot", files)
    assert "edit" not in text(converted, "agents/a.agent.md")
    assert [each.code for each in converted.fates if each.field == "tools" and each.is_loss] == ["lost-tool"]


def test_a_description_that_is_cut_is_said_to_be(tmp_path: Path) -> None:
    command = f"---\ndescription: {'long ' * 400}\n---\nGo\n"
    files = {".claude-plugin/plugin.json": '{"name": "demo"}', "commands/go.md": command}
    for target in ("codex", "antigravity"):
        assert "description" in {each.field for each in made(tmp_path, target, files).fates}


def test_text_that_the_target_would_fill_in_is_reported(tmp_path: Path) -> None:
    skill = "---\nname: prices\ndescription: P\n---\nIt costs $1.\n"
    files = {
        "plugin.json": '{"$schema": "https://agent-plugins.org/x", "name": "demo"}',
        "skills/prices/SKILL.md": skill,
    }
    converted = made(tmp_path, "copilot", files)
    assert any("`$1` is plain text" in each.why for each in converted.fates)
