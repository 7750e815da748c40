"""What keeps Gemini CLI from installing an extension, and what it makes of odd places and names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.discovery.inventory import inventory
from pisces.discovery.package_format import format_named
from pisces.places import Places
from pisces.ui.inspection import inspection


def inspected(folder: Path, **manifest: Any) -> dict[str, Any]:
    folder.mkdir(exist_ok=True)
    text = json.dumps({"name": "ok", "version": "1.0.0", **manifest})
    (folder / "gemini-extension.json").write_text(text, encoding="utf-8")
    places = Places(str(folder / "home"), str(folder / "work"), {})
    return inspection(inventory(str(folder), format_named("gemini"), places), ["gemini"])


def written(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "manifest",
    [
        {"mcpServers": {"a": None}},
        {"mcpServers": [None]},
        {"mcpServers": {"a": {"args": "x"}}},
        {"mcpServers": {"a": {"includeTools": "x"}}},
        {"mcpServers": {"a": {"excludeTools": {"length": 1}}}},
        {"mcpServers": {"a": {"cwd": {"toString": 1}}}},
        {"mcpServers": {"a": {"env": {"PLAIN": {"toString": 1}}}}},
        {"settings": {}},
        {"settings": [None]},
        {"settings": [{"name": {"toString": 1}}]},
        {"contextFileName": [{"toString": 1}]},
        {"plan": {"directory": {"toString": 1}}},
        {"name": "a" * 256},
        {"name": ["ok"]},
    ],
)
def test_a_type_that_javascript_stumbles_over_breaks_the_installation(tmp_path: Path, manifest: dict[str, Any]) -> None:
    told = inspected(tmp_path / "extension", **manifest)
    assert told["installs"] is False
    assert {each["code"] for each in told["diagnostics"]} == {"manifest-breaks-install"}


@pytest.mark.parametrize(
    "manifest",
    [
        {"mcpServers": {"a": {"args": "x", "httpUrl": "y"}}},
        {"mcpServers": {"a": {"includeTools": {"length": 0}}}},
        {"mcpServers": {"a": {"env": {"API_KEY": {"toString": 1}}}}},  # shown as stars
        {"settings": "x"},
        {"name": "a" * 255},
    ],
)
def test_odd_types_that_are_never_looked_at_do_not(tmp_path: Path, manifest: dict[str, Any]) -> None:
    assert inspected(tmp_path / "extension", **manifest)["installs"] is True


def test_a_name_that_every_object_knows_cannot_be_enabled_but_is_there(tmp_path: Path) -> None:
    written(tmp_path / "extension" / "commands" / "go.toml", 'prompt = "x"')
    told = inspected(tmp_path / "extension", name="constructor")
    assert told["installs"] is False
    assert [each["code"] for each in told["diagnostics"]] == ["manifest-name-taken"]
    assert [each["name"] for each in told["commands"]] == ["go"]


def test_servers_in_a_list_are_no_servers(tmp_path: Path) -> None:
    told = inspected(tmp_path / "extension", mcpServers=[{"command": "x"}])
    assert (told["installs"], told["mcp_servers"]) == (True, [])
    assert [each["code"] for each in told["diagnostics"]] == ["mcp-servers-shape"]


def test_commands_are_found_in_every_folder(tmp_path: Path) -> None:
    for name in (".git/a", "node_modules/b", "🎉"):
        written(tmp_path / "extension" / "commands" / f"{name}.toml", 'prompt = "x"')
    told = inspected(tmp_path / "extension")
    assert sorted(each["name"] for each in told["commands"]) == [".git:a", "__", "node_modules:b"]


def test_skills_that_nobody_looks_at_are_rejected_wherever_they_are(tmp_path: Path) -> None:
    skill = "---\nname: a\ndescription: b\n---\n"
    for place in ("one", "node_modules", ".hidden", "deep/er"):
        written(tmp_path / "extension" / "skills" / place / "SKILL.md", skill)
    (tmp_path / "extension" / "skills" / "deep" / "same").symlink_to(tmp_path / "extension" / "skills" / "one")
    (tmp_path / "extension" / "skills" / "gone").mkdir()
    (tmp_path / "extension" / "skills" / "gone" / "SKILL.md").symlink_to("nowhere")
    told = inspected(tmp_path / "extension")
    assert [each["file"] for each in told["skills"]] == ["skills/one/SKILL.md"]
    rejected = ["skills/.hidden/SKILL.md", "skills/deep/er/SKILL.md", "skills/node_modules/SKILL.md"]
    assert sorted(told["rejected_skills"]) == rejected


def test_a_file_in_the_place_of_the_agents_folder_is_rejected(tmp_path: Path) -> None:
    written(tmp_path / "extension" / "agents", "x")
    assert inspected(tmp_path / "extension")["rejected_subagents"] == ["agents"]


def test_words_that_every_object_knows_pass_for_tools(tmp_path: Path) -> None:
    header = "---\nname: a\ndescription: b\ntools: [toString]\n---\n"
    written(tmp_path / "extension" / "agents" / "a.md", header)
    assert [each["name"] for each in inspected(tmp_path / "extension")["subagents"]] == ["a"]
