"""A package as an Agent Plugin: what the standard's own strict reader takes, and the rest where pisces finds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.converting.convert import Converted, ConvertRequest, convert
from pisces.converting.reading import ReadPlugin, read_plugin
from tests.converting.test_codex_writer import json_of, losses, text_of
from tests.converting.test_convert import places_of, put
from tests.converting.test_origin import written_to

HOOKS = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "guard"}]}]}}


def made_of(tmp_path: Path, files: dict[str, str], name: str = "demo") -> Converted:
    manifest = json.dumps({"name": name, "version": "1.0.0", "displayName": "Demo", "author": {"name": "Me", "x": 1}})
    source = put(tmp_path / "plugin", {".claude-plugin/plugin.json": manifest, **files})
    return convert(ConvertRequest(str(source), "agent-plugin"), places_of(tmp_path))


def read_back(tmp_path: Path, made: Converted) -> ReadPlugin:
    return read_plugin(str(written_to(tmp_path / "out", made)), places_of(tmp_path), "agent-plugin")


def test_the_manifest_has_only_fields_of_the_standard(tmp_path: Path) -> None:
    made = made_of(tmp_path, {}, "My_Plugin")
    manifest = json_of(made, "plugin.json")
    assert manifest == {
        "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
        "name": "my-plugin",
        "version": "1.0.0",
        "author": {"name": "Me"},
    }
    assert not read_back(tmp_path, made).diagnostics


def test_a_skill_has_a_clean_header_and_every_field_that_goes_is_named(tmp_path: Path) -> None:
    page = "---\nname: Big Notes\ndescription: Notes\nmodel: opus\nlicense: MIT\nmetadata:\n  a: b\n  n: 1\n---\nHi\n"
    made = made_of(tmp_path, {"skills/notes/SKILL.md": page})
    assert text_of(made, "skills/notes/SKILL.md").startswith("---\nname: notes\ndescription: Notes\nlicense: MIT\n")
    assert {"model", "metadata"} <= {each.field for each in losses(made, "skill `notes`")}
    back = read_back(tmp_path, made)
    assert [each.name for each in back.plugin.skills] == ["notes"]
    assert not back.diagnostics


def test_a_header_that_only_a_forgiving_reader_takes_is_written_anew(tmp_path: Path) -> None:
    page = "---\nname: notes\ndescription: Use when: writing\n---\nWrite.\n"
    made = made_of(tmp_path, {"skills/notes/SKILL.md": page})
    assert 'description: "Use when: writing"' in text_of(made, "skills/notes/SKILL.md")
    assert not read_back(tmp_path, made).diagnostics


def test_a_clean_skill_is_copied_byte_for_byte(tmp_path: Path) -> None:
    made = made_of(tmp_path, {"skills/notes/SKILL.md": "---\nname: notes\ndescription: Notes\n---\nWrite.\n"})
    copied = next(each for each in made.files if each.path == "skills/notes/SKILL.md")
    assert (copied.data, copied.source) == (None, "skills/notes/SKILL.md")


def test_a_skill_that_codex_would_cut_is_named(tmp_path: Path) -> None:
    page = f"---\nname: long\ndescription: Long\n---\n{'x' * 8000}\n"
    found = losses(made_of(tmp_path, {"skills/long/SKILL.md": page}), "skill `long`")
    assert any("8,000 bytes" in each.why for each in found)


def test_commands_subagents_and_hooks_are_in_our_own_namespace(tmp_path: Path) -> None:
    files = {
        "commands/git/commit.md": "---\ndescription: Commits\n---\nCommit $ARGUMENTS\n",
        "agents/reader.md": "---\nname: reader\ndescription: Reads\ntools: Read\n---\nRead.\n",
        "hooks/hooks.json": json.dumps(HOOKS),
    }
    made = made_of(tmp_path, files)
    back = read_back(tmp_path, made).plugin
    assert [each.name.removeprefix("demo:") for each in back.commands] == ["git:commit"]
    assert [each.name for each in back.agents] == ["reader"]
    assert [(each.name, each.command) for each in back.hooks] == [("PreToolUse", "guard")]
    assert [each.code for each in losses(made, "hook `PreToolUse`")] == ["lost-guard"]
    assert [each.code for each in losses(made, "command `git:commit`")] == ["lost-component"]


def servers_of(tmp_path: Path, **servers: Any) -> Converted:
    return made_of(tmp_path, {".mcp.json": json.dumps({"mcpServers": servers})})


def test_servers_have_a_type_and_pass_the_strict_reader(tmp_path: Path) -> None:
    made = servers_of(
        tmp_path,
        local={"command": "npx", "args": ["-y", "x"], "note": "n"},
        remote={"type": "http", "url": "https://example.com/mcp", "headers": {"A": "b"}},
        events={"type": "sse", "url": "https://example.com/sse"},
    )
    types = {name: each["type"] for name, each in json_of(made, "mcp.json")["mcpServers"].items()}
    assert types == {"local": "stdio", "remote": "streamable-http", "events": "sse"}
    assert [each.field for each in losses(made, "server `local`")] == ["note"]
    assert not read_back(tmp_path, made).diagnostics


@pytest.mark.parametrize(
    "server", [{"type": "ws", "url": "wss://example.com"}, {"type": "http", "url": "http://example.com/mcp"}]
)
def test_a_server_that_the_standard_refuses_is_an_error(server: dict[str, str], tmp_path: Path) -> None:
    made = servers_of(tmp_path, s=server)
    assert [each.code for each in losses(made, "server `s`")] == ["lost-server"]
    assert "mcp.json" not in {each.path for each in made.files}


def test_a_guard_of_another_protocol_is_lost_and_gets_no_program(tmp_path: Path) -> None:
    """Who reads the namespace does not know where the package is, so that a program beside it would not be found."""
    hooks = {"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "guard"}]}]}}
    files = {"gemini-extension.json": '{"name": "g", "version": "1.0.0"}', "hooks/hooks.json": json.dumps(hooks)}
    made = convert(ConvertRequest(str(put(tmp_path / "plugin", files)), "agent-plugin"), places_of(tmp_path))
    assert [each.code for each in losses(made, "hook `BeforeTool`")] == ["lost-guard"]
    assert not [each.path for each in made.files if "compat" in each.path]
