"""The `server.json` of the MCP registry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.checking.planting import checked, codes

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
PACKAGE = {"registryType": "npm", "identifier": "@me/docs", "version": "1.0.0", "transport": {"type": "stdio"}}
REMOTE = {"type": "streamable-http", "url": "https://example.com/mcp"}


def server(**fields: Any) -> str:
    usual = {"$schema": SCHEMA, "name": "io.github.me/docs", "description": "Finds documents", "version": "1.0.0"}
    return json.dumps({**usual, **fields})


@pytest.mark.parametrize("path", [".", "server.json"])
def test_every_offer_is_a_server(path: str, tmp_path: Path) -> None:
    result = checked(tmp_path, {"server.json": server(packages=[PACKAGE], remotes=[REMOTE])}, path)
    targets = [target for target in result.targets if target.kind == "file"]
    assert [each.kind for each in targets[0].components] == ["mcp-servers"]
    assert codes(result) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "docs"},
        {"description": "d" * 101},
        {"version": "^1.0.0"},
        {"version": "latest"},
        {"packages": [{**PACKAGE, "transport": {"type": "sse"}}]},
        {"packages": [{"registryType": "npm"}]},
        {"remotes": [{"type": "stdio", "url": "https://example.com"}]},
        {"remotes": [{"type": "sse", "url": "example.com"}]},
        {"packages": [{**PACKAGE, "environmentVariables": [{"description": "no name"}]}]},
        {"packages": [{**PACKAGE, "fileSha256": "abc"}]},
    ],
)
def test_what_the_registry_does_not_take(fields: dict[str, Any], tmp_path: Path) -> None:
    assert "registry-server" in codes(checked(tmp_path, {"server.json": server(**fields)}, "server.json"))


def test_another_file_of_that_name_is_left_alone(tmp_path: Path) -> None:
    assert codes(checked(tmp_path, {"server.json": '{"port": 80}', ".gemini/settings.json": "{}"}, ".")) == []
