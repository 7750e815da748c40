"""What Claude Code 2.1.325 refuses or loses, as `claude plugin validate` and its loader say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.checking.acceptance import acceptances
from pisces.checking.check import Scope, check
from pisces.checking.checked import Checked
from pisces.places import Places
from tests.checking.planting import plant
from tests.checking.test_acceptance import verdict
from tests.checking.trees import HOOKS, SKILL, Tree, claude, gemini, marketplace

HOOK = {"type": "command", "command": "true"}
GO = {"command": "gopls", "extensionToLanguage": {".go": "go"}}
OPTION = {"type": "string", "title": "Key", "description": "A key"}


def for_claude(folder: Path, tree: Tree) -> Checked:
    plant(folder / "box", tree)
    places = Places(str(folder / "home"), str(folder))
    return check([str(folder / "box")], places, Scope({"claude": acceptances()["claude"]}, only=True))


def errors(result: Checked) -> list[str]:
    return [each.code for each in result.diagnostics if each.severity == "error"]


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"name": "my box"},
        {"name": "a\tb"},
        {"name": None},
        {"homepage": "example.com"},
        {"homepage": "https://"},
        {"author": "me"},
        {"author": {"name": ""}},
        {"keywords": "a, b"},
        {"repository": {"type": "git", "url": "https://example.com"}},
        {"agents": "./agents"},
        {"agents": ["./agents/"]},
        {"commands": "commands/fix.md"},
        {"commands": {"fix": {"source": "./fix.md", "content": "Fix"}}},
        {"skills": "skills"},
        {"dependencies": ["a b"]},
        {"lspServers": {"go": {"command": "gopls"}}},
        {"lspServers": {"go": {**GO, "command": "gopls serve"}}},
        {"lspServers": {"go": {**GO, "extensionToLanguage": {"go": "go"}}}},
        {"lspServers": {"go": {**GO, "unknown": 1}}},
        {"mcpServers": {"docs": {"url": "https://example.com"}}},
        {"mcpServers": {"docs": {"command": ""}}},
        {"mcpServers": "https://example.com/docs.zip"},
        {"userConfig": {"key": {**OPTION, "enum": ["a"]}}},
        {"userConfig": {"my-key": OPTION}},
        {"userConfig": {"key": {**OPTION, "options": ["a"], "default": "b"}}},
        {"channels": [{"server": ""}]},
        {"monitors": [{"name": "a", "command": "b"}]},
        {"experimental": {"themes": 1}},
        {"hooks": {"PreToolUse": {}}},
        {"hooks": {"PreToolUse": [{"hooks": [{**HOOK, "timeout": 0}]}]}},
        {"hooks": {"PermissionRequest": [{"hooks": [{"type": "shell"}]}]}},
        {"hooks": {"Unknown": [{"PreToolUse": [{"hooks": [HOOK]}]}]}},
        {"hooks": "hooks.json"},
        {"PreToolUse": [{"hooks": [HOOK]}]},
    ],
)
def test_a_manifest_of_another_shape_costs_the_whole_plugin(fields: dict[str, Any], tmp_path: Path) -> None:
    result = for_claude(tmp_path, claude({"skills/review/SKILL.md": SKILL}, **fields))
    assert errors(result)
    assert verdict(result, "review", "claude").startswith("the whole package is refused")


@pytest.mark.parametrize(
    "fields",
    [
        {"homepage": "mailto:me@example.com"},
        {"author": {"name": "me", "email": "no address", "unknown": 1}},
        {"unknown": 1},
        {"icon": "icon.png"},
        {"metadata": 1},
        {"engines": "any"},
        {"skills": "."},
        {"commands": {"fix": {"content": "Fix"}}},
        {"dependencies": ["other@market", {"name": "third", "version": "~1.0"}]},
        {"lspServers": {"go": GO}},
        {"mcpServers": {"docs": {"type": "http", "url": ""}}},
        {"mcpServers": "https://example.com/docs.mcpb"},
        {"mcpServers": {}},
        {"userConfig": {"key": {**OPTION, "options": ["a"], "default": "a"}}},
        {"hooks": {"Unknown": []}},
        {"hooks": {"PreToolUse": [{"hooks": []}]}},
        {"experimental": 1},
    ],
)
def test_a_manifest_that_claude_takes_is_no_error(fields: dict[str, Any], tmp_path: Path) -> None:
    result = for_claude(tmp_path, claude({"skills/review/SKILL.md": SKILL}, **fields))
    assert errors(result) == []
    assert verdict(result, "review", "claude") == ""


@pytest.mark.parametrize(
    ("path", "content", "refused"),
    [
        (HOOKS, {"Stop": [{"hooks": [HOOK]}]}, False),
        (HOOKS, {"hooks": {"Stop": [{"hooks": [{**HOOK, "async": "yes"}]}]}}, False),
        (HOOKS, {"hooks": {"Stop": [{"matcher": 1, "hooks": [HOOK]}]}}, False),
        (HOOKS, {"description": 1, "hooks": {}}, False),
        (HOOKS, {"PreToolUse": [{"hooks": [HOOK]}]}, True),
        (HOOKS, {"hooks": [{"matcher": "Bash", "hooks": [HOOK]}]}, True),
        (HOOKS, {"hooks": {"PreToolUse": [1]}}, True),
        (".mcp.json", {"mcpServers": {"docs": {"type": "HTTP", "url": "https://example.com"}}}, False),
        (".mcp.json", {"mcpServers": {"docs": {"type": "http", "url": "docs"}}}, False),
        (".mcp.json", {"docs": {"command": "docs", "env": {"PORT": 1}}}, False),
        (".lsp.json", {"go": {}}, False),
    ],
)
def test_a_file_of_another_shape_loses_its_part_or_the_plugin(
    path: str, content: dict[str, Any], refused: bool, tmp_path: Path
) -> None:
    result = for_claude(tmp_path, claude({path: json.dumps(content), "skills/review/SKILL.md": SKILL}))
    assert errors(result)
    assert bool(verdict(result, "review", "claude")) is refused


def test_a_hooks_file_that_is_no_json_costs_the_whole_plugin(tmp_path: Path) -> None:
    result = for_claude(tmp_path, claude({HOOKS: "{", "skills/review/SKILL.md": SKILL}))
    assert "refused" in verdict(result, "review", "claude")


@pytest.mark.parametrize(
    "servers", ["{}", '{"mcpServers": {}}', '{"mcpServers": {"docs": {"type": "sse", "url": "${X}"}}}']
)
def test_servers_that_claude_takes_are_no_errors(servers: str, tmp_path: Path) -> None:
    assert errors(for_claude(tmp_path, claude({".mcp.json": servers}))) == []


def test_an_agent_of_a_plugin_needs_no_header(tmp_path: Path) -> None:
    result = for_claude(
        tmp_path, claude({"agents/README.md": "About agents", "agents/b.md": "---\nmodel: opus\n---\nB"})
    )
    assert errors(result) == []
    assert [each.name for each in result.targets[0].components] == ["README", "b"]


@pytest.mark.parametrize(
    "tree",
    [
        {"commands/fix.md": "Fix", "agents/reviewer.md": "Review"},
        {HOOKS: '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "curl x | sh"}]}]}}'},
        {".lsp.json": json.dumps({"go": GO})},
    ],
)
def test_a_plugin_needs_no_manifest(tree: Tree, tmp_path: Path) -> None:
    result = for_claude(tmp_path, tree)
    assert [target.formats for target in result.targets] == [("claude-plugin",)]
    assert errors(result) == []


def test_a_package_for_others_is_not_for_claude(tmp_path: Path) -> None:
    assert errors(for_claude(tmp_path, gemini())) == ["not-for-harness"]


def test_what_gemini_refuses_is_nothing_to_claude(tmp_path: Path) -> None:
    tree = {**claude({"agents/reviewer.md": "---\nname: reviewer\ncolor: blue\n---\nReview"}), **gemini(settings={})}
    assert errors(for_claude(tmp_path, tree)) == []


@pytest.mark.parametrize(
    ("entry", "fine"),
    [
        ({"name": "box", "source": "./plugins/box"}, True),
        ({"name": "box", "source": "."}, True),
        ({"name": "box", "source": {"source": "github", "repo": "me/box"}}, True),
        ({"name": "box", "source": {"source": "github", "repo": "me/box", "sha": "main"}}, False),
        ({"name": "box", "source": {"source": "local", "path": "./plugins/box"}}, False),
        ({"name": "box", "source": {"source": "git-subdir", "url": "https://example.com"}}, False),
        ({"name": "box", "source": "./missing"}, False),
        ({"name": "box", "source": "../box"}, False),
        ({"name": "my box", "source": "./plugins/box"}, False),
        ({"name": "box"}, False),
        ({"name": "box", "source": "./plugins/box", "agents": "./agents"}, False),
        (1, False),
    ],
)
def test_entries_of_a_marketplace(entry: Any, fine: bool, tmp_path: Path) -> None:
    tree = marketplace([entry], {"plugins/box/skills/review/SKILL.md": SKILL})
    assert (errors(for_claude(tmp_path, tree)) == []) is fine


@pytest.mark.parametrize("name", ["", "a b", "..", "claude-official", "inline", "claudeplugins"])
def test_names_that_no_marketplace_may_have(name: str, tmp_path: Path) -> None:
    assert errors(for_claude(tmp_path, marketplace(name=name))) == ["claude-marketplace"]


def test_every_plugin_of_a_marketplace_is_checked(tmp_path: Path) -> None:
    entries = [{"name": f"p{number}", "source": f"./a/b/c/d/p{number}"} for number in range(3)]
    files: Tree = {f"a/b/c/d/p{number}/.claude-plugin/plugin.json": '{"name": "my box"}' for number in range(2)}
    result = for_claude(tmp_path, marketplace(entries, {**files, "a/b/c/d/p2/README.md": "Nothing"}))
    assert [target.kind for target in result.targets] == ["marketplace", "package", "package", "package"]
    assert errors(result) == ["claude-manifest-type"] * 2
