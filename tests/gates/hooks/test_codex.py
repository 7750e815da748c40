"""The dialect of Codex: what its hooks get, when they fire, and what their answers mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pisces.gates.hooks.dialect import NOT_STARTED, SIGNAL, TIMEOUT, HookAnswer, HookOutcome
from pisces.harnesses.codex.hooks import DIALECT
from pisces.shapes import events as ours
from pisces.shapes.event import Event
from pisces.shapes.note import CONTEXT, MESSAGE, STOP, Note
from pisces.shapes.session_facts import MODE_ALL
from pisces.shapes.verdict import ALLOW, ASK, DENY
from tests.gates.hooks.making import FACTS, loaded, recorded_payloads

PATCH = "*** Begin Patch\n*** Add File: x.txt\n+hi\n*** End Patch\n"
CALL = ours.ToolCall("exec_command", "call_<ID>", {"cmd": "echo hi"})
PRE, POST, PERMISSION, PROMPT = "PreToolUse", "PostToolUse", "PermissionRequest", "UserPromptSubmit"


def event_of(stdin: dict[str, Any]) -> Event:
    """The event that makes a host write this payload."""
    name, tool = stdin["hook_event_name"], stdin.get("tool_name")
    called = {"Bash": "exec_command"}.get(tool or "", tool or "")
    command = stdin.get("tool_input", {}).get("command")
    given = {"cmd": command} if tool == "Bash" else {"input": command}
    made: dict[str, Event] = {
        PRE: ours.ToolCall(called, "call_<ID>", given),
        POST: ours.ToolResult(called, "call_<ID>", given, ({"type": "text", "text": stdin.get("tool_response", "")},)),
        PERMISSION: ours.PermissionAsked("tool", called, given, why=stdin.get("tool_input", {}).get("description", "")),
        "SessionStart": ours.SessionStart("startup"),
        "SessionEnd": ours.SessionShutdown(),
        PROMPT: ours.Input("go"),
        "Stop": ours.SessionStop(last_message="done"),
    }
    return made[name]


@pytest.mark.parametrize("row", recorded_payloads("codex"), ids=lambda row: row["event"])
def test_a_hook_gets_what_codex_gives_it(row: dict[str, Any]) -> None:
    stdin = row["stdin"]
    mode = MODE_ALL if stdin.get("permission_mode") == "bypassPermissions" else "ask"
    facts = FACTS.replace(
        cwd=stdin["cwd"], transcript=stdin["transcript_path"], model=stdin.get("model", ""), mode=mode
    )
    event = event_of(stdin)

    assert DIALECT.names(event) == (row["event"],)
    assert json.dumps(DIALECT.payload(row["event"], event, facts)) == json.dumps(stdin)


def test_the_payload_of_a_subagents_call_names_the_agent() -> None:
    payload = DIALECT.payload(PRE, CALL, FACTS.replace(agent="scout", agent_id="a1"))

    assert list(payload)[:4] == ["session_id", "turn_id", "agent_id", "agent_type"]
    assert (payload["agent_id"], payload["agent_type"]) == ("a1", "scout")


def test_subagents_and_compactions_have_their_own_fields() -> None:
    stopped = ours.SubagentStop("a1", "scout", "bye", "/t.jsonl")

    assert DIALECT.payload("SubagentStop", stopped, FACTS) == {
        "session_id": "<UUID>",
        "turn_id": "<UUID>",
        "transcript_path": "<transcript>",
        "agent_transcript_path": "/t.jsonl",
        "cwd": "/work",
        "hook_event_name": "SubagentStop",
        "model": "m",
        "permission_mode": "default",
        "stop_hook_active": False,
        "agent_id": "a1",
        "agent_type": "scout",
        "last_assistant_message": "bye",
    }
    compact = DIALECT.payload("PreCompact", ours.SessionBeforeCompact(trigger="auto"), FACTS)
    assert compact["trigger"] == "auto"
    assert "permission_mode" not in compact
    assert DIALECT.payload("SubagentStart", ours.SubagentStart("a1", "scout"), FACTS)["agent_type"] == "scout"


def test_a_call_that_names_its_folder_is_said_to_run_there() -> None:
    call = ours.ToolCall("exec_command", "1", {"cmd": "ls", "workdir": "sub"})

    assert DIALECT.payload(PRE, call, FACTS)["cwd"] == "/work/sub"
    assert DIALECT.start(loaded("codex", PRE), PRE, FACTS).cwd == "/work"


def test_the_result_of_a_servers_tool_keeps_its_shape() -> None:
    result = ours.ToolResult("mcp__srv__t", "1", {"a": 1}, ({"type": "text", "text": "x"},), server="srv")

    assert DIALECT.payload(POST, result, FACTS)["tool_response"] == {
        "content": [{"type": "text", "text": "x"}],
        "isError": False,
    }


@pytest.mark.parametrize(
    ("tool", "given", "name", "command"),
    [
        ("exec_command", {"cmd": "ls"}, "Bash", "ls"),
        ("run_shell_command", {"command": "ls"}, "Bash", "ls"),
        ("bash", {"command": "ls"}, "Bash", "ls"),
        ("Bash", {"command": "ls"}, "Bash", "ls"),
        ("shell", {"command": ["bash", "-lc", "ls"]}, "Bash", "ls"),
        ("write_stdin", {"session_id": 1, "chars": "ls\n"}, "Bash", "ls\n"),
        ("apply_patch", {"input": PATCH}, "apply_patch", PATCH),
        ("write_file", {"file_path": "x.txt", "content": "hi\n"}, "apply_patch", PATCH),
        ("Write", {"file_path": "x.txt", "content": "hi\n"}, "apply_patch", PATCH),
    ],
)
def test_hooks_see_shells_and_patches_whatever_was_called(
    tool: str, given: dict[str, Any], name: str, command: str
) -> None:
    assert DIALECT.own_call(tool, given) == (name, {"command": command})
    changed = DIALECT.input_from(tool, {"command": command}, given)
    assert DIALECT.own_call(tool, changed) == (name, {"command": command})


def test_a_rewrite_leaves_the_other_arguments_of_a_command() -> None:
    given = {"cmd": "ls", "workdir": "/tmp"}

    assert DIALECT.input_from("exec_command", {"command": "pwd", "workdir": "/"}, given) == {
        "cmd": "pwd",
        "workdir": "/tmp",
    }


@pytest.mark.parametrize("rewrite", [{}, {"command": 5}, {"cmd": "ls"}])
def test_a_rewrite_without_a_command_is_refused(rewrite: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="hook returned updatedInput without string field `command`"):
        DIALECT.input_from("exec_command", rewrite, {"cmd": "ls"})


MATCHERS = [
    # matcher, tool, rule by which it fires (None: it does not)
    (None, "exec_command", 0),
    ("", "exec_command", 0),
    ("*", "get_goal", 0),
    ("Bash", "exec_command", 0),
    ("Write|Bash", "exec_command", 0),
    ("^Bash$", "exec_command", 0),
    ("(?i)bash", "exec_command", 0),
    ("B.*h", "exec_command", 0),
    ("(?i)b[A-Z]sh", "exec_command", 0),
    ("(?i)[b]ash", "exec_command", 0),
    ("(?i)(?P<name>bash)", "exec_command", 0),
    ("(?i)b[A-Z]sh", "get_goal", None),
    ("(?:Ba)sh", "exec_command", 0),
    ("as", "exec_command", None),
    ("Edit", "exec_command", None),
    ("apply_patch", "apply_patch", 0),
    ("Edit", "apply_patch", 0),
    ("Write", "apply_patch", 0),
    ("MultiEdit", "view_image", None),
    ("mcp__*", "mcp__srv__read_it", 0),
    ("mcp__srv__.*", "mcp__srv__read_it", 0),
    ("mcp__srv", "mcp__srv__read_it", None),
    ("mcp__srv__read_it", "mcp_srv_read_it", 0),
    # only here
    ("exec_command", "exec_command", 4),
    ("run_shell_command", "exec_command", 4),
    ("bash", "exec_command", 4),
    ("Bash(", "exec_command", 4),
    ("Bash(", "get_goal", 4),
    ("(?=Bash)", "get_goal", 4),
    ("(B)\\1", "get_goal", 4),
    ("[[:alpha:]]", "get_goal", 4),
    ("Write | Bash", "exec_command", 4),
    ("Write, Bash", "exec_command", 4),
    ("Write, Edit", "exec_command", None),
    ("Bash(rm *)", "exec_command", 4),
    (5, "get_goal", 4),
    (["Bash"], "get_goal", 4),
    ("Bash", "write_stdin", 0),
    ("exec_command", "write_stdin", 4),
    ("replace", "apply_patch", 4),
]


@pytest.mark.parametrize(("matcher", "tool", "rule"), MATCHERS)
def test_a_matcher_fires_as_in_codex_or_more_often(matcher: Any, tool: str, rule: int | None) -> None:
    hook, call = loaded("codex", PRE, matcher), ours.ToolCall(tool, "1", {})

    assert DIALECT.fires(hook, call, FACTS) == (rule is not None)
    assert DIALECT.rule(hook, call, FACTS) == (rule or 0)


@pytest.mark.parametrize(
    ("event", "name", "matcher", "fires"),
    [
        (ours.SessionStart("startup"), "SessionStart", "startup|resume", True),
        (ours.SessionStart("new"), "SessionStart", "clear", True),
        (ours.SessionStart("startup"), "SessionStart", "resume", False),
        (ours.SubagentStart("a", "scout"), "SubagentStart", "scout", True),
        (ours.SubagentStop("a", "scout"), "SubagentStop", "other", False),
        (ours.SessionBeforeCompact(trigger="auto"), "PreCompact", "manual", False),
        (ours.Input("x"), PROMPT, "never", True),
        (ours.SessionStop(), "Stop", "never", True),
    ],
)
def test_events_without_tools_are_matched_by_their_cause(event: Event, name: str, matcher: str, fires: bool) -> None:
    assert DIALECT.names(event) == (name,)
    assert DIALECT.fires(loaded("codex", name, matcher), event, FACTS) is fires


def specific(**fields: Any) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": PRE, **fields}})


ALLOWED = specific(permissionDecision="allow")
DENIED = specific(permissionDecision="deny", permissionDecisionReason="R")


def done(stdout: str = "", exit: int | None = 0, stderr: str = "", ended: str = "") -> HookOutcome:
    return HookOutcome(exit, stdout, stderr, ended)


DENIALS = [
    # outcome, reason, rule: 0 where Codex blocks too
    (done(exit=2, stderr="NO\n"), "NO", 0),
    (done(DENIED), "R", 0),
    (done('{"decision": "block", "reason": " R "}'), "R", 0),
    (done(specific(permissionDecision="deny", permissionDecisionReason="R", updatedInput=None)), "R", 0),
    (done(exit=2), "the hook exited with code 2 and gave no reason", 2),
    (done("NO", exit=2), "NO", 2),
    (done(specific(permissionDecision="allow"), exit=2), "the hook exited with code 2 and gave no reason", 2),
    (done(DENIED, exit=2), "R", 2),
    (done(stderr=DENIED), "R", 2),
    (done("text", stderr=DENIED), "R", 2),
    (done(exit=1, stderr=f"log\n{DENIED}"), "R", 2),
    (done(DENIED, exit=1), "R", 2),
    (done(DENIED, exit=3, stderr="x"), "R", 2),
    (done(DENIED, exit=None, ended=TIMEOUT), "R", 2),
    (done(DENIED, exit=None, ended=SIGNAL), "R", 2),
    (done(f"starting\n{DENIED}"), "R", 2),
    (done(f"{DENIED}\nend"), "R", 2),
    (done(f"\ufeff{DENIED}"), "R", 2),
    (done(specific(permissionDecision="deny")), "the hook gave no reason", 2),
    (done(specific(permissionDecision="deny", permissionDecisionReason=" ")), "the hook gave no reason", 2),
    (done(specific(permissionDecision="deny", permissionDecisionReason="R", more=1)), "R", 2),
    (done(specific(permissionDecision="DENY", permissionDecisionReason="R")), "R", 2),
    (done(specific(permissionDecision="deny", permissionDecisionReason=5)), "5", 2),
    (done(json.dumps({"continue": "yes", **json.loads(DENIED)})), "R", 2),
    (done(json.dumps({"suppressOutput": True, **json.loads(DENIED)})), "R", 2),
    (done(json.dumps({"stopReason": "x", **json.loads(DENIED)})), "R", 2),
    (done(json.dumps({"continue": False, **json.loads(DENIED)})), "R", 2),
    (done(DENIED.replace('"hookEventName": "PreToolUse", ', "")), "R", 2),
    (done('{"permissionDecision": "deny", "permissionDecisionReason": "R"}'), "R", 2),
    (done('{"decision": "deny", "reason": "R"}'), "R", 2),
    (done('{"decision": "block", "reason": "R", "decision": "approve"}'), "R", 2),
    (done(specific(permissionDecision="deny", permissionDecisionReason="R", updatedInput={"command": "x"})), "R", 2),
    (
        done(json.dumps({"decision": "block", "reason": "R", **json.loads(specific(permissionDecision="allow"))})),
        "R",
        2,
    ),
    (done('{"continue": false, "stopReason": "S"}'), "S", 2),
]


@pytest.mark.parametrize(("outcome", "reason", "rule"), DENIALS)
def test_a_denial_is_read_however_it_is_written(outcome: HookOutcome, reason: str, rule: int) -> None:
    answer = DIALECT.answer(loaded("codex", PRE), PRE, outcome)

    assert (answer.decision, answer.why, answer.rule, answer.failure) == (DENY, reason, rule, "")
    assert answer.input is None


@pytest.mark.parametrize(
    ("outcome", "part"),
    [
        (done(exit=1, stderr="Traceback\nValueError: x"), "code 1: ValueError: x"),
        (done(exit=127, stderr="not found"), "code 127"),
        (done(exit=None, ended=TIMEOUT), "time limit"),
        (done(exit=None, ended=SIGNAL, stderr="NO"), "signal"),
        (done(exit=None, ended=NOT_STARTED), "started"),
        (done('{"hookSpecificOutput": {"permissionDec'), "no answer"),
        (done("[]"), "no answer"),
        (done(specific(permissionDecision="allow"), exit=1), "code 1"),
        (done(specific(permissionDecision="allow", updatedInput={"command": "x"}), exit=1), "code 1"),
        (done(f"log\n{specific(permissionDecision='allow', updatedInput={'command': 'x'})}"), "no answer"),
        (done("checking { ls }"), "no answer"),
        (done(specific(updatedInput={"command": "x"})), "updatedInput"),
        (done(specific(permissionDecision="allow", updatedInput="x")), "updatedInput"),
        (done(specific(permissionDecision="allow", updatedInput={"command": "x"}, more=1)), "more"),
        (done(specific(permissionDecision="nope")), "permissionDecision"),
        (done('{"verdict": "no"}'), "verdict"),
    ],
)
def test_what_is_no_usable_answer_is_a_failure(outcome: HookOutcome, part: str) -> None:
    answer = DIALECT.answer(loaded("codex", PRE), PRE, outcome)

    assert part in answer.failure
    assert (answer.decision, answer.input, answer.rule) == ("", None, 1)


@pytest.mark.parametrize(
    "stdout",
    [
        "",
        " \n",
        "nothing to say against it",
        "{}",
        specific(permissionDecision="allow", permissionDecisionReason="R"),
        '{"decision": "approve"}',
        '{"suppressOutput": true}',
        '{"continue": true, "systemMessage": ""}',
        specific(),
    ],
)
def test_an_answer_without_effect_in_codex_has_none_here(stdout: str) -> None:
    assert DIALECT.answer(loaded("codex", PRE), PRE, done(stdout)) == HookAnswer()


@pytest.mark.parametrize("word", ["ask", "defer", "ASK"])
def test_a_hook_that_asks_wants_a_question(word: str) -> None:
    answer = DIALECT.answer(
        loaded("codex", PRE), PRE, done(specific(permissionDecision=word, permissionDecisionReason="r"))
    )

    assert answer == HookAnswer(ASK, "r", rule=2)


def test_an_input_is_replaced_by_an_allow_that_codex_takes() -> None:
    stdout = specific(permissionDecision="allow", updatedInput={"command": "x"}, additionalContext="C")

    assert DIALECT.answer(loaded("codex", PRE), PRE, done(stdout)) == HookAnswer(input={"command": "x"}, context=("C",))


def test_context_and_messages_come_beside_a_denial() -> None:
    stdout = json.loads(specific(permissionDecision="deny", permissionDecisionReason="R", additionalContext="C"))
    answer = DIALECT.answer(loaded("codex", PRE), PRE, done(json.dumps({**stdout, "systemMessage": "M"})))

    assert (answer.decision, answer.rule) == (DENY, 0)
    assert DIALECT.notes(CALL, PRE, [(loaded("codex", PRE), answer)]) == (
        Note(CONTEXT, "C", "true"),
        Note(MESSAGE, "M", "true"),
    )


@pytest.mark.parametrize(
    ("tool", "given", "text"),
    [
        ("exec_command", {"cmd": "echo hi"}, "Command blocked by PreToolUse hook: NO. Command: echo hi"),
        ("apply_patch", {"input": PATCH}, f"Command blocked by PreToolUse hook: NO. Command: {PATCH}"),
        ("get_goal", {}, "Tool call blocked by PreToolUse hook: NO. Tool: get_goal"),
        ("mcp_srv_t", {}, "Tool call blocked by PreToolUse hook: NO. Tool: mcp__srv__t"),
    ],
)
def test_the_model_is_told_of_a_denial_in_codex_own_words(tool: str, given: dict[str, Any], text: str) -> None:
    call = ours.ToolCall(tool, "1", given)

    assert DIALECT.refusal(loaded("codex", PRE), call, HookAnswer(DENY, "NO")) == text


def changed(event: Event, name: str, *outcomes: HookOutcome) -> Any:
    hook = loaded("codex", name)
    return DIALECT.changed(event, name, [(hook, DIALECT.answer(hook, name, each)) for each in outcomes])


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (done(exit=2, stderr="NO"), "NO"),
        (done('{"decision": "block", "reason": "R"}'), "R"),
        (done('{"continue": false, "stopReason": "S"}'), "S"),
        (done('{"continue": false}'), "blocked by a UserPromptSubmit hook"),
        (done(exit=2), "the hook exited with code 2 and gave no reason"),
        (done(exit=1), "the hook exited with code 1"),
        (done(exit=None, ended=TIMEOUT), "the hook took longer than its time limit"),
        (done('log\n{"decision": "block", "reason": "R"}'), "R"),
    ],
)
def test_a_prompt_is_blocked(outcome: HookOutcome, reason: str) -> None:
    event = changed(ours.Input("go"), PROMPT, outcome)

    assert (event.blocked, event.reason) == (True, reason)


def test_plain_text_is_context_for_a_prompt_and_a_session() -> None:
    assert changed(ours.Input("go"), PROMPT, done("CTX\n")).notes == (Note(CONTEXT, "CTX", "true"),)
    assert changed(ours.SessionStart(), "SessionStart", done("CTX\n")).notes == (Note(CONTEXT, "CTX", "true"),)


def test_a_session_is_ended_only_by_a_wish_to_stop() -> None:
    assert changed(ours.SessionStart(), "SessionStart", done(exit=2, stderr="NO")).notes == ()
    stopped = changed(ours.SessionStart(), "SessionStart", done('{"continue": false, "stopReason": "S"}'))
    assert stopped.notes == (Note(STOP, "S", "true"),)


RESULT = ours.ToolResult("exec_command", "1", {"cmd": "x"}, ({"type": "text", "text": "hi"},))


@pytest.mark.parametrize(
    ("outcomes", "text"),
    [
        ([done(exit=2, stderr="A"), done(exit=2, stderr="B")], "A\n\nB"),
        ([done('{"decision": "block", "reason": "R"}')], "R"),
        ([done('{"continue": false, "stopReason": "S"}')], "S"),
        ([done('{"continue": false, "stopReason": "S", "reason": "R"}')], "R"),
        ([done(exit=1)], "hi"),
        ([done("{}")], "hi"),
    ],
)
def test_a_denial_after_a_tool_takes_the_place_of_its_result(outcomes: list[HookOutcome], text: str) -> None:
    assert changed(RESULT, POST, *outcomes).text == text


ASKED = ours.PermissionAsked("tool", "apply_patch", {"input": PATCH})


def permission(**decision: Any) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": PERMISSION, "decision": decision}})


@pytest.mark.parametrize(
    ("outcomes", "decision", "reason"),
    [
        ([done(permission(behavior="allow"))], ALLOW, ""),
        ([done(permission(behavior="deny", message="N"))], DENY, "N"),
        ([done(permission(behavior="deny"))], DENY, "PermissionRequest hook denied approval"),
        ([done(permission(behavior="allow")), done(permission(behavior="deny", message="N"))], DENY, "N"),
        ([done(exit=2, stderr="NO")], DENY, "NO"),
        ([done(permission(behavior="allow", updatedInput={}))], "", ""),
        ([done(permission(behavior="allow", interrupt=True))], "", ""),
        ([done(permission(behavior="allow"), exit=1)], "", ""),
        ([done(f"log {permission(behavior='allow')}")], "", ""),
        ([done(permission(behavior="deny", message="N", interrupt=True))], DENY, "N"),
        ([done(exit=1)], "", ""),
        ([done(exit=None, ended=TIMEOUT)], "", ""),
        ([done("garbage")], "", ""),
    ],
)
def test_a_question_is_answered_or_left_to_the_user(outcomes: list[HookOutcome], decision: str, reason: str) -> None:
    event = changed(ASKED, PERMISSION, *outcomes)

    assert (event.decision, event.reason) == (decision, reason)


def test_the_model_hears_of_a_command_that_was_not_approved_as_in_codex() -> None:
    asked = ours.PermissionAsked("tool", "exec_command", {"cmd": "x"})
    event = changed(asked, PERMISSION, done(exit=2, stderr='NO "x"'))

    assert event.reason == r"""exec_command failed: CreateProcess { message: "Rejected(\"NO \\\"x\\\"\")" }"""


def test_an_agent_goes_on_with_the_reason_as_a_message_of_the_hook() -> None:
    event = changed(ours.SessionStop(), "Stop", done(exit=2, stderr="GO <b>"))

    assert event.blocked
    assert event.reason == '<hook_prompt hook_run_id="stop:0:/home/hooks.json">GO &lt;b&gt;</hook_prompt>'


@pytest.mark.parametrize("outcome", [done(exit=2), done(exit=1), done(exit=None, ended=TIMEOUT), done("garbage")])
def test_a_stop_hook_that_fails_does_not_keep_the_agent_going(outcome: HookOutcome) -> None:
    assert not changed(ours.SessionStop(), "Stop", outcome).blocked


def test_a_wish_to_stop_beats_a_wish_to_go_on() -> None:
    both = (done(exit=2, stderr="GO"), done('{"continue": false, "stopReason": "S"}'))

    assert not changed(ours.SessionStop(), "Stop", *both).blocked


@pytest.mark.parametrize(
    ("name", "timeout", "seconds"),
    [
        (PRE, None, 600),
        (PRE, 5, 5),
        (PRE, 0, 1),
        (PRE, -3, 600),
        (PRE, 0.5, 600),
        (PRE, "5", 600),
        (PRE, True, 600),
        ("SessionEnd", None, 1),
        ("SessionEnd", 60, 3),
    ],
)
def test_time_limits_are_whole_seconds(name: str, timeout: Any, seconds: float) -> None:
    assert DIALECT.seconds(loaded("codex", name, timeout=timeout), name) == seconds


def test_a_plugins_hook_knows_its_folder() -> None:
    start = DIALECT.start(loaded("codex", PRE, folder="/plugin"), PRE, FACTS)

    assert start.env["PLUGIN_ROOT"] == start.env["CLAUDE_PLUGIN_ROOT"] == "/plugin"
    assert start.env["PLUGIN_DATA"] == start.env["CLAUDE_PLUGIN_DATA"]
    assert start.argv[1:] == ("-c", "true")
    assert DIALECT.start(loaded("codex", PRE), PRE, FACTS).env == {}


@pytest.mark.parametrize(
    ("stdout", "decision", "fails"),
    [('{"ok": true}', "", False), ('{"ok": false, "reason": "R"}', DENY, False), ("yes", "", True), ("{}", "", True)],
)
def test_a_hook_that_asks_a_model_denies_or_says_nothing(stdout: str, decision: str, fails: bool) -> None:
    answer = DIALECT.answer(loaded("codex", PRE, type="prompt"), PRE, done(stdout))

    assert (answer.decision, bool(answer.failure)) == (decision, fails)


def test_of_several_denials_the_first_is_told() -> None:
    one, other = HookAnswer(DENY, "A"), HookAnswer(DENY, "B")
    hooks = [loaded("codex", PRE, command="a"), loaded("codex", PRE, command="b")]

    assert DIALECT.as_one([(hooks[0], one, 0.5), (hooks[1], other, 0.1)]) == (hooks[0], one)
