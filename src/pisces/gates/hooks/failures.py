"""Why a hook gave no usable answer, in one line for people."""

from __future__ import annotations

from pisces.gates.hooks.dialect import NO_ANSWER, NOT_STARTED, SIGNAL, TIMEOUT, TOO_LONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.gates.hooks.dialect import HookOutcome

_ENDED = {
    TIMEOUT: "the hook took longer than its time limit",
    SIGNAL: "the hook was killed by a signal",
    NOT_STARTED: "the hook could not be started",
    TOO_LONG: "the hook printed too much",
    NO_ANSWER: "the hook gave no answer",
}
_LONGEST = 300


def failure_of(outcome: HookOutcome) -> str:
    """How it ended, and the last line that it wrote to stderr, where the reason usually is."""
    how = f"the hook exited with code {outcome.exit}" if outcome.exit is not None else ""
    how = how or _ENDED.get(outcome.ended, outcome.ended or _ENDED[NO_ANSWER])
    last = outcome.stderr.strip().rpartition("\n")[2].strip()[:_LONGEST]
    return f"{how}: {last}" if last else how
