"""What a program is started with: an argument list, never a line for a shell. `run` and `Process` start it."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Sink = Callable[[str, bytes], object]
    Stopped = Callable[[], bool]

OUT = "out"
ERR = "err"
OPEN = "open"


class Limits(Value):
    """0 means no limit. We enforce the first five for the program and all that it starts.

    `seconds` is time on the clock, `output` is bytes of stdout and stderr together, `grace` is the time between SIGTERM
    and SIGKILL, `linger` the time that children of a program that ended may hold its pipes. The kernel enforces the
    others for each process alone: `cpu` in seconds, `memory` (address space) and `file_size` in bytes. macOS does not
    enforce `memory`, and Windows none of these four.
    """

    seconds: float = 0
    output: int = 0
    processes: int = 256
    grace: float = 2.0
    linger: float = 0.5
    cpu: int = 0
    memory: int = 0
    file_size: int = 0
    open_files: int = 0


class Terminal(Value):
    """A pseudoterminal for the program. `modes` are those of `termios.tcgetattr`; None leaves the system's defaults."""

    rows: int = 24
    columns: int = 80
    modes: list[Any] | None = None


class Launch(Value):
    """`env` is the whole environment: see `environment` for what belongs there. An empty `cwd` is our own.

    `descriptor` is one of the verified program: it is executed instead of the path where the system can. `merged` sends
    stderr into stdout. `stdin` is all that the program may read; OPEN is a pipe to write to while it runs, and None is
    our own stdin. With a `terminal`, that is its stdin, stdout and stderr, and all output is OUT. Of a program that
    `is_fenced` nothing stays behind: a daemon that it started ends with it. A program that `is_brief` is expected to
    end at once: only after a moment it is secured against our own death, which needs a second process.
    """

    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]
    limits: Limits = Limits()
    descriptor: int = -1
    merged: bool = False
    stdin: bytes | str | None = b""
    terminal: Terminal | None = None
    is_fenced: bool = False
    is_brief: bool = False


def never() -> bool:
    return False
