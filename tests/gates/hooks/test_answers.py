"""A refusal is understood wherever a hook's text has it, in the words of any harness; an allow is read nowhere here."""

from __future__ import annotations

import json
from time import process_time
from typing import Any

import pytest

from pisces.gates.hooks.answers import denial_among, denial_in, objects_in, stop_in, text_of, whole_object

DENY = {"decision": "deny", "reason": "R"}


def inner(**fields: object) -> dict[str, Any]:
    return {"hookSpecificOutput": fields}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(DENY),
        json.dumps(DENY, indent=2),
        f"\ufeff{json.dumps(DENY)}",
        f"  \n\ufeff {json.dumps(DENY)} \n",
        json.dumps(json.dumps(DENY)),
        f"starting\n{json.dumps(DENY)}",
        f"starting {json.dumps(DENY)} done",
        f"{json.dumps(DENY)}\nend\n",
        f"one {{ two\n{json.dumps(DENY, indent=1)}\n}} three",
        f'{{"level": "info"}}\n{json.dumps(DENY)}',
        f'{json.dumps(DENY)}\n{{"decision": "allow"}}',
        f'{{"unfinished": \n{json.dumps(DENY)}',
        f"[{json.dumps(DENY)}]",
        '{"decision": "deny", "reason": "R", "decision": "allow"}',
        f"{'{' * 50000}{json.dumps(DENY)}",
        f'{{"a": {"[" * 100000}\n{json.dumps(DENY)}',
        '{"decision": "deny", "reason": "R", "n": NaN}\n' + json.dumps(DENY),
    ],
)
def test_a_refusal_is_found_in_the_text(text: str) -> None:
    assert denial_among(objects_in(text)) == "R"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (DENY, "R"),
        ({"decision": "block", "reason": "R"}, "R"),
        ({"decision": "DENY", "reason": "R"}, "R"),
        ({"decision": " Block ", "reason": 5}, "5"),
        ({"decision": "deny"}, ""),
        ({"decision": "deny", "reason": " "}, ""),
        ({"permissionDecision": "deny", "permissionDecisionReason": "R"}, "R"),
        ({"permission_decision": "denied", "reason": "R"}, "R"),
        (inner(hookEventName="PreToolUse", permissionDecision="deny", permissionDecisionReason="R"), "R"),
        (inner(permissionDecision="deny", permissionDecisionReason="R"), "R"),
        (inner(permissionDecision="DENY", permissionDecisionReason="R", other=1), "R"),
        (inner(permissionDecision="deny", updatedInput={"command": "x"}), ""),
        (inner(decision={"behavior": "deny", "message": "R"}), "R"),
        (inner(decision={"behavior": "deny", "interrupt": True}), ""),
        ({"decision": {"behavior": "deny", "message": "R"}}, "R"),
        ({"decision": "block", "reason": "R", **inner(permissionDecision="allow")}, "R"),
        ({"decision": "allow", **inner(permissionDecision="deny", permissionDecisionReason="R")}, "R"),
        ({"continue": "yes", **DENY}, "R"),
        ({"ok": False, "reason": "R"}, "R"),
        ({"permission": "deny", "agentMessage": "R"}, "R"),
        ({"allowed": False}, ""),
    ],
)
def test_a_denial_is_read_in_the_words_of_any_harness(answer: dict[str, Any], reason: str) -> None:
    assert denial_in(answer) == reason


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"decision": "allow", "reason": "deny"},
        {"decision": "approve"},
        {"decision": None},
        {"decision": ["deny"]},
        {"ok": True},
        {"ok": None},
        {"reason": "deny"},
        {"systemMessage": "block"},
        {"hookSpecificOutput": "deny"},
        inner(permissionDecision="allow", updatedInput={"decision": "deny"}),
        inner(tool_input={"permissionDecision": "deny"}),
    ],
)
def test_other_answers_are_no_denial(answer: dict[str, Any]) -> None:
    assert denial_in(answer) is None


def test_an_input_that_talks_of_refusals_is_no_refusal_where_the_answer_is_whole() -> None:
    answer = inner(hookEventName="PreToolUse", permissionDecision="allow", updatedInput=DENY)

    assert denial_among(objects_in(json.dumps(answer))) is None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"continue": False}, ""),
        ({"continue": False, "stopReason": "S", "reason": "R"}, "S"),
        ({"continue": False, "reason": "R"}, "R"),
        ({"continue": "false"}, ""),
        ({"continue": True}, None),
        ({"continue": "yes"}, None),
        ({"stopReason": "S"}, None),
        ({}, None),
    ],
)
def test_a_wish_to_stop_has_its_reason(answer: dict[str, Any], reason: str | None) -> None:
    assert stop_in(answer) == reason


@pytest.mark.parametrize("text", ["", "nope", "[]", "5", "null", '"deny"', '{"decision":', "{}{}", "{} x", "{'a': 1}"])
def test_only_one_object_is_a_whole_answer(text: str) -> None:
    assert whole_object(text) is None


@pytest.mark.parametrize("value", ["[" * 700 + "]" * 700, "1e999", "-1e999", "NaN"])
def test_what_cannot_be_passed_on_is_no_answer(value: str) -> None:
    assert whole_object(f'{{"a": {value}}}') is None


def test_blanks_and_a_byte_order_mark_may_stand_around_a_whole_answer() -> None:
    assert whole_object(' \n\ufeff{"a": 1}\r\n ') == {"a": 1}


@pytest.mark.parametrize(
    ("value", "text"),
    [("R", "R"), (" R ", "R"), (None, ""), (5, "5"), (True, "true"), ([1, "a"], "1,a"), ({}, "[object Object]")],
)
def test_a_reason_of_any_type_is_printed_as_javascript_does(value: object, text: str) -> None:
    assert text_of(value) == text


@pytest.mark.parametrize("unit", ['{"', '{"a":', "{}", "[", '{"a":[', "{\n", '{"a\\"'])
def test_reading_a_megabyte_of_brackets_takes_linear_time(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    began = process_time()

    objects_in(text)

    assert process_time() - began < 5


def test_half_a_character_is_replaced_wherever_an_answer_has_it() -> None:
    inner = {"list": ["\ud800", {"deep": "\udfffx"}], "n": 1}
    found = whole_object(json.dumps({"reason": "a\ud800b", "hookSpecificOutput": inner}))
    assert found == {"reason": "a\ufffdb", "hookSpecificOutput": {"list": ["\ufffd", {"deep": "\ufffdx"}], "n": 1}}
    json.dumps(found, ensure_ascii=False).encode("utf-8")
