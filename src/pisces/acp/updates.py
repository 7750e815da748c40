"""Events of a session as the updates that an editor shows."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from acp import (
    start_tool_call,
    text_block,
    tool_content,
    tool_diff_content,
    update_agent_message_text,
    update_agent_thought_text,
    update_tool_call,
    update_user_message,
    update_user_message_text,
)
from acp.helpers import image_block, plan_entry, update_plan
from acp.schema import ToolCallLocation

from pisces.discovery import tool_names as to
from pisces.models.wire import TextDelta, ThinkingDelta
from pisces.processes.clean import cleaned
from pisces.shapes.events.agent import MessageEnd, MessageUpdate
from pisces.shapes.events.provider import AutoRetryStart
from pisces.shapes.events.surroundings import Notification
from pisces.shapes.events.tools import ToolExecutionStart, ToolExecutionUpdate, ToolResult
from pisces.shapes.message import BY_MODEL, CallPart, ChatMessage, ImagePart, ResultPart, TextPart, ThinkingPart
from pisces.shapes.tool import ToolFailed
from pisces.tools.proposed import proposed_text
from pisces.ui.partial_text import partial_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.shapes.event import Event

KINDS = {
    to.READ: "read",
    to.LIST: "read",
    to.WRITE: "edit",
    to.EDIT: "edit",
    to.PATCH: "edit",
    to.FIND: "search",
    to.SEARCH: "search",
    to.WEB_SEARCH: "search",
    to.SHELL: "execute",
    to.TYPE: "execute",
    to.FETCH: "fetch",
    to.TODOS: "think",
    to.SUBAGENT: "think",
}
_TITLE_WORDS = (to.COMMAND, to.PATH, to.PATTERN, to.URL, to.NAME, to.FOLDER, to.QUERY)
_LONGEST_TITLE = 120
_MOST_SHOWN = 20_000  # characters of one result: the editor keeps all of them in memory
_STATES = {"active": "in_progress", "done": "completed"}  # words of the tool `todos`


def updates_of(event: Event, folder: str) -> Iterator[Any]:
    """What the editor is to show of an event; mostly nothing. `folder` is the workspace."""
    if isinstance(event, MessageUpdate):
        yield from _of_delta(event.delta)
    elif isinstance(event, MessageEnd) and event.message.role == BY_MODEL:
        yield from (call_update(each, folder) for each in event.message.calls)
    elif isinstance(event, ToolExecutionStart):
        yield update_tool_call(event.call_id, status="in_progress")
    elif isinstance(event, ToolExecutionUpdate):
        yield from _of_partial(event)
    elif isinstance(event, ToolResult):
        yield from _of_result(event)
    elif isinstance(event, AutoRetryStart):
        yield update_agent_thought_text(
            f"The model does not answer ({event.error}); trying again in {event.delay:.0f} s\n"
        )
    elif isinstance(event, Notification):
        yield update_agent_thought_text(f"{event.message}\n")


def _of_delta(delta: Any) -> Iterator[Any]:
    if isinstance(delta, TextDelta):
        yield update_agent_message_text(delta.text)
    elif isinstance(delta, ThinkingDelta) and delta.text:
        yield update_agent_thought_text(delta.text)


def call_update(call: CallPart, folder: str) -> Any:
    """A call as it begins, with the change that it would make if it is an edit."""
    meaning, words = to.meaning_of(call.name), to.words_of(call.name, call.input)
    path = call.input.get(words.get(to.PATH, ""), "")
    full = os.path.join(folder, path) if isinstance(path, str) and path else ""
    return start_tool_call(
        call.id,
        title_of(call.name, call.input),
        kind=KINDS.get(meaning, "other"),  # type: ignore[arg-type]  # one of the words of the protocol
        status="pending",
        content=diff_of(call, folder),
        locations=[ToolCallLocation(path=full)] if full else None,
        raw_input=dict(call.input),
    )


def diff_of(call: CallPart, folder: str) -> list[Any] | None:
    """The change as the tool itself would make it; None for a call that changes no text, or that cannot be run."""
    try:
        proposed = proposed_text(call.name, call.input, folder)
    except ToolFailed:
        return None
    return None if proposed is None else [tool_diff_content(proposed.path, proposed.after, proposed.before)]


def title_of(tool: str, given: Mapping[str, Any]) -> str:
    """`shell npm test`: the tool with what it is about."""
    words = to.words_of(tool, given)
    values = (given.get(words[each]) for each in _TITLE_WORDS if each in words)
    about = next((each for each in values if isinstance(each, str) and each), "")
    line = " ".join(cleaned(f"{tool} {about}").split())
    return line if len(line) <= _LONGEST_TITLE else f"{line[: _LONGEST_TITLE - 1]}…"


def _of_partial(event: ToolExecutionUpdate) -> Iterator[Any]:
    text = partial_text(event.partial_result)
    if text:
        yield update_tool_call(event.call_id, content=[_text_content(text)])


def _of_result(event: ToolResult) -> Iterator[Any]:
    details = event.details if isinstance(event.details, dict) else {}
    status = "failed" if event.is_error else "completed"
    shown = [_text_content(event.text)] if event.text and (event.is_error or "diff" not in details) else None
    yield update_tool_call(event.call_id, status=status, content=shown)  # type: ignore[arg-type]
    todos = details.get("todos")
    if isinstance(todos, list):
        yield update_plan(_plan_entry(each) for each in todos if isinstance(each, dict))


def _plan_entry(todo: Mapping[str, Any]) -> Any:
    status = _STATES.get(str(todo.get("status", "")), "pending")
    return plan_entry(str(todo.get("text", "")), status=status)  # type: ignore[arg-type]


def _text_content(text: str) -> Any:
    text = cleaned(text)
    cut = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}\n… {len(text) - _MOST_SHOWN} more characters"
    return tool_content(text_block(cut))


def replayed(message: ChatMessage, folder: str) -> Iterator[Any]:
    """A message of an earlier session, as the editor shows it when that session is loaded."""
    is_model = message.role == BY_MODEL
    for part in message.parts:
        if isinstance(part, TextPart):
            yield (update_agent_message_text if is_model else update_user_message_text)(part.text)
        elif isinstance(part, ThinkingPart) and part.text:
            yield update_agent_thought_text(part.text)
        elif isinstance(part, ImagePart):
            yield update_user_message(image_block(part.data, part.mime))
        elif isinstance(part, CallPart):
            yield call_update(part, folder)
        elif isinstance(part, ResultPart):
            status = "failed" if part.is_error else "completed"
            yield update_tool_call(part.id, status=status, content=[_text_content(part.text)])  # type: ignore[arg-type]
