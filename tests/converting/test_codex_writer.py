"""A package for Codex: every command arrives as a skill, servers start, hooks are those that Codex loads."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pisces.converting.convert import Converted, ConvertRequest, convert
from pisces.converting.fate import Fate
from pisces.converting.plugin import Plugin, PluginCommand, PluginSkill
from pisces.converting.prompt_text import plain
from pisces.converting.writer import WriteOptions
from pisces.harnesses.codex.writing import WRITER
from tests.converting.test_convert import places_of, put

MANIFEST = '{"name": "demo", "version": "1.0.0", "author": {"name": "Me", "email": "me@example.com"}, "repository": "https://e.org/r"}'

PLAIN = '{"name": "demo", "version": "1.0.0"}'  # Claude Code refuses the other one, and so runs no hook of it


def codex_of(tmp_path: Path, files: dict[str, str]) -> Converted:
    source = put(tmp_path / "plugin", {".claude-plugin/plugin.json": MANIFEST, **files})
    return convert(ConvertRequest(str(source), "codex"), places_of(tmp_path))


def text_of(made: Converted, path: str) -> str:
    return next(each.data or b"" for each in made.files if each.path == path).decode()


def json_of(made: Converted, path: str) -> Any:
    return json.loads(text_of(made, path))


def losses(made: Converted, subject: str) -> list[Fate]:
    return [each for each in made.fates if each.is_loss and each.subject == subject]


def test_the_manifest_has_the_metadata_in_the_shape_of_codex(tmp_path: Path) -> None:
    manifest = json_of(codex_of(tmp_path, {}), ".codex-plugin/plugin.json")
    assert manifest["author"] == {"name": "Me", "email": "me@example.com"}
    assert manifest["repository"] == "https://e.org/r"
    assert (manifest["name"], manifest["version"]) == ("demo", "1.0.0")


@pytest.mark.parametrize(
    "body",
    ["Do it.", "Fix $ARGUMENTS", "Fix $1 and $2", "Status: !`git status`", "See @README.md", "x" * 9000, "{{x}}"],
)
def test_every_command_arrives_as_a_skill(body: str, tmp_path: Path) -> None:
    made = codex_of(tmp_path, {"commands/git/fix.md": body, "skills/git-fix/SKILL.md": "---\ndescription: a\n---\nb\n"})
    names = {each.path for each in made.files}
    assert {"skills/git-fix/SKILL.md", "skills/git-fix-2/SKILL.md"} <= names
    assert not any(name.startswith("commands/") for name in names)
    text = text_of(made, "skills/git-fix-2/SKILL.md")
    assert text.startswith("---\nname: git-fix-2\ndescription: ")
    assert "$ARGUMENTS" not in text.partition("\n---\n")[2]


def test_what_only_the_user_may_start_says_so(tmp_path: Path) -> None:
    page = "---\nname: deploy\ndescription: d\ndisable-model-invocation: true\n---\nDeploy.\n"
    made = codex_of(tmp_path, {"skills/deploy/SKILL.md": page})
    assert "allow_implicit_invocation: false" in text_of(made, "skills/deploy/agents/openai.yaml")


def test_a_skill_names_files_of_the_plugin_from_its_own_folder(tmp_path: Path) -> None:
    page = "---\nname: run\ndescription: d\n---\nRun ${CLAUDE_PLUGIN_ROOT}/scripts/x.py\n"
    made = codex_of(tmp_path, {"skills/run/SKILL.md": page, "scripts/x.py": "1"})
    assert "Run ../../scripts/x.py" in text_of(made, "skills/run/SKILL.md")
    assert "scripts/x.py" in {each.path for each in made.files}


def test_subagents_are_written_beside_the_plugin_with_what_to_do(tmp_path: Path) -> None:
    page = "---\nname: reader\ndescription: Reads\ntools: Read, Grep\ncolor: red\nmodel: opus\n---\nRead on.\n"
    made = codex_of(tmp_path, {"agents/reader.md": page})
    agent = tomllib.loads(text_of(made, "agents/reader.toml"))
    assert agent["sandbox_mode"] == "read-only"
    assert agent["developer_instructions"] == "Read on."
    found = losses(made, "agent `reader`")
    assert {each.field for each in found} == {"", "tools", "color", "model"}
    assert any("~/.codex/agents" in each.fix for each in found)


def test_a_subagent_whose_limit_cannot_be_said_is_not_written(tmp_path: Path) -> None:
    made = codex_of(tmp_path, {"agents/writer.md": "---\nname: writer\ndescription: d\ntools: Read, Write\n---\nW\n"})
    assert "agents/writer.toml" not in {each.path for each in made.files}
    assert [each.code for each in losses(made, "agent `writer`")] == ["lost-agent"]


def server_of(tmp_path: Path, entry: dict[str, Any]) -> tuple[Any, list[Fate]]:
    made = codex_of(tmp_path, {".mcp.json": json.dumps({"mcpServers": {"s": entry}})})
    written = [each for each in made.files if each.path == ".mcp.json"]
    return (json_of(made, ".mcp.json")["mcpServers"]["s"] if written else None), losses(made, "server `s`")


def test_a_server_of_the_plugin_starts_in_its_folder(tmp_path: Path) -> None:
    server, found = server_of(tmp_path, {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/s.js"]})
    assert server == {"command": "node", "args": ["./s.js"], "cwd": "."}
    assert [each.code for each in found] == ["changed-meaning"]


def test_headers_of_a_server_are_spelled_as_codex_reads_them(tmp_path: Path) -> None:
    server, _ = server_of(tmp_path, {"type": "http", "url": "https://e.org/mcp", "headers": {"A": "b"}})
    assert server == {"type": "http", "url": "https://e.org/mcp", "http_headers": {"A": "b"}}


def test_a_transport_that_codex_lacks_is_an_error(tmp_path: Path) -> None:
    server, found = server_of(tmp_path, {"type": "sse", "url": "https://e.org/sse"})
    assert server is None
    assert [(each.code, each.severity) for each in found] == [("lost-server", "error")]


def hook_of(
    tmp_path: Path, handler: dict[str, Any], event: str = "PreToolUse", matcher: str = "Bash"
) -> tuple[list[Any], list[Fate]]:
    hooks = {"hooks": {event: [{"matcher": matcher, "hooks": [handler]}]}}
    made = codex_of(tmp_path, {".claude-plugin/plugin.json": PLAIN, "hooks/hooks.json": json.dumps(hooks)})
    written = [each for each in made.files if each.path == "hooks/hooks.json"]
    groups = json_of(made, "hooks/hooks.json")["hooks"][event] if written else []
    return groups, losses(made, f"hook `{event}`")


COMMAND = {"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/guard.sh", "timeout": 1.5}


def test_a_guard_is_written_with_what_codex_knows(tmp_path: Path) -> None:
    groups, found = hook_of(tmp_path, {**COMMAND, "if": "Bash(git:*)", "once": True})
    (handler,) = groups[0]["hooks"]
    assert groups[0]["matcher"] == "Bash"
    assert handler["command"] == 'sh "${PLUGIN_ROOT}/hooks/claude-compat/run.sh" 1 guard || exit 2'
    assert handler["commandWindows"].endswith('run.cmd" 1 guard')
    assert handler["timeout"] == 7  # a second and a half, and time to start
    assert {each.field for each in found} == {"", "once"}


@pytest.mark.parametrize("kind", ["prompt", "agent"])
def test_a_guard_of_a_type_that_codex_does_not_run_is_an_error(kind: str, tmp_path: Path) -> None:
    handler = {"type": kind, "prompt": "May it?", "url": "https://e.org/hook"}
    groups, found = hook_of(tmp_path, handler)
    assert not groups
    assert [each.code for each in found] == ["lost-guard"]


def test_a_hook_that_claude_never_runs_is_reported_and_not_revived(tmp_path: Path) -> None:
    groups, found = hook_of(tmp_path, COMMAND, matcher='tool == "Bash" && true')
    assert not groups
    assert [each.code for each in found] == ["never-loaded"]


def test_an_event_that_codex_lacks_is_reported(tmp_path: Path) -> None:
    groups, found = hook_of(tmp_path, COMMAND, "Notification", "*")
    assert not groups
    assert [each.code for each in found] == ["lost-hook"]


@pytest.mark.parametrize(
    ("matcher", "written"),
    [
        ("Write, Bash", "Bash|apply_patch"),
        ("Edit|MultiEdit", "apply_patch|Bash"),
        ("mcp__my-server__go", "^(?:mcp__.*)$"),
        ("mcp__.*", "^(?:mcp__.*)$"),
        (".*", "^(?:"),
        ("*", None),
    ],
)
def test_a_matcher_names_tools_as_hooks_of_codex_see_them(matcher: str, written: str | None, tmp_path: Path) -> None:
    groups, _ = hook_of(tmp_path, COMMAND, matcher=matcher)
    found = groups[0].get("matcher")
    assert (found is None) if written is None else found.startswith(written)


def test_a_guard_about_tools_that_codex_lacks_is_an_error(tmp_path: Path) -> None:
    groups, found = hook_of(tmp_path, COMMAND, matcher="Read|Grep")
    assert not groups
    assert [each.code for each in found] == ["lost-guard"]


def test_a_guard_about_files_holds_and_one_about_reading_is_an_error(tmp_path: Path) -> None:
    groups, found = hook_of(tmp_path, COMMAND, matcher="Write|Read")
    assert groups
    assert [each.why for each in found if each.code == "lost-guard"] == ["Codex asks no hook about a tool like `Read`"]
    _, found = hook_of(tmp_path, COMMAND, matcher="Write")
    assert "lost-guard" not in [each.code for each in found]


@pytest.mark.parametrize("matcher", ["WebSearch", "Read", "WebFetch|Glob"])
def test_a_guard_about_what_codex_shows_to_no_hook_is_an_error(matcher: str, tmp_path: Path) -> None:
    groups, found = hook_of(tmp_path, COMMAND, matcher=matcher)
    assert not groups
    assert {each.code for each in found} == {"lost-guard"}


def test_the_program_has_the_hook_as_it_was(tmp_path: Path) -> None:
    handler = {"type": "command", "command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/a b.js", 'say "x"', "--v"]}
    hooks = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [handler, handler]}]}}
    made = codex_of(tmp_path, {".claude-plugin/plugin.json": PLAIN, "hooks/hooks.json": json.dumps(hooks)})
    table = json_of(made, "hooks/claude-compat/hooks.json")
    assert [each["hook"] for each in table["hooks"].values()] == [handler]  # Claude Code runs one command once
    names = {each.path.rpartition("/")[2] for each in made.files if each.path.startswith("hooks/claude-compat/")}
    assert names == {"calls.mjs", "hooks.json", "protocol.mjs", "run.cmd", "run.mjs", "run.sh", "words.mjs"}


def test_a_hook_that_calls_a_server_is_run_by_codex_itself(tmp_path: Path) -> None:
    handler = {"type": "mcp_tool", "server": "s", "tool": "t", "onFailure": "block"}
    groups, found = hook_of(tmp_path, handler)
    assert groups == [{"matcher": "Bash", "hooks": [{"type": "mcp_tool", "server": "s", "tool": "t"}]}]
    assert "lost-guard" in [each.code for each in found]


def test_texts_name_skills_and_commands_as_codex_users_do() -> None:
    text = "Run `/demo:git:commit`, /demo:notes or `/git:commit`; not /other:notes.\n```\n/demo:notes\n```\n"
    commit = PluginCommand("git:commit", "commands/git/commit.md", {}, {}, "Like /demo:notes", "", plain(text))
    notes = PluginSkill("notes", "skills/notes/SKILL.md", {"name": "notes", "description": "n"}, {}, "n", plain(text))
    plugin = Plugin("demo", "1.0.0", "", "claude", "claude-plugin", commands=(commit,), skills=(notes,))
    pages = {each.path: (each.data or b"").decode() for each in WRITER.write(plugin, WriteOptions()).files}
    wanted = "Run `$demo:git-commit`, $demo:notes or `$demo:git-commit`; not /other:notes.\n```\n/demo:notes\n```\n"
    assert wanted in pages["skills/notes/SKILL.md"]
    assert wanted in pages["skills/git-commit/SKILL.md"]
    assert "Like $demo:notes" in pages["skills/git-commit/SKILL.md"]
