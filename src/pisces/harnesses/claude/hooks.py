"""The dialect of Claude Code's hooks (2.1.325): how they are started, what they get, what they answer.

Programs run by `/bin/sh -c`, or directly if the hook has `args`. Time limits are in seconds.
"""

from __future__ import annotations

import os
import re

from pisces.discovery.tool_names import inputs_in
from pisces.gates.hooks.dialect import Start
from pisces.harnesses.claude import hook_answers, hook_effects, hook_events, hook_matchers, hook_misfits, hook_payloads
from pisces.harnesses.claude.hook_loading import (
    flaw_of,
    is_refused,
    off_by,
    only_narrows,
    unread_guards,
    unread_in_package,
)

__all__ = [
    "AGENT_EVENTS",
    "DIALECT",
    "flaw_of",
    "is_refused",
    "off_by",
    "only_narrows",
    "unread_guards",
    "unread_in_package",
]

from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from pisces.formats.json_keywords import SchemaMisfit
    from pisces.gates.hooks.dialect import Dialect, HookAnswer, HookOutcome, LoadedHook
    from pisces.shapes.event import Event
    from pisces.shapes.events.tools import ToolCall
    from pisces.shapes.note import Note
    from pisces.shapes.session_facts import SessionFacts

AGENT_EVENTS = {"Stop": "SubagentStop"}  # in the header of an agent its own end is meant
_SHELL = ("/bin/sh", "-c")
_POWERSHELL = ("pwsh", "-NoProfile", "-NonInteractive", "-Command")
_PLAIN_PATH = re.compile(r"[\w/.@+-]+", re.ASCII)
_SECONDS = 600.0
_OF_TYPE = {"prompt": 30.0, "agent": 60.0}
_OF_EVENT = {
    "UserPromptSubmit": 30.0,
    "PreModelSwitch": 30.0,
    "PostModelSwitch": 30.0,
    "MessageDisplay": 10.0,
    "SessionEnd": 1.5,
}
MISREAD = 4  # our rule (docs/conformance.md): a matcher or condition that cannot be read fires for everything
READ_FURTHER = 7  # and this: lines of a shell are read as parsed commands, through wrappers
_LEAVE_VARIABLES = ("SessionStart", "CwdChanged", "Setup", "FileChanged")


class ClaudeDialect:
    def names(self, event: Event) -> tuple[str, ...]:
        return hook_events.names_of(event)

    def fires(self, loaded: LoadedHook, event: Event, facts: SessionFacts) -> bool:
        return hook_matchers.fires(loaded, event, facts)

    def payload(self, name: str, event: Event, facts: SessionFacts) -> dict[str, Any]:
        return hook_payloads.payload_of(name, event, facts)

    def parts(self, call: ToolCall) -> tuple[ToolCall, ...]:
        inputs = inputs_in(hook_events.HARNESS_ID, call.tool, call.input)
        return tuple(call.replace(input=each) for each in inputs) if len(inputs) > 1 else (call,)

    def start(self, loaded: LoadedHook, name: str, facts: SessionFacts) -> Start:
        env = _environment(loaded, name, facts)
        hook = loaded.hook
        if isinstance(hook.fields.get("args"), list):
            argv = tuple(_expanded(word, env) for word in (hook.command, *(hook.args or ())))
        else:
            argv = (*(_POWERSHELL if hook.shell == "powershell" else _SHELL), _line(loaded))
        env_file = "CLAUDE_ENV_FILE" if name in _LEAVE_VARIABLES else ""
        return Start(argv, facts.cwd, env, self.seconds(loaded, name), env_file)

    def seconds(self, loaded: LoadedHook, name: str) -> float:
        given = loaded.hook.seconds
        if given is not None and given > 0:
            return given
        return _OF_TYPE.get(loaded.hook.type) or _OF_EVENT.get(name, _SECONDS)

    def answer(self, loaded: LoadedHook, name: str, outcome: HookOutcome) -> HookAnswer:
        return hook_answers.answer_of(loaded, name, outcome)

    def refusal(self, loaded: LoadedHook, event: Event, answer: HookAnswer) -> str:
        return hook_effects.refusal_of(loaded, event, answer)

    def as_one(self, denials: Sequence[tuple[LoadedHook, HookAnswer, float]]) -> tuple[LoadedHook, HookAnswer]:
        """The one that came last."""
        return max(denials, key=lambda each: each[2])[:2]

    def can_block(self, name: str) -> bool:
        return name in hook_events.BLOCKING

    def notes(self, event: Event, name: str, answers: Sequence[tuple[LoadedHook, HookAnswer]]) -> tuple[Note, ...]:
        return hook_effects.notes_of(event, name, answers)

    def changed(self, event: Event, name: str, answers: Sequence[tuple[LoadedHook, HookAnswer]]) -> Event:
        return hook_effects.changed(event, name, answers)

    def rule(self, loaded: LoadedHook, event: Event, facts: SessionFacts) -> int:  # noqa: ARG002  # of each dialect
        if hook_matchers.is_misread(loaded.hook):
            return MISREAD
        return READ_FURTHER if hook_matchers.sees_more(loaded.hook, event) else 0

    def passed_on(self, event: Event, name: str, answer: HookAnswer) -> Event:  # noqa: ARG002  # all start at once
        return event

    def is_sequential(self, loaded: Sequence[LoadedHook]) -> bool:  # noqa: ARG002  # all start at once
        return False

    def own_call(self, tool: str, given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        return hook_events.own_call(tool, given)

    def input_from(
        self,
        tool: str,
        given: Mapping[str, Any],
        before: Mapping[str, Any] = EMPTY,  # noqa: ARG002  # of each dialect
    ) -> Mapping[str, Any]:
        return hook_events.input_from(tool, given)

    def unfit(self, name: str, call: ToolCall, misfits: Sequence[SchemaMisfit]) -> str:
        return hook_misfits.unfit_text(name, self.own_call(call.tool, call.input)[0], call.input, misfits)


def _environment(loaded: LoadedHook, name: str, facts: SessionFacts) -> dict[str, str]:
    env = {
        "CLAUDE_PROJECT_DIR": facts.workspace,
        "CLAUDECODE": "1",
        "CLAUDE_CODE_ENTRYPOINT": "sdk-cli",
        "CLAUDE_CODE_SESSION_ID": facts.id,
        "CLAUDE_CODE_SESSION_ATTENDED": "1" if facts.is_interactive else "0",
    }
    if facts.effort and name in hook_payloads.WITH_EFFORT:
        env["CLAUDE_EFFORT"] = facts.effort
    if loaded.folder:
        env["CLAUDE_PLUGIN_ROOT"] = loaded.folder
        env["CLAUDE_PLUGIN_DATA"] = os.path.join(facts.home, ".claude", "plugins", "data", loaded.package)
    return env


def _line(loaded: LoadedHook) -> str:
    """Claude Code puts the plugin's folder into the text, so that it counts in single quotes too.

    A folder with a character that means something to a shell stays a variable, which the shell does not read again.
    """
    is_plain = _PLAIN_PATH.fullmatch(loaded.folder) is not None
    return loaded.hook.command.replace(hook_answers.PLUGIN_ROOT, loaded.folder) if is_plain else loaded.hook.command


def _expanded(word: str, env: Mapping[str, str]) -> str:
    for name in ("CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA"):
        word = word.replace(f"${{{name}}}", env.get(name, f"${{{name}}}"))
    return word


DIALECT: Dialect = ClaudeDialect()
