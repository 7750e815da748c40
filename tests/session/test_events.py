"""Which events a session emits, in which order, and what handlers may change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pisces.agent.loop import STOPPED
from pisces.models.scripted import ScriptedModel
from pisces.models.wire import ANY_TOOL, ModelFailed, TextDelta
from pisces.session.session import Session
from pisces.shapes.event import Event
from pisces.shapes.events import EVENTS
from pisces.shapes.events.agent import AgentEnd, MessageEnd, MessageUpdate
from pisces.shapes.events.session import StopFailed
from pisces.shapes.events.surroundings import ModuleFailed, Notification
from pisces.shapes.message import CallPart, ChatMessage, ResultPart
from tests.session.world import SessionWorld

READ = CallPart("1", "read", {"path": "a.txt"})


def module_on(event: str, body: str) -> str:
    return (
        "from pisces import events\n"
        "def extension(pisces):\n"
        f"    @pisces.on(events.{event})\n"
        f"    def handle(event):\n"
        f"        {body}\n"
    )


def test_events_come_in_the_order_of_pi(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, [(READ,), "It says hello."])
    (world.work / "a.txt").write_text("hello", encoding="utf-8")
    world.submit("what is in it?")
    names = [name for name in world.names() if name != "message_update"]
    assert names == [
        *("session_start", "agent_start", "turn_start", "message_start", "message_end"),
        *("message_start", "message_end"),
        *("tool_execution_start", "tool_execution_end", "tool_result"),
        *("message_start", "message_end", "turn_end", "turn_start"),
        *("message_start", "message_end", "turn_end", "session_stop", "agent_end", "agent_settled"),
    ]


def test_an_event_that_nobody_hears_is_not_walked(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["hello"])

    async def heard(session: Session) -> tuple[bool, bool]:
        return session.host.hears(MessageUpdate(None, TextDelta("a"))), session.host.hears(AgentEnd())

    assert world.during(heard) == (False, False)
    other = SessionWorld(tmp_path / "other", ["hello"], module_on("MessageUpdate", "return None"))
    assert other.during(heard) == (True, False)


def test_modules_get_messages_as_they_know_them_and_readers_get_ours(tmp_path: Path) -> None:
    body = "pisces.ui.notify(f\"{event.message['role']} {event.message['content'][0]['text']}\")"
    world = SessionWorld(tmp_path, ["hello you"], module_on("MessageEnd", body))
    world.submit("hi")
    assert world.notices == ["user hi", "assistant hello you"]
    assert all(isinstance(each.message, ChatMessage) for each in world.of(MessageEnd))


def test_a_handler_may_replace_a_message_before_it_is_stored(tmp_path: Path) -> None:
    body = "return event.replace(message={**event.message, 'content': 'SECRET REMOVED'})"
    world = SessionWorld(tmp_path, ["a", "b"], module_on("MessageEnd", body))
    world.submit("the password is x", "again")
    assert world.sent() == ["SECRET REMOVED"] * 3


def test_a_handler_cannot_speak_for_somebody_else_nor_drop_a_call(tmp_path: Path) -> None:
    body = "return event.replace(message={'role': 'user', 'content': 'gone'})"
    world = SessionWorld(tmp_path, [(READ,), "done"], module_on("MessageEnd", body))
    (world.work / "a.txt").write_text("hello", encoding="utf-8")
    world.submit("hi")
    assert [each.calls for each in world.model.asked[1].messages][1]
    assert [part.id for part in world.model.asked[1].messages[2].parts if isinstance(part, ResultPart)] == ["1"]


def test_the_system_prompt_and_messages_of_before_agent_start_count(tmp_path: Path) -> None:
    body = (
        "return event.replace(system_prompt=event.system_prompt + ' Be brief.')"
        ".with_message({'customType': 'note', 'content': 'it is late', 'display': False})"
    )
    world = SessionWorld(tmp_path, ["ok"], module_on("BeforeAgentStart", body))
    world.submit("hi")
    assert world.model.asked[0].system.endswith(" Be brief.")
    assert world.sent() == ["hi", "it is late"]


def test_context_is_replaced_for_one_request_and_stays_valid(tmp_path: Path) -> None:
    body = "return event.replace(messages=[each for each in event.messages if each['role'] != 'toolResult'])"
    world = SessionWorld(tmp_path, [(READ,), "done"], module_on("Context", body))

    async def work(session: Session) -> int:
        await session.submit("hi")
        return len(session.transcript.messages)

    assert world.during(work) == 4
    calls, results = world.model.asked[1].messages[1:3]
    assert [each.id for each in calls.calls] == [part.id for part in results.parts]  # type: ignore[union-attr]
    assert "not known" in str(results)


def test_before_model_may_change_answer_or_block_a_request(tmp_path: Path) -> None:
    change = "return event.replace(request={**event.request, 'messages': [{'role': 'user', 'content': 'other'}]})"
    world = SessionWorld(tmp_path / "a", ["ok"], module_on("BeforeModel", change))
    world.submit("hi")
    assert world.sent() == ["other"]
    answer = "return event.replace(response={'role': 'assistant', 'content': 'from the cache'})"
    world = SessionWorld(tmp_path / "b", ["never"], module_on("BeforeModel", answer))
    (answered,) = world.submit("hi")
    assert (answered.end.text, world.model.asked) == ("from the cache", [])
    world = SessionWorld(tmp_path / "c", ["never"], module_on("BeforeModel", "return event.block('too dear')"))
    (answered,) = world.submit("hi")
    assert (answered.end.ended, answered.end.why, world.model.asked) == (STOPPED, "too dear", [])


def test_a_hook_that_leaves_texts_as_they_are_loses_no_call(tmp_path: Path) -> None:
    body = (
        "texts = [{'role': each['role'], 'content': ''.join(p.get('text', '') for p in each['content'])}"
        " for each in event.request['messages']]; "
        "return event.replace(request={**event.request, 'messages': texts})"
    )
    world = SessionWorld(tmp_path, [("look", READ), "done"], module_on("BeforeModel", body))
    (world.work / "a.txt").write_text("hello", encoding="utf-8")
    world.submit("hi")
    assert [each.name for each in world.model.asked[1].messages[1].calls] == ["read"]


def test_before_tool_selection_narrows_what_the_model_may_call(tmp_path: Path) -> None:
    body = "return event.replace(tools=[*event.tools[:1], 'invented'])"
    world = SessionWorld(tmp_path, ["ok"], module_on("BeforeToolSelection", body))
    world.submit("hi")
    assert len(world.model.asked[0].tools) == 1


@pytest.mark.parametrize(("mode", "choice", "count"), [("any", ANY_TOOL, 1), ("none", "", 0), ("auto", "", 1)])
def test_before_tool_selection_may_force_a_call_or_forbid_all(
    tmp_path: Path, mode: str, choice: str, count: int
) -> None:
    body = f"return event.replace(tools=event.tools[:1], mode='{mode}')"
    world = SessionWorld(tmp_path, ["ok"], module_on("BeforeToolSelection", body))
    world.submit("hi")
    (asked,) = world.model.asked
    assert (asked.choice, len(asked.tools)) == (choice, count)


def test_after_model_may_replace_the_text_and_keeps_the_calls(tmp_path: Path) -> None:
    body = "return event.replace(response={'role': 'assistant', 'content': 'redacted'})"
    world = SessionWorld(tmp_path, [("secret", READ), "done"], module_on("AfterModel", body))
    world.submit("hi")
    answer = world.model.asked[1].messages[1]
    assert (answer.text, len(answer.calls)) == ("redacted", 1)


def test_a_blocked_tool_batch_ends_the_run(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, [(READ,), "never"], module_on("ToolBatch", "return event.block('enough')"))
    (answered,) = world.submit("hi")
    assert (answered.end.ended, answered.end.why, len(world.model.asked)) == (STOPPED, "enough", 1)


def test_session_stop_may_have_the_agent_go_on_a_few_times(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, [], module_on("SessionStop", "return event.block('not yet')"))
    world.submit("hi")
    assert world.sent().count("not yet") == 8


def test_a_failed_request_is_heard_and_the_next_prompt_works(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, [ModelFailed("bad key", 401), "fine"])

    async def work(session: Session) -> Any:
        with pytest.raises(ModelFailed):
            await session.submit("hi")
        return await session.submit("again")

    assert world.during(work).end.text == "fine"
    assert [each.kind for each in world.of(StopFailed)] == ["authentication_failed"]
    assert len(world.of(AgentEnd)) == 2
    assert world.sent() == ["hi", "again"]


def test_a_module_that_breaks_at_every_event_does_not_break_the_session(tmp_path: Path) -> None:
    """But what guards, guards: a broken guard of a request blocks it, so those are left out here."""
    guards = ("BeforeModel", "ToolCall", "PromptExpansion", "ProjectTrust")
    names = [kind.__name__ for kind in EVENTS if kind.__name__ not in (*guards, "ModuleFailed")]
    module = (
        "from pisces import events\n"
        "def extension(pisces):\n"
        "    def handle(event):\n"
        "        raise ValueError(type(event).__name__)\n"
        f"    for name in {names!r}:\n"
        "        pisces.on(getattr(events, name))(handle)\n"
    )
    world = SessionWorld(tmp_path, [(READ,), "It says hello."], module)
    (world.work / "a.txt").write_text("hello", encoding="utf-8")
    (answered,) = world.submit("what is in it?")
    assert answered.end.text == "It says hello."
    heard = {each.event for each in world.of(ModuleFailed)}
    assert {"SessionStart", "Input", "BeforeAgentStart", "Context", "MessageUpdate", "ToolResult", "TurnEnd"} <= heard


def test_a_broken_guard_of_requests_blocks_them_and_says_so(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["never"], module_on("BeforeModel", "raise ValueError('broken')"))
    (answered,) = world.submit("hi")
    assert (answered.end.ended, world.model.asked) == (STOPPED, [])
    assert "broken" in answered.end.why


def test_a_reader_that_raises_does_not_break_the_session(tmp_path: Path) -> None:
    def broken(_event: Event) -> None:
        raise RuntimeError("screen gone")

    world = SessionWorld(tmp_path, ["hello"], readers=(broken,))
    (answered,) = world.submit("hi")
    assert answered.end.text == "hello"
    said = [each.message for each in world.of(Notification)]
    assert len(said) == 1
    assert "screen gone" in said[0]


def test_the_scripted_model_is_not_asked_where_a_module_handles_the_line(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["never"], module_on("Input", "return event.handle()"))
    (answered,) = world.submit("hi")
    assert (answered.end, world.model.asked) == (None, [])
    assert isinstance(world.model, ScriptedModel)
