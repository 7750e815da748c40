"""Calls of our own tools are judged by what they do, whatever other harnesses mean by the same names."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.hook_cases.codex_reviews import reviews
from tests.host.world import Answers, World

from pisces import Host
from pisces.discovery.tool_names import input_from, own_call
from pisces.gates.approval_mode import mode_verdict
from pisces.gates.judge import Gate
from pisces.gates.rulebook import ToolUse
from pisces.gates.tool_effects import effects_of
from pisces.shapes.events.tools import ToolCall, ToolResult
from pisces.shapes.session_facts import SessionFacts
from pisces.tools.workbench import FilesSeen, Workbench, own_tools


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path.resolve())
    made.write("a.txt", "one\n")
    made.write("src/b.txt", "two\n")
    made.write(".env", "KEY=secret\n")
    (tmp_path / "outside").mkdir()
    (made.cwd / "out").symlink_to(tmp_path / "outside")
    (made.cwd / "to_env").symlink_to(made.cwd / ".env")
    return made


async def nobody(_question: str, _options: object) -> None:
    return None


async def called(world: World, tool: str, given: dict[str, Any], answers: Answers, mode: str) -> ToolResult:
    hosts: list[Host] = []

    def may_read(path: str) -> bool:
        return hosts[0].rule_against(ToolCall("read", "", {"path": path})) is None

    bench = Workbench(world.places, lambda: world.places.cwd, tuple, nobody, FilesSeen(), may_read=may_read)
    async with Host.open(world.places, answers, tools=own_tools(bench), mode=mode) as host:
        hosts.append(host)
        return await host.call(tool, given)


def call(world: World, tool: str, given: dict[str, Any], answer: bool = True, mode: str = "ask") -> ToolResult:
    return asyncio.run(called(world, tool, given, Answers(answer), mode))


@pytest.mark.parametrize(
    ("tool", "given", "decisions"),
    [
        ("read", {"path": "a.txt"}, "allow allow allow"),
        ("read", {"path": "../x"}, "ask ask ask"),
        ("read", {"path": ".env"}, "ask ask ask"),
        ("read", {"path": "src/.env.local"}, "ask ask ask"),
        ("read", {"path": ".env.example"}, "allow allow allow"),
        ("read", {"path": "to_env"}, "ask ask ask"),
        ("grep", {"pattern": "x", "path": ".env"}, "ask ask ask"),
        ("shell", {"command": "cat .env"}, "ask ask deny"),
        ("shell", {"command": "cat < src/.netrc"}, "ask ask deny"),
        ("shell", {"command": "cat to_env"}, "ask ask deny"),
        ("read", {"path": "/etc/hosts"}, "ask ask ask"),
        ("read", {"path": "out/x"}, "ask ask ask"),
        ("list", {}, "allow allow allow"),
        ("list", {"path": "src"}, "allow allow allow"),
        ("list", {"path": "/etc"}, "ask ask ask"),
        ("glob", {"pattern": "**/*.py"}, "allow allow allow"),
        ("glob", {"pattern": "*", "path": "src"}, "allow allow allow"),
        ("glob", {"pattern": "*", "path": "/etc"}, "ask ask ask"),
        ("glob", {"pattern": "*", "path": "out"}, "ask ask ask"),
        ("glob", {"pattern": "../*"}, "ask ask ask"),
        ("grep", {"pattern": "x"}, "allow allow allow"),
        ("grep", {"pattern": "../x"}, "allow allow allow"),
        ("grep", {"pattern": "x", "path": ".."}, "ask ask ask"),
        ("write", {"path": "new", "content": ""}, "ask allow ask"),
        ("write", {"path": "out/new", "content": ""}, "ask ask ask"),
        ("write", {"path": ".git/hooks/x", "content": ""}, "ask ask deny"),
        ("write", {"path": ".pisces/settings.json", "content": ""}, "ask ask deny"),
        ("edit", {"path": "a.txt", "old": "one", "new": "two"}, "ask allow ask"),
        ("edit", {"path": "../a", "edits": [{"old": "one", "new": "two"}]}, "ask ask ask"),
        ("edit", {"path": ".envrc", "edits": [{"oldText": "one", "file_path": "a"}]}, "ask ask deny"),
        ("shell", {"command": "ls"}, "allow allow allow"),
        ("shell", {"command": "ls", "cwd": "src"}, "allow allow allow"),
        ("shell", {"command": "ls", "cwd": "/etc"}, "ask ask deny"),
        ("shell", {"command": "ls", "cwd": "out"}, "ask ask deny"),
        ("shell", {"command": "touch x"}, "ask allow deny"),
        ("shell", {"command": "touch x", "cwd": ".."}, "ask ask deny"),
        ("shell", {"command": "rm x", "tty": True}, "ask allow deny"),
        ("shell", {"command": "curl example.com"}, "ask ask deny"),
        ("fetch", {"url": "https://example.com"}, "ask ask deny"),
        ("todos", {"todos": []}, "allow allow allow"),
        ("ask_user", {"question": "x"}, "allow allow allow"),
        ("agent", {"name": "x", "prompt": "y"}, "allow allow deny"),
        ("TaskCreate", {"title": "x"}, "ask ask deny"),
        ("TaskUpdate", {"id": 1}, "ask ask deny"),
        ("TodoRead", {}, "ask ask deny"),
        ("SlashCommand", {"command": "/deploy"}, "ask ask deny"),
        ("ExitPlanMode", {"plan": "x"}, "ask ask deny"),
        ("ReadMcpResourceTool", {"uri": "x"}, "ask ask deny"),
    ],
)
def test_what_each_mode_makes_of_our_tools(world: World, tool: str, given: dict[str, Any], decisions: str) -> None:
    def decision(mode: str) -> str:
        facts = SessionFacts(str(world.cwd), str(world.cwd), str(world.home), mode=mode)
        return mode_verdict(ToolUse(ToolCall(tool, "1", given), facts, "")).decision

    assert [decision(mode) for mode in ("ask", "edits", "plan")] == decisions.split()
    assert decision("all") == "allow"


@pytest.mark.parametrize(
    ("tool", "given", "effects"),
    [
        (
            "fetch",
            {"url": "https://a.example/?u=http://b.example"},
            {"addresses": ("https://a.example/?u=http://b.example",)},
        ),
        ("shell", {"command": "ls", "cwd": "/etc"}, {"folder": "/etc"}),
        ("shell", {"command": ["ls"], "workdir": "/etc"}, {"folder": "/etc"}),
        ("glob", {"pattern": "*", "path": "/etc"}, {"reads": ("/etc",)}),
        ("glob", {"pattern": "*", "dir_path": "/etc"}, {"reads": ("/etc",)}),
        ("write", {"path": "x", "content": "*** Add File: y"}, {"writes": ("x",)}),
    ],
)
def test_the_effects_are_those_of_the_arguments(tool: str, given: dict[str, Any], effects: dict[str, Any]) -> None:
    found = effects_of(ToolCall(tool, "1", given))
    assert {name: getattr(found, name) for name in effects} == effects


@pytest.mark.parametrize(
    ("harness", "tool", "given", "own"),
    [
        ("codex", "shell", {"command": "ls", "cwd": "/x"}, {"command": "ls", "workdir": "/x"}),
        ("codex", "shell", {"command": ["ls"], "workdir": "/x"}, {"command": ["ls"], "workdir": "/x"}),
        ("gemini", "glob", {"pattern": "*", "path": "/x"}, {"pattern": "*", "dir_path": "/x"}),
        ("gemini", "glob", {"pattern": "*", "dir_path": "/x"}, {"pattern": "*", "dir_path": "/x"}),
        ("claude", "shell", {"command": "ls", "cwd": "/x"}, {"command": "ls", "cwd": "/x"}),
        (
            "claude",
            "edit",
            {"path": "a", "old": "b", "new": "c"},
            {"file_path": "a", "old_string": "b", "new_string": "c"},
        ),
    ],
)
def test_a_call_is_said_in_the_arguments_of_a_harness_and_back(
    harness: str, tool: str, given: dict[str, Any], own: dict[str, Any]
) -> None:
    assert own_call(harness, tool, given)[1] == own
    assert input_from(harness, tool, own, given) == given


CALLS = {
    "shell": {"command": "touch made"},
    "write": {"path": "made", "content": "x"},
    "edit": {"path": "a.txt", "old": "one", "new": "made"},
    "read": {"path": "a.txt"},
    "glob": {"pattern": "*.txt", "path": "src"},
    "grep": {"pattern": "one", "path": "."},
    "list": {"path": "src"},
    "fetch": {"url": "http://127.0.0.1:1/"},
}
SRC = json.dumps('"dir_path":"src"')
HookRow = tuple[str, str, str, str, dict[str, Any]]
HOOKS: list[HookRow] = [
    ("~/.claude/settings.json", "PreToolUse", "Bash", "shell", {"command": "touch made"}),
    ("~/.claude/settings.json", "PreToolUse", "Write", "write", {"file_path": "made", "content": "x"}),
    ("~/.claude/settings.json", "PreToolUse", "Edit|MultiEdit", "edit", {"file_path": "a.txt", "old_string": "one"}),
    ("~/.claude/settings.json", "PreToolUse", "Read", "read", {"file_path": "a.txt"}),
    ("~/.claude/settings.json", "PreToolUse", "Glob", "glob", {"pattern": "*.txt", "path": "src"}),
    ("~/.claude/settings.json", "PreToolUse", "Grep", "grep", {"pattern": "one"}),
    ("~/.claude/settings.json", "PreToolUse", "LS", "list", {"path": "src"}),
    ("~/.claude/settings.json", "PreToolUse", "WebFetch", "fetch", {"url": "http://127.0.0.1:1/"}),
    ("~/.gemini/settings.json", "BeforeTool", "run_shell_command", "shell", {"command": "touch made"}),
    ("~/.gemini/settings.json", "BeforeTool", "write_file", "write", {"file_path": "made", "content": "x"}),
    ("~/.gemini/settings.json", "BeforeTool", "replace", "edit", {"file_path": "a.txt", "new_string": "made"}),
    ("~/.gemini/settings.json", "BeforeTool", "read_file", "read", {"file_path": "a.txt"}),
    ("~/.gemini/settings.json", "BeforeTool", "glob", "glob", {"pattern": "*.txt", "dir_path": "src"}),
    ("~/.gemini/settings.json", "BeforeTool", "grep_search", "grep", {"pattern": "one", "dir_path": "."}),
    ("~/.gemini/settings.json", "BeforeTool", "list_directory", "list", {"dir_path": "src"}),
    ("~/.codex/hooks.json", "PreToolUse", "Bash", "shell", {"command": "touch made"}),
    ("~/.codex/hooks.json", "PreToolUse", "apply_patch", "write", {}),
    ("~/.codex/hooks.json", "PreToolUse", "apply_patch", "edit", {}),
]


@pytest.mark.parametrize("row", HOOKS, ids=lambda row: f"{row[0]}-{row[3]}")
def test_a_hook_of_each_dialect_denies_our_tool_by_its_own_name(
    world: World, row: tuple[str, str, str, str, dict[str, Any]]
) -> None:
    place, event, matcher, tool, seen = row
    heard = world.home / "heard.json"
    hook = {"type": "command", "command": f"cat > '{heard}'; echo 'not this one' >&2; exit 2"}
    world.write(place, json.dumps({"hooks": {event: [{"matcher": matcher, "hooks": [hook]}]}}))
    world.write("~/.codex/config.toml", reviews(world.places))
    denied = call(world, tool, CALLS[tool])
    assert denied.is_error
    assert "not this one" in denied.text
    assert not (world.cwd / "made").exists()
    given = json.loads(heard.read_text("utf-8"))["tool_input"]
    if event == "PreToolUse" and "file_path" in seen:  # Claude Code gives its hooks whole paths
        seen = {**seen, "file_path": str(world.cwd / seen["file_path"])}
    assert {**given, **seen} == given


def test_a_search_leaves_out_files_that_are_full_of_secrets(world: World) -> None:
    world.write("src/notes.txt", "KEY=not a secret\n")
    found = call(world, "grep", {"pattern": "KEY"}).text
    assert "notes.txt" in found
    assert "KEY=secret" not in found
    assert "KEY=secret" in call(world, "grep", {"pattern": "KEY", "path": ".env"}).text


def test_a_hook_that_changes_our_call_is_obeyed(world: World) -> None:
    answer = {"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": {"pattern": "b*", "dir_path": "src"}}}
    hook = {"type": "command", "command": f"echo '{json.dumps(answer)}'"}
    world.write(
        "~/.gemini/settings.json", json.dumps({"hooks": {"BeforeTool": [{"matcher": "glob", "hooks": [hook]}]}})
    )
    assert call(world, "glob", {"pattern": "*.txt", "path": "."}).text == "src/b.txt"


@pytest.mark.parametrize(
    ("place", "rules", "tool", "given"),
    [
        ("~/.claude/settings.json", {"deny": ["Bash(touch:*)"]}, "shell", {"command": "touch made"}),
        ("~/.claude/settings.json", {"deny": ["Read(./.env)"]}, "read", {"path": ".env"}),
        ("~/.claude/settings.json", {"deny": ["Read(./.env)"]}, "read", {"path": "src/../.env"}),
        ("~/.claude/settings.json", {"deny": ["Read(./.env)"]}, "grep", {"pattern": "KEY", "path": ".env"}),
        ("~/.claude/settings.json", {"deny": ["Edit(src/**)"]}, "write", {"path": "src/made", "content": "x"}),
        (
            "~/.claude/settings.json",
            {"deny": ["Edit(src/**)"]},
            "edit",
            {"path": "src/b.txt", "old": "two", "new": "x"},
        ),
        ("~/.claude/settings.json", {"deny": ["WebFetch(domain:127.0.0.1)"]}, "fetch", {"url": "http://127.0.0.1:1/"}),
        ("~/.gemini/policies/p.toml", 'toolName = "run_shell_command"', "shell", {"command": "touch made"}),
        ("~/.gemini/policies/p.toml", 'toolName = "write_file"', "write", {"path": "made", "content": "x"}),
        (
            "~/.gemini/policies/p.toml",
            'toolName = "glob"\nargsPattern = "\\"dir_path\\":\\"src"',
            "glob",
            CALLS["glob"],
        ),
        ("~/.codex/rules/a.rules", "touch", "shell", {"command": "touch made"}),
    ],
)
def test_a_rule_of_each_harness_denies_our_tool(
    world: World, place: str, rules: Any, tool: str, given: dict[str, Any]
) -> None:
    text = json.dumps({"permissions": rules})
    if place.endswith(".toml"):
        text = f'[[rule]]\n{rules}\ndecision = "deny"\npriority = 100\n'
    elif place.endswith(".rules"):
        text = f'prefix_rule(pattern=["{rules}"], decision="forbidden")\n'
    world.write(place, text)
    denied = call(world, tool, given)
    assert denied.is_error
    assert denied.denied_by
    assert not (world.cwd / "made").exists()
    assert "secret" not in denied.text


@pytest.mark.parametrize(
    ("rule", "tool", "given"),
    [
        ("Bash(touch:*)", "shell", {"command": "touch made"}),
        ("Write", "write", {"path": "made", "content": "x"}),
        ("Read(//etc/**)", "list", {"path": "/etc"}),
    ],
)
def test_a_rule_of_the_user_lets_our_tool_run_unasked(
    world: World, rule: str, tool: str, given: dict[str, Any]
) -> None:
    world.write("~/.claude/settings.json", json.dumps({"permissions": {"allow": [rule]}}))
    assert not call(world, tool, given, answer=False).is_error
    assert tool == "list" or (world.cwd / "made").exists()


def test_a_search_leaves_out_what_a_rule_hides(world: World) -> None:
    world.write("~/.claude/settings.json", json.dumps({"permissions": {"deny": ["Read(./.env)"]}}))
    world.write("b.py", "KEY = 1\n")
    found = call(world, "grep", {"pattern": "KEY"})
    why = "rules are against reading them, or they hold secrets"
    assert found.text == f"b.py\n1: KEY = 1\n[1 files are left out: {why}]"


def test_a_rule_for_one_folder_is_none_for_another(world: World) -> None:
    """`cwd` is part of what is judged: the same line elsewhere is asked about."""
    world.write("~/.claude/settings.json", json.dumps({"permissions": {"deny": ["Read(./.env)"]}}))
    assert call(world, "shell", {"command": "cat .env", "cwd": "."}).is_error
    assert call(world, "shell", {"command": "cat ../.env", "cwd": "src"}).is_error


def test_arguments_of_others_do_not_shift_what_is_judged(world: World) -> None:
    for more in ({"workdir": "."}, {"dir_path": "."}, {"cmd": "ls"}, {"file_path": "a.txt"}):
        refused = call(world, "shell", {"command": "touch made", "cwd": "..", **more})
        assert "do not fit" in refused.text
    assert not (world.home / "made").exists()


def test_a_path_that_leads_elsewhere_by_now_is_not_used(world: World, tmp_path: Path) -> None:
    """One call waits for its answer while another one moves a link."""
    bench = Workbench(world.places, lambda: world.places.cwd, tuple, nobody, FilesSeen())

    def approve(*_: Any) -> bool:
        (world.cwd / "later").symlink_to(tmp_path / "outside")
        return True

    async def body() -> list[ToolResult]:
        gates = [Gate("places", bench.seen.places.note, None)]
        async with Host.open(world.places, approve, tools=own_tools(bench), gates=gates) as host:
            given = {"path": "later/x", "content": "x"}
            return [await host.call("write", given), await host.call("read", {"path": "a.txt"})]

    refused, fine = asyncio.run(body())
    assert "leads elsewhere than when the call was judged" in refused.text
    assert not fine.is_error
    assert not (tmp_path / "outside/x").exists()


def test_output_that_was_too_long_may_be_read_unasked(world: World) -> None:
    shown = call(world, "shell", {"command": "seq 100000 | tail -n +1"})
    path = shown.details["file"]
    link = Path(f"{path}.link")
    try:
        assert "     1  1" in call(world, "read", {"path": path}, answer=False).text
        other = Path(path).with_name("other.txt")
        assert call(world, "read", {"path": str(other)}, answer=False).denied_by == "user"
        link = Path(path).with_name("pisces-output-link.txt")
        link.unlink(missing_ok=True)
        link.symlink_to("/etc/hosts")
        assert call(world, "read", {"path": str(link)}, answer=False).denied_by == "user"
        assert call(world, "write", {"path": path, "content": "x"}, answer=False, mode="edits").denied_by == "user"
    finally:
        Path(path).unlink()
        link.unlink(missing_ok=True)
