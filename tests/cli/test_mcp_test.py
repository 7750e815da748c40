"""`pisces mcp test` finds the server that is meant, asks before it starts a foreign one, and says what is wrong."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest
from tests.mcp.world import SERVER, McpWorld


@pytest.fixture
def world(tmp_path: Path) -> McpWorld:
    return McpWorld(tmp_path)


def test_a_server_of_the_user_is_tested_by_its_name(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"little": world.entry()}})
    done = world.run("test", "little")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "broken" not in done.stdout
    assert "kept" in done.stdout


def test_a_command_line_behind_two_dashes_is_tested(world: McpWorld) -> None:
    done = world.run("test", "--", sys.executable, SERVER, "prints")
    assert done.returncode == 1
    assert "mcp-stdout" in done.stdout
    assert "'listening' is on stdout" in done.stdout


def test_warnings_alone_do_not_fail(world: McpWorld) -> None:
    done = world.run("test", "--", sys.executable, SERVER, "silent")
    assert done.returncode == 0
    assert re.search(r"broken +warning +mcp-tool-silent", done.stdout)


def test_json_has_every_rule_with_its_verdict_and_problems(world: McpWorld) -> None:
    done = world.run("test", "--output-format", "json", "--", sys.executable, SERVER, "twice")
    answer = json.loads(done.stdout)
    rules = {each["code"]: each for each in answer["rules"]}
    assert rules["mcp-tool-twice"]["verdict"] == "broken"
    assert "`shout`" in rules["mcp-tool-twice"]["problems"][0]["message"]
    assert rules["mcp-ping"]["verdict"] == "kept"
    assert rules["mcp-tool-call"]["why"] == "no tool is called unless `--call` names it"


def test_a_server_of_the_project_is_not_started_unasked(world: McpWorld) -> None:
    mark = world.project / "started"
    world.write(".mcp.json", {"mcpServers": {"theirs": {"command": "touch", "args": [str(mark)]}}})
    done = world.run("test", "theirs")
    assert done.returncode == 1
    assert "not started" in done.stderr
    assert "--yes" in done.stderr
    assert not mark.exists()


def test_yes_starts_a_server_of_the_project_this_time(world: McpWorld) -> None:
    world.write(".mcp.json", {"mcpServers": {"theirs": world.entry()}})
    assert world.run("test", "theirs", "--yes").returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX terminals")
@pytest.mark.parametrize(("typed", "code"), [("y", 0), ("n", 1)])
def test_at_a_terminal_the_exact_command_line_is_asked_about(world: McpWorld, typed: str, code: int) -> None:
    world.write(".mcp.json", {"mcpServers": {"theirs": world.entry(env={"TOKEN_NAME": "x"})}})
    from tests.terminal import Terminal  # POSIX

    terminal = Terminal(["-m", "pisces", "mcp", "test", "theirs"], world.project, world.env, (40, 120))
    terminal.wait_for("Start it?")
    assert SERVER in "".join(terminal.shown.split())
    assert "TOKEN_NAME" in terminal.shown
    terminal.type(f"{typed}\n".encode())
    assert terminal.end() == code


def test_safe_mode_starts_nothing_not_even_what_was_typed(world: McpWorld) -> None:
    done = world.run("test", "--", sys.executable, SERVER, PISCES_SAFE="1")
    assert done.returncode == 1
    assert "safe" in done.stderr


def test_a_name_that_nobody_has_is_refused_with_the_nearest(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"little": world.entry()}})
    done = world.run("test", "litle")
    assert done.returncode == 1
    assert "did you mean `little`?" in done.stderr


def test_one_word_is_never_taken_for_a_program(world: McpWorld) -> None:
    done = world.run("test", "true")
    assert done.returncode == 1
    assert "there is no MCP server `true`" in done.stderr


def test_the_only_server_of_a_named_package_needs_no_name_and_its_promises_are_checked(world: McpWorld) -> None:
    manifest = {"name": "kit", "version": "1.0.0", "mcpServers": {"little": world.entry()}}
    world.write("kit/gemini-extension.json", manifest)
    world.write("kit/commands/go.toml", 'prompt = "Call mcp_little_gone, then mcp_little_add."\n')
    done = world.run("test", "--package", "kit")
    assert done.returncode == 0, done.stderr
    assert f"kit{os.sep}commands{os.sep}go.toml:1:16: `mcp_little_gone` is named" in done.stdout


def test_arguments_that_are_no_object_are_refused_before_anything_starts(world: McpWorld) -> None:
    done = world.run("test", "--call", "add=[1]", "--", sys.executable, SERVER)
    assert done.returncode == 1
    assert "not a JSON object" in done.stderr


def test_a_called_tool_is_judged_by_its_result(world: McpWorld) -> None:
    call = 'add={"a": 1, "b": 2}'
    done = world.run("test", "--call", call, "--", sys.executable, SERVER, "structured-only")
    assert re.search(r"broken +warning +mcp-structured-only", done.stdout)


def test_one_that_does_not_start_is_said_once(world: McpWorld) -> None:
    done = world.run("test", "--", "no-such-program", "x")
    lines = [line for line in done.stdout.splitlines() if not line.startswith("kept")]
    assert [line.split()[2] for line in lines if line.startswith("broken")] == ["mcp-start"]
    assert "No such file or directory" in done.stdout
    assert "it does not start" not in done.stdout
    assert " skipped; " in done.stderr
