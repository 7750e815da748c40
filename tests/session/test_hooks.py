"""Hooks of other harnesses in a session: what they add, what they stop, and what they ask a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pisces.agent.loop import STOPPED
from pisces.session.session import Session
from pisces.shapes.events.surroundings import Notification
from pisces.shapes.message import CallPart
from tests.session.world import SessionWorld


def with_hooks(world: SessionWorld, harness: str = ".claude", **hooks: Any) -> SessionWorld:
    """`hooks` are commands or hooks by their event."""
    made = {
        event: [{"hooks": [hook if isinstance(hook, dict) else {"type": "command", "command": hook}]}]
        for event, hook in hooks.items()
    }
    folder = Path(world.places.home, harness)
    folder.mkdir(exist_ok=True)
    (folder / "settings.json").write_text(json.dumps({"hooks": made}), encoding="utf-8")
    return world


def said(**answer: Any) -> str:
    return f"echo '{json.dumps(answer)}'"


def test_context_of_hooks_goes_with_the_message(tmp_path: Path) -> None:
    world = with_hooks(
        SessionWorld(tmp_path, ["ok"]), SessionStart="echo branch main", UserPromptSubmit="echo be brief"
    )
    world.submit("hi")
    (text,) = world.sent()
    assert "branch main" in text
    assert "be brief" in text
    assert text.startswith("hi")


def test_messages_of_hooks_are_shown_to_the_user(tmp_path: Path) -> None:
    world = with_hooks(SessionWorld(tmp_path, ["ok"]), UserPromptSubmit=said(systemMessage="good morning"))
    world.submit("hi")
    assert [each.message for each in world.of(Notification)] == ["UserPromptSubmit says: good morning"]


def test_a_hook_that_blocks_a_prompt_asks_no_model(tmp_path: Path) -> None:
    world = with_hooks(SessionWorld(tmp_path, ["never"]), UserPromptSubmit=said(decision="block", reason="no secrets"))
    (answered,) = world.submit("hi")
    assert "no secrets" in answered.submitted.blocked
    assert world.model.asked == []


def test_a_hook_that_wants_to_stop_after_a_tool_ends_the_run(tmp_path: Path) -> None:
    hook = said(**{"continue": False, "stopReason": "that is enough"})
    world = with_hooks(SessionWorld(tmp_path, [(CallPart("1", "read", {"path": "a.txt"}),), "never"]), PostToolUse=hook)
    (world.work / "a.txt").write_text("hello", encoding="utf-8")
    (answered,) = world.submit("hi")
    assert (answered.end.ended, len(world.model.asked)) == (STOPPED, 1)
    assert "that is enough" in answered.end.why


def test_a_hook_may_have_the_agent_go_on(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    hook = f"""test -e {flag} || {{ touch {flag}; echo '{{"decision": "block", "reason": "run the tests"}}'; }}"""
    world = with_hooks(SessionWorld(tmp_path, ["done", "tests pass"]), Stop=hook)
    (answered,) = world.submit("hi")
    assert answered.end.text == "tests pass"
    assert any("run the tests" in each for each in world.sent())


def test_a_question_of_a_hook_goes_to_the_model_of_the_session(tmp_path: Path) -> None:
    hook = {"type": "prompt", "prompt": "Is it really done? $ARGUMENTS"}
    turns = ["done", '{"ok": false, "reason": "no tests were run"}']
    world = with_hooks(SessionWorld(tmp_path, turns), Stop=hook)

    async def work(session: Session) -> tuple[Any, int]:
        end = (await session.submit("hi")).end
        return end, session.usage_by_model[0].requests

    end, requests = world.during(work)
    assert (end.text, requests) == ("done", 2)
    assert [each.message for each in world.of(Notification)] == ["no tests were run"]
    assert world.sent(1)[0].startswith("Is it really done?")


def test_a_hook_before_the_model_may_block_or_answer(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path / "a", ["never"])
    with_hooks(world, ".gemini", BeforeModel=said(decision="deny", reason="quota used up"))
    (answered,) = world.submit("hi")
    assert (answered.end.ended, world.model.asked) == (STOPPED, [])
    assert "quota used up" in answered.end.why
    response = {"candidates": [{"content": {"role": "model", "parts": ["from the hook"]}}]}
    hook = said(
        decision="deny", reason="x", hookSpecificOutput={"hookEventName": "BeforeModel", "llm_response": response}
    )
    world = SessionWorld(tmp_path / "b", ["never"])
    with_hooks(world, ".gemini", BeforeModel=hook)
    (answered,) = world.submit("hi")
    assert (answered.end.text, world.model.asked) == ("from the hook", [])


def test_a_hook_after_the_model_may_replace_its_text(tmp_path: Path) -> None:
    response = {"candidates": [{"content": {"role": "model", "parts": ["[redacted]"]}}]}
    hook = said(hookSpecificOutput={"hookEventName": "AfterModel", "llm_response": response})
    world = with_hooks(SessionWorld(tmp_path, ["the key is 123"]), ".gemini", AfterModel=hook)
    (answered,) = world.submit("hi")
    assert answered.end.text == "[redacted]"
