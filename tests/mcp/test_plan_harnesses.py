"""What each harness does with the fields of a server's entry: a row for each spelling.

The rows of Gemini CLI, Claude Code, Codex and OpenCode were recorded with a server that writes down what it got.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.found import Found, Source
from pisces.discovery.registry import discover
from pisces.mcp.plan import ServerPlan
from pisces.mcp.planned import plan_of
from pisces.places import Places
from pisces.shapes.mcp_server import McpServer

ENV = {"FOO": "foo", "EMPTY": "", "OPENAI_API_KEY": "sk-1", "INNOCENT": "yes", "PATH": "/usr/bin:/bin"}
WORDS = ["$FOO", "${FOO}", "${NOPE}", "${NOPE:-dflt}", "${EMPTY:-dflt}", "${env:FOO}", "{env:FOO}", "{env:NOPE}"]


def planned(places: Places, harness: str, config: dict[str, Any], level: str = "user", **more: str) -> ServerPlan:
    path = f"{places.home}/settings" if level == "user" else f"{places.cwd}/settings"
    server = McpServer("shop", config, path, ("mcpServers", "shop"))
    plan = plan_of(Found(server, Source(harness, harness, path, level)).replace(**more), places)
    assert isinstance(plan, ServerPlan), plan
    return plan


@pytest.fixture
def places(tmp_path: Path) -> Places:
    for name in ("home", "work"):
        (tmp_path / name).mkdir()
    return Places(str(tmp_path / "home"), str(tmp_path / "work"), ENV)


FILLED = {
    "gemini": ["foo", "foo", "${NOPE}", "dflt", "", "${env:FOO}", "{env:FOO}", "{env:NOPE}"],
    "qwen": ["foo", "foo", "${NOPE}", "dflt", "", "${env:FOO}", "{env:FOO}", "{env:NOPE}"],
    "claude": ["$FOO", "foo", "${NOPE}", "dflt", "", "${env:FOO}", "{env:FOO}", "{env:NOPE}"],
    "mcp-json": ["$FOO", "foo", "${NOPE}", "dflt", "", "${env:FOO}", "{env:FOO}", "{env:NOPE}"],
    "codex": WORDS,
    "opencode": ["$FOO", "${FOO}", "${NOPE}", "${NOPE:-dflt}", "${EMPTY:-dflt}", "$foo", "foo", ""],
    "cursor": ["$FOO", "${FOO}", "${NOPE}", "${NOPE:-dflt}", "${EMPTY:-dflt}", "foo", "{env:FOO}", "{env:NOPE}"],
    "roo": ["$FOO", "${FOO}", "${NOPE}", "${NOPE:-dflt}", "${EMPTY:-dflt}", "foo", "{env:FOO}", "{env:NOPE}"],
    "copilot": ["$FOO", "foo", "${NOPE}", "dflt", "", "foo", "{env:FOO}", "{env:NOPE}"],
    "kiro": ["$FOO", "foo", "${NOPE}", "dflt", "", "foo", "{env:FOO}", "{env:NOPE}"],
    "goose": WORDS,
}


@pytest.mark.parametrize("harness", FILLED)
def test_variables_are_filled_in_as_the_harness_does(places: Places, harness: str) -> None:
    plan = planned(places, harness, {"command": "server", "args": WORDS})
    assert list(plan.argv) == ["server", *FILLED[harness]]


@pytest.mark.parametrize(
    ("harness", "env", "value"),
    [
        ("gemini", {"T": "${NOPE} x"}, " x"),
        ("gemini", {"T": "$FOO"}, "foo"),
        ("claude", {"T": "${NOPE}"}, "${NOPE}"),
        ("codex", {"T": "${FOO}"}, "${FOO}"),
        ("omp", {"T": "FOO"}, "foo"),
        ("omp", {"T": "NOPE"}, "NOPE"),
        ("omp", {"T": "!id"}, ""),
        ("continue", {"T": "${{ secrets.FOO }}"}, "foo"),
    ],
)
def test_the_environment_is_filled_in_as_the_harness_does(
    places: Places, harness: str, env: dict[str, str], value: str
) -> None:
    assert planned(places, harness, {"command": "server", "env": env}).env["T"] == value


@pytest.mark.parametrize(
    ("harness", "word", "missing"),
    [
        ("claude", "${NOPE}", True),
        ("claude", "${NOPE:-x}", False),
        ("gemini", "$NOPE", True),
        ("gemini", "${NOPE:-x}", False),
        ("opencode", "{env:NOPE}", True),
        ("cursor", "${env:NOPE}", True),
        ("copilot", "${input:token}", True),
        ("codex", "${NOPE}", False),
        ("claude", "${EMPTY}", False),
    ],
)
def test_a_variable_without_a_value_is_said(places: Places, harness: str, word: str, missing: bool) -> None:
    plan = planned(places, harness, {"command": "server", "args": [word]})
    assert ("server-variable" in {each.code for each in plan.diagnostics}) is missing


def test_codex_names_variables_by_fields_of_their_own(places: Places) -> None:
    plan = planned(places, "codex", {"command": "server", "env_vars": ["FOO", {"name": "INNOCENT"}]})
    assert (plan.env["FOO"], plan.env["INNOCENT"], plan.env_names) == ("foo", "yes", ("FOO", "INNOCENT"))
    remote = {"url": "https://a.example", "bearer_token_env_var": "FOO", "env_http_headers": {"X-I": "INNOCENT"}}
    plan = planned(places, "codex", remote)
    assert plan.headers == {"X-I": "yes", "Authorization": "Bearer foo"}
    assert plan.request.headers == ("X-I", "Authorization")


@pytest.mark.parametrize(
    ("harness", "fields", "start", "call"),
    [
        ("gemini", {"timeout": 5000}, 5, 5),
        ("gemini", {}, 30, 600),
        ("codex", {"startup_timeout_sec": 2.5, "tool_timeout_sec": 7}, 2.5, 7),
        ("codex", {"startup_timeout_ms": 4000}, 4, 600),
        ("claude", {"timeout": 9000}, 30, 9),
        ("roo", {"timeout": 90}, 30, 90),
        ("cline", {"timeout": 90}, 30, 90),
        ("goose", {"timeout": 300}, 300, 300),
        ("opencode", {"timeout": 8000}, 8, 600),
        ("continue", {"connectionTimeout": 8000}, 8, 600),
        ("gemini", {"timeout": -1}, 30, 600),
        ("gemini", {"timeout": True}, 30, 600),
        ("gemini", {"timeout": 1e300}, 30, 600),
        ("gemini", {"timeout": float("nan")}, 30, 600),
    ],
)
def test_times_are_in_the_unit_of_the_harness(
    places: Places, harness: str, fields: dict[str, Any], start: float, call: float
) -> None:
    plan = planned(places, harness, {"command": "server", **fields})
    assert (plan.start_seconds, plan.call_seconds) == (start, call)


def test_claude_takes_its_times_from_the_environment(places: Places) -> None:
    env = {**ENV, "MCP_TIMEOUT": "12000", "MCP_TOOL_TIMEOUT": "34000"}
    plan = planned(places.replace(env=env), "claude", {"command": "server"})
    assert (plan.start_seconds, plan.call_seconds) == (12, 34)


@pytest.mark.parametrize(
    ("harness", "fields", "offered"),
    [
        ("gemini", {"includeTools": ["a", "b(x)"]}, "ab"),
        ("gemini", {"includeTools": ["a", "b"], "excludeTools": ["b"]}, "a"),
        ("gemini", {"includeTools": []}, ""),
        ("codex", {"enabled_tools": ["a"], "disabled_tools": []}, "a"),
        ("codex", {"disabled_tools": ["a"]}, "bc"),
        ("roo", {"disabledTools": ["c"]}, "ab"),
        ("copilot", {"tools": ["*"]}, "abc"),
        ("copilot", {"tools": ["b"]}, "b"),
        ("goose", {"available_tools": []}, "abc"),
        ("claude", {"includeTools": ["a"]}, "abc"),
        ("claude", {"toolPermissions": {"a": "deny"}}, "bc"),
    ],
)
def test_tools_are_chosen_as_the_harness_does(
    places: Places, harness: str, fields: dict[str, Any], offered: str
) -> None:
    plan = planned(places, harness, {"command": "server", **fields})
    assert "".join(tool for tool in "abc" if plan.offers(tool)) == offered


TRUST = [
    ("gemini", {"trust": True}, (True, ())),
    ("qwen", {"trust": True}, (True, ())),
    ("claude", {"trust": True}, (False, ())),
    ("roo", {"alwaysAllow": ["a"]}, (False, ("a",))),
    ("cline", {"autoApprove": ["a"]}, (False, ("a",))),
    ("kiro", {"autoApprove": ["*"]}, (True, ())),
    ("codex", {"default_tools_approval_mode": "approve"}, (True, ())),
    ("codex", {"tools": {"a": {"approval_mode": "approve"}}}, (False, ("a",))),
    ("claude", {"toolPermissions": {"a": "allow"}}, (False, ("a",))),
    ("gemini", {"trust": "true"}, (False, ())),
]


@pytest.mark.parametrize(("harness", "fields", "unasked"), TRUST)
def test_only_the_users_own_settings_let_tools_run_unasked(
    places: Places, harness: str, fields: dict[str, Any], unasked: tuple[bool, tuple[str, ...]]
) -> None:
    config = {"command": "server", **fields}
    plan = planned(places, harness, config)
    assert (plan.is_unasked, plan.unasked) == unasked
    for other in (
        planned(places, harness, config, "project"),
        planned(places, harness, config, package="shop", folder=places.home, format="gemini"),
    ):
        assert (other.is_unasked, other.unasked) == (False, ())


def test_a_relative_folder_belongs_to_the_workspace_and_claude_ignores_it(places: Places) -> None:
    folders = {
        name: planned(places, name, {"command": "x", "cwd": "sub"}).cwd for name in ("gemini", "codex", "claude")
    }
    sub = f"{places.cwd}/sub"
    assert folders == {"gemini": sub, "codex": sub, "claude": places.cwd}


def test_an_address_counts_more_than_a_program_for_gemini_only(places: Places) -> None:
    config = {"command": "server", "url": "https://a.example"}
    assert planned(places, "gemini", config).argv == ()
    assert planned(places, "cursor", config).argv == ("server",)


def test_gemini_lays_the_users_entry_over_that_of_a_package(places: Places) -> None:
    """As Gemini CLI 0.61 starts it: the user's program, in the package's folder, with both environments."""
    package = Path(places.home, ".gemini", "extensions", "box")
    package.mkdir(parents=True)
    theirs = {"command": "theirs", "cwd": "${extensionPath}", "env": {"E": "ext", "U": "ext", "NODE_OPTIONS": "-r x"}}
    manifest = {"name": "box", "version": "1.0.0", "mcpServers": {"shop": theirs}}
    (package / "gemini-extension.json").write_text(json.dumps(manifest))
    own = {"mcpServers": {"shop": {"command": "mine", "env": {"U": "user"}, "trust": True}}}
    (package.parents[1] / "settings.json").write_text(json.dumps(own))
    (found,) = discover(MCP_SERVERS, places).items
    plan = plan_of(found, places)
    assert isinstance(plan, ServerPlan)
    assert (plan.argv, plan.cwd, plan.env["E"], plan.env["U"]) == (("mine",), str(package), "ext", "user")
    assert plan.is_unasked
    assert "NODE_OPTIONS" not in plan.env  # the package set it


def test_a_listing_does_not_lose_the_default_of_a_package(places: Places) -> None:
    package = Path(places.home, ".gemini", "extensions", "box")
    package.mkdir(parents=True)
    server = {"command": "server", "args": ["${extensionPath}${/}x.js", "${FOO:-other}", "$HOME"]}
    manifest = {"name": "box", "version": "1.0.0", "mcpServers": {"shop": server}}
    (package / "gemini-extension.json").write_text(json.dumps(manifest))
    places = places.replace(env={**ENV, "HOME": "/somewhere"})
    (found,) = discover(MCP_SERVERS, places).items
    plan = plan_of(found, places)
    assert isinstance(plan, ServerPlan)
    assert plan.argv == ("server", str(package / "x.js"), "foo", "/somewhere")


def test_claude_plugins_know_their_folders_and_options(places: Places) -> None:
    plugin = Path(places.home, "plugin")
    (plugin / ".claude-plugin").mkdir(parents=True)
    options = {"region": {"type": "string", "title": "Region", "description": "where", "default": "eu"}}
    manifest = {"name": "plug", "version": "1.0.0", "userConfig": options}
    (plugin / ".claude-plugin" / "plugin.json").write_text(json.dumps(manifest))
    args = ["${CLAUDE_PLUGIN_ROOT}/x", "${CLAUDE_PROJECT_DIR}/y", "${user_config.region}"]
    more = {"package": "plug", "folder": str(plugin), "format": "claude-plugin"}
    plan = planned(places, "native", {"command": "server", "args": args}, **more)
    assert plan.argv[1:] == (f"{plugin}/x", f"{places.cwd}/y", "eu")
    assert plan.env["CLAUDE_PLUGIN_ROOT"] == str(plugin)
    assert plan.env["CLAUDE_PLUGIN_OPTION_REGION"] == "eu"


def test_an_agent_plugin_starts_in_its_own_folder(places: Places) -> None:
    plugin = Path(places.home, "plugin")
    (plugin / "bin").mkdir(parents=True)
    more = {"package": "plug", "folder": str(plugin), "format": "agent-plugin"}
    config = {"type": "stdio", "command": "./bin/run", "args": ["${PLUGIN_ROOT}", "${FOO}"], "env": {"A": "${FOO}"}}
    plan = planned(places, "agent-plugins", config, **more)
    assert (plan.argv, plan.cwd) == ((f"{plugin}/bin/run", str(plugin), "${FOO}"), str(plugin))
    assert plan.env["A"] == "${FOO}"


@pytest.mark.parametrize("config", [{"type": "ws", "url": "wss://a"}, {"tcp": "a:1"}, {"type": "stdio"}, {}])
def test_what_cannot_be_reached_is_a_diagnostic(places: Places, config: dict[str, Any]) -> None:
    server = McpServer("shop", config, "/x", ())
    plan = plan_of(Found(server, Source("gemini", "", "/x", "user")), places)
    assert isinstance(plan, Diagnostic)
    assert plan.code == "server-not-planned"
