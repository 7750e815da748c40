"""What the answers of Codex' hooks change, other than a tool call (0.166.0)."""

from __future__ import annotations

from json import dumps
from xml.sax.saxutils import quoteattr

from pisces.gates.hooks.effects import all_notes, denials, first_stop, refusal_in
from pisces.harnesses.codex.hook_answers import BLOCKING, STOPS
from pisces.harnesses.codex.hook_matchers import is_shell
from pisces.shapes import events as ours
from pisces.shapes.verdict import ALLOW, DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from pisces.gates.hooks.dialect import HookAnswer, LoadedHook
    from pisces.shapes.event import Event

    Answers = Sequence[tuple[LoadedHook, HookAnswer]]


def changed(event: Event, name: str, answers: Answers) -> Event:
    change = _CHANGES.get(type(event))
    return change(event, name, answers) if change else event


def _with_notes(event: Any, _name: str, answers: Answers) -> Any:
    return event.replace(notes=(*event.notes, *all_notes(answers)))


def _prompt(event: ours.Input, name: str, answers: Answers) -> Event:
    why = refusal_in(answers, fails_closed=name in BLOCKING)
    said: ours.Input = _with_notes(event, name, answers)
    return said if why is None else said.replace(blocked=True, reason=why or f"blocked by a {name} hook")


def _permission(event: ours.PermissionAsked, _name: str, answers: Answers) -> Event:
    """Any denial wins over every allow. A hook that fails has not answered: the user is asked."""
    refused = denials(answers)
    if refused:
        return event.replace(decision=DENY, reason=_not_approved(event.tool, refused[0][1].why))
    allowed = any(answer.decision == ALLOW for _, answer in answers)
    return event.replace(decision=ALLOW) if allowed and not event.decision else event


def _not_approved(tool: str, reason: str) -> str:
    """What Codex tells the model: of a command in the words of its own code, with texts as Rust prints them."""
    if not is_shell(tool):
        return reason
    rejected = f"Rejected({dumps(reason, ensure_ascii=False)})"
    return f"exec_command failed: CreateProcess {{ message: {dumps(rejected, ensure_ascii=False)} }}"


def _result(event: ours.ToolResult, name: str, answers: Answers) -> Event:
    """A denial takes the place of the result. The tool has run: a hook that fails changes nothing."""
    said: ours.ToolResult = _with_notes(event, name, answers)
    text = "\n\n".join(answer.why for _, answer in denials(answers))
    return said.replace(content=({"type": "text", "text": text},), details=None, is_error=True) if text else said


def _stopping(event: Any, name: str, answers: Answers) -> Any:
    """A wish to stop beats a wish to go on. Each reason to go on is a message of its hook."""
    said = _with_notes(event, name, answers)
    texts = [_message(loaded, answer.why) for loaded, answer in denials(answers)]
    return said.replace(blocked=True, reason="\n\n".join(texts)) if texts and first_stop(answers) is None else said


def _message(loaded: LoadedHook, text: str) -> str:
    hook = loaded.hook
    run = f"{'subagent_stop' if hook.event == STOPS[1] else 'stop'}:{hook.index}:{hook.path}"
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<hook_prompt hook_run_id={quoteattr(run)}>{escaped}</hook_prompt>"


def _compaction(event: ours.SessionBeforeCompact, name: str, answers: Answers) -> Event:
    said: ours.SessionBeforeCompact = _with_notes(event, name, answers)
    stop = first_stop(answers)
    return said if stop is None else said.replace(cancelled=True, reason=stop or f"stopped by a {name} hook")


_CHANGES: dict[type[Event], Callable[[Any, str, Answers], Any]] = {
    ours.Input: _prompt,
    ours.PermissionAsked: _permission,
    ours.ToolResult: _result,
    ours.SessionStop: _stopping,
    ours.SubagentStop: _stopping,
    ours.SessionBeforeCompact: _compaction,
    ours.SessionStart: _with_notes,
    ours.SubagentStart: _with_notes,
}
