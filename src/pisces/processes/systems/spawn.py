"""Starts a program as the leader of a session of its own, with limits of the kernel's, and says how it ended."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess

from pisces.processes.launch import Ended
from pisces.processes.systems import members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.processes.launch import Launch, Limits

_OTHERS = 4096  # threads that the user's other programs may start meanwhile
_OWN_FILES = "/proc/self/fd"


def child_on_pipes(launch: Launch, mark: str) -> subprocess.Popen[bytes]:
    stdin = {None: None, b"": subprocess.DEVNULL}.get(launch.stdin, subprocess.PIPE)
    return _started(launch, mark, stdin, subprocess.PIPE)


def child_on_terminal(launch: Launch, mark: str, terminal: int, attach: Callable[[], None]) -> subprocess.Popen[bytes]:
    """`attach` runs in the child: it makes the terminal its own, so that Ctrl-C reaches it."""
    return _started(launch, mark, terminal, terminal, attach)


def _started(
    launch: Launch, mark: str, stdin: int | None, output: int, attach: Callable[[], None] | None = None
) -> subprocess.Popen[bytes]:
    """The path is not looked at again where a descriptor of the verified program is at hand: it may have changed."""
    is_opened = launch.opened >= 0 and os.path.isdir(_OWN_FILES)
    return subprocess.Popen(
        launch.argv,
        executable=f"{_OWN_FILES}/{launch.opened}" if is_opened else None,
        pass_fds=(launch.opened,) if is_opened else (),
        cwd=launch.cwd,
        env={**launch.env, members.MARK: mark},
        stdin=stdin,
        stdout=output,
        stderr=subprocess.STDOUT if launch.merged else output,
        bufsize=0,
        start_new_session=True,
        preexec_fn=attach,
    )


def limit_child(pid: int, limits: Limits) -> None:
    """No core files; and where the kernel counts a user's processes (it does not for root), a limit behind ours.

    It counts threads, and those of all the user's programs, so it lies far above the number that we allow.
    """
    tasks = members.tasks()
    if not hasattr(resource, "prlimit"):
        return
    with contextlib.suppress(OSError, ValueError):  # gone already
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
        _, most = resource.prlimit(pid, resource.RLIMIT_NPROC)
        wanted = tasks + _OTHERS + 4 * limits.processes
        if limits.processes and tasks >= 0 and (most == resource.RLIM_INFINITY or wanted < most):
            resource.prlimit(pid, resource.RLIMIT_NPROC, (wanted, wanted))


def ended_of(child: subprocess.Popen[bytes], reason: str, seconds: float) -> Ended:
    code = child.returncode
    if code is None:
        return Ended(None, "", reason, seconds, "it could not be ended: it may run as another user")
    if code >= 0:
        return Ended(code, "", reason, seconds)
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"SIG{-code}"  # a real-time signal
    return Ended(None, name, reason, seconds)
