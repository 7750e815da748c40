"""What the answers of Gemini CLI's hooks change, other than a tool call (0.61.0).

Where its own merge lets a later answer take back a denial (before and after a model), a denial stays one here.
"""

from __future__ import annotations

from pisces.gates.hooks.effects import all_notes, denials, first_stop, refusal_in
from pisces.harnesses.gemini.hook_answers import BLOCKING
from pisces.harnesses.gemini.hook_matchers import input_from, own_call
from pisces.shapes import events as ours
from pisces.shapes.note import CONTEXT, STOP, Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from pisces.gates.hooks.dialect import HookAnswer, LoadedHook
    from pisces.shapes.event import Event

    Answers = Sequence[tuple[LoadedHook, HookAnswer]]

MODIFIED = "[System] Tool input parameters were modified by a hook before execution."
STOPPED = "Agent execution stopped by hook: "
_MODES = ("NONE", "ANY")  # the first wins


def notes_of(event: Event, answers: Answers) -> tuple[Note, ...]:
    """Context before a tool reaches nobody. That the input was changed is added to the tool's result."""
    found = [note for note in all_notes(answers) if note.kind not in (CONTEXT, STOP)]
    if not isinstance(event, ours.ToolCall):
        context = context_in(answers)
        found += [Note(CONTEXT, context, _who(answers))] if context else []
    elif any(answer.input is not None for _, answer in answers):
        found.append(Note(CONTEXT, MODIFIED, _who(answers)))
    stop = first_stop(answers)
    return tuple(found if stop is None else (*found, Note(STOP, stop, _who(answers))))


def context_in(answers: Answers) -> str:
    """All contexts as one, in a form in which they cannot end it themselves."""
    text = "\n".join(text for _, answer in answers for text in answer.context)
    text = text.replace("<", "&lt;").replace(">", "&gt;")
    return f"<hook_context>{text}</hook_context>" if text else ""


def _who(answers: Answers) -> str:
    return ", ".join(dict.fromkeys(loaded.hook.command for loaded, _ in answers))


def changed(event: Event, name: str, answers: Answers) -> Event:
    change = _CHANGES.get(type(event))
    return change(event, name, answers) if change else event


def passed_on(event: Event, name: str, answer: HookAnswer) -> Event:  # noqa: ARG001  # of the protocol
    """The event for the next hook of a row: an input and a request are merged, context is added to the prompt."""
    if isinstance(event, ours.ToolCall) and answer.input is not None:
        merged = {**own_call(event.tool, event.input)[1], **answer.input}
        return event.replace(input=input_from(event.tool, merged, event.input))
    if isinstance(event, ours.Input) and answer.context:
        return event.replace(text="\n\n".join((event.text, *answer.context)))
    request = answer.extra.get("llm_request")
    if isinstance(event, ours.BeforeModel) and isinstance(request, dict):
        return event.replace(request={**event.request, **request})
    return event


def _with_notes(event: Any, _name: str, answers: Answers) -> Any:
    return event.replace(notes=(*event.notes, *notes_of(event, answers)))


def _prompt(event: ours.Input, name: str, answers: Answers) -> Event:
    said: ours.Input = _with_notes(event, name, answers)
    why = _reason(answers, name)
    return said if why is None else said.replace(blocked=True, reason=why)


def _reason(answers: Answers, name: str) -> str | None:
    """Of several denials all reasons, in their order."""
    refused = [answer.why for _, answer in denials(answers) if answer.why]
    return "\n".join(refused) if refused else refusal_in(answers, fails_closed=name in BLOCKING)


def _result(event: ours.ToolResult, _name: str, answers: Answers) -> Event:
    """A denial hides the result. Context is added to it, and another call may take its place."""
    messages = [note for note in notes_of(event, answers) if note.kind != CONTEXT]
    said = event.replace(notes=(*event.notes, *messages))
    stop, why = first_stop(answers), _reason(answers, "")
    if stop is not None or why is not None:
        text = f"{STOPPED}{stop}" if stop is not None else why
        return said.replace(content=({"type": "text", "text": text},), details=None, is_error=True)
    context = context_in(answers)
    if context:
        said = said.replace(content=(*said.content, {"type": "text", "text": f"\n\n{context}"}))
    tails = [answer.extra.get("tailToolCallRequest") for _, answer in answers]
    tail = next((each for each in reversed(tails) if isinstance(each, dict) and each.get("name")), None)
    return said.replace(follow_up={"tool": tail["name"], "input": tail.get("args") or {}}) if tail else said


def _stopping(event: ours.SessionStop, name: str, answers: Answers) -> Event:
    """The agent goes on with the reason as its next message, unless somebody wants to stop."""
    said: ours.SessionStop = _with_notes(event, name, answers)
    why = "\n".join(answer.why for _, answer in denials(answers) if answer.stop is None)
    return said.replace(blocked=True, reason=why) if why and first_stop(answers) is None else said


def _before_model(event: ours.BeforeModel, name: str, answers: Answers) -> Event:
    """A response of the hook's own counts only beside a denial. Nobody else's failure is overruled by it."""
    why = _reason(answers, name)
    if why is not None:
        failed = any(answer.failure for _, answer in answers) or first_stop(answers) is not None
        made = [answer.extra.get("llm_response") for _, answer in denials(answers)]
        response = next((each for each in reversed(made) if isinstance(each, dict)), None)
        is_answered = response is not None and not failed
        return event.replace(response=response) if is_answered else event.replace(blocked=True, reason=why)
    for _, answer in answers:
        request = answer.extra.get("llm_request")
        if isinstance(request, dict):
            event = event.replace(request={**event.request, **request})
    return event


def _selection(event: ours.BeforeToolSelection, _name: str, answers: Answers) -> Event:
    """The names of all hooks count together. A hook cannot offer a tool that is not there."""
    found = [answer.extra.get("toolConfig") for _, answer in answers]
    configs = [each for each in found if isinstance(each, dict)]
    if not configs:
        return event
    mode = next((mode for mode in _MODES if any(each.get("mode") == mode for each in configs)), "AUTO")
    lists = [each["allowedFunctionNames"] for each in configs if isinstance(each.get("allowedFunctionNames"), list)]
    names = {name for each in lists for name in each if isinstance(name, str)}
    tools = [each for each in event.tools if not names or {each, own_call(each, {})[0]} & names]
    return event.replace(mode=mode.lower(), tools=() if mode == "NONE" else tools)


def _after_model(event: ours.AfterModel, name: str, answers: Answers) -> Event:
    why = _reason(answers, name)
    if why is not None:
        return event.replace(blocked=True, reason=why)
    made = [answer.extra.get("llm_response") for _, answer in answers]
    response = next((each for each in reversed(made) if _has_text(each)), None)
    return event if response is None else event.replace(response=response)


def _has_text(response: Any) -> bool:
    try:
        return bool(response["candidates"][0]["content"]["parts"])
    except (KeyError, IndexError, TypeError):
        return False


_CHANGES: dict[type[Event], Callable[[Any, str, Answers], Any]] = {
    ours.Input: _prompt,
    ours.SessionStart: _with_notes,
    ours.SessionBeforeCompact: _with_notes,
    ours.ToolResult: _result,
    ours.SessionStop: _stopping,
    ours.BeforeModel: _before_model,
    ours.BeforeToolSelection: _selection,
    ours.AfterModel: _after_model,
}
