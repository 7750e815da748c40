"""Runs a program for a module: an argument list, no shell, and an end when its time is up.

It gets the variables that every program gets (`PATH`, `HOME`, `LANG`, `TERM`, `TMPDIR` and the like), those that the
user names in `PISCES_PASS_ENV`, and what the module adds. Keys and tokens of this process are not passed on.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from pisces.processes.ended import TIMEOUT
from pisces.processes.environment import passed_on
from pisces.processes.launch import Launch, Limits
from pisces.processes.process import captured
from pisces.value import Value

_NOT_STARTED = 127


class Executed(Value):
    """`code` is that of the program; 127 where it could not be started, with the reason in `stderr`."""

    stdout: str
    stderr: str
    code: int
    killed: bool = False


async def execute(argv: Sequence[str], cwd: str, timeout: float = 0, env: Mapping[str, str] | None = None) -> Executed:
    """Waits without blocking; cancelling ends the program and everything that it started. `env` is added."""
    limits = Limits(seconds=timeout, processes=0)
    out, err, ended = await captured(Launch(tuple(argv), cwd, {**passed_on(os.environ), **(env or {})}, limits))
    if ended.failure:
        return Executed("", f"{argv[0]}: {ended.failure}", _NOT_STARTED)
    is_late = ended.reason == TIMEOUT
    note = f"ended after {timeout:g} s\n" if is_late else ""
    code = -1 if ended.status is None else ended.status
    return Executed(out.decode("utf-8", "replace"), err.decode("utf-8", "replace") + note, code, is_late)
