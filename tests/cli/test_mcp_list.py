"""`pisces mcp list` has a row for every server of every harness, says what each needs, and starts nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.world import McpWorld

from pisces.cli.completion import candidates
from pisces.mcp.tokens import Grant, TokenStore
from pisces.places import Places

HEAVY = {"mcp", "mcp_types", "pydantic", "anyio", "httpx2", "asyncio", "subprocess", "socket", "ssl", "http"}
PROGRAM = """
import sys
from pisces.__main__ import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
sys.stderr.write("\\n" + " ".join(sorted(sys.modules)))
"""


@pytest.fixture
def world(tmp_path: Path) -> McpWorld:
    return McpWorld(tmp_path)


def rows(world: McpWorld, *words: str) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in world.json("list", *words)["servers"]}


def test_servers_of_several_harnesses_are_rows_with_their_transport(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"web": {"httpUrl": "https://example.com/mcp"}}})
    world.write("~/.codex/config.toml", '[mcp_servers.files]\ncommand = "files-server"\n')
    world.write("~/.claude.json", {"mcpServers": {"old": {"type": "sse", "url": "https://example.com/sse"}}})
    found = rows(world)
    assert {name: row["transport"] for name, row in found.items()} == {"web": "http", "files": "stdio", "old": "sse"}
    assert found["files"]["harnesses"] == {"codex": "active"}
    assert {row["state"] for row in found.values()} == {"active"}


def test_nothing_is_started_and_no_sdk_is_loaded(world: McpWorld) -> None:
    mark = world.home / "started"
    own = {"command": "touch", "args": [str(mark)]}
    world.write("~/.gemini/settings.json", {"mcpServers": {"own": own, "web": {"httpUrl": "http://127.0.0.1:9/mcp"}}})
    world.write(".mcp.json", {"mcpServers": {"theirs": own}})
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "mcp", "list"],
        cwd=world.project,
        env=world.env,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "own" in done.stdout
    assert not mark.exists()
    assert not HEAVY & loaded


def test_a_server_of_a_project_waits_and_the_row_says_what_to_do(world: McpWorld) -> None:
    world.write(".mcp.json", {"mcpServers": {"theirs": world.entry()}})
    row = rows(world)["theirs"]
    assert row["state"] == "waiting"
    assert row["reason"].startswith("asks before it starts")
    assert "pisces trust" in row["change"]


def test_a_floating_launch_is_named_with_the_command_that_pins_it(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"fs": {"command": "npx", "args": ["-y", "some-server"]}}})
    row = rows(world)["fs"]
    assert "some-server" in row["floating"]
    assert row["notes"][0]["hint"] == "`pisces mcp pin fs` runs one version"
    done = world.run("list")
    assert "hint: `pisces mcp pin fs` runs one version" in done.stdout
    assert "server-floats" not in done.stderr


def test_no_secret_is_shown_in_any_form(world: McpWorld) -> None:
    entry = {"command": "server", "args": ["--api-key", "s3cr3t-one"], "env": {"TOKEN": "s3cr3t-two"}}
    web = {"httpUrl": "https://me:s3cr3t-three@example.com/mcp?token=s3cr3t-four", "headers": {"X": "s3cr3t-five"}}
    world.write("~/.gemini/settings.json", {"mcpServers": {"a": entry, "b": web}})
    for words in (("list",), ("list", "--output-format", "json")):
        done = world.run(*words)
        assert "example.com" in done.stdout
        assert "s3cr3t" not in done.stdout + done.stderr


def test_what_cannot_be_started_is_a_row_with_its_reason(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"odd": {"note": 1}, "fine": world.entry()}})
    found = rows(world)
    assert found["odd"]["state"] == "invalid"
    assert found["fine"]["state"] == "active"
    assert world.run("list").returncode == 0


def test_a_server_that_is_switched_off_says_by_what(world: McpWorld) -> None:
    settings = {"mcpServers": {"off": world.entry()}, "mcp": {"excluded": ["off"]}}
    world.write("~/.gemini/settings.json", settings)
    row = rows(world)["off"]
    assert row["state"] == "off"
    assert row["reason"]


def test_in_safe_mode_no_server_is_ready(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"own": world.entry()}})
    found = world.json("list", PISCES_SAFE="1")["servers"]
    assert [each["state"] for each in found] == ["refused"]


def test_without_any_server_it_says_so(world: McpWorld) -> None:
    done = world.run("list")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no MCP server is configured here" in done.stderr


def test_escapes_in_a_name_reach_no_terminal(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"a\x1b[2Jb": world.entry()}})
    assert "\x1b" not in world.run("list").stdout


def test_a_name_that_is_a_command_line_is_quoted_in_what_people_paste(world: McpWorld) -> None:
    name = "x; touch owned"
    world.write("~/.gemini/settings.json", {"mcpServers": {name: {"command": "npx", "args": ["-y", "some-server"]}}})
    assert rows(world)[name]["notes"][0]["hint"] == "`pisces mcp pin 'x; touch owned'` runs one version"


def test_names_of_servers_are_completed(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"little": world.entry(), "odd name": world.entry()}})
    places = Places(str(world.home), str(world.project))
    assert candidates(["mcp", "test", "l"], places) == ["little"]
    assert candidates(["mcp", "test", "o"], places) == []


def test_what_is_remembered_of_a_server_is_counted_without_starting_it(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"little": world.entry()}})
    assert rows(world)["little"]["tools"] is None
    world.run("call", "little")
    row = rows(world)["little"]
    assert (row["tools"], row["held"]) == (2, 0)


def test_a_held_definition_is_named_with_the_command_that_reviews_it(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"little": world.entry("order")}})
    world.run("call", "little")
    row = rows(world)["little"]
    assert (row["tools"], row["held"]) == (1, 1)
    assert "pisces mcp review little" in row["notes"][0]["hint"]


def test_a_remote_server_says_whether_a_login_is_stored(world: McpWorld) -> None:
    address, other = "https://example.com/mcp", "https://example.org/mcp"
    entries = {"web": {"httpUrl": address}, "other": {"httpUrl": other, "oauth": {"enabled": True}}}
    world.write("~/.gemini/settings.json", {"mcpServers": entries})
    grant = Grant(
        address, "", "https://login.example.com", "client", "https://login.example.com/token", access="s3cr3t"
    )
    env = {**world.env, "PISCES_SECRETS_STORE": "plain"}
    TokenStore(Places(str(world.home), str(world.project), env)).put(grant, "web")
    done = world.run("list", "--output-format", "json")
    found = {each["name"]: each for each in json.loads(done.stdout)["servers"]}
    assert found["web"]["login"] == "logged in"
    assert found["other"]["login"] == "needs a login"
    assert found["other"]["notes"][0]["hint"] == "`pisces mcp login other`"
    assert "s3cr3t" not in done.stdout + done.stderr


def test_the_last_failed_start_is_said_until_it_starts_again(world: McpWorld) -> None:
    path = "~/.gemini/settings.json"
    world.write(path, {"mcpServers": {"little": world.entry("dies")}})
    world.run("call", "little")
    row = rows(world)["little"]
    assert "no database" in row["problem"]
    assert "pisces mcp test little" in row["notes"][0]["hint"]
    world.write(path, {"mcpServers": {"little": world.entry()}})
    world.run("call", "little")
    assert rows(world)["little"]["problem"] is None
