"""A hook keeps every field of its handler and of the group around it, in each dialect, and knows where it stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.by_name import export_of
from pisces.discovery.found import Found
from pisces.discovery.item_place import item_place
from pisces.shapes.hook import Hook, in_seconds
from tests.discovery.as_found import assert_placed, assert_read
from tests.discovery.claude_plugins import install
from tests.discovery.trusted import trusted_in_copilot, trusted_in_cursor
from tests.discovery.world import World

COMMON: dict[str, Any] = {
    "timeout": 30,
    "if": "Bash(git push:*)",
    "async": True,
    "asyncRewake": True,
    "rewakeMessage": "look again",
    "once": True,
    "statusMessage": "checking ...",
    "onFailure": "block",
    "description": "guards pushes",
    "x-unknown": {"kept": [1, None]},
}
COMMON_READ: dict[str, Any] = {
    "timeout": 30,
    "seconds": 30,
    "condition": "Bash(git push:*)",
    "is_async": True,
    "async_rewake": True,
    "rewake_message": "look again",
    "once": True,
    "status_message": "checking ...",
    "on_failure": "block",
    "description": "guards pushes",
    "matcher": "Bash",
    "group_index": 1,
    "index": 1,
}
CLAUDE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (
        {
            "type": "command",
            "command": "guard",
            "args": ["--push", "a b"],
            "shell": "bash",
            "env": {"MODE": "strict"},
            "cwd": "/srv",
        },
        {
            "command": "guard",
            "args": ("--push", "a b"),
            "shell": "bash",
            "env": {"MODE": "strict"},
            "cwd": "/srv",
            "url": "",
        },
    ),
    (
        {
            "type": "http",
            "url": "https://example.com/hook",
            "headers": {"X-Key": "$KEY"},
            "allowedEnvVars": ["KEY"],
        },
        {
            "command": "https://example.com/hook",
            "url": "https://example.com/hook",
            "headers": {"X-Key": "$KEY"},
            "allowed_env_vars": ("KEY",),
            "args": None,
        },
    ),
    (
        {"type": "mcp_tool", "server": "srv", "tool": "judge", "input": {"line": "${tool_input.command}"}},
        {"command": "judge", "server": "srv", "tool": "judge", "input": {"line": "${tool_input.command}"}},
    ),
    (
        {"type": "prompt", "prompt": "Is it safe?", "model": "haiku", "continueOnBlock": True},
        {"command": "Is it safe?", "prompt": "Is it safe?", "model": "haiku", "continue_on_block": True},
    ),
    ({"type": "agent", "prompt": "Look at it"}, {"command": "Look at it", "prompt": "Look at it"}),
]


def world_of(tmp_path: Path, harness: str) -> World:
    world = World(tmp_path, export_of("pisces.harnesses", harness, "HARNESS"))
    trusted_in_copilot(world)
    trusted_in_cursor(world)
    return world


def second_of(handler: dict[str, Any]) -> dict[str, Any]:
    """The handler as the second of the second group, with others of the same keys before it."""
    other = {"type": "command", "command": "other", "timeout": 1, "if": "Read"}
    groups = [{"matcher": "Read", "hooks": [other]}, {"matcher": "Bash", "sequential": True, "hooks": [other, handler]}]
    return {"hooks": {"Stop": [{"hooks": [other]}], "PreToolUse": groups}}


@pytest.mark.parametrize(("own", "read"), CLAUDE, ids=[own["type"] for own, _ in CLAUDE])
def test_a_hook_of_claude_code_keeps_every_field(tmp_path: Path, own: dict[str, Any], read: dict[str, Any]) -> None:
    world, handler = world_of(tmp_path, "claude"), {**own, **COMMON}
    file = world.project(".claude/settings.json", second_of(handler))
    found = world.found("hooks").items[-1]
    assert found.item.fields == handler
    assert found.item.group["matcher"] == "Bash"
    assert found.item.keys == ("hooks", "PreToolUse", 1, "hooks", 1)
    assert_read(found.item, {**COMMON_READ, **read, "type": own["type"], "event": "PreToolUse", "sequential": True})
    assert_placed(found, file.read_text())


def test_a_hook_of_a_plugins_manifest_has_its_place_there(tmp_path: Path) -> None:
    world = world_of(tmp_path, "claude")
    plugin = world.home / ".claude/plugins/cache/market/guard/1.0.0"
    manifest = world.user(
        str(plugin.relative_to(world.home) / ".claude-plugin/plugin.json"),
        {"name": "guard", "hooks": second_of({"type": "command", "command": "guard"})["hooks"]},
    )
    install(world.home, "guard@market", plugin)
    found = world.found("hooks").items[-1]
    assert found.item.keys == ("hooks", "PreToolUse", 1, "hooks", 1)
    assert_placed(found, manifest.read_text())


def test_a_hook_of_gemini_cli_counts_in_milliseconds_and_keeps_what_it_says_before_variables_are_filled_in(
    tmp_path: Path,
) -> None:
    world = world_of(tmp_path, "gemini")
    handler = {
        "type": "command",
        "command": "${extensionPath}/check.sh",
        "name": "check",
        "description": "checks writes",
        "timeout": 2500,
        "env": {"ROOT": "${extensionPath}"},
        "x-unknown": True,
    }
    group = {"matcher": "${extensionPath}|write", "sequential": True, "hooks": [{"type": "plugin"}, handler]}
    world.user(".gemini/extensions/kit/gemini-extension.json", {"name": "kit", "version": "1.0.0"})
    file = world.user(".gemini/extensions/kit/hooks/hooks.json", {"hooks": {"BeforeTool": [group]}})
    folder = str(world.home / ".gemini/extensions/kit")
    found = world.found("hooks").items[-1]
    assert found.item.fields == handler
    assert found.item.group == group
    assert_read(
        found.item,
        {
            "command": f"{folder}/check.sh",
            "matcher": f"{folder}|write",
            "name": "check",
            "description": "checks writes",
            "timeout": 2500,
            "seconds": 2.5,
            "sequential": True,
            "env": {"ROOT": "${extensionPath}"},
            "index": 1,
            "group_index": 0,
        },
    )
    assert_placed(found, file.read_text())


CODEX = {
    "type": "command",
    "command": "guard",
    "commandWindows": "guard.exe",
    "timeout": 5,
    "async": True,
    "statusMessage": "checking ...",
    "additionalContextLimit": 100,
    "x-unknown": "kept",
}
CODEX_READ = {
    "command": "guard",
    "command_windows": "guard.exe",
    "seconds": 5,
    "is_async": True,
    "status_message": "checking ...",
    "additional_context_limit": 100,
    "dialect": "codex",
    "group_index": 1,
    "index": 1,
}


def test_a_hook_of_codex_keeps_every_field_of_json(tmp_path: Path) -> None:
    world = world_of(tmp_path, "codex")
    file = world.user(".codex/hooks.json", second_of(CODEX))
    found = world.found("hooks").all[-1].found
    assert found.item.fields == CODEX
    assert_read(found.item, CODEX_READ)
    assert_placed(found, file.read_text())


def test_a_hook_of_codex_keeps_every_field_of_toml(tmp_path: Path) -> None:
    world = world_of(tmp_path, "codex")
    lines = [f"{json.dumps(key)} = {json.dumps(value)}" for key, value in CODEX.items()]
    group = '[[hooks.PreToolUse]]\nmatcher = "Bash"\n'
    other = '[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "other"\ntimeout = 1\n'
    text = "\n".join((group, other, group, other, "[[hooks.PreToolUse.hooks]]", *lines))
    file = world.user(".codex/config.toml", text)
    found = world.found("hooks").all[-1].found
    assert found.item.fields == CODEX
    assert_read(found.item, CODEX_READ)
    assert_placed(found, file.read_text())


def test_a_hook_of_cursor_keeps_every_field(tmp_path: Path) -> None:
    handler = {
        "command": "guard",
        "type": "command",
        "timeout": 7,
        "matcher": "Shell",
        "failClosed": True,
        "loop_limit": 3,
        "x-unknown": 1,
    }
    world = world_of(tmp_path, "cursor")
    file = world.project(
        ".cursor/hooks.json", {"version": 1, "hooks": {"beforeShellExecution": [{"command": "other"}, handler]}}
    )
    found = world.found("hooks").items[-1]
    assert found.item.fields == handler
    assert found.item.group == {}
    read = {"matcher": "Shell", "seconds": 7, "fail_closed": True, "loop_limit": 3, "index": 1, "group_index": 1}
    assert_read(found.item, {**read, "dialect": "cursor", "event": "beforeShellExecution"})
    assert_placed(found, file.read_text())


def test_a_hook_of_copilot_keeps_every_field(tmp_path: Path) -> None:
    handler = {
        "type": "command",
        "bash": "./guard.sh",
        "powershell": "./guard.ps1",
        "cwd": "scripts",
        "env": {"MODE": "strict"},
        "timeoutSec": 9,
        "comment": "guards",
        "x-unknown": 1,
    }
    world = world_of(tmp_path, "copilot")
    file = world.project(".github/hooks/guard.json", {"version": 1, "hooks": {"preToolUse": [handler]}})
    (found,) = world.found("hooks").items
    assert found.item.fields == handler
    read: dict[str, Any] = {
        "bash": "./guard.sh",
        "powershell": "./guard.ps1",
        "cwd": "scripts",
        "env": {"MODE": "strict"},
    }
    read |= {"command": "./guard.sh", "timeout": 9, "seconds": 9, "description": "guards", "index": 0}
    assert_read(found.item, read)
    assert_placed(found, file.read_text())


def test_a_group_in_a_flat_file_is_kept_beside_its_handlers(tmp_path: Path) -> None:
    world = world_of(tmp_path, "copilot")
    group = {"matcher": "bash", "hooks": [{"bash": "a"}, {"bash": "b", "matcher": "own"}, 5]}
    file = world.project(".github/hooks/guard.json", {"version": 1, "hooks": {"preToolUse": [{"bash": "x"}, group]}})
    _, first, second = (each for each in world.found("hooks").items)
    assert [first.item.fields, second.item.fields] == group["hooks"][:2]
    assert (first.item.group, second.item.group) == (group, group)
    assert (first.item.matcher, second.item.matcher) == ("bash", "own")
    assert (second.item.group_index, second.item.index) == (1, 1)
    assert_placed(second, file.read_text())
    assert world.problem("hooks", "flat-hook-shape").about == "preToolUse"


def test_a_hook_of_omp_is_its_file(tmp_path: Path) -> None:
    world = world_of(tmp_path, "omp")
    world.project(".omp/hooks/pre/bash.ts", "export default () => {}")
    (found,) = world.found("hooks").items
    assert_read(found.item, {"type": "module", "fields": {}, "group": {}, "keys": (), "index": 0, "group_index": 0})
    assert item_place(found) == (1, 1)


@pytest.mark.parametrize(("timeout", "seconds"), [(3, 3), (0, 0), (1.5, 1.5), ("3", None), (True, None), (None, None)])
def test_a_timeout_is_a_number_or_none(timeout: object, seconds: float | None) -> None:
    assert in_seconds(timeout) == seconds
    assert in_seconds(timeout, 0.001) == (seconds if seconds is None else seconds / 1000)


def test_a_place_is_that_of_the_file_as_it_is_now(tmp_path: Path) -> None:
    world = world_of(tmp_path, "claude")
    file = world.project(".claude/settings.json", second_of({"type": "command", "command": "guard"}))
    found: Found[Hook] = world.found("hooks").items[-1]
    line, column = item_place(found, "command")
    file.write_text("\n\n" + file.read_text())
    assert item_place(found, "command") == (line + 2, column)
    file.unlink()
    assert item_place(found, "command") == (0, 0)


def test_a_field_that_is_absent_stands_where_the_handler_does(tmp_path: Path) -> None:
    world = world_of(tmp_path, "claude")
    world.project(".claude/settings.json", second_of({"type": "command", "command": "guard"}))
    found = world.found("hooks").items[-1]
    assert item_place(found, "timeout") == item_place(found)
    assert item_place(found, "command")[0] > item_place(found)[0]
