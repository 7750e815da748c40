"""The hooks of Gemini CLI (0.61.0): how they are started, and what the model is told of a denial."""

from __future__ import annotations

import os
import re
import sys
from shlex import quote

from pisces.discovery.tool_names import inputs_in
from pisces.gates.hooks.dialect import Start
from pisces.harnesses.gemini.hook_answers import BLOCKING, NO_REASON, answer_of
from pisces.harnesses.gemini.hook_effects import STOPPED, changed, notes_of, passed_on
from pisces.harnesses.gemini.hook_loading import off_by, unread_guards, unread_in_package
from pisces.harnesses.gemini.hook_matchers import HARNESS_ID, input_from, names_of, own_call, rule_of_firing
from pisces.harnesses.gemini.hook_misfits import unfit_text
from pisces.harnesses.gemini.hook_payloads import payload_of
from pisces.shapes import events as ours

__all__ = ["DIALECT", "off_by", "unread_guards", "unread_in_package"]

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

_SECONDS = 60.0
_LONGEST = 2**31 - 1  # milliseconds
_MISREAD = 4  # our rule (docs/conformance.md): a timeout that cannot be read costs no guard
_VARIABLE = re.compile(r"\$(GEMINI_PROJECT_DIR|GEMINI_CWD|GEMINI_PLANS_DIR|GEMINI_SESSION_ID|CLAUDE_PROJECT_DIR)")
_CLOSED = re.compile(r"""\\.|'[^']*'|"(?>(?:\\.|[^"\\])*)\"""", re.DOTALL)


class _Gemini:
    names = staticmethod(names_of)
    payload = staticmethod(payload_of)
    own_call = staticmethod(own_call)
    input_from = staticmethod(input_from)
    changed = staticmethod(changed)
    passed_on = staticmethod(passed_on)

    def fires(self, loaded: LoadedHook, event: Event, facts: SessionFacts) -> bool:  # noqa: ARG002  # of the protocol
        return rule_of_firing(loaded, event) is not None

    def rule(self, loaded: LoadedHook, event: Event, facts: SessionFacts) -> int:  # noqa: ARG002  # of the protocol
        return rule_of_firing(loaded, event) or (0 if _has_time(loaded) else _MISREAD)

    def parts(self, call: ToolCall) -> tuple[ToolCall, ...]:
        inputs = inputs_in(HARNESS_ID, call.tool, call.input)
        return tuple(call.replace(input=each) for each in inputs) if len(inputs) > 1 else (call,)

    def start(self, loaded: LoadedHook, name: str, facts: SessionFacts) -> Start:
        env = _variables(facts)
        line = _filled(loaded.hook.command, env)
        argv = ("powershell.exe", "-NoProfile", "-Command", line) if sys.platform == "win32" else ("bash", "-c", line)
        own = {key: str(value) for key, value in loaded.hook.env.items()}
        return Start(argv, facts.cwd, {**env, **own}, self.seconds(loaded, name))

    def seconds(self, loaded: LoadedHook, name: str) -> float:  # noqa: ARG002  # of the protocol
        """Milliseconds. Zero and what is no number is as if it were not there: the hook could never answer."""
        given = loaded.hook.timeout
        return given / 1000 if given is not None and _has_time(loaded) else _SECONDS

    def answer(self, loaded: LoadedHook, name: str, outcome: HookOutcome) -> HookAnswer:  # noqa: ARG002  # of the protocol
        return answer_of(name, outcome)

    def refusal(self, loaded: LoadedHook, event: Event, answer: HookAnswer) -> str:  # noqa: ARG002  # of the protocol
        reason = answer.why or answer.failure or NO_REASON
        if not isinstance(event, ours.ToolCall):
            return reason
        return f"{STOPPED}{reason}" if answer.stop is not None else f"Tool execution blocked: {reason}"

    def as_one(self, denials: Sequence[tuple[LoadedHook, HookAnswer, float]]) -> tuple[LoadedHook, HookAnswer]:
        """All reasons, a line each. One wish to stop is enough."""
        loaded, answer, _ = denials[0]
        stops = [each.stop for _, each, _ in denials if each.stop is not None]
        reasons = stops or [each.why or each.failure or NO_REASON for _, each, _ in denials]
        return loaded, answer.replace(why="\n".join(reasons), stop="\n".join(stops) if stops else None)

    def can_block(self, name: str) -> bool:
        return name in BLOCKING

    def is_sequential(self, loaded: Sequence[LoadedHook]) -> bool:
        """One that wants to run in a row is enough for all."""
        return any(each.hook.sequential is True for each in loaded)

    def notes(self, event: Event, name: str, answers: Answers) -> tuple[Note, ...]:  # noqa: ARG002  # of the protocol
        return notes_of(event, answers)

    def unfit(self, name: str, call: ToolCall, misfits: Sequence[SchemaMisfit]) -> str:  # noqa: ARG002  # of the protocol
        return unfit_text(misfits)


def _has_time(loaded: LoadedHook) -> bool:
    """Whether Gemini CLI gives the hook any time: a timer of JavaScript ends at once outside of these bounds."""
    given = loaded.hook.timeout
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    return given is None or (is_number and 0 < given <= _LONGEST)


def _variables(facts: SessionFacts) -> dict[str, str]:
    plans = ("tmp", os.path.basename(facts.workspace), facts.id, "plans")
    return {
        "GEMINI_PROJECT_DIR": facts.workspace,
        "GEMINI_CWD": facts.cwd,
        "GEMINI_PLANS_DIR": os.path.join(facts.home, ".gemini", *plans),
        "GEMINI_SESSION_ID": facts.id,
        "CLAUDE_PROJECT_DIR": facts.workspace,
    }


def _filled(line: str, env: Mapping[str, str]) -> str:
    """Gemini CLI puts these in before the shell reads the line, quoted, also between quotes.

    There a quoted value would end the quotes and let the name of a folder run as a command. So a value that needs
    quotes is put in only outside of them; between them the shell does it, if it does.
    """

    def value(found: re.Match[str]) -> str:
        plain = env[found[1]]
        quoted = quote(plain)
        return found[0] if quoted != plain and _is_quoted(line[: found.start()]) else quoted

    return _VARIABLE.sub(value, line)


def _is_quoted(before: str) -> bool:
    """Whether quotes are open at the end of a piece of shell: what is left without closed ones has one."""
    left = _CLOSED.sub("", before)
    return "'" in left or '"' in left


DIALECT: Dialect = _Gemini()
