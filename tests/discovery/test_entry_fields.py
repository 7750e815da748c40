"""Servers, policy rules, settings, themes and packages keep every field of their entry, and know where each stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pisces.by_name import export_of
from pisces.discovery.item_place import item_place
from pisces.shapes.mcp_server import McpServer
from tests.discovery.as_found import assert_placed, assert_read
from tests.discovery.claude_plugins import install
from tests.discovery.world import World

SERVER: dict[str, Any] = {
    "command": "docs-server",
    "args": ["--stdio", "a b"],
    "env": {"TOKEN": "$TOKEN"},
    "cwd": "/srv",
    "timeout": 5000,
    "trust": True,
    "includeTools": ["find"],
    "excludeTools": ["drop"],
    "description": "The documents",
    "oauth": {"clientId": "me"},
    "x-unknown": None,
}
SERVER_READ: dict[str, Any] = {
    "command": "docs-server",
    "args": ("--stdio", "a b"),
    "argv": ("docs-server", "--stdio", "a b"),
    "env": {"TOKEN": "$TOKEN"},
    "cwd": "/srv",
    "timeout": 5000,
    "trust": True,
    "include_tools": ("find",),
    "exclude_tools": ("drop",),
    "description": "The documents",
    "oauth": {"clientId": "me"},
    "transport": "stdio",
    "launch": "docs-server --stdio a b",
    "url": "",
    "headers": {},
}


def world_of(tmp_path: Path, harness: str) -> World:
    return World(tmp_path, export_of("pisces.harnesses", harness, "HARNESS"))


def test_a_server_keeps_every_field(tmp_path: Path) -> None:
    world = world_of(tmp_path, "gemini")
    world.user(".gemini/trustedFolders.json", {str(world.repository): "TRUST_FOLDER"})
    file = world.project(".gemini/settings.json", {"mcpServers": {"other": {"command": "x"}, "docs": SERVER}})
    found = world.found("mcp-servers").items[-1]
    assert found.item.config == found.item.fields == SERVER
    assert_read(found.item, SERVER_READ)
    assert found.item.keys == ("mcpServers", "docs")
    assert_placed(found, file.read_text())


def test_a_server_of_a_packages_manifest_has_its_place_there_and_cannot_vouch_for_itself(tmp_path: Path) -> None:
    world = world_of(tmp_path, "gemini")
    manifest = {"name": "kit", "version": "1.0.0", "mcpServers": {"docs": SERVER}}
    file = world.user(".gemini/extensions/kit/gemini-extension.json", manifest)
    (found,) = world.found("mcp-servers").items
    assert found.item.fields == {key: value for key, value in SERVER.items() if key != "trust"}
    assert found.item.trust is None
    assert_placed(found, file.read_text())


def test_a_server_of_a_toml_file_keeps_every_field(tmp_path: Path) -> None:
    text = """\
[mcp_servers.other]
url = "https://example.com/other"

[mcp_servers.docs]
url = "https://example.com/docs"
http_headers = {X-Key = "k"}
enabled_tools = ["find"]
disabled_tools = ["drop"]
x-unknown = 1
"""
    world = world_of(tmp_path, "codex")
    world.user(".codex/config.toml", text)
    found = world.found("mcp-servers").items[-1]
    read = {"url": "https://example.com/docs", "headers": {"X-Key": "k"}, "transport": "auto", "argv": ()}
    assert_read(found.item, {**read, "include_tools": ("find",), "exclude_tools": ("drop",), "command": ""})
    assert_placed(found, text)


def test_a_flat_file_of_servers_has_their_places(tmp_path: Path) -> None:
    world = world_of(tmp_path, "claude")
    inside = ".claude/plugins/cache/market/kit/1.0.0"
    world.user(f"{inside}/.claude-plugin/plugin.json", {"name": "kit"})
    file = world.user(f"{inside}/.mcp.json", {"docs": {"type": "http", "url": "https://example.com"}})
    install(world.home, "kit@market", world.home / inside)
    (found,) = world.found("mcp-servers").items
    assert found.item.keys == ("docs",)
    assert_placed(found, file.read_text())


@pytest.mark.parametrize(
    ("config", "transport", "launch"),
    [
        ({"command": "a"}, "stdio", "a"),
        ({"command": ["a", "b c"], "type": "local"}, "stdio", "a b c"),
        ({"httpUrl": "https://x"}, "http", "https://x"),
        ({"httpUrl": "", "url": "https://x"}, "auto", "https://x"),
        ({"type": "http", "url": "https://x"}, "http", "https://x"),
        ({"type": "streamable-http", "url": "https://x"}, "http", "https://x"),
        ({"type": "streamableHttp", "url": "https://x"}, "http", "https://x"),
        ({"type": "sse", "url": "https://x"}, "sse", "https://x"),
        ({"type": "ws", "url": "wss://x"}, "ws", "wss://x"),
        ({"type": "remote", "url": "https://x"}, "auto", "https://x"),
        ({"serverUrl": "https://x"}, "auto", "https://x"),
        ({"environment": {"A": "1"}}, "", ""),
        ({"type": 5}, "", ""),
        ("docs-server", "", ""),
    ],
)
def test_a_server_says_how_it_is_reached(config: object, transport: str, launch: str) -> None:
    server = McpServer("docs", config, "/x/.mcp.json", ("mcpServers", "docs"))
    assert (server.transport, server.launch) == (transport, launch)
    assert server.env == ({"A": "1"} if "environment" in server.fields else {})


RULE = """\
toolName = ["run_shell_command"]
mcpName = "docs"
subagent = "reviewer"
decision = "deny"
priority = 100
modes = ["default", "plan"]
interactive = false
toolAnnotations = {readOnlyHint = true}
denyMessage = "no"
allowRedirection = true
argsPattern = 'x'
x-unknown = 1
"""


def test_a_policy_rule_keeps_every_field(tmp_path: Path) -> None:
    world = world_of(tmp_path, "gemini")
    first = '[[rule]]\ntoolName = "glob"\ndecision = "allow"\npriority = 1\n\n'
    text = f"{first}[[rule]]\n{RULE}"
    world.user(".gemini/policies/own.toml", text)
    found = world.found("policies").items[-1]
    read: dict[str, Any] = {
        "tool_names": ("run_shell_command",),
        "mcp_name": "docs",
        "subagent": "reviewer",
        "decision": "deny",
    }
    read |= {"modes": ("default", "plan"), "interactive": False, "tool_annotations": {"readOnlyHint": True}}
    read |= {
        "deny_message": "no",
        "allow_redirection": True,
        "args_pattern": "x",
        "tool_name": "mcp_docs_run_shell_command",
    }
    assert_read(
        found.item,
        {**read, "kind": "rule", "decision": "deny", "keys": ("rule", 1), "command_prefix": None, "checker": {}},
    )
    assert found.item.tool_name == "mcp_docs_run_shell_command"
    assert len(found.item.fields) == 12
    assert_placed(found, text)


def test_prefixes_of_a_policy_rule_are_whole_texts(tmp_path: Path) -> None:
    world = world_of(tmp_path, "gemini")
    one = '[[rule]]\ntoolName = "run_shell_command"\ndecision = "deny"\npriority = 1\ncommandPrefix = "git push"\n'
    other = one.replace('"git push"', '["git push", "rm"]') + 'deny_message = "no"\nallow_redirection = true\n'
    regex = one.replace('commandPrefix = "git push"', "commandRegex = 'git .*'")
    world.user(".gemini/policies/own.toml", f"{one}{other}{regex}")
    rules = [found.item for found in world.found("policies").items]
    assert [rule.command_prefix for rule in rules] == [("git push",), *[("git push", "rm")] * 2, None]
    assert [rule.keys for rule in rules] == [("rule", 0), ("rule", 1), ("rule", 1), ("rule", 2)]
    assert rules[-1].command_regex == "git .*"
    assert (rules[1].deny_message, rules[1].allow_redirection) == ("no", True)


def test_a_safety_checker_keeps_every_field(tmp_path: Path) -> None:
    text = """\
[[safety_checker]]
toolName = "write_file"
priority = 5
[safety_checker.checker]
type = "in-process"
name = "allowed-path"
required_context = ["environment"]
"""
    world = world_of(tmp_path, "gemini")
    world.user(".gemini/policies/own.toml", text)
    (found,) = world.found("policies").items
    checker = {"type": "in-process", "name": "allowed-path", "required_context": ["environment"]}
    assert_read(found.item, {"kind": "safety_checker", "checker": checker, "keys": ("safety_checker", 0)})
    assert item_place(found, "checker", "name") == (6, 1)


def test_what_a_rule_gets_wrong_is_reported_in_its_line(tmp_path: Path) -> None:
    world = world_of(tmp_path, "gemini")
    good = '[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 1\n'
    world.user(".gemini/policies/own.toml", good + good.replace("glob", "globb") + good)
    problem = world.problem("policies", "policy-tool")
    assert (problem.line, problem.column) == (5, 3)


def test_a_setting_of_a_gemini_extension_keeps_every_field(tmp_path: Path) -> None:
    setting = {"name": "Key", "description": "The key", "envVar": "KEY", "sensitive": True, "x-unknown": [1]}
    manifest = {"name": "kit", "version": "1.0.0", "settings": [{"name": "Other", "envVar": "OTHER"}, setting]}
    world = world_of(tmp_path, "gemini")
    file = world.user(".gemini/extensions/kit/gemini-extension.json", manifest)
    found = world.found("settings").items[-1]
    assert found.item.fields == setting
    assert_read(found.item, {"env_var": "KEY", "sensitive": True, "keys": ("settings", 1), "required": None})
    assert_placed(found, file.read_text())


def test_a_setting_of_a_claude_plugin_keeps_every_field(tmp_path: Path) -> None:
    setting = {
        "type": "number",
        "title": "Depth",
        "description": "How deep",
        "required": True,
        "default": 3,
        "multiple": False,
        "min": 1,
        "max": 9,
        "x-unknown": "kept",
    }
    world = world_of(tmp_path, "claude")
    inside = ".claude/plugins/cache/market/kit/1.0.0"
    manifest = {"name": "kit", "userConfig": {"other": {"title": "x"}, "depth": setting}}
    file = world.user(f"{inside}/.claude-plugin/plugin.json", manifest)
    install(world.home, "kit@market", world.home / inside)
    everything = [each.found for each in world.found("settings").all]  # Claude Code refuses a plugin like this
    found = next(each for each in everything if each.package and each.item.name == "Depth")
    assert found.item.fields == setting
    read = {"type": "number", "required": True, "default": 3, "multiple": False, "minimum": 1, "maximum": 9}
    assert_read(found.item, {**read, "keys": ("userConfig", "depth")})
    assert_placed(found, file.read_text())


def test_a_theme_keeps_every_field(tmp_path: Path) -> None:
    theme = {"name": "Night", "type": "custom", "background": {"primary": "#000"}}
    world = world_of(tmp_path / "gemini", "gemini")
    manifest = {"name": "kit", "version": "1.0.0", "themes": [{"name": "Day"}, theme]}
    file = world.user(".gemini/extensions/kit/gemini-extension.json", manifest)
    found = world.found("themes").items[-1]
    assert (found.item.fields, found.item.keys) == (theme, ("themes", 1))
    assert_placed(found, file.read_text())
    world = world_of(tmp_path / "opencode", "opencode")
    file = world.project(".opencode/themes/night.json", theme)
    (found,) = world.found("themes").items
    assert found.item.fields == theme
    assert_placed(found, file.read_text())


def test_a_package_and_a_settings_file_have_the_fields_of_their_file(tmp_path: Path) -> None:
    manifest = {"name": "kit", "version": "1.0.0", "x-unknown": 1}
    world = world_of(tmp_path, "gemini")
    file = world.user(".gemini/extensions/kit/gemini-extension.json", manifest)
    (package,) = world.found("packages").items
    assert package.item.fields == manifest
    assert_placed(package, file.read_text())
    world.user(".gemini/extensions/list/gemini-extension.json", ["kit"])
    assert [each.item.fields for each in world.found("packages").items] == [manifest, {}]
    file = world.project(".gemini/settings.json", {"ui": {"theme": "x"}, "x-unknown": 1})
    (settings,) = world.found("settings").items
    assert settings.item.fields == {"ui": {"theme": "x"}, "x-unknown": 1}
    assert_placed(settings, file.read_text())
