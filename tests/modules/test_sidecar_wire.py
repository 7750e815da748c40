"""How events are spelled on the wire, and what each kind of answer makes of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pisces.modules.sidecar.mirror import Mirror
from pisces.modules.sidecar.process import encoded
from pisces.modules.sidecar.wire import EVENTS, SAID, heard, said
from pisces.shapes.event import Event
from pisces.shapes.events import (
    EVENTS as ALL,
    agent,
    compaction,
    mcp,
    permissions,
    provider,
    session,
    subagents,
    surroundings,
    tools,
)
from pisces.testing.host import ScriptedHost
from tests.modules.js_session import wiring_for


def test_every_event_that_there_is_can_be_said() -> None:
    assert set(ALL) - set(SAID) == {surroundings.ModuleFailed}


def test_fields_that_are_said_exist() -> None:
    wrong = [
        (kind.__name__, field) for kind, fields in SAID.items() for field in fields if field not in kind.__fields__
    ]
    assert wrong == []


def test_every_event_is_known_by_its_own_name() -> None:
    assert all(EVENTS[kind.NAME] is kind for kind in SAID)


def test_events_are_spelled_as_pi_spells_them() -> None:
    event = session.SessionStart("fork", "a.jsonl")
    assert said(event, event.NAME) == {"type": "session_start", "reason": "fork", "previousSessionFile": "a.jsonl"}


def test_what_is_not_there_is_left_out() -> None:
    assert said(session.SessionStart(), "session_start") == {"type": "session_start", "reason": "startup"}


@pytest.mark.parametrize(
    ("event", "answer", "changes"),
    [
        (session.SessionBeforeSwitch(), {"cancel": True, "reason": "busy"}, {"cancelled": True, "reason": "busy"}),
        (session.SessionBeforeFork(entry_id="e"), {"skipConversationRestore": True}, {"skip_restore": True}),
        (session.SessionBeforeTree(), {"summary": {"summary": "s"}}, {"summary": {"summary": "s"}}),
        (session.SessionBeforeTree(), {"label": "here"}, {"preparation": {"label": "here"}}),
        (session.SessionBeforeTree(), {"cancel": True}, {"cancelled": True}),
        (session.SessionStop(), {"continue": True, "additionalContext": "more"}, {"goes_on": True, "reason": "more"}),
        (session.SessionDirectory("/w"), {"sessionDir": "/s"}, {"folder": "/s"}),
        (compaction.SessionBeforeCompact(), {"cancel": True}, {"cancelled": True}),
        (compaction.SessionBeforeCompact(), {"compaction": {"summary": "s"}}, {"compaction": {"summary": "s"}}),
        (compaction.SessionCompacting(), {"context": ["a"], "prompt": "p"}, {"context": ("a",), "prompt": "p"}),
        (provider.BeforeProviderHeaders({}), {"headers": {"a": "b"}}, {"headers": {"a": "b"}}),
        (
            agent.MessageEnd({"role": "user"}),
            {"message": {"role": "user", "x": 1}},
            {"message": {"role": "user", "x": 1}},
        ),
        (surroundings.UserPython("1"), {"result": {"output": "1"}}, {"result": {"output": "1"}}),
        (agent.Input("a"), {"images": ["i"]}, {"images": ["i"]}),
        (permissions.PermissionAsked("tool"), {"decision": "deny", "reason": "r"}, {"decision": "deny", "reason": "r"}),
        (subagents.SubagentStop("1"), {"decision": "block", "reason": "more"}, {"blocked": True, "reason": "more"}),
        (surroundings.ConfigChange("/c"), {"cancel": True, "reason": "r"}, {"cancelled": True, "reason": "r"}),
        (mcp.Elicitation("s", "m"), {"action": "decline"}, {"action": "decline"}),
        (provider.BeforeToolSelection({}), {"tools": ["a"], "mode": "any"}, {"tools": ["a"], "mode": "any"}),
    ],
)
def test_answers_become_changed_copies(event: Event, answer: Any, changes: dict[str, Any]) -> None:
    assert heard(event, answer, {}) == event.replace(**changes)


@pytest.mark.parametrize(
    ("event", "answer"),
    [
        (agent.Input("a"), {"action": "continue"}),
        (agent.Input("a"), "a text"),
        (agent.Input("a"), ["a", "list"]),
        (tools.ToolCall("t", "1", {}), {"reason": "alone"}),
        (tools.ToolCall("t", "1", {}), {"block": False}),
        (agent.MessageEnd({"role": "user"}), {"message": {"role": "assistant"}}),
        (agent.AgentStart(), {"anything": 1}),
        (session.SessionStop(), {"continue": True}),
        (provider.Context([]), None),
        (surroundings.Notification("m"), {"other": 1}),
    ],
)
def test_answers_that_ask_for_nothing_change_nothing(event: Event, answer: Any) -> None:
    assert heard(event, answer, {}) is None


def test_what_was_changed_in_place_and_a_block_both_count() -> None:
    after = heard(tools.ToolCall("t", "1", {"a": 1}), {"block": True, "reason": "no"}, {"input": {"a": 2}})
    assert after == tools.ToolCall("t", "1", {"a": 2}, blocked=True, reason="no")


def test_the_mirror_says_everything_once_and_then_only_what_is_new() -> None:
    host = ScriptedHost("/w", entries=[{"id": "1"}, {"id": "2"}])
    wiring = wiring_for("/w")
    mirror = Mirror(wiring)
    assert mirror.change()["bound"] is False
    wiring.actions = host
    first = mirror.change()
    assert first["entries"] == {"keep": 0, "add": [{"id": "1"}, {"id": "2"}]}
    assert mirror.change() == {}
    host.append_entry("k", 1)
    host.set_thinking_level("high")
    change = mirror.change()
    assert change["thinkingLevel"] == "high"
    assert change["entries"]["keep"] == 2
    assert set(change) == {"thinkingLevel", "entries"}


def test_the_mirror_keeps_what_is_the_same_where_a_session_goes_another_way() -> None:
    host = ScriptedHost("/w", entries=[{"id": str(number)} for number in range(5)])
    wiring = wiring_for("/w")
    wiring.actions = host
    mirror = Mirror(wiring)
    mirror.change()
    host.session._entries[3:] = [{"id": "x"}]
    assert mirror.change()["entries"] == {"keep": 3, "add": [{"id": "x"}]}


def test_anything_can_be_written_to_the_wire() -> None:
    message = {"a": (1, 2), "b": {1}, "c": object, "d": "é\ud800\n", "e": b""}
    line = encoded(message)
    assert line.count(b"\n") == 1
    assert json.loads(line)["a"] == [1, 2]


def test_numbers_that_json_does_not_know_are_null() -> None:
    assert encoded({"a": [float("nan"), {"b": float("inf")}, 1.5]}) == b'{"a":[null,{"b":null},1.5]}\n'
