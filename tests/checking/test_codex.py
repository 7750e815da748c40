"""What Codex 0.166.0 refuses: servers in config.toml and in plugins, manifests, marketplaces, headers of skills."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.harnesses.codex.server_shape import server_flaws
from pisces.harnesses.codex.skill_header import header_flaw
from tests.checking.planting import checked, codes
from tests.checking.test_acceptance import verdict
from tests.checking.test_one_harness import told
from tests.checking.trees import SKILL, Tree

PLUGIN = ".codex-plugin/plugin.json"


def codex(files: Tree | None = None, **fields: Any) -> Tree:
    return {PLUGIN: json.dumps({"name": "box", **fields}), **(files or {})}


@pytest.mark.parametrize(
    "server",
    [
        {"command": "x", "url": "https://example.com"},
        {"command": "x", "http_headers": {"A": "b"}},
        {"command": "x", "env_http_headers": {"A": "B"}},
        {"command": "x", "bearer_token_env_var": "TOKEN"},
        {"command": "x", "oauth": {"client_id": "me"}},
        {"command": "x", "oauth_resource": "https://example.com"},
        {"command": "x", "auth": "oauth"},
        {"command": "x", "env_vars": [{"name": "A", "source": "elsewhere"}]},
        {"command": "x", "env_vars": [{"name": "A", "unknown": 1}]},
        {"command": "x", "args": "y"},
        {"command": "x", "env": {"PORT": 1}},
        {"command": "x", "tool_timeout_sec": "5"},
        {"command": "x", "startup_timeout_sec": -1},
        {"command": "x", "enabled": "no"},
        {"command": "x", "default_tools_approval_mode": "always"},
        {"url": "https://example.com", "env": {"A": "b"}},
        {"url": "https://example.com", "args": []},
        {"url": "https://example.com", "cwd": "/"},
        {"url": "https://example.com", "bearer_token": "secret"},
        {"url": "https://example.com", "http_headers_helper": " "},
        {"url": "https://example.com", "auth": "basic"},
        {"url": "https://example.com", "oauth": {"callback_port": 70000}},
        {"url": "https://example.com", "omit_tools_from": ["menu"]},
        {"enabled": False},
        1,
    ],
)
def test_servers_that_stop_codex(server: Any) -> None:
    assert list(server_flaws(server))


@pytest.mark.parametrize(
    "server",
    [
        {"command": "x", "unknown": 1},
        {"command": ""},
        {"command": "x", "env_vars": ["A", {"name": "B", "source": "remote"}], "startup_timeout_ms": 500},
        {"url": ""},
        {"url": "https://example.com", "type": "http", "http_headers": {"A": "b"}, "scopes": ["read"]},
        {"url": "https://example.com", "oauth": {"client_id": "me", "callback_port": 80}, "tool_timeout_sec": 1.5},
    ],
)
def test_servers_that_codex_takes(server: Any) -> None:
    assert not list(server_flaws(server))


@pytest.mark.parametrize("path", [".codex/config.toml", "elsewhere/config.toml"])
def test_a_config_file_is_checked_as_codex_reads_it(path: str, tmp_path: Path) -> None:
    text = '[mcp_servers.docs]\nurl = "https://example.com"\nbearer_token = "secret"\n'
    result = checked(tmp_path, {path: text}, path)
    assert [(each.code, each.line) for each in result.diagnostics] == [("codex-server", 3)]


def test_a_server_of_a_workspace_is_checked_too(tmp_path: Path) -> None:
    tree: Tree = {
        ".codex/config.toml": '[mcp_servers.docs]\ncommand = "x"\nurl = "y"\n[mcp_servers."a b"]\ncommand = "x"\n'
    }
    assert sorted(codes(checked(tmp_path, tree))) == ["codex-server", "codex-server-name"]


def test_a_list_of_texts_and_tables_is_read(tmp_path: Path) -> None:
    text = '[mcp_servers.docs]\ncommand = "x"\nenv_vars = ["A", { name = "B", source = "far" }]\n'
    assert codes(checked(tmp_path, {".codex/config.toml": text}, ".codex/config.toml")) == ["codex-server"]


def test_a_server_of_a_plugin_may_say_its_type(tmp_path: Path) -> None:
    servers = {"docs": {"type": "http", "url": "https://example.com", "oauth": {"clientId": "me"}}}
    assert told(tmp_path, codex({".mcp.json": json.dumps({"mcpServers": servers})}), "codex") == (0, [])


def test_a_server_of_a_plugin_is_left_out_alone(tmp_path: Path) -> None:
    servers = {"docs": {"url": "https://example.com", "env": {}}, "fine": {"command": "x"}}
    result = checked(tmp_path, codex({".mcp.json": json.dumps(servers)}))
    assert codes(result) == ["codex-server"]


@pytest.mark.parametrize(
    "fields", [{"keywords": "a"}, {"version": 1}, {"interface": {"capabilities": "x"}}, {"name": None}]
)
def test_a_manifest_that_codex_does_not_read_costs_the_plugin(fields: dict[str, Any], tmp_path: Path) -> None:
    result = checked(tmp_path, codex({"skills/review/SKILL.md": SKILL}, **fields))
    assert "codex-manifest" in codes(result)
    assert "refused" in verdict(result, "review", "codex")


@pytest.mark.parametrize(
    "fields",
    [{"skills": "./skills/"}, {"mcpServers": "./.mcp.json"}, {"hooks": "./hooks/hooks.json"}, {"commands": "./more"}],
)
def test_a_path_that_leads_nowhere_is_passed_over(fields: dict[str, Any], tmp_path: Path) -> None:
    tree = codex({"README.md": ""}, **fields)
    assert codes(checked(tmp_path, tree)) == ["plugin-path-missing"]
    assert told(tmp_path, tree, "codex") == (0, [])


@pytest.mark.parametrize("paths", ["./other", ["./other", "./more"]])
def test_a_path_that_leads_nowhere_and_hides_the_fixed_place_is_an_error(paths: Any, tmp_path: Path) -> None:
    result = checked(tmp_path, codex({"skills/review/SKILL.md": SKILL}, skills=paths))
    assert set(codes(result)) == {"plugin-path"}
    assert "`skills` is not read" in result.diagnostics[0].message


def test_a_path_that_leads_nowhere_beside_the_fixed_place_costs_nothing(tmp_path: Path) -> None:
    result = checked(tmp_path, codex({"skills/review/SKILL.md": SKILL}, skills=["./other", "./skills"]))
    assert codes(result) == ["plugin-path-missing"]
    assert [each.name for each in result.targets[0].components] == ["review"]


def test_a_path_without_a_dot_is_left_out(tmp_path: Path) -> None:
    assert "plugin-path" in codes(checked(tmp_path, codex({"my/review/SKILL.md": SKILL}, skills="my")))


@pytest.mark.parametrize(
    ("header", "flaw"),
    [
        ("name: deploy\ndescription: Build for AWS: ECS", ""),
        ("description: Demo", ""),
        ("description: Demo\nargument-hint: <time: e.g. 7d>\ntags: [next,@scope/ssr]", ""),
        ("description: |-\n  Build: it\nargument-hint: <a: b>", ""),
        (f"description: {'d' * 5000}", ""),
        ("name: deploy", "the header has no `description`"),
        (f"name: {'n' * 65}\ndescription: Demo", "`name` has more than 64 characters"),
        ("description: [a]", "`description` must be text"),
        ("description: 'open", "the header is not valid YAML"),
    ],
)
def test_headers_of_skills(header: str, flaw: str) -> None:
    assert header_flaw(f"---\n{header}\n---\nBody\n") == flaw


@pytest.mark.parametrize("text", ["No header", "---\n---\nBody", "---\ndescription: Demo\n"])
def test_a_skill_needs_a_header(text: str) -> None:
    assert header_flaw(text) == "the file does not start with a `---` header"


@pytest.mark.parametrize(
    ("source", "fine"),
    [
        ("./box", True),
        ({"source": "local", "path": "./box"}, True),
        ({"source": "github", "repo": "a/b"}, False),
        (1, False),
    ],
)
def test_marketplaces(source: Any, fine: bool, tmp_path: Path) -> None:
    market = {"name": "market", "plugins": [{"name": "box", "source": source}]}
    files: Tree = {f"box/{PLUGIN}": '{"name": "box"}', ".agents/plugins/marketplace.json": json.dumps(market)}
    assert ("codex-marketplace" not in codes(checked(tmp_path, files, "."))) is fine
