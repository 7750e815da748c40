"""Nothing of a plugin is lost in silence, whatever the target: files, names that clash, entries that stand twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.converting.convert import Converted, ConvertRequest, convert
from pisces.converting.fate import DROPPED, WIDENED
from pisces.converting.writer import WriteOptions, all_writers
from tests.converting.test_convert import places_of, put

OTHERS = tuple(each.id for each in all_writers() if each.id != "claude")
MANIFEST = ".claude-plugin/plugin.json"


def made(tmp_path: Path, target: str, files: dict[str, str], manifest: dict[str, Any] | None = None) -> Converted:
    about = {"name": "demo", "version": "1.0.0", "description": "A demo", **(manifest or {})}
    source = put(tmp_path / "plugin", {MANIFEST: json.dumps(about), **files})
    return convert(ConvertRequest(str(source), target), places_of(tmp_path))


def widened(tmp_path: Path, target: str, agent: str) -> Converted:
    source = put(tmp_path / "plugin", {MANIFEST: '{"name": "demo"}', "agents/a.md": agent})
    return convert(ConvertRequest(str(source), target, None, WriteOptions(widen=True)), places_of(tmp_path))


@pytest.mark.parametrize("target", OTHERS)
def test_every_file_is_in_the_output_or_in_the_report(target: str, tmp_path: Path) -> None:
    files = dict.fromkeys(
        (
            *(".github/ci.yml", ".env.example", ".hidden/a/b.txt", "agents/schemas/a.json", "agents/notes.txt"),
            *("GEMINI.md", "commands/a.toml", "rules/x.mdc", "node_modules/x/index.js", "policies/p.txt", "data/x.txt"),
            *("skills/s/data.txt", "skills/nobody/data.txt"),
        ),
        "x",
    )
    texts = {
        "skills/s/SKILL.md": "---\nname: s\ndescription: S\n---\nx",
        "skills/nobody/SKILL.md": (
            "---\nname: nobody\ndescription: S\nuser-invocable: false\ndisable-model-invocation: true\n---\nx"
        ),
    }
    put(tmp_path / "plugin", {"data/y.txt": "y"})
    (tmp_path / "plugin" / "AGENTS.md").symlink_to("nowhere.md")
    converted = made(tmp_path, target, {**files, **texts})
    copied = {each.source for each in converted.files if each.data is None}
    named = {each.path for each in converted.fates}
    folders = tuple(f"{each.path}/" for each in converted.fates if each.subject.startswith("folder "))
    folders += tuple(f"{Path(each.path).parent}/" for each in converted.fates if each.subject == "skill `nobody`")
    missing = [each for each in (*files, "AGENTS.md") if each not in copied | named and not each.startswith(folders)]
    assert missing == []
    assert "left-file" in {each.code for each in converted.fates}


def test_data_beside_subagents_come_along(tmp_path: Path) -> None:
    converted = made(tmp_path, "gemini", {"agents/schemas/a.json": "{}", "agents/b.md": "B"})
    assert "agents/schemas/a.json" in {each.path for each in converted.files}


@pytest.mark.parametrize("target", OTHERS)
def test_of_commands_whose_names_clash_each_has_a_file_of_its_own(target: str, tmp_path: Path) -> None:
    converted = made(tmp_path, target, {"commands/a/b.md": "1", "commands/a-b.md": "2", "commands/A-B.md": "3"})
    outputs = [each.output for each in converted.fates if each.subject.startswith("command ") and each.output]
    assert len({each.casefold() for each in outputs}) == 3
    assert {each.path for each in converted.files} >= set(outputs)


@pytest.mark.parametrize("target", OTHERS)
def test_what_is_meant_for_others_is_left_out_and_said(target: str, tmp_path: Path) -> None:
    header = "---\ndescription: D\ntargets: [claude]\n---\nx"
    converted = made(tmp_path, target, {"commands/c.md": header, "agents/a.md": header, "commands/d.md": "d"})
    lost = {each.subject for each in converted.fates if each.kind == DROPPED and not each.field}
    assert {"command `c`", "agent `a`"} <= lost
    assert not [each for each in converted.files if each.source in ("commands/c.md", "agents/a.md")]


@pytest.mark.parametrize("target", [each for each in OTHERS if each not in ("agent-plugin", "codex")])
def test_a_subagent_that_is_widened_on_request_is_said_to_be(target: str, tmp_path: Path) -> None:
    converted = widened(tmp_path, target, "---\nname: a\ndescription: A\ntools: LSP\n---\nx")
    assert [each.kind for each in converted.fates if each.code == "widened-tools"] == [WIDENED]


@pytest.mark.parametrize("target", OTHERS)
def test_of_servers_with_one_name_the_one_that_claude_code_has_is_written(target: str, tmp_path: Path) -> None:
    usual, named = ({"mcpServers": {"docs": {"command": each}}} for each in ("usual", "named"))
    converted = made(tmp_path, target, {".mcp.json": json.dumps(usual)}, named)
    texts = b"".join(each.data or b"" for each in converted.files if not each.path.startswith(".pisces"))
    assert b"named" in texts
    assert b"usual" not in texts
    assert [each.path for each in converted.fates if each.code == "never-loaded"] == [".mcp.json"]


@pytest.mark.parametrize("target", ["codex", "copilot", "cursor", "gemini"])
def test_a_hook_that_stands_twice_has_two_fates(target: str, tmp_path: Path) -> None:
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}
    converted = made(tmp_path, target, {"hooks/hooks.json": json.dumps({"hooks": hooks})}, {"hooks": hooks})
    places = {each.path for each in converted.fates if each.subject == "hook `Stop`" and each.output}
    assert places == {"hooks/hooks.json", MANIFEST}


@pytest.mark.parametrize("target", OTHERS)
def test_a_skill_that_loses_the_name_of_its_header_says_so(target: str, tmp_path: Path) -> None:
    converted = made(tmp_path, target, {"skills/plain/SKILL.md": "---\nname: Nice Name\ndescription: S\n---\nx"})
    assert [each.field for each in converted.fates if each.subject == "skill `plain`" and each.field] == ["name"]


def test_what_cursor_cannot_say_of_an_author_and_a_setting_is_reported(tmp_path: Path) -> None:
    about = {
        "author": {"name": "Ada", "url": "https://ada.example"},
        "homepage": "no address",
        "userConfig": {"KEY": {"type": "directory", "title": "Key", "description": "D"}},
    }
    converted = made(tmp_path, "cursor", {}, about)
    assert {"author.url", "homepage", "type", "title"} <= {each.field for each in converted.fates}


def test_what_opencode_has_no_manifest_for_is_reported(tmp_path: Path) -> None:
    assert {"version", "description"} <= {each.field for each in made(tmp_path, "opencode", {}).fates}


@pytest.mark.parametrize("target", ["codex", "copilot", "cursor", "gemini", "opencode"])
def test_what_stands_around_a_hook_and_a_limit_that_nobody_means_are_reported(target: str, tmp_path: Path) -> None:
    handler = {"type": "command", "command": "x", "timeout": 10000, "priority": 1}
    groups = [{"matcher": "Bash", "description": "Mine", "hooks": [handler]}]
    converted = made(tmp_path, target, {"hooks/hooks.json": json.dumps({"hooks": {"PreToolUse": groups}})})
    assert {"group.description", "timeout", "priority"} <= {each.field for each in converted.fates}


def test_each_guard_says_that_it_needs_node_on_windows(tmp_path: Path) -> None:
    hooks = {each: [{"hooks": [{"type": "command", "command": "x"}]}] for each in ("PreToolUse", "Stop")}
    converted = made(tmp_path, "gemini", {"hooks/hooks.json": json.dumps({"hooks": hooks})})
    assert [each.subject for each in converted.fates if "Windows" in each.why] == ["hook `PreToolUse`"]
