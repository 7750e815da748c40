"""bubblewrap, for kernels without Landlock: the program sees a file system, a network and processes of its own."""

from __future__ import annotations

import os
import shutil
import sys

from pisces.processes.environment import passed_on
from pisces.processes.launch import Launch, Limits
from pisces.processes.run import captured
from pisces.processes.sandbox.allowed import SYSTEM
from pisces.processes.sandbox.landlock import started_through
from pisces.processes.sandbox.system_calls import has_filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.processes.sandbox.allowed import Allowed

_OWN_ANYWAY = ("/proc", "/sys")
_PATIENCE = Limits(seconds=5)


def why_not() -> str:
    """Empty where it works. Many systems have it and forbid it, so it is tried."""
    tool = shutil.which("bwrap")
    if not tool or not sys.executable:
        return "bubblewrap is not installed"
    argv = (tool, "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true")
    tried = captured(Launch(argv, "/", passed_on(os.environ), _PATIENCE))[2]
    if tried.failure or tried.reason:
        return "bubblewrap cannot be started"
    return "" if tried.code == 0 else "bubblewrap is not allowed to work here"


def gaps(allowed: Allowed) -> list[str]:
    """Abstract sockets belong to the network, so with the network only the filter keeps them out."""
    return ["local sockets without a file"] if allowed.network and not has_filter() else []


def label() -> str:
    return "bubblewrap"


def fenced(launch: Launch, allowed: Allowed) -> Launch:
    words = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent"]
    words += ["--share-net"] if allowed.network else []
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    for path in (*SYSTEM, *allowed.read):
        words += [] if path in _OWN_ANYWAY else ["--ro-bind-try", path, path]
    for path in allowed.write:
        words += ["--bind-try", path, path]
    words += ["--chdir", launch.cwd] if _is_inside(launch.cwd, (*SYSTEM, *allowed.read, *allowed.write)) else []
    return started_through(launch, [f"through={word}" for word in words], allowed)


def _is_inside(path: str, folders: tuple[str, ...]) -> bool:
    return any(os.path.commonpath((path, folder)) == folder for folder in folders)
