"""Messages as modules know them, and back: nothing is lost, and nothing that a module returns breaks a session."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from pisces.session.module_messages import chat_message, chat_messages, module_messages, text_in
from pisces.shapes.message import (
    BY_MODEL,
    BY_USER,
    CallPart,
    ChatMessage,
    ImagePart,
    ResultPart,
    TextPart,
    ThinkingPart,
)
from pisces.value import frozen
from tests.modules.js_session import bun
from tests.session.world import SessionWorld


def conversation(chance: random.Random) -> list[ChatMessage]:
    made: list[ChatMessage] = []
    for number in range(chance.randint(1, 6)):
        made.append(ChatMessage(BY_USER, (TextPart(f"line {number}"), ImagePart("image/png", "aGk="))))
        parts: list[Any] = [ThinkingPart("hm", "signed", "hidden", "item"), TextPart("so", "signed")]
        calls = [
            CallPart(f"{number}.{at}", "look", frozen({"at": [at]}), "", "s") for at in range(chance.randint(0, 3))
        ]
        made.append(ChatMessage(BY_MODEL, tuple(parts[chance.randint(0, 1) :] + calls), "anthropic"))
        if calls:
            text = TextPart(chance.choice(["", "seen"]))
            results = tuple(ResultPart(each.id, each.name, (text,), chance.random() < 0.5) for each in calls)
            made.append(ChatMessage(BY_USER, results))
    return made


@pytest.mark.parametrize("seed", range(30))
def test_a_conversation_is_the_same_after_a_walk_through_a_module(seed: int) -> None:
    messages = conversation(random.Random(seed))
    sent = json.loads(json.dumps(module_messages(messages)))
    assert chat_messages(sent) == tuple(messages)


HOSTILE: list[Any] = [
    None,
    7,
    "text",
    [],
    {},
    {"role": "user"},
    {"role": 3, "content": 4},
    {"role": "assistant", "content": [None, 3, {"type": "toolCall"}, {"type": "toolCall", "id": 1, "name": 2}]},
    {"role": "assistant", "content": [{"type": "text", "text": {"a": 1}}, {"type": "image"}, {"type": "unknown"}]},
    {"role": "toolResult", "content": {"a": 1}},
    {"role": "toolResult", "toolCallId": None, "content": [{"type": "toolCall", "id": "x", "name": "y"}]},
    {"content": "\ud800"},
]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_what_is_no_message_breaks_nothing(number: int) -> None:
    found = chat_message(HOSTILE[number])
    assert found is None or isinstance(found, ChatMessage)
    assert isinstance(chat_messages(HOSTILE), tuple)
    assert isinstance(text_in(HOSTILE[number]), str)


@pytest.mark.parametrize("event", ["Context", "BeforeModel", "AfterModel", "MessageEnd", "BeforeAgentStart"])
def test_a_module_that_returns_nonsense_does_not_break_a_session(tmp_path: Path, event: str) -> None:
    nonsense = {
        "Context": "messages=[3, None, {'role': 'toolResult', 'toolCallId': 'x', 'content': 'stray'}]",
        "BeforeModel": "request={'messages': 3, 'config': [], 'system': {}}",
        "AfterModel": "response=[{'candidates': {}}]",
        "MessageEnd": "message={'role': ['x'], 'content': [3]}",
        "BeforeAgentStart": "messages=[{'content': [3]}, {}]",
    }[event]
    module = (
        "from pisces import events\n"
        "def extension(pisces):\n"
        f"    pisces.on(events.{event})(lambda event: event.replace({nonsense}))\n"
    )
    world = SessionWorld(tmp_path, ["one", "two"], module)
    for answered in world.submit("hi", "again"):
        assert answered.end is not None
    for ask in world.model.asked:
        assert all(each.parts for each in ask.messages)


SCRIPT = """
export default function (pi) {
  pi.on("message_end", (event, ctx) => ctx.ui.notify(event.message.role + ": " + event.message.content[0].text));
  pi.on("context", (event) => ({ messages: [...event.messages, { role: "user", content: "from a script" }] }));
  pi.on("turn_end", (event, ctx) => ctx.ui.notify(String(event.message.role)));
}
"""


def test_a_script_hears_messages_and_adds_to_the_context(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["hello"])
    world.places = world.places.replace(env={**bun().env, **world.places.env})
    path = tmp_path / "module.mjs"
    path.write_text(SCRIPT, encoding="utf-8")
    world.options = world.options.replace(modules=(str(path),))
    world.submit("hi")
    assert world.notices == ["user: hi", "assistant: hello", "assistant"]
    assert world.sent() == ["hi", "from a script"]
