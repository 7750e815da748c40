"""MCP configuration files that belong to no harness."""

from __future__ import annotations

from pathlib import Path

from pisces.discovery.capabilities import MCP_SERVERS
from pisces.discovery.registry import Discovered, discover
from pisces.harnesses.mcp_json import HARNESS
from pisces.places import Places


def _found(folder: Path, **files: str) -> Discovered:
    for name, text in files.items():
        (folder / name.replace("dot_", ".").replace("_json", ".json")).write_text(text, encoding="utf-8")
    return discover(MCP_SERVERS, Places(str(folder / "home"), str(folder)), harnesses=[HARNESS])


def test_mcp_json_comes_before_its_hidden_twin(tmp_path: Path) -> None:
    found = _found(
        tmp_path,
        mcp_json='{"mcpServers": {"docs": {"command": "open"}}}',
        dot_mcp_json='{"mcpServers": {"docs": {"command": "hidden"}, "more": {"url": "https://example.com"}}}',
    )
    assert [(each.item.name, each.item.launch) for each in found.items] == [
        ("docs", "open"),
        ("more", "https://example.com"),
    ]
    assert {each.source.harness for each in found.items} == {"mcp-json"}


def test_a_broken_file_is_reported_at_its_line_and_the_other_one_is_read(tmp_path: Path) -> None:
    found = _found(tmp_path, mcp_json='{\n"mcpServers": {,}}', dot_mcp_json='{"mcpServers": {"a": {"command": "a"}}}')
    assert [each.item.name for each in found.items] == ["a"]
    (problem,) = found.diagnostics
    assert (problem.code, problem.line) == ("config-syntax", 2)


def test_one_bad_entry_does_not_take_another_down(tmp_path: Path) -> None:
    found = _found(
        tmp_path,
        mcp_json='{"mcpServers": {\n"text": "x",\n"empty": {},\n"off": {"command": "x", "disabled": true},\n'
        '"ok": {"command": "x"}}}',
    )
    assert [each.item.name for each in found.items] == ["ok"]
    assert [(each.code, each.line, each.about) for each in found.diagnostics] == [
        ("mcp-server-entry", 2, "text"),
        ("mcp-server-entry", 3, "empty"),
        ("mcp-server-off", 4, "off"),
    ]


def test_servers_that_are_no_object_are_reported_at_the_key(tmp_path: Path) -> None:
    (problem,) = _found(tmp_path, mcp_json='{\n "mcpServers": []}').diagnostics
    assert (problem.code, problem.line) == ("config-not-an-object", 2)


def test_nothing_is_said_where_there_is_nothing(tmp_path: Path) -> None:
    found = _found(tmp_path, mcp_json="{}")
    assert not found.items
    assert not found.diagnostics
