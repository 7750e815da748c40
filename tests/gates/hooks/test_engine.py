"""Answers of several hooks become one verdict; what each kind of event makes of them."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pisces.discovery import capabilities
from pisces.discovery.registry import discover
from pisces.gates.hooks.header_hooks import header_hooks, inside_agent
from pisces.gates.hooks.run_callback import ModelQuestion
from pisces.gates.hooks.stop_limit import ENDED, MOST
from pisces.places import Places
from pisces.shapes.events import (
    BeforeModelSwitch,
    Input,
    Notification,
    PermissionAsked,
    SessionBeforeCompact,
    SessionStart,
    SessionStop,
    SubagentStop,
    ToolBatch,
    ToolCall,
    ToolResult,
)
from pisces.shapes.note import CONTEXT, MESSAGE, STOP
from pisces.shapes.request import TOOL, ToolRequest
from pisces.shapes.verdict import Judged

from .session import ALLOW, ASK, DENY, Session, emitted, hook, judged, printed, verdict_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.gates.hooks.dialect import LoadedHook

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="hooks run by /bin/sh here")

RESULT = ToolResult("Bash", "c1", {"command": "x"}, ({"type": "text", "text": "hi"},))


def rewriting(command: str, decision: str = "allow") -> str:
    inner = {"hookEventName": "PreToolUse", "permissionDecision": decision, "updatedInput": {"command": command}}
    return printed(json.dumps({"hookSpecificOutput": inner}))


def asked_answer(behavior: str, **more: Any) -> str:
    inner = {"hookEventName": "PermissionRequest", "decision": {"behavior": behavior, **more}}
    return printed(json.dumps({"hookSpecificOutput": inner}))


@pytest.mark.parametrize(
    ("commands", "decision"),
    [
        ((ALLOW,), "allow"),
        ((ALLOW, ASK), "ask"),
        ((f"sleep 0.2; {DENY}", ALLOW), "deny"),
        ((DENY, f"sleep 0.2; {ALLOW}"), "deny"),
        ((ASK, "exit 1"), "deny"),
        ((ALLOW, "exit 1"), "deny"),
        (("true",), ""),
        (("echo checked",), ""),
        (("echo starting; exit 0", ALLOW), "allow"),
    ],
)
def test_deny_beats_ask_beats_allow_whoever_comes_first(
    commands: tuple[str, ...], decision: str, tmp_path: Path
) -> None:
    hooks = [hook(command, number=number) for number, command in enumerate(commands)]
    assert judged(tmp_path, *hooks) == decision


def test_what_a_project_brings_cannot_allow_but_can_ask_and_deny(tmp_path: Path) -> None:
    assert judged(tmp_path, hook(ALLOW, is_narrowing=True)) == ""
    assert judged(tmp_path, hook(ASK, is_narrowing=True)) == "ask"
    assert judged(tmp_path, hook(DENY, is_narrowing=True)) == "deny"
    assert judged(tmp_path, hook(ALLOW, is_narrowing=True), hook(f"true; {ALLOW}", number=1)) == "allow"


def test_a_failure_is_no_obstacle_where_the_hook_says_so(tmp_path: Path) -> None:
    assert judged(tmp_path, hook("exit 1", onFailure="continue")) == ""
    assert judged(tmp_path, hook("exit 2", onFailure="continue")) == "deny"
    assert judged(tmp_path, hook("exit 1", onFailure="block")) == "deny"
    assert judged(tmp_path, hook("exit 1", onFailure="continue"), hook("exit 1", number=1)) == "deny"


def test_a_rewrite_is_judged_again_by_every_hook(tmp_path: Path) -> None:
    guard = hook("grep -q 'rm ' && exit 2; exit 0")
    assert judged(tmp_path, guard, hook(rewriting("rm -rf x"), number=1)) == "deny"
    assert judged(tmp_path, guard, hook(rewriting("ls"), number=1)) == "allow"


def test_the_changed_call_comes_with_its_verdict(tmp_path: Path) -> None:
    async def play() -> Any:
        session = Session(tmp_path, hook(rewriting("ls", "ask")))
        return await session.judge()

    answer = asyncio.run(play())
    assert isinstance(answer, Judged)
    assert isinstance(answer.request, ToolRequest)
    assert (answer.request.call.input, answer.verdict.decision) == ({"command": "ls"}, "ask")


def test_two_different_rewrites_deny_and_two_equal_ones_do_not(tmp_path: Path) -> None:
    assert judged(tmp_path, hook(rewriting("ls")), hook(rewriting("pwd"), number=1)) == "deny"
    assert judged(tmp_path, hook(rewriting("ls")), hook(f": ; {rewriting('ls')}", number=1)) == "allow"


def test_a_rewrite_that_never_settles_is_denied_after_a_bounded_number_of_rounds(tmp_path: Path) -> None:
    grows = "import json, sys; c = json.load(sys.stdin)['tool_input']['command'] + ' x'; " + (
        "print(json.dumps({'hookSpecificOutput': {'hookEventName': 'PreToolUse', 'updatedInput': {'command': c}}}))"
    )

    async def play() -> tuple[str, int]:
        session = Session(tmp_path, hook(f'{sys.executable} -c "{grows}"'))
        verdict = await verdict_of(session)
        return (verdict.decision if verdict else ""), len(session.runs)

    assert asyncio.run(play()) == ("deny", 4)


def test_the_same_command_runs_once_and_the_stricter_of_the_two_counts(tmp_path: Path) -> None:
    line = "echo x >> n; exit 1"
    twins = hook(line, is_narrowing=True, onFailure="continue"), hook(line, number=1)
    assert judged(tmp_path, *twins) == "deny"
    assert (tmp_path / "n").read_text() == "x\n"


def test_a_guard_in_the_background_is_waited_for(tmp_path: Path) -> None:
    assert judged(tmp_path, hook("sleep 0.2; exit 2", event="PreToolUse", matcher=None, **{"async": True})) == "deny"
    assert judged(tmp_path, hook("sleep 0.2; exit 2", asyncRewake=True)) == "deny"
    assert judged(tmp_path, hook("echo '{\"async\": true}'; sleep 0.2; exit 2")) == "deny"
    assert judged(tmp_path, hook(f"echo '{{\"async\": true}}'; sleep 0.1; {DENY}")) == "deny"


def test_a_matcher_that_cannot_be_read_fires_for_every_tool(tmp_path: Path) -> None:
    for matcher in ("(?i)bash", "[", 5, ["Bash"], "Bash(echo *)"):
        assert judged(tmp_path, hook("exit 2", matcher=matcher)) == "deny", matcher
    for matcher in ("Write", "bash", "Ba-sh", "^Write$", "Write(x)"):
        assert judged(tmp_path, hook("exit 2", matcher=matcher)) == "", matcher


@pytest.mark.parametrize("tool", ["run_shell_command", "exec_command", "bash", "write_stdin", "Bash"])
def test_a_guard_of_bash_sees_every_way_to_a_shell(tool: str, tmp_path: Path) -> None:
    argument = {"exec_command": "cmd", "write_stdin": "chars"}.get(tool, "command")

    async def play() -> tuple[str, Mapping[str, Any]]:
        session = Session(tmp_path, hook("grep -q 'rm -rf' && exit 2; exit 0", matcher="Bash"))
        request = ToolRequest(ToolCall(tool, "c1", {argument: "rm -rf x\n"}), str(tmp_path))
        verdict: Any = await session.hooks.judged(request, [])
        return verdict.decision, session.runs[0].payload

    decision, payload = asyncio.run(play())
    assert decision == "deny"
    assert payload["tool_name"] == "Bash"
    assert payload["tool_input"]["command"].strip() == "rm -rf x"


def test_a_condition_fires_for_each_part_of_a_line_and_for_what_cannot_be_read(tmp_path: Path) -> None:
    fires = ("rm x", "echo a && rm x", "echo $(rm x)", "A=1 rm x", "'rm' x", "echo a | rm x", "echo a\nrm x", "`rm x`")
    for line in fires:
        assert judged(tmp_path, hook("exit 2", **{"if": "Bash(rm *)"}), command=line) == "deny", line
    for line in (
        "timeout 5 rm x",
        "sh -c 'rm x'",
        "/bin/rm x",
        "env A=1 rm x",
        "X=rm; $X x",
        "eval 'rm x'",
        "echo 'rm",
    ):
        assert judged(tmp_path, hook("exit 2", **{"if": "Bash(rm *)"}), command=line) == "deny", line
    for line in ("echo hi", "rmdir x", "ls rm"):
        assert judged(tmp_path, hook("exit 2", **{"if": "Bash(rm:*)"}), command=line) == "", line
    assert judged(tmp_path, hook("exit 2", **{"if": "Bash(rm"})) == "deny"
    assert judged(tmp_path, hook("exit 2", **{"if": "Write(*)"})) == ""


def test_a_question_can_be_answered_by_a_hook_of_the_user_and_any_denial_wins(tmp_path: Path) -> None:
    asked = PermissionAsked(TOOL, "Bash", {"command": "touch x"})
    allow, deny = asked_answer("allow"), asked_answer("deny", message="M")

    def decided(*commands: str, **more: Any) -> tuple[str, str]:
        hooks = [hook(each, "PermissionRequest", number=number, **more) for number, each in enumerate(commands)]
        event = emitted(tmp_path, asked, *hooks)
        return event.decision, event.reason

    assert decided(allow) == ("allow", "")
    assert decided(allow, f"sleep 0.2; {deny}") == ("deny", "M")
    assert decided(allow, is_narrowing=True) == ("", "")
    assert decided(deny, is_narrowing=True) == ("deny", "M")
    assert decided("exit 1") == ("", "")
    assert decided(f"{allow}; exit 1") == ("", ""), "a hook that failed has not answered"
    assert decided(asked_answer("deny")) == ("deny", "Permission denied by PermissionRequest hook")


def test_a_question_about_something_else_than_a_tool_is_no_event_of_these_hooks(tmp_path: Path) -> None:
    event = emitted(tmp_path, PermissionAsked("hook"), hook(asked_answer("allow"), "PermissionRequest"))
    assert event.decision == ""


def test_a_prompt_is_blocked_by_a_refusal_and_by_a_crash(tmp_path: Path) -> None:
    def said(command: str, **more: Any) -> Any:
        return emitted(tmp_path, Input("go"), hook(command, "UserPromptSubmit", **more))

    assert said("exit 2").reason == (
        "UserPromptSubmit operation blocked by hook:\n[exit 2]: No stderr output\n\nOriginal prompt: go"
    )
    assert said("exit 1").blocked
    assert said("sleep 5", timeout=0.2).blocked
    assert said(printed('{"continue": false, "stopReason": "S"}')).reason == "Operation stopped by hook: S"
    assert [note.text for note in said("echo C").notes] == ["UserPromptSubmit hook success: C"]


def test_a_session_starts_with_what_hooks_say_and_never_stops_for_them(tmp_path: Path) -> None:
    inner = '{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "A"}}'
    started = emitted(
        tmp_path,
        SessionStart(),
        hook("echo P", "SessionStart"),
        hook(printed(inner), "SessionStart", number=1),
        hook("exit 2", "SessionStart", number=2),
        hook("echo R", "SessionStart", "resume", number=3),
    )
    assert [note.text for note in started.notes] == [
        "SessionStart:startup hook success: P",
        "SessionStart hook additional context: A",
    ]


def test_variables_that_a_hook_leaves_are_in_a_file_until_the_session_ends(tmp_path: Path) -> None:
    async def play() -> tuple[str, Path]:
        session = Session(tmp_path, hook("echo 'export FOO=bar' >> \"$CLAUDE_ENV_FILE\"", "SessionStart"))
        await session.hooks.emit(SessionStart())
        file = Path(session.hooks.env_files[0])
        text = file.read_text()
        await session.hooks.close()
        return text, file

    text, file = asyncio.run(play())
    assert text == "export FOO=bar\n"
    assert not file.parent.exists()


def test_a_hook_that_leaves_no_variables_leaves_no_file_to_source(tmp_path: Path) -> None:
    async def play() -> tuple[str, ...]:
        session = Session(tmp_path, hook("true", "SessionStart"))
        await session.hooks.emit(SessionStart())
        left = session.hooks.env_files
        await session.hooks.close()
        return left

    assert asyncio.run(play()) == ()


@pytest.mark.parametrize("command", [["sh", "-c", "exit 0"], 5, {"run": "true"}])
def test_a_guard_whose_command_is_no_text_denies_by_itself(command: Any, tmp_path: Path) -> None:
    async def why(*hooks: LoadedHook) -> str:
        session = Session(tmp_path, *hooks)
        verdict = await verdict_of(session)
        await session.hooks.close()
        assert verdict is not None
        assert verdict.decision == "deny"
        return verdict.why

    bad, good = hook("true"), hook("echo NO >&2; exit 2", number=1)
    bad = bad.replace(hook=bad.hook.replace(command=command))
    assert "`command` must be text" in asyncio.run(why(bad))
    assert "NO" in asyncio.run(why(bad, good)), "what the model hears is the denial of the guard that works"


def test_a_result_is_replaced_only_in_the_shape_of_its_tool(tmp_path: Path) -> None:
    def replaced(value: Any, event: ToolResult = RESULT, key: str = "updatedToolOutput") -> str:
        inner = json.dumps({"hookSpecificOutput": {"hookEventName": "PostToolUse", key: value}})
        text: str = emitted(tmp_path, event, hook(printed(inner), "PostToolUse")).text
        return text

    assert replaced({"stdout": "R", "stderr": ""}) == "R"
    assert replaced("R") == "hi"
    assert replaced({"other": "R"}) == "hi"
    assert replaced("R", RESULT.replace(server="srv"), "updatedMCPToolOutput") == "R"
    assert replaced("R", RESULT, "updatedMCPToolOutput") == "hi"


def test_a_result_whose_shape_has_objects_and_lists_in_it_is_replaced(tmp_path: Path) -> None:
    event = RESULT.replace(details={"type": "text", "file": {"content": "hi", "lines": [1]}, "more": ["a"]})
    changed = {"type": "text", "file": {"content": "R", "lines": [1]}, "more": []}
    inner = json.dumps({"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": changed}})
    after = emitted(tmp_path, event, hook(printed(inner), "PostToolUse"))
    assert (after.text, after.details) == ("R", changed)


def test_feedback_after_a_tool_is_told_and_the_result_stays(tmp_path: Path) -> None:
    after = emitted(tmp_path, RESULT, hook("echo F >&2; exit 2", "PostToolUse"))
    assert after.text == "hi"
    assert [note.text for note in after.notes] == [
        'PostToolUse:Bash hook blocking error from command: "echo F >&2; exit 2": [echo F >&2; exit 2]: F\n'
    ]
    failed = emitted(tmp_path, RESULT.replace(is_error=True), hook("exit 2", "PostToolUse"))
    assert not failed.notes, "that is another event"


def test_a_batch_is_ended_by_a_refusal_and_not_by_a_crash(tmp_path: Path) -> None:
    assert emitted(tmp_path, ToolBatch(), hook("exit 2", "PostToolBatch")).blocked
    assert not emitted(tmp_path, ToolBatch(), hook("exit 1", "PostToolBatch")).blocked


def test_compaction_and_a_switch_of_models_are_cancelled_by_a_refusal_and_a_crash(tmp_path: Path) -> None:
    block = printed('{"decision": "block", "reason": "R"}')
    compact = emitted(tmp_path, SessionBeforeCompact(), hook(block, "PreCompact"))
    assert compact.reason == f"Compaction blocked by PreCompact hook: [{block}]: R"
    assert emitted(tmp_path, SessionBeforeCompact(), hook("exit 1", "PreCompact")).cancelled
    assert emitted(tmp_path, BeforeModelSwitch("m"), hook("exit 2", "PreModelSwitch")).cancelled


def test_a_stop_is_blocked_and_a_wish_to_stop_beats_that(tmp_path: Path) -> None:
    stop = SessionStop(last_message="done")
    blocked = emitted(tmp_path, stop, hook("echo GO >&2; exit 2", "Stop"))
    assert (blocked.blocked, blocked.reason) == (True, "Stop hook feedback:\n[echo GO >&2; exit 2]: GO\n")
    both = printed('{"continue": false, "stopReason": "S", "decision": "block", "reason": "GO"}')
    ended = emitted(tmp_path, stop, hook(both, "Stop"))
    assert not ended.blocked
    assert [(note.kind, note.text) for note in ended.notes] == [(STOP, "S")]
    assert not emitted(tmp_path, stop, hook("exit 1", "Stop")).blocked, "a crash must not keep the agent going"
    context = printed('{"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "C"}}')
    assert emitted(tmp_path, stop, hook(context, "Stop")).goes_on


def test_a_stop_hook_that_always_blocks_is_ended(tmp_path: Path) -> None:
    async def play(event: Any, name: str) -> list[bool]:
        session = Session(tmp_path, hook("exit 2", name))
        blocked = []
        for _ in range(MOST + 1):
            after = await session.hooks.emit(event)
            blocked.append(after.blocked)
            if not after.blocked:
                assert [note.text for note in after.notes if note.kind == MESSAGE] == [ENDED]
        return blocked

    for event, name in ((SessionStop(), "Stop"), (SubagentStop("a1"), "SubagentStop")):
        assert asyncio.run(play(event, name)) == [True] * (MOST - 1) + [False, True], "then it counts anew"


def test_a_hook_that_asks_to_be_heard_later_is(tmp_path: Path) -> None:
    async def play() -> list[str]:
        late = hook("echo LATE >&2; exit 2", "Notification", asyncRewake=True)
        session = Session(tmp_path, late)
        await session.hooks.emit(Notification("n"))
        while not session.runs:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0)
        notes = session.hooks.late_notes()
        assert not session.hooks.late_notes()
        await session.hooks.close()
        return [note.text for note in notes if note.kind == CONTEXT]

    assert "LATE" in asyncio.run(play())[0]


def test_a_hook_of_a_skill_that_runs_once_runs_once_unless_it_refuses(tmp_path: Path) -> None:
    async def play(command: str, path: str) -> int:
        session = Session(tmp_path, hook(command, once=True, path=path))
        for _ in range(2):
            await verdict_of(session)
        return len(session.runs)

    assert asyncio.run(play("true", "/s/SKILL.md")) == 1
    assert asyncio.run(play("exit 2", "/s/SKILL.md")) == 2
    assert asyncio.run(play("true", "/settings.json")) == 2


def test_a_model_is_asked_through_the_callback_and_is_missed_by_name(tmp_path: Path) -> None:
    questions: list[ModelQuestion] = []

    def answering(text: str) -> Any:
        async def complete(question: ModelQuestion) -> str:
            questions.append(question)
            return text

        return complete

    def decided(text: str | None, **fields: Any) -> str:
        judge = hook("Judge $ARGUMENTS", type="prompt", prompt="Judge $ARGUMENTS", **fields)
        return judged(tmp_path, judge, complete=None if text is None else answering(text))

    assert decided('{"ok": true}') == "", "an ok is no allow"
    assert json.loads(questions[0].prompt.removeprefix("Judge "))["tool_name"] == "Bash"
    assert decided('{"ok": false, "reason": "R"}') == "deny"
    assert decided("as you like") == "deny"
    assert decided(None) == "deny"

    async def play() -> str:
        session = Session(tmp_path, hook("Judge", type="agent", prompt="Judge"))
        await verdict_of(session)
        return session.reported[0].message

    assert "needs a model" in asyncio.run(play())


def test_a_tool_of_a_server_is_called_with_parts_of_the_event(tmp_path: Path) -> None:
    called: list[tuple[str, str, Mapping[str, Any]]] = []

    async def call_tool(server: str, tool: str, given: Mapping[str, Any]) -> str:
        called.append((server, tool, given))
        return '{"decision": "block", "reason": "R"}'

    guard = hook("t", type="mcp_tool", server="srv", tool="t", input={"text": "${tool_input.command}", "n": [1]})
    assert judged(tmp_path, guard, call_tool=call_tool) == "deny"
    assert called == [("srv", "t", {"text": "echo hi", "n": [1]})]
    assert judged(tmp_path, guard) == "deny", "without a server it cannot be asked"

    async def fails(*_given: Any) -> str:
        raise RuntimeError("gone")

    assert judged(tmp_path, guard, call_tool=fails) == "deny"


def test_a_guard_that_cannot_be_read_blocks_what_it_would_have_judged(tmp_path: Path) -> None:
    broken = hook("", matcher="Bash", type="unreadable", flaw="it has no type", onFailure="continue")
    assert judged(tmp_path, broken) == "deny"
    assert judged(tmp_path, hook("", matcher="Write", type="unreadable", flaw="it has no type")) == ""


def test_a_hook_of_an_unknown_type_blocks(tmp_path: Path) -> None:
    assert judged(tmp_path, hook("x", type="telepathy")) == "deny"


def test_hooks_see_the_current_folder_and_the_subagent(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()

    async def play() -> Mapping[str, Any]:
        session = Session(tmp_path, hook("pwd > seen"))
        session.cwd = str(tmp_path / "sub")
        await session.judge(agent="explorer", agent_id="a1")
        return session.runs[0].payload

    payload = asyncio.run(play())
    assert (tmp_path / "sub" / "seen").read_text().strip() == str(tmp_path / "sub")
    assert (payload["agent_type"], payload["agent_id"]) == ("explorer", "a1")


AGENT = """---
name: guarded
description: d
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: "exit 2"
  Stop:
    - hooks:
        - type: command
          command: "exit 2"
---
You are.
"""


def test_hooks_in_the_header_of_an_agent_fire_inside_it_only(tmp_path: Path) -> None:
    (tmp_path / ".claude" / "agents").mkdir(parents=True)
    (tmp_path / ".claude" / "agents" / "guarded.md").write_text(AGENT)
    places = Places(str(tmp_path), str(tmp_path), {})
    (found,) = discover(capabilities.SUBAGENTS, places).items
    loaded = [inside_agent(each, "guarded") for each in header_hooks(found.item, found.source, "claude")]

    async def play() -> list[Any]:
        session = Session(tmp_path, *loaded)
        assert session.hooks.fires(ToolCall("Bash", "c1", {"command": "x"})), "nobody knows yet in which agent"
        inside = await session.judge(agent="guarded", agent_id="a1")
        return [
            inside.decision,
            await session.judge(agent="other", agent_id="a2"),
            await session.judge(),
            (await session.hooks.emit(SubagentStop("a1", "guarded"))).blocked,
            (await session.hooks.emit(SubagentStop("a2", "other"))).blocked,
            (await session.hooks.emit(SessionStop())).blocked,
        ]

    assert asyncio.run(play()) == ["deny", None, None, True, False, False]


def test_an_event_without_hooks_is_the_same_event(tmp_path: Path) -> None:
    event = Notification("n")
    assert emitted(tmp_path, event, hook("exit 2")) is event
    assert emitted(tmp_path, event) is event


PATCH = """*** Begin Patch
*** Add File: a.txt
+x
*** Update File: {second}
@@
-a
+b
*** End Patch
"""


@pytest.mark.parametrize("second", [".env", "b.txt\n*** Move to: .env"])
def test_a_guard_of_edits_sees_every_file_of_a_patch(second: str, tmp_path: Path) -> None:
    patch = PATCH.replace("{second}", second)

    async def play(command: str, **fields: Any) -> tuple[Any, list[str]]:
        session = Session(tmp_path, hook(command, matcher="Write|Edit", **fields))
        request = ToolRequest(ToolCall("apply_patch", "c1", {"input": patch}), str(tmp_path))
        assert session.hooks.fires(request.call)
        verdict = await session.hooks.judged(request, [])
        return verdict, [str(run.payload["tool_input"]["file_path"]) for run in session.runs]

    verdict, paths = asyncio.run(play('grep -q \'"file_path":"[^"]*.env"\' && exit 2; exit 0'))
    assert verdict.decision == "deny"
    assert {str(tmp_path / "a.txt"), str(tmp_path / ".env")} <= set(paths)
    assert asyncio.run(play("true"))[0] is None
    assert asyncio.run(play("exit 2", **{"if": "Edit(.env)"}))[0].decision == "deny"
    changed, _ = asyncio.run(play(rewriting("x")))
    assert changed.decision == "deny", "a change of one file cannot be put back"
