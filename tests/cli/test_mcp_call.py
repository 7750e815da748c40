"""`pisces mcp call` calls one tool past the gates, takes arguments as people type them, and says what to do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.world import SERVER, McpWorld

from pisces.cli._mcp_arguments import arguments_of, signature
from pisces.diagnostics import PiscesError

SUM = {"properties": {"a": {"type": "number"}, "text": {"type": "string"}, "any": {}}, "required": ["a"]}


@pytest.fixture
def world(tmp_path: Path) -> McpWorld:
    made = McpWorld(tmp_path)
    made.write("~/.gemini/settings.json", {"mcpServers": {"little": made.entry()}})
    return made


def test_without_a_tool_the_tools_are_listed_with_what_they_take(world: McpWorld) -> None:
    done = world.run("call", "little")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "add    a: number, b: number  The sum of two numbers.",
        "shout  [text]                Text in capitals.",
    ]
    assert [each["name"] for each in world.json("call", "little")["tools"]] == ["add", "shout"]


@pytest.mark.parametrize("given", [["a=1", "b=2"], ['{"a": 1, "b": 2}']])
def test_arguments_are_words_or_json(world: McpWorld, given: list[str]) -> None:
    done = world.run("call", "little", "add", *given, "--yes")
    assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr


def test_json_has_the_whole_result(world: McpWorld) -> None:
    answer = world.json("call", "little", "shout", "text=fish", "--yes")
    assert answer["content"] == [{"type": "text", "text": "FISH"}]
    assert (answer["is_error"], answer["denied_by"]) == (False, None)


def test_a_tool_that_fails_is_exit_1_and_its_text_is_on_stderr(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"little": world.entry("unknown-tool")}})
    done = world.run("call", "little", "add", "b=2", "--yes")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "`a` is missing" in done.stderr


def test_without_consent_a_tool_that_changes_things_is_not_called(world: McpWorld) -> None:
    done = world.run("call", "little", "shout", "text=x")
    assert done.returncode == 1
    assert "was not called" in done.stderr
    assert "--yes" in done.stderr
    assert "X" not in done.stdout


def test_a_rule_of_the_user_denies_though_yes_was_said(world: McpWorld) -> None:
    rule = '[[rule]]\ntoolName = "shout"\nmcpName = "little"\ndecision = "deny"\npriority = 900\n'
    world.write("~/.gemini/policies/no.toml", rule)
    done = world.run("call", "little", "shout", "text=x", "--yes")
    assert done.returncode == 1
    assert done.stdout == ""


def test_a_server_of_the_project_is_not_started_unasked(world: McpWorld) -> None:
    mark = world.project / "started"
    world.write(".mcp.json", {"mcpServers": {"theirs": {"command": "touch", "args": [str(mark)]}}})
    done = world.run("call", "theirs")
    assert done.returncode == 1
    assert "is not started, because nobody agreed" in done.stderr
    assert "--yes" in done.stderr
    assert not mark.exists()


def test_yes_starts_a_server_of_the_project_this_time_only(world: McpWorld) -> None:
    world.write(".mcp.json", {"mcpServers": {"theirs": world.entry()}})
    assert world.run("call", "theirs", "add", "a=1", "b=2", "--yes").stdout == "3\n"
    assert world.run("call", "theirs").returncode == 1


def test_in_safe_mode_nothing_is_called(world: McpWorld) -> None:
    done = world.run("call", "little", "add", "a=1", "b=2", "--yes", PISCES_SAFE="1")
    assert done.returncode == 1
    assert "safe" in done.stderr


def test_a_changed_description_is_not_called_though_yes_was_said(world: McpWorld) -> None:
    path = "~/.gemini/settings.json"
    script = world.write("~/server.py", Path(SERVER).read_text("utf-8"))
    world.write(path, {"mcpServers": {"little": {"command": sys.executable, "args": [str(script)]}}})
    assert world.run("call", "little", "add", "a=1", "b=2", "--yes").stdout == "3\n"
    script.write_text(script.read_text("utf-8").replace("The sum of two numbers.", "Adds, and more."), "utf-8")
    done = world.run("call", "little", "add", "a=1", "b=2", "--yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert "pisces mcp review little" in done.stderr
    assert world.run("call", "little", "shout", "text=x", "--yes").stdout == "X\n"


def test_a_server_that_dies_is_one_diagnostic_with_its_last_words(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"little": world.entry("dies")}})
    done = world.run("call", "little", "add", "a=1", "b=2", "--yes")
    assert done.returncode == 1
    assert "no database" in done.stderr
    assert "Traceback" not in done.stderr


def test_unknown_names_are_refused_with_the_nearest(world: McpWorld) -> None:
    assert "did you mean `little`?" in world.run("call", "litle").stderr
    assert "did you mean `add`?" in world.run("call", "little", "ad").stderr


def test_a_call_that_takes_too_long_is_given_up(world: McpWorld) -> None:
    world.write("~/.gemini/settings.json", {"mcpServers": {"little": world.entry("tools/call")}})
    done = world.run("call", "little", "add", "a=1", "b=2", "--yes", "--timeout", "0.5")
    assert done.returncode == 1
    assert "0.5 s" in done.stderr


def test_escapes_in_a_result_reach_no_terminal(world: McpWorld) -> None:
    done = world.run("call", "little", "shout", "text=a\x1b]0;owned\x07b", "--yes")
    assert "\x1b" not in done.stdout


def test_the_call_is_in_the_audit_log(world: McpWorld) -> None:
    world.run("call", "little", "add", "a=1", "b=2", "--yes")
    command = [sys.executable, "-m", "pisces", "audit", "--output-format", "json"]
    done = subprocess.run(command, cwd=world.project, env=world.env, capture_output=True, text=True, check=False)
    assert "little__add" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX terminals")
def test_at_a_terminal_the_call_is_asked_about_with_its_arguments(world: McpWorld) -> None:
    words = ["-m", "pisces", "mcp", "call", "little", "shout", "text=herring"]
    from tests.terminal import Terminal  # POSIX

    terminal = Terminal(words, world.project, world.env, (40, 120))
    terminal.wait_for("Call it?")
    assert "herring" in terminal.shown
    terminal.type(b"y\n")
    assert terminal.end() == 0
    assert "HERRING" in terminal.shown


WORDS: list[tuple[list[str], Any]] = [
    (["a=1"], {"a": 1}),
    (["text=1"], {"text": "1"}),
    (["any=true", "a=x"], {"any": True, "a": "x"}),
    (["text=a=b"], {"text": "a=b"}),
    (["any=[1, 2]"], {"any": [1, 2]}),
    ([' {"a": 1}'], {"a": 1}),
    ([], {}),
]


@pytest.mark.parametrize(("words", "given"), WORDS, ids=[" ".join(words) or "none" for words, _ in WORDS])
def test_words_are_read_by_the_schema(words: list[str], given: Any) -> None:
    assert arguments_of(words, SUM) == given


@pytest.mark.parametrize("words", [["word"], ["=1"], ["a=1", "a=2"], ["{"], ["[1]"]])
def test_what_is_no_argument_is_refused(words: list[str]) -> None:
    with pytest.raises(PiscesError):
        arguments_of(words, SUM)


def test_a_signature_has_required_arguments_first() -> None:
    assert signature(SUM) == "a: number, [text: string], [any]"
    assert signature(json.loads('{"properties": []}')) == ""
