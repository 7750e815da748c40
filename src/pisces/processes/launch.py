"""What a program is started with, and how it ended. Values only: `process.run` does the work."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Sink = Callable[[str, bytes], None]
    Stopped = Callable[[], bool]

OUT = "out"
ERR = "err"

TIMEOUT = "timeout"
STOPPED = "stopped"
TOO_MUCH_OUTPUT = "too much output"
TOO_MANY_PROCESSES = "too many processes"


class Limits(Value):
    """0 means no limit. `output` is bytes of stdout and stderr together; `grace` lies between SIGTERM and SIGKILL."""

    seconds: float = 0
    output: int = 0
    processes: int = 256
    grace: float = 2.0


class Launch(Value):
    """`opened` is a descriptor of the verified program: it is executed instead of the path where the system can.

    `merged` sends stderr into stdout. `stdin` is all that the program may read; None is the caller's own stdin.
    """

    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]
    limits: Limits = Limits()
    opened: int = -1
    merged: bool = False
    stdin: bytes | None = b""


class Ended(Value):
    """`code` is None where the program was killed by `signal` or never started; then `failure` and `errno` say why.

    `reason` is set where we ended it: TIMEOUT, STOPPED, TOO_MUCH_OUTPUT or TOO_MANY_PROCESSES.
    """

    code: int | None
    signal: str = ""
    reason: str = ""
    seconds: float = 0
    failure: str = ""
    errno: int = 0


def never() -> bool:
    return False


def not_started(error: OSError | ValueError) -> Ended:
    """A program that cannot be started is an end like any other, not an exception."""
    if isinstance(error, OSError):
        return Ended(None, failure=error.strerror or str(error), errno=error.errno or 0)
    return Ended(None, failure=str(error))
