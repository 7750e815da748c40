"""Runs one hook and says what came of it. Whatever goes wrong is an answer with a failure, never an exception.

A hook that fails is reported once, with its file and line. Its own file may say that a failure is no obstacle; then the
answer says nothing. What a project brings cannot allow anything.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import suppress
from time import monotonic

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.gates.hooks.dialect import NO_ANSWER, NOT_STARTED, HookAnswer, HookOutcome, LoadedHook
from pisces.gates.hooks.hook_place import line_of
from pisces.gates.hooks.run_callback import run_model, run_tool
from pisces.gates.hooks.run_command import run_command
from pisces.shapes.verdict import ALLOW
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from pisces.gates.hooks.dialect import Dialect, Start
    from pisces.gates.hooks.run_callback import CallTool, Complete
    from pisces.shapes.event import Event
    from pisces.shapes.session_facts import SessionFacts

HOOK_FAILED = Rule("hook-failed", WARNING, "A hook gave no usable answer")
KEEPS_GUARDS, NARROWS = 4, 5  # our rules (docs/conformance.md)
_TRUST = "`pisces trust`"  # a failure that names it says what to do
CONTINUE = "continue"  # the value of `onFailure` by which a failure is no obstacle


class HookRun(Value):
    """One run of a hook: what it got, how it ended, and what that means. `name` is its harness's name of the event."""

    loaded: LoadedHook
    name: str
    payload: Mapping[str, Any]
    outcome: HookOutcome
    answer: HookAnswer
    seconds: float = 0


class HookCallbacks(Value):
    """What the program that embeds us does for hooks. What is missing is refused by name.

    `complete` asks a model, `call_tool` calls a tool of an MCP server. `report` hears of each bad hook once, `record`
    of every run.
    """

    complete: Complete | None = None
    call_tool: CallTool | None = None
    report: Callable[[Diagnostic], object] | None = None
    record: Callable[[HookRun], object] | None = None


class Occasion(Value):
    """Why a hook runs: the event, its name in the hook's harness, and the session in which it happens.

    `rule` is the number of our rule by which it is asked once more.
    """

    dialect: Dialect
    name: str
    event: Event
    facts: SessionFacts
    rule: int = 0


class Firing:
    """What a session's hooks share: the user's environment, callbacks, and files in which hooks leave variables."""

    def __init__(self, env: Mapping[str, str], callbacks: HookCallbacks) -> None:
        self._env = env
        self._callbacks = callbacks
        self._reported: set[tuple[str, object]] = set()
        self._folder = ""
        self.env_files: list[str] = []

    async def run(self, loaded: LoadedHook, occasion: Occasion) -> HookRun:
        started = monotonic()
        payload: Mapping[str, Any] = EMPTY
        outcome = HookOutcome(None, ended=NO_ANSWER)
        try:
            flaw = loaded.flaw or _command_flaw(loaded) or (loaded.difference() if loaded.difference else "")
            payload = occasion.dialect.payload(occasion.name, occasion.event, occasion.facts)
            if flaw:
                outcome, answer = outcome.replace(stderr=flaw, ended=NOT_STARTED), HookAnswer(failure=flaw, rule=1)
            else:
                outcome = await self._outcome(loaded, occasion, payload)
                answer = _relaxed(loaded, occasion.dialect.answer(loaded, occasion.name, outcome))
        except Exception as error:  # noqa: BLE001  # a hook that cannot even be asked has not allowed anything
            answer = HookAnswer(failure=f"{type(error).__name__}: {error}", rule=1)
        if answer.failure:
            self.report(loaded, answer.failure)
        run = HookRun(loaded, occasion.name, payload, outcome, limited(loaded, answer, occasion), monotonic() - started)
        return self._recorded(run)

    def _recorded(self, run: HookRun) -> HookRun:
        """What nobody could write down has not happened: then the hook has not agreed."""
        try:
            if self._callbacks.record is not None:
                self._callbacks.record(run)
        except Exception as error:  # noqa: BLE001  # the border with the program that embeds us
            return run.replace(answer=HookAnswer(failure=f"it could not be recorded: {error}", rule=1))
        return run

    def report(self, loaded: LoadedHook, failure: str) -> None:
        key = (loaded.hook.path, loaded.hook.keys)
        if key in self._reported or self._callbacks.report is None:
            return
        self._reported.add(key)
        first, _, more = failure.strip().partition("\n")
        last = f": {more.rpartition(chr(10))[2]}" if more else ""
        message = f"the hook for {loaded.hook.event} gave no usable answer: {first}{last}"
        line = line_of(loaded)
        place = (line, 1 if line else 0)
        hint = "" if _TRUST in failure else '`"onFailure": "continue"` lets things go ahead when this hook fails'
        with suppress(Exception):  # of the program that embeds us: the failure itself counts all the same
            self._callbacks.report(HOOK_FAILED.at(loaded.hook.path, message, place=place, hint=hint))

    def close(self) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = ""

    async def _outcome(self, loaded: LoadedHook, occasion: Occasion, payload: Mapping[str, Any]) -> HookOutcome:
        text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
        hook, seconds = loaded.hook, occasion.dialect.seconds(loaded, occasion.name)
        if hook.type in ("prompt", "agent"):
            return await run_model(hook, payload, text, seconds, self._callbacks.complete)
        if hook.type == "mcp_tool":
            return await run_tool(hook, payload, seconds, self._callbacks.call_tool)
        data = text.encode("utf-8", "replace")
        if hook.type == "http":
            from pisces.gates.hooks.run_http import run_http  # loads `ssl`

            return await run_http(hook, data, seconds, self._env)
        if hook.type != "command":
            return HookOutcome(None, stderr=f"nothing runs hooks of the type `{hook.type}` here", ended=NOT_STARTED)
        start = self._with_file(occasion.dialect.start(loaded, occasion.name, occasion.facts), occasion.name)
        return await run_command(start, data, self._env)

    def _with_file(self, start: Start, name: str) -> Start:
        """A file for each run, so that two hooks do not write into one."""
        if not start.env_file:
            return start
        if not self._folder:
            self._folder = tempfile.mkdtemp(prefix=f"pisces-hooks-{os.getpid()}-")
        path = os.path.join(self._folder, f"{name.lower()}-{len(self.env_files) + 1}.sh")
        self.env_files.append(path)
        return start.replace(env={**start.env, start.env_file: path})


def closed_run(loaded: LoadedHook, occasion: Occasion) -> HookRun:
    """Of a hook that did not come to its end, because the session did."""
    answer = HookAnswer(failure="the session is closed")
    return HookRun(loaded, occasion.name, EMPTY, HookOutcome(None, ended=NO_ANSWER), answer)


def _command_flaw(loaded: LoadedHook) -> str:
    """Harnesses load a hook whose command is a list or a number, and fail when it should run."""
    return "" if isinstance(loaded.hook.command, str) else "its `command` must be text"


def _relaxed(loaded: LoadedHook, answer: HookAnswer) -> HookAnswer:
    """The file that brings a hook may say that its failure is no obstacle."""
    return HookAnswer(message=answer.message) if answer.failure and loaded.hook.on_failure == CONTINUE else answer


def limited(loaded: LoadedHook, answer: HookAnswer, occasion: Occasion) -> HookAnswer:
    """The answer as far as this hook may give it. One of a file that its harness drops whole only guards."""
    if loaded.rule == KEEPS_GUARDS:
        answer = answer.replace(input=None)
    if loaded.is_narrowing and answer.decision == ALLOW:
        return answer.replace(decision="", extra=EMPTY, rule=loaded.rule or NARROWS)
    is_late = (loaded.hook.is_async or loaded.hook.async_rewake) and occasion.dialect.can_block(occasion.name)
    by_dialect = occasion.dialect.rule(loaded, occasion.event, occasion.facts)
    rule = loaded.rule or by_dialect or answer.rule or occasion.rule or (1 if is_late else 0)
    return answer.replace(rule=rule) if rule and (answer.decision or answer.failure) else answer
