"""The dialect of Gemini CLI: what its hooks get, when they fire, and what their answers mean."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from pisces.gates.hooks.dialect import NOT_STARTED, SIGNAL, TIMEOUT, HookAnswer, HookOutcome
from pisces.harnesses.gemini.hooks import DIALECT
from pisces.shapes import events as ours
from pisces.shapes.event import Event
from pisces.shapes.note import CONTEXT, MESSAGE, STOP, Note
from pisces.shapes.verdict import ASK, DENY
from tests.gates.hooks.making import FACTS, loaded, recorded_payloads

BEFORE, AFTER = "BeforeTool", "AfterTool"
CALL = ours.ToolCall("read_file", "1", {"file_path": "a.txt"})
SYSTEM = "[System] Tool input parameters were modified by a hook before execution."


def event_of(stdin: dict[str, Any]) -> Event:
    """The event that makes a host write this payload."""
    name, tool, given = stdin["hook_event_name"], stdin.get("tool_name", ""), stdin.get("tool_input", {})
    response = stdin.get("tool_response", {})
    request = stdin.get("llm_request", {})
    made: dict[str, Event] = {
        BEFORE: ours.ToolCall(tool, "1", given),
        AFTER: ours.ToolResult(
            tool,
            "1",
            given,
            ({"type": "text", "text": response.get("llmContent", "")},),
            response.get("returnDisplay") or None,
            instead_of=stdin.get("original_request_name", ""),
        ),
        "BeforeAgent": ours.Input("go"),
        "AfterAgent": ours.SessionStop(
            prompt="go", last_message=stdin.get("prompt_response", ""), stop_hook_active=True
        ),
        "BeforeModel": ours.BeforeModel(request),
        "BeforeToolSelection": ours.BeforeToolSelection(request),
        "AfterModel": ours.AfterModel(request, stdin.get("llm_response")),
        "SessionStart": ours.SessionStart("startup"),
        "SessionEnd": ours.SessionShutdown("quit"),
        "PreCompress": ours.SessionBeforeCompact(trigger="auto"),
    }
    return made[name]


@pytest.mark.parametrize("row", recorded_payloads("gemini"), ids=lambda row: row["event"])
def test_a_hook_gets_what_gemini_gives_it(row: dict[str, Any]) -> None:
    stdin = row["stdin"]
    facts = FACTS.replace(cwd=stdin["cwd"], transcript=stdin["transcript_path"])
    event = event_of(stdin)

    payload = DIALECT.payload(row["event"], event, facts)

    assert DIALECT.names(event) == (row["event"],)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", payload["timestamp"])
    assert json.dumps({**payload, "timestamp": "<TIME>"}) == json.dumps(stdin)


@pytest.mark.parametrize("row", recorded_payloads("gemini")[:1], ids=lambda row: row["event"])
def test_the_environment_names_project_folder_and_session(row: dict[str, Any]) -> None:
    facts = FACTS.replace(cwd="@WORK@", workspace="@WORK@", home="@HOME@")
    env = DIALECT.start(loaded("gemini", BEFORE), BEFORE, facts).env

    assert {name: value.replace("/tmp/@WORK@/", "/tmp/work/") for name, value in env.items()} == row["env_added"]


def test_a_question_is_a_notification_with_its_details() -> None:
    asked = ours.PermissionAsked("tool", "Bash", {"command": "rm -rf x"})
    payload = DIALECT.payload("Notification", asked, FACTS)

    assert DIALECT.names(asked) == ("Notification",)
    assert payload["notification_type"] == "ToolPermission"
    assert payload["message"] == "Tool run_shell_command requires execution"
    assert payload["details"] == {
        "type": "exec",
        "title": "run_shell_command",
        "command": "rm -rf x",
        "rootCommand": "rm",
    }


def test_a_tool_of_a_server_is_said_to_be_one() -> None:
    payload = DIALECT.payload(BEFORE, ours.ToolCall("mcp__srv__do_it", "1", {"a": 1}), FACTS)

    assert (payload["tool_name"], payload["tool_input"]) == ("mcp_srv_do_it", {"a": 1})
    assert payload["mcp_context"] == {"server_name": "srv", "tool_name": "do_it"}


@pytest.mark.parametrize(
    ("tool", "given", "own"),
    [
        ("Bash", {"command": "ls"}, ("run_shell_command", {"command": "ls"})),
        ("exec_command", {"cmd": "ls"}, ("run_shell_command", {"command": "ls"})),
        ("write_stdin", {"chars": "ls\n"}, ("run_shell_command", {"command": "ls\n"})),
        ("Read", {"file_path": "a"}, ("read_file", {"file_path": "a"})),
    ],
)
def test_calls_of_other_vocabularies_are_seen_in_geminis(
    tool: str, given: dict[str, Any], own: tuple[str, dict[str, Any]]
) -> None:
    assert DIALECT.own_call(tool, given) == own
    assert DIALECT.input_from(tool, own[1], given) == given


MATCHERS = [
    # matcher, tool, rule by which it fires (None: it does not)
    (None, "read_file", 0),
    ("", "read_file", 0),
    ("*", "read_file", 0),
    (" * ", "read_file", 0),
    (".*", "read_file", 0),
    ("read", "read_file", 0),
    ("^read_file$", "read_file", 0),
    ("write_file|read_file", "read_file", 0),
    ("glob", "read_file", None),
    ("Read_File", "read_file", None),
    ("mcp_srv_.*", "mcp__srv__do_it", 0),
    # only here
    ("Read", "read_file", 4),
    ("mcp__srv__do_it", "mcp_srv_do_it", 4),
    ("Bash", "run_shell_command", 4),
    ("exec_command", "run_shell_command", 4),
    ("read_file(", "read_file", 4),
    ("read_file(", "glob", 4),
    ("glob,read_file", "read_file", 4),
    ("glob, read_file", "read_file", 4),
    ("glob, replace", "read_file", None),
    (5, "read_file", 4),
    (["read_file"], "glob", 4),
    ("(a+)+$(?<=x)\\1", "glob", 4),
]


@pytest.mark.parametrize(("matcher", "tool", "rule"), MATCHERS)
def test_a_matcher_fires_as_in_gemini_or_more_often(matcher: Any, tool: str, rule: int | None) -> None:
    hook, call = loaded("gemini", BEFORE, matcher), ours.ToolCall(tool, "1", {})

    assert DIALECT.fires(hook, call, FACTS) == (rule is not None)
    assert DIALECT.rule(hook, call, FACTS) == (rule or 0)


@pytest.mark.parametrize(
    ("event", "name", "matcher", "fires"),
    [
        (ours.SessionStart("startup"), "SessionStart", "startup", True),
        (ours.SessionStart("startup"), "SessionStart", "start", False),
        (ours.SessionShutdown("quit"), "SessionEnd", "exit", True),
        (ours.SessionBeforeCompact(trigger="auto"), "PreCompress", "manual", False),
        (ours.Input("x"), "BeforeAgent", "never", True),
        (ours.SessionStop(), "AfterAgent", "never", True),
        (ours.BeforeModel({}), "BeforeModel", "never", True),
    ],
)
def test_events_without_tools_are_matched_by_their_cause(event: Event, name: str, matcher: str, fires: bool) -> None:
    assert DIALECT.names(event) == (name,)
    assert DIALECT.fires(loaded("gemini", name, matcher), event, FACTS) is fires


def done(stdout: str = "", exit: int | None = 0, stderr: str = "", ended: str = "") -> HookOutcome:
    return HookOutcome(exit, stdout, stderr, ended)


DENIED = '{"decision": "deny", "reason": "R"}'
DENIALS = [
    # outcome, reason, rule: 0 where Gemini CLI blocks too
    (done(exit=2, stderr="NO\n"), "NO", 0),
    (done("NO", exit=2), "NO", 0),
    (done(exit=3, stderr="NO"), "NO", 0),
    (done(exit=127, stderr="bash: guard: not found"), "bash: guard: not found", 0),
    (done(DENIED), "R", 0),
    (done(DENIED, exit=1), "R", 0),
    (done(DENIED, exit=2), "R", 0),
    (done(DENIED, stderr="noise"), "R", 0),
    (done(stderr=DENIED), "R", 0),
    (done(json.dumps(DENIED)), "R", 0),
    (done(f"\ufeff{DENIED}"), "R", 0),
    (done('{"decision": "block", "reason": "R"}'), "R", 0),
    (done('{"decision": "deny"}'), "No reason provided", 0),
    (done('{"decision": "deny", "reason": 5}'), "5", 0),
    (done('{"decision": "deny", "reason": 0}'), "No reason provided", 0),
    (done('{"decision": "deny", "reason": " x ", "stopReason": "S"}'), " x ", 0),
    (done('{"decision": "deny", "stopReason": "S"}'), "No reason provided", 0),
    (done('{"decision": "deny", "reason": "R", "continue": "x", "more": 1}'), "R", 0),
    (done('{"decision": "deny", "reason": "R", "hookSpecificOutput": {"tool_input": {"file_path": "b"}}}'), "R", 0),
    (done(exit=2), "the hook exited with code 2 and gave no reason", 2),
    (done("{}", exit=2), "the hook exited with code 2 and gave no reason", 2),
    (done('{"decision": "allow"}', exit=2), "the hook exited with code 2 and gave no reason", 2),
    (done(DENIED, exit=None, ended=TIMEOUT), "R", 2),
    (done(DENIED, exit=None, ended=SIGNAL), "R", 2),
    (done(f"starting\n{DENIED}"), "R", 2),
    (done(f"{DENIED}\nend"), "R", 2),
    (done(f"[{DENIED}]"), "R", 2),
    (done('{"decision": "DENY", "reason": "R"}'), "R", 2),
    (done('{"decision": "deny", "reason": "R", "decision": "allow"}'), "R", 2),
    (done('{"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "R"}}'), "R", 2),
    (done('{"permissionDecision": "deny", "permissionDecisionReason": "R"}'), "R", 2),
    (done('{"ok": false, "reason": "R"}'), "R", 2),
]


@pytest.mark.parametrize(("outcome", "reason", "rule"), DENIALS)
def test_a_denial_is_read_however_it_is_written(outcome: HookOutcome, reason: str, rule: int) -> None:
    answer = DIALECT.answer(loaded("gemini", BEFORE), BEFORE, outcome)

    assert (answer.decision, answer.why, answer.rule, answer.failure) == (DENY, reason, rule, "")
    assert answer.input is None


@pytest.mark.parametrize(
    ("outcome", "part"),
    [
        (done(exit=1, stderr="Traceback\nValueError: x"), "code 1: ValueError: x"),
        (done(exit=1), "code 1"),
        (done(exit=3), "code 3"),
        (done('{"decision": "allow"}', exit=1), "code 1"),
        (done('{"hookSpecificOutput": {"tool_input": {"file_path": "b"}}}', exit=1), "code 1"),
        (done(exit=None, ended=TIMEOUT), "time limit"),
        (done(exit=None, ended=SIGNAL, stderr="NO"), "signal"),
        (done(exit=None, ended=NOT_STARTED), "started"),
        (done('{"decision":'), "no answer"),
        (done("[]"), "no answer"),
        (done('log\n{"hookSpecificOutput": {"tool_input": {"file_path": "b"}}}'), "no answer"),
        (done('{"hookSpecificOutput": {"tool_input": {"file_path": "b"}}} {oops}'), "no answer"),
        (done('{"decision": "nope"}'), "decision"),
        (done('{"hookSpecificOutput": {"tool_input": "b"}}'), "tool_input"),
    ],
)
def test_what_is_no_usable_answer_is_a_failure(outcome: HookOutcome, part: str) -> None:
    answer = DIALECT.answer(loaded("gemini", BEFORE), BEFORE, outcome)

    assert part in answer.failure
    assert (answer.decision, answer.input, answer.rule) == ("", None, 1)


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (done(), ""),
        (done("{}"), ""),
        (done('{"decision": "allow"}'), ""),
        (done('{"decision": "approve", "systemMessage": "M"}'), "M"),
        (done('{"hookSpecificOutput": {"permissionDecision": "allow", "updatedInput": {"file_path": "b"}}}'), ""),
        (done(stderr="a line of a log"), "a line of a log"),
        (done("nothing to say against it\n"), "nothing to say against it"),
    ],
)
def test_an_allow_decides_nothing(outcome: HookOutcome, message: str) -> None:
    answer = DIALECT.answer(loaded("gemini", BEFORE), BEFORE, outcome)

    assert (answer.decision, answer.failure, answer.input, answer.message) == ("", "", None, message)


def test_a_wish_to_stop_keeps_the_tool_from_running() -> None:
    answer = DIALECT.answer(loaded("gemini", BEFORE), BEFORE, done('{"continue": false, "stopReason": "S"}'))

    assert (answer.decision, answer.stop, answer.rule) == (DENY, "S", 0)
    assert DIALECT.refusal(loaded("gemini", BEFORE), CALL, answer) == "Agent execution stopped by hook: S"
    assert DIALECT.answer(loaded("gemini", BEFORE), BEFORE, done('{"continue": "false"}')).rule == 2


def test_a_hook_that_asks_wants_a_question() -> None:
    answer = DIALECT.answer(loaded("gemini", BEFORE), BEFORE, done('{"decision": "ask", "reason": "r"}'))

    assert (answer.decision, answer.why, answer.rule) == (ASK, "r", 0)


def test_an_input_is_replaced_and_the_model_hears_of_it() -> None:
    hook = loaded("gemini", BEFORE)
    stdout = '{"hookSpecificOutput": {"tool_input": {"file_path": "b.txt"}, "additionalContext": "C"}}'
    answer = DIALECT.answer(hook, BEFORE, done(stdout))

    assert answer.input == {"file_path": "b.txt"}
    assert DIALECT.notes(CALL, BEFORE, [(hook, answer)]) == (Note(CONTEXT, SYSTEM, "true"),)


def test_the_next_hook_of_a_row_sees_the_merged_input() -> None:
    hooks = [loaded("gemini", BEFORE), loaded("gemini", BEFORE, sequential=True)]
    call = DIALECT.passed_on(CALL, BEFORE, HookAnswer(input={"start_line": 1}))

    assert DIALECT.is_sequential(hooks)
    assert not DIALECT.is_sequential(hooks[:1])
    assert isinstance(call, ours.ToolCall)
    assert call.input == {"file_path": "a.txt", "start_line": 1}
    prompt = DIALECT.passed_on(ours.Input("go"), "BeforeAgent", HookAnswer(context=("C",)))
    assert isinstance(prompt, ours.Input)
    assert prompt.text == "go\n\nC"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (HookAnswer(DENY, "NO"), "Tool execution blocked: NO"),
        (HookAnswer(failure="the hook exited with code 1"), "Tool execution blocked: the hook exited with code 1"),
        (HookAnswer(DENY), "Tool execution blocked: No reason provided"),
    ],
)
def test_the_model_is_told_of_a_denial_in_geminis_own_words(answer: HookAnswer, text: str) -> None:
    assert DIALECT.refusal(loaded("gemini", BEFORE), CALL, answer) == text


def changed(event: Event, name: str, *outcomes: HookOutcome) -> Any:
    hook = loaded("gemini", name)
    return DIALECT.changed(event, name, [(hook, DIALECT.answer(hook, name, each)) for each in outcomes])


def specific(**fields: Any) -> HookOutcome:
    return done(json.dumps({"hookSpecificOutput": fields}))


RESULT = ours.ToolResult("read_file", "1", {"file_path": "a.txt"}, ({"type": "text", "text": "A\n"},))


@pytest.mark.parametrize(
    ("outcomes", "text", "is_error"),
    [
        ([done(exit=2, stderr="FB")], "FB", True),
        ([done(DENIED), done(DENIED.replace("R", "S"))], "R\nS", True),
        ([done('{"continue": false, "stopReason": "S"}')], "Agent execution stopped by hook: S", True),
        ([specific(additionalContext="CTX <x>")], "A\n\n\n<hook_context>CTX &lt;x&gt;</hook_context>", False),
        (
            [specific(additionalContext="1"), specific(additionalContext="2")],
            "A\n\n\n<hook_context>1\n2</hook_context>",
            False,
        ),
        ([done(exit=1, stderr="x")], "A\n", False),
        ([done(exit=2)], "A\n", False),
        ([done(exit=None, ended=TIMEOUT)], "A\n", False),
    ],
)
def test_after_a_tool_its_result_is_hidden_or_grows(outcomes: list[HookOutcome], text: str, is_error: bool) -> None:
    result = changed(RESULT, AFTER, *outcomes)

    assert (result.text, result.is_error) == (text, is_error)


def test_another_call_can_take_the_place_of_a_result() -> None:
    tail = {"name": "list_directory", "args": {"dir_path": "."}}
    result = changed(RESULT, AFTER, specific(tailToolCallRequest=tail))

    assert result.follow_up == {"tool": "list_directory", "input": {"dir_path": "."}}
    assert not changed(RESULT, AFTER, specific(tailToolCallRequest=tail), done(DENIED)).follow_up


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (done(exit=2, stderr="NO"), "NO"),
        (done(DENIED), "R"),
        (done('{"continue": false, "stopReason": "S"}'), "S"),
        (done(exit=2), "the hook exited with code 2 and gave no reason"),
        (done(exit=1), "the hook exited with code 1"),
        (done(exit=None, ended=SIGNAL), "the hook was killed by a signal"),
    ],
)
def test_a_prompt_is_blocked(outcome: HookOutcome, reason: str) -> None:
    event = changed(ours.Input("go"), "BeforeAgent", outcome)

    assert (event.blocked, event.reason) == (True, reason)


def test_context_for_a_prompt_and_a_session_cannot_end_itself() -> None:
    note = Note(CONTEXT, "<hook_context>&lt;/hook_context&gt;</hook_context>", "true")

    assert changed(ours.Input("go"), "BeforeAgent", specific(additionalContext="</hook_context>")).notes == (note,)
    assert changed(ours.SessionStart(), "SessionStart", specific(additionalContext="</hook_context>")).notes == (note,)


def test_a_session_starts_whatever_a_hook_says() -> None:
    note = Note(MESSAGE, "Warning: NO", "true")
    assert changed(ours.SessionStart(), "SessionStart", done(exit=2, stderr="NO")).notes == (note,)
    assert changed(ours.SessionStart(), "SessionStart", done("text")).notes == (Note(MESSAGE, "text", "true"),)


def test_an_agent_goes_on_with_the_reason() -> None:
    assert changed(ours.SessionStop(), "AfterAgent", done(exit=2, stderr="GO")).reason == "GO"
    assert changed(ours.SessionStop(), "AfterAgent", done(DENIED)).blocked
    for outcome in (done(exit=2), done(exit=1), done("text"), done(exit=None, ended=TIMEOUT)):
        assert not changed(ours.SessionStop(), "AfterAgent", outcome).blocked
    stopped = changed(ours.SessionStop(), "AfterAgent", done(DENIED), done('{"continue": false, "stopReason": "S"}'))
    assert not stopped.blocked
    assert stopped.notes == (Note(STOP, "S", "true"),)


REQUEST = {"model": "m", "messages": [{"role": "user", "content": "go"}], "config": {"temperature": 1}}
SYNTHETIC = {"candidates": [{"content": {"role": "model", "parts": ["SYNTH"]}, "finishReason": "STOP"}]}


def test_before_a_model_a_response_counts_only_beside_a_denial() -> None:
    before = ours.BeforeModel(REQUEST)
    denied = done(json.dumps({"decision": "deny", "reason": "R", "hookSpecificOutput": {"llm_response": SYNTHETIC}}))

    assert changed(before, "BeforeModel", denied).response == SYNTHETIC
    assert changed(before, "BeforeModel", specific(llm_response=SYNTHETIC)) == before
    assert changed(before, "BeforeModel", done(DENIED)).reason == "R"
    assert changed(before, "BeforeModel", done(DENIED), done('{"decision": "allow"}')).blocked
    assert changed(before, "BeforeModel", done(exit=1)).blocked
    assert changed(before, "BeforeModel", denied, done(exit=1)).blocked


def test_a_request_to_a_model_is_changed() -> None:
    event = changed(ours.BeforeModel(REQUEST), "BeforeModel", specific(llm_request={"model": "other"}))

    assert event.request == {**REQUEST, "model": "other"}


def test_the_tools_of_all_hooks_count_together_and_none_beats_them() -> None:
    event = ours.BeforeToolSelection(REQUEST, ("read_file", "glob", "Bash"))
    one = specific(toolConfig={"mode": "ANY", "allowedFunctionNames": ["glob", "not_there"]})
    other = specific(toolConfig={"mode": "AUTO", "allowedFunctionNames": ["run_shell_command"]})

    both = changed(event, "BeforeToolSelection", one, other)
    assert (both.mode, tuple(both.tools)) == ("any", ("glob", "Bash"))
    none = changed(event, "BeforeToolSelection", one, specific(toolConfig={"mode": "NONE"}))
    assert (none.mode, tuple(none.tools)) == ("none", ())
    assert changed(event, "BeforeToolSelection", done(exit=1), done("{}")) == event


def test_after_a_model_its_answer_is_replaced_or_blocked() -> None:
    after = ours.AfterModel(REQUEST, {"text": "x"})

    assert changed(after, "AfterModel", specific(llm_response=SYNTHETIC)).response == SYNTHETIC
    assert changed(after, "AfterModel", specific(llm_response={"candidates": []})) == after
    assert changed(after, "AfterModel", done(DENIED)).reason == "R"
    assert changed(after, "AfterModel", done(exit=1)) == after


@pytest.mark.parametrize(
    ("timeout", "seconds"),
    [(None, 60), (500, 0.5), (10, 0.01), (0, 60), (-1, 60), ("5", 60), (True, 60), (1e400, 60)],
)
def test_time_limits_are_milliseconds(timeout: Any, seconds: float) -> None:
    assert DIALECT.seconds(loaded("gemini", BEFORE, timeout=timeout), BEFORE) == seconds


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("$GEMINI_PROJECT_DIR/guard", "'/my work'/guard"),
        ('"$GEMINI_PROJECT_DIR/guard"', '"$GEMINI_PROJECT_DIR/guard"'),
        ("sh -c '$GEMINI_PROJECT_DIR'", "sh -c '$GEMINI_PROJECT_DIR'"),
        ("""echo '"' "a" $GEMINI_CWD/x \\" """, """echo '"' "a" /work/x \\" """),
        ("""echo '"' "a" $GEMINI_PROJECT_DIR \\" """, """echo '"' "a" '/my work' \\" """),
        ("echo $GEMINI_SESSION_ID $OTHER", "echo s1 $OTHER"),
    ],
)
def test_a_command_finds_its_folder_also_with_a_blank_in_the_name(command: str, line: str) -> None:
    facts = FACTS.replace(workspace="/my work", id="s1")
    start = DIALECT.start(loaded("gemini", BEFORE, command=command, env={"A": "1"}), BEFORE, facts)

    assert start.argv == ("bash", "-c", line)
    assert start.env["GEMINI_PROJECT_DIR"] == "/my work"
    assert start.env["A"] == "1"


def test_of_several_denials_all_are_told() -> None:
    hooks = [loaded("gemini", BEFORE, command="a"), loaded("gemini", BEFORE, command="b")]
    denials = [(hooks[0], HookAnswer(DENY, "A"), 0.5), (hooks[1], HookAnswer(DENY, "B"), 0.1)]

    assert DIALECT.refusal(hooks[0], CALL, DIALECT.as_one(denials)[1]) == "Tool execution blocked: A\nB"
    stopped = [*denials, (hooks[1], HookAnswer(DENY, "S", stop="S"), 0.1)]
    assert DIALECT.refusal(hooks[0], CALL, DIALECT.as_one(stopped)[1]) == "Agent execution stopped by hook: S"


@pytest.mark.parametrize(
    ("timeout", "rule"),
    [(None, 0), (1, 0), (500.5, 0), (2**31 - 1, 0), (2**31, 4), (0, 4), (-1, 4), (True, 4), ("5", 4), ([1], 4)],
)
def test_a_hook_that_gemini_cli_gives_no_time_is_asked_all_the_same(timeout: Any, rule: int) -> None:
    hook = loaded("gemini", BEFORE, timeout=timeout)
    assert DIALECT.fires(hook, CALL, FACTS)
    assert DIALECT.rule(hook, CALL, FACTS) == rule
    assert DIALECT.seconds(hook, BEFORE) > 0


def test_a_denial_after_the_model_is_one_here_however_it_is_said() -> None:
    """Gemini CLI runs the call all the same, unless the hook ends the session."""
    for outcome in (HookOutcome(2, stderr="NO"), HookOutcome(0, '{"decision": "deny", "reason": "NO"}')):
        answer = DIALECT.answer(loaded("gemini", "AfterModel"), "AfterModel", outcome)
        assert (answer.decision, answer.why, answer.rule) == (DENY, "NO", 2)
