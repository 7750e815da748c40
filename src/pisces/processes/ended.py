"""How a program ended. A program that cannot be started is an end like any other, not an exception."""

from __future__ import annotations

from signal import Signals

from pisces.value import Value

TIMEOUT = "timeout"
STOPPED = "stopped"
TOO_MUCH_OUTPUT = "too much output"
TOO_MANY_PROCESSES = "too many processes"


class Ended(Value):
    """`code` is None where the program was killed by `signal` or never started; then `failure` and `errno` say why.

    `reason` is set where we ended it: TIMEOUT, STOPPED, TOO_MUCH_OUTPUT, TOO_MANY_PROCESSES, or the caller's own words.
    """

    code: int | None
    signal: str = ""
    reason: str = ""
    seconds: float = 0
    failure: str = ""
    errno: int = 0

    @property
    def status(self) -> int | None:
        """One number, as `subprocess` has it: the exit code, or the signal below 0."""
        known = Signals.__members__.get(self.signal)
        return self.code if known is None else -known


def not_started(error: OSError | ValueError) -> Ended:
    if isinstance(error, OSError):
        return Ended(None, failure=error.strerror or str(error), errno=error.errno or 0)
    return Ended(None, failure=str(error))
