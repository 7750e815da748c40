"""Which hooks of Codex and Gemini CLI fire: a mistake keeps the guard, and a project switches none off."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import Diagnostic
from pisces.gates.hooks.engine import HookSet
from pisces.gates.hooks.firing import HookCallbacks
from pisces.gates.hooks.found_hooks import found_hooks
from pisces.shapes.events import ToolCall
from pisces.shapes.request import ToolRequest
from pisces.shapes.verdict import Verdict
from tests.hook_cases.bare_case import BareCase
from tests.hook_cases.codex import Codex
from tests.hook_cases.gemini import Gemini

DENY = {"type": "command", "command": "echo NO >&2; exit 2"}


def group(*handlers: Any, matcher: str | None = None) -> dict[str, Any]:
    return {"hooks": list(handlers), **({} if matcher is None else {"matcher": matcher})}


def judged(case: BareCase, call: ToolCall) -> str:
    """What the hooks of a case say to a call: the reason of a denial, or nothing."""

    async def ask() -> str:
        hooks = HookSet(case.hooks(), case.facts, case.places.env)
        try:
            verdict = await hooks.judged(ToolRequest(call, str(case.work)), [])
            return verdict.why if isinstance(verdict, Verdict) else ""
        finally:
            await hooks.close()

    return asyncio.run(ask())


def codex(tmp_path: Path, **config: Any) -> BareCase:
    return BareCase(Codex, config, tmp_path)


def gemini(tmp_path: Path, **config: Any) -> BareCase:
    return BareCase(Gemini, config, tmp_path)


SHELL = ToolCall("exec_command", "1", {"cmd": "ls"})
READ = ToolCall("read_file", "1", {"file_path": "a"})


def test_a_hook_that_nobody_reviewed_in_codex_does_not_run_and_is_named(tmp_path: Path) -> None:
    case = codex(tmp_path, hooks={"PreToolUse": [group({"type": "command", "command": "touch ran"})]}, trust=False)

    assert judged(case, SHELL) == ""
    assert not (case.work / "ran").exists()
    found = found_hooks(case.places, case.trust).diagnostics
    assert [each.code for each in found] == ["hook-unreviewed"]
    assert found[0].path == str(case.home / ".codex" / "hooks.json")


def test_a_hook_that_changed_since_its_review_does_not_run(tmp_path: Path) -> None:
    case = codex(tmp_path, hooks={"PreToolUse": [group(DENY)]})
    assert "NO" in judged(case, SHELL)
    path = case.home / ".codex" / "hooks.json"
    path.write_text(path.read_text().replace("echo NO", "echo YES"))

    assert judged(case, SHELL) == ""


@pytest.mark.parametrize(
    "mistake",
    [
        {"type": "http", "url": "http://127.0.0.1:9"},
        {"type": "command", "command": "true", "timeout": 0.5},
        {"type": "command", "command": "true", "timeout": "5"},
        {"type": "command", "command": "true", "timeout": -1},
        {"type": "zzz", "command": "x"},
        {"type": "command"},
        5,
    ],
)
def test_a_mistake_in_a_file_of_codex_keeps_the_guard_beside_it(mistake: Any, tmp_path: Path) -> None:
    case = codex(tmp_path, hooks={"PreToolUse": [group(mistake, DENY, matcher="Bash")]})
    guard = next(each for each in case.hooks() if each.hook.command == DENY["command"])

    assert judged(case, SHELL) != ""
    assert (guard.rule, guard.is_narrowing) == (4, True)
    assert "hook-refused" in [each.code for each in found_hooks(case.places, case.trust).diagnostics]


@pytest.mark.parametrize(
    "mistake",
    [
        {"PreToolUse": [group(DENY, matcher="Bash")]},
        {"hooks": {"PreToolUse": group(DENY)}},
        {"hooks": {"PreToolUse": [{"type": "command", "command": "true"}]}},
        {"hooks": {"PreToolUse": [group({"type": "zzz"})]}},
    ],
)
def test_a_guard_of_codex_that_cannot_be_read_blocks_what_it_would_have_judged(mistake: Any, tmp_path: Path) -> None:
    case = codex(tmp_path, hooks_text=json.dumps(mistake))

    assert "this guard cannot be read" in judged(case, SHELL)


def test_a_guard_that_cannot_be_read_blocks_no_other_tools(tmp_path: Path) -> None:
    case = codex(tmp_path, hooks={"PreToolUse": [group({"type": "zzz"}, matcher="Bash")]})

    assert judged(case, ToolCall("view_image", "1", {"path": "x"})) == ""


def test_a_project_cannot_switch_off_the_hooks_of_the_user_in_codex(tmp_path: Path) -> None:
    off = {".codex/config.toml": "[features]\nhooks = false\n"}
    case = codex(tmp_path, hooks={"PreToolUse": [group(DENY)]}, files=off)

    assert "NO" in judged(case, SHELL)
    assert [each.rule for each in case.hooks()] == [5]


def test_the_user_can_switch_off_all_hooks(tmp_path: Path) -> None:
    off = {".codex/config.toml": "[features]\nhooks = false\n"}
    case = codex(tmp_path / "1", hooks={"PreToolUse": [group(DENY)]}, config="[features]\nhooks = false\n", files=off)
    assert judged(case, SHELL) == ""
    settings = {"hooks": {"BeforeTool": [group(DENY)]}, "hooksConfig": {"enabled": False}}
    both = gemini(tmp_path / "2", settings=settings, project_settings={"hooksConfig": {"enabled": False}})
    assert judged(both, READ) == ""


@pytest.mark.parametrize(
    "switch",
    [{"enabled": False}, {"disabled": ["guard"]}, {"disabled": [DENY["command"]]}],
)
def test_a_project_cannot_switch_off_the_hooks_of_the_user_in_gemini(switch: Any, tmp_path: Path) -> None:
    name = {} if DENY["command"] in switch.get("disabled", ()) else {"name": "guard"}
    settings = {"hooks": {"BeforeTool": [group({**DENY, **name})]}}
    case = gemini(tmp_path, settings=settings, project_settings={"hooksConfig": switch})

    assert "NO" in judged(case, READ)
    assert [each.rule for each in case.hooks()] == [5]


def test_the_users_own_guard_holds_in_a_folder_that_nobody_trusts(tmp_path: Path) -> None:
    settings = {"hooks": {"BeforeTool": [group(DENY)]}, "security": {"folderTrust": {"enabled": True}}}
    case = gemini(tmp_path, settings=settings)

    assert "NO" in judged(case, READ)


@pytest.mark.parametrize(
    "events",
    [
        {"BeforeTool": [DENY]},
        {"BeforeTool": [group({"type": "zzz", "command": "x"})]},
        {"BeforeTool": [group({"type": "command"})]},
        {"PreToolUse": [group(DENY, matcher="read_file")]},
        {"BeforeTool": "x"},
    ],
)
def test_a_guard_of_gemini_that_cannot_be_read_blocks_what_it_would_have_judged(events: Any, tmp_path: Path) -> None:
    assert "this guard cannot be read" in judged(gemini(tmp_path, settings={"hooks": events}), READ)


def test_hooks_of_an_extension_fire(tmp_path: Path) -> None:
    hooks = {"hooks": {"BeforeTool": [group({"type": "command", "command": "${extensionPath}/guard"})]}}
    files = {"hooks/hooks.json": hooks, "guard": "#!/bin/sh\necho NO >&2\nexit 2\n"}

    assert judged(gemini(tmp_path, extensions={"e": files}), READ) == "Tool execution blocked: NO"


SECRET = "*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+y\n*** Add File: .env\n+KEY=1\n*** End Patch\n"
MOVED = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: .env\n@@\n-x\n+y\n*** End Patch\n"
PYTHON = "import json,sys; sys.exit(2 if json.load(sys.stdin)['tool_input'].get('file_path') == '.env' else 0)"


@pytest.mark.parametrize("patch", [SECRET, MOVED])
def test_a_guard_of_files_sees_every_file_of_a_patch(patch: str, tmp_path: Path) -> None:
    guard = {"type": "command", "command": f'python3 -c "{PYTHON}"'}
    case = gemini(tmp_path, settings={"hooks": {"BeforeTool": [group(guard, matcher="write_file|replace")]}})

    assert judged(case, ToolCall("apply_patch", "1", {"input": patch})) != ""
    assert judged(case, ToolCall("apply_patch", "1", {"input": patch.replace(".env", "b.txt")})) == ""


def test_a_hook_cannot_change_one_file_of_several(tmp_path: Path) -> None:
    answer = json.dumps({"hookSpecificOutput": {"tool_input": {"file_path": "other", "content": "x"}}})
    change = {"type": "command", "command": f"printf '%s' '{answer}'"}
    case = gemini(tmp_path, settings={"hooks": {"BeforeTool": [group(change)]}})

    assert "one file of several" in judged(case, ToolCall("apply_patch", "1", {"input": SECRET}))


def test_a_hook_without_a_usable_answer_is_reported_once_with_its_file(tmp_path: Path) -> None:
    case = codex(tmp_path, hooks={"PreToolUse": [group({"type": "command", "command": "exit 1"})]})
    found: list[Diagnostic] = []

    async def ask_twice() -> None:
        hooks = HookSet(case.hooks(), case.facts, case.places.env, HookCallbacks(report=found.append))
        try:
            for _ in range(2):
                await hooks.judged(ToolRequest(SHELL, str(case.work)), [])
        finally:
            await hooks.close()

    asyncio.run(ask_twice())

    assert [(each.code, each.path) for each in found] == [("hook-failed", str(case.home / ".codex" / "hooks.json"))]
