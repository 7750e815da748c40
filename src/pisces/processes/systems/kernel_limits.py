"""Limits that the kernel enforces: set from outside on Linux, by the shell's `ulimit` before the start elsewhere."""

from __future__ import annotations

import sys
from contextlib import suppress

from pisces.processes.systems import members

with suppress(ImportError):  # not on Windows
    import resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.processes.launch import Limits

_OTHERS = 4096  # threads that the user's other programs may start meanwhile
# The name that the kernel has for each, the option of `ulimit`, and its unit in bytes.
_NAMES = {"cpu": ("CPU", "t", 1), "memory": ("AS", "v", 1024), "file_size": ("FSIZE", "f", 512)}
_NAMES["open_files"] = ("NOFILE", "n", 1)


def limited_argv(argv: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """The arguments of a shell that limits itself and becomes the program, where `limit_child` cannot do it."""
    wanted = {name: getattr(limits, name) for name in _NAMES}
    if _has_prlimit() or sys.platform == "win32" or not any(wanted.values()):
        return argv
    orders = [f"ulimit -{_NAMES[name][1]} {-(-most // _NAMES[name][2])}" for name, most in wanted.items() if most]
    return ("/bin/sh", "-c", f'{" && ".join(orders)} && exec "$@"', "sh", *argv)


def limit_child(pid: int, limits: Limits) -> None:
    """Right after the start. No core files; and where the kernel counts a user's processes, a limit behind ours.

    It counts threads, and those of all the user's programs, so it lies far above the number that we allow. It does not
    hold for root.
    """
    if sys.platform != "linux" or not _has_prlimit():
        return
    wanted = {name: getattr(limits, field) for field, (name, *_) in _NAMES.items() if getattr(limits, field)}
    tasks = members.tasks()
    if limits.processes and tasks >= 0:
        wanted["NPROC"] = tasks + _OTHERS + 4 * limits.processes
    for name, most in {"CORE": 0, **wanted}.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        with suppress(OSError, ValueError):  # gone already, or more than it may have
            _, hard = resource.prlimit(pid, kind)
            if hard == resource.RLIM_INFINITY or most < hard:
                resource.prlimit(pid, kind, (most, most))


def _has_prlimit() -> bool:
    return hasattr(sys.modules.get("resource"), "prlimit")
