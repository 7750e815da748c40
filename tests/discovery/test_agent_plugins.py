"""Agent Plugins 1.0: a closed manifest, conforming skills and an explicit `mcp.json`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pisces.discovery.capabilities import MCP_SERVERS, PACKAGES, SKILLS
from pisces.discovery.capability import Capability
from pisces.discovery.registry import Discovered, discover
from pisces.harnesses.agent_plugins import HARNESS
from pisces.places import Places

SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
MCP_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"


def _plugin(folder: Path, **manifest: object) -> Path:
    """A plugin in the project's folder; a field given as None is left out."""
    plugin = folder / "work/.agents/plugins/demo"
    (plugin / "skills").mkdir(parents=True, exist_ok=True)
    fields = {"$schema": SCHEMA, "name": "demo", **manifest}
    _put(plugin / "plugin.json", {key: value for key, value in fields.items() if value is not None})
    return plugin


def _put(path: Path, text: str | object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if isinstance(text, str) else json.dumps(text, indent=1), encoding="utf-8")


def _found(capability: Capability, folder: Path) -> Discovered:
    return discover(capability, Places(str(folder / "home"), str(folder / "work")), harnesses=[HARNESS])


def _messages(found: Discovered) -> list[str]:
    return [each.message for each in found.diagnostics]


def test_a_minimal_plugin_is_a_package(tmp_path: Path) -> None:
    plugin = _plugin(tmp_path)
    found = _found(PACKAGES, tmp_path)
    (item,) = found.items
    assert (item.item.name, item.item.format, item.source.path) == ("demo", "agent-plugin", str(plugin / "plugin.json"))
    assert not found.diagnostics


def test_the_projects_plugin_comes_before_the_users(tmp_path: Path) -> None:
    _plugin(tmp_path)
    _put(tmp_path / "home/.agents/plugins/demo/plugin.json", {"$schema": SCHEMA, "name": "demo"})
    assert [each.found.source.level for each in _found(PACKAGES, tmp_path).all] == ["project", "user"]


def test_an_unknown_field_is_reported_and_ignored(tmp_path: Path) -> None:
    _plugin(tmp_path, commands="./commands", extensions=[])
    found = _found(PACKAGES, tmp_path)
    assert len(found.items) == 1
    assert [(each.code, each.severity) for each in found.diagnostics] == [("agent-plugin-field", "warning")] * 2
    assert found.diagnostics[0].line == 4


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "My Plugin"}, "`name` must be 1 to 64"),
        ({"name": "a--b"}, "`name` must be 1 to 64"),
        ({"name": None}, "the manifest needs `name`"),
        ({"version": 1}, "`version` must be text, not a number"),
        ({"author": {"name": "A", "phone": "1"}}, "unknown key `phone`"),
        ({"$schema": SCHEMA.replace("1.0.0", "9.0.0")}, "`$schema` `https"),
    ],
)
def test_any_other_misfit_rejects_the_whole_plugin(tmp_path: Path, fields: dict[str, object], message: str) -> None:
    plugin = _plugin(tmp_path, **fields)
    _put(plugin / "skills/fine/SKILL.md", "---\nname: fine\ndescription: Fine\n---\n")
    found = _found(PACKAGES, tmp_path)
    assert not found.items
    (problem,) = found.diagnostics
    assert (problem.code, problem.about) == ("agent-plugin-manifest", "demo")
    assert problem.message.startswith(message)
    assert not _found(SKILLS, tmp_path).items


def test_a_conforming_skill_is_found_and_others_are_skipped_with_their_line(tmp_path: Path) -> None:
    plugin = _plugin(tmp_path)
    _put(plugin / "skills/fine/SKILL.md", "---\nname: fine\ndescription: Fine\nlicense: MIT\n---\n")
    _put(plugin / "skills/other/SKILL.md", "---\nname: another\ndescription: Fine\n---\n")
    _put(plugin / "skills/extra/SKILL.md", "---\nname: extra\ndescription: Fine\nmodel: opus\n---\n")
    _put(plugin / "skills/broken/SKILL.md", "---\nname: broken\ndescription: a: b\n---\n")
    _put(plugin / "skills/deep/er/SKILL.md", "---\nname: er\ndescription: Too deep\n---\n")
    found = _found(SKILLS, tmp_path)
    assert [each.item.name for each in found.items] == ["fine"]
    assert [(each.code, each.about, each.line) for each in found.diagnostics] == [
        ("header-broken", "broken", 3),
        ("skill-not-conforming", "extra", 4),
        ("skill-not-conforming", "other", 2),
    ]


@pytest.mark.skipif("os.name == 'nt'")
def test_a_skill_that_leads_out_of_the_plugin_is_skipped(tmp_path: Path) -> None:
    plugin = _plugin(tmp_path)
    _put(tmp_path / "outside/SKILL.md", "---\nname: outside\ndescription: Fine\n---\n")
    (plugin / "skills/outside").symlink_to(tmp_path / "outside")
    found = _found(SKILLS, tmp_path)
    assert not found.items
    assert [each.code for each in found.diagnostics] == ["skill-outside"]


def test_servers_carry_the_name_of_their_plugin(tmp_path: Path) -> None:
    servers = {
        "local": {"type": "stdio", "command": "./bin/x", "cwd": "${PLUGIN_DATA}/x", "env": {"A": "b"}},
        "remote": {"type": "streamable-http", "url": "https://example.com/mcp"},
        "here": {"type": "sse", "url": "http://localhost:3000/sse"},
    }
    _put(_plugin(tmp_path) / "mcp.json", {"$schema": MCP_SCHEMA, "mcpServers": servers})
    found = _found(MCP_SERVERS, tmp_path)
    assert [each.item.name for each in found.items] == ["demo:local", "demo:remote", "demo:here"]
    assert not found.diagnostics


@pytest.mark.parametrize(
    ("server", "message"),
    [
        ({"command": "x"}, "server `bad`: needs `type`"),
        ({"type": "http", "url": "https://example.com"}, "server `bad`: `type` must be one of"),
        ({"type": "stdio", "command": "npx x"}, "server `bad`: `command` must be one word"),
        ({"type": "stdio", "command": "../x"}, "server `bad`: `command` must be a bare name"),
        ({"type": "stdio", "command": "x", "cwd": "data"}, "server `bad`: `cwd` must begin with"),
        ({"type": "stdio", "command": "x", "url": "y"}, "server `bad`: unknown key `url`"),
        ({"type": "stdio", "command": "x", "env": {"PLUGIN_ROOT": "y"}}, "server `bad`: `env.PLUGIN_ROOT` is set by"),
        ({"type": "sse", "url": "http://example.com"}, "server `bad`: `url` must be an https address"),
        ({"type": "sse", "url": "https://me@example.com"}, "server `bad`: `url` must be an https address"),
        ("x", "server `bad`: must be an object, not text"),
    ],
)
def test_a_bad_server_is_skipped_and_the_others_stay(tmp_path: Path, server: object, message: str) -> None:
    servers = {"bad": server, "fine": {"type": "stdio", "command": "x"}}
    _put(_plugin(tmp_path) / "mcp.json", {"$schema": MCP_SCHEMA, "mcpServers": servers})
    found = _found(MCP_SERVERS, tmp_path)
    assert [each.item.name for each in found.items] == ["demo:fine"]
    (problem,) = found.diagnostics
    assert (problem.code, problem.about) == ("agent-plugin-server", "bad")
    assert problem.line >= 4
    assert problem.message.startswith(message)


@pytest.mark.parametrize(
    "file",
    [
        {"mcpServers": {}},
        {"$schema": MCP_SCHEMA.replace("1.0.0", "1.1.0"), "mcpServers": {}},
        {"$schema": MCP_SCHEMA, "mcpServers": {}, "more": 1},
        [],
    ],
)
def test_a_bad_file_costs_the_plugin_its_servers_but_not_its_skills(tmp_path: Path, file: object) -> None:
    plugin = _plugin(tmp_path)
    _put(plugin / "mcp.json", file)
    _put(plugin / "skills/fine/SKILL.md", "---\nname: fine\ndescription: Fine\n---\n")
    found = _found(MCP_SERVERS, tmp_path)
    assert not found.items
    assert {each.code for each in found.diagnostics} == {"agent-plugin-mcp"}
    assert len(_found(SKILLS, tmp_path).items) == 1


def test_a_root_manifest_of_another_tool_is_left_alone(tmp_path: Path) -> None:
    plugin = _plugin(tmp_path, **{"$schema": None})
    _put(plugin / "agents/a.md", "An agent")
    found = _found(PACKAGES, tmp_path)
    assert not found.items
    assert not found.diagnostics


def test_a_folder_where_the_manifest_belongs_is_reported(tmp_path: Path) -> None:
    (tmp_path / "work/.agents/plugins/odd/plugin.json").mkdir(parents=True)
    (tmp_path / "work/.agents/plugins/odd/skills").mkdir()
    found = _found(PACKAGES, tmp_path)
    assert [(each.code, each.about) for each in found.diagnostics] == [("config-unreadable", "odd")]
