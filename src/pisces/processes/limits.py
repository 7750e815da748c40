"""How long and how much: what a program may use before it is ended, and what the kernel itself refuses it."""

from __future__ import annotations

from pisces.value import Value


class Limits(Value):
    """0 means no limit. We enforce the first four for the program and all that it starts.

    `seconds` is time on the clock, `output` is bytes of stdout and stderr together, `grace` is the time between SIGTERM
    and SIGKILL. The kernel enforces the others for each process alone: `cpu` in seconds, `memory` (address space) and
    `file_size` in bytes. macOS does not enforce `memory`, and Windows none of these four.
    """

    seconds: float = 0
    output: int = 0
    processes: int = 256
    grace: float = 2.0
    cpu: int = 0
    memory: int = 0
    file_size: int = 0
    open_files: int = 0
