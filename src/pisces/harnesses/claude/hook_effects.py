"""What the answers of Claude Code's hooks change in an event, and what they tell the model, in Claude Code's words."""

from __future__ import annotations

import json

from pisces.gates.hooks.dialect import DEFERRED
from pisces.harnesses.claude.hook_answers import shown
from pisces.harnesses.claude.hook_events import input_from, own_call, source_of
from pisces.harnesses.claude.hook_payloads import response_of
from pisces.shapes import events as ours
from pisces.shapes.event import Blockable, Cancellable
from pisces.shapes.note import CONTEXT, MESSAGE, STOP, Note
from pisces.shapes.verdict import ALLOW, ASK, DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from pisces.gates.hooks.dialect import HookAnswer, LoadedHook
    from pisces.shapes.event import Event

    Answers = Sequence[tuple[LoadedHook, HookAnswer]]

_DENIED = "Permission denied by PermissionRequest hook"
_INTERRUPTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed."
)
_STOPPED = "Operation stopped by hook"
_NEVER_STOPS = ("SessionStart", "SubagentStart")
_PLAIN_TEXT_COUNTS = ("SessionStart", "UserPromptSubmit", "UserPromptExpansion")
_AFTER_TOOLS = ("PostToolUse", "PostToolUseFailure")
_TOGETHER = ("PreToolUse", "SessionStart", "SubagentStart")  # several contexts are one message


def refusal_of(loaded: LoadedHook, event: Event, answer: HookAnswer) -> str:
    """What the model is told of a denial before a tool."""
    title = f"{title_of('PreToolUse', event)} hook error: "
    if answer.decision == ASK:
        return f"Hook {title_of('PreToolUse', event)} asked for confirmation for this tool"
    by_exit = answer.extra.get("by exit")
    suffix = f"\nThis hook comes from the {_full_name(loaded.package)} plugin." if loaded.package and by_exit else ""
    return f"{title}{answer.why or answer.failure}{suffix}"


def title_of(name: str, event: Event) -> str:
    """`PreToolUse:Bash`, `SessionStart:startup`; the name alone where there is nothing to add."""
    if isinstance(event, ours.ToolCall | ours.ToolResult):
        return f"{name}:{own_call(event.tool, event.input)[0]}"
    return f"{name}:{source_of(event)}" if isinstance(event, ours.SessionStart) else name


def notes_of(event: Event, name: str, answers: Answers) -> tuple[Note, ...]:
    title = title_of(name, event)
    plain_title = name if isinstance(event, ours.SessionStart) else title
    found: list[Note] = []
    if name in _PLAIN_TEXT_COUNTS:
        texts = [(loaded, str(answer.extra.get("plain") or "")) for loaded, answer in answers]
        found += [Note(CONTEXT, f"{title} hook success: {text}", shown(loaded)) for loaded, text in texts if text]
    contexts = [(loaded, text) for loaded, answer in answers for text in answer.context]
    if name in _TOGETHER and contexts:
        contexts = [(contexts[0][0], "\n".join(text for _, text in contexts))]
    found += [_context(plain_title, text, loaded) for loaded, text in contexts]
    if name in _AFTER_TOOLS:
        denied = [(loaded, answer) for loaded, answer in answers if answer.decision == DENY]
        found += [_feedback(title, loaded, answer) for loaded, answer in denied]
    for loaded, answer in answers:
        if answer.message:
            found.append(Note(MESSAGE, f"{title} says: {answer.message}", shown(loaded)))
        is_pending = answer.extra.get(DEFERRED) and any(_denies(other) for _, other in answers)
        if answer.stop is not None and name not in _NEVER_STOPS and not is_pending:
            found.append(Note(STOP, answer.stop, shown(loaded)))
    return tuple(found)


def _denies(answer: HookAnswer) -> bool:
    return answer.decision == DENY and not answer.extra.get(DEFERRED)


def _context(title: str, text: str, loaded: LoadedHook) -> Note:
    return Note(CONTEXT, f"{title} hook additional context: {text}", shown(loaded))


def _feedback(title: str, loaded: LoadedHook, answer: HookAnswer) -> Note:
    text = f'{title} hook blocking error from command: "{shown(loaded)}": {answer.why}'
    return Note(CONTEXT, text, shown(loaded))


def changed(event: Event, name: str, answers: Answers) -> Event:
    notes = notes_of(event, name, answers)
    if notes and hasattr(event, "notes"):
        event = event.replace(notes=(*event.notes, *notes))
    if isinstance(event, ours.PermissionAsked):
        return _permission(event, answers)
    if isinstance(event, ours.ToolResult):
        return _result(event, answers)
    if isinstance(event, ours.SessionStop | ours.SubagentStop):
        stopped: Event = _stop(event, name, answers)
        return stopped
    if isinstance(event, ours.Elicitation):
        return _elicited(event, answers)
    if isinstance(event, ours.WorktreeCreate):
        made = next((str(answer.extra["plain"]) for _, answer in answers if answer.extra.get("plain")), "")
        return event.replace(path=made.splitlines()[-1]) if made else event
    return _stopped(event, name, answers)


def _stopped(event: Event, name: str, answers: Answers) -> Event:
    """An event that a denial, a failure or a wish to stop keeps from happening."""
    for loaded, answer in answers:
        why = answer.why if answer.decision == DENY else answer.failure
        if isinstance(event, Cancellable) and why:
            prefix = "" if why.startswith("[") else f"[{shown(loaded)}]: "
            title = "Compaction" if name == "PreCompact" else f"{name} operation"
            return event.cancel(f"{title} blocked by {name} hook: {prefix}{why.rstrip()}")
        if isinstance(event, Blockable) and why:
            prompt = getattr(event, "text", "") or getattr(event, "prompt", "")
            prompt = prompt if answer.decision == DENY else ""
            original = f"\n\nOriginal prompt: {prompt}" if prompt else ""
            return event.block(f"{name} operation blocked by hook:\n{why}{original}")
        if isinstance(event, Blockable) and answer.stop is not None:
            return event.block(f"{_STOPPED}: {answer.stop}" if answer.stop else _STOPPED)
    return event


def _permission(event: ours.PermissionAsked, answers: Answers) -> ours.PermissionAsked:
    for loaded, answer in answers:
        if answer.decision == DENY:
            if answer.extra.get("interrupt") is not True:
                return event.deny(answer.why or _DENIED)
            return event.replace(notes=(*event.notes, Note(STOP, answer.why, shown(loaded)))).deny(_INTERRUPTED)
    allows = [answer for _, answer in answers if answer.decision == ALLOW]
    inputs = [answer.input for answer in allows if answer.input is not None]
    if not allows or any(each != inputs[0] for each in inputs):
        return event
    return (event.replace(input=input_from(event.tool, inputs[0])) if inputs else event).allow()


def _result(event: ours.ToolResult, answers: Answers) -> ours.ToolResult:
    for _, answer in answers:
        other = answer.extra.get("updatedMCPToolOutput") if event.server else None
        if other is not None:
            event = event.replace(content=_parts(other))
        elif _has_shape(answer.output, response_of(event)):
            event = event.replace(details=answer.output, content=_parts(_text_of(answer.output)))
    return event


def _parts(value: Any) -> tuple[Any, ...]:
    if isinstance(value, list | tuple) and all(isinstance(each, dict) and "type" in each for each in value):
        return tuple(value)
    return ({"type": "text", "text": value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)},)


def _has_shape(made: Any, response: Any) -> bool:
    """The same kind of value; of an object, no field that the tool does not have, each of its kind."""
    if made is None:
        return False
    if isinstance(response, dict):
        return isinstance(made, dict) and all(
            key in response and (response[key] is None or _kind(response[key]) is _kind(value))
            for key, value in made.items()
        )
    return isinstance(made, list | tuple) and isinstance(response, list | tuple)


def _kind(value: Any) -> type:
    """Of a frozen value in an event the same as of a plain one in an answer."""
    return next((kind for kind in (dict, list) if isinstance(value, kind)), type(value))


def _text_of(made: Any) -> Any:
    if isinstance(made, dict) and isinstance(made.get("stdout"), str):
        return made["stdout"] + (f"\n{made['stderr']}" if made.get("stderr") else "")
    inner = made.get("file") if isinstance(made, dict) else None
    return inner["content"] if isinstance(inner, dict) and isinstance(inner.get("content"), str) else made


def _stop(event: Any, name: str, answers: Answers) -> Any:
    """A wish to stop beats a block. Context alone makes the agent go on as well."""
    if any(answer.stop is not None for _, answer in answers):
        return event
    denied = [(loaded, answer) for loaded, answer in answers if answer.decision == DENY]
    if denied:
        said = tuple(_feedback("Stop", *each) for each in denied if not each[1].extra.get("by exit"))
        why = "\n".join(answer.why for _, answer in denied)
        return event.replace(notes=(*event.notes, *said)).block(f"Stop hook feedback:\n{why}")
    if any(answer.context for _, answer in answers) and name == "Stop":
        return event.replace(goes_on=True)
    return event


def _elicited(event: ours.Elicitation, answers: Answers) -> ours.Elicitation:
    for loaded, answer in answers:
        action = answer.extra.get("action")
        may_answer = not loaded.is_narrowing or action in ("decline", "cancel")
        if isinstance(action, str) and action and may_answer:
            return event.answer(action, answer.extra.get("content") or {})
    return event


def _full_name(package: str) -> str:
    return package if "@" in package else f"{package}@inline"
