"""The hooks of Codex (0.166.0): how they are started, and what the model is told of a denial."""

from __future__ import annotations

import os
import sys

from pisces.gates.hooks.dialect import Start
from pisces.gates.hooks.effects import all_notes
from pisces.harnesses.codex.hook_answers import BLOCKING, answer_of, model_answer
from pisces.harnesses.codex.hook_effects import changed
from pisces.harnesses.codex.hook_loading import off_by, unread_guards, unread_in_package, waits
from pisces.harnesses.codex.hook_matchers import (
    BASH,
    COMMAND,
    NO_COMMAND,
    PATCH,
    input_from,
    names_of,
    own_call,
    rule_of_firing,
)
from pisces.harnesses.codex.hook_output import NO_OBJECT
from pisces.harnesses.codex.hook_payloads import payload_of
from pisces.shapes import events as ours

__all__ = ["DIALECT", "off_by", "unread_guards", "unread_in_package", "waits"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.formats.json_keywords import SchemaMisfit
    from pisces.gates.hooks.dialect import Dialect, HookAnswer, HookOutcome, LoadedHook
    from pisces.shapes.event import Event
    from pisces.shapes.events.tools import ToolCall
    from pisces.shapes.note import Note
    from pisces.shapes.session_facts import SessionFacts

    Answers = Sequence[tuple[LoadedHook, HookAnswer]]

_SECONDS = 600
_AT_END = (1, 3)  # default and limit of SessionEnd, in seconds
_SHELLS = ("bash", "zsh", "sh")
_NOT_OURS = "hook returned updatedInput"  # told to the model as it is


class _Codex:
    names = staticmethod(names_of)
    payload = staticmethod(payload_of)
    own_call = staticmethod(own_call)
    input_from = staticmethod(input_from)
    changed = staticmethod(changed)

    def fires(self, loaded: LoadedHook, event: Event, facts: SessionFacts) -> bool:  # noqa: ARG002  # of the protocol
        return rule_of_firing(loaded, event) is not None

    def rule(self, loaded: LoadedHook, event: Event, facts: SessionFacts) -> int:  # noqa: ARG002  # of the protocol
        return rule_of_firing(loaded, event) or 0

    def parts(self, call: ToolCall) -> tuple[ToolCall, ...]:
        return (call,)  # Codex has patches

    def start(self, loaded: LoadedHook, name: str, facts: SessionFacts) -> Start:
        hook = loaded.hook
        line = hook.command_windows or hook.command if sys.platform == "win32" else hook.command
        return Start((*_shell(), line), facts.cwd, _env(loaded, facts), self.seconds(loaded, name))

    def seconds(self, loaded: LoadedHook, name: str) -> float:
        """Whole seconds, at least one. Anything else is as if it were not there."""
        given = loaded.hook.timeout
        is_whole = isinstance(given, int) and not isinstance(given, bool) and given >= 0
        if name == "SessionEnd":
            return min(max(given, 1), _AT_END[1]) if is_whole else _AT_END[0]
        return max(given, 1) if is_whole else _SECONDS

    def answer(self, loaded: LoadedHook, name: str, outcome: HookOutcome) -> HookAnswer:
        return model_answer(outcome) if loaded.hook.type in ("prompt", "agent") else answer_of(name, outcome)

    def refusal(self, loaded: LoadedHook, event: Event, answer: HookAnswer) -> str:  # noqa: ARG002  # of the protocol
        reason = answer.why or answer.failure
        if not isinstance(event, ours.ToolCall) or reason.startswith(_NOT_OURS):
            return reason
        tool, given = own_call(event.tool, event.input)
        if tool in (BASH, PATCH) and reason == NO_OBJECT:
            return NO_COMMAND
        if tool in (BASH, PATCH) and isinstance(given.get(COMMAND), str):
            return f"Command blocked by PreToolUse hook: {reason}. Command: {given[COMMAND]}"
        return f"Tool call blocked by PreToolUse hook: {reason}. Tool: {tool}"

    def as_one(self, denials: Sequence[tuple[LoadedHook, HookAnswer, float]]) -> tuple[LoadedHook, HookAnswer]:
        """The first in the order of the files."""
        return denials[0][:2]

    def can_block(self, name: str) -> bool:
        return name in BLOCKING

    def is_sequential(self, loaded: Sequence[LoadedHook]) -> bool:  # noqa: ARG002  # all run at once
        return False

    def passed_on(self, event: Event, name: str, answer: HookAnswer) -> Event:  # noqa: ARG002  # of the protocol
        return event

    def notes(self, event: Event, name: str, answers: Answers) -> tuple[Note, ...]:  # noqa: ARG002  # of the protocol
        return all_notes(answers)

    def unfit(self, name: str, call: ToolCall, misfits: Sequence[SchemaMisfit]) -> str:  # noqa: ARG002  # of the protocol
        """Codex itself would call the tool, which then refuses."""
        listed = "\n".join(f"- {each.text}" for each in misfits)
        return f"{_NOT_OURS} that `{call.tool}` does not take:\n{listed}"


def _env(loaded: LoadedHook, facts: SessionFacts) -> Mapping[str, str]:
    if not loaded.folder:
        return {}
    data = os.path.join(facts.home, ".codex", "plugins", "data", loaded.package)
    return {
        "PLUGIN_ROOT": loaded.folder,
        "CLAUDE_PLUGIN_ROOT": loaded.folder,
        "PLUGIN_DATA": data,
        "CLAUDE_PLUGIN_DATA": data,
    }


def _shell() -> tuple[str, ...]:
    """The user's own, as the system has it, if commands can be written for it."""
    if sys.platform == "win32":
        return ("powershell.exe", "-NoProfile", "-Command")
    import pwd  # not on Windows

    try:
        shell = pwd.getpwuid(os.getuid()).pw_shell
    except KeyError:
        shell = ""
    return (shell if os.path.basename(shell) in _SHELLS else "/bin/sh", "-c")


DIALECT: Dialect = _Codex()
