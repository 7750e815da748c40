"""How a run of `pisces -p` ended: the object of `--output-format json`, and the last line of `jsonl`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.agent.loop import DONE, LoopEnd
from pisces.diagnostics import ERROR, Rule
from pisces.value import Value

if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic
    from pisces.ui.print.denials import Denial

COMMAND_FAILED = Rule("module-command-failed", ERROR, "A command of a module fails")
MODEL_FAILED = Rule("model-failed", ERROR, "A model gave no answer")

FAILED, BLOCKED, INTERRUPTED, COMMAND = "failed", "blocked", "interrupted", "command"
FINE, ENDED_OTHERWISE, COULD_NOT_RUN = 0, 1, 2
_SIGNALLED = 128


class PrintOutcome(Value):
    """`end.ended` is that of the loop, or failed, blocked, interrupted, or command for a line that needed no model.

    `signal` is the one that interrupted it. `session` is empty where the run failed before there was one.
    """

    end: LoopEnd
    signal: int = 0
    session: str = ""
    transcript: str = ""
    model: str = ""
    seconds: float = 0.0
    errors: tuple[Diagnostic, ...] = ()

    @property
    def exit_code(self) -> int:
        if self.end.ended == INTERRUPTED:
            return _SIGNALLED + self.signal
        if self.end.ended == FAILED:
            return COULD_NOT_RUN
        is_fine = self.end.ended in (DONE, COMMAND) and not self.errors
        return FINE if is_fine else ENDED_OTHERWISE

    def as_json(self, denied: tuple[Denial, ...]) -> dict[str, Any]:
        end = dict(zip(self.end.__fields__, self.end.as_tuple(), strict=True))
        return {
            "type": "result",
            "result": end.pop("text"),
            **end,
            "why": self.end.why or None,
            "cost": None if self.end.cost is None else round(self.end.cost, 6),
            "usage": self.end.usage.as_json(),
            "exit_code": self.exit_code,
            "seconds": round(self.seconds, 3),
            "session": self.session or None,
            "transcript": self.transcript or None,
            "model": self.model or None,
            "denied": [each.as_json() for each in denied],
            "errors": [each.as_json() for each in self.errors],
        }
