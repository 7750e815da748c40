"""Which formats a folder fits, and what a package of each format brings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from pisces.discovery.harness import Run, Where
from pisces.discovery.package_format import components, format_named, formats_of
from pisces.places import Places

SKILL = "---\nname: {name}\ndescription: Does it\n---\n"


def _put(folder: Path, files: Mapping[str, str | object]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text if isinstance(text, str) else json.dumps(text, indent=1), encoding="utf-8")
    return folder


def _inside(folder: Path, package_format: str, capability: str) -> tuple[list[str], list[str]]:
    """Names of what a package brings, and the codes of what is wrong with it."""
    places = Places(str(folder.parent / "home"), str(folder.parent))
    package = format_named(package_format).read(str(folder), places).package
    assert package is not None
    found = list(components(package, Where(places, Run(), capability, "test", "Test")))
    names = [getattr(each.item, "final_name", None) or each.item.name for each in found if hasattr(each, "item")]
    return names, [each.code for each in found if hasattr(each, "code")]


@pytest.mark.parametrize(
    ("file", "formats"),
    [
        (".claude-plugin/plugin.json", ["claude-plugin"]),
        ("SKILL.md", ["skill"]),
        ("a/SKILL.md", ["skills-folder"]),
        ("skills/a/SKILL.md", ["skills-folder"]),
        ("docs/a/b/SKILL.md", []),
        ("README.md", []),
    ],
)
def test_a_folder_fits_the_format_of_its_files(tmp_path: Path, file: str, formats: list[str]) -> None:
    _put(tmp_path, {file: "{}"})
    assert [each.id for each in formats_of(str(tmp_path))] == formats


def test_authors_may_ship_for_several_harnesses_at_once(tmp_path: Path) -> None:
    schema = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "demo"}
    _put(tmp_path, {"plugin.json": schema, ".claude-plugin/plugin.json": {"name": "demo"}, "skills/a/SKILL.md": "a"})
    assert [each.id for each in formats_of(str(tmp_path))] == ["claude-plugin", "agent-plugin"]


def test_a_bare_skill_is_read_with_what_differs_from_the_standard(tmp_path: Path) -> None:
    folder = _put(tmp_path / "review", {"SKILL.md": "---\nname: review\ndescription: Reviews\nmodel: opus\n---\n"})
    assert _inside(folder, "skill", "skills") == (["review"], ["skill-off-standard"])


def test_a_bare_skill_without_a_description_brings_nothing(tmp_path: Path) -> None:
    folder = _put(tmp_path / "review", {"SKILL.md": "---\nname: review\n---\n"})
    assert _inside(folder, "skill", "skills") == ([], ["skill-incomplete"])


def test_a_skill_with_a_header_that_is_not_yaml_stays_with_a_warning(tmp_path: Path) -> None:
    folder = _put(tmp_path / "review", {"SKILL.md": "---\nname: review\ndescription: Use when: asked\n---\n"})
    assert _inside(folder, "skill", "skills") == (["review"], ["header-not-yaml"])


def test_a_folder_of_skills_brings_all_of_them(tmp_path: Path) -> None:
    files = {"a/SKILL.md": SKILL.format(name="a"), "skills/b/SKILL.md": SKILL.format(name="b"), "README.md": "x"}
    assert _inside(_put(tmp_path / "many", files), "skills-folder", "skills") == (["a", "b"], [])


def test_paths_in_a_manifest_replace_the_folder_of_commands_and_extend_that_of_skills(tmp_path: Path) -> None:
    files = {
        ".claude-plugin/plugin.json": {"name": "demo", "commands": ["./extra", "./one.md"], "skills": "./more"},
        "commands/default.md": "default",
        "extra/sub/cmd.md": "extra",
        "one.md": "one",
        "skills/a/SKILL.md": SKILL.format(name="a"),
        "more/b/SKILL.md": SKILL.format(name="b"),
    }
    folder = _put(tmp_path / "demo", files)
    assert _inside(folder, "claude-plugin", "commands") == (["demo:sub:cmd", "demo:one"], [])
    assert _inside(folder, "claude-plugin", "skills") == (["demo:b", "demo:a"], [])


def test_commands_may_be_named_in_the_manifest(tmp_path: Path) -> None:
    commands = {"about": {"source": "./README.md"}, "hello": {"content": "Say hello", "description": "Hello"}}
    files = {".claude-plugin/plugin.json": {"name": "demo", "commands": commands}, "README.md": "# Demo"}
    assert _inside(_put(tmp_path / "demo", files), "claude-plugin", "commands") == (["demo:about", "demo:hello"], [])


def test_paths_that_cannot_be_used_are_reported_and_the_others_stay(tmp_path: Path) -> None:
    paths = ["commands", "../outside", "./../outside", "./missing", "./a\0b", 7, "./fine.md"]
    files = {
        "demo/.claude-plugin/plugin.json": {"name": "demo", "commands": paths},
        "demo/fine.md": "x",
        "outside/a.md": "",
    }
    _put(tmp_path, files)
    assert _inside(tmp_path / "demo", "claude-plugin", "commands") == (["demo:fine"], ["plugin-path"] * 6)


def test_a_claude_plugin_may_write_its_suffixes_in_capitals_and_hide_its_files(tmp_path: Path) -> None:
    agent = "---\nname: {name}\ndescription: Does it\n---\n"
    files = {
        ".claude-plugin/plugin.json": {"name": "demo"},
        "commands/up.MD": "x",
        "commands/mixed.Md": "x",
        "commands/node_modules/deep.md": "x",
        "commands/notes.txt": "x",
        "agents/UP.MD": agent.format(name="up"),
        "agents/.git/deep.md": agent.format(name="deep"),
    }
    folder = _put(tmp_path / "demo", files)
    commands, _ = _inside(folder, "claude-plugin", "commands")
    assert sorted(commands) == ["demo:mixed.Md", "demo:node_modules:deep", "demo:up.MD"]
    subagents, _ = _inside(folder, "claude-plugin", "subagents")
    assert sorted(subagents) == ["demo:.git:deep", "demo:up"]


@pytest.mark.parametrize(("header", "name"), [("---\nname: whole\n---\n", "demo:whole"), ("", "demo:skills")])
def test_a_skill_that_is_the_skills_folder_of_a_claude_plugin_is_its_only_one(
    header: str, name: str, tmp_path: Path
) -> None:
    files = {
        ".claude-plugin/plugin.json": {"name": "demo"},
        "skills/SKILL.md": f"{header}Do it.",
        "skills/other/SKILL.md": SKILL.format(name="other"),
    }
    assert _inside(_put(tmp_path / "demo", files), "claude-plugin", "skills") == ([name], [])


@pytest.mark.parametrize(("paths", "flaws"), [("skills", 1), ("./../x", 1), (7, 1), (["a", "b"], 2), ([], 0)])
def test_codex_reads_the_fixed_place_where_the_manifest_names_none_that_it_takes(
    paths: object, flaws: int, tmp_path: Path
) -> None:
    files = {
        ".codex-plugin/plugin.json": {"name": "demo", "skills": paths, "commands": paths},
        "skills/a/SKILL.md": SKILL.format(name="a"),
        "commands/go.md": "Go",
    }
    folder = _put(tmp_path / "demo", files)
    assert _inside(folder, "codex-plugin", "skills") == (["demo:a"], ["plugin-path"] * flaws)
    assert _inside(folder, "codex-plugin", "commands") == ([], ["plugin-path"] * flaws)


def test_a_lone_skill_at_the_root_counts_where_there_is_no_folder_of_skills(tmp_path: Path) -> None:
    files = {".claude-plugin/plugin.json": {"name": "demo"}, "SKILL.md": SKILL.format(name="only")}
    folder = _put(tmp_path / "demo", files)
    assert _inside(folder, "claude-plugin", "skills") == (["demo:only"], [])
    _put(folder, {"skills/a/SKILL.md": SKILL.format(name="a")})
    assert _inside(folder, "claude-plugin", "skills") == (["demo:a"], [])


def test_servers_and_hooks_may_stand_in_the_manifest_or_in_files_it_names(tmp_path: Path) -> None:
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": "inline"}]}]}
    manifest = {
        "name": "demo",
        "mcpServers": [{"inline": {"command": "a"}}, "./more.json"],
        "hooks": {"hooks": hooks},
    }
    files = {
        ".claude-plugin/plugin.json": manifest,
        "more.json": {"mcpServers": {"named": {"command": "b"}}},
        ".mcp.json": {"mcpServers": {"fixed": {"command": "c"}}},
        "hooks/hooks.json": {"description": "x", "hooks": {"SessionEnd": hooks["Stop"]}},
    }
    folder = _put(tmp_path / "demo", files)
    names = ["plugin:demo:inline", "plugin:demo:named", "plugin:demo:fixed"]
    assert _inside(folder, "claude-plugin", "mcp-servers") == (names, [])
    places = Places(str(tmp_path), str(tmp_path))
    package = format_named("claude-plugin").read(str(folder), places).package
    assert package is not None
    found = [each for each in components(package, Where(places, Run(), "hooks", "t", "T")) if hasattr(each, "item")]
    assert [each.item.event for each in found] == ["Stop", "SessionEnd"]


def test_a_plugin_asks_its_user_for_settings(tmp_path: Path) -> None:
    wanted = {"api_token": {"type": "string", "title": "API token", "description": "Yours", "sensitive": True}}
    folder = _put(tmp_path / "demo", {".claude-plugin/plugin.json": {"name": "demo", "userConfig": wanted}})
    assert _inside(folder, "claude-plugin", "settings") == (["API token"], [])
