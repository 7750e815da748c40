"""Events pass modules of pi and omp as they were written, and their answers come back, in either spelling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pisces.shapes.event import Event
from pisces.shapes.events.agent import BeforeAgentStart, Input
from pisces.shapes.events.provider import BeforeProviderRequest, Context
from pisces.shapes.events.session import SessionBeforeFork, SessionBeforeSwitch, SessionStop
from pisces.shapes.events.surroundings import ResourcesDiscover, UserShell
from pisces.shapes.events.tools import ToolCall, ToolResult
from tests.modules.js_session import JsSession, played, written

CALL = ToolCall("bash", "1", {"command": "ls"})


def answered(tmp_path: Path, event: Event, handler: str, name: str = "") -> Any:
    """The event past a module whose handler is this JavaScript function."""
    text = f"export default (pi) => pi.on({(name or event.NAME)!r}, {handler})"

    async def play(session: JsSession) -> Event:
        after = await session.emit(event)
        assert not session.failures
        return after

    return played(written(tmp_path, {"module.ts": text}), play)


def test_a_guard_blocks_with_its_reason(tmp_path: Path) -> None:
    after = answered(tmp_path, CALL, "(event) => ({ block: event.toolName === 'bash', reason: event.toolCallId })")
    assert (after.blocked, after.reason) == (True, "1")


def test_what_is_changed_in_place_sticks(tmp_path: Path) -> None:
    after = answered(tmp_path, CALL, "(event) => { event.input.command += ' -l' }")
    assert after.input == {"command": "ls -l"}


def test_omp_replaces_the_input(tmp_path: Path) -> None:
    after = answered(tmp_path, CALL, "() => ({ input: { command: 'pwd' } })")
    assert after.input == {"command": "pwd"}


def test_a_handler_that_returns_nothing_changes_nothing(tmp_path: Path) -> None:
    assert answered(tmp_path, CALL, "() => undefined") is CALL


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("{ action: 'continue' }", Input("hi")),
        ("{ action: 'transform', text: 'ho' }", Input("ho")),
        ("{ action: 'handled' }", Input("hi", handled=True)),
        ("{ handled: true }", Input("hi", handled=True)),
        ("{ text: 'ho' }", Input("ho")),
    ],
)
def test_input_is_answered_in_either_dialect(tmp_path: Path, answer: str, expected: Input) -> None:
    assert answered(tmp_path, Input("hi"), f"() => ({answer})") == expected


def test_a_tool_result_is_patched_field_by_field(tmp_path: Path) -> None:
    result = ToolResult("bash", "1", {}, ({"type": "text", "text": "secret"},), {"kept": 1})
    after = answered(tmp_path, result, "() => ({ content: [{ type: 'text', text: '***' }], isError: true })")
    assert (after.text, after.details, after.is_error) == ("***", {"kept": 1}, True)


def test_the_context_is_replaced_or_changed_in_place(tmp_path: Path) -> None:
    context = Context([{"role": "user", "content": "a"}])
    replaced = answered(tmp_path / "1", context, "(event) => ({ messages: event.messages.slice(1) })")
    assert list(replaced.messages) == []
    changed = answered(tmp_path / "2", context, "(event) => { event.messages.push({ role: 'user', content: 'b' }) }")
    assert [each["content"] for each in changed.messages] == ["a", "b"]


def test_any_value_replaces_the_payload(tmp_path: Path) -> None:
    event = BeforeProviderRequest({"model": "a"})
    assert answered(tmp_path, event, "(event) => ({ ...event.payload, model: 'b' })").payload == {"model": "b"}


def test_a_system_prompt_is_a_text_for_pi_and_a_list_for_omp(tmp_path: Path) -> None:
    event = BeforeAgentStart("do it", system_prompt="Be kind.")
    pi = answered(tmp_path / "pi", event, "(event) => ({ systemPrompt: event.systemPrompt + ' Always.' })")
    assert pi.system_prompt == "Be kind. Always."
    handler = "(event) => ({ systemPrompt: [...event.systemPrompt, 'Always.'] }) // for @oh-my-pi/pi-coding-agent"
    omp = answered(tmp_path / "omp", event, f"{handler}\n")
    assert omp.system_prompt == "Be kind.\n\nAlways."


def test_messages_before_the_agent_starts_are_collected(tmp_path: Path) -> None:
    after = answered(tmp_path, BeforeAgentStart("x"), "() => ({ message: { customType: 'note', content: 'n' } })")
    assert list(after.messages) == [{"customType": "note", "content": "n"}]


@pytest.mark.parametrize("name", ["session_before_fork", "session_before_branch"])
def test_fork_and_branch_are_the_same_event(tmp_path: Path, name: str) -> None:
    handler = f"(event) => ({{ cancel: event.type === '{name}' && event.entryId === 'e1' }})"
    assert answered(tmp_path, SessionBeforeFork(entry_id="e1"), handler, name).cancelled


def test_a_switch_is_cancelled(tmp_path: Path) -> None:
    handler = "(event) => ({ cancel: event.reason === 'resume' && event.targetSessionFile === 'b.jsonl' })"
    assert answered(tmp_path, SessionBeforeSwitch(cause="resume", target_session="b.jsonl"), handler).cancelled


def test_a_stop_is_blocked_with_a_decision(tmp_path: Path) -> None:
    after = answered(tmp_path, SessionStop(), "() => ({ decision: 'block', reason: 'not yet' })")
    assert (after.blocked, after.reason) == (True, "not yet")


def test_operations_of_a_shell_run_in_the_sidecar(tmp_path: Path) -> None:
    operations = "{ exec: async (command, cwd, { onData }) => { onData(`ran ${command}`); return { exitCode: 3 } } }"
    after = answered(tmp_path, UserShell("ls", cwd="/"), f"() => ({{ operations: {operations} }})")
    assert after.result["output"] == "ran ls"
    assert after.result["exitCode"] == 3


def test_resources_are_added(tmp_path: Path) -> None:
    after = answered(tmp_path, ResourcesDiscover(), "() => ({ skillPaths: ['/a'], themePaths: ['/t'] })")
    assert (after.skill_paths, after.theme_paths) == (("/a",), ("/t",))


def test_handlers_of_several_modules_see_what_those_before_them_did(tmp_path: Path) -> None:
    append = "export default (pi) => pi.on('input', (event) => ({ text: event.text + '%s' }))"
    paths = written(tmp_path, {f"{letter}.ts": append % letter for letter in "abc"})

    async def play(session: JsSession) -> str:
        return (await session.emit(Input(""))).text

    assert played(paths, play) == "abc"


def test_an_event_that_does_not_exist_is_said_by_name(tmp_path: Path) -> None:
    paths = written(tmp_path, {"module.ts": "export default (pi) => pi.on('tool_cal', () => {})"})

    async def play(session: JsSession) -> list[str]:
        return session.messages

    (message,) = played(paths, play)
    assert "`tool_cal`" in message
