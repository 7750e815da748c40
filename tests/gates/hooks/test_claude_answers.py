"""What the output of a hook of Claude Code means: any denial counts, an allow only without a flaw."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from pisces.gates.hooks.dialect import NO_ANSWER, NOT_STARTED, SIGNAL, TIMEOUT, TOO_LONG, HookOutcome
from pisces.harnesses.claude.hooks import DIALECT
from pisces.shapes.events import ToolCall

from .making import FACTS
from .session import hook

GUARD = hook("guard")
ENDS = ("", TIMEOUT, SIGNAL, NOT_STARTED, TOO_LONG, NO_ANSWER, "too many processes")
CODES = (0, 1, 2, 3, 126, 127, 255, None)


def inner(**fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **fields}}


ALLOWS = (
    inner(permissionDecision="allow"),
    {"decision": "approve"},
    inner(permissionDecision="allow", updatedInput={}),
)
DENIALS = (
    inner(permissionDecision="deny"),
    inner(permissionDecision="DENY"),
    inner(permissionDecision="block", permissionDecisionReason=5),
    {**inner(permissionDecision="deny"), "continue": "yes"},
    {**inner(permissionDecision="deny"), "suppressOutput": 1, "nonsense": [1]},
    {"hookSpecificOutput": {"permissionDecision": "deny"}},
    {"hookSpecificOutput": {"hookEventName": "Other", "permissionDecision": "deny"}},
    {"decision": "block"},
    {"decision": "deny", "reason": "R"},
    {"decision": "approve", **inner(permissionDecision="deny")},
    {"decision": "block", **inner(permissionDecision="allow")},
    {"permissionDecision": "deny"},
    {"permission": "deny"},
    {"ok": False},
    inner(decision={"behavior": "deny"}),
)


def answered(text: str, code: int | None = 0, ended: str = "", stderr: str = "") -> Any:
    return DIALECT.answer(GUARD, "PreToolUse", HookOutcome(code, text, stderr, ended))


@pytest.mark.parametrize(("code", "ended"), list(itertools.product(CODES, ENDS)))
def test_nothing_is_allowed_by_a_hook_that_did_not_end_well(code: int | None, ended: str) -> None:
    for allow in ALLOWS:
        answer = answered(json.dumps(allow), code, ended)
        if (code, ended) == (0, ""):
            assert answer.decision == "allow"
        else:
            assert answer.decision == "deny" or answer.failure


@pytest.mark.parametrize("denial", DENIALS, ids=json.dumps)
def test_a_denial_counts_in_any_form_among_anything_and_however_the_hook_ended(denial: dict[str, Any]) -> None:
    text = json.dumps(denial)
    around = ("{}", "\ufeff{}", "\n\n  {} \n", "starting\n{}", "{}\ndone", "a\n{}\nb\n", "[{}]")
    for frame, code, ended in itertools.product(around, CODES, ENDS):
        assert answered(frame.replace("{}", text), code, ended).decision == "deny", (frame, code, ended)
    for allow in ALLOWS:
        assert answered(f"{text}\n{json.dumps(allow)}").decision == "deny"
        assert answered(f"{json.dumps(allow)}\n{text}").decision == "deny"
    assert answered(json.dumps(denial, indent=2)).decision == "deny"
    assert answered(json.dumps(text)).decision == "deny", "encoded twice"
    assert answered("", 0, "", text).decision == "deny", "on stderr alone"


@pytest.mark.parametrize(
    "text",
    [
        '{"hookSpecificOutput": {"permissionDecision": "allow"}}',
        '{"hookSpecificOutput": {"hookEventName": "PostToolUse", "permissionDecision": "allow"}}',
        '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ALLOW"}}',
        '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": "x"}}',
        '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": ["allow"]}}',
        '{"hookSpecificOutput": [], "decision": "approve"}',
        '{"decision": "allow"}',
        '{"decision": "approve", "continue": "no"}',
        '{"decision": "approve", "reason": 5}',
        '{"decision": {"behavior": "allow"}}',
        '{"decision": ["approve"]}',
        'starting\n{"decision": "approve"}',
        '{"decision": "approve"}\ndone',
        '{"decision": "approve"} {"decision": "approve"}',
        '[{"decision": "approve"}]',
        '{"decision": "approve"',
        '{"decision": "approve", "decision": "block"}',
        '{"decision": "block", "decision": "approve"}',
        "{" * 2000,
        "[" * 200_000,
    ],
)
def test_an_allow_with_any_flaw_is_no_allow(text: str) -> None:
    answer = answered(text)
    assert answer.decision == "deny" or answer.failure


@pytest.mark.parametrize("text", ["", "ok", "checked 3 files", "null", "true", "5", '"text"', "{}", '{"nonsense": 1}'])
def test_a_hook_that_ends_well_and_says_nothing_about_the_call_has_no_objection(text: str) -> None:
    answer = answered(text)
    assert (answer.decision, answer.failure, answer.input) == ("", "", None)


def test_what_the_model_is_told_names_the_hook_only_where_claude_code_does() -> None:
    call = ToolCall("Bash", "c1", {"command": "x"})

    def refusal(loaded: Any, **outcome: Any) -> str:
        answer = DIALECT.answer(loaded, "PreToolUse", HookOutcome(**outcome))
        return DIALECT.refusal(loaded, call, answer)

    plugin = hook("guard", package="p")
    assert refusal(GUARD, exit=2) == "PreToolUse:Bash hook error: [guard]: No stderr output"
    assert refusal(GUARD, exit=2, stderr="E\n") == "PreToolUse:Bash hook error: [guard]: E\n"
    assert refusal(GUARD, exit=0, stdout='{"decision": "block", "reason": "R"}') == "PreToolUse:Bash hook error: R"
    assert refusal(plugin, exit=2).endswith("No stderr output\nThis hook comes from the p@inline plugin.")
    assert refusal(plugin, exit=0, stdout='{"decision": "block"}') == "PreToolUse:Bash hook error: Blocked by hook"


def test_a_denial_that_the_same_answer_takes_back_stays_by_our_rule() -> None:
    taken_back = answered('{"decision": "block", "decision": "approve", "reason": "R"}')
    assert (taken_back.decision, taken_back.why, taken_back.rule) == ("deny", "R", 2)
    assert answered('{"decision": "block", "reason": "R"}').rule == 0


def test_a_condition_with_blanks_around_it_fires_by_our_rule() -> None:
    call = ToolCall("Bash", "1", {"command": "echo hi"})
    for condition, rule in ((" Bash(echo *) ", 4), ("Bash(echo *)", 0)):
        guard = hook("true", **{"if": condition})
        assert DIALECT.fires(guard, call, FACTS)
        assert DIALECT.rule(guard, call, FACTS) == rule
